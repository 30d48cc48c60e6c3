use memory_core::model::{
    Dates, Fields, Memory, MemoryKind, MemoryStore, Origin, StoreFile, Value,
};
use memory_core::{ClientId, Via};

use super::*;

const ROOT: &str = "/h/.claude/projects/-w/memory";

fn memory(name: &str, body: &str) -> Memory {
    Memory {
        name: name.to_owned(),
        kind: MemoryKind::Feedback,
        description: None,
        body: body.to_owned(),
        links: Vec::new(),
        when: Dates::default(),
        origin: Origin {
            client: ClientId("other"),
            scope: Scope::User,
            path: Some(path("/h/.other/notes.md")),
            via: Via::Discovered,
        },
        extra: Fields::default(),
    }
}

fn store(memories: Vec<Memory>) -> Bundle {
    let notes = StoreFile { path: RelPath::new("notes.md").unwrap(), content: Content::file("n") };
    let store = MemoryStore {
        root: path("/h/.other"),
        layout: ClientId("other"),
        reach: Reach::everywhere(Scope::User),
        files: vec![notes],
        memories,
        shown_at_start: None,
    };
    Bundle { stores: vec![store], ..Bundle::default() }
}

fn index(lowered: &Lowered) -> String {
    let found = lowered.placements.iter().find_map(|placement| match &placement.to {
        Target::Section { text, marked: true, .. } => Some(text.clone()),
        _ => None,
    });
    found.unwrap()
}

#[test]
fn each_memory_becomes_a_topic_in_the_client_s_layout() {
    let mut one = memory("Use pnpm", "Never npm.\n\n--- \nmore\n");
    one.description = Some("pnpm: not npm --- ever".to_owned());
    one.when =
        Dates { created: Some("2026-01-01".to_owned()), modified: Some("2026-02-01".to_owned()) };
    let line = |key: &str, number: &str| (key.to_owned(), Value::Number(number.to_owned()));
    one.extra.0 = vec![
        line("first_line", "3"),
        line("last_line", "9"),
        ("cwd".to_owned(), Value::Text("/w/api".to_owned())),
        ("keywords".to_owned(), Value::List(vec![Value::Text("a".to_owned())])),
    ];
    let lowered = lower(&world::<&str>(&[]), &store(vec![one, memory("テスト方針", "# 見出し\n")]));
    let first = whole(&lowered, &format!("{ROOT}/use-pnpm.md"));
    assert_eq!(
        first,
        "---\nname: use-pnpm\ndescription: \"pnpm: not npm — ever\"\nmetadata:\n  node_type: memory\n  type: feedback\n  created: 2026-01-01\n  modified: 2026-02-01\n  source: \"~/.other/notes.md#L3-L9\"\n  cwd: /w/api\n  keywords:\n    - a\n---\n\nNever npm.\n\n--- \nmore\n"
    );
    let index = index(&lowered);
    let lines: Vec<_> = index.lines().collect();
    assert_eq!(lines[0], "- [Use pnpm](use-pnpm.md) — pnpm: not npm --- ever");
    assert!(lines[1].starts_with("- [テスト方針](feedback-") && lines[1].ends_with("— 見出し"));
    assert_eq!(places(&lowered).last().unwrap(), &format!("{ROOT}/MEMORY.md#~/.other"));
    assert_eq!(lost(&lowered.losses), ["scope-narrowed /h/.other"]);
    assert!(lowered.roots.contains(&path(ROOT)));
}

#[test]
fn a_topic_is_read_back_with_all_that_it_holds() {
    let mut one = memory("a", "\n\nBody\n");
    one.kind = MemoryKind::Episode;
    one.when.modified = Some("2026-02-01".to_owned());
    let lowered = lower(&world::<&str>(&[]), &store(vec![one]));
    let mut fs = world::<&str>(&[]);
    fs.file(format!("{ROOT}/a.md"), whole(&lowered, &format!("{ROOT}/a.md")));
    let read = read(&fs).value.stores.remove(0).memories.remove(0);
    assert_eq!(
        (read.name.as_str(), read.kind, read.body.as_str()),
        ("a", MemoryKind::Project, "Body\n")
    );
    assert_eq!(read.when.modified.as_deref(), Some("2026-02-01"));
    assert_eq!(read.extra.get("source").and_then(Value::as_text), Some("~/.other/notes.md"));
}

