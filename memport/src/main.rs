//! The `memport` command.

use std::process::ExitCode;

fn main() -> ExitCode {
    memport::run(std::env::args_os())
}
