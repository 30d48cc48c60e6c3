//! What is at a path now, and whether it may be written.

use super::record::State;
use super::{Change, WritePlan, innermost};
use crate::{AbsPath, Digest, Error, FileKind, Fs, FsMut};

/// What is at a path now.
pub(super) fn state(fs: &dyn Fs, path: &AbsPath) -> Result<State, Error> {
    let io = |source| Error::Io { path: path.clone(), source };
    match fs.symlink_metadata(path) {
        Err(error) if error.is_absence() => Ok(State::Absent),
        Err(error) => Err(io(error)),
        Ok(found) => match found.kind {
            FileKind::Link => Ok(State::Link { target: fs.read_link(path).map_err(io)? }),
            FileKind::File => {
                let bytes = fs.read_up_to(path, u64::MAX).map_err(io)?;
                Ok(State::File { digest: Digest::of(&bytes).to_string(), mode: found.mode })
            }
            FileKind::Dir | FileKind::Special => Ok(State::Something),
        },
    }
}

/// Checks that everything is as the plan expects, before anything is touched.
pub(super) fn plan(fs: &dyn FsMut, plan: &WritePlan) -> Result<(), Error> {
    for change in plan.changes() {
        for path in change.paths() {
            guard(fs, plan.roots(), path)?;
        }
        let found = state(fs, change.path())?;
        match change {
            Change::Create { path, .. }
            | Change::Link { path, expect: None, .. }
            | Change::Move { to: path, .. } => {
                if found != State::Absent {
                    return Err(Error::Taken { path: path.clone() });
                }
            }
            Change::Link { path, expect: Some(expect), .. } | Change::Unlink { path, expect } => {
                if found != (State::Link { target: expect.clone() }) {
                    return Err(Error::Stale { path: path.clone() });
                }
            }
            Change::Replace { path, expect, .. } | Change::Remove { path, expect } => match found {
                State::File { digest, .. } if digest == expect.to_string() => {}
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
    }
    Ok(())
}

/// Refuses a path that is reached through a link below its root: what it names
/// may lie outside.
pub(super) fn guard(fs: &dyn FsMut, roots: &[AbsPath], path: &AbsPath) -> Result<(), Error> {
    let Some(root) = innermost(roots, path) else {
        return Err(Error::OutsideRoot { path: path.clone() });
    };
    let above = path.parent().map(|parent| parent.from_top(root)).unwrap_or_default();
    for dir in above {
        if dir == *root {
            continue;
        }
        match fs.symlink_metadata(&dir) {
            Ok(found) if found.kind == FileKind::Link => {
                return Err(Error::ThroughLink { path: path.clone(), link: dir });
            }
            Ok(found) if !found.is_dir() => {
                return Err(Error::NotADirectory { what: "target folder", path: dir });
            }
            Err(error) if !error.is_absence() => {
                return Err(Error::Io { path: dir, source: error });
            }
            _ => {}
        }
    }
    Ok(())
}
