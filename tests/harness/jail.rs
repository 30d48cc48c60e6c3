//! A real disk seen from inside a folder.

use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::path::PathBuf;

use memory_core::AbsPath;
use memory_core::fs::{DirEntries, FileKind, Fs, IoError, IoErrorKind, Metadata, OsFs};

/// How many links a path may lead through, as on Linux.
const MAX_LINKS: usize = 40;

/// The real disk with some places kept elsewhere.
///
/// Like `chroot`, but without its need for a privilege: links are resolved here,
/// one name at a time, so that an absolute target stays inside. Names are listed
/// in ascending order of their bytes, which is how the folders of recorded cases
/// were laid out. Permission bits are taken from a list instead of the disk, so
/// that they stop every user alike.
pub struct Jail {
    /// Shown place and the real folder behind it; the deepest that fits counts.
    mounts: Vec<(AbsPath, AbsPath)>,
    modes: BTreeMap<AbsPath, u32>,
}

impl Jail {
    /// A jail with these places: the path as shown, and the real folder behind it.
    pub fn new(mounts: impl IntoIterator<Item = (AbsPath, AbsPath)>) -> Self {
        Self { mounts: mounts.into_iter().collect(), modes: BTreeMap::new() }
    }

    /// Sets the permission bits that stop the reader; only the owner's count.
    pub(crate) fn with_modes(mut self, modes: BTreeMap<AbsPath, u32>) -> Self {
        self.modes = modes;
        self
    }

    /// The real place of a path that holds no link.
    pub(crate) fn host(&self, shown: &AbsPath) -> AbsPath {
        let fitting = self.mounts.iter().filter_map(|(at, host)| {
            let rest = shown.strip_prefix(at)?;
            Some((at.as_str().len(), if rest.is_empty() { host.clone() } else { host.join(rest) }))
        });
        fitting.max_by_key(|(len, _)| *len).map_or_else(|| shown.clone(), |(_, host)| host)
    }

    /// The real place of a path that need not be there yet; links on the way are followed.
    pub(crate) fn host_of_new(&self, shown: &AbsPath) -> AbsPath {
        let name = shown.file_name().unwrap_or_default();
        let parent = shown.parent().unwrap_or_else(AbsPath::root);
        self.host(&self.real_dir(&parent).join(name))
    }

    fn real_dir(&self, dir: &AbsPath) -> AbsPath {
        match (self.walk(dir, Last::Follow), dir.parent()) {
            (Ok(real), _) => real,
            (Err(_), None) => dir.clone(),
            (Err(_), Some(parent)) => {
                self.real_dir(&parent).join(dir.file_name().unwrap_or_default())
            }
        }
    }

    fn may(&self, shown: &AbsPath, bit: u32) -> Result<(), IoError> {
        match self.modes.get(shown) {
            Some(mode) if mode & bit == 0 => Err(IoError::new(IoErrorKind::PermissionDenied)),
            _ => Ok(()),
        }
    }

    /// Resolves the links of a path and says its shown, real form.
    fn walk(&self, shown: &AbsPath, last: Last) -> Result<AbsPath, IoError> {
        let mut links = 0;
        let mut todo: Vec<String> = shown.parts().rev().map(str::to_owned).collect();
        let mut real = AbsPath::root();
        while let Some(part) = todo.pop() {
            self.may(&real, 0o100)?;
            match part.as_str() {
                "" | "." => continue,
                ".." => {
                    real = real.parent().unwrap_or(real);
                    continue;
                }
                _ => {}
            }
            let next = real.join(&part);
            let host = self.host(&next);
            let found = OsFs.symlink_metadata(&host)?;
            if found.kind == FileKind::Symlink && (last == Last::Follow || !todo.is_empty()) {
                links += 1;
                if links > MAX_LINKS {
                    return Err(IoError::new(IoErrorKind::Loop));
                }
                let target = OsFs.read_link(&host)?;
                if target.starts_with('/') {
                    real = AbsPath::root();
                }
                todo.extend(target.split('/').rev().map(str::to_owned));
            } else if found.kind != FileKind::Dir && !todo.is_empty() {
                return Err(IoError::new(IoErrorKind::NotADirectory));
            } else {
                real = next;
            }
        }
        Ok(real)
    }
}

/// What becomes of a link at the end of a path.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Last {
    Follow,
    Keep,
}

impl Fs for Jail {
    fn metadata(&self, path: &AbsPath) -> Result<Metadata, IoError> {
        OsFs.metadata(&self.host(&self.walk(path, Last::Follow)?))
    }

    fn symlink_metadata(&self, path: &AbsPath) -> Result<Metadata, IoError> {
        OsFs.symlink_metadata(&self.host(&self.walk(path, Last::Keep)?))
    }

    fn read_link(&self, path: &AbsPath) -> Result<String, IoError> {
        OsFs.read_link(&self.host(&self.walk(path, Last::Keep)?))
    }

    fn read_dir(&self, path: &AbsPath) -> Result<DirEntries<'_>, IoError> {
        let real = self.walk(path, Last::Follow)?;
        self.may(&real, 0o400)?;
        let mut entries: Vec<_> = OsFs.read_dir(&self.host(&real))?.collect();
        entries.sort_by_key(|entry| entry.as_ref().ok().map(|entry| entry.name.clone()));
        Ok(Box::new(entries.into_iter()))
    }

    fn canonicalize(&self, path: &AbsPath) -> Result<AbsPath, IoError> {
        self.walk(path, Last::Follow)
    }

    fn read_pieces(
        &self,
        path: &AbsPath,
        visit: &mut dyn FnMut(&[u8]) -> ControlFlow<()>,
    ) -> Result<(), IoError> {
        let real = self.walk(path, Last::Follow)?;
        self.may(&real, 0o400)?;
        OsFs.read_pieces(&self.host(&real), visit)
    }
}

/// The path as the operating system takes it.
pub(crate) fn native(path: &AbsPath) -> PathBuf {
    use std::os::unix::ffi::OsStringExt as _;
    std::ffi::OsString::from_vec(path.to_bytes()).into()
}
