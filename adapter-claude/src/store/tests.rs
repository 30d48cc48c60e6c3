//! Stores as a whole: listed, shown, searched, looked over.

use memory_core::Env;
use memory_core::fs::{Fs, MemFs};
use memory_core::store::{ItemKind, ItemStatus};

use super::*;

const MEMORY: &str = "/h/.claude/projects/-w/memory";

fn world(files: &[(&str, &str)]) -> MemFs {
    let mut fs = MemFs::new();
    fs.dir("/h").dir("/w/.git");
    for (path, text) in files {
        let path =
            if path.starts_with('/') { (*path).to_owned() } else { format!("{MEMORY}/{path}") };
        fs.file(path, text);
    }
    fs
}

fn query() -> Query {
    Query::new(AbsPath::new("/w").unwrap())
}

fn env() -> Env {
    Env::with_home(AbsPath::new("/h").unwrap())
}

fn codes(fs: &MemFs) -> Vec<String> {
    let told = Claude::default().doctor(World { fs, env: &env() }, &query()).unwrap();
    let shown = told.iter().map(|it| {
        let path = it.path.as_ref().map_or("", |path| path.file_name().unwrap_or_default());
        format!("{} {path} {}", it.code, it.line.unwrap_or_default())
    });
    shown.collect()
}

const TOPIC: &str =
    "---\nname: tabs\ndescription: indent with tabs\n---\n\nUse tabs, see [[other]].\n";

#[test]
fn the_inventory_holds_all_kinds_with_ids_of_their_own() {
    let fs = world(&[
        ("MEMORY.md", "- [Tabs](tabs.md)\n- [Old](old.md)\n"),
        (
            "MEMORY_ARCHIVED.md",
            "# Put away\n- [Gone](gone.md) — merged\n- [Away](sub/away.md) — done\n- [Old](old.md)\n",
        ),
        ("tabs.md", TOPIC),
        ("old.md", "x"),
        ("sub/away.md", "x"),
        ("marked.md", "---\nmetadata:\n  status: archived\n---\n"),
        ("draft.md", "---\nstatus: draft\n---\n"),
        ("/h/.claude/agent-memory/memo/MEMORY.md", "what memo knows\n"),
        ("/h/.claude/agent-memory/memo/tabs.md", TOPIC),
        ("/h/.claude/CLAUDE.md", "@import.md"),
        ("/h/.claude/import.md", "x"),
        ("/h/.claude/rules/r.md", "---\ndescription: all\n---\nr"),
        ("/w/CLAUDE.md", "x"),
        ("/w/.claude/rules/r.md", "---\npaths: src/**\n---\nr"),
        ("/w/.claude/skills/s/SKILL.md", "---\ndescription: sss\n---\n"),
    ]);
    let items =
        Claude::default().inventory(World { fs: &fs, env: &env() }, &query()).unwrap().value;
    let shown: Vec<_> = items.iter().map(|item| (item.id.as_str(), item.status.as_str())).collect();
    assert_eq!(
        shown,
        [
            ("memory:draft", "draft"),
            ("memory:marked", "archived"),
            ("memory:old", "active"),
            ("memory:sub/away", "archived"),
            ("memory:tabs", "active"),
            (
                &format!("memory:MEMORY_ARCHIVED#{}", fingerprint("- [Gone](gone.md) — merged")),
                "archived"
            ),
            ("agent-memory:user:memo:tabs", "active"),
            ("agent-memory:user:memo:MEMORY", "active"),
            ("instruction:user/CLAUDE.md", "active"),
            ("instruction:user/import.md", "active"),
            ("rule:user/rules/r.md", "active"),
            ("instruction:CLAUDE.md", "active"),
            ("rule:.claude/rules/r.md", "active"),
            ("skill:.claude/skills/s/SKILL.md", "active"),
        ]
    );
    let tabs = items.iter().find(|item| item.id == "memory:tabs").unwrap();
    assert_eq!((tabs.kind, tabs.status), (ItemKind::Memory, ItemStatus::Active));
    assert_eq!(tabs.description.as_deref(), Some("indent with tabs"));
    assert_eq!(
        (tabs.links.as_slice(), tabs.bytes),
        (&["other".to_owned()][..], TOPIC.len() as u64)
    );
    assert!(items.iter().all(|item| fs.metadata(&item.path).is_ok()));
}

