use memory_core::Env;
use memory_core::fs::MemFs;

use super::*;

const ROLLOUT: &str = "thread_id: 01a1c066-e438-7abc-a222-333344445555\nupdated_at: x\n\n# CSV の文字コード\n\n## Task 1: 読む\n\n- cp932 で復号する\n\n## Task 2: other\n\n- nothing\n";

fn look(fs: &MemFs, root: &str, query: &str) -> Lookup {
    let world = World { fs, env: &Env::default() };
    MemoryTree::lookup(world, &AbsPath::new(root).unwrap(), query).unwrap()
}

fn v1() -> MemFs {
    MemFs::from_files([
        (
            "/m/memory_summary.md",
            "v1\n\n## User preferences\n\n- 取引先コードは文字列\n\n## What's in Memory\n\n### x\n\n- 取り込み: csv, cp932\n  - desc: 文字コード\n- links: href\n",
        ),
        (
            "/m/MEMORY.md",
            "# Task Group: rounding\n## Task 1: totals, success\n### keywords\n- decimal\n\n# Task Group: import\n## Task 1: 読み込み, partial\n\
             ### rollout_summary_files\n- rollout_summaries/2026-11-09T13-02-11-vGo5-csv.md (cwd=/x)\n- ../outside.md (cwd=/x)\n### keywords\n- csv, 先頭ゼロ\n\n## Reusable knowledge\n- 文字コードは先に見る [Task 1]\n",
        ),
        ("/m/rollout_summaries/2026-11-09T13-02-11-vGo5-csv.md", ROLLOUT),
        ("/outside.md", "secret"),
    ])
}

#[test]
fn a_question_goes_from_the_summary_to_the_handbook_to_one_summary() {
    let found = look(&v1(), "/m", "文字コードの扱い");
    let places: Vec<_> = found
        .passages
        .iter()
        .map(|passage| (passage.path.file_name().unwrap(), passage.place.first_line))
        .collect();
    assert_eq!(
        places,
        [
            ("memory_summary.md", 11),
            ("MEMORY.md", 15),
            ("MEMORY.md", 7),
            ("2026-11-09T13-02-11-vGo5-csv.md", 4),
        ]
    );
    assert_eq!(found.passages[0].text, "- 取り込み: csv, cp932\n  - desc: 文字コード\n");
    let by_topic =
        FoundBy::Topic { title: "取り込み".to_owned(), keywords: vec!["csv".to_owned()] };
    assert_eq!(found.passages[2].why, by_topic);
    assert_eq!(found.read.len(), 3);
}

#[test]
fn nothing_outside_of_the_memory_is_opened() {
    let found = look(&v1(), "/m", "先頭ゼロ");
    assert!(found.read.iter().all(|path| path.as_str() != "/outside.md"));
    assert!(found.diagnostics[0].message.contains("leads out of the memory"));
    let mut fs = v1();
    fs.link("/m/rollout_summaries/2026-11-09T13-02-11-vGo5-csv.md", "/outside.md");
    assert!(look(&fs, "/m", "csv").passages.iter().all(|passage| !passage.text.contains("secret")));
}

#[test]
fn a_v2_summary_points_to_files_and_sessions_itself() {
    let name = "/c/memories_v2/rollout_summaries/2026-11-09T13-02-11-vGo5-csv.md";
    let mut fs = MemFs::from_files([
        (
            "/c/memories_v2/memory_summary.md",
            "v1\n\n## What's in Memory\n\n- link checker — made by hand; thread_id=01a1c066-e438-7abc-a222-333344445555\n",
        ),
        ("/c/memories_v2/MEMORY.md", "# Task Group: link checker\n## Task 1: link checker\n"),
    ]);
    fs.file(name, ROLLOUT);
    let found = look(&fs, "/c/memories_v2", "LINK checker");
    assert_eq!(found.read.len(), 2);
    let last = found.passages.last().unwrap();
    assert_eq!((last.path.as_str(), last.text.as_str()), (name, "# CSV の文字コード\n"));
    assert!(matches!(last.why, FoundBy::PointedTo { line: 5, .. }));
}

#[test]
fn plain_markdown_is_searched_from_heading_to_heading() {
    let fs = MemFs::from_files([(
        "/m/MEMORY.md",
        "# Shop\n\nintro\n\n## Stack\n\nRust and SQLite\n\n## Rules\n\nnone\n",
    )]);
    let found = look(&fs, "/m", "sqlite");
    assert_eq!(found.passages.len(), 1);
    assert_eq!(found.passages[0].text, "## Stack\n\nRust and SQLite\n");
}

#[test]
fn a_group_without_tasks_is_found_by_its_title() {
    let fs = MemFs::from_files([("/m/MEMORY.md", "# Task Group: Postgres\nscope: x\n")]);
    let found = look(&fs, "/m", "postgres");
    assert_eq!(found.passages[0].text, "# Task Group: Postgres\nscope: x\n");
}

#[test]
fn no_hit_ends_the_search() {
    let found = look(&v1(), "/m", "kubernetes");
    assert_eq!((found.passages.len(), found.read.len()), (0, 2));
    assert_eq!(look(&v1(), "/m", "?!").read.len(), 0);
}

#[test]
fn notes_are_searched_apart_and_those_with_most_words_come_first() {
    let mut fs = v1();
    for (name, text) in
        [("a", "Codes\nare text\n"), ("b", "ＣＳＶ codes"), ("c", "nothing of it"), ("d", "")]
    {
        fs.file(format!("/m/extensions/ad_hoc/notes/2026-11-22T07-05-09-{name}.md"), text);
    }
    let look = |root: &str, query: &str| {
        let world = World { fs: &fs, env: &Env::default() };
        MemoryTree::lookup_notes(world, &AbsPath::new(root).unwrap(), query)
    };
    let found = look("/m", "csv codes").unwrap();
    let passages: Vec<_> = found
        .passages
        .iter()
        .map(|found| (found.text.as_str(), found.place.last_line, found.why.clone()))
        .collect();
    let holds = |words: &[&str]| FoundBy::Holds(words.iter().map(|it| (*it).to_owned()).collect());
    assert_eq!(
        passages,
        [
            ("ＣＳＶ codes", 1, holds(&["csv", "codes"])),
            ("Codes\nare text\n", 2, holds(&["codes"])),
        ]
    );
    assert_eq!(found.read.len(), 4);
    assert_eq!(look("/m", " ?! ").unwrap().passages, []);
    assert!(matches!(look("/none", "csv"), Err(Error::NotFound { .. })));
}
