//! Which of the two trees a folder is.

use memory_core::{AbsPath, Source, World};

use super::tree::{LINES_LIMIT, SUMMARY};
use super::{Summary, Topic};
use crate::MemoryVersion;

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

/// Tells which tree the folder `root` is.
pub fn detect_version(world: World<'_>, root: &AbsPath) -> DetectedVersion {
    if root.file_name() == Some(MemoryVersion::V2.folder()) {
        return DetectedVersion { version: Some(MemoryVersion::V2), by: VersionSign::FolderName };
    }
    if V1_NAMES.iter().any(|name| world.fs.symlink_metadata(&root.join(name)).is_ok()) {
        return DetectedVersion { version: Some(MemoryVersion::V1), by: VersionSign::Files };
    }
    let path = root.join(SUMMARY);
    let version = world.fs.read_up_to(&path, LINES_LIMIT).ok().and_then(|bytes| {
        let summary = Summary::parse(path, Source::new(bytes)).value;
        of_topics(&summary.topics)
    });
    let by = if version.is_some() { VersionSign::Topics } else { VersionSign::Nothing };
    DetectedVersion { version, by }
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
    use memory_core::{Env, MemFs};

    use super::*;

    fn detect(files: &[(&str, &str)], root: &str) -> DetectedVersion {
        let fs = MemFs::from_files(files.iter().copied());
        detect_version(World { fs: &fs, env: &Env::default() }, &AbsPath::new(root).unwrap())
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
