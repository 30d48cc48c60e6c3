//! Whole trees: the variations seen in the wild, and any bytes at all.

use std::fmt::Debug;

use memory_core::doc::Source;
use memory_core::fs::{Fs as _, MemFs};
use memory_core::model::MemoryKind;
use memory_core::{AbsPath, Env, Parsed, World};
use proptest::prelude::*;

use super::*;
use crate::profile::Profile;
use crate::resolution::MemoryVersion;

mod wild;

fn read(fs: &MemFs, root: &str) -> Parsed<MemoryTree> {
    let world = World { fs, env: &Env::default() };
    MemoryTree::read(world, &AbsPath::new(root).unwrap()).unwrap()
}

fn codes(parsed: &Parsed<MemoryTree>) -> Vec<&'static str> {
    parsed.diagnostics.iter().map(|diagnostic| diagnostic.code.0).collect()
}

#[test]
fn machinery_and_links_are_named_and_not_read() {
    let mut fs = MemFs::from_files([
        ("/m/.git/HEAD", "x"),
        ("/m/.codex-baseline/.git/codex-baseline.lock", ""),
        ("/m/phase2_workspace_diff.md", "# Memory Workspace Diff\n"),
        ("/m/rollout_summaries/notes.txt", "keep"),
        (
            "/m/skills/csv/SKILL.md",
            "---\nname: \"csv-encoding\"\ndescription: decode: first\n---\nbody\n",
        ),
        ("/m/skills/csv/scripts/sniff.py", ""),
        ("/m/skills/lost/a.py", ""),
    ]);
    fs.link("/m/memory_summary.md", "/elsewhere").special("/m/MEMORY.md");
    let parsed = read(&fs, "/m");
    let tree = &parsed.value;
    let names: Vec<_> = tree.machinery.iter().filter_map(|path| path.file_name()).collect();
    assert_eq!(names, [".codex-baseline", ".git", "memory_summary.md", "phase2_workspace_diff.md"]);
    let other: Vec<_> =
        tree.other.iter().map(|file| (file.path.file_name().unwrap(), &file.why)).collect();
    assert_eq!(
        other,
        [
            ("MEMORY.md", &Unread::NotAFile),
            ("notes.txt", &Unread::Unknown),
            ("a.py", &Unread::Unknown)
        ]
    );
    assert_eq!(codes(&parsed), ["codex/memory-file-not-read"]);
    let skill = &tree.skills[0];
    assert_eq!(
        (skill.title().as_str(), skill.description().as_deref()),
        ("csv-encoding", Some("decode: first"))
    );
    assert_eq!(skill.files[0].as_str(), "scripts/sniff.py");
}

#[test]
fn a_v2_tree_leaves_files_of_the_other_tree_alone() {
    let fs = MemFs::from_files([
        ("/c/memories_v2/MEMORY.md", "# Task Group: x\n"),
        ("/c/memories_v2/skills/a/SKILL.md", ""),
        ("/c/memories_v2/rollout_summaries/a.md", "thread_id: b\n\ntext\n"),
    ]);
    let tree = read(&fs, "/c/memories_v2").value;
    assert_eq!((tree.handbook, tree.skills.len(), tree.rollouts.len()), (None, 0, 1));
    assert!(tree.other.iter().all(|file| file.why == Unread::OtherTree));
}

#[test]
fn names_in_a_bundle_are_unique() {
    let fs = MemFs::from_files([
        (
            "/m/MEMORY.md",
            "# Task Group: a\n# Task Group: a (2)\n# Task Group: a\n# Task Group: a\n",
        ),
        ("/m/extensions/ad_hoc/notes/2026-11-22T07-05-09-a.md", "Forget it.\n"),
    ]);
    let memories = read(&fs, "/m").value.memories();
    let names: Vec<_> = memories.iter().map(|memory| memory.name.as_str()).collect();
    assert_eq!(
        names,
        ["a", "a (2)", "a (3)", "a (4)", "extensions/ad_hoc/notes/2026-11-22T07-05-09-a"]
    );
    assert_eq!(memories[4].kind, MemoryKind::Other("note".to_owned()));
}

