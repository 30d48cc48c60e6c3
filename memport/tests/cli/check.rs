//! What `check` finds, on a real disk.

use serde_json::Value;

use crate::disk::Disk;
use crate::schema;

/// A file of so many bytes, of one line again and again.
fn bytes(count: usize) -> String {
    let line = "Names of tables are plural here.\n";
    let mut text = line.repeat(count / line.len() + 1);
    text.truncate(count - 1);
    text.push('\n');
    text
}

/// A home and a project that is a repository of git.
fn repository(files: &[(&str, &str)]) -> Disk {
    let disk = Disk::with(files);
    for (file, text) in
        [("HEAD", "ref: refs/heads/main\n"), ("config", ""), ("objects/info/packs", "")]
    {
        disk.write(&format!("project/.git/{file}"), text);
    }
    std::fs::create_dir_all(disk.dir.path().join("project/.git/refs/heads")).unwrap();
    disk
}

/// Where Claude Code keeps the memory of the project.
fn memory(disk: &Disk) -> String {
    let project = disk.dir.path().join("project").canonicalize().unwrap();
    let slug = project.to_str().unwrap().replace(|c: char| !c.is_ascii_alphanumeric(), "-");
    format!("home/.claude/projects/{slug}/memory")
}

/// A memory in the client's form, and its line in the index.
fn topic(disk: &Disk, name: &str, description: &str, body: &str) {
    let folder = memory(disk);
    let text = format!(
        "---\nname: {name}\ndescription: {description}\nmetadata:\n  type: project\n---\n\n{body}\n"
    );
    disk.write(&format!("{folder}/{name}.md"), &text);
    let index = format!("{folder}/MEMORY.md");
    let path = disk.dir.path().join(&index);
    let before = std::fs::read_to_string(path).unwrap_or_default();
    disk.write(&index, &format!("{before}- [{name}]({name}.md) — {description}\n"));
}

/// The document and the exit status.
fn checked(disk: &Disk, args: &[&str]) -> (Value, i32) {
    let output = disk.output(&[&["check", "--json"], args].concat());
    let error = String::from_utf8_lossy(&output.stderr).into_owned();
    let document: Value =
        serde_json::from_slice(&output.stdout).unwrap_or_else(|_| panic!("{error}"));
    schema::check(&disk.json(&["schema", "check"]), &document);
    (document, output.status.code().unwrap())
}

/// The lines of the findings of a code in a file.
fn lines(document: &Value, code: &str, file: &str) -> Vec<u64> {
    let findings = document["findings"].as_array().unwrap().iter();
    findings
        .filter(|found| found["code"] == code && found["path"].as_str().unwrap().ends_with(file))
        .map(|found| found["line"].as_u64().unwrap_or_default())
        .collect()
}

fn codes(document: &Value) -> Vec<&str> {
    document["findings"]
        .as_array()
        .unwrap()
        .iter()
        .map(|found| found["code"].as_str().unwrap())
        .collect()
}

#[test]
fn a_healthy_project_has_nothing_that_fails() {
    let disk = repository(&[
        ("project/AGENTS.md", "# Shop\n\nUse pnpm for packages.\n"),
        ("project/CLAUDE.md", "@AGENTS.md\n"),
    ]);
    assert_eq!(checked(&disk, &["--no-home"]).1, 0);
}

#[test]
fn the_exit_status_says_the_same_in_every_format() {
    let disk = repository(&[
        ("project/AGENTS.md", &bytes(40_000)),
        ("project/CLAUDE.md", "@AGENTS.md\n@docs/gone.md\n"),
    ]);
    for format in ["text", "json", "sarif", "github"] {
        for (fail_on, status) in [("error", 0), ("warning", 1), ("hint", 1), ("never", 0)] {
            let output =
                disk.output(&["check", "--no-home", "--format", format, "--fail-on", fail_on]);
            assert_eq!(output.status.code(), Some(status), "{format} {fail_on}");
        }
    }
    assert_eq!(disk.failure(&["check", "--fail-on", "nonsense"]).0, 2);
}

