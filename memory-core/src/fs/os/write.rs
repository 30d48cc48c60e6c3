#![expect(
    clippy::disallowed_methods,
    clippy::disallowed_types,
    reason = "the one place that touches the real file system"
)]

#[cfg(target_os = "linux")]
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io::{self, Write as _};
use std::thread;
use std::time::{Duration, Instant};

use super::{OsFs, native};
use crate::fs::{FsMut, IoError, IoErrorKind, Lock, LockWait, NewFile, Owner, Ownership};
use crate::path::AbsPath;
use crate::path::name_to_bytes;

/// From how many files or folders on the whole disk is waited for.
#[cfg(target_os = "linux")]
const MANY: usize = 16;

/// Waits for the disks of some folders: one wait for each costs less than one
/// for each file.
#[cfg(target_os = "linux")]
fn sync_disks<'a>(dirs: impl IntoIterator<Item = &'a AbsPath>) -> io::Result<()> {
    let mut disks = BTreeMap::new();
    for dir in dirs {
        if let Ok(found) = fs::metadata(native(dir)) {
            disks.entry(std::os::unix::fs::MetadataExt::dev(&found)).or_insert(dir);
        }
    }
    disks.into_values().try_for_each(|dir| Ok(rustix::fs::syncfs(fs::File::open(native(dir))?)?))
}

/// Waits for one folder after the other.
#[cfg(target_os = "linux")]
fn sync_each(dirs: &BTreeSet<AbsPath>) -> Result<(), (AbsPath, IoError)> {
    dirs.iter().try_for_each(|dir| match sync_dir(dir) {
        Err(error) if !error.is_absence() => Err((dir.clone(), error)),
        _ => Ok(()),
    })
}

impl FsMut for OsFs {
    fn create_dir(&self, path: &AbsPath) -> Result<(), IoError> {
        Ok(fs::create_dir(native(path))?)
    }

    fn remove_dir(&self, path: &AbsPath) -> Result<(), IoError> {
        fs::remove_dir(native(path))?;
        sync_parent(path)
    }

    fn create_file_of(
        &self,
        path: &AbsPath,
        bytes: &[u8],
        mode: Option<u32>,
        owner: Option<Owner>,
    ) -> Result<(), IoError> {
        let file = write_new(path, bytes, mode, owner)?;
        or_remove(path, file.sync_all().map_err(IoError::from))
    }

