//! Errors: only what leaves no useful answer; all else is a diagnostic.

use std::fmt;

use crate::doc::EditError;
use crate::fs::IoError;
use crate::path::{AbsPath, NotAbsolute};
use crate::words::counted;

/// Why an operation has no useful answer.
///
/// What is odd about *content* is never an error but a
/// [`Diagnostic`](crate::report::Diagnostic).
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A path that must be absolute is not.
    #[error(transparent)]
    NotAbsolute(#[from] NotAbsolute),
    /// A path that the whole answer hangs on does not exist.
    #[error("{what} `{path}` does not exist")]
    NotFound {
        /// What the path was needed for.
        what: PathRole,
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
        what: PathRole,
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
    AlreadyExists {
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
    /// An edit was made for another text than the one there is.
    #[error("`{path}` is not changed: {source}")]
    Edit {
        /// The file.
        path: AbsPath,
        /// What is wrong with the edit.
        source: EditError,
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
    #[error("`{path}` is larger than the {} that are read here", counted(*limit, "byte"))]
    TooLarge {
        /// The file.
        path: AbsPath,
        /// The limit in bytes.
        limit: u64,
    },
    /// The environment names no home directory, and the answer hangs on it.
    #[error("the home directory is not known")]
    HomeUnknown,
    /// There is nothing to read in what is to be remembered.
    #[error("the fact has no text that can be read")]
    Blank,
}

/// What a path was needed for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum PathRole {
    /// A client is started in it.
    StartFolder,
    /// It is a person's home directory.
    HomeDirectory,
    /// A client keeps memories in it.
    MemoryFolder,
    /// It is a whole tree of memories.
    MemoryTree,
    /// Something is to be written into it.
    TargetFolder,
    /// A project was moved to it.
    NewPlace,
}

impl fmt::Display for PathRole {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::StartFolder => "start folder",
            Self::HomeDirectory => "home directory",
            Self::MemoryFolder => "memory folder",
            Self::MemoryTree => "memory tree",
            Self::TargetFolder => "target folder",
            Self::NewPlace => "the new place",
        })
    }
}
