//! Which of the two trees a folder is.

use memory_core::doc::Source;
use memory_core::fs::IoErrorKind;
use memory_core::{AbsPath, World};

use super::summary::Summary;
use super::topic::Topic;
use crate::resolution::MemoryVersion;

/// The file that new threads are given.
pub(crate) const SUMMARY: &str = "memory_summary.md";
/// The handbook of a v1 tree.
pub(crate) const HANDBOOK: &str = "MEMORY.md";
/// What was gathered from threads in a v1 tree.
pub(crate) const RAW_MEMORIES: &str = "raw_memories.md";
/// The directory of rollout summaries.
pub(crate) const ROLLOUTS: &str = "rollout_summaries";
/// Bytes of one file of which every line may become a value of its own.
pub(crate) const LINES_LIMIT: u64 = 2 << 20;

impl MemoryVersion {
    /// The tree that the client reads: the one that is set, else the one that
    /// the disk decides for.
    pub fn in_force(world: World<'_>, codex_home: &AbsPath, set: Option<Self>) -> Self {
        let v1 = codex_home.join(Self::V1.folder());
        // Whatever cannot be looked at, such as a symlink to itself, counts as there.
        let absent = matches!(
            world.fs.metadata(&v1),
            Err(error) if error.kind == IoErrorKind::NotFound
        );
        set.unwrap_or(if absent { Self::V2 } else { Self::V1 })
    }
}

/// Which tree a folder is, and what tells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DetectedVersion {
    /// The tree; `None` when nothing tells.
    pub version: Option<MemoryVersion>,
    /// What tells.
    pub by: VersionSign,
}

/// What tells which tree a folder is. The summary's first line never does: it
/// is `v1` in both.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum VersionSign {
    /// The folder's name.
    FolderName,
    /// Files that only one of the trees has.
    Files,
    /// How the summary's topics are written.
    Topics,
    /// Nothing.
    Nothing,
}

/// What only a v1 tree has; such files may lie about in a v2 tree.
const V1_NAMES: [&str; 3] = ["MEMORY.md", "raw_memories.md", "skills"];

impl DetectedVersion {
    /// Which tree the directory `root` is.
    pub fn of(world: World<'_>, root: &AbsPath) -> Self {
        if root.file_name() == Some(MemoryVersion::V2.folder()) {
            return Self { version: Some(MemoryVersion::V2), by: VersionSign::FolderName };
        }
        if V1_NAMES.iter().any(|name| world.fs.symlink_metadata(&root.join(name)).is_ok()) {
            return Self { version: Some(MemoryVersion::V1), by: VersionSign::Files };
        }
        let path = root.join(SUMMARY);
        let version = world.fs.read_up_to(&path, LINES_LIMIT).ok().and_then(|bytes| {
            let summary = Summary::parse(path, Source::new(bytes)).value;
            of_topics(&summary.topics)
        });
        let by = if version.is_some() { VersionSign::Topics } else { VersionSign::Nothing };
        Self { version, by }
    }
}

fn of_topics(topics: &[Topic]) -> Option<MemoryVersion> {
    if topics.iter().any(Topic::is_pointer) {
        return Some(MemoryVersion::V2);
    }
    let as_in_v1 = |topic: &Topic| topic.has_labels();
    topics.iter().any(as_in_v1).then_some(MemoryVersion::V1)
}

#[cfg(test)]
mod tests {
    use memory_core::Env;
    use memory_core::fs::MemFs;

    use super::*;

    fn detect(files: &[(&str, &str)], root: &str) -> DetectedVersion {
        let fs = MemFs::from_files(files.iter().copied());
        DetectedVersion::of(World { fs: &fs, env: &Env::default() }, &AbsPath::new(root).unwrap())
    }

    const POINTER: &str = "v1\n## What's in Memory\n- rollout_summaries/a.md — b; thread_id=c\n";
    const LABELS: &str = "v2\n## What's in Memory\n- a: b\n  - desc: c\n";

    #[test]
    fn the_name_wins_then_files_then_topics() {
        use MemoryVersion::{V1, V2};
        for (files, root, want) in [
            (
                &[("/x/memories_v2/MEMORY.md", "")][..],
                "/x/memories_v2",
                (Some(V2), VersionSign::FolderName),
            ),
            (
                &[("/t/MEMORY.md", ""), ("/t/memory_summary.md", POINTER)],
                "/t",
                (Some(V1), VersionSign::Files),
            ),
            (&[("/t/skills/a/SKILL.md", "")], "/t", (Some(V1), VersionSign::Files)),
            (&[("/t/memory_summary.md", POINTER)], "/t", (Some(V2), VersionSign::Topics)),
            (&[("/t/memory_summary.md", LABELS)], "/t", (Some(V1), VersionSign::Topics)),
            (
                &[("/t/memory_summary.md", "v1\n\n## User Profile\n")],
                "/t",
                (None, VersionSign::Nothing),
            ),
            (&[], "/t", (None, VersionSign::Nothing)),
        ] {
            let found = detect(files, root);
            assert_eq!((found.version, found.by), want, "{files:?}");
        }
    }
}
