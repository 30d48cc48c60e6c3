use memory_core::fs::MemFs;
use memory_core::store::{Item, ItemKind};
use memory_core::{AbsPath, Env, Error, World};

use super::show::MemoryView;
use crate::codex::{Codex, Query};

const NOTE: &str = "memories_v2/extensions/ad_hoc/notes/2026-11-22T07-05-09-codes.md";

fn files() -> MemFs {
    MemFs::from_files([
        ("/h/.codex/AGENTS.md", "Answer in Japanese.\n"),
        ("/h/.codex/skills/t/SKILL.md", "---\nname: table\ndescription: 表\n---\n"),
        ("/h/.codex/skills/bad/SKILL.md", "no frontmatter\n"),
        (
            "/h/.codex/memories/MEMORY.md",
            "# Task Group: import\nscope: csv files\n## Task 1: read, success\n\
             ### rollout_summary_files\n- rollout_summaries/a.md (cwd=/x)\n\n\
             # Task Group: codex: rounding\n## Task 1: totals, success\n",
        ),
        ("/h/.codex/memories/rollout_summaries/a.md", "thread_id: x\n\n# CSV\n\ntext\n"),
        ("/h/.codex/memories/skills/s/SKILL.md", "---\nname: s\ndescription: d\n---\n"),
        ("/h/.codex/memories_v2/memory_summary.md", "v1\n\n## User Profile\n\nMio\n"),
        ("/h/.codex/memories_v2/extensions/ad_hoc/notes/2026-11-22T07-05-09-codes.md", "\nx\n"),
        ("/repo/.git/HEAD", "ref: refs/heads/main\n"),
        ("/repo/AGENTS.md", "Run the tests.\n"),
    ])
}

