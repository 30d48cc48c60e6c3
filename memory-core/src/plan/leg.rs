//! One path of a run, on its way from one state to another.

use super::check::state;
use super::record::{State, StepRecord};
use crate::{AbsPath, Digest, Error, FsMut, IoError, IoErrorKind};

/// One path that is on its way.
///
/// What is wanted is made ready under the name `aside`. In one step it then gets
/// the name `path`, and what was there gets the name `aside`: so it can be seen
/// whether that was what is expected, and nobody's version is ever gone.
#[derive(Clone, Debug)]
pub(super) struct Leg {
    /// The number of its step.
    pub(super) step: usize,
    pub(super) path: AbsPath,
    /// Where a move comes from.
    pub(super) from: Option<AbsPath>,
    pub(super) aside: AbsPath,
    pub(super) expect: State,
    pub(super) want: State,
}

/// How far a leg is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Position {
    /// It did not begin.
    Waiting,
    /// What is wanted is there.
    Arrived,
    /// What somebody else wrote is aside, and nothing of theirs is lost by
    /// bringing it back.
    Displaced,
    /// Somebody else's version is there, and something of the run may be in it.
    Lost,
}

/// A free name beside `path`.
///
/// It belongs to this run of this journal alone, and is short whatever the
/// length of the file's own name.
pub(super) fn aside(path: &AbsPath, run: &AbsPath, purpose: &str) -> AbsPath {
    let digest = Digest::of(format!("{run}\n{path}\n{purpose}").as_bytes()).to_string();
    let unique: String = digest.chars().skip("sha256:".len()).take(16).collect();
    path.join("..").join(format!(".memport-{unique}"))
}

impl Leg {
    /// The way of a step from what was there to what is planned; `None` when
    /// both are the same.
    pub(super) fn there(
        number: usize,
        step: &StepRecord,
        run: &AbsPath,
    ) -> Result<Option<Self>, Error> {
        if step.from.is_none() && step.before == step.after {
            return Ok(None);
        }
        let path = AbsPath::new(&step.path)?;
        let aside = named(step.staged.as_deref(), &path, run, "new")?;
        let from = step.from.as_deref().map(AbsPath::new).transpose()?;
        let (expect, want) = (step.before.clone(), step.after.clone());
        Ok(Some(Self { step: number, path, from, aside, expect, want }))
    }

    /// The way back.
    pub(super) fn back(
        number: usize,
        step: &StepRecord,
        run: &AbsPath,
    ) -> Result<Option<Self>, Error> {
        let Some(leg) = Self::there(number, step, run)? else { return Ok(None) };
        let aside = named(step.restore.as_deref(), &leg.path, run, "restore")?;
        Ok(Some(Self { aside, ..leg.inverse() }))
    }

    /// The other way round, by the same name aside.
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

    /// Where it is; `is_ready` says whether what is wanted was ready at all
    /// legs, `may_have_begun` whether those before it have begun.
    pub(super) fn position(
        &self,
        fs: &dyn FsMut,
        is_ready: bool,
        may_have_begun: bool,
    ) -> Result<Position, Error> {
        if !is_ready {
            return Ok(Position::Waiting);
        }
        let found = state(fs, &self.path)?;
        if let Some(from) = &self.from {
            let is_gone = state(fs, from)? == State::Absent;
            return Ok(match (is_gone, found == State::Absent) {
                (false, true) => Position::Waiting,
                (true, false) => Position::Arrived,
                _ => Position::Lost,
            });
        }
        let is_there = self.want.matches(&found);
        let as_before = self.expect.matches(&found);
        Ok(match state(fs, &self.aside)? {
            State::Absent if is_there => Position::Arrived,
            State::Absent if as_before => Position::Waiting,
            // What goes needs nothing to be ready.
            State::Absent if self.want == State::Absent && !may_have_begun => Position::Waiting,
            State::Absent => Position::Lost,
            aside if self.want.matches(&aside) => Position::Waiting,
            aside if self.expect.matches(&aside) && is_there => Position::Arrived,
            aside if self.expect.matches(&aside) && as_before => Position::Waiting,
            aside if self.expect.matches(&aside) => Position::Lost,
            _ if is_there || found == State::Absent => Position::Displaced,
            _ => Position::Lost,
        })
    }

