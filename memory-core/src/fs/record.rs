use std::cell::{Cell, RefCell};
use std::collections::BTreeSet;
use std::ops::ControlFlow;

use crate::fs::{DirEntries, Fs, IoError, Metadata};
use crate::path::AbsPath;

/// What an answer depends on: a watcher of these paths knows when to ask again.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Probes {
    /// Files and directories that were there and were looked at.
    pub read: BTreeSet<AbsPath>,
    /// Paths that were looked for and were not there: creating one may change the answer.
    pub missing: BTreeSet<AbsPath>,
}

impl Probes {
    /// Adds what another part of the answer depends on.
    pub fn extend(&mut self, other: Self) {
        self.read.extend(other.read);
        self.missing.extend(other.missing);
    }
}

/// A file system that notes every path it is asked for.
///
/// ```
/// use memory_core::AbsPath;
/// use memory_core::fs::{Fs, MemFs, Recorder};
///
/// let fs = MemFs::from_files([("/repo/AGENTS.md", "hi")]);
/// let seen = Recorder::new(&fs);
/// seen.read_up_to(&AbsPath::new("/repo/AGENTS.md")?, 10).unwrap();
/// let _ = seen.metadata(&AbsPath::new("/repo/CLAUDE.md")?);
/// assert_eq!(seen.calls(), 2);
/// assert_eq!(seen.probes().missing.len(), 1);
/// # Ok::<(), memory_core::Error>(())
/// ```
pub struct Recorder<'a> {
    inner: &'a dyn Fs,
    probes: RefCell<Probes>,
    calls: Cell<u64>,
}

impl<'a> Recorder<'a> {
    /// Watches what is asked of `inner`.
    pub fn new(inner: &'a dyn Fs) -> Self {
        Self { inner, probes: RefCell::default(), calls: Cell::new(0) }
    }

    /// How many calls were made: a measure of cost that does not depend on the machine.
    pub fn calls(&self) -> u64 {
        self.calls.get()
    }

    /// The paths seen so far.
    pub fn probes(&self) -> Probes {
        self.probes.borrow().clone()
    }

    fn note<T>(&self, path: &AbsPath, answer: Result<T, IoError>) -> Result<T, IoError> {
        self.calls.set(self.calls.get() + 1);
        let mut probes = self.probes.borrow_mut();
        match &answer {
            Err(error) if error.is_absence() => probes.missing.insert(path.clone()),
            _ => probes.read.insert(path.clone()),
        };
        answer
    }
}

impl Fs for Recorder<'_> {
    fn metadata(&self, path: &AbsPath) -> Result<Metadata, IoError> {
        self.note(path, self.inner.metadata(path))
    }

    fn symlink_metadata(&self, path: &AbsPath) -> Result<Metadata, IoError> {
        self.note(path, self.inner.symlink_metadata(path))
    }

    fn read_link(&self, path: &AbsPath) -> Result<String, IoError> {
        self.note(path, self.inner.read_link(path))
    }

    fn read_dir(&self, path: &AbsPath) -> Result<DirEntries<'_>, IoError> {
        self.note(path, self.inner.read_dir(path))
    }

    fn canonicalize(&self, path: &AbsPath) -> Result<AbsPath, IoError> {
        self.note(path, self.inner.canonicalize(path))
    }

    fn read_pieces(
        &self,
        path: &AbsPath,
        visit: &mut dyn FnMut(&[u8]) -> ControlFlow<()>,
    ) -> Result<(), IoError> {
        self.note(path, self.inner.read_pieces(path, visit))
    }

    fn read_with_metadata(
        &self,
        path: &AbsPath,
        limit: u64,
    ) -> Result<(Metadata, Vec<u8>), IoError> {
        self.note(path, self.inner.read_with_metadata(path, limit))
    }

    fn read_known_file(&self, path: &AbsPath, limit: u64) -> Result<(Metadata, Vec<u8>), IoError> {
        self.note(path, self.inner.read_known_file(path, limit))
    }
}
