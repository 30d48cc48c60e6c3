//! Bringing interrupted runs to an end.

use std::cell::Cell;

use super::transaction::Transaction;
use super::{Journal, Recovered};
use crate::error::Error;
use crate::fs::FsMut;

impl Journal {
    /// Brings every run that was interrupted to an end, and says to which.
    ///
    /// [`apply`](super::apply) and [`undo`](super::undo) do so too. A program
    /// that plans by what is on the disk does it before it plans.
    pub fn recover(&self, fs: &dyn FsMut) -> Result<Vec<Recovered>, Error> {
        if self.unfinished(fs)?.is_none() {
            return Ok(Vec::new());
        }
        let _lock = self.lock(fs)?;
        self.recover_locked(fs)
    }

    /// What [`Journal::recover`] does. The journal must be locked.
    pub(super) fn recover_locked(&self, fs: &dyn FsMut) -> Result<Vec<Recovered>, Error> {
        let mut recovered = Vec::new();
        for run in self.runs(fs)?.into_iter().rev() {
            if !self.is_unfinished(fs, run) {
                continue;
            }
            if let Some(why) = self.damage(fs, run) {
                recovered.push(self.quarantine(fs, run, why)?);
                continue;
            }
            let record = match self.read(fs, run) {
                Ok(record) => record,
                Err(error) => {
                    recovered.push(Recovered::Postponed { run, error });
                    continue;
                }
            };
            let begun = Cell::default();
            let transaction = Transaction { fs, journal: self, run, record, begun };
            let _folders = transaction.lock()?;
            recovered.push(
                transaction.recover().unwrap_or_else(|error| Recovered::Postponed { run, error }),
            );
        }
        Ok(recovered)
    }

    /// Ends what was interrupted, and makes room: what takes long is done before
    /// a plan is made, so that little time lies between plan and change. The
    /// journal must be locked.
    pub(super) fn recover_and_prune(&self, fs: &dyn FsMut) -> Result<Vec<Recovered>, Error> {
        let recovered = self.recover_locked(fs)?;
        // What cannot be deleted stands in nobody's direction: the next run tries again.
        drop(self.prune(fs));
        Ok(recovered)
    }
}
