//! Which writes into a memory last, and which do harm.

use memory_core::fs::FileKind;
use memory_core::{AbsPath, World};

use crate::memory::extension::FOLDER;
use crate::memory::stem::leading_stamp;
use crate::memory::version::{HANDBOOK, RAW_MEMORIES, ROLLOUTS, SUMMARY};
use crate::memory::walk::is_machinery;
use crate::resolution::MemoryVersion;

/// What would become of a write.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum WriteVerdict {
    /// It lasts, and the client reads it.
    Safe,
    /// It lasts, but the client's model writes the same file when it next works:
    /// it is told of the change and may still lose it. A note is safer.
    Shared,
    /// It lasts, but is in the tree that the client does not read now.
    NotInForce,
    /// It lasts, but the client has no use for a file of this name.
    Unused,
    /// The client writes the file anew when it next works, or removes it.
    Temporary(&'static str),
    /// It must not be done.
    Refused(WriteRefusal),
}

/// Why a write must not be done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum WriteRefusal {
    /// It lies in neither tree, or is a tree's folder itself.
    Outside,
    /// It would create the folder `memories`, whose mere existence switches the
    /// client to memory v1 and hides what it knows now.
    SwitchesVersion,
    /// The file belongs to the client's own machinery.
    Machinery,
    /// The path leads through a link, which the client removes.
    Link,
}

impl WriteVerdict {
    /// What would become of writing the file `path`.
    ///
    /// `set` is the setting `memories.version`, `None` where it is not set.
    pub fn of(
        world: World<'_>,
        codex_home: &AbsPath,
        set: Option<MemoryVersion>,
        path: &AbsPath,
    ) -> Self {
        let in_force = MemoryVersion::in_force(world, codex_home, set);
        let both = [MemoryVersion::V1, MemoryVersion::V2];
        let place = both.into_iter().find_map(|version| {
            let name = path.strip_prefix(&codex_home.join(version.folder()))?;
            (!name.is_empty()).then_some((version, name))
        });
        let Some((version, name)) = place else {
            return Self::Refused(WriteRefusal::Outside);
        };
        let root = codex_home.join(version.folder());
        // A link that leads nowhere counts for the client as no folder at all.
        let creates = world.fs.metadata(&root).is_err();
        if version == MemoryVersion::V1 && creates && set.is_none() {
            Self::Refused(WriteRefusal::SwitchesVersion)
        } else if is_machinery(name) {
            Self::Refused(WriteRefusal::Machinery)
        } else if path.from_top(&root).iter().any(|part| is_link(world, part)) {
            Self::Refused(WriteRefusal::Link)
        } else {
            match of_name(version, name) {
                Self::Safe | Self::Shared if version != in_force => Self::NotInForce,
                verdict => verdict,
            }
        }
    }
}

fn is_link(world: World<'_>, path: &AbsPath) -> bool {
    world.fs.symlink_metadata(path).is_ok_and(|found| found.kind == FileKind::Symlink)
}

fn of_name(version: MemoryVersion, name: &str) -> WriteVerdict {
    let (folder, inner) = name.split_once('/').unwrap_or(("", name));
    let v1 = version == MemoryVersion::V1;
    match (folder, inner) {
        ("", SUMMARY) => WriteVerdict::Shared,
        ("", HANDBOOK) | ("skills", _) if v1 => WriteVerdict::Shared,
        ("", RAW_MEMORIES) if v1 => WriteVerdict::Temporary("the client rebuilds this file"),
        (ROLLOUTS, inner) if inner.strip_suffix(".md").is_some() => WriteVerdict::Temporary(
            "the client writes the summaries of its own threads and deletes every other",
        ),
        (FOLDER, inner) => of_extension(inner),
        _ => WriteVerdict::Unused,
    }
}

fn of_extension(inner: &str) -> WriteVerdict {
    let name = inner.split_once('/').map_or("", |(_, name)| name);
    let direct = name.strip_prefix("resources/").filter(|name| !name.contains('/'));
    if direct.and_then(|name| name.strip_suffix(".md")).and_then(leading_stamp).is_some() {
        return WriteVerdict::Temporary(
            "the client removes a dated resource seven days after the date in its name",
        );
    }
    if name.is_empty() { WriteVerdict::Unused } else { WriteVerdict::Safe }
}

#[cfg(test)]
mod tests {
    use memory_core::Env;
    use memory_core::fs::MemFs;

    use super::*;

    const NOTE: &str = "extensions/ad_hoc/notes/2026-11-22T07-05-09-a.md";

    fn verdict(fs: &MemFs, set: Option<MemoryVersion>, path: &str) -> WriteVerdict {
        let world = World { fs, env: &Env::default() };
        let home = AbsPath::new("/c").unwrap();
        WriteVerdict::of(world, &home, set, &home.join(path))
    }

    #[test]
    fn the_folder_of_v1_is_never_made_by_accident() {
        let mut fs = MemFs::from_files([("/c/memories_v2/memory_summary.md", "v1\n")]);
        let note = format!("memories/{NOTE}");
        let refused = WriteVerdict::Refused(WriteRefusal::SwitchesVersion);
        assert_eq!(verdict(&fs, None, &note), refused);
        assert_eq!(verdict(&fs, Some(MemoryVersion::V1), &note), WriteVerdict::Safe);
        assert_eq!(verdict(&fs, Some(MemoryVersion::V2), &note), WriteVerdict::NotInForce);
        assert_eq!(verdict(&fs, None, &format!("memories_v2/{NOTE}")), WriteVerdict::Safe);
        fs.link("/c/memories", "gone");
        assert_eq!(verdict(&fs, None, &note), refused);
        assert_eq!(verdict(&MemFs::new(), None, &note), refused);
    }

    #[test]
    fn what_the_client_writes_itself_does_not_last() {
        let mut fs = MemFs::from_files([("/c/memories/MEMORY.md", "")]);
        fs.link("/c/memories/extensions/linked", "/elsewhere");
        let is =
            |path: &str, want: WriteVerdict| assert_eq!(verdict(&fs, None, path), want, "{path}");
        is("memories/MEMORY.md", WriteVerdict::Shared);
        is("memories/.git/HEAD", WriteVerdict::Refused(WriteRefusal::Machinery));
        is("memories/extensions/linked/a.md", WriteVerdict::Refused(WriteRefusal::Link));
        is("memories", WriteVerdict::Refused(WriteRefusal::Outside));
        is("config.toml", WriteVerdict::Refused(WriteRefusal::Outside));
        is("memories/extensions/mine/instructions.md", WriteVerdict::Safe);
        is("memories/extensions/ad_hoc/notes/20261001T1153Z-x.md", WriteVerdict::Safe);
        is("memories/rollout_summaries/notes.txt", WriteVerdict::Unused);
        is("memories_v2/memory_summary.md", WriteVerdict::NotInForce);
        for path in [
            "memories/raw_memories.md",
            "memories/rollout_summaries/00042_mine.md",
            "memories/extensions/mine/resources/2026-04-01T10-00-00-a.md",
        ] {
            assert!(matches!(verdict(&fs, None, path), WriteVerdict::Temporary(_)), "{path}");
        }
    }
}
