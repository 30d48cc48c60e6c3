//! A work tree as one revision has it.

use std::cell::RefCell;
use std::collections::{BTreeSet, HashMap, VecDeque};
use std::ops::ControlFlow;
use std::sync::Arc;

use gix::ObjectId;
use gix::objs::tree::EntryKind;
use memory_core::AbsPath;
use memory_core::fs::{
    DirEntries, DirEntry, FileKind, Fs, IoError, IoErrorKind, Metadata, name_from_bytes,
};

use crate::ignored::Ignored;
use crate::repository::{GitError, Repository, Revision, io_error};
use crate::tree::{Entry, Tree};

/// How many links are followed in a row, as on Linux.
const MAX_LINKS: u8 = 40;

/// The file system as it would be after a checkout of one revision.
///
/// Directories are there when the revision or the disk has them, since git keeps
/// no empty ones. A file that git neither keeps in the revision nor ignores is
/// not there.
pub struct RevisionFs<'r> {
    repository: &'r Repository,
    disk: &'r dyn Fs,
    tree: Tree,
    /// `None` for a bare repository, beside which nothing lies.
    ignored: Option<Ignored<'r>>,
    /// Whether a checkout writes text with carriage returns.
    has_crlf: bool,
    blobs: RefCell<HashMap<ObjectId, Arc<[u8]>>>,
}

/// What stands at a path that no link leads away from.
enum Node {
    Dir,
    File(Entry),
    Link(Entry),
    /// It is as the disk has it.
    Disk,
}

impl<'r> RevisionFs<'r> {
    /// Shows `revision` in the place of the work tree, and `disk` around it.
    ///
    /// # Errors
    ///
    /// [`GitError::Unreadable`] when a tree of the revision, the index or an
    /// ignore file cannot be read.
    pub fn new(
        repository: &'r Repository,
        revision: &Revision,
        disk: &'r dyn Fs,
    ) -> Result<Self, GitError> {
        let tree = Tree::of(repository, revision)?;
        let ignored = if repository.is_bare() { None } else { Some(Ignored::of(repository)?) };
        let config = repository.inner.config_snapshot();
        let is_set = |key: &str, word: &str| {
            config.string(key).is_some_and(|value| value.eq_ignore_ascii_case(word.as_bytes()))
        };
        let has_crlf = is_set("core.autocrlf", "true") || is_set("core.eol", "crlf");
        Ok(Self { repository, disk, tree, ignored, has_crlf, blobs: RefCell::default() })
    }

    /// The directories in which the revision keeps one of these names, sorted.
    /// Those that have such a name themselves are left out, with all below them.
    pub fn directories_holding(&self, names: &BTreeSet<String>) -> BTreeSet<AbsPath> {
        let is_plain = |rel: &str| !rel.split('/').any(|part| names.contains(part));
        let holds = |rel: &str| {
            self.tree.names(rel).unwrap_or_default().iter().any(|(name, _)| names.contains(name))
        };
        let found = self.tree.directories().filter(|rel| is_plain(rel) && holds(rel));
        found.map(|rel| self.repository.root().join(rel)).collect()
    }

    fn node(&self, path: &AbsPath) -> Result<Node, IoError> {
        let rel = path.strip_prefix(self.repository.root()).unwrap_or_default();
        if rel.is_empty() {
            return Ok(Node::Dir);
        }
        if rel == ".git" || rel.starts_with(".git/") {
            // A bare repository stands for its own work tree, which has one.
            return Ok(if self.ignored.is_none() && rel == ".git" {
                Node::Dir
            } else {
                Node::Disk
            });
        }
        if let Some(entry) = self.tree.entry(rel) {
            let is_link = entry.kind == EntryKind::Link;
            return Ok(if is_link { Node::Link(entry) } else { Node::File(entry) });
        }
        if self.tree.names(rel).is_some() {
            return Ok(Node::Dir);
        }
        let Some(ignored) = &self.ignored else {
            return Err(IoError::new(IoErrorKind::NotFound));
        };
        if self.disk.symlink_metadata(path)?.is_dir() {
            return Ok(Node::Dir);
        }
        if ignored.contains(rel, false).map_err(io_error)? {
            Ok(Node::Disk)
        } else {
            Err(IoError::new(IoErrorKind::NotFound))
        }
    }

