//! The journal: what was done, so that it can be undone or finished.

mod damage;
mod prune;

use std::fmt;

use super::record::Record;
use crate::error::Error;
use crate::fs::{Fs, FsMut, IoError, IoErrorKind, Lock, LockWait};
use crate::path::AbsPath;

/// Where runs are kept: a folder that belongs to nobody's memory.
///
/// A run leaves a numbered folder with a record of every step and the bytes it
/// replaced. A run whose record is there and which is not marked as done was
/// interrupted; the next writing call brings everything back to what was
/// before it, or says why it does not, see [`Recovered`](super::Recovered).
///
/// The newest 200 runs that can be undone are kept; a new run deletes the older
/// ones, and those that are undone or were brought back. A run that was
/// interrupted, that somebody else's writing cut short, or whose record is
/// damaged is never deleted.
#[derive(Clone, Debug)]
pub struct Journal {
    dir: AbsPath,
    pub(super) wait: LockWait,
}

impl PartialEq for Journal {
    /// Two journals are one when they lie in one folder.
    fn eq(&self, other: &Self) -> bool {
        self.dir == other.dir
    }
}

impl Eq for Journal {}

/// The number of a run, counted from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct RunId(pub u64);

impl fmt::Display for RunId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.0)
    }
}

/// The files that say how far a run is.
pub(super) const RECORD: &str = "record.json";
/// All that is planned is ready beside its place.
pub(super) const READY: &str = "ready";
/// Everything is in place; what is left is to clear up.
pub(super) const PLACED: &str = "placed";
/// Everything is as planned.
pub(super) const DONE: &str = "done";
/// Everything is as before, after an interruption.
pub(super) const ROLLED_BACK: &str = "rolled-back";
/// Somebody else wrote meanwhile: it is for a person to decide.
pub(super) const CONFLICTED: &str = "conflicted";
/// An undo has begun.
pub(super) const UNDOING: &str = "undoing";
/// All that was before is ready beside its place.
pub(super) const UNDO_READY: &str = "undo-ready";
/// Everything is back in its place; what is left is to clear up.
pub(super) const UNDO_PLACED: &str = "undo-placed";
/// Everything is as before, because somebody asked for it.
pub(super) const UNDONE: &str = "undone";

/// Permission bits of what the journal keeps: it holds people's memories.
pub(super) const OWN_ONLY: Option<u32> = Some(0o600);

impl Journal {
    /// The journal in this folder, which need not exist.
    pub fn new(dir: AbsPath) -> Self {
        Self { dir, wait: LockWait::default() }
    }

    /// The same journal, with another wait for the runs of others.
    #[must_use]
    pub fn waiting(mut self, wait: LockWait) -> Self {
        self.wait = wait;
        self
    }

    /// The run that was interrupted, if there is one; looks only.
    pub fn unfinished(&self, fs: &dyn Fs) -> Result<Option<RunId>, Error> {
        let mut runs = self.runs(fs)?;
        runs.retain(|run| self.is_unfinished(fs, *run));
        Ok(runs.pop())
    }

    /// The last run that can be undone, if there is one.
    pub fn last(&self, fs: &dyn Fs) -> Result<Option<RunId>, Error> {
        let mut runs = self.runs(fs)?;
        runs.retain(|run| self.can_be_undone(fs, *run));
        Ok(runs.pop())
    }

    fn can_be_undone(&self, fs: &dyn Fs, run: RunId) -> bool {
        let has = |mark| self.has(fs, run, mark);
        has(DONE) && !has(UNDONE) && !has(CONFLICTED)
    }

    pub(super) fn is_unfinished(&self, fs: &dyn Fs, run: RunId) -> bool {
        let has = |mark| self.has(fs, run, mark);
        // Nearly all runs are done: they are asked for first.
        if has(DONE) {
            return has(UNDOING) && !has(UNDONE) && !has(CONFLICTED);
        }
        has(RECORD) && !has(ROLLED_BACK) && !has(UNDONE) && !has(CONFLICTED)
    }

    /// All runs in ascending order.
    pub(super) fn runs(&self, fs: &dyn Fs) -> Result<Vec<RunId>, Error> {
        let names = self.names(fs)?;
        let mut runs: Vec<RunId> =
            names.iter().filter_map(|name| name.parse().ok().map(RunId)).collect();
        runs.sort_unstable();
        Ok(runs)
    }

    fn names(&self, fs: &dyn Fs) -> Result<Vec<String>, Error> {
        let dir = self.dir.join("runs");
        match fs.read_dir(&dir) {
            Err(error) if error.is_absence() => Ok(Vec::new()),
            Err(source) => Err(Error::Io { path: dir, source }),
            Ok(entries) => Ok(entries.flatten().map(|entry| entry.name).collect()),
        }
    }

