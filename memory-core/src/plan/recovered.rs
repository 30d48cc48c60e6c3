//! What becomes of runs that were interrupted.

use super::RunId;
use crate::error::Error;
use crate::path::AbsPath;

/// What became of a run that was interrupted.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Recovered {
    /// Everything was in place already: the run counts as carried out.
    Completed {
        /// The run.
        run: RunId,
    },
    /// Everything is as it was before the run.
    RolledBack {
        /// The run.
        run: RunId,
    },
    /// An undo was interrupted, and is finished now.
    UndoCompleted {
        /// The run that is undone.
        run: RunId,
    },
    /// An undo was interrupted and could not be finished: everything is as the
    /// run left it.
    UndoRolledBack {
        /// The run that is not undone.
        run: RunId,
    },
    /// Somebody wrote where the run was at work. Nothing of theirs was touched;
    /// the run is neither finished nor taken back, and cannot be undone.
    Conflicted {
        /// The run.
        run: RunId,
        /// The paths that are neither as before nor as planned, at least one.
        paths: Vec<AbsPath>,
        /// The folder that keeps what was there before, and what was planned.
        kept: AbsPath,
    },
    /// The system does not let the run be ended now. It is tried again by each
    /// call that writes, and stops none of them.
    Postponed {
        /// The run.
        run: RunId,
        /// What the system said.
        error: Error,
    },
    /// The record of the run is damaged: nobody can say what it did. Its folder
    /// was set aside.
    Damaged {
        /// The run.
        run: RunId,
        /// What is wrong with the record.
        why: String,
        /// Where its folder is now.
        kept: AbsPath,
    },
}

impl Recovered {
    /// The error of a call that came to this end itself, where it is one.
    pub(super) fn into_conflict(self) -> Option<Error> {
        match self {
            Self::Conflicted { run, paths, kept } => {
                let path = paths.into_iter().next().unwrap_or_else(|| kept.clone());
                Some(Error::Conflict { run: run.to_string(), path, kept })
            }
            _ => None,
        }
    }
}
