use std::ops::ControlFlow;

use super::{DirEntries, DirEntry, FileKind, Fs, IoError, IoErrorKind, Metadata};
use crate::path::AbsPath;

/// A file system of which only one directory is there: what lies outside of it
/// is absent, and a link that leads out leads nowhere.
///
/// For answers that are equal on every machine.
///
/// ```
/// use memory_core::AbsPath;
/// use memory_core::fs::{Confined, Fs, MemFs};
///
/// let fs = MemFs::from_files([("/src/repo/AGENTS.md", "a"), ("/src/AGENTS.md", "b")]);
/// let only = Confined::new(&fs, AbsPath::new("/src/repo")?);
/// assert!(only.metadata(&AbsPath::new("/src/repo/AGENTS.md")?).is_ok());
/// assert!(only.metadata(&AbsPath::new("/src/AGENTS.md")?).is_err());
/// assert!(only.metadata(&AbsPath::new("/src")?).unwrap().is_dir());
/// # Ok::<(), memory_core::Error>(())
/// ```
pub struct Confined<'a> {
    inner: &'a dyn Fs,
    root: AbsPath,
}

/// Where a path lies.
enum Place {
    Inside,
    /// It is a directory above the root.
    Above,
    Outside,
}

impl<'a> Confined<'a> {
    /// Shows only `root`, a real path, and what is below it.
    pub fn new(inner: &'a dyn Fs, root: AbsPath) -> Self {
        Self { inner, root }
    }

    fn place(&self, path: &AbsPath) -> Place {
        if path.starts_with(&self.root) {
            Place::Inside
        } else if self.root.starts_with(path) {
            Place::Above
        } else {
            Place::Outside
        }
    }

    /// Answers for a path whose links were followed only when they stay inside.
    fn inside(&self, path: &AbsPath) -> Result<(), IoError> {
        let real = self.inner.canonicalize(path)?;
        if real.starts_with(&self.root) { Ok(()) } else { Err(absent()) }
    }
}

fn absent() -> IoError {
    IoError::new(IoErrorKind::NotFound)
}

fn directory() -> Metadata {
    Metadata { kind: FileKind::Dir, len: 0, modified: None, mode: None }
}

impl Fs for Confined<'_> {
    fn metadata(&self, path: &AbsPath) -> Result<Metadata, IoError> {
        match self.place(path) {
            Place::Inside => self.inside(path).and_then(|()| self.inner.metadata(path)),
            Place::Above => Ok(directory()),
            Place::Outside => Err(absent()),
        }
    }

    fn symlink_metadata(&self, path: &AbsPath) -> Result<Metadata, IoError> {
        match self.place(path) {
            Place::Inside => {
                if *path != self.root {
                    path.parent().map_or(Ok(()), |parent| self.inside(&parent))?;
                }
                self.inner.symlink_metadata(path)
            }
            Place::Above => Ok(directory()),
            Place::Outside => Err(absent()),
        }
    }

    fn read_link(&self, path: &AbsPath) -> Result<String, IoError> {
        match self.place(path) {
            Place::Inside => self.inner.read_link(path),
            Place::Above => Err(IoError::new(IoErrorKind::Other)),
            Place::Outside => Err(absent()),
        }
    }

    fn read_dir(&self, path: &AbsPath) -> Result<DirEntries<'_>, IoError> {
        match self.place(path) {
            Place::Inside => self.inside(path).and_then(|()| self.inner.read_dir(path)),
            Place::Above => {
                let name = self.root.from_top(path).into_iter().find(|below| below != path);
                let name = name.and_then(|below| below.file_name().map(str::to_owned));
                let entry = name.map(|name| Ok(DirEntry { name, kind: FileKind::Dir }));
                Ok(Box::new(entry.into_iter()))
            }
            Place::Outside => Err(absent()),
        }
    }

    fn canonicalize(&self, path: &AbsPath) -> Result<AbsPath, IoError> {
        match self.place(path) {
            Place::Inside => {
                let real = self.inner.canonicalize(path)?;
                if real.starts_with(&self.root) { Ok(real) } else { Err(absent()) }
            }
            Place::Above => Ok(path.clone()),
            Place::Outside => Err(absent()),
        }
    }

    fn read_pieces(
        &self,
        path: &AbsPath,
        visit: &mut dyn FnMut(&[u8]) -> ControlFlow<()>,
    ) -> Result<(), IoError> {
        match self.place(path) {
            Place::Inside => self.inside(path).and_then(|()| self.inner.read_pieces(path, visit)),
            Place::Above => Err(IoError::new(IoErrorKind::IsADirectory)),
            Place::Outside => Err(absent()),
        }
    }
}