    /// Follows a path through revision and disk to what stands there, with its
    /// real path; for [`Node::Disk`] links of the disk are not followed yet.
    fn walk(&self, path: &AbsPath, follow: bool) -> Result<(AbsPath, Node), IoError> {
        let mut links = 0;
        let mut path = path.clone();
        'restart: loop {
            let root = self.repository.root();
            if path.strip_prefix(root).is_none() {
                match self.brought_in(&path, follow) {
                    Some(inside) => path = inside,
                    None => return Ok((path, Node::Disk)),
                }
            }
            let rel = path.strip_prefix(root).unwrap_or_default().to_owned();
            let mut rest: VecDeque<&str> = rel.split('/').filter(|part| !part.is_empty()).collect();
            let mut here = root.clone();
            while let Some(part) = rest.pop_front() {
                let next = here.join(part);
                match self.node(&next)? {
                    Node::Link(entry) if follow || !rest.is_empty() => {
                        links += 1;
                        if links > MAX_LINKS {
                            return Err(IoError::new(IoErrorKind::Loop));
                        }
                        let target = name_from_bytes(&self.blob(entry.id)?);
                        let tail = Vec::from(rest).join("/");
                        path = here.join(target).join(tail);
                        continue 'restart;
                    }
                    node @ (Node::Link(_) | Node::File(_)) => {
                        if !rest.is_empty() {
                            return Err(IoError::new(IoErrorKind::NotADirectory));
                        }
                        return Ok((next, node));
                    }
                    Node::Disk => return Ok((path, Node::Disk)),
                    Node::Dir => here = next,
                }
            }
            return Ok((here, Node::Dir));
        }
    }

    /// Where a path outside of the root leads when a link of the disk brings it in.
    fn brought_in(&self, path: &AbsPath, follow: bool) -> Option<AbsPath> {
        let root = self.repository.root();
        let real = if follow {
            self.disk.canonicalize(path).ok()?
        } else {
            self.disk.canonicalize(&path.parent()?).ok()?.join(path.file_name()?)
        };
        real.strip_prefix(root).is_some().then_some(real)
    }

    fn blob(&self, id: ObjectId) -> Result<Arc<[u8]>, IoError> {
        if let Some(bytes) = self.blobs.borrow().get(&id) {
            return Ok(Arc::clone(bytes));
        }
        let object = self.repository.inner.find_object(id).map_err(io_error)?;
        let bytes: Arc<[u8]> = Arc::from(object.data.as_slice());
        self.blobs.borrow_mut().insert(id, Arc::clone(&bytes));
        Ok(bytes)
    }

    /// The bytes that a checkout would write: those of the revision, or with the
    /// line ends of the disk where git is set to change them.
    fn content(&self, path: &AbsPath, entry: Entry) -> Result<Arc<[u8]>, IoError> {
        let bytes = self.blob(entry.id)?;
        if !self.has_crlf || self.ignored.is_none() {
            return Ok(bytes);
        }
        let limit = 2 * bytes.len() as u64 + 1;
        match self.disk.read_up_to(path, limit) {
            Ok(shown) if without_returns(&shown) == without_returns(&bytes) => Ok(shown.into()),
            _ => Ok(bytes),
        }
    }

    fn size(&self, path: &AbsPath, entry: Entry) -> Result<u64, IoError> {
        if self.has_crlf {
            return Ok(self.content(path, entry)?.len() as u64);
        }
        Ok(self.repository.inner.find_header(entry.id).map_err(io_error)?.size())
    }

    fn metadata_of(&self, path: &AbsPath, follow: bool) -> Result<Metadata, IoError> {
        let (path, node) = self.walk(path, follow)?;
        let known = |kind, len, mode| Metadata { kind, len, modified: None, mode: Some(mode) };
        match node {
            Node::Dir => Ok(known(FileKind::Dir, 0, 0o755)),
            Node::File(entry) => {
                let mode = if entry.kind == EntryKind::BlobExecutable { 0o755 } else { 0o644 };
                Ok(known(FileKind::File, self.size(&path, entry)?, mode))
            }
            Node::Link(entry) => {
                Ok(known(FileKind::Symlink, self.blob(entry.id)?.len() as u64, 0o777))
            }
            Node::Disk if follow => self.disk.metadata(&path),
            Node::Disk => self.disk.symlink_metadata(&path),
        }
    }

    /// The names of the revision and those of the disk that git does not keep, in
    /// the order of the disk where it has them.
    fn list(&self, dir: &AbsPath) -> Result<Vec<DirEntry>, IoError> {
        let rel = dir.strip_prefix(self.repository.root()).unwrap_or_default();
        let kept = self.tree.names(rel).unwrap_or_default();
        let mut kinds: HashMap<&str, FileKind> =
            kept.iter().map(|(name, kind)| (name.as_str(), *kind)).collect();
        let mut entries = Vec::new();
        if let Some(ignored) = &self.ignored {
            match self.disk.read_dir(dir) {
                Ok(found) => {
                    for entry in found {
                        let entry = entry?;
                        if let Some(kind) = kinds.remove(entry.name.as_str()) {
                            entries.push(DirEntry { name: entry.name, kind });
                        } else if entry.kind == FileKind::Dir
                            || (rel.is_empty() && entry.name == ".git")
                            || ignored
                                .contains(&joined(rel, &entry.name), false)
                                .map_err(io_error)?
                        {
                            entries.push(entry);
                        }
                    }
                }
                Err(error) if error.is_absence() => {}
                Err(error) => return Err(error),
            }
        }
        let others = kept.iter().filter(|(name, _)| kinds.contains_key(name.as_str()));
        entries.extend(others.map(|(name, kind)| DirEntry { name: name.clone(), kind: *kind }));
        Ok(entries)
    }
}