#[test]
fn a_tree_without_a_folder_is_an_error() {
    let fs = MemFs::from_files([("/file", "")]);
    let world = World { fs: &fs, env: &Env::default() };
    for root in ["/none", "/file"] {
        assert!(MemoryTree::read(world, &AbsPath::new(root).unwrap()).is_err());
    }
}

#[test]
fn the_client_rejects_what_its_model_wrote_wrongly() {
    let tree =
        |summary: &str| read(&MemFs::from_files([("/m/memory_summary.md", summary)]), "/m").value;
    let v2 = |summary: &str| tree(summary).rejections(&Profile::default(), MemoryVersion::V2);
    let good =
        "v1\r\n\n  ## User Profile\n## User preferences\n## General Tips\n## What's in Memory\n";
    assert_eq!(v2(good), []);
    let padded = |bytes: usize| format!("{good}{}", "x".repeat(bytes - good.len()));
    assert_eq!(v2(&padded(9_999)), []);
    assert_eq!(v2(&padded(10_000)), [Rejection::TooLarge { bytes: 10_000, limit: 10_000 }]);
    assert_eq!(v2(&format!("\u{feff}{good}")), [Rejection::Unmarked]);
    assert_eq!(v2(&good.replace("v1", "v2")), [Rejection::Unmarked]);
    assert_eq!(
        v2(&good.replace("## General", "### General")),
        [Rejection::MissingHeading("## General Tips")]
    );
    let v1 = |summary: &str| tree(summary).rejections(&Profile::default(), MemoryVersion::V1);
    assert_eq!(v1("v1\n"), [Rejection::NoHandbook]);
    assert_eq!(v1("v1 \n"), [Rejection::NoHandbook, Rejection::Unmarked]);
}

/// Lines and pieces of lines of which memory files are made.
const PIECES: &[&[u8]] = &[
    b"# Task Group: a\n",
    b"## Task 1: b, success\n",
    b"### rollout_summary_files\n",
    b"### keywords\n",
    b"- rollout_summaries/a.md (cwd=/x, rollout_path=/r, updated_at=u, n) [t]\n",
    b"- Scope: x\r\n",
    b"## What's in Memory\n",
    b"### Older Memory Topics\n",
    b"- a: b, c\n  - desc: d\n",
    b"- rollout_summaries/a.md \xe2\x80\x94 b; thread_id=c\n",
    b"## Thread `a`\n",
    b"thread_id: a\nupdated_at: b\n",
    b"---\n",
    b"```\n",
    b"v1\n",
    b"\xef\xbb\xbf",
    b"\n",
    b"\xff\x00 \xe3\x81\n",
    b"  \xe3\x81\x82\xe3\x80\x80[Task 1\n",
];

/// Text that looks like a memory file more often than random text does.
fn memory_like() -> impl Strategy<Value = Vec<u8>> {
    let pieces = prop::collection::vec(prop::sample::select(PIECES), 0..24);
    let pieces = pieces.prop_map(|pieces| pieces.concat());
    prop_oneof![3 => pieces, 1 => prop::collection::vec(any::<u8>(), 0..200)]
}

/// Places that lie in order and inside the file.
fn check(source: &Source, places: impl IntoIterator<Item = Place>) -> Result<(), TestCaseError> {
    let mut last = 0;
    let lines = u32::try_from(source.lines().count()).unwrap();
    for place in places {
        prop_assert!(place.span.start >= last, "{place:?} begins before {last}");
        prop_assert!(place.span.end <= source.bytes().len() && !place.span.is_empty());
        prop_assert!(1 <= place.first_line && place.first_line <= place.last_line);
        prop_assert!(place.last_line <= lines);
        last = place.span.start;
    }
    Ok(())
}

fn same(value: impl Debug, bytes: &[u8], read: &[u8]) -> Result<(), TestCaseError> {
    prop_assert!(bytes == read, "{value:?}");
    Ok(())
}