#[test]
fn what_is_cut_below_is_told_once_from_the_root() {
    let mut files = vec![
        ("project/AGENTS.md".to_owned(), bytes(20_000)),
        ("project/api/AGENTS.md".to_owned(), bytes(20_000)),
    ];
    for folder in ["a", "b"] {
        files.push((format!("project/api/{folder}/AGENTS.md"), format!("Folder {folder}.\n")));
    }
    let disk = repository(&[]);
    for (file, text) in &files {
        disk.write(file, text);
    }
    assert_eq!(
        lines(&checked(&disk, &["--no-home"]).0, "codex/doc-truncated", "AGENTS.md"),
        [0_u64; 0]
    );
    let (all, status) = checked(&disk, &["--no-home", "--all-directories"]);
    assert_eq!(
        (lines(&all, "codex/doc-truncated", "api/AGENTS.md"), status),
        (vec![(32_768 - 20_000) / 33 + 1], 1)
    );
}

#[test]
fn a_baseline_knows_what_moved_and_nothing_more() {
    let disk = repository(&[
        ("project/AGENTS.md", &bytes(40_000)),
        ("project/CLAUDE.md", "Use pnpm.\n\n@docs/gone.md\n"),
    ]);
    let before = checked(&disk, &["--no-home"]).0;
    disk.run(&["check", "--no-home", "--write-baseline", "known.json"]);
    let known = ["--no-home", "--baseline", "known.json"];
    let (quiet, status) = checked(&disk, &known);
    assert_eq!((quiet["findings"].as_array().unwrap().len(), status), (0, 0));
    assert_eq!(quiet["known"], before["findings"].as_array().unwrap().len());
    disk.write(
        "project/CLAUDE.md",
        "# Shop\n\nA new line.\nUse pnpm.\n\n@docs/gone.md\n@docs/absent.md\n",
    );
    let (new, status) = checked(&disk, &known);
    let places: Vec<_> = new["findings"]
        .as_array()
        .unwrap()
        .iter()
        .map(|found| (&found["path"], &found["line"]))
        .collect();
    assert_eq!((places, status), (vec![(&"CLAUDE.md".into(), &7.into())], 1));
    for damaged in ["absent.json", "CLAUDE.md"] {
        assert_eq!(disk.failure(&["check", "--no-home", "--baseline", damaged]).0, 3);
    }
}

#[test]
fn a_team_says_what_it_wants_to_hear() {
    let disk = repository(&[("project/CLAUDE.md", "@docs/gone.md\n")]);
    let code = checked(&disk, &["--no-home"]).0["findings"][0]["code"].as_str().unwrap().to_owned();
    for (text, findings, status) in [
        (format!("[levels]\n\"{code}\" = \"hint\"\n"), 1, 0),
        (format!("[levels]\n\"{code}\" = \"off\"\n"), 0, 0),
        ("fail_on = \"never\"\n".to_owned(), 1, 0),
        (
            format!("[[ignore]]\ncode = \"{code}\"\npath = \"*.md\"\nreason = \"made later\"\n"),
            0,
            0,
        ),
        (
            format!("[[ignore]]\ncode = \"{code}\"\npath = \"docs/**\"\nreason = \"made later\"\n"),
            1,
            1,
        ),
    ] {
        disk.write("project/memport.toml", &text);
        let (found, ended) = checked(&disk, &["--no-home"]);
        assert_eq!(
            (found["findings"].as_array().unwrap().len(), ended),
            (findings, status),
            "{text}"
        );
    }
    for broken in [&format!("[[ignore]]\ncode = \"{code}\"\n"), "levels = 3\n[", "nonsense = 1\n"] {
        disk.write("project/memport.toml", broken);
        assert_eq!(disk.failure(&["check", "--no-home"]).0, 2);
    }
}

#[test]
fn annotations_escape_what_has_a_meaning() {
    let disk = repository(&[("project/a,b:c%d/CLAUDE.md", "x\n@docs/gone.md\n")]);
    let output = disk.output(&["check", "--no-home", "--cwd", "a,b:c%d", "--format", "github"]);
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(
        text.starts_with("::warning file=a%2Cb%3Ac%25d/CLAUDE.md,line=2,endLine=2,title=claude/"),
        "{text}"
    );
    assert!(text.lines().all(|line| line.starts_with("::")));
}

