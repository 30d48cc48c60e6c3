//! Variations of the files that people and models have written.

use super::*;

fn handbook(text: &str) -> Handbook {
    let fs = MemFs::from_files([("/m/MEMORY.md", text)]);
    read(&fs, "/m").value.handbook.unwrap()
}

fn summary(text: &str) -> Summary {
    let fs = MemFs::from_files([("/m/memory_summary.md", text)]);
    read(&fs, "/m").value.summary.unwrap()
}

#[test]
fn a_summary_needs_neither_marker_nor_blank_lines() {
    let with = "v1\n## User Profile\nMio\n## What's in Memory\n### /x\n#### 2026-11-02\n- a: b\n  - desc: c\n### Older Memory Topics\n#### /y\n- d: e\n";
    let without = with.strip_prefix("v1\n").unwrap();
    for text in [with, without] {
        let found = summary(text);
        assert_eq!((found.sections.len(), found.topics.len()), (2, 2));
        assert_eq!(found.topics[1].scope.as_deref(), Some("/y"));
    }
}

#[test]
fn a_handbook_may_be_wrapped_in_other_markdown() {
    let found = handbook(
        "# Team memory\n\n> Do not edit.\n\n# Task Group: a\nscope: b\n## Task 1: c\n\n# Appendix\n\nmine\n\n# Task Group: d\n",
    );
    let titles: Vec<_> = found.groups.iter().map(|group| group.title.as_str()).collect();
    assert_eq!(titles, ["a", "d"]);
    assert_eq!(found.other.len(), 2);
    assert_eq!(found.text(found.other[1]), "# Appendix\n\nmine\n");
}

#[test]
fn several_memory_files_may_stand_in_one() {
    let found = handbook(
        "# Memories\n\n## MEMORY.md\n\n# Task Group: a\n## Task 1: b, fail\n\n## memory_summary.md\n\nv1\n\n## User Profile\n\nMio\n",
    );
    assert_eq!((found.groups.len(), found.other.len()), (1, 2));
    assert_eq!(found.groups[0].sections, []);
    assert_eq!(found.groups[0].tasks[0].outcome, Some(TaskOutcome::Fail));
}

#[test]
fn screen_notes_are_sources_without_a_session() {
    let path = "extensions/chronicle/resources/2026-04-01T10-00-00-aB3x-10min-memory-summary.md";
    let found = handbook(&format!(
        "# Task Group: browser\napplies_to: cwd=browser/chronicle context; reuse_rule=none\n## Task 1: read mail; 返信\n\
         ### rollout_summary_files\n- {path} (cwd=browser/chronicle context, rollout_path={path}, updated_at=2026-04-01T10:10:00Z, thread_id=None, a, b; `c`) [chronicle memory]\n\
         ### keywords\n- \"two words\", “quoted”, 検索 語\n## Reusable knowledge\n- x [Task 1] [chronicle memory]\n",
    ));
    let group = &found.groups[0];
    assert_eq!(group.cwd(), Some("browser/chronicle context"));
    let task = &group.tasks[0];
    assert_eq!((task.title.as_str(), task.outcome), ("read mail; 返信", None));
    let source = &task.sources[0];
    assert_eq!((source.thread(), source.note.as_deref()), (None, Some("a, b; `c`")));
    assert_eq!(source.tags, ["chronicle memory"]);
    assert_eq!(task.keywords, ["two words", "quoted", "検索 語"]);
    let bullet = &group.sections[0].bullets[0];
    assert_eq!((bullet.tasks(), bullet.tags()), (vec![1], vec!["chronicle memory"]));
}

#[test]
fn windows_paths_are_kept_as_written() {
    let found = handbook(
        "# Task Group: w\r\nscope: $HOME/x\r\napplies_to: cwd=C:\\Users\\mio\\My Code; reuse_rule=x\r\n## Task 1: a, uncertain\r\n### rollout_summary_files\r\n\
         - rollout_summaries/2026-04-07T18-32-02-aB3x-w.md (cwd=\\\\?\\C:\\Users\\mio\\My Code, rollout_path=C:\\Users\\mio\\.codex\\archived_sessions\\rollout-2026-04-08T00-02-02-x.jsonl, updated_at=2026-04-07T19:00:00+00:00, thread_id=019d)\r\n",
    );
    let group = &found.groups[0];
    assert_eq!(group.cwd(), Some("C:\\Users\\mio\\My Code"));
    assert_eq!(group.scope.as_deref(), Some("$HOME/x"));
    let source = &group.tasks[0].sources[0];
    assert_eq!(source.cwd.as_deref(), Some("\\\\?\\C:\\Users\\mio\\My Code"));
    assert!(source.is_complete());
}

#[test]
fn imported_memory_has_files_of_another_client() {
    let found = handbook(
        "# Task Group: imported\n## Task 1: notes of another client\n### extension_resource_files\n\
         - extensions/external_agent_import/resources/-home-mio-x/MEMORY.md (cwd=/home/mio/x, source=external_agent_import)\n",
    );
    assert!(found.groups[0].tasks[0].sources[0].is_complete());
}

#[test]
fn project_notes_without_a_task_group_are_one_memory() {
    let text = "# Shop Memory\n\n## Stack\n\n- Rust\n\n## Rules\n\n- be kind\n";
    let fs = MemFs::from_files([("/repo/.codex/memories/MEMORY.md", text)]);
    let memories = read(&fs, "/repo/.codex/memories").value.memories();
    let [memory] = &memories[..] else { panic!("{memories:?}") };
    assert_eq!((memory.kind.clone(), memory.body.as_str()), (MemoryKind::Project, text));
}

#[test]
fn notes_have_names_of_many_kinds() {
    let folder = "/m/extensions/ad_hoc/notes";
    let fs = MemFs::from_files([
        (format!("{folder}/20261001T1153Z-a.md"), "a"),
        (format!("{folder}/20260718-114309-b.md"), "b"),
        (format!("{folder}/2026-11-22T07-05-09-c.md"), "c"),
    ]);
    let tree = read(&fs, "/m").value;
    let standard: Vec<_> = tree.extensions[0].notes.iter().map(|note| note.is_standard).collect();
    assert_eq!(standard, [true, false, false]);
}
