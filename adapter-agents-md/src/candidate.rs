//! Which file of a folder is chosen, and what becomes of the others.

use memory_core::fs::{FileKind, Fs, IoError, IoErrorKind, Metadata};
use memory_core::{AbsPath, Layer, Omission, Outcome, Provenance, Via};

use crate::{BlankFiles, Convention, UnreadableFiles};

/// A name that exists in a folder, before it is known whether it is read.
pub(crate) struct Candidate {
    pub(crate) path: AbsPath,
    pub(crate) fallback: bool,
    pub(crate) state: State,
}

pub(crate) enum State {
    /// A regular file.
    File(Metadata),
    /// Something that is passed over.
    Passed(Omission),
    /// Something that cannot be looked at.
    Failed(IoError),
}

impl Candidate {
    pub(crate) fn layer(&self, convention: &Convention, outcome: Outcome) -> Layer {
        Layer {
            kind: convention.kind,
            provenance: Provenance {
                client: convention.client,
                scope: convention.scope,
                path: Some(self.path.clone()),
                via: if self.fallback { Via::Fallback } else { Via::Discovered },
            },
            outcome,
        }
    }

    /// Whether the search of this folder ends here, going by existence alone.
    pub(crate) fn ends_search(&self, convention: &Convention) -> bool {
        match self.state {
            State::File(_) => convention.blank_files == BlankFiles::HideOthers,
            State::Failed(_) => convention.unreadable_files == UnreadableFiles::DropChain,
            State::Passed(_) => false,
        }
    }
}

/// The candidates that exist in `dir`, in the order of preference.
pub(crate) fn candidates(fs: &dyn Fs, convention: &Convention, dir: &AbsPath) -> Vec<Candidate> {
    let mut found = Vec::new();
    for (name, fallback) in convention.candidates() {
        let path = dir.join(name);
        // Most names are absent: the look at the name itself says so in one call.
        let is_link = match fs.symlink_metadata(&path) {
            Ok(found) => found.kind == FileKind::Symlink,
            Err(error) if error.kind == IoErrorKind::NotFound => continue,
            Err(_) => false,
        };
        let state = match fs.metadata(&path) {
            Ok(metadata) if metadata.is_file() => State::File(metadata),
            Ok(_) => State::Passed(Omission::NotAFile),
            Err(error) if is_link && error.kind == IoErrorKind::NotFound => {
                State::Passed(Omission::BrokenLink)
            }
            Err(error) => State::Failed(error),
        };
        found.push(Candidate { path, fallback, state });
    }
    found
}
