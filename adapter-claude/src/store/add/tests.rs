use std::time::{Duration, UNIX_EPOCH};

use memory_core::Env;
use memory_core::fs::MemFs;
use memory_core::plan::{Journal, apply};
use proptest::prelude::*;

use super::*;
use crate::memory::{Stamp, TopicEdit};
use crate::store::StorePlace;

const ROOT: &str = "/m";

fn path(text: &str) -> AbsPath {
    AbsPath::new(text).unwrap()
}

fn memory(fact: &str) -> NewMemory {
    let time = UNIX_EPOCH + Duration::from_millis(1_767_225_599_123);
    NewMemory { session: Some("s-1".to_owned()), ..NewMemory::new(fact, time) }
}

fn plan(claude: &Claude, fs: &MemFs, memory: &NewMemory) -> Result<Addition, Error> {
    let env = Env::default();
    claude.plan_add(World { fs, env: &env }, &path(ROOT), memory)
}

/// Adds a memory and says what was planned.
fn add(fs: &MemFs, memory: &NewMemory) -> Addition {
    let addition = plan(&Claude::default(), fs, memory).unwrap();
    apply(fs, &addition.plan, &Journal::new(path("/j"))).unwrap();
    addition
}

fn read(fs: &MemFs, name: &str) -> String {
    String::from_utf8(fs.read_up_to(&path(ROOT).join(name), 1 << 20).unwrap()).unwrap()
}

fn world(files: &[(&str, &str)]) -> MemFs {
    let mut fs =
        MemFs::from_files(files.iter().map(|(name, text)| (format!("{ROOT}/{name}"), text)));
    fs.dir(ROOT);
    fs
}

#[test]
fn a_topic_has_the_layout_of_the_client_and_its_line() {
    let fs = MemFs::new();
    let new = NewMemory {
        why: Some("npm ignores the lock file".to_owned()),
        source: Some("review of #12".to_owned()),
        type_name: Some("feedback".to_owned()),
        ..memory("Use pnpm, not npm.\r\nAlways.")
    };
    let addition = add(&fs, &new);
    assert_eq!((addition.name.as_str(), addition.known), ("use-pnpm-not-npm-always", false));
    assert_eq!(
        read(&fs, "use-pnpm-not-npm-always.md"),
        "---\nname: use-pnpm-not-npm-always\ndescription: \"Use pnpm, not npm.\"\nmetadata:\n  node_type: memory\n  type: feedback\n  originSessionId: s-1\n  modified: 2025-12-31T23:59:59.123Z\n---\n\nUse pnpm, not npm.\nAlways.\n\n**Why:** npm ignores the lock file\n\n**Source:** review of #12\n"
    );
    assert_eq!(
        read(&fs, "MEMORY.md"),
        "- [use-pnpm-not-npm-always](use-pnpm-not-npm-always.md) — Use pnpm, not npm.\n"
    );
}

#[test]
fn a_japanese_name_stays_where_the_client_keeps_it() {
    let fs = world(&[]);
    let new = NewMemory {
        name: Some("テスト方針".to_owned()), ..memory("結合テストを先に書く。")
    };
    let addition = add(&fs, &new);
    assert!(addition.name.starts_with("project-") && addition.name.is_ascii(), "{}", addition.name);
    let topic = read(&fs, &format!("{}.md", addition.name));
    assert!(
        topic.contains("\ndescription: テスト方針: 結合テストを先に書く。\n")
            || topic.contains("\ndescription: \"テスト方針: 結合テストを先に書く。\"\n"),
        "{topic}"
    );
    let want =
        format!("- [テスト方針]({}.md) — テスト方針: 結合テストを先に書く。\n", addition.name);
    assert_eq!(read(&fs, "MEMORY.md"), want);
}

