//! Adding to what clients remember, and looking into it.

mod add;
mod lookup;
mod show;

use crate::args::MemoryCommand;
use crate::failure::Failure;
use crate::output::Answer;
use crate::place::Process;

/// Does what one of the commands says.
pub(crate) fn memory(command: &MemoryCommand, process: Process) -> Result<Answer, Failure> {
    match command {
        MemoryCommand::Add(args) => add::add(args, process),
        MemoryCommand::Show(args) => show::show(args, process),
        MemoryCommand::Lookup(args) => lookup::lookup(args, process),
    }
}
