//! What the client demands of the files that its model has written.

use super::summary::Summary;
use super::tree::MemoryTree;
use crate::profile::Profile;
use crate::resolution::MemoryVersion;

/// Why the client would reject a tree after its model has worked on it.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Rejection {
    /// There is no summary.
    NoSummary,
    /// There is no handbook; only a v1 tree needs one.
    NoHandbook,
    /// The summary's first line is not `v1`, which both trees need.
    Unmarked,
    /// The summary is too large; only a v2 tree has a limit.
    TooLarge {
        /// Its size in bytes.
        bytes: usize,
        /// The size from which it is rejected.
        limit: usize,
    },
    /// The summary lacks a heading; only a v2 tree needs them.
    MissingHeading(&'static str),
}

/// The headings of a v2 summary.
const HEADINGS: [&str; 4] =
    ["## User Profile", "## User preferences", "## General Tips", "## What's in Memory"];

impl MemoryTree {
    /// Why the client would reject this tree; empty when it would accept it.
    ///
    /// A rejected tree is worked on again an hour later. What a new thread is
    /// given does not depend on it: the reader checks nothing.
    pub fn rejections(&self, profile: &Profile, version: MemoryVersion) -> Vec<Rejection> {
        let handbook = match version {
            MemoryVersion::V1 if self.handbook.is_none() => Some(Rejection::NoHandbook),
            _ => None,
        };
        let summary = match &self.summary {
            Some(summary) => of_summary(profile, version, summary),
            None => vec![Rejection::NoSummary],
        };
        handbook.into_iter().chain(summary).collect()
    }
}

fn of_summary(profile: &Profile, version: MemoryVersion, summary: &Summary) -> Vec<Rejection> {
    let mut found = Vec::new();
    if summary.marker.is_none() {
        found.push(Rejection::Unmarked);
    }
    if version == MemoryVersion::V2 {
        let (bytes, limit) = (summary.bytes().len(), profile.memory_summary_v2_rejected_bytes);
        if bytes >= limit {
            found.push(Rejection::TooLarge { bytes, limit });
        }
        let text = summary.source.text();
        let missing = |heading: &&str| !text.lines().any(|line| line.trim() == *heading);
        found.extend(HEADINGS.into_iter().filter(missing).map(Rejection::MissingHeading));
    }
    found
}
