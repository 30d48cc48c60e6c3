//! What would be written, as data; and the one place that writes it.

mod apply;
mod check;
mod journal;
mod record;
mod recover;
mod recovered;
mod retry;
mod swap;
mod transaction;
mod tree_digest;
mod undo;

use std::collections::HashSet;
use std::sync::Arc;

use crate::digest::Digest;
use crate::digest::DigestOfPieces;
use crate::error::Error;
use crate::path::AbsPath;

pub use apply::{Applied, apply};
pub use journal::{Journal, RunId};
pub use recovered::Recovered;
pub use retry::apply_until_done;
pub use undo::{Reversal, reversals, undo};

/// What would be written: pure data, made without touching anything.
///
/// A plan names each path once, every path lies inside one of its roots, and
/// the order is that of the paths. Folders that a new file needs are made, and
/// removed again by an undo.
///
/// Nothing is written through a link. So a root must be no link itself: whoever
/// makes a plan for a folder that is one gives the real path, see
/// [`Fs::canonicalize`](crate::fs::Fs::canonicalize). Folders above a root may be
/// links; a run that is brought back or undone is refused when they lead
/// elsewhere by then.
///
/// ```
/// use memory_core::AbsPath;
/// use memory_core::plan::{Change, WritePlan};
///
/// let root = AbsPath::new("/home/mio/notes")?;
/// let mut plan = WritePlan::new([root.clone()]);
/// plan.add(Change::create(root.join("a.md"), "Use tabs.\n"))?;
/// assert_eq!(plan.changes().len(), 1);
/// assert!(plan.add(Change::create(AbsPath::new("/etc/passwd")?, "")).is_err());
/// # Ok::<(), memory_core::Error>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct WritePlan {
    roots: Vec<AbsPath>,
    changes: Vec<Change>,
    /// All paths of the changes.
    taken: HashSet<AbsPath>,
}

/// One change of a plan.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Change {
    /// A new file; fails when the path is taken.
    Create {
        /// Where.
        path: AbsPath,
        /// Its bytes.
        bytes: Arc<[u8]>,
        /// Its permission bits, the system's usual ones for `None`.
        mode: Option<u32>,
    },
    /// A new link, or a link's new target.
    Symlink {
        /// Where.
        path: AbsPath,
        /// Its target, as it will stand in the link.
        target: String,
        /// The target that the link has now, else the plan is stale; `None` for
        /// a new link, which fails when the path is taken.
        expect: Option<String>,
    },
    /// A link that goes; what it leads to stays.
    RemoveSymlink {
        /// Which link.
        path: AbsPath,
        /// The target it must have now; else the plan is stale.
        expect: String,
    },
    /// A file's new bytes, new permission bits, or both.
    Replace {
        /// Which file.
        path: AbsPath,
        /// The bytes it must have now; else the plan is stale.
        expect: Digest,
        /// Its new bytes, which may be the old ones.
        bytes: Arc<[u8]>,
        /// Its new permission bits; `None` when they stay.
        mode: Option<u32>,
    },
    /// A file that goes.
    Remove {
        /// Which file.
        path: AbsPath,
        /// The bytes it must have now; else the plan is stale.
        expect: Digest,
    },
    /// A file or folder that moves as a whole; fails when the target is taken.
    Move {
        /// Which.
        from: AbsPath,
        /// Where to.
        to: AbsPath,
    },
}

impl Change {
    /// A new file with the system's usual permissions.
    pub fn create(path: AbsPath, bytes: impl AsRef<[u8]>) -> Self {
        Self::Create { path, bytes: bytes.as_ref().into(), mode: None }
    }

    /// New bytes for a file that now has `old`; its permission bits stay.
    pub fn replace(path: AbsPath, old: &[u8], bytes: impl AsRef<[u8]>) -> Self {
        let (expect, bytes) = (Digest::of(old), bytes.as_ref().into());
        Self::Replace { path, expect, bytes, mode: None }
    }

    /// A file that goes, and now has `old`.
    pub fn remove(path: AbsPath, old: &[u8]) -> Self {
        Self::Remove { path, expect: Digest::of(old) }
    }

