//! Undoing a run.

use std::cell::Cell;
use std::sync::Arc;

use super::check::{self, state};
use super::journal::{CONFLICTED, DONE, UNDOING, UNDONE};
use super::record::{Record, State, StepRecord};
use super::transaction::{Direction, Transaction};
use super::tree_digest::{first_change, tree_digest};
use super::{Journal, Recovered, RunId};
use crate::error::Error;
use crate::fs::{Fs, FsMut};
use crate::path::AbsPath;

/// Brings everything that a run changed back to what was before it, byte for
/// byte, permission bits and links included; folders it made go when they are
/// empty. Says what became of runs that were interrupted before; an undo of
/// this very run that was interrupted is finished by it.
///
/// Errors when something changed since: nothing is touched then.
pub fn undo(fs: &dyn FsMut, journal: &Journal, run: RunId) -> Result<Vec<Recovered>, Error> {
    let _lock = journal.lock(fs)?;
    let mut recovered = journal.recover_locked(fs)?;
    if recovered.contains(&Recovered::UndoCompleted { run }) {
        return Ok(recovered);
    }
    let record = undoable(fs, journal, run)?;
    let transaction = Transaction { fs, journal, run, record, begun: Cell::default() };
    let _folders = transaction.lock()?;
    check_unchanged(fs, journal, run, &transaction.record)?;
    journal.mark(fs, run, UNDOING)?;
    let swaps = transaction.swaps(Direction::Undo)?;
    let staged = swaps.iter().try_for_each(|swap| transaction.stage_backup(swap));
    match staged.and_then(|()| transaction.execute(Direction::Undo, &swaps, &[])) {
        Ok(()) => {
            // It is undone; what is left of the cleaning is done by the next run.
            recovered.extend(transaction.clean_up(Direction::Undo, &swaps).unwrap_or_default());
            Ok(recovered)
        }
        Err(error) => {
            let conflict = transaction.roll_back_undo().ok().and_then(Recovered::into_conflict);
            Err(conflict.unwrap_or(match error {
                Error::Stale { path } => Error::ChangedSince { run: run.to_string(), path },
                error => error,
            }))
        }
    }
}

/// What an undo would do to one path.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Reversal {
    /// What the run made goes.
    Remove {
        /// The file or link.
        path: AbsPath,
    },
    /// A file is as it was.
    Restore {
        /// The file.
        path: AbsPath,
        /// Its bytes before the run.
        bytes: Arc<[u8]>,
        /// Its permission bits before the run, where the run changed them.
        mode: Option<u32>,
    },
    /// A link is as it was.
    Relink {
        /// The link.
        path: AbsPath,
        /// Its target before the run.
        target: String,
    },
    /// What the run moved goes back.
    MoveBack {
        /// Where the run moved it.
        from: AbsPath,
        /// Where it was.
        to: AbsPath,
    },
}

/// What [`undo`] would do, in its order; nothing is touched.
///
/// Errors where an undo would refuse. Of an undo that was interrupted it says
/// all of it, whatever is done already.
///
/// ```
/// use memory_core::AbsPath;
/// use memory_core::fs::MemFs;
/// use memory_core::plan::{Change, Journal, Reversal, WritePlan, apply, reversals};
///
/// let fs = MemFs::from_files([("/notes/a.md", "one\n")]);
/// let root = AbsPath::new("/notes")?;
/// let mut plan = WritePlan::new([root.clone()]);
/// plan.add(Change::create(root.join("b.md"), "two\n"))?;
///
/// let journal = Journal::new(AbsPath::new("/state/memport")?);
/// let run = apply(&fs, &plan, &journal)?.run;
/// let expected = [Reversal::Remove { path: root.join("b.md") }];
/// assert_eq!(reversals(&fs, &journal, run)?, expected);
/// # Ok::<(), memory_core::Error>(())
/// ```
pub fn reversals(fs: &dyn Fs, journal: &Journal, run: RunId) -> Result<Vec<Reversal>, Error> {
    let record = undoable(fs, journal, run)?;
    if !journal.has(fs, run, UNDOING) {
        check_unchanged(fs, journal, run, &record)?;
    }
    let steps = record.steps.iter().rev();
    let found: Result<Vec<_>, _> = steps.map(|step| reversal(fs, journal, run, step)).collect();
    Ok(found?.into_iter().flatten().collect())
}

fn reversal(
    fs: &dyn Fs,
    journal: &Journal,
    run: RunId,
    step: &StepRecord,
) -> Result<Option<Reversal>, Error> {
    let path = AbsPath::new(&step.path)?;
    if let Some(from) = &step.from {
        return Ok(Some(Reversal::MoveBack { from: path, to: AbsPath::new(from)? }));
    }
    Ok(match (&step.before, &step.backup) {
        (before, _) if before == &step.after => None,
        (State::Absent, _) => Some(Reversal::Remove { path }),
        (State::Link { target }, _) => Some(Reversal::Relink { path, target: target.clone() }),
        (State::File { mode, .. }, Some(backup)) => {
            let mode = match &step.after {
                State::File { mode: after, .. } if mode == after => None,
                _ => *mode,
            };
            let kept = journal.dir_of(run).join(backup);
            let bytes = fs
                .read_up_to(&kept, u64::MAX)
                .map_err(|source| Error::Io { path: kept, source })?;
            Some(Reversal::Restore { path, bytes: bytes.into(), mode })
        }
        (State::File { .. } | State::Something, _) => None,
    })
}

/// The record of a run that can be undone.
fn undoable(fs: &dyn Fs, journal: &Journal, run: RunId) -> Result<Record, Error> {
    let has = |mark| journal.has(fs, run, mark);
    if !has(DONE) || has(UNDONE) || has(CONFLICTED) {
        return Err(Error::NoSuchRun { run: run.to_string() });
    }
    journal.read(fs, run)
}

/// Refuses to undo what is not as the run left it.
fn check_unchanged(
    fs: &dyn Fs,
    journal: &Journal,
    run: RunId,
    record: &Record,
) -> Result<(), Error> {
    check::record(fs, &journal.dir_of(run), record)?;
    for step in &record.steps {
        let path = AbsPath::new(&step.path)?;
        let changed = |path| Err(Error::ChangedSince { run: run.to_string(), path });
        if !step.after.matches(&state(fs, &path)?) {
            return changed(path);
        }
        if let Some(from) = &step.from {
            let from = AbsPath::new(from)?;
            if state(fs, &from)? != State::Absent {
                return changed(from);
            }
            if let Some(path) = first_change(&step.moved, &tree_digest(fs, &path), &path) {
                return changed(path);
            }
        }
    }
    Ok(())
}