#[test]
fn adding_again_does_nothing_but_heal() {
    let fs = world(&[("MEMORY.md", "- [Other](other.md)\n")]);
    add(&fs, &memory("One fact"));
    let again = plan(&Claude::default(), &fs, &memory("One fact")).unwrap();
    assert!(again.plan.is_empty() && again.known);

    // The client changed description and type; a person hid the line in a comment.
    let topic = read(&fs, "one-fact.md").replace("description: One fact", "description: else");
    let mut changed =
        world(&[("one-fact.md", &topic), ("MEMORY.md", "<!-- - [o](one-fact.md) -->\n")]);
    assert!(plan(&Claude::default(), &changed, &memory("One fact")).unwrap().plan.is_empty());

    // Another program's rewriting of the index lost the line.
    changed.file("/m/MEMORY.md", "- [Other](other.md)\n");
    let healed = add(&changed, &memory("One fact"));
    assert!(healed.known && healed.plan.changes().len() == 1);
    assert_eq!(
        read(&changed, "MEMORY.md"),
        "- [Other](other.md)\n- [one-fact](one-fact.md) — One fact\n"
    );
}

#[test]
fn another_memory_of_the_same_name_gets_a_number() {
    let fs = world(&[("MEMORY.md", "")]);
    for (fact, want) in [("a fact", "a-fact"), ("A fact!", "a-fact-2"), ("a  Fact?", "a-fact-3")] {
        assert_eq!(add(&fs, &memory(fact)).name, want);
    }
    assert_eq!(read(&fs, "MEMORY.md").lines().count(), 3);
    assert!(read(&fs, "a-fact-3.md").contains("name: a-fact-3\n"));
}

#[test]
fn memories_that_say_nearly_the_same_are_given() {
    let long =
        "the deploy of the shop runs at noon on every working day and is done by hand ".repeat(4);
    let index = "# M\n- [Pnpm](pnpm.md) — Use **pnpm**, not `npm`!\n- タブを使う。\n<!-- - four words of text -->\n- [four-words-of-text](x.md)\n- [Y](y.md) — y\n";
    let fs = world(&[
        ("MEMORY.md", index),
        ("alone.md", "---\ndescription: Ｏｎｌｙ here\n---\nother words\n"),
        ("y.md", "---\ndescription: told by y\n---\n"),
    ]);
    let similar = |fs: &MemFs, fact: &str| -> Vec<(String, u32)> {
        let addition = plan(&Claude::default(), fs, &memory(fact)).unwrap();
        assert!(!addition.plan.is_empty());
        let similar = addition.similar.into_iter();
        similar.map(|it| (it.path.file_name().unwrap().to_owned(), it.line)).collect()
    };
    for (fact, name, line) in [
        ("use PNPM not npm", "MEMORY.md", 2),
        ("タブを、使う", "MEMORY.md", 3),
        ("Four words of text.", "MEMORY.md", 5),
        ("only HERE", "alone.md", 1),
    ] {
        assert_eq!(similar(&fs, fact), [(name.to_owned(), line)], "{fact}");
    }
    for fact in ["use tabs", "other words", "told by y"] {
        assert_eq!(similar(&fs, fact), [], "{fact}");
    }
    // The line of a long fact is cut short.
    let fs = world(&[]);
    add(&fs, &memory(&long));
    assert_eq!(similar(&fs, &format!("{}!", long.to_uppercase())).len(), 1);
    let again = plan(&Claude::default(), &fs, &memory(&long)).unwrap();
    assert!(again.known && again.similar.is_empty());
}

#[test]
fn three_dashes_never_stand_in_the_frontmatter() {
    let fs = world(&[("MEMORY.md", "")]);
    let named = |name: &str, fact: &str| NewMemory {
        name: Some(name.to_owned()),
        type_name: Some("a---b".to_owned()),
        ..memory(fact)
    };
    for (new, want) in [
        (named("---a", "one"), "a"),
        (named("a---b", "one"), "a-b"),
        (named("--a--", "one"), "--a--"),
        (named("--a--", "two"), "--a--2"),
    ] {
        let name = add(&fs, &new).name;
        assert_eq!(name, want);
        assert_eq!(read(&fs, &format!("{name}.md")).matches("---").count(), 2, "{new:?}");
    }
}