proptest! {
    #[test]
    fn any_bytes_come_back_with_places_in_order(bytes in memory_like()) {
        let source = Source::new(bytes.clone());
        let path = AbsPath::new("/m/x.md").unwrap();

        let summary = Summary::parse(path.clone(), source.clone()).value;
        same(&summary, summary.bytes(), &bytes)?;
        check(&source, summary.sections.iter().map(|section| section.place))?;
        check(&source, summary.topics.iter().map(|topic| topic.place))?;

        let handbook = Handbook::parse(path.clone(), source.clone()).value;
        same(&handbook, handbook.bytes(), &bytes)?;
        check(&source, handbook.other.iter().copied())?;
        check(&source, handbook.groups.iter().map(|group| group.place))?;
        for group in &handbook.groups {
            check(&source, group.tasks.iter().map(|task| task.place))?;
            check(&source, group.sections.iter().map(|section| section.place))?;
            for task in &group.tasks {
                check(&source, task.sources.iter().map(|found| found.place))?;
                prop_assert!(group.place.span.start <= task.place.span.start);
                prop_assert!(task.place.span.end <= group.place.span.end);
            }
        }

        let raw = RawMemories::parse(path.clone(), source.clone()).value;
        same(&raw, raw.bytes(), &bytes)?;
        check(&source, raw.entries.iter().map(|entry| entry.place))?;
        for entry in &raw.entries {
            prop_assert!(entry.body.start <= entry.body.end && entry.body.end <= bytes.len());
        }

        let rollout = RolloutSummary::parse(path, source.clone()).value;
        same(&rollout, rollout.bytes(), &bytes)?;
        check(&source, rollout.tasks.iter().map(|task| task.place))?;
        prop_assert!(rollout.body.start <= rollout.body.end && rollout.body.end == bytes.len());
    }

    #[test]
    fn any_tree_is_read_and_searched(
        summary in memory_like(), handbook in memory_like(), raw in memory_like(), rollout in memory_like(),
        query in "(?s).{0,12}",
    ) {
        let fs = MemFs::from_files([
            ("/m/memory_summary.md", summary),
            ("/m/MEMORY.md", handbook),
            ("/m/raw_memories.md", raw),
            ("/m/rollout_summaries/a.md", rollout),
        ]);
        let world = World { fs: &fs, env: &Env::default() };
        let root = AbsPath::new("/m").unwrap();
        read(&fs, "/m").value.memories();
        for passage in MemoryTree::lookup(world, &root, &query).unwrap().passages {
            let bytes = fs.read_up_to(&passage.path, u64::MAX).unwrap();
            let source = Source::new(bytes);
            prop_assert_eq!(&passage.text, &source.slice_text(passage.place.span));
            check(&source, [passage.place])?;
        }
    }

    #[test]
    fn any_reply_is_parted(reply in "(?s)(<oai-mem-citation>|</oai-mem-citation>|<citation_entries>|a:1-2\\|note=\\[b\\]|\n|あ){0,12}") {
        let cited = CitedReply::read(&reply);
        prop_assert!(!cited.visible.contains("<oai-mem-citation>"));
        if !reply.contains("<oai-mem-citation>") {
            prop_assert_eq!(cited.visible, reply);
        }
    }

    #[test]
    fn what_is_generated_is_read_again(
        raw in "(?s)[a-zあ#: \\n-]{0,40}", summary in "(?s)[a-zあ#: \\n]{0,40}", branch in prop::option::of("[a-z/]{0,8}"),
    ) {
        let row = ThreadRow {
            thread_id: "019a0000-0000-7000-8000-000000000001".to_owned(),
            raw_memory: raw.clone(), rollout_summary: summary.clone(), git_branch: branch.clone(),
            cwd: "/x: y".to_owned(), ..ThreadRow::default()
        };
        let files = GeneratedFile::of_rows(MemoryVersion::V1, &[&row]);
        let fs = MemFs::from_files(files.iter().map(|file| (format!("/m/{}", file.path), &file.text)));
        let tree = read(&fs, "/m").value;
        let rollout = &tree.rollouts[0];
        prop_assert_eq!(&rollout.header.git_branch, &branch);
        prop_assert_eq!(rollout.text(), format!("{summary}\n"));
        let entry = &tree.raw_memories.as_ref().unwrap().entries[0];
        prop_assert_eq!(entry.header.cwd.as_deref(), Some("/x: y"));
        prop_assert_eq!(tree.raw_memories.as_ref().unwrap().text(entry), raw.trim());
    }
}
