//! Taking a run back.

use memory_core::{Journal, OsFs, RunId, reversals};

use crate::args::UndoArgs;
use crate::failure::Failure;
use crate::output::{self, Answer};
use crate::place::{Process, Start};
use crate::{ChangeDocument, UNDO_SCHEMA, UndoDocument, UndoneDocument, journal, text};

/// Shows what a run changed, and takes it back when that is asked for.
pub(crate) fn undo(args: &UndoArgs, process: Process) -> Result<Answer, Failure> {
    let start = Start::at(&args.place, process, &OsFs)?;
    let journal = journal::journal(&start.env)?;
    if args.write {
        journal.settle(&OsFs)?;
    }
    let run = run(&journal, args.run)?;
    let found = reversals(&OsFs, &journal, run)?;
    let changes = found.iter().filter_map(|found| ChangeDocument::reversal(&OsFs, found));
    let mut document = UndoDocument {
        schema: UNDO_SCHEMA,
        run: run.to_string(),
        changes: changes.collect(),
        applied: None,
    };
    if args.write {
        memory_core::undo(&OsFs, &journal, run)?;
        document.applied = Some(UndoneDocument { run: run.to_string() });
    }
    let words = || text::undo(&document, &start, output::width());
    let answer = Answer::either(args.output.format(), &document, words);
    let notice = if args.write { None } else { journal::notice(&OsFs, &start.env) };
    Ok(answer.with_notice(notice))
}

/// The run that was named, or the last one that can be taken back.
fn run(journal: &Journal, named: Option<u64>) -> Result<RunId, Failure> {
    if let Some(number) = named {
        return Ok(RunId(number));
    }
    journal.last(&OsFs)?.ok_or_else(|| {
        Failure::impossible("there is no run to undo", "only what memport wrote can be undone")
    })
}
