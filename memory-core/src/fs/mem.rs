use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::sync::Arc;
use std::time::SystemTime;

use crate::{AbsPath, DirEntries, DirEntry, FileKind, Fs, IoError, IoErrorKind, Metadata};

/// How many links a path may lead through, as on Linux.
const MAX_LINKS: usize = 40;

/// A file system in memory, for tests and for questions about a tree that is not there.
///
/// It answers as Linux does to a user who is not root, link loops and
/// permissions included, and lists names in ascending order of their bytes.
///
/// ```
/// use memory_core::{AbsPath, Fs, MemFs};
///
/// let mut fs = MemFs::from_files([("/repo/AGENTS.md", "Run the tests.\n")]);
/// fs.link("/repo/CLAUDE.md", "AGENTS.md");
/// let link = AbsPath::new("/repo/CLAUDE.md")?;
/// assert_eq!(fs.read_up_to(&link, 3).unwrap(), b"Run");
/// assert_eq!(fs.canonicalize(&link).unwrap().as_str(), "/repo/AGENTS.md");
/// # Ok::<(), memory_core::Error>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct MemFs {
    root: Node,
}

#[derive(Clone, Debug)]
struct Node {
    what: What,
    mode: u32,
    modified: SystemTime,
}

#[derive(Clone, Debug)]
enum What {
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
    fn new(what: What) -> Self {
        let mode = if matches!(what, What::Dir(_)) { 0o755 } else { 0o644 };
        Self { what, mode, modified: SystemTime::UNIX_EPOCH }
    }

    fn metadata(&self) -> Metadata {
        Metadata { kind: self.kind(), len: self.len(), modified: Some(self.modified) }
    }

    fn kind(&self) -> FileKind {
        match self.what {
            What::File(_) => FileKind::File,
            What::Dir(_) => FileKind::Dir,
            What::Link(_) => FileKind::Link,
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

    fn may_read(&self) -> Result<(), IoError> {
        if self.mode & 0o400 == 0 { Err(denied()) } else { Ok(()) }
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

    /// The node at a path, made as a directory where it is missing; links are
    /// followed on the way, so that a tree can be built below a linked folder.
    fn node_mut(&mut self, path: &str) -> Option<&mut Node> {
        let path = AbsPath::root().join(path);
        // The last name itself may be a link, which is then replaced.
        let real = path.parent().map_or_else(AbsPath::root, |parent| {
            let name = path.file_name().unwrap_or_default();
            self.real_dir(&parent).join(name)
        });
        let mut node = &mut self.root;
        for part in real.parts() {
            if !matches!(node.what, What::Dir(_)) {
                *node = Node::default();
            }
            let What::Dir(children) = &mut node.what else { return None };
            node = children.entry(part.to_owned()).or_default();
        }
        Some(node)
    }

    /// The real path of a directory that need not be there yet.
    fn real_dir(&self, dir: &AbsPath) -> AbsPath {
        match (self.canonicalize(dir), dir.parent()) {
            (Err(_), Some(parent)) => {
                self.real_dir(&parent).join(dir.file_name().unwrap_or_default())
            }
            (real, _) => real.unwrap_or_else(|_| dir.clone()),
        }
    }

    /// Walks to a node and says its real path.
    fn walk(&self, path: &AbsPath, last: Last) -> Result<(AbsPath, &Node), IoError> {
        let mut links = 0;
        let mut todo: Vec<String> = path.parts().rev().map(str::to_owned).collect();
        let mut real = AbsPath::root();
        let mut stack: Vec<&Node> = vec![&self.root];
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
}

/// What becomes of a link at the end of a path.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Last {
    Follow,
    Keep,
}

fn denied() -> IoError {
    IoError::new(IoErrorKind::PermissionDenied)
}

impl Fs for MemFs {
    fn metadata(&self, path: &AbsPath) -> Result<Metadata, IoError> {
        Ok(self.walk(path, Last::Follow)?.1.metadata())
    }

    fn symlink_metadata(&self, path: &AbsPath) -> Result<Metadata, IoError> {
        Ok(self.walk(path, Last::Keep)?.1.metadata())
    }

    fn read_link(&self, path: &AbsPath) -> Result<String, IoError> {
        match &self.walk(path, Last::Keep)?.1.what {
            What::Link(target) => Ok(target.clone()),
            _ => Err(IoError::new(IoErrorKind::Other)),
        }
    }

    fn read_dir(&self, path: &AbsPath) -> Result<DirEntries<'_>, IoError> {
        let node = self.walk(path, Last::Follow)?.1;
        let What::Dir(children) = &node.what else {
            return Err(IoError::new(IoErrorKind::NotADirectory));
        };
        node.may_read()?;
        Ok(Box::new(
            children
                .iter()
                .map(|(name, child)| Ok(DirEntry { name: name.clone(), kind: child.kind() })),
        ))
    }

    fn canonicalize(&self, path: &AbsPath) -> Result<AbsPath, IoError> {
        Ok(self.walk(path, Last::Follow)?.0)
    }

    fn read_pieces(
        &self,
        path: &AbsPath,
        visit: &mut dyn FnMut(&[u8]) -> ControlFlow<()>,
    ) -> Result<(), IoError> {
        let node = self.walk(path, Last::Follow)?.1;
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
        assert_eq!(fs.symlink_metadata(&path("/loop")).unwrap().kind, FileKind::Link);
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
