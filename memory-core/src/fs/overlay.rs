use std::collections::{BTreeMap, HashMap};
use std::ops::ControlFlow;
use std::sync::Arc;

use crate::fs::{Content, DirEntries, DirEntry, FileKind, Fs, IoError, IoErrorKind, Metadata};
use crate::path::AbsPath;

/// How many links are followed in a row, as on Linux.
const MAX_LINKS: u8 = 40;

/// A file system as it would be: another one with some files replaced, added
/// or gone.
///
/// Folders that a new file needs are there. Only reading is possible.
///
/// ```
/// use memory_core::AbsPath;
/// use memory_core::fs::{Content, Fs, MemFs, Overlay};
///
/// let fs = MemFs::from_files([("/repo/CLAUDE.md", "Use tabs.\n")]);
/// let mut planned = Overlay::new(&fs);
/// planned.put(AbsPath::new("/repo/web/AGENTS.md")?, Content::file("Use pnpm.\n"));
/// planned.hide(AbsPath::new("/repo/CLAUDE.md")?);
/// assert!(planned.metadata(&AbsPath::new("/repo/web")?).unwrap().is_dir());
/// assert!(planned.metadata(&AbsPath::new("/repo/CLAUDE.md")?).is_err());
/// # Ok::<(), memory_core::Error>(())
/// ```
pub struct Overlay<'a> {
    inner: &'a dyn Fs,
    entries: BTreeMap<AbsPath, Entry>,
    /// What the entries put into each folder, links and new folders included.
    children: HashMap<AbsPath, BTreeMap<String, FileKind>>,
    /// Other names of folders: a link and where it leads.
    aliases: Vec<(AbsPath, AbsPath)>,
    has_links: bool,
}

enum Entry {
    File { bytes: Arc<[u8]>, mode: Option<u32> },
    Link { target: String },
    Gone,
}

impl<'a> Overlay<'a> {
    /// The file system as it is.
    pub fn new(inner: &'a dyn Fs) -> Self {
        Self {
            inner,
            entries: BTreeMap::new(),
            children: HashMap::new(),
            aliases: Vec::new(),
            has_links: false,
        }
    }

    /// Puts a file or link at a path whose folders are no links.
    pub fn put(&mut self, path: AbsPath, content: Content) {
        let (entry, kind) = match content {
            Content::File { bytes, mode } => (Entry::File { bytes, mode }, FileKind::File),
            Content::Symlink { target } => {
                self.has_links = true;
                (Entry::Link { target }, FileKind::Symlink)
            }
        };
        let (mut child, mut kind) = (path.clone(), kind);
        while let (Some(parent), Some(name)) = (child.parent(), child.file_name()) {
            let known = self.children.entry(parent.clone()).or_default();
            if known.insert(name.to_owned(), kind) == Some(kind) && kind == FileKind::Dir {
                break;
            }
            (child, kind) = (parent, FileKind::Dir);
        }
        self.entries.insert(path, entry);
    }

    /// Takes a file or link away.
    pub fn hide(&mut self, path: AbsPath) {
        if let (Some(parent), Some(name)) = (path.parent(), path.file_name()) {
            self.children.entry(parent).or_default().remove(name);
        }
        self.entries.insert(path, Entry::Gone);
    }

    /// Says that the folder `link` is a link to the folder `real`, by whose
    /// name entries were put.
    pub fn alias(&mut self, link: AbsPath, real: AbsPath) {
        if link != real {
            self.aliases.push((link, real));
        }
    }

    /// The path by which an entry would be known.
    fn known(&self, path: &AbsPath) -> AbsPath {
        let found = self.aliases.iter().find_map(|(link, real)| {
            path.strip_prefix(link)
                .map(|rest| if rest.is_empty() { real.clone() } else { real.join(rest) })
        });
        let path = found.unwrap_or_else(|| path.clone());
        if !self.has_links {
            return path;
        }
        // A folder on the way may be a link that was put here.
        for dir in path.ancestors().skip(1) {
            if let Some(Entry::Link { target }) = self.entries.get(&dir) {
                let rest = path.strip_prefix(&dir).unwrap_or_default();
                return dir.join("..").join(target).join(rest);
            }
        }
        path
    }