#[test]
fn a_missing_index_is_the_one_that_the_client_would_write() {
    let fs = world(&[("old.md", "---\ndescription: d\n---\n")]);
    add(&fs, &memory("New fact"));
    assert_eq!(
        read(&fs, "MEMORY.md"),
        "- [old](old.md) — d\n- [new-fact](new-fact.md) — New fact\n"
    );
}

#[test]
fn only_the_line_changes_in_an_index() {
    let fs = world(&[("MEMORY.md", "\u{feff}# Index\r\n\r\n- [A](a.md) — a\r\n\r\ntail")]);
    add(&fs, &memory("B"));
    assert_eq!(
        read(&fs, "MEMORY.md"),
        "\u{feff}# Index\r\n\r\n- [A](a.md) — a\r\n- [b](b.md) — B\r\n\r\ntail"
    );
}

#[test]
fn what_cannot_be_done_safely_is_refused() {
    let claude = Claude::default();
    let fs = world(&[]);
    assert!(matches!(
        plan(&claude, &fs, &memory("a\n[rest unchanged]")),
        Err(Error::Elision { line: 2, .. })
    ));
    assert!(matches!(plan(&claude, &fs, &memory(" \n")), Err(Error::Blank)));
    let mut fs = world(&[("real.md", "x")]);
    fs.link("/m/MEMORY.md", "real.md");
    let linked = plan(&claude, &fs, &memory("a"));
    assert!(matches!(linked, Err(Error::ThroughLink { .. })), "{linked:?}");
    let mut fs = world(&[]);
    fs.link("/m/MEMORY.md", "gone.md");
    let dangling = plan(&claude, &fs, &memory("a")).unwrap_err().to_string();
    assert_eq!(dangling, "`/m/MEMORY.md` is a link to `gone.md`, which is not there");
    let mut fs = MemFs::new();
    fs.link(ROOT, "/gone");
    assert!(matches!(plan(&claude, &fs, &memory("a")), Err(Error::DanglingLink { .. })));
    let mut fs = world(&[]);
    fs.special("/m/MEMORY.md");
    assert!(matches!(plan(&claude, &fs, &memory("a")), Err(Error::Io { .. })));
    let fs = MemFs::from_files([(ROOT, "a file")]);
    assert!(matches!(plan(&claude, &fs, &memory("a")), Err(Error::NotADirectory { .. })));
}

#[test]
fn a_placeholder_is_refused_wherever_it_stands() {
    let left_out = || Some("[rest unchanged]".to_owned());
    for new in [
        NewMemory { why: left_out(), ..memory("a") },
        NewMemory { how_to_apply: left_out(), ..memory("a") },
        NewMemory { source: left_out(), ..memory("a") },
        NewMemory { type_name: left_out(), ..memory("a") },
        NewMemory { name: left_out(), ..memory("a") },
        NewMemory { description: left_out(), ..memory("a") },
        NewMemory { body: left_out(), ..memory("a") },
    ] {
        let refused = plan(&Claude::default(), &world(&[]), &new);
        assert!(matches!(refused, Err(Error::Elision { line: 1, .. })), "{new:?}");
    }
}

#[test]
fn the_line_of_an_odd_fact_says_what_it_is_about() {
    for (fact, hook) in [
        ("---\nUse tabs.\n", "Use tabs."),
        ("---\nname: x\n---\n# Tabs\nUse them.", "Use them."),
        ("# Tabs\n```\nmake fmt\n```\n", "Tabs"),
        ("```\nmake fmt\n```\n", "make fmt"),
    ] {
        let fs = world(&[]);
        add(&fs, &memory(fact));
        let index = read(&fs, "MEMORY.md");
        assert!(index.ends_with(&format!(" — {hook}\n")), "{index}");
    }
    for fact in ["---\n---", "```\n```", "\u{3164}\u{200b}", "# ", "…"] {
        let refused = plan(&Claude::default(), &world(&[]), &memory(fact));
        assert!(matches!(refused, Err(Error::Blank)), "{fact:?}");
    }
}

