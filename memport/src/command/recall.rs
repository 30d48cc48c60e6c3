//! Past conversations.

mod browse;
mod keep;
mod search;
mod store;

use memory_recall::Homes;

use crate::args::{HomesArgs, RecallArgs, RecallCommand};
use crate::failure::Failure;
use crate::output::Answer;
use crate::place::{Process, Start};

/// Does what is wanted of past conversations.
pub(crate) fn recall(args: &RecallArgs, process: Process) -> Result<Answer, Failure> {
    match &args.command {
        None => browse::browse(&args.browse, process),
        Some(RecallCommand::Ingest(args)) => keep::ingest(args, process),
        Some(RecallCommand::Search(args)) => search::search(args, process),
        Some(RecallCommand::Show(args)) => search::show(args, process),
        Some(RecallCommand::Open(args)) => search::open(args, process),
        Some(RecallCommand::Inject(args)) => search::inject(args, process),
        Some(RecallCommand::Stats(args)) => keep::stats(args, process),
        Some(RecallCommand::Candidates(args)) => keep::candidates(args, process),
        Some(RecallCommand::Export(args)) => keep::export(args, process),
        Some(RecallCommand::Import(args)) => keep::import(args, process),
        Some(RecallCommand::Forget(args)) => keep::forget(args, process),
    }
}

/// Where the clients have their homes, as they find them themselves.
pub(super) fn client_homes(start: &Start) -> Homes {
    store::homes(&HomesArgs::default(), start)
}
