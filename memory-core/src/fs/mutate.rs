use crate::{AbsPath, Fs, IoError};

/// The write side of a file system; only [`apply`](crate::apply) and
/// [`undo`](crate::undo) take it.
///
/// Each operation is on disk when it returns, so that what a journal says
/// happened has happened even after a crash.
pub trait FsMut: Fs {
    /// Makes one directory; its parent must be there.
    fn create_dir(&self, path: &AbsPath) -> Result<(), IoError>;

    /// Removes an empty directory.
    fn remove_dir(&self, path: &AbsPath) -> Result<(), IoError>;

    /// Writes a new file with these permission bits, the system's usual ones
    /// for `None`; fails when the path is taken.
    fn create_file(&self, path: &AbsPath, bytes: &[u8], mode: Option<u32>) -> Result<(), IoError>;

    /// Makes a link with this target; fails when the path is taken.
    fn create_link(&self, path: &AbsPath, target: &str) -> Result<(), IoError>;

    /// Renames a file, a link or a directory; a file in the way is replaced at once.
    fn rename(&self, from: &AbsPath, to: &AbsPath) -> Result<(), IoError>;

    /// Removes a file or a link.
    fn remove_file(&self, path: &AbsPath) -> Result<(), IoError>;

    /// Waits for the one lock of that name, making its file where needed.
    ///
    /// The lock is given back when the value is dropped, and by the system when
    /// the process ends.
    fn lock(&self, path: &AbsPath) -> Result<Box<dyn Lock>, IoError>;
}

/// A held lock; dropping it gives it back.
pub trait Lock {}
