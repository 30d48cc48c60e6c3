//! The `memport` command.

use std::process::ExitCode;

/// A run of a command is short and made of many small texts.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    memport::run(std::env::args_os())
}
