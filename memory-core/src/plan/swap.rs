//! One path of a run, on its direction from one state to another.

use super::check;
use super::record::{State, StepRecord};
use crate::digest::Digest;
use crate::error::Error;
use crate::fs::{FsMut, IoError, IoErrorKind};
use crate::path::AbsPath;

/// One path that is on its direction.
///
/// What is wanted is made under the name `staging`. In one step it then gets the
/// name `path`, and what was there gets the name `staging`: so it can be seen
/// whether that was what is expected, and nobody's version is ever gone.
#[derive(Clone, Debug)]
pub(super) struct Swap {
    /// The number of its step.
    pub(super) step: usize,
    pub(super) path: AbsPath,
    /// Where a move comes from.
    pub(super) from: Option<AbsPath>,
    pub(super) staging: AbsPath,
    pub(super) expect: State,
    pub(super) want: State,
}

/// How far a swap is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum SwapState {
    /// It did not begin.
    Pending,
    /// What is wanted is there.
    InPlace,
    /// What somebody else wrote has the staging name, and nothing of theirs is
    /// lost by putting it back.
    Clobbered,
    /// Somebody else's version is there, and something of the run may be in it.
    Conflict,
}

/// A free name beside `path`.
///
/// It belongs to this run of this journal alone, and is short whatever the
/// length of the file's own name.
pub(super) fn staging_path(path: &AbsPath, run: &AbsPath, purpose: &str) -> AbsPath {
    let digest = Digest::of(format!("{run}\n{path}\n{purpose}").as_bytes()).to_string();
    let unique: String = digest.chars().skip("sha256:".len()).take(16).collect();
    path.join("..").join(format!(".memport-{unique}"))
}

impl Swap {
    /// The direction of a step from what was there to what is planned; `None` when
    /// both are the same.
    pub(super) fn forward(
        number: usize,
        step: &StepRecord,
        run: &AbsPath,
    ) -> Result<Option<Self>, Error> {
        if step.from.is_none() && step.before == step.after {
            return Ok(None);
        }
        let path = AbsPath::new(&step.path)?;
        let staging = named(step.staged.as_deref(), &path, run, "new")?;
        let from = step.from.as_deref().map(AbsPath::new).transpose()?;
        let (expect, want) = (step.before.clone(), step.after.clone());
        Ok(Some(Self { step: number, path, from, staging, expect, want }))
    }

    /// The direction back.
    pub(super) fn backward(
        number: usize,
        step: &StepRecord,
        run: &AbsPath,
    ) -> Result<Option<Self>, Error> {
        let Some(swap) = Self::forward(number, step, run)? else { return Ok(None) };
        let staging = named(step.restore.as_deref(), &swap.path, run, "restore")?;
        Ok(Some(Self { staging, ..swap.inverse() }))
    }

    /// The other direction round, by the same staging name.
    pub(super) fn inverse(self) -> Self {
        let (path, from) = match self.from {
            Some(from) => (from, Some(self.path)),
            None => (self.path, None),
        };
        let (expect, want) = match from {
            Some(_) => (self.expect, self.want),
            None => (self.want, self.expect),
        };
        Self { path, from, expect, want, ..self }
    }

    /// How far it is; `is_ready` says whether what is wanted was staged for all
    /// swaps, `may_have_begun` whether those before it have begun.
    pub(super) fn state(
        &self,
        fs: &dyn FsMut,
        is_ready: bool,
        may_have_begun: bool,
    ) -> Result<SwapState, Error> {
        if !is_ready {
            return Ok(SwapState::Pending);
        }
        let found = check::state(fs, &self.path)?;
        if let Some(from) = &self.from {
            let is_gone = check::state(fs, from)? == State::Absent;
            return Ok(match (is_gone, found == State::Absent) {
                (false, true) => SwapState::Pending,
                (true, false) => SwapState::InPlace,
                _ => SwapState::Conflict,
            });
        }
        let is_there = self.want.matches(&found);
        let as_before = self.expect.matches(&found);
        Ok(match check::state(fs, &self.staging)? {
            State::Absent if is_there => SwapState::InPlace,
            State::Absent if as_before => SwapState::Pending,
            // What goes needs nothing to be ready.
            State::Absent if self.want == State::Absent && !may_have_begun => SwapState::Pending,
            State::Absent => SwapState::Conflict,
            staged if self.want.matches(&staged) => SwapState::Pending,
            staged if self.expect.matches(&staged) && is_there => SwapState::InPlace,
            staged if self.expect.matches(&staged) && as_before => SwapState::Pending,
            staged if self.expect.matches(&staged) => SwapState::Conflict,
            _ if is_there || found == State::Absent => SwapState::Clobbered,
            _ => SwapState::Conflict,
        })
    }