    /// Puts what is wanted in place of what is expected.
    ///
    /// Errors with [`Error::Stale`] when something else is there; that stays, or
    /// comes back at once.
    pub(super) fn put(&self, fs: &dyn FsMut) -> Result<(), Error> {
        if self.from.is_none() && self.expect == State::Absent {
            return self.rename(fs, &self.aside, &self.path);
        }
        let seen = id(fs, &self.path);
        if !self.is_as_expected(fs, &self.path) {
            return Err(self.stale());
        }
        match (&self.from, &self.want) {
            (Some(from), _) => self.rename(fs, from, &self.path),
            (None, State::Absent) => self.put_aside(fs, seen),
            (None, _) => self.swap(fs, seen),
        }
    }

    /// Whether something is aside when it has arrived: what was there before.
    pub(super) fn leaves_aside(&self) -> bool {
        self.from.is_none() && self.expect != State::Absent
    }

    /// Brings what somebody else wrote back to its place; `ours` is what the
    /// run's own file was called by the system, where that is known.
    pub(super) fn give_back(&self, fs: &dyn FsMut, ours: Option<FileId>) -> Result<(), Error> {
        match fs.exchange(&self.aside, &self.path) {
            Ok(()) if is_file(fs, &self.aside, ours, &self.want) => Ok(()),
            // Somebody wrote again: theirs is the newer one.
            Ok(()) => fs.exchange(&self.aside, &self.path).map_err(|error| self.refused(error)),
            Err(error) if error.is_absence() => self.rename(fs, &self.aside, &self.path),
            Err(error) => Err(self.refused(error)),
        }
    }

    /// Whether what is aside is what was expected, or nothing is.
    pub(super) fn is_clean(&self, fs: &dyn FsMut) -> bool {
        matches!(state(fs, &self.aside), Ok(State::Absent)) || self.is_as_expected(fs, &self.aside)
    }

    /// Whether a path holds what is expected; what cannot be read does not.
    pub(super) fn is_as_expected(&self, fs: &dyn FsMut, path: &AbsPath) -> bool {
        state(fs, path).is_ok_and(|found| self.expect.matches(&found))
    }

    /// `seen` is the file that was there at the last look. Each moment counts in
    /// which a client could see the wrong one, so files are known by their numbers
    /// before they are known by their bytes.
    fn swap(&self, fs: &dyn FsMut, seen: Option<FileId>) -> Result<(), Error> {
        let ours = id(fs, &self.aside);
        match fs.exchange(&self.aside, &self.path) {
            Ok(()) if self.is_seen(fs, seen) => Ok(()),
            Ok(()) => {
                self.give_back(fs, ours)?;
                Err(self.stale())
            }
            // The next best: the look was a moment ago.
            Err(error) if error.kind == IoErrorKind::Unsupported => {
                fs.rename(&self.aside, &self.path).map_err(|error| self.refused(error))
            }
            Err(error) => Err(self.refused(error)),
        }
    }

    fn put_aside(&self, fs: &dyn FsMut, seen: Option<FileId>) -> Result<(), Error> {
        self.rename(fs, &self.path, &self.aside)?;
        if self.is_seen(fs, seen) {
            return Ok(());
        }
        self.rename(fs, &self.aside, &self.path)?;
        Err(self.stale())
    }

    /// Whether the file that was seen is aside, with the bytes that are expected.
    fn is_seen(&self, fs: &dyn FsMut, seen: Option<FileId>) -> bool {
        (seen.is_none() || seen == id(fs, &self.aside)) && self.is_as_expected(fs, &self.aside)
    }

    /// Renames to a name that must be free.
    fn rename(&self, fs: &dyn FsMut, from: &AbsPath, to: &AbsPath) -> Result<(), Error> {
        match fs.rename_new(from, to) {
            Err(error) if error.kind == IoErrorKind::Unsupported => {
                if state(fs, to)? != State::Absent {
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
        None => state(fs, path).is_ok_and(|found| so.matches(&found)),
    }
}

fn named(
    name: Option<&str>,
    path: &AbsPath,
    run: &AbsPath,
    purpose: &str,
) -> Result<AbsPath, Error> {
    name.map_or_else(|| Ok(aside(path, run, purpose)), AbsPath::new)
}
