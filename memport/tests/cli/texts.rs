//! Texts as people read them: slips that are answered, tables that stay together.

use crate::disk::Disk;

#[test]
fn words_of_other_tools_are_answered_with_the_command_that_was_meant() {
    let disk = Disk::with(&[("project/CLAUDE.md", "hi\n")]);
    for (args, hint) in [
        (&["search", "kiln"][..], "`memport memory lookup kiln`"),
        (&["memory", "list"], "`memport list --kind memory`"),
        (
            &["memory"],
            "goes on with one of: add, archive, restore, supersede, history, edit, rm, show, lookup",
        ),
        (&["explain", "."], "`memport explain --cwd .`"),
        (&["explain", "Codex"], "`codex`"),
        (&["explain", "claude", "-p", "fix it"], "`memport explain claude -- -p 'fix it'`"),
        (&["explain", "codex", "--full-auto"], "`memport explain codex -- --full-auto`"),
    ] {
        let (code, error) = disk.failure(args);
        assert_eq!((code, error.lines().count()), (2, 2), "{args:?}: {error}");
        assert!(error.contains(hint), "{args:?}: {error}");
    }
    disk.run(&["explain", "claude", "--json", "--", "-p", "fix it"]);
}

#[test]
fn a_dry_run_may_be_asked_for_and_contradicts_a_write() {
    let disk = Disk::with(&[("project/CLAUDE.md", "hi\n")]);
    for args in [
        &["port", "--from", "claude", "--to", "codex"][..],
        &["memory", "add", "claude", "--fact", "x"],
    ] {
        let asked = [args, &["--dry-run"]].concat();
        let plan = |args: &[&str]| disk.json(&[args, &["--json"]].concat())["plan"].clone();
        assert_eq!(
            plan(&asked)["changes"].as_array().map(Vec::len),
            plan(args)["changes"].as_array().map(Vec::len)
        );
        let (code, error) = disk.failure(&[&asked[..], &["--write"]].concat());
        assert!(code == 2 && error.contains("--write"), "{error}");
    }
    let (code, _) = disk.failure(&["undo", "--dry-run", "--write"]);
    assert_eq!(code, 2);
    assert!(!disk.dir.path().join("home/.claude").exists());
}

#[test]
fn a_file_stays_with_what_each_client_makes_of_it_however_narrow_the_text_is() {
    let deep = "services/billing-and-settlement/reconciliation";
    let rule = format!("project/.claude/rules/{deep}/payments.md");
    let disk = Disk::with(&[
        ("project/AGENTS.md", "Root.\n"),
        ("project/CLAUDE.md", "Claude root.\n"),
        (&rule, "A rule.\n"),
    ]);
    let said = |columns: &str| {
        let text = disk.output_in(&["explain"], &[("COLUMNS", columns)]);
        let text = String::from_utf8(text.stdout).unwrap();
        let (_, table) = text.rsplit_once("\n\n").unwrap();
        table.to_owned()
    };
    let rule = format!(".claude/rules/{deep}/payments.md");
    for columns in ["60", "100"] {
        let block =
            format!("{rule}\n  Codex        not looked at\n  Claude Code  loads as 2: 7 B\n");
        assert!(said(columns).contains(&block), "{}", said(columns));
    }
    let wide = said("120");
    let row = wide.lines().find(|line| line.starts_with(&rule)).unwrap();
    assert!(row.contains("not looked at") && row.ends_with("loads as 2: 7 B"), "{wide}");
}

#[test]
fn a_trimmed_line_end_is_no_second_size() {
    let disk = Disk::with(&[
        ("project/CLAUDE.md", "Use pnpm, always.\n"),
        ("project/CLAUDE.local.md", "Tests first.\n\n\n"),
        ("project/.claude/rules/a.md", "---\na: b\n---\n<!-- note -->\nR\n"),
    ]);
    let text = disk.run(&["explain", "claude"]);
    assert!(text.contains("rule, without its frontmatter and comments"), "{text}");
    assert!(text.contains("CLAUDE.md                 17 B"), "{text}");
    assert!(text.contains("CLAUDE.local.md     12 of 15 B  blank ends trimmed"), "{text}");
}

#[test]
fn findings_with_one_remedy_are_told_together() {
    let disk = Disk::with(&[("project/CLAUDE.md", "hi\n")]);
    for number in 1..=8 {
        let rule = format!("project/.claude/rules/r{number}.md");
        disk.write(&rule, "---\npaths: \"lib/*.ts\"\n---\nR\n");
    }
    let text = disk.run(&["explain", "claude"]);
    assert_eq!(text.matches("[claude/rule-matches-nothing]").count(), 1, "{text}");
    let (_, told) = text.split_once("[claude/rule-matches-nothing]").unwrap();
    for number in 1..=8 {
        assert!(told.contains(&format!(".claude/rules/r{number}.md:2")), "{text}");
    }
    let found = disk.json(&["explain", "claude", "--json"]);
    let found = found["diagnostics"].as_array().unwrap();
    assert_eq!(found.iter().filter(|one| one["code"] == "claude/rule-matches-nothing").count(), 8);
}

#[test]
fn what_cannot_be_touched_is_told() {
    let disk = Disk::with(&[("project/CLAUDE.md", "hi\n"), ("project/src/main.rs", "x\n")]);
    for (file, code, word) in [
        ("src/mian.rs", "memport/touch-missing", "src/mian.rs"),
        ("src", "memport/touch-folder", "is a folder"),
        ("src/*.rs", "memport/touch-missing", "no pattern"),
    ] {
        let found = disk.json(&["explain", "claude", "--touch", file, "--json"]);
        let told = found["diagnostics"].as_array().unwrap();
        let told: Vec<_> = told.iter().filter(|told| told["code"] == code).collect();
        assert_eq!(told.len(), 1, "{found:#}");
        assert!(told[0]["message"].as_str().unwrap().contains(word), "{told:?}");
    }
    let found = disk.json(&["explain", "claude", "--touch", "src/main.rs", "--json"]);
    assert_eq!(found["diagnostics"].as_array().unwrap().len(), 0, "{found:#}");
}

#[test]
fn a_memory_is_told_in_words() {
    let disk = Disk::with(&[("project/CLAUDE.md", "hi\n")]);
    let found = disk.json(&["explain", "claude", "--json"]);
    let index = found["memory"]["path"].as_str().unwrap();
    let index = index.strip_prefix(disk.dir.path().to_str().unwrap()).unwrap();
    let folder = index.trim_start_matches('/').strip_suffix("MEMORY.md").unwrap().to_owned();
    for topic in ["a", "b", "c"] {
        disk.write(&format!("{folder}{topic}.md"), "---\nname: x\ndescription: d\n---\nx\n");
    }
    disk.write(&format!("{folder}MEMORY.md"), "- [a](a.md) — d\n- [b](b.md) — d\n");
    let text = disk.run(&["explain", "claude"]);
    let words = "the index lists 2 of 3 topics; a topic is read when it is needed";
    assert!(text.contains(words), "{text}");
}