    /// Swaps what is wanted in for what is expected.
    ///
    /// Errors with [`Error::Stale`] when something else is there; that stays, or
    /// comes back at once.
    pub(super) fn swap_in(&self, fs: &dyn FsMut) -> Result<(), Error> {
        if self.from.is_none() && self.expect == State::Absent {
            return self.rename(fs, &self.staging, &self.path);
        }
        let seen = id(fs, &self.path);
        if !self.is_as_expected(fs, &self.path) {
            return Err(self.stale());
        }
        match (&self.from, &self.want) {
            (Some(from), _) => self.rename(fs, from, &self.path),
            (None, State::Absent) => self.move_out(fs, seen),
            (None, _) => self.exchange(fs, seen),
        }
    }

    /// Whether what was there before has the staging name once this is in place.
    pub(super) fn leaves_staging(&self) -> bool {
        self.from.is_none() && self.expect != State::Absent
    }

    /// Puts what somebody else wrote back in its place; `ours` is what the
    /// run's own file was called by the system, where that is known.
    pub(super) fn put_back(&self, fs: &dyn FsMut, ours: Option<FileId>) -> Result<(), Error> {
        match fs.exchange(&self.staging, &self.path) {
            Ok(()) if is_file(fs, &self.staging, ours, &self.want) => Ok(()),
            // Somebody wrote again: theirs is the newer one.
            Ok(()) => fs.exchange(&self.staging, &self.path).map_err(|error| self.refused(error)),
            Err(error) if error.is_absence() => self.rename(fs, &self.staging, &self.path),
            Err(error) => Err(self.refused(error)),
        }
    }

    /// Whether what has the staging name is what was expected, or nothing has it.
    pub(super) fn has_clean_staging(&self, fs: &dyn FsMut) -> bool {
        matches!(check::state(fs, &self.staging), Ok(State::Absent))
            || self.is_as_expected(fs, &self.staging)
    }

    /// Whether a path holds what is expected; what cannot be read does not.
    pub(super) fn is_as_expected(&self, fs: &dyn FsMut, path: &AbsPath) -> bool {
        check::state(fs, path).is_ok_and(|found| self.expect.matches(&found))
    }

    /// `seen` is the file that was there at the last look. Each moment counts in
    /// which a client could see the wrong one, so files are known by their numbers
    /// before they are known by their bytes.
    fn exchange(&self, fs: &dyn FsMut, seen: Option<FileId>) -> Result<(), Error> {
        let ours = id(fs, &self.staging);
        match fs.exchange(&self.staging, &self.path) {
            Ok(()) if self.is_seen(fs, seen) => Ok(()),
            Ok(()) => {
                self.put_back(fs, ours)?;
                Err(self.stale())
            }
            // The next best: the look was a moment ago.
            Err(error) if error.kind == IoErrorKind::Unsupported => {
                fs.rename(&self.staging, &self.path).map_err(|error| self.refused(error))
            }
            Err(error) => Err(self.refused(error)),
        }
    }

    fn move_out(&self, fs: &dyn FsMut, seen: Option<FileId>) -> Result<(), Error> {
        self.rename(fs, &self.path, &self.staging)?;
        if self.is_seen(fs, seen) {
            return Ok(());
        }
        self.rename(fs, &self.staging, &self.path)?;
        Err(self.stale())
    }

    /// Whether the file that was seen has the staging name, with the bytes that are
    /// expected.
    fn is_seen(&self, fs: &dyn FsMut, seen: Option<FileId>) -> bool {
        (seen.is_none() || seen == id(fs, &self.staging)) && self.is_as_expected(fs, &self.staging)
    }

    /// Renames to a name that must be free.
    fn rename(&self, fs: &dyn FsMut, from: &AbsPath, to: &AbsPath) -> Result<(), Error> {
        match fs.rename_new(from, to) {
            Err(error) if error.kind == IoErrorKind::Unsupported => {
                if check::state(fs, to)? != State::Absent {
                    return Err(self.stale());
                }
                fs.rename(from, to).map_err(|error| self.refused(error))
            }
            renamed => renamed.map_err(|error| self.refused(error)),
        }
    }

    fn refused(&self, source: IoError) -> Error {
        if source.is_absence() || source.kind == IoErrorKind::AlreadyExists {
            return self.stale();
        }
        Error::Write { path: self.path.clone(), source }
    }

    fn stale(&self) -> Error {
        Error::Stale { path: self.path.clone() }
    }
}

/// What the system calls a file.
type FileId = (u64, u64);

fn id(fs: &dyn FsMut, path: &AbsPath) -> Option<FileId> {
    fs.ownership(path).ok()?.id
}

/// Whether a path leads to this very file or, where that cannot be said, to what
/// is so.
fn is_file(fs: &dyn FsMut, path: &AbsPath, file: Option<FileId>, so: &State) -> bool {
    match file {
        Some(file) => id(fs, path) == Some(file),
        None => check::state(fs, path).is_ok_and(|found| so.matches(&found)),
    }
}

fn named(
    name: Option<&str>,
    path: &AbsPath,
    run: &AbsPath,
    purpose: &str,
) -> Result<AbsPath, Error> {
    Ok(name.map_or_else(|| Ok(staging_path(path, run, purpose)), AbsPath::new)?)
}
