//! Why a command did not do what was asked.

use std::fmt::Display;

use memory_core::fs::{IoError, IoErrorKind};
use memory_core::{AbsPath, Error, NotAbsolute, PathRole};
use memory_git::GitError;

/// What kind of failure it is; the number is the exit code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum FailureKind {
    /// It would do what was not agreed to.
    NotAgreed = 1,
    /// The command line does not make sense.
    Usage = 2,
    /// The system or the place does not allow it.
    Impossible = 3,
}

/// Why a command did not do what was asked, in one line, and what to do about it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Failure {
    pub(crate) kind: FailureKind,
    pub(crate) message: String,
    pub(crate) hint: String,
}

impl Failure {
    pub(crate) fn not_agreed(message: impl Into<String>, hint: impl Into<String>) -> Self {
        Self { kind: FailureKind::NotAgreed, message: message.into(), hint: hint.into() }
    }

    pub(crate) fn usage(message: impl Into<String>, hint: impl Into<String>) -> Self {
        Self { kind: FailureKind::Usage, message: message.into(), hint: hint.into() }
    }

    pub(crate) fn impossible(message: impl Into<String>, hint: impl Into<String>) -> Self {
        Self { kind: FailureKind::Impossible, message: message.into(), hint: hint.into() }
    }

    /// A path that is needed cannot be used; `missing` is the hint when it is not there.
    pub(crate) fn at(what: impl Display, path: &AbsPath, source: IoError, missing: &str) -> Self {
        if source.is_absence() {
            return Self::impossible(format!("{what} `{path}` does not exist"), missing);
        }
        Error::Io { path: path.clone(), source }.into()
    }
}

impl From<NotAbsolute> for Failure {
    fn from(error: NotAbsolute) -> Self {
        Error::from(error).into()
    }
}

impl From<GitError> for Failure {
    fn from(error: GitError) -> Self {
        let hint = match &error {
            GitError::NoRepository { .. } => "go into a git repository, or pass `--cwd`",
            GitError::UnknownRevision { .. } => "`git log --oneline` lists revisions",
            _ => "`git fsck` says what is damaged",
        };
        Self::impossible(error.to_string().replace('\n', " "), hint)
    }
}

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        let hint = match &error {
            Error::NotFound { .. } => "check the spelling",
            Error::NotADirectory { what: PathRole::TargetFolder, .. } => {
                "move away the file that is in the place of a folder"
            }
            Error::Manifest { .. } => {
                "without it the copies count as text of your own, and nothing comes back from them"
            }
            Error::NotADirectory { .. } => "name the folder, not a file in it",
            Error::Io { .. } => "check the permissions of the path and of the folders above it",
            Error::Write { source, .. } => match source.kind {
                IoErrorKind::NoSpace => "free some space; nothing was changed",
                IoErrorKind::ReadOnlyFileSystem => {
                    "the file system can only be read; nothing was changed"
                }
                IoErrorKind::PermissionDenied => {
                    "see who may write to the path and to its folder; nothing was changed"
                }
                IoErrorKind::Locked => {
                    "wait for the other run to end, or give `--lock-timeout` more seconds; nothing \
                     was changed"
                }
                IoErrorKind::NotAFile | IoErrorKind::IsADirectory => {
                    "move away what stands in the place of that file; nothing was changed"
                }
                _ => "see whether the folder can be written; nothing was changed",
            },
            Error::TooLarge { .. } => "no client reads all of it: split it up, or move it away",
            Error::ReadOnly { .. } => "`chmod u+w` allows writing; it may be protected on purpose",
            Error::ForeignOwner { .. } => "run the command as the owner of the file",
            Error::Conflict { .. } => {
                "compare that folder with what is there now, and change by hand what is wrong"
            }
            Error::Journal { .. } => "what is there stays as it is; undo by hand if it is wanted",
            Error::UnknownAgent { .. } => "`memport list --kind agent` names those that there are",
            Error::HomeUnknown => "set HOME, or pass `--home DIR`",
            Error::Stale { .. } | Error::AlreadyExists { .. } => {
                "somebody writes there at the same time; look at the plan again"
            }
            Error::ThroughLink { .. } => "put a folder or file in the place of the link",
            Error::DanglingLink { .. } => "make what the link leads to, or remove the link",
            Error::Elision { .. } => "give the whole text",
            Error::ChangedSince { .. } => "take that change back first, or undo by hand",
            Error::NoSuchRun { .. } => "`memport undo` without a number takes the last run",
            _ => "see `memport help`",
        };
        Self::impossible(error.to_string(), hint)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_failed_writing_says_so_and_what_helps() {
        let path = AbsPath::new("/m/a.md").unwrap();
        for (kind, help) in [
            (IoErrorKind::NoSpace, "free some space"),
            (IoErrorKind::PermissionDenied, "who may write"),
            (IoErrorKind::ReadOnlyFileSystem, "can only be read"),
            (IoErrorKind::Other, "can be written"),
        ] {
            let error = Error::Write { path: path.clone(), source: IoError::new(kind) };
            let failure = Failure::from(error);
            assert!(failure.message.starts_with("cannot write `/m/a.md`: "), "{failure:?}");
            assert!(failure.hint.contains(help), "{failure:?}");
        }
    }
}
