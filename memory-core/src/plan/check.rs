//! What is at a path now, and whether it may be written.

use std::collections::HashMap;
use std::ops::ControlFlow;

use super::record::{Record, State};
use super::{Change, WritePlan, innermost};
use crate::digest::Digest;
use crate::digest::DigestOfPieces;
use crate::error::{Error, PathRole};
use crate::fs::{FileKind, Fs};
use crate::path::AbsPath;

/// What is at a path now.
pub(super) fn state(fs: &dyn Fs, path: &AbsPath) -> Result<State, Error> {
    look(fs, path, &mut |_| {})
}

/// What is at a path now; `see` is given the bytes of a file, piece by piece.
fn look(fs: &dyn Fs, path: &AbsPath, see: &mut dyn FnMut(&[u8])) -> Result<State, Error> {
    let io = |source| Error::Io { path: path.clone(), source };
    match fs.symlink_metadata(path) {
        Err(error) if error.is_absence() => Ok(State::Absent),
        Err(error) => Err(io(error)),
        Ok(found) => match found.kind {
            FileKind::Symlink => Ok(State::Link { target: fs.read_link(path).map_err(io)? }),
            FileKind::File => {
                let mut digest = DigestOfPieces::default();
                let read = fs.read_pieces(path, &mut |piece| {
                    digest.piece(piece);
                    see(piece);
                    ControlFlow::Continue(())
                });
                read.map_err(io)?;
                Ok(State::File { digest: digest.finish().to_string(), mode: found.mode })
            }
            FileKind::Dir | FileKind::Special => Ok(State::Something),
        },
    }
}

/// The folders that one pass over a plan has looked at: many files share them.
#[derive(Default)]
pub(super) struct Folders {
    /// Whether each is there, and no link; or is not.
    seen: HashMap<AbsPath, bool>,
}

impl Folders {
    /// Whether a folder is missing.
    pub(super) fn is_missing(&mut self, fs: &dyn Fs, dir: &AbsPath) -> bool {
        if let Some(is_there) = self.seen.get(dir) {
            return !is_there;
        }
        matches!(fs.metadata(dir), Err(error) if error.is_absence())
    }

    /// Refuses a path that is reached through a link at or below its root: what
    /// it names may lie outside.
    pub(super) fn guard(
        &mut self,
        fs: &dyn Fs,
        roots: &[AbsPath],
        path: &AbsPath,
    ) -> Result<(), Error> {
        let Some(root) = innermost(roots, path) else {
            return Err(Error::OutsideRoot { path: path.clone() });
        };
        let above = path.parent().map(|parent| parent.from_top(root)).unwrap_or_default();
        let mut is_there = true;
        for dir in above {
            if let Some(seen) = self.seen.get(&dir) {
                is_there = *seen;
                continue;
            }
            // Below what is not there is nothing.
            let found = is_there.then(|| fs.symlink_metadata(&dir));
            is_there = match found {
                Some(Ok(found)) if found.kind == FileKind::Symlink => {
                    return Err(Error::ThroughLink { path: path.clone(), link: dir });
                }
                Some(Ok(found)) if !found.is_dir() => {
                    return Err(Error::NotADirectory { what: PathRole::TargetFolder, path: dir });
                }
                Some(Err(error)) if !error.is_absence() => {
                    return Err(Error::Io { path: dir, source: error });
                }
                found => matches!(found, Some(Ok(_))),
            };
            self.seen.insert(dir, is_there);
        }
        Ok(())
    }
}

/// Checks that everything is as the plan expects, before anything is touched.
pub(super) fn plan(fs: &dyn Fs, plan: &WritePlan) -> Result<(), Error> {
    let mut folders = Folders::default();
    let mut changes = plan.changes().iter();
    changes.try_for_each(|change| found(fs, plan, change, &mut folders, &mut |_| {}).map(drop))
}

