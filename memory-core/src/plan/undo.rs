//! Undoing a run.

use std::sync::Arc;

use super::check::state;
use super::journal::{DONE, UNDOING, UNDONE};
use super::record::{Record, State, StepRecord};
use super::{Journal, RunId, step};
use crate::{AbsPath, Error, Fs, FsMut};

/// Brings everything that a run changed back to what was before it, byte for
/// byte, permission bits and links included; folders it made go when they are
/// empty.
///
/// Errors when something changed since: nothing is touched then.
pub fn undo(fs: &dyn FsMut, journal: &Journal, run: RunId) -> Result<(), Error> {
    let _lock = journal.lock(fs)?;
    journal.recover(fs)?;
    let record = unchanged_since(fs, journal, run)?;
    journal.mark(fs, run, UNDOING)?;
    step::roll_back(fs, &journal.dir_of(run), &record)?;
    journal.mark(fs, run, UNDONE)
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
/// Errors where an undo would refuse.
///
/// ```
/// use memory_core::{AbsPath, Change, Journal, MemFs, Reversal, WritePlan, apply, reversals};
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
    let record = unchanged_since(fs, journal, run)?;
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

/// The record of a run that can be undone: everything is as the run left it.
fn unchanged_since(fs: &dyn Fs, journal: &Journal, run: RunId) -> Result<Record, Error> {
    if !journal.has(fs, run, DONE) || journal.has(fs, run, UNDONE) {
        return Err(Error::NoSuchRun { run: run.to_string() });
    }
    let record = journal.read(fs, run)?;
    for step in &record.steps {
        let path = AbsPath::new(&step.path)?;
        let moved_back = match &step.from {
            Some(from) => state(fs, &AbsPath::new(from)?)? == State::Absent,
            None => true,
        };
        if !step.after.matches(&state(fs, &path)?) || !moved_back {
            return Err(Error::ChangedSince { run: run.to_string(), path });
        }
    }
    Ok(record)
}
