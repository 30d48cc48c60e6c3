use std::ops::ControlFlow;
use std::sync::{PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard};
use std::time::SystemTime;

mod tree;

use tree::{Last, Node, What};

use crate::fs::{
    DirEntries, DirEntry, FileKind, Fs, FsMut, IoError, IoErrorKind, Lock, LockWait, Metadata,
    Owner, Ownership,
};
use crate::path::AbsPath;

/// A file system in memory, for tests and for questions about a tree that is not there.
///
/// It answers as Linux does to a user who is not root, link loops and
/// permissions included, and lists names in ascending order of their bytes.
///
/// ```
/// use memory_core::AbsPath;
/// use memory_core::fs::{Fs, MemFs};
///
/// let mut fs = MemFs::from_files([("/repo/AGENTS.md", "Run the tests.\n")]);
/// fs.link("/repo/CLAUDE.md", "AGENTS.md");
/// let link = AbsPath::new("/repo/CLAUDE.md")?;
/// assert_eq!(fs.read_up_to(&link, 3).unwrap(), b"Run");
/// assert_eq!(fs.canonicalize(&link).unwrap().as_str(), "/repo/AGENTS.md");
/// # Ok::<(), memory_core::Error>(())
/// ```
#[derive(Debug, Default)]
pub struct MemFs {
    root: RwLock<Node>,
}

impl Clone for MemFs {
    fn clone(&self) -> Self {
        Self { root: RwLock::new(self.tree().clone()) }
    }
}

impl MemFs {
    /// An empty file system: a root directory and nothing in it.
    pub fn new() -> Self {
        Self::default()
    }

    /// A file system with these files; the directories above them are made too.
    pub fn from_files<P, B>(files: impl IntoIterator<Item = (P, B)>) -> Self
    where
        P: AsRef<str>,
        B: AsRef<[u8]>,
    {
        let mut fs = Self::new();
        for (path, bytes) in files {
            fs.file(path, bytes);
        }
        fs
    }

    /// Puts a regular file, replacing what was there.
    pub fn file(&mut self, path: impl AsRef<str>, bytes: impl AsRef<[u8]>) -> &mut Self {
        self.put(path.as_ref(), What::File(bytes.as_ref().into()))
    }

    /// Makes a directory; one that exists stays as it is.
    pub fn dir(&mut self, path: impl AsRef<str>) -> &mut Self {
        self.node_mut(path.as_ref());
        self
    }

    /// Puts a symbolic link; `target` is kept as it is given.
    pub fn link(&mut self, path: impl AsRef<str>, target: impl Into<String>) -> &mut Self {
        self.put(path.as_ref(), What::Link(target.into()))
    }

    /// Puts something that is no file: a pipe, a socket, a device.
    pub fn special(&mut self, path: impl AsRef<str>) -> &mut Self {
        self.put(path.as_ref(), What::Special)
    }

    /// Sets the permission bits; only the owner's three count.
    pub fn mode(&mut self, path: impl AsRef<str>, mode: u32) -> &mut Self {
        if let Some(node) = self.node_mut(path.as_ref()) {
            node.mode = mode;
        }
        self
    }

    /// Gives a path to a user and a group other than the one who asks and writes.
    pub fn owner(&mut self, path: impl AsRef<str>, owner: Owner) -> &mut Self {
        if let Some(node) = self.node_mut(path.as_ref()) {
            node.owner = owner;
        }
        self
    }

    /// Sets the time of the last change.
    pub fn modified(&mut self, path: impl AsRef<str>, time: SystemTime) -> &mut Self {
        if let Some(node) = self.node_mut(path.as_ref()) {
            node.modified = time;
        }
        self
    }

    /// Removes a path with all below it; nothing happens when it is not there.
    pub fn remove(&mut self, path: impl AsRef<str>) -> &mut Self {
        let path = AbsPath::root().join(path.as_ref());
        if let (Some(parent), Some(name)) = (path.parent(), path.file_name())
            && let Some(Node { what: What::Dir(children), .. }) = self.node_mut(parent.as_str())
        {
            children.remove(name);
        }
        self
    }

    fn put(&mut self, path: &str, what: What) -> &mut Self {
        if let Some(node) = self.node_mut(path) {
            *node = Node::new(what);
        }
        self
    }

    fn node_mut(&mut self, path: &str) -> Option<&mut Node> {
        self.root.get_mut().unwrap_or_else(PoisonError::into_inner).at_mut(path)
    }

