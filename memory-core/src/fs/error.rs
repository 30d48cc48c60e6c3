//! What a file system answers instead of the thing asked for.

use std::{fmt, io};

/// What a file system answered instead of the thing asked for.
///
/// Printed, it is what the system says. The words are made only then: most of
/// these answers say that something is not there, and nobody reads them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct IoError {
    /// The kind, for decisions.
    pub kind: IoErrorKind,
    pub(super) words: Words,
}

/// Where the words of an error come from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Words {
    /// Those that Linux uses for the kind.
    OfKind,
    /// The system's own, by the number of the error.
    OfCode(i32),
    /// Those of the standard library, for what has no number.
    OfLibrary(io::ErrorKind),
    /// Those that somebody gave.
    Given(&'static str),
}

/// The answers of a file system that clients tell apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum IoErrorKind {
    /// No such file or directory.
    NotFound,
    /// A part of the path is a file.
    NotADirectory,
    /// The path is a directory.
    IsADirectory,
    /// Not allowed.
    PermissionDenied,
    /// Too many symbolic links.
    Loop,
    /// A name is too long for the system.
    NameTooLong,
    /// A pipe, a socket or a device where a regular file is needed.
    NotAFile,
    /// The path exists already.
    AlreadyExists,
    /// No space is left.
    NoSpace,
    /// The file system can only be read.
    ReadOnlyFileSystem,
    /// A file cannot be given to its owner.
    ForeignOwner,
    /// Somebody else holds the lock of the path.
    Locked,
    /// The file system has no such operation.
    Unsupported,
    /// Anything else.
    Other,
}

impl IoError {
    /// An error of this kind with the words that Linux uses for it.
    pub fn new(kind: IoErrorKind) -> Self {
        Self { kind, words: Words::OfKind }
    }

    /// An error of no kind of the system's, in these words.
    pub fn in_words(words: &'static str) -> Self {
        Self { kind: IoErrorKind::Other, words: Words::Given(words) }
    }

    /// Whether the path is simply not there: no such name, or a file in its middle.
    pub fn is_absence(&self) -> bool {
        matches!(self.kind, IoErrorKind::NotFound | IoErrorKind::NotADirectory)
    }

    /// The number and the words that Linux has for a kind.
    fn on_linux(kind: IoErrorKind) -> (Option<i32>, &'static str) {
        match kind {
            IoErrorKind::NotFound => (Some(2), "No such file or directory"),
            IoErrorKind::NotADirectory => (Some(20), "Not a directory"),
            IoErrorKind::IsADirectory => (Some(21), "Is a directory"),
            IoErrorKind::PermissionDenied => (Some(13), "Permission denied"),
            IoErrorKind::Loop => (Some(40), "Too many levels of symbolic links"),
            IoErrorKind::NameTooLong => (Some(36), "File name too long"),
            IoErrorKind::NotAFile => (None, "not a regular file"),
            IoErrorKind::AlreadyExists => (Some(17), "File exists"),
            IoErrorKind::NoSpace => (Some(28), "No space left on device"),
            IoErrorKind::ReadOnlyFileSystem => (Some(30), "Read-only file system"),
            IoErrorKind::ForeignOwner => (Some(1), "Operation not permitted"),
            IoErrorKind::Locked => (None, "another run holds it and does not end"),
            IoErrorKind::Unsupported => (Some(95), "Operation not supported"),
            IoErrorKind::Other => (None, "input/output error"),
        }
    }
}

impl fmt::Display for IoError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.words {
            Words::OfKind => match Self::on_linux(self.kind) {
                (Some(number), words) => write!(f, "{words} (os error {number})"),
                (None, words) => f.write_str(words),
            },
            Words::OfCode(code) => io::Error::from_raw_os_error(code).fmt(f),
            Words::Given(words) => f.write_str(words),
            Words::OfLibrary(kind) => io::Error::from(kind).fmt(f),
        }
    }
}

impl std::error::Error for IoError {}

impl From<io::Error> for IoError {
    fn from(error: io::Error) -> Self {
        let code = error.raw_os_error();
        let kind = match error.kind() {
            io::ErrorKind::NotFound => IoErrorKind::NotFound,
            io::ErrorKind::NotADirectory => IoErrorKind::NotADirectory,
            io::ErrorKind::IsADirectory => IoErrorKind::IsADirectory,
            io::ErrorKind::PermissionDenied => IoErrorKind::PermissionDenied,
            io::ErrorKind::AlreadyExists => IoErrorKind::AlreadyExists,
            io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => IoErrorKind::NoSpace,
            io::ErrorKind::ReadOnlyFilesystem => IoErrorKind::ReadOnlyFileSystem,
            io::ErrorKind::InvalidFilename => IoErrorKind::NameTooLong,
            _ => kind_of_code(code),
        };
        let is_as_on_linux = cfg!(target_os = "linux") && code == Self::on_linux(kind).0;
        let words = match code {
            Some(_) if is_as_on_linux => Words::OfKind,
            Some(code) => Words::OfCode(code),
            None => Words::OfLibrary(error.kind()),
        };
        Self { kind, words }
    }
}

#[cfg(all(unix, feature = "os"))]
fn kind_of_code(code: Option<i32>) -> IoErrorKind {
    use rustix::io::Errno;

    match code.map(Errno::from_raw_os_error) {
        Some(Errno::LOOP) => IoErrorKind::Loop,
        Some(Errno::NAMETOOLONG) => IoErrorKind::NameTooLong,
        _ => IoErrorKind::Other,
    }
}

#[cfg(not(all(unix, feature = "os")))]
fn kind_of_code(_: Option<i32>) -> IoErrorKind {
    IoErrorKind::Other
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;

    #[test]
    fn the_words_are_those_of_the_system() {
        for code in [1, 2, 13, 17, 20, 21, 28, 30, 36, 40, 95, 5, 122] {
            let system = io::Error::from_raw_os_error(code);
            let words = system.to_string();
            assert_eq!(IoError::from(system).to_string(), words);
        }
        let made = io::Error::from(io::ErrorKind::OutOfMemory);
        assert_eq!(IoError::from(io::Error::from(made.kind())).to_string(), made.to_string());
        let absent = IoError::from(io::Error::from_raw_os_error(2));
        assert_eq!(absent, IoError::new(IoErrorKind::NotFound));
    }
}