#[test]
fn the_log_is_what_its_schema_says() {
    let disk = repository(&[
        ("project/CLAUDE.md", "@docs/gone.md\n[... 12 lines omitted ...]\n"),
        ("project/a b/CLAUDE.md", "x\n"),
    ]);
    topic(&disk, "state", "Where we stand", "実装済み。残り3件。\nSee src/main.rs:12\n");
    let output = disk.output(&["check", "--format", "sarif"]);
    let log: Value = serde_json::from_slice(&output.stdout).unwrap();
    let schema: Value = serde_json::from_str(include_str!("../data/sarif-2.1.0.json")).unwrap();
    schema::check(&schema, &log);
    assert!(log["runs"][0]["results"].as_array().unwrap().len() > 3);
}

#[test]
fn holes_in_a_text_are_found_and_code_is_not_taken_for_them() {
    let holes = "Start.\n[... 12 lines omitted ...]\nUse pnpm. [... rest unchanged ...] Use Node 22.\n<!-- ... existing rules ... -->\n\
                 - ポートは8000番以上。［…以下略…］\n(... remaining sections unchanged ...)\n- 手順：[省略]\n# ... rest of the file stays the same ...\nEnd.\n";
    let code = "Pages live in app/[...slug]/page.tsx and [[...all]].vue.\nCall f(...args) and [...a, ...b].\nUse git log main...topic.\n\
                The button says \"Loading…\".\nRanges are 1..10 and a[..3].\nWait [sic] and [x] are marks.\n";
    let disk = repository(&[("project/CLAUDE.md", holes)]);
    assert_eq!(
        lines(&checked(&disk, &["--no-home"]).0, "memory/elision", "CLAUDE.md"),
        [2, 3, 4, 5, 6, 7, 8]
    );
    disk.write("project/CLAUDE.md", code);
    assert_eq!(lines(&checked(&disk, &["--no-home"]).0, "memory/elision", "CLAUDE.md"), [0_u64; 0]);
}

#[test]
fn secrets_are_found_and_never_shown() {
    // Put together here, so that no scanner takes this file for one that leaks.
    let tokens = [
        format!("AKIA{}", "Z7QJ4M2XW6TLRB3N"),
        format!("ghp_{}", "9fK2mQ7sT4vX1bN8cR5dW3eY6hJ0aLzUoPi2"),
        format!("xoxb-{}", "204857163920-381920475610-aB3dE5fG7hJ9kL1mN3pQ5rS7"),
    ];
    let text = format!(
        "Deploys use {}.\nBuild 3f786850e387550fdab836ed7e6dc881de23001b is good.\nRun 123e4567-e89b-42d3-a456-426614174000.\n",
        tokens[0]
    );
    let disk = repository(&[("project/CLAUDE.md", text.as_str())]);
    let key = "-----BEGIN OPENSSH PRIVATE KEY-----\nb3BlbnNzaC1rZXktdjEAAAAABG5vbmU\n-----END OPENSSH PRIVATE KEY-----";
    topic(&disk, "deploy", "How we deploy", &format!("The bot's token is {}.\n\n{key}", tokens[2]));
    let index = format!("{}/MEMORY.md", memory(&disk));
    let before = std::fs::read_to_string(disk.dir.path().join(&index)).unwrap();
    disk.write(
        &index,
        &format!(
            "{before}- token {} of the mirror\n- [gone](gone.md) — {}\n",
            tokens[1], tokens[1]
        ),
    );
    let (found, _) = checked(&disk, &[]);
    assert_eq!(lines(&found, "memory/secret", "CLAUDE.md"), [1]);
    assert_eq!(lines(&found, "memory/secret", "deploy.md"), [8, 10]);
    assert_eq!(lines(&found, "memory/secret", "MEMORY.md"), [2, 3]);
    for format in ["text", "json", "sarif", "github"] {
        let output = disk.output(&["check", "--fix", "--format", format]);
        let text = String::from_utf8(output.stdout).unwrap();
        assert!(
            !tokens.iter().any(|token| text.contains(token)) && !text.contains("b3BlbnNzaC1rZXk"),
            "{text}"
        );
    }
}

