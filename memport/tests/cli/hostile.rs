//! Trees that are made to hurt: pipes, held locks, texts that a terminal obeys.

use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};

use rustix::fs::{CWD, FileType, Mode, mknodat};

use crate::disk::Disk;

/// Every command that looks at what clients keep.
const COMMANDS: &[&[&str]] = &[
    &["explain", "--json"],
    &["explain"],
    &["list"],
    &["check"],
    &["memory", "lookup", "kiln"],
    &["memory", "add", "claude", "--fact", "Kilns", "--write"],
    &["port", "--from", "claude", "--to", "codex", "--write", "--accept-loss", "all"],
    &["port", "--from", "codex", "--to", "claude", "--write", "--accept-loss", "all"],
    &["undo"],
];

/// A pipe that nobody writes into: who opens it waits for ever.
fn pipe(path: &Path) {
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    mknodat(CWD, path, FileType::Fifo, Mode::from_raw_mode(0o600), 0).unwrap();
}

fn disk() -> Disk {
    Disk::with(&[("project/CLAUDE.md", "hi\n"), ("project/AGENTS.md", "ho\n")])
}

#[test]
fn a_pipe_in_the_place_of_a_folder_keeps_no_command_waiting() {
    for folder in [
        "project/.claude",
        "project/.claude/rules",
        "project/.claude/skills",
        "project/.agents",
        "project/.codex",
        "project/.memport",
        "home/.codex",
        "home/.codex/memories",
        "home/.claude/rules",
        "home/.claude/projects",
        "state",
        "state/memport",
    ] {
        let disk = disk();
        pipe(&disk.dir.path().join(folder));
        for command in COMMANDS {
            let began = Instant::now();
            let code = disk.output(command).status.code();
            assert!(matches!(code, Some(0..=3)), "{folder}: {command:?}: {code:?}");
            assert!(began.elapsed() < Duration::from_secs(10), "{folder}: {command:?}");
        }
    }
}

const PORT: &[&str] =
    &["port", "--from", "claude", "--to", "codex", "--write", "--accept-loss", "all"];

#[test]
fn what_stands_in_the_place_of_the_lock_is_named_and_nothing_is_written() {
    for is_pipe in [true, false] {
        let disk = Disk::with(&[("project/CLAUDE.md", "hi\n")]);
        let lock = disk.dir.path().join("state/memport/lock");
        if is_pipe {
            pipe(&lock);
        } else {
            fs::create_dir_all(&lock).unwrap();
        }
        let (code, error) = disk.failure(PORT);
        assert!(code == 3 && error.contains("/state/memport/lock"), "{error}");
        assert!(error.contains("hint: move away what stands in the place"), "{error}");
        assert!(!disk.dir.path().join("project/AGENTS.md").exists());
        disk.run(&["explain", "claude"]);
    }
}

#[test]
fn a_lock_that_somebody_holds_is_waited_for_with_a_word_and_not_for_ever() {
    let disk = Disk::with(&[("project/CLAUDE.md", "hi\n")]);
    let folder = disk.dir.path().join("state/memport");
    fs::create_dir_all(&folder).unwrap();
    let lock = fs::File::create(folder.join("lock")).unwrap();
    lock.lock().unwrap();
    let began = Instant::now();
    let (code, error) = disk.failure(&[PORT, &["--lock-timeout", "0"]].concat());
    assert!(code == 3 && began.elapsed() < Duration::from_secs(2), "{error}");
    assert!(error.contains("another run holds it"), "{error}");
    let (code, error) = disk.failure(&[PORT, &["--lock-timeout", "3"]].concat());
    assert_eq!(code, 3);
    assert!(error.starts_with("note: another run of memport holds `/state/memport/lock`"));
    assert!(!disk.dir.path().join("project/AGENTS.md").exists());
    disk.run(&["list"]);
    lock.unlock().unwrap();
    disk.run(PORT);
    assert!(disk.dir.path().join("project/AGENTS.md").exists());
}

#[test]
fn no_command_prints_what_a_terminal_obeys_or_reorders() {
    let odd = "\u{1b}[31m \u{9b}2K \u{85} \u{202e}rtl \u{2066}";
    let text = format!("# A {odd}\n@a\u{9b}.md\n");
    let skill = format!("---\nname: s\ndescription: \"x {odd} y\"\n---\nb\n");
    let disk = Disk::with(&[
        ("project/CLAUDE.md", &text),
        ("project/AGENTS.md", &text),
        ("project/.claude/skills/s\u{9b}/SKILL.md", &skill),
        ("project/.agents/skills/s\u{202e}/SKILL.md", &skill),
        ("project/.claude/rules/r\u{202e}.md", "r\n"),
    ]);
    let is_raw = |c: char| {
        (c.is_control() && c != '\n')
            || matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
    };
    let lookup: &[&str] = &["memory", "lookup", "raw", "--json"];
    let others: &[&[&str]] = &[
        &["list", "--json"],
        &["check", "--json"],
        lookup,
        &["memory", "add", "claude", "--fact", "x \u{9b}y", "--json"],
        &["port", "--from", "codex", "--to", "claude", "--json"],
        &["explain", "x\u{9b}"],
        &["undo", "\u{202e}"],
        &["explain", "--cwd", "/no\u{9b}"],
    ];
    for command in COMMANDS.iter().filter(|command| !command.contains(&"--write")).chain(others) {
        let output = disk.output(command);
        let printed = [output.stdout, output.stderr].concat();
        let printed = String::from_utf8(printed).unwrap();
        assert_eq!(printed.chars().find(|c| is_raw(*c)), None, "{command:?}");
    }
    let found = disk.json(&["explain", "claude", "--json"]);
    assert!(found["layers"][0]["content"].as_str().unwrap().contains(odd), "{found}");
}