    fn tree(&self) -> RwLockReadGuard<'_, Node> {
        self.root.read().unwrap_or_else(PoisonError::into_inner)
    }

    fn tree_mut(&self) -> RwLockWriteGuard<'_, Node> {
        self.root.write().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Fs for MemFs {
    fn metadata(&self, path: &AbsPath) -> Result<Metadata, IoError> {
        Ok(self.tree().walk(path, Last::Follow)?.1.metadata())
    }

    fn symlink_metadata(&self, path: &AbsPath) -> Result<Metadata, IoError> {
        Ok(self.tree().walk(path, Last::Keep)?.1.metadata())
    }

    fn read_link(&self, path: &AbsPath) -> Result<String, IoError> {
        match &self.tree().walk(path, Last::Keep)?.1.what {
            What::Link(target) => Ok(target.clone()),
            _ => Err(IoError::new(IoErrorKind::Other)),
        }
    }

    fn read_dir(&self, path: &AbsPath) -> Result<DirEntries<'_>, IoError> {
        let tree = self.tree();
        let node = tree.walk(path, Last::Follow)?.1;
        let What::Dir(children) = &node.what else {
            return Err(IoError::new(IoErrorKind::NotADirectory));
        };
        node.may_read()?;
        let entries: Vec<_> = children
            .iter()
            .map(|(name, child)| Ok(DirEntry { name: name.clone(), kind: child.kind() }))
            .collect();
        Ok(Box::new(entries.into_iter()))
    }

    fn canonicalize(&self, path: &AbsPath) -> Result<AbsPath, IoError> {
        Ok(self.tree().walk(path, Last::Follow)?.0)
    }

    fn read_pieces(
        &self,
        path: &AbsPath,
        visit: &mut dyn FnMut(&[u8]) -> ControlFlow<()>,
    ) -> Result<(), IoError> {
        let tree = self.tree();
        let node = tree.walk(path, Last::Follow)?.1;
        match &node.what {
            What::File(bytes) => {
                node.may_read()?;
                let _ = visit(bytes);
                Ok(())
            }
            What::Dir(_) => Err(IoError::new(IoErrorKind::IsADirectory)),
            What::Link(_) | What::Special => Err(IoError::new(IoErrorKind::NotAFile)),
        }
    }
}

impl FsMut for MemFs {
    fn create_dir(&self, path: &AbsPath) -> Result<(), IoError> {
        self.create(path, Node::default())
    }

    fn remove_dir(&self, path: &AbsPath) -> Result<(), IoError> {
        let mut tree = self.tree_mut();
        let (children, name) = tree.parent_of(path)?;
        match children.get(&name).map(|node| &node.what) {
            Some(What::Dir(below)) if below.is_empty() => {
                children.remove(&name);
                Ok(())
            }
            Some(_) => Err(IoError::new(IoErrorKind::Other)),
            None => Err(IoError::new(IoErrorKind::NotFound)),
        }
    }

    fn create_file_of(
        &self,
        path: &AbsPath,
        bytes: &[u8],
        mode: Option<u32>,
        owner: Option<Owner>,
    ) -> Result<(), IoError> {
        if owner.is_some_and(|owner| owner != tree::WRITER) {
            return Err(IoError::new(IoErrorKind::ForeignOwner));
        }
        let mut node = Node::new(What::File(bytes.into()));
        node.mode = mode.unwrap_or(node.mode);
        self.create(path, node)
    }

    fn create_link(&self, path: &AbsPath, target: &str) -> Result<(), IoError> {
        self.create(path, Node::new(What::Link(target.to_owned())))
    }

    fn rename(&self, from: &AbsPath, to: &AbsPath) -> Result<(), IoError> {
        let mut tree = self.tree_mut();
        // Both parents must be there before anything is taken out.
        tree.parent_of(to)?;
        let node = tree.take(from)?;
        tree.put_back(to, node)
    }

    fn rename_new(&self, from: &AbsPath, to: &AbsPath) -> Result<(), IoError> {
        let mut tree = self.tree_mut();
        let (children, name) = tree.parent_of(to)?;
        if children.contains_key(&name) {
            return Err(IoError::new(IoErrorKind::AlreadyExists));
        }
        let node = tree.take(from)?;
        tree.put_back(to, node)
    }

    fn exchange(&self, one: &AbsPath, other: &AbsPath) -> Result<(), IoError> {
        let mut tree = self.tree_mut();
        let (children, name) = tree.parent_of(other)?;
        if !children.contains_key(&name) {
            return Err(IoError::new(IoErrorKind::NotFound));
        }
        let first = tree.take(one)?;
        let second = tree.take(other)?;
        tree.put_back(one, second)?;
        tree.put_back(other, first)
    }

    fn sync_dir(&self, path: &AbsPath) -> Result<(), IoError> {
        self.metadata(path).map(|_| ())
    }

    fn remove_file(&self, path: &AbsPath) -> Result<(), IoError> {
        let mut tree = self.tree_mut();
        let (children, name) = tree.parent_of(path)?;
        match children.get(&name).map(Node::kind) {
            Some(FileKind::Dir) => Err(IoError::new(IoErrorKind::IsADirectory)),
            Some(_) => {
                children.remove(&name);
                Ok(())
            }
            None => Err(IoError::new(IoErrorKind::NotFound)),
        }
    }

