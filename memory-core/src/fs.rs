//! The read side of a file system, passed in so that nothing else is looked at.

use std::ops::ControlFlow;
use std::sync::Arc;
use std::time::SystemTime;

use crate::path::AbsPath;

mod cached;
mod confined;
mod error;
mod mem;
mod mutate;
#[cfg(feature = "os")]
mod os;
mod overlay;
mod record;

pub use cached::CachedFs;
pub use confined::Confined;
pub use error::{IoError, IoErrorKind};
pub use mem::MemFs;
pub use mutate::{FsMut, Lock, LockWait, NewFile, Owner, Ownership};
#[cfg(feature = "os")]
pub use os::OsFs;
pub use overlay::Overlay;
pub use record::{Probes, Recorder};

pub use crate::path::{name_from_bytes, name_to_bytes};

/// How much of one file is read at all, in bytes: 64 MiB. No client reads more
/// of a text, and what is larger was not written to be read.
pub const MAX_READ: u64 = 64 * 1024 * 1024;

/// The read side of a file system.
///
/// Object-safe on purpose: a resolver takes `&dyn Fs` and compiles once. All
/// methods follow what the operating system does with the same call, errors
/// included, because clients depend on the difference between them.
pub trait Fs {
    /// What `path` is, following links.
    fn metadata(&self, path: &AbsPath) -> Result<Metadata, IoError>;

    /// What `path` is, a link being a link.
    fn symlink_metadata(&self, path: &AbsPath) -> Result<Metadata, IoError>;

    /// Where the link `path` points, as it is written in the link.
    fn read_link(&self, path: &AbsPath) -> Result<String, IoError>;

    /// The names in a directory, in the order in which the file system gives them.
    ///
    /// A resolver sorts only where its client sorts.
    fn read_dir(&self, path: &AbsPath) -> Result<DirEntries<'_>, IoError>;

    /// The real path: every link resolved.
    fn canonicalize(&self, path: &AbsPath) -> Result<AbsPath, IoError>;

    /// Reads a regular file from its start, piece by piece, until `visit` breaks.
    ///
    /// Never waits: what is no regular file answers with
    /// [`IoErrorKind::NotAFile`].
    fn read_pieces(
        &self,
        path: &AbsPath,
        visit: &mut dyn FnMut(&[u8]) -> ControlFlow<()>,
    ) -> Result<(), IoError>;

    /// Reads a regular file from an offset on, as [`Fs::read_pieces`] does from its start.
    ///
    /// Nothing is visited where the file ends before the offset.
    fn read_pieces_from(
        &self,
        path: &AbsPath,
        offset: u64,
        visit: &mut dyn FnMut(&[u8]) -> ControlFlow<()>,
    ) -> Result<(), IoError> {
        let mut before = offset;
        self.read_pieces(path, &mut |piece| {
            let passed = usize::try_from(before).unwrap_or(usize::MAX).min(piece.len());
            before -= passed as u64;
            match piece.get(passed..) {
                Some(rest) if !rest.is_empty() => visit(rest),
                _ => ControlFlow::Continue(()),
            }
        })
    }

    /// The first `limit` bytes of a regular file, all of it when it is shorter.
    fn read_up_to(&self, path: &AbsPath, limit: u64) -> Result<Vec<u8>, IoError> {
        let limit = usize::try_from(limit).unwrap_or(usize::MAX);
        let mut bytes = Vec::new();
        self.read_pieces(path, &mut |piece| {
            let room = limit - bytes.len();
            bytes.extend_from_slice(piece.get(..room).unwrap_or(piece));
            if bytes.len() < limit { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
        })?;
        Ok(bytes)
    }

    /// The first `limit` bytes of a regular file, with what [`Fs::metadata`] says
    /// of it: for many small files, for which each call counts.
    fn read_with_metadata(
        &self,
        path: &AbsPath,
        limit: u64,
    ) -> Result<(Metadata, Vec<u8>), IoError> {
        let found = self.metadata(path)?;
        Ok((found, self.read_up_to(path, limit)?))
    }

    /// The same for a path that was seen to be a regular file and no link, in a
    /// listing for example: it is opened without being asked for again.
    fn read_known_file(&self, path: &AbsPath, limit: u64) -> Result<(Metadata, Vec<u8>), IoError> {
        self.read_with_metadata(path, limit)
    }
}

/// The entries of one directory, in file-system order.
pub type DirEntries<'a> = Box<dyn Iterator<Item = Result<DirEntry, IoError>> + 'a>;

/// One name in a directory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DirEntry {
    /// The name, foreign bytes kept as in [`AbsPath`].
    pub name: String,
    /// What the entry itself is; a link is not followed.
    pub kind: FileKind,
}

/// What a path names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FileKind {
    /// A regular file.
    File,
    /// A directory.
    Dir,
    /// A symbolic link.
    Symlink,
    /// A pipe, a socket or a device: never opened.
    Special,
}

/// What is known of a path without opening it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Metadata {
    /// What the path names.
    pub kind: FileKind,
    /// Size in bytes.
    pub len: u64,
    /// Time of the last change, or `None` where the system keeps none.
    pub modified: Option<SystemTime>,
    /// Permission bits as Unix has them, or `None` where the system has none.
    pub mode: Option<u32>,
}

impl Metadata {
    /// Whether this is a regular file.
    pub fn is_file(&self) -> bool {
        self.kind == FileKind::File
    }

    /// Whether this is a directory.
    pub fn is_dir(&self) -> bool {
        self.kind == FileKind::Dir
    }
}

/// What stands at a path: the bytes of a file, or a symlink.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Content {
    /// A regular file.
    File {
        /// Its bytes.
        bytes: Arc<[u8]>,
        /// Its permission bits; `None` where the system keeps none.
        mode: Option<u32>,
    },
    /// A symlink.
    Symlink {
        /// Its target, as it stands in it.
        target: String,
    },
}

impl Content {
    /// A file with the system's usual permission bits.
    pub fn file(bytes: impl AsRef<[u8]>) -> Self {
        Self::File { bytes: bytes.as_ref().into(), mode: None }
    }

    /// The bytes of a file; `None` for a symlink.
    pub fn bytes(&self) -> Option<&[u8]> {
        match self {
            Self::File { bytes, .. } => Some(bytes),
            Self::Symlink { .. } => None,
        }
    }
}