#[test]
fn what_is_said_twice_or_no_longer_holds_is_found_across_layers() {
    let disk = repository(&[(
        "project/CLAUDE.md",
        "# Shop\n\nThe nightly export runs at 02:00 and writes CSV files.\n",
    )]);
    topic(
        &disk,
        "export",
        "The nightly export",
        "[2026-05-01] The nightly export runs at 02:00 and writes CSV files. The bank closes then. (Mio)",
    );
    topic(
        &disk,
        "old",
        "Refunds",
        "[2026-02-01] Refunds need the approval of two people. Audit. (Mio)",
    );
    topic(
        &disk,
        "new",
        "Refunds now",
        "[2026-08-01] Refunds no longer need the approval of two people, one is enough. (Mio)",
    );
    topic(
        &disk,
        "staging",
        "Staging",
        "[2026-05-02] The staging database may be reset at any time. Only test data. (Mio)",
    );
    topic(
        &disk,
        "prod",
        "Production",
        "[2026-05-02] The production database is never reset. Customer data. (Mio)",
    );
    let (found, _) = checked(&disk, &["claude"]);
    let pairs: Vec<_> = found["findings"]
        .as_array()
        .unwrap()
        .iter()
        .filter(|found| found["related"][0].is_object())
        .collect();
    let told: Vec<_> = pairs
        .iter()
        .map(|found| {
            let name = |path: &Value| path.as_str().unwrap().rsplit('/').next().unwrap().to_owned();
            (
                found["code"].as_str().unwrap(),
                name(&found["path"]),
                name(&found["related"][0]["path"]),
            )
        })
        .collect();
    let told: Vec<_> = told.iter().map(|(code, a, b)| (*code, a.as_str(), b.as_str())).collect();
    assert!(told.contains(&("memory/superseded", "old.md", "new.md")), "{told:?}");
    assert!(told.iter().any(|(code, a, b)| *code == "memory/duplicate"
        && [*a, *b].contains(&"CLAUDE.md")
        && [*a, *b].contains(&"export.md")));
    assert_eq!(told.len(), 2, "{told:?}");
}

#[test]
fn copies_of_a_skill_that_drifted_are_told_once() {
    let skill = "---\nname: ship\ndescription: How we ship\n---\nStep one.\nStep two.\n";
    let disk = repository(&[
        ("project/.claude/skills/ship/SKILL.md", skill),
        ("project/.agents/skills/ship/SKILL.md", skill),
    ]);
    assert!(!codes(&checked(&disk, &["--no-home"]).0).contains(&"skill/drifted"));
    disk.write(
        "project/.claude/skills/ship/SKILL.md",
        &skill.replace("two.", "two, after asking."),
    );
    let (found, _) = checked(&disk, &["--no-home"]);
    assert_eq!(lines(&found, "skill/drifted", "SKILL.md"), [6]);
}

#[test]
fn a_memory_beyond_its_limits_is_told_in_groups() {
    let disk = repository(&[("project/CLAUDE.md", "x\n")]);
    for at in 1..=230 {
        topic(
            &disk,
            &format!("t{at}"),
            &format!("Shelf {at} holds part {}", at * 7),
            &format!("Shelf {at} holds part {}, see lib/shelf.rs:{at}", at * 7),
        );
    }
    let (found, _) = checked(&disk, &["claude"]);
    assert_eq!(
        (found["counts"]["entries"].as_u64(), found["counts"]["with_line_numbers"].as_u64()),
        (Some(230), Some(230))
    );
    assert_eq!(codes(&found).iter().filter(|code| **code == "memory/too-many").count(), 1);
    let first_lost = found["findings"].as_array().unwrap().iter().find(|found| {
        found["line"] == 201 && found["path"].as_str().unwrap().ends_with("MEMORY.md")
    });
    assert!(first_lost.is_some());
    let text = disk.output(&["check", "claude"]);
    assert!(String::from_utf8(text.stdout).unwrap().lines().count() < 120);
}

