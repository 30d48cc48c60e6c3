//! What a port would do, and what it would lose.

use std::collections::{BTreeMap, BTreeSet};
use std::time::{Duration, SystemTime};

use super::manifest::LINK;
use super::{LowerOptions, PortPlace};
use crate::digest::Digest;
use crate::fs::{Fs, Metadata};
use crate::inventory::ItemKind;
use crate::path::AbsPath;
use crate::plan::WritePlan;
use crate::report::{Diagnostic, LossReport};

/// What is asked of a port.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PortRequest {
    /// The person and the project.
    pub place: PortPlace,
    /// What is carried; everything when it is empty.
    pub only: BTreeSet<ItemKind>,
    /// Choices of the person.
    pub options: LowerOptions,
}

impl PortRequest {
    /// Asks for everything, with the usual choices.
    pub fn new(place: PortPlace) -> Self {
        Self { place, only: BTreeSet::new(), options: LowerOptions::default() }
    }

    pub(super) fn carries(&self, kind: ItemKind) -> bool {
        self.only.is_empty() || self.only.contains(&kind)
    }
}

/// What a port would do: a plan, and the account of every piece of the source.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Port {
    /// What would be written, the manifests included.
    pub plan: WritePlan,
    /// The source's files of which each changed file is made.
    pub made_of: BTreeMap<AbsPath, BTreeSet<AbsPath>>,
    /// Where each file of the source went: the files that hold its text, or
    /// itself where the target reads it in place.
    pub carried: BTreeMap<AbsPath, BTreeSet<AbsPath>>,
    /// The source's files that were read.
    pub(super) sources: BTreeMap<AbsPath, SourceState>,
    /// What does not survive as it is, in the order of the source.
    pub losses: LossReport,
    /// What stands in the way and stays as it is; each is among the losses too.
    pub conflicts: Vec<Conflict>,
    /// Every piece that an earlier port carried and that somebody changed since.
    pub sides: Vec<Side>,
    /// Pieces for which there is neither a place nor a loss. A port that has
    /// any must not be carried out: the target's adapter is wrong.
    pub unaccounted: Vec<AbsPath>,
    /// What a person should know beside.
    pub diagnostics: Vec<Diagnostic>,
}

impl Port {
    /// The first file of the source that is no longer as it was read; a port
    /// that has one has to be planned again before it is carried out.
    ///
    /// `began` is a time before anything was read. A file that was last written
    /// well before it, and has its size and time as they were, is not read again.
    pub fn changed_source(&self, fs: &dyn Fs, began: SystemTime) -> Option<&AbsPath> {
        let is_same = |path: &AbsPath, read: &SourceState| {
            if read.is_settled(fs.metadata(path).ok(), began) {
                return true;
            }
            let bytes = fs.read_up_to(path, u64::MAX).map(|bytes| Digest::of(&bytes).to_string());
            if bytes.is_ok_and(|now| now == read.fingerprint) {
                return true;
            }
            let target = read.fingerprint.strip_prefix(LINK);
            target.is_some_and(|read| fs.read_link(path).is_ok_and(|now| now == read))
        };
        self.sources.iter().find(|(path, read)| !is_same(path, read)).map(|(path, _)| path)
    }
}

/// A file of the source as it was read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct SourceState {
    /// The fingerprint of its bytes, or its link.
    pub(super) fingerprint: String,
    /// What it was, links followed; `None` where that is not known.
    pub(super) metadata: Option<Metadata>,
}

impl SourceState {
    /// Whether a file was surely not written since: file systems count time in
    /// steps, two seconds at most, within which a second writing leaves no trace.
    fn is_settled(&self, now: Option<Metadata>, began: SystemTime) -> bool {
        const STEP: Duration = Duration::from_secs(2);
        let is_old = |found: &Metadata| {
            found.is_file()
                && found.modified.zip(began.checked_sub(STEP)).is_some_and(|(at, then)| at < then)
        };
        let is_link = self.fingerprint.starts_with(LINK);
        !is_link && now == self.metadata && now.as_ref().is_some_and(is_old)
    }
}

/// Something that stands where a piece should go.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Conflict {
    /// The source's file; `path` again where nothing of the source should go
    /// there, but something that its client needs beside.
    pub from: AbsPath,
    /// Where it should go.
    pub path: AbsPath,
    /// The part of that file that is meant; `None` for the whole file.
    pub section: Option<String>,
    /// What would stand there; of a link, its target.
    pub wanted: Vec<u8>,
    /// What stands there, of that part where it is there; `None` for what is no
    /// file.
    pub found: Option<Vec<u8>>,
    /// Why it stays, in one sentence without a full stop.
    pub why: String,
}

/// A piece that was changed since it was carried.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Side {
    /// The file it was carried from.
    pub from: AbsPath,
    /// The file it was carried to.
    pub to: AbsPath,
    /// The part of that file; `None` for the whole file.
    pub section: Option<String>,
    /// Who changed it.
    pub changed: Changed,
}

/// Who changed a piece since it was carried.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Changed {
    /// Where it was carried from.
    Origin,
    /// Where it was carried to.
    Copy,
    /// Both.
    Both,
    /// Where it was carried from it is gone.
    OriginGone,
    /// Where it was carried to it is gone.
    CopyGone,
}

impl Changed {
    /// The word for it: `origin`, `copy`, `both`, `origin-gone`, `copy-gone`.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Origin => "origin",
            Self::Copy => "copy",
            Self::Both => "both",
            Self::OriginGone => "origin-gone",
            Self::CopyGone => "copy-gone",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fs::FileKind;

    #[test]
    fn only_what_was_written_long_ago_is_known_by_its_time() {
        let second = |count| SystemTime::UNIX_EPOCH + Duration::from_secs(count);
        let file = |at, len| {
            Some(Metadata { kind: FileKind::File, len, modified: Some(second(at)), mode: None })
        };
        let read = |fingerprint: &str| SourceState {
            fingerprint: fingerprint.to_owned(),
            metadata: file(5, 3),
        };
        let (bytes, link) = (read("sha256:00"), read(&format!("{LINK}a")));
        assert!(bytes.is_settled(file(5, 3), second(8)));
        assert!(!bytes.is_settled(file(5, 3), second(7)));
        assert!(!bytes.is_settled(file(5, 4), second(8)));
        assert!(!bytes.is_settled(file(6, 3), second(99)));
        assert!(!bytes.is_settled(None, second(99)));
        assert!(!link.is_settled(file(5, 3), second(99)));
    }
}