#[test]
fn a_memory_is_shown_with_all_that_leads_to_it() {
    let fs = world(&[
        ("MEMORY.md", "# M\n- [Tabs](tabs.md) — x\n<!-- tabs -->\n"),
        ("tabs.md", TOPIC),
        ("b.md", "see [it](tabs.md)\n`[[tabs]]`\nand [[tabs]]\n"),
        ("sub/c.md", "[up](../tabs.md) [[Tabs]]\n"),
    ]);
    let show =
        |id: &str| Claude::default().show(World { fs: &fs, env: &env() }, &query(), id).unwrap();
    for id in ["memory:tabs", "tabs", "tabs.md", "/h/.claude/projects/-w/memory/tabs.md"] {
        let view = show(id).pop().unwrap();
        assert_eq!((view.id.as_str(), view.body_lines), ("memory:tabs", (6, 6)));
        assert_eq!(view.index_lines.iter().map(|it| it.line).collect::<Vec<_>>(), [2, 3]);
        let from: Vec<_> =
            view.linked_from.iter().map(|it| (it.path.file_name().unwrap(), it.line)).collect();
        assert_eq!(from, [("b.md", 1), ("b.md", 3), ("c.md", 1)]);
    }
    assert_eq!(show("none"), []);
}

#[test]
fn everything_that_is_listed_as_a_memory_is_shown_by_its_id() {
    let mut fs = world(&[
        ("MEMORY_ARCHIVED.md", "- [Gone](gone.md) — merged\n\n- [Gone](gone.md) — merged\n"),
        ("tabs.md", TOPIC),
        ("tabs~2.md", TOPIC),
        ("/h/.claude/agent-memory/memo/MEMORY.md", "# M\n- what memo knows\n"),
        ("/w/.claude/agent-memory/memo/tabs.md", TOPIC),
    ]);
    for name in ["caf\u{efe9}", "caf\u{efe8}"] {
        fs.file(format!("{MEMORY}/{name}.md"), "x");
    }
    let claude = Claude::default();
    let env = env();
    let world = World { fs: &fs, env: &env };
    let items = claude.inventory(world, &query()).unwrap().value;
    let memories: Vec<_> = items.iter().filter(|it| it.kind == ItemKind::Memory).collect();
    assert_eq!(memories.len(), 8);
    let show = |wanted: &str| claude.show(world, &query(), wanted).unwrap();
    for item in memories {
        let found = show(&item.id);
        let [view] = found.as_slice() else { panic!("{}: {found:?}", item.id) };
        assert_eq!((&view.id, &view.path, view.status), (&item.id, &item.path, item.status));
        assert_eq!((&view.memory.name, view.bytes), (&item.name, item.bytes));
    }
    let ids = |wanted: &str| show(wanted).into_iter().map(|view| view.id).collect::<Vec<_>>();
    let twins = ["memory:tabs", "memory:tabs~2", "agent-memory:project:memo:tabs"];
    assert_eq!(ids("tabs"), twins);
    assert_eq!(ids("tabs~2"), ["memory:tabs~2"]);
    assert_eq!(ids(&format!("{MEMORY}/MEMORY_ARCHIVED.md")).len(), 2);
    assert_eq!(ids("memo"), ["agent-memory:user:memo:MEMORY"]);
    assert_eq!(show("memo")[0].body_lines, (1, 2));
    assert_eq!(show("Gone")[1].body_lines, (3, 3));
    assert_eq!(ids("caf\u{fffd}"), ["memory:caf\u{fffd}", "memory:caf\u{fffd}~2"]);
}

#[test]
fn words_are_found_inside_japanese_and_in_any_width_and_case() {
    let fs = world(&[
        ("MEMORY.md", "- [方針](policy.md) — 結合テストの方針\n- [Tabs](tabs.md)\n"),
        (
            "policy.md",
            "---\nname: policy\ndescription: テスト\n---\n\n一行目\nＶＰＮは東京オフィス。\n",
        ),
        ("tabs.md", TOPIC),
    ]);
    let look = |text: &str| {
        let hits =
            Claude::default().lookup(World { fs: &fs, env: &env() }, &query(), text).unwrap();
        hits.into_iter()
            .map(|hit| {
                (
                    hit.name.clone(),
                    hit.reasons.iter().map(|it| (it.part.as_str(), it.lines)).collect::<Vec<_>>(),
                )
            })
            .collect::<Vec<_>>()
    };
    assert_eq!(look("東京 vpn"), [("policy".to_owned(), vec![("body", (7, 7))])]);
    assert_eq!(look("方針"), [("policy".to_owned(), vec![("index", (1, 1))])]);
    assert_eq!(look("TABS").first().unwrap().1.len(), 4);
    assert_eq!((look(""), look("nowhere")), (Vec::new(), Vec::new()));
    assert_eq!(look("テスト tabs").len(), 2);
}

