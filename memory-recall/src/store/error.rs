//! What can go wrong with a store.

use rusqlite::ErrorCode;

/// Why a store did not answer.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum StoreError {
    /// It was written by a newer release.
    #[error("the store `{path}` has form {found}, and this release knows {known}")]
    Newer {
        /// The store.
        path: String,
        /// Its form.
        found: i64,
        /// The newest form that is known.
        known: i64,
    },
    /// Its file is something else, or parts of it cannot be read.
    #[error("the store `{path}` is damaged: {message}")]
    Damaged {
        /// The store.
        path: String,
        /// What the database says.
        message: String,
    },
    /// There is no room on the disk.
    #[error("there is no room for the store `{path}`")]
    Full {
        /// The store.
        path: String,
    },
    /// It cannot be written.
    #[error("the store `{path}` cannot be written: {message}")]
    NotWritable {
        /// The store.
        path: String,
        /// What the system says.
        message: String,
    },
    /// Another program wrote for too long.
    #[error("the store `{path}` is in use by another program")]
    Busy {
        /// The store.
        path: String,
    },
    /// Anything else.
    #[error("the store `{path}` does not answer: {message}")]
    Other {
        /// The store.
        path: String,
        /// What the database says.
        message: String,
    },
}

impl StoreError {
    /// What to do about it.
    pub fn remedy(&self) -> &'static str {
        match self {
            Self::Newer { .. } => "update memport, or name another store with `--store`",
            Self::Damaged { .. } => {
                "`memport recall ingest --rebuild` makes it anew from the transcripts"
            }
            Self::Full { .. } => {
                "make room, or name a store elsewhere with `--store`; nothing was changed"
            }
            Self::NotWritable { .. } => {
                "check the permissions of its directory, or name a store elsewhere with `--store`"
            }
            Self::Busy { .. } => "try again when the other program is done",
            Self::Other { .. } => "check the file and its directory",
        }
    }

    pub(super) fn of(path: &str, error: &rusqlite::Error) -> Self {
        let path = path.to_owned();
        let message = error.to_string();
        match error.sqlite_error_code() {
            Some(ErrorCode::DatabaseCorrupt | ErrorCode::NotADatabase) => {
                Self::Damaged { path, message }
            }
            Some(ErrorCode::DiskFull) => Self::Full { path },
            Some(ErrorCode::ReadOnly | ErrorCode::CannotOpen | ErrorCode::PermissionDenied) => {
                Self::NotWritable { path, message }
            }
            Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked) => Self::Busy { path },
            _ => Self::Other { path, message },
        }
    }
}