impl Fs for RevisionFs<'_> {
    fn metadata(&self, path: &AbsPath) -> Result<Metadata, IoError> {
        self.metadata_of(path, true)
    }

    fn symlink_metadata(&self, path: &AbsPath) -> Result<Metadata, IoError> {
        self.metadata_of(path, false)
    }

    fn read_link(&self, path: &AbsPath) -> Result<String, IoError> {
        match self.walk(path, false)? {
            (_, Node::Link(entry)) => Ok(name_from_bytes(&self.blob(entry.id)?)),
            (path, Node::Disk) => self.disk.read_link(&path),
            _ => Err(IoError::new(IoErrorKind::Other)),
        }
    }

    fn read_dir(&self, path: &AbsPath) -> Result<DirEntries<'_>, IoError> {
        match self.walk(path, true)? {
            (dir, Node::Dir) => Ok(Box::new(self.list(&dir)?.into_iter().map(Ok))),
            (path, Node::Disk) => self.disk.read_dir(&path),
            _ => Err(IoError::new(IoErrorKind::NotADirectory)),
        }
    }

    fn canonicalize(&self, path: &AbsPath) -> Result<AbsPath, IoError> {
        match self.walk(path, true)? {
            (path, Node::Disk) => self.disk.canonicalize(&path),
            (path, _) => Ok(path),
        }
    }

    fn read_pieces(
        &self,
        path: &AbsPath,
        visit: &mut dyn FnMut(&[u8]) -> ControlFlow<()>,
    ) -> Result<(), IoError> {
        match self.walk(path, true)? {
            (path, Node::File(entry)) => {
                // What the visitor leaves is not needed: the blob is whole already.
                let _ended = visit(&self.content(&path, entry)?);
                Ok(())
            }
            (_, Node::Dir) => Err(IoError::new(IoErrorKind::IsADirectory)),
            (path, Node::Disk) => self.disk.read_pieces(&path, visit),
            (_, Node::Link(_)) => Err(IoError::new(IoErrorKind::NotAFile)),
        }
    }
}

fn joined(dir: &str, name: &str) -> String {
    if dir.is_empty() { name.to_owned() } else { format!("{dir}/{name}") }
}

/// The bytes with each `\r\n` as `\n`.
fn without_returns(bytes: &[u8]) -> Vec<u8> {
    let mut kept = Vec::with_capacity(bytes.len());
    let mut bytes = bytes.iter().copied().peekable();
    while let Some(byte) = bytes.next() {
        if byte != b'\r' || bytes.peek() != Some(&b'\n') {
            kept.push(byte);
        }
    }
    kept
}