#[test]
fn a_folder_is_looked_over() {
    let long = "- x\n".repeat(198);
    let index =
        format!("- [A](a.md)\n`[no](no.md)`\n{long}- [C](cut.md)\n- [D](dead.md)\n- [E](a.md)\n");
    let fs = world(&[
        ("MEMORY.md", &index),
        ("a.md", "leads to [[hub]]"),
        ("hub.md", "to [deep](sub/deep.md)"),
        ("sub/deep.md", "x"),
        ("cut.md", "to [[behind]]"),
        ("behind.md", "x"),
        ("lost.md", "---\nname: \"\"\nmetadata:\n  node_type: memory\n---\n"),
        ("odd.md", "---\nname: \"\n---\n"),
        ("archive/old.md", "x"),
        (".a.md.memport-3", "x"),
        ("a.md.tmp.123", "x"),
    ]);
    let mut found = codes(&fs);
    found.sort();
    assert_eq!(
        found,
        [
            "claude/memory-entry-dangling MEMORY.md 202",
            "claude/memory-frontmatter-unreadable odd.md 2",
            "claude/memory-left-over .a.md.memport-3 0",
            "claude/memory-left-over a.md.tmp.123 0",
            "claude/memory-name-blank lost.md 2",
            "claude/memory-topic-not-listed lost.md 0",
            "claude/memory-topic-not-listed odd.md 0",
            "claude/memory-topic-unreachable behind.md 0",
            "claude/memory-topic-unreachable cut.md 0",
        ]
    );
}

#[test]
fn pointers_that_lead_nowhere_or_out_are_told() {
    let fs = world(&[
        (
            "MEMORY.md",
            "- [A](a.md) see [[zz]], [[A]]\n- [Up](../../x.md)\n- [Abs](/etc/hosts) `[no](/x)`\n\
             <!-- [no](../x) -->\n- [In](/h/.claude/projects/-w/memory/gone.md)\n\
             - [Web](https://x/y) [here](#a)\n",
        ),
        ("MEMORY_ARCHIVED.md", "- [Old](old.md)\n"),
        (
            "a.md",
            "---\nname: alpha\n---\n\n[[alpha]] [[old]] [[A.md]]\n\n```\n[[no]]\n```\n[[テスト|x]]\n",
        ),
    ]);
    assert_eq!(
        codes(&fs),
        [
            "claude/memory-entry-dangling MEMORY.md 5",
            "claude/memory-entry-outside MEMORY.md 2",
            "claude/memory-entry-outside MEMORY.md 3",
            "claude/memory-link-dangling MEMORY.md 1",
            "claude/memory-link-dangling a.md 10",
        ]
    );
}

#[test]
fn folders_of_projects_are_looked_over() {
    let line = |cwd: &str| format!("{{\"type\":\"user\",\"cwd\":\"{cwd}\"}}\n");
    let mut fs = world(&[
        ("/h/.claude/projects/-w-gone/memory/MEMORY.md", "- x\n"),
        ("/h/.claude/projects/-w-gone/s.jsonl", &line("/w/gone")),
        ("/h/.claude/projects/-nowhere-at-all/memory/a.md", "x"),
        ("/h/.claude/projects/-x-there/memory/a.md", "x"),
        ("/h/.claude/projects/-x-empty/memory/x/../../s.jsonl", &line("/x/empty")),
        ("/h/.claude/projects/-x-a-b/1.jsonl", &line("/x/a.b")),
        ("/h/.claude/projects/-x-a-b/2.jsonl", &line("/x/a_b")),
        ("/h/.claude.json", "{\"projects\": {\"/y/gone\": {}}}"),
    ]);
    fs.dir("/x/there").dir("/x/a.b").dir("/x/a_b").dir("/y/gone");
    let told = Claude::default().doctor(World { fs: &fs, env: &env() }, &query()).unwrap();
    let shown: Vec<_> =
        told.iter().map(|it| (it.code.0, it.path.as_ref().unwrap().file_name().unwrap())).collect();
    assert_eq!(
        shown,
        [
            ("claude/memory-orphaned", "-nowhere-at-all"),
            ("claude/memory-orphaned", "-w-gone"),
            ("claude/memory-folder-shared", "-x-a-b"),
        ]
    );
    let help = told.get(1).and_then(|it| it.help.clone()).unwrap();
    assert!(help.ends_with("memport relocate /w/gone /y/gone"), "{help}");
}

#[test]
fn odd_things_in_a_folder_are_told_and_left() {
    let mut fs = world(&[("a.md", "x"), ("/h/secret.md", "x")]);
    fs.special(format!("{MEMORY}/pipe.md")).link(format!("{MEMORY}/loop.md"), "loop.md");
    fs.link(format!("{MEMORY}/up"), "..").link(format!("{MEMORY}/out.md"), "/h/secret.md");
    fs.mode(format!("{MEMORY}/a.md"), 0).dir(format!("{MEMORY}/MEMORY.md"));
    let parsed = Claude::default().store(World { fs: &fs, env: &env() }, &query()).unwrap();
    let names: Vec<_> = parsed.value.topics.iter().map(|it| it.below.as_str()).collect();
    assert_eq!(names, ["out.md"]);
    assert_eq!(parsed.value.others.len(), 3);
    let codes: Vec<_> = parsed.diagnostics.iter().map(|it| it.code.0).collect();
    assert_eq!(codes, ["claude/memory-unreadable", "claude/memory-unreadable"]);
}