#[test]
fn memories_of_other_projects_are_named_and_left() {
    let mut other = memory("other", "x");
    let number = Value::Number("7".to_owned());
    other.extra.0 = vec![
        ("cwd".to_owned(), Value::Text("/else/where".to_owned())),
        ("first_line".to_owned(), number),
    ];
    let lowered = lower(&world::<&str>(&[]), &store(vec![other.clone(), memory("own", "x")]));
    assert_eq!(lost(&lowered.losses), ["dropped /h/.other/notes.md:7", "scope-narrowed /h/.other"]);
    assert!(lowered.losses[0].message.contains("`/else/where`"));
    let lowered = lower(&world::<&str>(&[]), &store(vec![other]));
    assert!(lowered.placements.is_empty());
}

#[test]
fn names_that_would_be_the_same_differ_whatever_their_order() {
    let names = |memories: Vec<Memory>| {
        let lowered = lower(&world::<&str>(&[]), &store(memories));
        let mut names = places(&lowered);
        names.sort();
        names
    };
    let (a, b) = (memory("Use tabs!", "a"), memory("use tabs", "b"));
    assert_eq!(names(vec![a.clone(), b.clone()]), names(vec![b, a]));
}

#[test]
fn the_newest_stay_in_an_index_that_is_full() {
    let many: Vec<_> = (0..300).map(|number| memory(&format!("note {number}"), "text")).collect();
    for (own, kept) in [(0, 199), (150, 48), (198, 0), (400, 0)] {
        let text = "- own\n".repeat(own);
        let fs = world(&[(&*format!("{ROOT}/MEMORY.md"), text.as_str())]);
        let lowered = lower(&fs, &store(many.clone()));
        let index = index(&lowered);
        let lines: Vec<_> = index.lines().collect();
        assert_eq!(lines.len(), kept + 1, "{own}");
        assert!(lines[kept].contains("Older memories"));
        let hub = places(&lowered).into_iter().find(|at| at.contains("older-memories")).unwrap();
        let hub = whole(&lowered, &hub);
        assert!(hub.contains("(note-299.md)") && hub.contains(&format!("(note-{kept}.md)")));
        assert_eq!(hub.matches("\n- [").count() + kept, 300);
        if own + kept < 200 {
            let all = format!("{text}\n<!-- x -->\n{index}<!-- y -->\n");
            let shown = crate::memory::shown_index(&Claude::default().profile, &all);
            assert_eq!(shown.cut, None);
        }
    }
}

#[test]
fn long_lines_leave_room_by_their_length() {
    let long = "語".repeat(400);
    let many: Vec<_> = (0..190)
        .map(|number| Memory {
            description: Some(long.clone()),
            ..memory(&format!("note {number}"), "x")
        })
        .collect();
    let index = index(&lower(&world::<&str>(&[]), &store(many)));
    assert!(crate::memory::units(&index) <= 25_000 && index.lines().count() < 190);
    assert!(index.lines().all(|line| crate::memory::units(line) <= 152));
}

#[test]
fn files_of_the_client_s_own_come_back_as_they_were() {
    let file = |at: &str, text: &str| StoreFile {
        path: RelPath::new(at).unwrap(),
        content: Content::file(text),
    };
    let make = |folder: &str| MemoryStore {
        root: path("/h/.other/import/-w"),
        layout: CLIENT,
        reach: Reach::below(Scope::User, path(folder)),
        files: vec![file("MEMORY.md", "- [A](sub/a.md)\r\n"), file("sub/a.md", "x")],
        memories: Vec::new(),
        shown_at_start: None,
    };
    let stores = vec![make("/w"), make("/else")];
    let lowered = lower(&world::<&str>(&[]), &Bundle { stores, ..Bundle::default() });
    assert_eq!(whole(&lowered, &format!("{ROOT}/MEMORY.md")), "- [A](sub/a.md)\r\n");
    assert_eq!(places(&lowered), [format!("{ROOT}/MEMORY.md"), format!("{ROOT}/sub/a.md")]);
    assert_eq!(lowered.losses.len(), 2);
    assert!(lowered.losses[0].message.contains("`/else`"));
}

#[test]
fn memory_that_is_off_and_an_index_that_is_missing_are_told() {
    let mut fs = world(&[("/h/.claude/settings.json", "{\"autoMemoryEnabled\": false}")]);
    fs.file(format!("{ROOT}/mine.md"), "x");
    let told = lower(&fs, &store(vec![memory("a", "x")])).diagnostics;
    let codes: Vec<_> = told.iter().map(|told| told.code.0).collect();
    assert_eq!(codes, ["claude/memory-disabled", "claude/memory-index-missing"]);
}
