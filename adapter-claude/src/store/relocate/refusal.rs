use std::fmt;

use memory_core::{AbsPath, Error};

/// Why a project's memory is not moved.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum RelocateRefusal {
    /// The old and the new place are the same.
    SamePlace {
        /// The place.
        path: AbsPath,
    },
    /// The new place lies in the old one.
    Inside {
        /// The old place.
        old: AbsPath,
        /// The new place.
        new: AbsPath,
    },
    /// Nothing is kept for the old place.
    NothingKept {
        /// The old place.
        old: AbsPath,
        /// The folder that would hold it.
        dir: AbsPath,
    },
    /// Something is kept for both places.
    BothKept {
        /// The folder of the old place.
        old: AbsPath,
        /// The folder of the new place.
        new: AbsPath,
    },
    /// Another project, which is there, keeps its memory in the same folder.
    Shared {
        /// The folder.
        dir: AbsPath,
        /// The other project.
        other: AbsPath,
    },
    /// What would move is a link, and what it leads to may be shared.
    Linked {
        /// The link.
        link: AbsPath,
        /// Where it leads, as it is written in it.
        target: String,
    },
    /// All that could name the old place cannot be read.
    Notes {
        /// The file with the client's notes.
        path: AbsPath,
        /// What is wrong with it.
        why: String,
    },
    /// There is no answer for another reason.
    Other(Error),
}

impl fmt::Display for RelocateRefusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::SamePlace { path } => write!(f, "`{path}` is both the old and the new place"),
            Self::Inside { old, new } => {
                write!(f, "the new place `{new}` lies in the old one, `{old}`")
            }
            Self::NothingKept { old, dir } => {
                write!(f, "nothing is kept for the old place `{old}`: `{dir}` does not exist")
            }
            Self::BothKept { old, new } => write!(f, "both `{old}` and `{new}` exist already"),
            Self::Shared { dir, other } => {
                write!(f, "`{dir}` is the memory of `{other}` too, which is still there")
            }
            Self::Linked { link, target } => {
                write!(f, "`{link}` is a link to `{target}`, and links are not moved")
            }
            Self::Notes { path, why } => {
                write!(
                    f,
                    "`{path}` cannot be used ({why}), and no folder is kept for the old place"
                )
            }
            Self::Other(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for RelocateRefusal {}

impl From<Error> for RelocateRefusal {
    fn from(error: Error) -> Self {
        Self::Other(error)
    }
}
