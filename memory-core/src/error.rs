//! Errors: only what leaves no useful answer; all else is a diagnostic.

use std::io;

use crate::AbsPath;

/// Why an operation has no useful answer.
///
/// What is odd about *content* is never an error but a
/// [`Diagnostic`](crate::Diagnostic).
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A path that must be absolute is not.
    #[error("`{path}` is not an absolute path")]
    NotAbsolute {
        /// The text as it was given.
        path: String,
    },
    /// A path that the whole answer hangs on does not exist.
    #[error("{what} `{path}` does not exist")]
    NotFound {
        /// What the path was needed for.
        what: &'static str,
        /// The path.
        path: AbsPath,
    },
    /// No sub-agent has this name.
    #[error("no agent is named `{name}` here")]
    UnknownAgent {
        /// The name.
        name: String,
        /// The names that there are, in the client's order.
        known: Vec<String>,
    },
    /// A path that must be a directory is something else.
    #[error("{what} `{path}` is not a directory")]
    NotADirectory {
        /// What the path was needed for.
        what: &'static str,
        /// The path.
        path: AbsPath,
    },
    /// The system refused to say anything about a path that is needed.
    #[error("cannot read `{path}`: {source}")]
    Io {
        /// The path.
        path: AbsPath,
        /// What the system said.
        source: IoError,
    },
    /// The system refused to write what must be written.
    #[error("cannot write `{path}`: {source}")]
    Write {
        /// The path.
        path: AbsPath,
        /// What the system said.
        source: IoError,
    },
    /// A file that would be replaced or removed is marked as read-only.
    #[error("`{path}` is read-only, so it is neither replaced nor removed")]
    ReadOnly {
        /// The file.
        path: AbsPath,
    },
    /// A file that would be replaced cannot be given to its owner again.
    #[error("`{path}` belongs to another user or group, and would not after it is replaced")]
    ForeignOwner {
        /// The file.
        path: AbsPath,
    },
    /// Somebody wrote where a run was at work, so that it could be neither
    /// finished nor taken back.
    #[error(
        "`{path}` was changed while run {run} was at work; what was there before is in `{kept}`"
    )]
    Conflict {
        /// The run.
        run: String,
        /// The first path that is neither as before nor as planned.
        path: AbsPath,
        /// The folder that keeps what was there before, and what was planned.
        kept: AbsPath,
    },
    /// A plan was made for other bytes than there are now.
    #[error("`{path}` changed since the plan was made; plan again")]
    Stale {
        /// The file.
        path: AbsPath,
    },
    /// A plan creates what is there already.
    #[error("`{path}` exists already")]
    Taken {
        /// The path.
        path: AbsPath,
    },
    /// A plan would write outside the folders it may write to.
    #[error("`{path}` lies outside the folders that may be written")]
    OutsideRoot {
        /// The path.
        path: AbsPath,
    },
    /// A plan changes a path twice.
    #[error("the plan changes `{path}` twice")]
    ChangedTwice {
        /// The path.
        path: AbsPath,
    },
    /// A plan would write through a link.
    #[error("`{path}` is reached through the link `{link}`, which is not written through")]
    ThroughLink {
        /// The path.
        path: AbsPath,
        /// The link.
        link: AbsPath,
    },
    /// A link stands where a file or folder is needed, and leads nowhere.
    #[error("`{path}` is a link to `{target}`, which is not there")]
    DanglingLink {
        /// The link.
        path: AbsPath,
        /// Its target, as it stands in the link.
        target: String,
    },
    /// New text holds a line that stands for text somebody left out.
    #[error("line {line} of the new text for `{path}` stands for text that was left out: {words}")]
    Elision {
        /// The file that the text is for.
        path: AbsPath,
        /// The line, counted from 1.
        line: u32,
        /// The words.
        words: String,
    },
    /// A run cannot be undone because something changed since.
    #[error("`{path}` changed since run {run}; undoing it would lose that change")]
    ChangedSince {
        /// The run.
        run: String,
        /// The path.
        path: AbsPath,
    },
    /// There is no such run, or it is undone already.
    #[error("there is no run {run} to undo")]
    NoSuchRun {
        /// The run.
        run: String,
    },
    /// The journal holds what no version of this library wrote.
    #[error(
        "the journal's `{path}` cannot be used: {why}; move its folder away to go on without it"
    )]
    Journal {
        /// The file.
        path: AbsPath,
        /// What is wrong with it.
        why: String,
    },
    /// The record of earlier ports holds what no version of this library wrote.
    #[error("the manifest `{path}` cannot be used: {why}; mend it, or move it away to port anew")]
    Manifest {
        /// The file.
        path: AbsPath,
        /// What is wrong with it.
        why: String,
    },
    /// A file that the answer hangs on is larger than what is read here.
    #[error("`{path}` is larger than the {} that are read here", crate::counted(*limit, "byte"))]
    TooLarge {
        /// The file.
        path: AbsPath,
        /// The limit in bytes.
        limit: u64,
    },
    /// The environment lacks something without which there is no answer.
    #[error("{what} is not known")]
    Unknown {
        /// What is missing, for example "the home directory".
        what: &'static str,
    },
}

