//! The tree behind a file system in memory.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::SystemTime;

use crate::fs::{FileKind, IoError, IoErrorKind, Metadata, Owner};
use crate::path::AbsPath;

/// How many links a path may lead through, as on Linux.
const MAX_LINKS: usize = 40;

/// The user who asks and writes.
pub(super) const WRITER: Owner = Owner { user: 1000, group: 1000 };

#[derive(Clone, Debug)]
pub(super) struct Node {
    pub(super) what: What,
    pub(super) mode: u32,
    pub(super) modified: SystemTime,
    pub(super) owner: Owner,
}

#[derive(Clone, Debug)]
pub(super) enum What {
    File(Arc<[u8]>),
    Dir(BTreeMap<String, Node>),
    Link(String),
    Special,
}

impl Default for Node {
    fn default() -> Self {
        Self::new(What::Dir(BTreeMap::new()))
    }
}

impl Node {
    pub(super) fn new(what: What) -> Self {
        let mode = if matches!(what, What::Dir(_)) { 0o755 } else { 0o644 };
        Self { what, mode, modified: SystemTime::UNIX_EPOCH, owner: WRITER }
    }

    pub(super) fn metadata(&self) -> Metadata {
        Metadata {
            kind: self.kind(),
            len: self.len(),
            modified: Some(self.modified),
            mode: Some(self.mode),
        }
    }

    pub(super) fn kind(&self) -> FileKind {
        match self.what {
            What::File(_) => FileKind::File,
            What::Dir(_) => FileKind::Dir,
            What::Link(_) => FileKind::Symlink,
            What::Special => FileKind::Special,
        }
    }

    fn len(&self) -> u64 {
        match &self.what {
            What::File(bytes) => bytes.len() as u64,
            What::Link(target) => target.len() as u64,
            What::Dir(_) | What::Special => 0,
        }
    }

    pub(super) fn may_read(&self) -> Result<(), IoError> {
        if self.mode & 0o400 == 0 { Err(denied()) } else { Ok(()) }
    }
}

impl Node {
    /// The node at a path, made as a directory where it is missing; links are
    /// followed on the way, so that a tree can be built below a linked folder.
    pub(super) fn at_mut(&mut self, path: &str) -> Option<&mut Self> {
        let path = AbsPath::root().join(path);
        // The last name itself may be a link, which is then replaced.
        let real = path.parent().map_or_else(AbsPath::root, |parent| {
            let name = path.file_name().unwrap_or_default();
            self.real_dir(&parent).join(name)
        });
        let mut node = self;
        for part in real.parts() {
            if !matches!(node.what, What::Dir(_)) {
                *node = Self::default();
            }
            let What::Dir(children) = &mut node.what else { return None };
            node = children.entry(part.to_owned()).or_default();
        }
        Some(node)
    }

    /// The real path of a directory that need not be there yet.
    fn real_dir(&self, dir: &AbsPath) -> AbsPath {
        match (self.walk(dir, Last::Follow), dir.parent()) {
            (Err(_), Some(parent)) => {
                self.real_dir(&parent).join(dir.file_name().unwrap_or_default())
            }
            (real, _) => real.map_or_else(|_| dir.clone(), |(real, _)| real),
        }
    }

    /// Walks to a node and says its real path.
    pub(super) fn walk(&self, path: &AbsPath, last: Last) -> Result<(AbsPath, &Self), IoError> {
        let mut links = 0;
        let mut todo: Vec<String> = path.parts().rev().map(str::to_owned).collect();
        let mut real = AbsPath::root();
        let mut stack: Vec<&Self> = vec![self];
        while let Some(part) = todo.pop() {
            let Some(here) = stack.last() else { break };
            let What::Dir(children) = &here.what else {
                return Err(IoError::new(IoErrorKind::NotADirectory));
            };
            if here.mode & 0o100 == 0 {
                return Err(denied());
            }
            match part.as_str() {
                "." | "" => continue,
                ".." => {
                    real = real.join("..");
                    if stack.len() > 1 {
                        stack.pop();
                    }
                    continue;
                }
                _ => {}
            }
            if part.len() > 255 {
                return Err(IoError::new(IoErrorKind::NameTooLong));
            }
            let child = children.get(&part).ok_or_else(|| IoError::new(IoErrorKind::NotFound))?;
            match &child.what {
                What::Link(target) if last == Last::Follow || !todo.is_empty() => {
                    links += 1;
                    if links > MAX_LINKS {
                        return Err(IoError::new(IoErrorKind::Loop));
                    }
                    if target.starts_with('/') {
                        real = AbsPath::root();
                        stack.truncate(1);
                    }
                    todo.extend(target.split('/').rev().map(str::to_owned));
                }
                _ => {
                    real = real.join(&part);
                    stack.push(child);
                }
            }
        }
        stack.last().map(|node| (real, *node)).ok_or_else(|| IoError::new(IoErrorKind::NotFound))
    }

    /// The entries of the directory that holds `path`, links followed on the
    /// way, and the last name.
    pub(super) fn parent_of(
        &mut self,
        path: &AbsPath,
    ) -> Result<(&mut BTreeMap<String, Self>, String), IoError> {
        let (Some(parent), Some(name)) = (path.parent(), path.file_name()) else {
            return Err(IoError::new(IoErrorKind::Other));
        };
        let (real, dir) = self.walk(&parent, Last::Follow)?;
        if dir.mode & 0o200 == 0 {
            return Err(denied());
        }
        let name = name.to_owned();
        match self.at_mut(real.as_str()).map(|node| &mut node.what) {
            Some(What::Dir(children)) => Ok((children, name)),
            _ => Err(IoError::new(IoErrorKind::NotADirectory)),
        }
    }

    /// Takes out what a path leads to, a link being a link.
    pub(super) fn take(&mut self, path: &AbsPath) -> Result<Self, IoError> {
        let (children, name) = self.parent_of(path)?;
        children.remove(&name).ok_or_else(|| IoError::new(IoErrorKind::NotFound))
    }

    /// Puts what was taken out under a name; what is there goes.
    pub(super) fn put_back(&mut self, path: &AbsPath, node: Self) -> Result<(), IoError> {
        let (children, name) = self.parent_of(path)?;
        children.insert(name, node);
        Ok(())
    }
}

/// What becomes of a link at the end of a path.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Last {
    Follow,
    Keep,
}

pub(super) fn denied() -> IoError {
    IoError::new(IoErrorKind::PermissionDenied)
}