    fn is_new_dir(&self, path: &AbsPath) -> bool {
        let parent = path.parent().and_then(|parent| self.children.get(&parent));
        let kind = parent.zip(path.file_name()).and_then(|(names, name)| names.get(name));
        kind == Some(&FileKind::Dir)
    }

    fn metadata_of(&self, path: &AbsPath, follow: bool, depth: u8) -> Result<Metadata, IoError> {
        let path = self.known(path);
        let new = |kind, len, mode| Ok(Metadata { kind, len, modified: None, mode });
        match self.entries.get(&path) {
            Some(Entry::File { bytes, mode }) => new(FileKind::File, bytes.len() as u64, *mode),
            Some(Entry::Link { .. }) if depth == MAX_LINKS => Err(IoError::new(IoErrorKind::Loop)),
            Some(Entry::Link { target }) if follow => {
                self.metadata_of(&path.join("..").join(target), true, depth + 1)
            }
            Some(Entry::Link { target }) => new(FileKind::Symlink, target.len() as u64, None),
            Some(Entry::Gone) => Err(IoError::new(IoErrorKind::NotFound)),
            None => {
                let found = if follow {
                    self.inner.metadata(&path)
                } else {
                    self.inner.symlink_metadata(&path)
                };
                match found {
                    Err(error) if error.is_absence() && self.is_new_dir(&path) => {
                        new(FileKind::Dir, 0, None)
                    }
                    found => found,
                }
            }
        }
    }

    /// The path behind the links that were put here.
    fn followed(&self, path: &AbsPath) -> Result<AbsPath, IoError> {
        let mut path = self.known(path);
        for _ in 0..MAX_LINKS {
            match self.entries.get(&path) {
                Some(Entry::Link { target }) => path = self.known(&path.join("..").join(target)),
                _ => return Ok(path),
            }
        }
        Err(IoError::new(IoErrorKind::Loop))
    }
}