#[test]
fn safe_fixes_are_one_run_that_can_be_taken_back() {
    let disk = repository(&[("project/CLAUDE.md", "x\n")]);
    topic(&disk, "a", "Queues hold 40 jobs", "Queues hold 40 jobs.");
    let index = format!("{}/MEMORY.md", memory(&disk));
    let line = std::fs::read_to_string(disk.dir.path().join(&index)).unwrap();
    disk.write(
        &index,
        &format!(
            "{line}- [gone](gone.md) — not there\n{line}A line of my own, see [gone](gone.md).\n"
        ),
    );
    let before = disk.tree();
    let (planned, _) = checked(&disk, &["claude", "--fix"]);
    assert_eq!(
        (planned["plan"]["changes"].as_array().unwrap().len(), &planned["applied"]),
        (1, &Value::Null)
    );
    assert_eq!(disk.tree(), before);
    let (fixed, _) = checked(&disk, &["claude", "--fix", "--write"]);
    assert!(fixed["applied"]["run"].is_string());
    let after = std::fs::read_to_string(disk.dir.path().join(&index)).unwrap();
    assert_eq!(after, format!("{line}A line of my own, see [gone](gone.md).\n"));
    assert_eq!(checked(&disk, &["claude", "--fix", "--write"]).0["applied"], Value::Null);
    disk.run(&["undo", "--write"]);
    assert_eq!(disk.tree(), before);
}

#[test]
fn a_poisoned_memory_steers_nothing() {
    let evil = "\u{1b}]0;owned\u{7}\u{9b}31m\u{202e}TODO <script>alert(1)</script> ::error file=x::owned\r::warning::owned";
    let disk = repository(&[("project/CLAUDE.md", "x\n")]);
    topic(
        &disk,
        "evil",
        "TODO",
        &format!("実装済み {evil} src/main.rs:12\nTODO {}", "x".repeat(100_000)),
    );
    let index = format!("{}/MEMORY.md", memory(&disk));
    disk.write(&index, &format!("- [evil](evil.md) — 実装済み。残り3件 {evil}\n"));
    for format in ["text", "json", "sarif", "github"] {
        let output = disk.output(&["check", "claude", "--format", format]);
        let text = String::from_utf8(output.stdout).unwrap();
        assert!(
            text.chars().all(|c| !c.is_control() || c == '\n') && !text.contains('\u{202e}'),
            "{format}"
        );
        assert!(text.len() < 50_000 && output.status.code() == Some(1));
        assert!(!text.lines().any(|line| line.starts_with("::error file=x")));
    }
}

#[test]
fn entries_and_pairs_are_judged_from_standard_input() {
    let disk = repository(&[]);
    let judged = |option: &str, text: &str| -> Vec<(String, String)> {
        use std::io::Write as _;
        let mut child = std::process::Command::new(env!("CARGO_BIN_EXE_memport"))
            .args(["check", option, "--json"])
            .current_dir(disk.dir.path())
            .stdin(std::process::Stdio::piped())
            .stdout(std::process::Stdio::piped())
            .spawn()
            .unwrap();
        child.stdin.take().unwrap().write_all(text.as_bytes()).unwrap();
        let document: Value =
            serde_json::from_slice(&child.wait_with_output().unwrap().stdout).unwrap();
        let text = |value: &Value| value.as_str().unwrap().to_owned();
        document["findings"]
            .as_array()
            .unwrap()
            .iter()
            .map(|found| (text(&found["path"]), text(&found["code"])))
            .collect()
    };
    let lines = "{\"id\":\"m1\",\"kind\":\"line\",\"text\":\"ソートの処理は list_view.dart:301 にある。\"}\n{\"id\":\"m2\",\"kind\":\"line\",\"text\":\"[2026-05-01] Queues hold 40 jobs.\"}\n";
    assert_eq!(
        judged("--stdin-lines", lines),
        [("m1", "memory/undated"), ("m1", "memory/line-number")]
            .map(|(a, b)| (a.to_owned(), b.to_owned()))
    );
    let pairs = "{\"id\":\"p1\",\"a\":\"ログは30日残す。\",\"b\":\"ログは1年残す。\"}\n{\"id\":\"p2\",\"a\":\"見出しは体言止め。\",\"b\":\"地図の料金は表示の回数で決まる。\"}\n";
    assert_eq!(
        judged("--stdin-pairs", pairs),
        [("p1".to_owned(), "memory/contradiction".to_owned())]
    );
}