    pub(super) fn dir_of(&self, run: RunId) -> AbsPath {
        self.dir.join(format!("runs/{run}"))
    }

    pub(super) fn has(&self, fs: &dyn Fs, run: RunId, mark: &str) -> bool {
        fs.symlink_metadata(&self.dir_of(run).join(mark)).is_ok()
    }

    /// Marks how far a run is; a mark that is there already stays.
    pub(super) fn mark(&self, fs: &dyn FsMut, run: RunId, mark: &str) -> Result<(), Error> {
        let path = self.dir_of(run).join(mark);
        match fs.create_file(&path, b"", None) {
            Err(error) if error.kind != IoErrorKind::AlreadyExists => {
                Err(Error::Write { path, source: error })
            }
            _ => self.sync(fs, run),
        }
    }

    /// Brings the marks of a run to disk.
    fn sync(&self, fs: &dyn FsMut, run: RunId) -> Result<(), Error> {
        let dir = self.dir_of(run);
        fs.sync_dir(&dir).map_err(|source| Error::Write { path: dir, source })
    }

    /// One mark instead of another.
    pub(super) fn rename_mark(
        &self,
        fs: &dyn FsMut,
        run: RunId,
        from: &str,
        to: &str,
    ) -> Result<(), Error> {
        let path = self.dir_of(run).join(to);
        fs.rename(&self.dir_of(run).join(from), &path)
            .map_err(|source| Error::Write { path, source })
    }

    /// Takes a mark away.
    pub(super) fn unmark(&self, fs: &dyn FsMut, run: RunId, mark: &str) -> Result<(), Error> {
        let path = self.dir_of(run).join(mark);
        match fs.remove_file(&path) {
            Err(error) if !error.is_absence() => Err(Error::Write { path, source: error }),
            _ => self.sync(fs, run),
        }
    }

    /// Waits for the one lock of this journal.
    pub(super) fn lock(&self, fs: &dyn FsMut) -> Result<Box<dyn Lock>, Error> {
        make_dirs(fs, &self.dir)?;
        let path = self.dir.join("lock");
        fs.lock(&path, self.wait).map_err(|source| Error::Write { path, source })
    }

    /// Opens a new run: an empty folder with the next number. The journal must
    /// be locked.
    pub(super) fn open(&self, fs: &dyn FsMut) -> Result<RunId, Error> {
        let last = self.highest(fs)?;
        let run = RunId(last.checked_add(1).ok_or_else(|| Error::Journal {
            path: self.dir_of(RunId(last)),
            why: "no number is left after it".to_owned(),
        })?);
        make_dirs(fs, &self.dir_of(run))?;
        Ok(run)
    }

    pub(super) fn write(&self, fs: &dyn FsMut, run: RunId, record: &Record) -> Result<(), Error> {
        let path = self.dir_of(run).join(RECORD);
        let json = serde_json::to_vec_pretty(record)
            .map_err(|error| Error::Journal { path: path.clone(), why: error.to_string() })?;
        // The record must be there as a whole or not at all.
        let staged = self.dir_of(run).join("record.tmp");
        let io = |source| Error::Write { path: path.clone(), source };
        fs.create_file(&staged, &json, OWN_ONLY).map_err(io)?;
        fs.rename(&staged, &path).map_err(io)
    }

    pub(super) fn read(&self, fs: &dyn Fs, run: RunId) -> Result<Record, Error> {
        let path = self.dir_of(run).join(RECORD);
        let bytes = fs
            .read_up_to(&path, u64::MAX)
            .map_err(|source| Error::Io { path: path.clone(), source })?;
        serde_json::from_slice(&bytes)
            .map_err(|error| Error::Journal { path, why: error.to_string() })
    }
}

/// Makes a folder and those above it; says which it made, outermost first.
pub(super) fn make_dirs(fs: &dyn FsMut, dir: &AbsPath) -> Result<Vec<AbsPath>, Error> {
    let mut missing: Vec<AbsPath> = dir
        .ancestors()
        .take_while(|dir| matches!(fs.metadata(dir), Err(error) if error.is_absence()))
        .collect();
    missing.reverse();
    for dir in &missing {
        match fs.create_dir(dir) {
            Ok(()) | Err(IoError { kind: IoErrorKind::AlreadyExists, .. }) => {}
            Err(source) => return Err(Error::Write { path: dir.clone(), source }),
        }
    }
    let parents = missing.iter().filter_map(AbsPath::parent).collect();
    fs.sync_dirs(&parents).map_err(|(path, source)| Error::Write { path, source })?;
    Ok(missing)
}