impl Fs for Overlay<'_> {
    fn metadata(&self, path: &AbsPath) -> Result<Metadata, IoError> {
        self.metadata_of(path, true, 0)
    }

    fn symlink_metadata(&self, path: &AbsPath) -> Result<Metadata, IoError> {
        // The name itself may be an alias: a link stays a link.
        if self.aliases.iter().any(|(link, _)| link == path) {
            return self.inner.symlink_metadata(path);
        }
        self.metadata_of(path, false, 0)
    }

    fn read_link(&self, path: &AbsPath) -> Result<String, IoError> {
        if self.aliases.iter().any(|(link, _)| link == path) {
            return self.inner.read_link(path);
        }
        let path = self.known(path);
        match self.entries.get(&path) {
            Some(Entry::Link { target }) => Ok(target.clone()),
            Some(Entry::Gone) => Err(IoError::new(IoErrorKind::NotFound)),
            Some(Entry::File { .. }) => Err(IoError::new(IoErrorKind::Other)),
            None => self.inner.read_link(&path),
        }
    }

    fn read_dir(&self, path: &AbsPath) -> Result<DirEntries<'_>, IoError> {
        let path = self.followed(path)?;
        let children = self.children.get(&path);
        let inner = match self.inner.read_dir(&path) {
            Err(error) if error.is_absence() && self.is_new_dir(&path) => None,
            found => Some(found?),
        };
        let gone = |entry: &DirEntry| {
            matches!(self.entries.get(&path.join(&entry.name)), Some(Entry::Gone))
        };
        let Some(mut put) = children.cloned() else {
            return Ok(Box::new(inner.into_iter().flatten()));
        };
        // What is replaced keeps its place in the order.
        let mut names: Vec<_> = inner
            .into_iter()
            .flatten()
            .filter(|entry| !entry.as_ref().is_ok_and(gone))
            .map(|entry| {
                let mut entry = entry?;
                entry.kind = put.remove(&entry.name).unwrap_or(entry.kind);
                Ok(entry)
            })
            .collect();
        names.extend(put.into_iter().map(|(name, kind)| Ok(DirEntry { name, kind })));
        Ok(Box::new(names.into_iter()))
    }

    fn canonicalize(&self, path: &AbsPath) -> Result<AbsPath, IoError> {
        let path = self.followed(path)?;
        let is_new = match self.entries.get(&path) {
            Some(Entry::Gone) => return Err(IoError::new(IoErrorKind::NotFound)),
            Some(_) => true,
            None => false,
        };
        match self.inner.canonicalize(&path) {
            Err(error) if error.is_absence() && (is_new || self.is_new_dir(&path)) => {
                let (Some(parent), Some(name)) = (path.parent(), path.file_name()) else {
                    return Err(error);
                };
                Ok(self.canonicalize(&parent)?.join(name))
            }
            found => found,
        }
    }

    fn read_pieces(
        &self,
        path: &AbsPath,
        visit: &mut dyn FnMut(&[u8]) -> ControlFlow<()>,
    ) -> Result<(), IoError> {
        let path = self.followed(path)?;
        match self.entries.get(&path) {
            Some(Entry::File { bytes, .. }) => {
                let _ = visit(bytes);
                Ok(())
            }
            Some(_) => Err(IoError::new(IoErrorKind::NotFound)),
            None if self.is_new_dir(&path) && self.inner.metadata(&path).is_err() => {
                Err(IoError::new(IoErrorKind::NotAFile))
            }
            None => self.inner.read_pieces(&path, visit),
        }
    }

    fn read_with_metadata(
        &self,
        path: &AbsPath,
        limit: u64,
    ) -> Result<(Metadata, Vec<u8>), IoError> {
        let known = self.followed(path)?;
        if self.entries.contains_key(&known) {
            return Ok((self.metadata(&known)?, self.read_up_to(&known, limit)?));
        }
        self.inner.read_with_metadata(&known, limit)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fs::MemFs;

    fn path(text: &str) -> AbsPath {
        AbsPath::new(text).unwrap()
    }

    fn names(fs: &dyn Fs, dir: &str) -> Vec<String> {
        fs.read_dir(&path(dir)).unwrap().map(|entry| entry.unwrap().name).collect()
    }

    #[test]
    fn what_is_put_is_seen_and_what_is_hidden_is_not() {
        let fs = MemFs::from_files([("/r/a.md", "a"), ("/r/b.md", "b")]);
        let mut over = Overlay::new(&fs);
        over.put(path("/r/n/m/c.md"), Content::file("c"));
        over.put(path("/r/a.md"), Content::file("other"));
        over.hide(path("/r/b.md"));
        assert_eq!(names(&over, "/r"), ["a.md", "n"]);
        assert_eq!(names(&over, "/r/n"), ["m"]);
        assert_eq!(over.read_up_to(&path("/r/a.md"), 99).unwrap(), b"other");
        assert!(over.metadata(&path("/r/b.md")).is_err());
        assert!(over.metadata(&path("/r/n/m")).unwrap().is_dir());
        assert_eq!(over.canonicalize(&path("/r/n/m/c.md")).unwrap(), path("/r/n/m/c.md"));
        assert!(over.read_up_to(&path("/r/n"), 9).is_err());
    }

    #[test]
    fn links_that_are_put_are_followed() {
        let fs = MemFs::from_files([("/r/docs/a.md", "a")]);
        let mut over = Overlay::new(&fs);
        over.put(path("/r/l"), Content::Symlink { target: "docs".to_owned() });
        over.put(path("/r/m"), Content::Symlink { target: "l/a.md".to_owned() });
        over.put(path("/r/x"), Content::Symlink { target: "x".to_owned() });
        assert_eq!(over.read_up_to(&path("/r/l/a.md"), 9).unwrap(), b"a");
        assert_eq!(over.read_up_to(&path("/r/m"), 9).unwrap(), b"a");
        assert_eq!(over.canonicalize(&path("/r/m")).unwrap(), path("/r/docs/a.md"));
        assert_eq!(names(&over, "/r/l"), ["a.md"]);
        assert_eq!(over.symlink_metadata(&path("/r/l")).unwrap().kind, FileKind::Symlink);
        assert!(over.metadata(&path("/r/x")).is_err());
    }

    #[test]
    fn a_folder_has_another_name() {
        let mut fs = MemFs::from_files([("/dot/codex/config.toml", "")]);
        fs.link("/h/.codex", "/dot/codex");
        let mut over = Overlay::new(&fs);
        over.alias(path("/h/.codex"), path("/dot/codex"));
        over.put(path("/dot/codex/AGENTS.md"), Content::file("x"));
        assert_eq!(over.read_up_to(&path("/h/.codex/AGENTS.md"), 9).unwrap(), b"x");
        assert_eq!(names(&over, "/h/.codex"), ["config.toml", "AGENTS.md"]);
    }
}
