//! The limits of a walk, from the profile.

use crate::profile::Profile;

/// Where a walk below one root ends.
#[derive(Clone, Copy, Debug)]
pub(super) struct WalkLimits {
    /// Folders below the root that are entered.
    pub(super) depth: usize,
    /// Folders entered, the root included.
    pub(super) dirs: usize,
    /// Names looked at.
    pub(super) entries: usize,
    /// Bytes of all paths, written as URIs, with `entry_bytes` for each.
    pub(super) bytes: usize,
    /// Bytes that each path costs beside its own.
    pub(super) entry_bytes: usize,
}

impl WalkLimits {
    /// The limits of a release.
    pub(super) fn of(profile: &Profile) -> Self {
        Self {
            depth: profile.skill_max_depth,
            dirs: profile.skill_max_dirs,
            entries: profile.skill_max_entries,
            bytes: profile.skill_walk_max_bytes,
            entry_bytes: profile.skill_walk_entry_bytes,
        }
    }
}
