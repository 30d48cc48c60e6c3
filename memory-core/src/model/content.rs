use std::sync::Arc;

use crate::AbsPath;

/// What stands at a path: the bytes of a file, or a link.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Content {
    /// A regular file.
    File {
        /// Its bytes.
        bytes: Arc<[u8]>,
        /// Its permission bits; `None` where the system keeps none.
        mode: Option<u32>,
    },
    /// A link.
    Link {
        /// Its target, as it stands in the link.
        target: String,
    },
}

impl Content {
    /// A file with the system's usual permission bits.
    pub fn file(bytes: impl AsRef<[u8]>) -> Self {
        Self::File { bytes: bytes.as_ref().into(), mode: None }
    }

    /// The bytes of a file; `None` for a link.
    pub fn bytes(&self) -> Option<&[u8]> {
        match self {
            Self::File { bytes, .. } => Some(bytes),
            Self::Link { .. } => None,
        }
    }
}

/// A file of a client, as it was read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SourceFile {
    /// Where it stands; of a file behind a link, the path by which it was found.
    pub path: AbsPath,
    /// What stands there; of an instruction file that is a link, what the link
    /// leads to.
    pub content: Content,
}