    #[cfg(target_os = "linux")]
    fn create_files(
        &self,
        files: &[NewFile<'_>],
        dirs: &BTreeSet<AbsPath>,
    ) -> Result<(), (AbsPath, IoError)> {
        let at = |path: &AbsPath, error| (path.clone(), error);
        let is_many = files.len() >= MANY;
        for NewFile { path, bytes, mode, owner } in files {
            let made = if is_many {
                write_new(path, bytes, *mode, *owner).map(drop)
            } else {
                self.create_file_of(path, bytes, *mode, *owner)
            };
            made.map_err(|error| at(path, error))?;
        }
        if !is_many {
            return self.sync_dirs(dirs);
        }
        let parents: BTreeSet<_> = files.iter().filter_map(|file| file.path.parent()).collect();
        if sync_disks(parents.union(dirs)).is_ok() {
            return Ok(());
        }
        for NewFile { path, .. } in files {
            let synced = fs::File::open(native(path)).and_then(|file| file.sync_all());
            synced.map_err(|error| at(path, error.into()))?;
        }
        sync_each(dirs)
    }

    fn create_link(&self, path: &AbsPath, target: &str) -> Result<(), IoError> {
        make_link(&name_to_bytes(target), &native(path))
    }

    fn rename(&self, from: &AbsPath, to: &AbsPath) -> Result<(), IoError> {
        fs::rename(native(from), native(to))?;
        if from.parent() != to.parent() {
            sync_parent(from)?;
        }
        sync_parent(to)
    }

    fn rename_new(&self, from: &AbsPath, to: &AbsPath) -> Result<(), IoError> {
        rename_with(from, to, Rename::New)
    }

    fn exchange(&self, one: &AbsPath, other: &AbsPath) -> Result<(), IoError> {
        rename_with(one, other, Rename::Exchange)
    }

    fn sync_dir(&self, path: &AbsPath) -> Result<(), IoError> {
        sync_dir(path)
    }

    #[cfg(target_os = "linux")]
    fn sync_dirs(&self, dirs: &BTreeSet<AbsPath>) -> Result<(), (AbsPath, IoError)> {
        // A disk that cannot be waited for as a whole has folders that can.
        if dirs.len() < MANY || sync_disks(dirs).is_err() {
            return sync_each(dirs);
        }
        Ok(())
    }

    fn remove_file(&self, path: &AbsPath) -> Result<(), IoError> {
        Ok(fs::remove_file(native(path))?)
    }

    fn ownership(&self, path: &AbsPath) -> Result<Ownership, IoError> {
        Ok(ownership(&fs::symlink_metadata(native(path))?))
    }

    fn lock(&self, path: &AbsPath, wait: LockWait) -> Result<Box<dyn Lock>, IoError> {
        // A pipe would wait for its other end.
        match fs::metadata(native(path)) {
            Ok(found) if found.is_dir() => return Err(IoError::new(IoErrorKind::IsADirectory)),
            Ok(found) if !found.is_file() => return Err(IoError::new(IoErrorKind::NotAFile)),
            _ => {}
        }
        let file =
            fs::OpenOptions::new().create(true).truncate(false).write(true).open(native(path))?;
        OsLock::wait_for(file, path, wait)
    }

    fn lock_dir(&self, path: &AbsPath, wait: LockWait) -> Result<Box<dyn Lock>, IoError> {
        if !fs::metadata(native(path))?.is_dir() {
            return Err(IoError::new(IoErrorKind::NotADirectory));
        }
        OsLock::wait_for(fs::File::open(native(path))?, path, wait)
    }
}

/// Writes a new file without waiting for the disk.
fn write_new(
    path: &AbsPath,
    bytes: &[u8],
    mode: Option<u32>,
    owner: Option<Owner>,
) -> Result<fs::File, IoError> {
    // What is to be given away is nobody else's to read until it is.
    let first = if owner.is_some() { mode.map(|mode| mode & 0o700) } else { mode };
    let mut file = new_file(first).open(native(path))?;
    let written = write_whole(&mut file, bytes, mode, owner);
    or_remove(path, written.map(|()| file))
}

/// Removes a file that could not be written whole.
fn or_remove<T>(path: &AbsPath, written: Result<T, IoError>) -> Result<T, IoError> {
    if written.is_err() {
        // Its own error says more than that of a cleaning that failed.
        drop(fs::remove_file(native(path)));
    }
    written
}

fn write_whole(
    file: &mut fs::File,
    bytes: &[u8],
    mode: Option<u32>,
    owner: Option<Owner>,
) -> Result<(), IoError> {
    file.write_all(bytes)?;
    if let Some(owner) = owner {
        give_to(file, owner)?;
    }
    mode.map_or(Ok(()), |mode| set_mode(file, mode))
}

/// A renaming that is no plain one.
#[derive(Clone, Copy)]
enum Rename {
    /// The new name must be free.
    New,
    /// Both names are swapped.
    Exchange,
}

#[cfg(any(target_os = "linux", target_os = "android", target_vendor = "apple"))]
fn rename_with(from: &AbsPath, to: &AbsPath, how: Rename) -> Result<(), IoError> {
    use rustix::fs::{CWD, RenameFlags, renameat_with};
    use rustix::io::Errno;
    let flags = match how {
        Rename::New => RenameFlags::NOREPLACE,
        Rename::Exchange => RenameFlags::EXCHANGE,
    };
    renameat_with(CWD, native(from), CWD, native(to), flags).map_err(|error| match error {
        Errno::INVAL | Errno::NOSYS | Errno::NOTSUP => IoError::new(IoErrorKind::Unsupported),
        _ => io::Error::from(error).into(),
    })
}

#[cfg(not(any(target_os = "linux", target_os = "android", target_vendor = "apple")))]
fn rename_with(_: &AbsPath, _: &AbsPath, _: Rename) -> Result<(), IoError> {
    Err(IoError::new(IoErrorKind::Unsupported))
}

/// Gives a file to a user and a group where it is not theirs already.
#[cfg(unix)]
fn give_to(file: &fs::File, owner: Owner) -> Result<(), IoError> {
    let Some(now) = ownership(&file.metadata()?).owner else { return Ok(()) };
    let user = (now.user != owner.user).then_some(owner.user);
    let group = (now.group != owner.group).then_some(owner.group);
    if user.is_none() && group.is_none() {
        return Ok(());
    }
    std::os::unix::fs::fchown(file, user, group)
        .map_err(|error| IoError { kind: IoErrorKind::ForeignOwner, ..error.into() })
}

#[cfg(not(unix))]
fn give_to(_: &fs::File, _: Owner) -> Result<(), IoError> {
    Ok(())
}

#[cfg(unix)]
fn ownership(found: &fs::Metadata) -> Ownership {
    use std::os::unix::fs::MetadataExt as _;
    let owner = Some(Owner { user: found.uid(), group: found.gid() });
    Ownership { owner, names: found.nlink(), id: Some((found.dev(), found.ino())) }
}

#[cfg(not(unix))]
fn ownership(_: &fs::Metadata) -> Ownership {
    Ownership { owner: None, names: 1, id: None }
}

/// Private bytes are never readable to others, not even for a moment.
#[cfg(unix)]
fn new_file(mode: Option<u32>) -> fs::OpenOptions {
    use std::os::unix::fs::OpenOptionsExt as _;
    let mut options = fs::OpenOptions::new();
    options.write(true).create_new(true);
    if let Some(mode) = mode {
        options.mode(mode);
    }
    options
}

#[cfg(not(unix))]
fn new_file(_: Option<u32>) -> fs::OpenOptions {
    let mut options = fs::OpenOptions::new();
    options.write(true).create_new(true);
    options
}

/// An open, locked file: closing it gives the lock back.
struct OsLock {
    _file: fs::File,
}

impl Lock for OsLock {}

impl OsLock {
    /// How often a lock that somebody else holds is asked for again.
    const PAUSE: Duration = Duration::from_millis(20);

