//! Why a command did not do what was asked.

use memory_core::{AbsPath, Error, IoError};

/// What kind of failure it is; the number is the exit code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum FailureKind {
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
    pub(crate) fn usage(message: impl Into<String>, hint: impl Into<String>) -> Self {
        Self { kind: FailureKind::Usage, message: message.into(), hint: hint.into() }
    }

    pub(crate) fn impossible(message: impl Into<String>, hint: impl Into<String>) -> Self {
        Self { kind: FailureKind::Impossible, message: message.into(), hint: hint.into() }
    }

    /// A path that is needed cannot be used.
    pub(crate) fn at(what: &'static str, path: &AbsPath, source: IoError) -> Self {
        if source.is_absence() {
            return Error::NotFound { what, path: path.clone() }.into();
        }
        Error::Io { path: path.clone(), source }.into()
    }
}

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        let hint = match &error {
            Error::NotFound { .. } => "check the spelling; relative paths start at `--cwd`",
            Error::NotADirectory { .. } => "name the folder, not a file in it",
            Error::Io { .. } => "check the permissions of the path and of the folders above it",
            Error::Unknown { .. } => "set HOME, or pass `--home DIR`",
            _ => "see `memport help`",
        };
        Self::impossible(error.to_string(), hint)
    }
}