/// What is at the path of a change, where that is what the plan expects; `see`
/// is given the bytes of a file, piece by piece.
pub(super) fn found(
    fs: &dyn Fs,
    plan: &WritePlan,
    change: &Change,
    folders: &mut Folders,
    see: &mut dyn FnMut(&[u8]),
) -> Result<State, Error> {
    for path in change.paths() {
        folders.guard(fs, plan.roots(), path)?;
    }
    let parent = change.path().parent();
    let found = match parent {
        Some(parent) if folders.is_missing(fs, &parent) => State::Absent,
        _ => look(fs, change.path(), see)?,
    };
    match change {
        Change::Create { path, .. }
        | Change::Symlink { path, expect: None, .. }
        | Change::Move { to: path, .. } => {
            if found != State::Absent {
                return Err(Error::AlreadyExists { path: path.clone() });
            }
        }
        Change::Symlink { path, expect: Some(expect), .. }
        | Change::RemoveSymlink { path, expect } => {
            if found != (State::Link { target: expect.clone() }) {
                return Err(Error::Stale { path: path.clone() });
            }
        }
        Change::Replace { path, expect, .. } | Change::Remove { path, expect } => match &found {
            State::File { digest, mode } if *digest == expect.to_string() => {
                refuse_read_only(change, *mode)?;
            }
            State::Link { .. } => {
                return Err(Error::ThroughLink { path: path.clone(), link: path.clone() });
            }
            _ => return Err(Error::Stale { path: path.clone() }),
        },
    }
    if let Change::Move { from, .. } = change
        && state(fs, from)? == State::Absent
    {
        return Err(Error::Stale { path: from.clone() });
    }
    Ok(found)
}

/// Refuses new bytes for a file that its owner may not write, although a new
/// file in its place could be; its permission bits alone may change.
fn refuse_read_only(change: &Change, mode: Option<u32>) -> Result<(), Error> {
    let is_writable = mode.is_none_or(|mode| mode & 0o200 != 0);
    let keeps_bytes = || {
        matches!(
            change,
            Change::Replace { expect, bytes, .. } if Digest::of(bytes) == *expect
        )
    };
    if is_writable || keeps_bytes() {
        return Ok(());
    }
    Err(Error::ReadOnly { path: change.path().clone() })
}

/// The real path of a folder that need not be there.
pub(super) fn real(fs: &dyn Fs, path: &AbsPath) -> AbsPath {
    for dir in path.ancestors() {
        if let Ok(real) = fs.canonicalize(&dir) {
            let below = path.strip_prefix(&dir).unwrap_or_default();
            return if below.is_empty() { real } else { real.join(below) };
        }
    }
    path.clone()
}

/// Refuses a record that leads out of its run's roots or through a link, whose
/// roots lie elsewhere now, or whose kept bytes are not those that were there.
pub(super) fn record(fs: &dyn Fs, run: &AbsPath, record: &Record) -> Result<(), Error> {
    let roots = record.roots.iter().map(AbsPath::new).collect::<Result<Vec<_>, _>>()?;
    for dir in &record.made_dirs {
        let dir = AbsPath::new(dir)?;
        // Above a root only folders that hold nothing else are taken away.
        let is_above = roots.iter().any(|root| root.starts_with(&dir));
        if innermost(&roots, &dir).is_none() && !is_above {
            return Err(Error::OutsideRoot { path: dir });
        }
    }
    let mut folders = Folders::default();
    for step in &record.steps {
        let staged = [step.staged.as_ref(), step.restore.as_ref()];
        for path in [Some(&step.path), step.from.as_ref()].into_iter().chain(staged).flatten() {
            folders.guard(fs, &roots, &AbsPath::new(path)?)?;
        }
        if let (Some(backup), State::File { digest, .. }) = (&step.backup, &step.before) {
            let path = run.join(backup);
            let why = match fs.read_up_to(&path, u64::MAX) {
                Ok(bytes) if Digest::of(&bytes).to_string() == *digest => continue,
                Ok(_) => "it was changed".to_owned(),
                Err(error) => error.to_string(),
            };
            return Err(Error::Journal { path, why });
        }
    }
    for (root, then) in roots.iter().zip(&record.real_roots) {
        if real(fs, root).as_str() != then {
            return Err(Error::ThroughLink { path: root.clone(), link: root.clone() });
        }
    }
    Ok(())
}