    fn wait_for(file: fs::File, path: &AbsPath, wait: LockWait) -> Result<Box<dyn Lock>, IoError> {
        let began = Instant::now();
        let mut is_told = false;
        loop {
            match file.try_lock() {
                Ok(()) => return Ok(Box::new(Self { _file: file })),
                Err(fs::TryLockError::Error(error)) => return Err(error.into()),
                Err(fs::TryLockError::WouldBlock) => {}
            }
            let waited = began.elapsed();
            if waited >= wait.longest {
                return Err(IoError::new(IoErrorKind::Locked));
            }
            if waited >= LockWait::QUIET && !is_told {
                (wait.notify)(path);
                is_told = true;
            }
            thread::sleep(Self::PAUSE.min(wait.longest.saturating_sub(waited)));
        }
    }
}

fn sync_parent(path: &AbsPath) -> Result<(), IoError> {
    path.parent().map_or(Ok(()), |parent| sync_dir(&parent))
}

#[cfg(unix)]
fn sync_dir(path: &AbsPath) -> Result<(), IoError> {
    Ok(fs::File::open(native(path))?.sync_all()?)
}

#[cfg(not(unix))]
fn sync_dir(_: &AbsPath) -> Result<(), IoError> {
    Ok(())
}

#[cfg(unix)]
fn set_mode(file: &fs::File, mode: u32) -> Result<(), IoError> {
    use std::os::unix::fs::PermissionsExt as _;
    Ok(file.set_permissions(fs::Permissions::from_mode(mode))?)
}

#[cfg(not(unix))]
fn set_mode(_: &fs::File, _: u32) -> Result<(), IoError> {
    Ok(())
}

#[cfg(unix)]
fn make_link(target: &[u8], path: &std::path::Path) -> Result<(), IoError> {
    use std::os::unix::ffi::OsStrExt as _;
    Ok(std::os::unix::fs::symlink(std::ffi::OsStr::from_bytes(target), path)?)
}

#[cfg(not(unix))]
fn make_link(_: &[u8], _: &std::path::Path) -> Result<(), IoError> {
    Err(IoError::new(IoErrorKind::Other))
}