    /// The path that is changed; of a move, where it leads.
    pub fn path(&self) -> &AbsPath {
        match self {
            Self::Create { path, .. }
            | Self::Symlink { path, .. }
            | Self::RemoveSymlink { path, .. }
            | Self::Replace { path, .. }
            | Self::Remove { path, .. }
            | Self::Move { to: path, .. } => path,
        }
    }

    /// All paths it touches.
    pub(crate) fn paths(&self) -> impl Iterator<Item = &AbsPath> {
        let from = match self {
            Self::Move { from, .. } => Some(from),
            _ => None,
        };
        from.into_iter().chain([self.path()])
    }
}

impl WritePlan {
    /// An empty plan that may write below these folders.
    pub fn new(roots: impl IntoIterator<Item = AbsPath>) -> Self {
        Self { roots: roots.into_iter().collect(), ..Self::default() }
    }

    /// Adds a change in its place.
    ///
    /// Errors when a path lies outside the roots, is one of them, or is changed
    /// by the plan already; the plan then stays as it was.
    pub fn add(&mut self, change: Change) -> Result<(), Error> {
        for path in change.paths() {
            if self.root_of(path).is_none_or(|root| root == path) {
                return Err(Error::OutsideRoot { path: path.clone() });
            }
            if self.taken.contains(path) {
                return Err(Error::ChangedTwice { path: path.clone() });
            }
        }
        if let Change::Move { from, to } = &change
            && from == to
        {
            return Err(Error::ChangedTwice { path: to.clone() });
        }
        self.taken.extend(change.paths().cloned());
        let at = self.changes.partition_point(|other| other.path() < change.path());
        self.changes.insert(at, change);
        Ok(())
    }

    /// The changes in the order of their paths.
    pub fn changes(&self) -> &[Change] {
        &self.changes
    }

    /// The folders below which the plan may write.
    pub fn roots(&self) -> &[AbsPath] {
        &self.roots
    }

    /// Whether nothing would be written.
    pub fn is_empty(&self) -> bool {
        self.changes.is_empty()
    }

    /// The fingerprint of the changes: the same plan has the same digest on
    /// every machine, and any other plan another one.
    pub fn digest(&self) -> Digest {
        let mut digest = DigestOfPieces::default();
        let mut part = |text: &[u8]| digest.part(text);
        for change in &self.changes {
            match change {
                Change::Create { path, bytes, mode } => {
                    part(b"create");
                    part(path.as_str().as_bytes());
                    part(bytes);
                    part(&mode.unwrap_or_default().to_le_bytes());
                }
                Change::Symlink { path, target, expect } => {
                    part(b"link");
                    part(path.as_str().as_bytes());
                    part(target.as_bytes());
                    if let Some(expect) = expect {
                        part(b"instead of");
                        part(expect.as_bytes());
                    }
                }
                Change::RemoveSymlink { path, expect } => {
                    part(b"unlink");
                    part(path.as_str().as_bytes());
                    part(expect.as_bytes());
                }
                Change::Replace { path, expect, bytes, mode } => {
                    part(b"replace");
                    part(path.as_str().as_bytes());
                    part(expect.to_string().as_bytes());
                    part(bytes);
                    if let Some(mode) = mode {
                        part(b"mode");
                        part(&mode.to_le_bytes());
                    }
                }
                Change::Remove { path, expect } => {
                    part(b"remove");
                    part(path.as_str().as_bytes());
                    part(expect.to_string().as_bytes());
                }
                Change::Move { from, to } => {
                    part(b"move");
                    part(from.as_str().as_bytes());
                    part(to.as_str().as_bytes());
                }
            }
        }
        digest.finish()
    }

    /// The innermost root that holds a path.
    pub(crate) fn root_of(&self, path: &AbsPath) -> Option<&AbsPath> {
        innermost(&self.roots, path)
    }
}

fn innermost<'a>(roots: &'a [AbsPath], path: &AbsPath) -> Option<&'a AbsPath> {
    roots.iter().filter(|root| path.starts_with(root)).max_by_key(|root| root.as_str().len())
}