    fn ownership(&self, path: &AbsPath) -> Result<Ownership, IoError> {
        let owner = Some(self.tree().walk(path, Last::Keep)?.1.owner);
        Ok(Ownership { owner, names: 1, id: None })
    }

    /// A tree in memory has one writer at a time by construction, so nothing is
    /// waited for.
    fn lock(&self, path: &AbsPath, _: LockWait) -> Result<Box<dyn Lock>, IoError> {
        let mut tree = self.tree_mut();
        let (children, name) = tree.parent_of(path)?;
        children.entry(name).or_insert_with(|| Node::new(What::File([].into())));
        Ok(Box::new(MemLock))
    }

    fn lock_dir(&self, path: &AbsPath, _: LockWait) -> Result<Box<dyn Lock>, IoError> {
        self.metadata(path)?;
        Ok(Box::new(MemLock))
    }
}

struct MemLock;

impl Lock for MemLock {}

impl MemFs {
    fn create(&self, path: &AbsPath, node: Node) -> Result<(), IoError> {
        let mut tree = self.tree_mut();
        let (children, name) = tree.parent_of(path)?;
        if children.contains_key(&name) {
            return Err(IoError::new(IoErrorKind::AlreadyExists));
        }
        children.insert(name, node);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn path(text: &str) -> AbsPath {
        AbsPath::new(text).unwrap()
    }

    fn kind_of<T: std::fmt::Debug>(answer: Result<T, IoError>) -> IoErrorKind {
        answer.unwrap_err().kind
    }

    #[test]
    fn errors_are_those_of_the_system() {
        let mut fs = MemFs::from_files([("/a/f", "x"), ("/secret/f", "x")]);
        fs.link("/loop", "loop").link("/broken", "nowhere").special("/pipe").mode("/a/f", 0);
        fs.mode("/secret", 0o600);
        assert_eq!(kind_of(fs.metadata(&path("/no"))), IoErrorKind::NotFound);
        assert_eq!(kind_of(fs.metadata(&path("/a/f/x"))), IoErrorKind::NotADirectory);
        assert_eq!(kind_of(fs.metadata(&path("/loop"))), IoErrorKind::Loop);
        assert_eq!(kind_of(fs.metadata(&path("/broken"))), IoErrorKind::NotFound);
        assert_eq!(kind_of(fs.read_up_to(&path("/a/f"), 9)), IoErrorKind::PermissionDenied);
        assert_eq!(kind_of(fs.metadata(&path("/secret/f"))), IoErrorKind::PermissionDenied);
        assert_eq!(kind_of(fs.read_up_to(&path("/pipe"), 9)), IoErrorKind::NotAFile);
        assert_eq!(kind_of(fs.read_up_to(&path("/a"), 9)), IoErrorKind::IsADirectory);
        assert_eq!(fs.symlink_metadata(&path("/loop")).unwrap().kind, FileKind::Symlink);
    }

    #[test]
    fn names_are_swapped_and_a_taken_name_stays() {
        let mut fs = MemFs::from_files([("/a/f", "1"), ("/b/g", "2")]);
        fs.link("/a/l", "f");
        fs.exchange(&path("/a/l"), &path("/b/g")).unwrap();
        assert_eq!(fs.read_up_to(&path("/a/l"), 9).unwrap(), b"2");
        assert_eq!(fs.read_link(&path("/b/g")).unwrap(), "f");
        assert_eq!(kind_of(fs.exchange(&path("/a/f"), &path("/no"))), IoErrorKind::NotFound);
        assert_eq!(kind_of(fs.exchange(&path("/no"), &path("/a/f"))), IoErrorKind::NotFound);
        let taken = fs.rename_new(&path("/a/f"), &path("/a/l"));
        assert_eq!(kind_of(taken), IoErrorKind::AlreadyExists);
        assert_eq!(fs.read_up_to(&path("/a/f"), 9).unwrap(), b"1");
        fs.rename_new(&path("/a/f"), &path("/b/f")).unwrap();
        assert_eq!(fs.read_up_to(&path("/b/f"), 9).unwrap(), b"1");
    }

    #[test]
    fn links_in_the_middle_are_followed_and_canonical_paths_are_real() {
        let mut fs = MemFs::from_files([("/real/sub/f", "x")]);
        fs.link("/ln", "real").link("/abs", "/real/sub").link("/real/up", "../ln/sub/./f");
        assert_eq!(fs.canonicalize(&path("/ln/sub/f")).unwrap(), path("/real/sub/f"));
        assert_eq!(fs.canonicalize(&path("/abs")).unwrap(), path("/real/sub"));
        assert_eq!(fs.canonicalize(&path("/ln/up")).unwrap(), path("/real/sub/f"));
        fs.file("/ln/new/g", "y");
        assert!(fs.metadata(&path("/real/new/g")).unwrap().is_file());
    }
}