fn ask<T>(
    fs: &MemFs,
    question: impl FnOnce(&Codex, World<'_>, &Query) -> Result<T, Error>,
) -> Result<T, Error> {
    let env = Env::with_home(AbsPath::new("/h").unwrap());
    let query = Query::new(AbsPath::new("/repo").unwrap());
    question(&Codex::default(), World { fs, env: &env }, &query)
}

fn items(fs: &MemFs) -> Vec<Item> {
    ask(fs, Codex::inventory).unwrap().value
}

fn show(fs: &MemFs, wanted: &str) -> Vec<MemoryView> {
    ask(fs, |codex, world, query| codex.show(world, query, wanted)).unwrap()
}

fn findings(fs: &MemFs) -> Vec<(&'static str, Option<AbsPath>)> {
    let found = ask(fs, Codex::doctor).unwrap();
    found.into_iter().map(|told| (told.code.0, told.path)).collect()
}

#[test]
fn what_is_kept_is_listed_kind_after_kind_with_ids_from_the_clients_folder() {
    let items = items(&files());
    let ids: Vec<_> = items.iter().map(|item| (item.kind, item.id.as_str())).collect();
    assert_eq!(
        ids,
        [
            (ItemKind::Instruction, "AGENTS.md"),
            (ItemKind::Instruction, "/repo/AGENTS.md"),
            (ItemKind::Skill, "skills/t/SKILL.md"),
            (ItemKind::Skill, "skills/bad/SKILL.md"),
            (ItemKind::Memory, "memories/MEMORY.md#import"),
            (ItemKind::Memory, "memories/MEMORY.md#codex: rounding"),
            (ItemKind::Memory, "memories/rollout_summaries/a.md"),
            (ItemKind::Skill, "memories/skills/s/SKILL.md"),
            (ItemKind::Memory, "memories_v2/memory_summary.md"),
            (ItemKind::Memory, NOTE),
        ]
    );
    let about = |id: &str| {
        let item = items.iter().find(|item| item.id == id).unwrap();
        (item.name.as_str(), item.description.as_deref(), item.links.len())
    };
    assert_eq!(about("skills/t/SKILL.md"), ("table", Some("表"), 0));
    assert_eq!(about("skills/bad/SKILL.md"), ("bad", None, 0));
    assert_eq!(about("memories/MEMORY.md#import"), ("import", Some("csv files"), 1));
    assert_eq!(about(NOTE).1, Some("x"));
}

#[test]
fn a_memory_is_found_by_its_id_and_else_by_its_name() {
    let fs = files();
    let by_id = show(&fs, "memories/MEMORY.md#import");
    assert_eq!(by_id, show(&fs, "import"));
    assert_eq!(by_id[0].lines, Some((1, 5)));
    let rollout = show(&fs, "memories/rollout_summaries/a.md");
    assert_eq!(rollout[0].lines, None);
    assert_eq!(rollout[0].linked_from, [AbsPath::new("/h/.codex/memories/MEMORY.md").unwrap()]);
    assert_eq!(show(&fs, "nothing"), []);
}

#[test]
fn pieces_of_one_name_have_ids_of_their_own_and_a_path_names_all() {
    let mut fs = files();
    let group = |name: &str| format!("# Task Group: {name}\n## Task 1: read, success\n\n");
    let groups = ["import", "import", "import (2)"].map(group);
    fs.file("/h/.codex/memories/MEMORY.md", groups.concat());
    let listed = items(&fs);
    let pieces = listed.iter().filter(|item| item.id.starts_with("memories/MEMORY.md#"));
    let ids: Vec<_> = pieces.map(|item| item.id.as_str()).collect();
    assert_eq!(ids.len(), 3, "{ids:?}");
    for (id, first) in ids.iter().zip([1, 4, 7]) {
        assert_eq!(show(&fs, id)[0].lines.unwrap().0, first, "{ids:?}");
    }
    let by_path = show(&fs, "/h/.codex/memories/MEMORY.md").into_iter();
    assert_eq!(by_path.map(|view| view.id).collect::<Vec<_>>(), ids);
    assert_eq!(show(&fs, "/h/.codex/memories/rollout_summaries/a.md").len(), 1);
}

#[test]
fn two_memories_of_one_name_are_both_shown() {
    let mut fs = files();
    fs.file("/h/.codex/memories/memory_summary.md", "v1\n");
    let ids: Vec<_> = show(&fs, "memory_summary").into_iter().map(|found| found.id).collect();
    assert_eq!(ids, ["memories/memory_summary.md", "memories_v2/memory_summary.md"]);
}

#[test]
fn a_configuration_that_stops_the_client_is_told_and_nothing_is_listed() {
    let mut fs = files();
    fs.file("/h/.codex/config.toml", "= no\n");
    let found = ask(&fs, Codex::inventory).unwrap();
    assert_eq!((found.value.len(), found.diagnostics.len()), (0, 1));
    let config = AbsPath::new("/h/.codex/config.toml").unwrap();
    assert_eq!(findings(&fs), [("codex/does-not-start", Some(config))]);
    let nowhere = Query::new(AbsPath::new("/no").unwrap());
    let error = ask(&fs, |codex, world, _| codex.inventory(world, &nowhere)).unwrap_err();
    assert!(matches!(error, Error::NotFound { .. }));
}

#[test]
fn a_file_that_only_interrupted_work_leaves_is_a_finding() {
    let fs = MemFs::from_files([
        ("/h/.codex/memories_v2/memory_summary.md", "v1\n\n## User Profile\n\nMio\n"),
        ("/repo/AGENTS.md", ""),
    ]);
    let code = "codex/memory-run-interrupted";
    assert!(findings(&fs).iter().all(|(found, _)| *found != code));
    for (name, is_told) in [
        ("memories_v2/phase2_workspace_diff.md", true),
        ("memories_v2/rollout_summaries/phase2_workspace_diff.md", false),
        ("memories/phase2_workspace_diff.md", true),
    ] {
        let mut fs = fs.clone();
        let path = format!("/h/.codex/{name}");
        fs.file(&path, "# Memory Workspace Diff\n");
        let told = (code, Some(AbsPath::new(&path).unwrap()));
        assert_eq!(findings(&fs).contains(&told), is_told, "{name}");
    }
}
