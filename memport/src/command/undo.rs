//! Taking a run back.

use memory_core::fs::OsFs;
use memory_core::plan::{Journal, Recovered, RunId, reversals};
use memport_documents::{ChangeDocument, UNDO_SCHEMA, UndoDocument, UndoneDocument};

use crate::args::UndoArgs;
use crate::failure::Failure;
use crate::output::{self, Answer};
use crate::place::{Process, Start};
use crate::{journal, text};

/// Shows what a run changed, and takes it back when that is asked for.
pub(crate) fn undo(args: &UndoArgs, process: Process) -> Result<Answer, Failure> {
    let start = Start::at(&args.place, process, &OsFs)?;
    let journal = journal::patient(&start.env, &args.options)?;
    let document = if args.write {
        write(&journal, args.run)?
    } else {
        let run = run(&journal, args.run)?;
        document(run, changes(&journal, run)?, None)
    };
    let words = |document: &_| text::undo(document, &start, output::width());
    let answer = Answer::either(args.output.format(), document, words);
    let notice = if args.write { None } else { journal::notice(&OsFs, &start.env) };
    Ok(answer.with_notice(notice))
}

/// Takes a run back. An undo of it that was interrupted is finished, which is
/// what was asked for.
fn write(journal: &Journal, named: Option<u64>) -> Result<UndoDocument, Failure> {
    let mut interrupted = None;
    if journal.unfinished(&OsFs)?.is_some() {
        let found = run(journal, named).and_then(|run| Ok((run, changes(journal, run)?)));
        interrupted = found.ok();
    }
    let recovered = journal.recover(&OsFs)?;
    journal::tell(&recovered);
    if let Some((run, changes)) = interrupted
        && recovered.contains(&Recovered::UndoCompleted { run })
    {
        return Ok(document(run, changes, Some(run)));
    }
    let run = run(journal, named)?;
    // What an undo replaces is gone afterwards.
    let changes = changes(journal, run)?;
    journal::tell(&memory_core::plan::undo(&OsFs, journal, run)?);
    Ok(document(run, changes, Some(run)))
}

fn changes(journal: &Journal, run: RunId) -> Result<Vec<ChangeDocument>, Failure> {
    let found = reversals(&OsFs, journal, run)?;
    Ok(found.iter().filter_map(|found| ChangeDocument::reversal(&OsFs, found)).collect())
}

fn document(run: RunId, changes: Vec<ChangeDocument>, undone: Option<RunId>) -> UndoDocument {
    let applied = undone.map(|run| UndoneDocument { run: run.to_string() });
    UndoDocument { schema: UNDO_SCHEMA, run: run.to_string(), changes, applied }
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
