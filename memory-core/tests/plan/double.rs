//! A file system that stops, lacks something, or is not alone.

use std::cell::{Cell, RefCell};
use std::ops::ControlFlow;

use memory_core::AbsPath;
use memory_core::fs::{
    DirEntries, Fs, FsMut, IoError, IoErrorKind, Lock, LockWait, MemFs, Metadata, Owner, Ownership,
};

/// A file system that stops for good after some writing operations, as when
/// the machine loses power.
pub(crate) struct StopAfter<'a> {
    inner: &'a MemFs,
    left: Cell<usize>,
    pub(crate) stopped: Cell<bool>,
    /// Whether it lacks the operations that not every file system has.
    is_plain: bool,
    /// What somebody else does right before one of the operations.
    meddling: RefCell<Option<(usize, Meddling<'a>)>>,
}

/// What somebody else does to a file system.
type Meddling<'a> = Box<dyn FnOnce(&MemFs) + 'a>;

impl<'a> StopAfter<'a> {
    pub(crate) fn new(inner: &'a MemFs, operations: usize) -> Self {
        let (left, stopped) = (Cell::new(operations), Cell::new(false));
        Self { inner, left, stopped, is_plain: false, meddling: RefCell::default() }
    }

    /// The same without what not every file system has.
    pub(crate) fn plain(self, is_plain: bool) -> Self {
        Self { is_plain, ..self }
    }

    /// The same with somebody else, who does something before an operation.
    pub(crate) fn meddled(self, before: usize, meddling: impl FnOnce(&MemFs) + 'a) -> Self {
        Self { meddling: RefCell::new(Some((before, Box::new(meddling)))), ..self }
    }

    /// Whether somebody else was there.
    pub(crate) fn was_meddled(&self) -> bool {
        self.meddling.borrow().is_none()
    }
}

impl StopAfter<'_> {
    fn step(&self) -> Result<(), IoError> {
        if let Some((before, meddling)) = self.meddling.take() {
            match before.checked_sub(1) {
                None => meddling(self.inner),
                Some(before) => *self.meddling.borrow_mut() = Some((before, meddling)),
            }
        }
        let Some(left) = self.left.get().checked_sub(1) else {
            self.stopped.set(true);
            return Err(IoError::new(IoErrorKind::Other));
        };
        self.left.set(left);
        Ok(())
    }
}

impl Fs for StopAfter<'_> {
    fn metadata(&self, path: &AbsPath) -> Result<Metadata, IoError> {
        self.inner.metadata(path)
    }
    fn symlink_metadata(&self, path: &AbsPath) -> Result<Metadata, IoError> {
        self.inner.symlink_metadata(path)
    }
    fn read_link(&self, path: &AbsPath) -> Result<String, IoError> {
        self.inner.read_link(path)
    }
    fn read_dir(&self, path: &AbsPath) -> Result<DirEntries<'_>, IoError> {
        self.inner.read_dir(path)
    }
    fn canonicalize(&self, path: &AbsPath) -> Result<AbsPath, IoError> {
        self.inner.canonicalize(path)
    }
    fn read_pieces(
        &self,
        path: &AbsPath,
        visit: &mut dyn FnMut(&[u8]) -> ControlFlow<()>,
    ) -> Result<(), IoError> {
        self.inner.read_pieces(path, visit)
    }
}

impl FsMut for StopAfter<'_> {
    fn create_dir(&self, path: &AbsPath) -> Result<(), IoError> {
        self.step()?;
        self.inner.create_dir(path)
    }
    fn remove_dir(&self, path: &AbsPath) -> Result<(), IoError> {
        self.step()?;
        self.inner.remove_dir(path)
    }
    /// A write that is interrupted leaves a part of the bytes.
    fn create_file_of(
        &self,
        path: &AbsPath,
        bytes: &[u8],
        mode: Option<u32>,
        owner: Option<Owner>,
    ) -> Result<(), IoError> {
        let was_stopped = self.stopped.get();
        if let Err(stopped) = self.step() {
            if !was_stopped {
                drop(self.inner.create_file(path, &bytes[..bytes.len() / 2], mode));
            }
            return Err(stopped);
        }
        self.inner.create_file_of(path, bytes, mode, owner)
    }
    fn create_link(&self, path: &AbsPath, target: &str) -> Result<(), IoError> {
        self.step()?;
        self.inner.create_link(path, target)
    }
    fn rename(&self, from: &AbsPath, to: &AbsPath) -> Result<(), IoError> {
        self.step()?;
        self.inner.rename(from, to)
    }
    fn remove_file(&self, path: &AbsPath) -> Result<(), IoError> {
        self.step()?;
        self.inner.remove_file(path)
    }
    fn rename_new(&self, from: &AbsPath, to: &AbsPath) -> Result<(), IoError> {
        if self.is_plain {
            return Err(IoError::new(IoErrorKind::Unsupported));
        }
        self.step()?;
        self.inner.rename_new(from, to)
    }
    fn exchange(&self, one: &AbsPath, other: &AbsPath) -> Result<(), IoError> {
        if self.is_plain {
            return Err(IoError::new(IoErrorKind::Unsupported));
        }
        self.step()?;
        self.inner.exchange(one, other)
    }
    fn sync_dir(&self, path: &AbsPath) -> Result<(), IoError> {
        self.step()?;
        self.inner.sync_dir(path)
    }
    fn ownership(&self, path: &AbsPath) -> Result<Ownership, IoError> {
        self.inner.ownership(path)
    }
    fn lock(&self, path: &AbsPath, wait: LockWait) -> Result<Box<dyn Lock>, IoError> {
        self.step()?;
        self.inner.lock(path, wait)
    }
    fn lock_dir(&self, path: &AbsPath, wait: LockWait) -> Result<Box<dyn Lock>, IoError> {
        self.inner.lock_dir(path, wait)
    }
}
