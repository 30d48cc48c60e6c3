//! Letting a project's memory follow its folder.

use memory_core::{Error, OsFs, World};

use super::change::carry_out;
use crate::args::RelocateArgs;
use crate::client::Clients;
use crate::failure::Failure;
use crate::output::{self, Answer};
use crate::place::{Process, Start, portable_path};
use crate::{RELOCATE_SCHEMA, RelocateDocument, journal, text};

/// Moves what is kept for a project whose folder was moved.
pub(crate) fn relocate(args: &RelocateArgs, process: Process) -> Result<Answer, Failure> {
    let clients = Clients::chosen(None, &args.release)?;
    let start = Start::at(&args.place, process, &OsFs)?;
    let old = start.cwd.join(portable_path(&args.old));
    let new = start.cwd.join(portable_path(&args.new));
    let world = World { fs: &OsFs, env: &start.env };
    let (plan, applied) = carry_out(&start, &args.write, || {
        clients.claude.plan_relocate(world, &old, &new).map_err(refused)
    })?;
    let document = RelocateDocument { schema: RELOCATE_SCHEMA, plan, applied };
    let words = || text::relocate(&document, &start, output::width());
    let answer = Answer::either(args.output.format(), &document, words);
    let notice = if args.write.write { None } else { journal::notice(&OsFs, &start.env) };
    Ok(answer.with_notice(notice))
}

fn refused(error: Error) -> Failure {
    let message = error.to_string();
    match error {
        Error::Taken { .. } => Failure::impossible(
            message,
            "something is kept for the new place too; put one of them away first",
        ),
        Error::NotFound { .. } => Failure::impossible(
            message,
            "nothing is kept for the old place; `memport doctor` finds what lost its folder",
        ),
        _ => error.into(),
    }
}
