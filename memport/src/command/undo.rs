//! Taking a run back.

use memory_core::fs::OsFs;
use memory_core::plan::{
    Journal, Recovered, Reversal, RunId, changed_since, reversals, undo_unchanged,
};
use memory_core::{AbsPath, Error};
use memport_documents::{
    ChangeDocument, RunDocument, SkippedDocument, UNDO_LIST_SCHEMA, UNDO_SCHEMA, UndoDocument,
    UndoListDocument, UndoneDocument,
};

use crate::args::UndoArgs;
use crate::failure::Failure;
use crate::output::{self, Answer};
use crate::place::{Process, Start};
use crate::{journal, text};

/// Shows what a run changed, and takes it back when that is asked for.
pub(crate) fn undo(args: &UndoArgs, process: Process) -> Result<Answer, Failure> {
    let start = Start::at(&args.place, process, &OsFs)?;
    let journal = journal::patient(&start.env, &args.options)?;
    if args.list {
        let runs = journal.list(&OsFs)?.into_iter().map(RunDocument::from).collect();
        let list = UndoListDocument { schema: UNDO_LIST_SCHEMA, runs };
        let words = |list: &_| text::undo_list(list, &start, output::width());
        let answer = Answer::either(args.output.format(), list, words);
        return Ok(answer.with_notice(journal::notice(&OsFs, &start.env)));
    }
    let document = if args.write {
        write(&journal, args)?
    } else {
        let run = run(&journal, args.run)?;
        let (changes, skipped) = changes(&journal, run, args.keep_changed)?;
        document(run, changes, &skipped, None)
    };
    let words = |document: &_| text::undo(document, &start, output::width());
    let answer = Answer::either(args.output.format(), document, words);
    let notice = if args.write { None } else { journal::notice(&OsFs, &start.env) };
    Ok(answer.with_notice(notice))
}

/// Takes a run back. An undo of it that was interrupted is finished, which is
/// what was asked for.
fn write(journal: &Journal, args: &UndoArgs) -> Result<UndoDocument, Failure> {
    let mut interrupted = None;
    if journal.unfinished(&OsFs)?.is_some() {
        let found = run(journal, args.run)
            .and_then(|run| Ok((run, changes(journal, run, args.keep_changed)?.0)));
        interrupted = found.ok();
    }
    let recovered = journal.recover(&OsFs)?;
    journal::tell(&recovered);
    if let Some((run, changes)) = interrupted
        && recovered.contains(&Recovered::UndoCompleted { run })
    {
        return Ok(document(run, changes, &[], Some(run)));
    }
    let run = run(journal, args.run)?;
    // What an undo replaces is gone afterwards.
    let (changes, _) = changes(journal, run, args.keep_changed)?;
    let (recovered, skipped) = if args.keep_changed {
        undo_unchanged(&OsFs, journal, run)?
    } else {
        (memory_core::plan::undo(&OsFs, journal, run)?, Vec::new())
    };
    journal::tell(&recovered);
    Ok(document(run, changes, &skipped, Some(run)))
}

/// What would be taken back, and what is left as it is.
fn changes(
    journal: &Journal,
    run: RunId,
    keeps_changed: bool,
) -> Result<(Vec<ChangeDocument>, Vec<AbsPath>), Error> {
    let (found, skipped) = if keeps_changed {
        let changed = changed_since(&OsFs, journal, run)?;
        (memory_core::plan::reversals_but(&OsFs, journal, run, &changed)?, changed)
    } else {
        (reversals(&OsFs, journal, run)?, Vec::new())
    };
    let shown = |found: &Reversal| ChangeDocument::reversal(&OsFs, found);
    Ok((found.iter().filter_map(shown).collect(), skipped))
}

fn document(
    run: RunId,
    changes: Vec<ChangeDocument>,
    skipped: &[AbsPath],
    undone: Option<RunId>,
) -> UndoDocument {
    let applied = undone.map(|run| UndoneDocument { run: run.to_string() });
    let skipped = skipped.iter().map(|path| SkippedDocument {
        path: path.to_string(),
        message: "it changed since, and is left as it is".to_owned(),
    });
    let skipped = skipped.collect();
    UndoDocument { schema: UNDO_SCHEMA, run: run.to_string(), changes, applied, skipped }
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