/// What a file system answered instead of the thing asked for.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct IoError {
    /// The kind, for decisions.
    pub kind: IoErrorKind,
    /// The system's own words, for people.
    pub message: String,
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
    /// The path is taken.
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
        let message = match kind {
            IoErrorKind::NotFound => "No such file or directory (os error 2)",
            IoErrorKind::NotADirectory => "Not a directory (os error 20)",
            IoErrorKind::IsADirectory => "Is a directory (os error 21)",
            IoErrorKind::PermissionDenied => "Permission denied (os error 13)",
            IoErrorKind::Loop => "Too many levels of symbolic links (os error 40)",
            IoErrorKind::NameTooLong => "File name too long (os error 36)",
            IoErrorKind::NotAFile => "not a regular file",
            IoErrorKind::AlreadyExists => "File exists (os error 17)",
            IoErrorKind::NoSpace => "No space left on device (os error 28)",
            IoErrorKind::ReadOnlyFileSystem => "Read-only file system (os error 30)",
            IoErrorKind::ForeignOwner => "Operation not permitted (os error 1)",
            IoErrorKind::Locked => "another run holds it and does not end",
            IoErrorKind::Unsupported => "Operation not supported (os error 95)",
            IoErrorKind::Other => "input/output error",
        };
        Self { kind, message: message.to_owned() }
    }

    /// Whether the path is simply not there: no such name, or a file in its middle.
    pub fn is_absence(&self) -> bool {
        matches!(self.kind, IoErrorKind::NotFound | IoErrorKind::NotADirectory)
    }

    pub(crate) fn from_io(error: &io::Error) -> Self {
        let kind = match error.kind() {
            io::ErrorKind::NotFound => IoErrorKind::NotFound,
            io::ErrorKind::NotADirectory => IoErrorKind::NotADirectory,
            io::ErrorKind::IsADirectory => IoErrorKind::IsADirectory,
            io::ErrorKind::PermissionDenied => IoErrorKind::PermissionDenied,
            io::ErrorKind::AlreadyExists => IoErrorKind::AlreadyExists,
            io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => IoErrorKind::NoSpace,
            io::ErrorKind::ReadOnlyFilesystem => IoErrorKind::ReadOnlyFileSystem,
            io::ErrorKind::InvalidFilename => IoErrorKind::NameTooLong,
            _ => Self::kind_of_code(error.raw_os_error()),
        };
        Self { kind, message: error.to_string() }
    }

    #[cfg(all(unix, feature = "os"))]
    fn kind_of_code(code: Option<i32>) -> IoErrorKind {
        match code {
            Some(libc::ELOOP) => IoErrorKind::Loop,
            Some(libc::ENAMETOOLONG) => IoErrorKind::NameTooLong,
            _ => IoErrorKind::Other,
        }
    }

    #[cfg(not(all(unix, feature = "os")))]
    fn kind_of_code(_: Option<i32>) -> IoErrorKind {
        IoErrorKind::Other
    }
}
