#![expect(
    clippy::disallowed_methods,
    clippy::disallowed_types,
    reason = "the one place that touches the real file system"
)]

use std::ffi::OsString;
use std::fs;
use std::io::{self, Read as _, Seek as _, SeekFrom};
use std::ops::ControlFlow;
use std::path::PathBuf;

use crate::fs::{DirEntries, DirEntry, FileKind, Fs, IoError, IoErrorKind, Metadata};
use crate::path::AbsPath;
use crate::path::name_from_bytes;
use crate::world::Env;

mod write;

/// How many bytes are read at once, at most.
const LONGEST_PIECE: usize = 64 * 1024;

/// How many are read at least: files of the system's own say that they are empty.
const SHORTEST_PIECE: usize = 4 * 1024;

/// The file system of this machine.
///
/// The only place of the libraries that touches it. Pipes, sockets and devices
/// are never opened, and a file is opened without waiting, so that a pipe put
/// in its place at the last moment cannot stop the program.
#[derive(Clone, Copy, Debug, Default)]
pub struct OsFs;

impl Env {
    /// The environment of this process, names and values that are not UTF-8 included.
    pub fn current() -> Self {
        Self::from_vars(std::env::vars_os())
    }
}

impl Fs for OsFs {
    fn metadata(&self, path: &AbsPath) -> Result<Metadata, IoError> {
        Ok(metadata(&fs::metadata(native(path))?))
    }

    fn symlink_metadata(&self, path: &AbsPath) -> Result<Metadata, IoError> {
        Ok(metadata(&fs::symlink_metadata(native(path))?))
    }

    fn read_link(&self, path: &AbsPath) -> Result<String, IoError> {
        Ok(portable(fs::read_link(native(path))?.into_os_string()))
    }

    fn read_dir(&self, path: &AbsPath) -> Result<DirEntries<'_>, IoError> {
        let entries = fs::read_dir(native(path))?;
        Ok(Box::new(entries.map(|entry| {
            let entry = entry?;
            Ok(DirEntry { kind: kind(entry.file_type()?), name: portable(entry.file_name()) })
        })))
    }

    fn canonicalize(&self, path: &AbsPath) -> Result<AbsPath, IoError> {
        let real = fs::canonicalize(native(path))?;
        AbsPath::new(portable(real.into_os_string())).map_err(|_| IoError::new(IoErrorKind::Other))
    }

    fn read_pieces(
        &self,
        path: &AbsPath,
        visit: &mut dyn FnMut(&[u8]) -> ControlFlow<()>,
    ) -> Result<(), IoError> {
        self.read_pieces_from(path, 0, visit)
    }

    fn read_pieces_from(
        &self,
        path: &AbsPath,
        offset: u64,
        visit: &mut dyn FnMut(&[u8]) -> ControlFlow<()>,
    ) -> Result<(), IoError> {
        let (mut file, found) = open(path)?;
        if offset > 0 {
            file.seek(SeekFrom::Start(offset))?;
        }
        // Room for the whole of a small file and the look that finds its end.
        let len = usize::try_from(found.len().saturating_sub(offset)).unwrap_or(LONGEST_PIECE);
        let mut piece = vec![0; len.saturating_add(1).clamp(SHORTEST_PIECE, LONGEST_PIECE)];
        loop {
            let count = match file.read(&mut piece) {
                Ok(0) => return Ok(()),
                Ok(count) => count,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                Err(error) => return Err(error.into()),
            };
            if visit(piece.get(..count).unwrap_or_default()).is_break() {
                return Ok(());
            }
        }
    }

    fn read_up_to(&self, path: &AbsPath, limit: u64) -> Result<Vec<u8>, IoError> {
        let (file, found) = open(path)?;
        // What a file says of its length is no promise: only room is made by it.
        let room = usize::try_from(found.len().min(limit)).unwrap_or_default();
        let mut bytes = Vec::new();
        bytes.try_reserve_exact(room).map_err(io::Error::from)?;
        file.take(limit).read_to_end(&mut bytes)?;
        Ok(bytes)
    }

    fn read_with_metadata(
        &self,
        path: &AbsPath,
        limit: u64,
    ) -> Result<(Metadata, Vec<u8>), IoError> {
        // Ask before opening: opening a device can already do something.
        refuse_unless_file(&fs::metadata(native(path))?)?;
        self.read_known_file(path, limit)
    }

    fn read_known_file(&self, path: &AbsPath, limit: u64) -> Result<(Metadata, Vec<u8>), IoError> {
        let (file, found) = open_known(path)?;
        if found.len() == 0 {
            // Files of the system's own say that they are empty, and are not.
            return Ok((metadata(&found), read_all(file, limit)?));
        }
        let room = found.len().min(limit);
        let mut bytes = Vec::with_capacity(usize::try_from(room).unwrap_or_default());
        file.take(room).read_to_end(&mut bytes)?;
        Ok((metadata(&found), bytes))
    }
}

fn read_all(file: fs::File, limit: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    file.take(limit).read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// Opens a regular file and nothing else.
fn open(path: &AbsPath) -> Result<(fs::File, fs::Metadata), IoError> {
    // Ask before opening: opening a device can already do something.
    refuse_unless_file(&fs::metadata(native(path))?)?;
    open_known(path)
}

/// Opens what was seen to be a regular file, without waiting if it is none now.
fn open_known(path: &AbsPath) -> Result<(fs::File, fs::Metadata), IoError> {
    let file = open_without_waiting().open(native(path))?;
    let found = file.metadata()?;
    refuse_unless_file(&found)?;
    Ok((file, found))
}

fn refuse_unless_file(found: &fs::Metadata) -> Result<(), IoError> {
    match kind(found.file_type()) {
        FileKind::File => Ok(()),
        FileKind::Dir => Err(IoError::new(IoErrorKind::IsADirectory)),
        FileKind::Symlink | FileKind::Special => Err(IoError::new(IoErrorKind::NotAFile)),
    }
}

fn metadata(found: &fs::Metadata) -> Metadata {
    #[cfg(unix)]
    let mode = Some(std::os::unix::fs::PermissionsExt::mode(&found.permissions()) & 0o7777);
    #[cfg(not(unix))]
    let mode = None;
    Metadata {
        kind: kind(found.file_type()),
        len: found.len(),
        modified: found.modified().ok(),
        mode,
    }
}

fn kind(found: fs::FileType) -> FileKind {
    if found.is_symlink() {
        FileKind::Symlink
    } else if found.is_dir() {
        FileKind::Dir
    } else if found.is_file() {
        FileKind::File
    } else {
        FileKind::Special
    }
}

#[cfg(unix)]
fn open_without_waiting() -> fs::OpenOptions {
    use std::os::unix::fs::OpenOptionsExt as _;

    use rustix::fs::OFlags;
    let mut options = fs::OpenOptions::new();
    let flags = (OFlags::NONBLOCK | OFlags::NOCTTY).bits();
    options.read(true).custom_flags(flags.cast_signed());
    options
}

#[cfg(not(unix))]
fn open_without_waiting() -> fs::OpenOptions {
    let mut options = fs::OpenOptions::new();
    options.read(true);
    options
}

fn native(path: &AbsPath) -> PathBuf {
    path.to_path_buf()
}

#[cfg(unix)]
fn portable(name: OsString) -> String {
    use std::os::unix::ffi::OsStringExt as _;
    name_from_bytes(&name.into_vec())
}

#[cfg(not(unix))]
fn portable(name: OsString) -> String {
    let text = name.to_string_lossy().replace('\\', "/");
    name_from_bytes(text.strip_prefix("//?/").unwrap_or(&text).as_bytes())
}
