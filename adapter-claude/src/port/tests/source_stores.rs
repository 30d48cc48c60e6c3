use super::*;

const ROOT: &str = "/h/.claude/projects/-w/memory";

#[test]
fn a_memory_folder_is_read_whole_and_newest_first() {
    let at = |name: &str| format!("{ROOT}/{name}");
    let mut fs = world::<&str>(&[]);
    fs.file(at("MEMORY.md"), "- [A](a.md)\n")
        .file(
            at("a.md"),
            "---\nname: a\nmetadata:\n  modified: 2026-01-01T00:00:00.000Z\n---\n\nOld\n",
        )
        .file(at("sub/b.MD"), "Shouted\n")
        .file(
            at("sub/c.md"),
            "---\nname: c\nmetadata:\n  modified: 2026-03-01T00:00:00.000Z\n---\n\nNew\n",
        )
        .file(at("notes.txt"), "x")
        .link(at("linked.md"), "a.md");
    let found = read(&fs).value;
    let store = &found.stores[0];
    let files: Vec<_> = store.files.iter().map(|file| file.path.as_str()).collect();
    assert_eq!(files, ["MEMORY.md", "a.md", "sub/b.MD", "sub/c.md"]);
    let names: Vec<_> = store.memories.iter().map(|memory| memory.name.as_str()).collect();
    assert_eq!(names, ["c", "a"]);
    assert_eq!((store.root.as_str(), store.layout), (ROOT, CLIENT));
    assert_eq!(store.reach, Reach::below(Scope::Local, path("/w")));
    assert_eq!(store.shown_at_start.as_deref(), Some("- [A](a.md)"));
    assert_eq!(
        lost(&found.left_out),
        [format!("dropped {ROOT}/linked.md"), format!("dropped {ROOT}/notes.txt")]
    );
}

#[test]
fn memory_that_is_switched_off_is_carried_with_a_word() {
    let mut fs = world(&[("/h/.claude/settings.json", "{\"autoMemoryEnabled\": false}")]);
    fs.file(format!("{ROOT}/a.md"), "x\n");
    let found = read(&fs);
    assert_eq!((found.value.stores.len(), &found.value.stores[0].shown_at_start), (1, &None));
    assert_eq!(found.diagnostics[0].code.0, "claude/memory-disabled");
}

#[test]
fn sub_agents_keep_their_memory_and_are_named_themselves() {
    let fs = world(&[
        ("/w/.claude/agents/r/review.md", "---\nname: review\ndescription: d\n---\nPrompt\n"),
        ("/h/.claude/agents/mine.md", "x"),
        ("/w/.claude/agent-memory/review/MEMORY.md", "Shared\n"),
        ("/h/.claude/agent-memory/mine/MEMORY.md", "Own\n"),
        ("/w/.claude/agent-memory-local/review/MEMORY.md", "Local\n"),
        ("/w/.claude/settings.json", "{\"outputStyle\": \"Terse\"}"),
        ("/w/.claude/output-styles/Terse.md", "Short\n"),
    ]);
    let found = read(&fs).value;
    let reaches: Vec<_> = found.stores.iter().map(|store| store.reach.clone()).collect();
    let below = |scope| Reach::below(scope, path("/w"));
    assert_eq!(
        reaches,
        [Reach::everywhere(Scope::User), below(Scope::Project), below(Scope::Local)]
    );
    assert!(found.stores.iter().all(|store| store.shown_at_start.is_none()));
    assert_eq!(
        lost(&found.left_out),
        [
            "dropped /h/.claude/agents/mine.md",
            "dropped /w/.claude/agents/r/review.md",
            "dropped /w/.claude/output-styles/Terse.md",
        ]
    );
}
