//! Undoing a run.

use super::check::state;
use super::journal::{DONE, UNDOING, UNDONE};
use super::record::State;
use super::{Journal, RunId, step};
use crate::{AbsPath, Error, FsMut};

/// Brings everything that a run changed back to what was before it, byte for
/// byte, permission bits and links included; folders it made go when they are
/// empty.
///
/// Errors when something changed since: nothing is touched then.
pub fn undo(fs: &dyn FsMut, journal: &Journal, run: RunId) -> Result<(), Error> {
    let _lock = journal.lock(fs)?;
    journal.recover(fs)?;
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
    journal.mark(fs, run, UNDOING)?;
    step::roll_back(fs, &journal.dir_of(run), &record)?;
    journal.mark(fs, run, UNDONE)
}
