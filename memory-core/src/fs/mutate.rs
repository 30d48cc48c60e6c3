use std::collections::BTreeSet;
use std::time::Duration;

use crate::fs::{Fs, IoError};
use crate::path::AbsPath;

/// The write side of a file system; only [`apply`](crate::plan::apply) and
/// [`undo`](crate::plan::undo) take it.
///
/// The bytes of a file are on disk when the operation that writes it returns.
/// The names in a directory are so after [`FsMut::sync_dir`], and after
/// [`FsMut::remove_dir`] and [`FsMut::rename`]: so what a
/// journal says happened has happened even after a crash, and many changes in
/// one directory wait for the disk once.
pub trait FsMut: Fs {
    /// Makes one directory; its parent must be there.
    fn create_dir(&self, path: &AbsPath) -> Result<(), IoError>;

    /// Removes an empty directory.
    fn remove_dir(&self, path: &AbsPath) -> Result<(), IoError>;

    /// Writes a new file with these permission bits, the system's usual ones
    /// for `None`; fails when the path is taken.
    fn create_file(&self, path: &AbsPath, bytes: &[u8], mode: Option<u32>) -> Result<(), IoError> {
        self.create_file_of(path, bytes, mode, None)
    }

    /// The same for a file that is to belong to somebody, to whoever writes for
    /// `None`; nobody else can read it before it does.
    ///
    /// Errors with [`IoErrorKind::ForeignOwner`](crate::fs::IoErrorKind::ForeignOwner)
    /// when the system does not allow that; there is no file then.
    fn create_file_of(
        &self,
        path: &AbsPath,
        bytes: &[u8],
        mode: Option<u32>,
        owner: Option<Owner>,
    ) -> Result<(), IoError>;

    /// Writes new files as [`FsMut::create_file_of`] does and brings the names in
    /// some directories to disk as [`FsMut::sync_dirs`] does, and where there are
    /// many of them waits for the disk once.
    ///
    /// Errors with the file or directory; files before it may be there.
    fn create_files(
        &self,
        files: &[NewFile<'_>],
        dirs: &BTreeSet<AbsPath>,
    ) -> Result<(), (AbsPath, IoError)> {
        for file in files {
            let made = self.create_file_of(&file.path, file.bytes, file.mode, file.owner);
            made.map_err(|error| (file.path.clone(), error))?;
        }
        self.sync_dirs(dirs)
    }

    /// Makes a link with this target; fails when the path is taken.
    fn create_link(&self, path: &AbsPath, target: &str) -> Result<(), IoError>;

    /// Renames a file, a link or a directory; a file in the way is replaced at once.
    fn rename(&self, from: &AbsPath, to: &AbsPath) -> Result<(), IoError>;

    /// Renames a file, a link or a directory; fails when the new name is taken.
    ///
    /// Errors with [`IoErrorKind::Unsupported`](crate::fs::IoErrorKind::Unsupported)
    /// where that is not one step.
    fn rename_new(&self, from: &AbsPath, to: &AbsPath) -> Result<(), IoError>;

    /// Swaps what two names lead to, in one step; both must be there.
    ///
    /// Errors with [`IoErrorKind::Unsupported`](crate::fs::IoErrorKind::Unsupported)
    /// where that is not one step.
    fn exchange(&self, one: &AbsPath, other: &AbsPath) -> Result<(), IoError>;

    /// Brings the names in a directory to disk.
    fn sync_dir(&self, path: &AbsPath) -> Result<(), IoError>;

    /// Brings the names in several directories to disk, and where there are many
    /// of them waits for the disk once; one that is not there is passed over.
    ///
    /// Errors with the directory that could not be brought there.
    fn sync_dirs(&self, dirs: &BTreeSet<AbsPath>) -> Result<(), (AbsPath, IoError)> {
        dirs.iter().try_for_each(|dir| match self.sync_dir(dir) {
            Err(error) if !error.is_absence() => Err((dir.clone(), error)),
            _ => Ok(()),
        })
    }

    /// Removes a file or a link.
    fn remove_file(&self, path: &AbsPath) -> Result<(), IoError>;

    /// To whom a path belongs, and which of all files it is; a link is not followed.
    fn ownership(&self, path: &AbsPath) -> Result<Ownership, IoError>;

    /// Waits for the one lock of that name, making its file where needed.
    ///
    /// The lock is given back when the value is dropped, and by the system when
    /// the process ends. Errors with [`IoErrorKind::Locked`](crate::fs::IoErrorKind)
    /// when somebody else holds it for longer than the wait lasts, and with
    /// [`IoErrorKind::NotAFile`](crate::fs::IoErrorKind) when it is no regular file.
    fn lock(&self, path: &AbsPath, wait: LockWait) -> Result<Box<dyn Lock>, IoError>;

    /// Waits for the one lock of a directory, which is not changed by it.
    fn lock_dir(&self, path: &AbsPath, wait: LockWait) -> Result<Box<dyn Lock>, IoError>;
}

/// How long to wait for a lock that somebody else holds.
#[derive(Clone, Copy, Debug)]
pub struct LockWait {
    /// The longest wait.
    pub longest: Duration,
    /// Called once when the wait has lasted for two seconds, with what is waited for.
    pub notify: fn(&AbsPath),
}

impl LockWait {
    /// After how long a wait is told.
    pub const QUIET: Duration = Duration::from_secs(2);
}

impl Default for LockWait {
    /// Half a minute, without a word.
    fn default() -> Self {
        Self { longest: Duration::from_secs(30), notify: |_| {} }
    }
}

/// A file that is to be written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewFile<'a> {
    /// Where; nothing may be there.
    pub path: AbsPath,
    /// All of its bytes.
    pub bytes: &'a [u8],
    /// Its permission bits, the system's usual ones for `None`.
    pub mode: Option<u32>,
    /// To whom it is to belong, to whoever writes for `None`.
    pub owner: Option<Owner>,
}

/// A held lock; dropping it gives it back.
pub trait Lock {}

/// To whom a file belongs, as Unix counts users and groups.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Owner {
    /// The number of the user.
    pub user: u32,
    /// The number of the group.
    pub group: u32,
}

/// What a program that writes a file anew has to know of the old one beside
/// its bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ownership {
    /// To whom it belongs, or `None` where the system does not say.
    pub owner: Option<Owner>,
    /// How many names (hard links) it has, 1 where the system does not say.
    pub names: u64,
    /// What the system calls this very file, by device and number; no other one
    /// there is has that. `None` where it does not say.
    pub id: Option<(u64, u64)>,
}