#[test]
fn a_line_that_no_model_would_see_is_told() {
    let fs = world(&[("MEMORY.md", &"- x\n".repeat(200))]);
    let told = plan(&Claude::default(), &fs, &memory("a")).unwrap().diagnostics;
    assert_eq!(told.first().unwrap().code.0, "claude/memory-entry-beyond-cut");
    let fs = world(&[("MEMORY.md", &"- x\n".repeat(199))]);
    assert!(plan(&Claude::default(), &fs, &memory("a")).unwrap().diagnostics.is_empty());
}

#[test]
fn lines_that_count_for_nothing_hide_no_line() {
    let told = |index: &str| {
        let fs = world(&[("MEMORY.md", index)]);
        !plan(&Claude::default(), &fs, &memory("a")).unwrap().diagnostics.is_empty()
    };
    let full = "- x\n".repeat(199);
    for start in
        ["", "\n\u{3000}\n\n", "<!-- a\nb\n-->\n", "---\na: b\n---\n", "\u{feff}---\na: b\n---\n"]
    {
        assert!(!told(&format!("{start}{full}")), "{start:?}");
        assert!(told(&format!("{start}{full}- y\n")), "{start:?}");
    }
    assert!(told(&format!("---\n{full}")));
}

/// A topic without the lines that the client stamps.
fn unstamped(text: &str) -> String {
    let is_stamp =
        |line: &&str| line.starts_with("  originSessionId: ") || line.starts_with("  modified: ");
    text.split_inclusive('\n').filter(|line| !is_stamp(line)).collect()
}

proptest! {
    #[test]
    fn the_clients_next_write_changes_nothing_but_its_stamps(
        fact in "(?s)([a-zA-Z0-9 .,:;#&*!?'\"|>%@`~\\[\\]{}()<>=+\n\r\t-]|[あ-ん漢字。、「」：—é😀\u{a0}\u{85}\u{200b}]){1,80}z",
        name in proptest::option::of("([a-z A-Z:#'\"-]|[あ-ん]){0,20}"),
        description in proptest::option::of("(?s)([a-z:#&*!'\"\\-\n]|[あ-ん]){0,40}"),
        type_name in proptest::option::of("(user|feedback|bogus|yes|\"x: y#|日本|a---)"),
        has_session in any::<bool>(),
    ) {
        for profile in Profile::ALL {
            let claude = Claude { profile: profile.clone() };
            let mut new = memory(&fact);
            (new.name, new.description, new.type_name) = (name.clone(), description.clone(), type_name.clone());
            new.session = new.session.filter(|_| has_session);
            let addition = match plan(&claude, &world(&[]), &new) {
                Err(Error::Elision { .. }) => continue,
                addition => addition.unwrap(),
            };
            let fs = world(&[]);
            apply(&fs, &addition.plan, &Journal::new(path("/j"))).unwrap();
            let text = read(&fs, &format!("{}.md", addition.name));

            let stamp = Stamp { session: "s-2", time: UNIX_EPOCH };
            let written = claude.topic_after_write(&path(ROOT), &addition.file, &text, stamp);
            prop_assert_eq!(unstamped(&written), unstamped(&text));
            let edit = TopicEdit { old: text.clone(), new: format!("{text}more\n"), all: false };
            let edited = claude.topic_after_edit(&path(ROOT), &addition.file, &text, &edit, stamp);
            prop_assert_eq!(unstamped(&edited.unwrap()), unstamped(&format!("{text}more\n")));

            // What is read back is what was planned.
            let place = StorePlace { root: path(ROOT), agent: None, scope: memory_core::Scope::Local };
            let env = Env::default();
            let store = claude.store_at(World { fs: &fs, env: &env }, place).value;
            let read = store.memories().pop().unwrap();
            prop_assert_eq!(&read.name, &addition.name);
            let body = fact.trim_matches(is_space).replace("\r\n", "\n").replace('\r', "\n");
            prop_assert_eq!(read.body.trim_matches(is_space), body.as_str());
            let below = format!("{}.md", addition.name);
            let index = store.index.unwrap();
            prop_assert_eq!(index.lines_naming(&below, &addition.name).len(), 1);
            let again = plan(&claude, &fs, &new).unwrap();
            prop_assert!(again.plan.is_empty(), "{:?}", again.plan);
        }
    }
}
