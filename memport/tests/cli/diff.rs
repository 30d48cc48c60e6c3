//! What a change does to what each client loads, in repositories on a disk.

use std::process::{Command, Stdio};

use serde_json::Value;

use crate::disk::Disk;

/// A repository; `None` on a machine without git.
fn repository(files: &[(&str, &str)]) -> Option<Disk> {
    let disk = Disk::with(files);
    std::fs::remove_dir(disk.dir.path().join("project/.git")).unwrap();
    git(&disk, &["init", "-q", "-b", "main"])?;
    commit(&disk);
    Some(disk)
}

fn git(disk: &Disk, args: &[&str]) -> Option<()> {
    let command = Command::new("git")
        .args(["-c", "user.name=x", "-c", "user.email=x@example.invalid"])
        .args(args)
        .current_dir(disk.dir.path().join("project"))
        .env("GIT_CONFIG_GLOBAL", "/dev/null")
        .env("GIT_CONFIG_SYSTEM", "/dev/null")
        .stdout(Stdio::null())
        .status();
    match command {
        Ok(status) => {
            assert!(status.success(), "git {args:?}");
            Some(())
        }
        Err(error) => {
            use std::io::Write as _;
            let _told = writeln!(std::io::stderr(), "skipped, git cannot be started: {error}");
            None
        }
    }
}

fn commit(disk: &Disk) {
    git(disk, &["add", "-A"]);
    git(disk, &["commit", "-q", "-m", "x"]);
}

/// Exit status and document.
fn diff(disk: &Disk, args: &[&str]) -> (i32, Value) {
    let output = disk.output(&[&["diff", "--json"], args].concat());
    let error = String::from_utf8(output.stderr).unwrap();
    assert_eq!(error, "");
    (output.status.code().unwrap(), serde_json::from_slice(&output.stdout).unwrap())
}

/// `agent folder list path` of every layer, in the order of the document.
fn layers(document: &Value) -> Vec<String> {
    let mut found = Vec::new();
    for change in document["changes"].as_array().unwrap() {
        for list in ["added", "removed", "moved", "changed"] {
            for layer in change["layers"][list].as_array().unwrap() {
                let word = |value: &Value| value.as_str().unwrap().to_owned();
                found.push(format!(
                    "{} {} {list} {}",
                    word(&change["agent"]),
                    word(&change["folder"]),
                    word(&layer["path"])
                ));
            }
        }
    }
    found
}

#[test]
fn a_deleted_rule_is_a_loss_for_the_client_that_read_it() {
    let Some(disk) = repository(&[
        ("project/CLAUDE.md", "Use pnpm.\n"),
        ("project/AGENTS.md", "Use pnpm.\n"),
        ("project/.claude/rules/money.md", "Amounts are integers.\n"),
    ]) else {
        return;
    };
    std::fs::remove_file(disk.dir.path().join("project/.claude/rules/money.md")).unwrap();
    let (code, document) = diff(&disk, &["--fail-on-loss"]);
    assert_eq!(layers(&document), ["claude-code . removed .claude/rules/money.md"]);
    assert_eq!((code, &document["losses"]), (1, &Value::from(1)));
    assert_eq!(document["changes"][0]["layers"]["removed"][0]["reason"], Value::Null);
    assert_eq!(document["to"]["commit"], Value::Null);
}

#[test]
fn a_file_that_hides_another_is_named_as_the_reason() {
    let Some(disk) = repository(&[("project/web/AGENTS.md", "Ports are above 8000.\n")]) else {
        return;
    };
    disk.write("project/web/AGENTS.override.md", "Only at night.\n");
    let (_, document) = diff(&disk, &[]);
    let found = layers(&document);
    assert!(found.contains(&"codex web removed web/AGENTS.md".to_owned()), "{found:?}");
    assert!(found.contains(&"codex web added web/AGENTS.override.md".to_owned()), "{found:?}");
    let codex = document["changes"].as_array().unwrap().iter().find(|it| it["agent"] == "codex");
    let reason = &codex.unwrap()["layers"]["removed"][0]["reason"];
    assert_eq!(reason["code"], "shadowed");
    assert_eq!(reason["by"], "web/AGENTS.override.md");
}

#[test]
fn what_holds_in_a_folder_above_is_told_there_only() {
    let Some(disk) =
        repository(&[("project/AGENTS.md", "One.\n"), ("project/a/b/AGENTS.md", "Below.\n")])
    else {
        return;
    };
    disk.write("project/AGENTS.md", "Two.\n");
    let (_, document) = diff(&disk, &[]);
    let codex: Vec<_> =
        layers(&document).into_iter().filter(|line| line.starts_with("codex")).collect();
    assert_eq!(codex, ["codex . changed AGENTS.md"]);
}

#[test]
fn a_file_that_grows_over_the_limit_is_newly_cut() {
    let Some(disk) = repository(&[("project/AGENTS.md", &"x".repeat(30_000))]) else { return };
    disk.write("project/AGENTS.md", &"x".repeat(40_000));
    commit(&disk);
    let (code, document) = diff(&disk, &["HEAD~1..HEAD", "--fail-on-loss"]);
    let codex = document["changes"].as_array().unwrap().iter().find(|it| it["agent"] == "codex");
    let layer = &codex.unwrap()["layers"]["changed"][0];
    assert_eq!(layer["newly_cut"], true);
    assert_eq!(layer["bytes"], serde_json::json!({"from": 30_000, "to": 32_768}));
    assert_eq!(layer["lost_bytes"], serde_json::json!({"from": 0, "to": 7_232}));
    assert_eq!(code, 1);
    let added = document["findings"]["added"].as_array().unwrap();
    assert!(added.iter().any(|finding| finding["path"] == "AGENTS.md"), "{added:?}");
    let (code, back) = diff(&disk, &["HEAD..HEAD~1", "--fail-on-loss"]);
    assert_eq!((code, &back["losses"]), (0, &Value::from(0)));
}

#[test]
fn a_renamed_file_is_one_change() {
    let Some(disk) = repository(&[
        ("project/CLAUDE.md", "Use pnpm.\n"),
        ("project/.claude/rules/sql.md", "Names are plural.\n"),
    ]) else {
        return;
    };
    git(&disk, &["mv", ".claude/rules/sql.md", ".claude/rules/database.md"]);
    let (code, document) = diff(&disk, &["--fail-on-loss"]);
    assert_eq!(layers(&document), ["claude-code . changed .claude/rules/database.md"]);
    let layer = &document["changes"][0]["layers"]["changed"][0];
    assert_eq!((code, &layer["from_path"]), (0, &Value::from(".claude/rules/sql.md")));
}

#[test]
fn what_git_does_not_keep_is_the_same_on_both_sides() {
    let Some(disk) = repository(&[
        ("project/.gitignore", "CLAUDE.local.md\n"),
        ("project/CLAUDE.md", "Use pnpm.\n"),
    ]) else {
        return;
    };
    disk.write("project/CLAUDE.local.md", "Mine.\n");
    disk.write("home/.claude/CLAUDE.md", "Mine, too.\n");
    let before = disk.tree();
    assert_eq!(layers(&diff(&disk, &[]).1), [""; 0]);
    disk.write("project/web/CLAUDE.md", "New.\n");
    assert_eq!(layers(&diff(&disk, &[]).1), ["claude-code web added web/CLAUDE.md"]);
    std::fs::remove_dir_all(disk.dir.path().join("project/web")).unwrap();
    diff(&disk, &["HEAD~0..HEAD"]);
    assert!(before == disk.tree(), "a comparison only reads");
}

#[test]
fn a_link_of_a_revision_leads_where_it_led() {
    let Some(disk) = repository(&[("project/AGENTS.md", "Shared.\n")]) else { return };
    #[cfg(unix)]
    std::os::unix::fs::symlink("AGENTS.md", disk.dir.path().join("project/CLAUDE.md")).unwrap();
    commit(&disk);
    disk.write("project/AGENTS.md", "Shared by both.\n");
    let (_, document) = diff(&disk, &[]);
    #[cfg(unix)]
    assert_eq!(layers(&document), ["claude-code . changed CLAUDE.md", "codex . changed AGENTS.md"]);
    #[cfg(not(unix))]
    assert_eq!(document["changes"].as_array().unwrap().len(), 2);
}

#[test]
fn line_ends_that_git_writes_are_no_change() {
    let Some(disk) = repository(&[("project/AGENTS.md", "One.\nTwo.\n")]) else { return };
    disk.write("project/AGENTS.md", "One.\r\nTwo.\r\n");
    git(&disk, &["config", "core.autocrlf", "true"]);
    assert_eq!(layers(&diff(&disk, &[]).1), [""; 0]);
}

#[test]
fn a_bare_repository_compares_two_revisions() {
    let Some(disk) = repository(&[("project/AGENTS.md", "One.\n")]) else { return };
    disk.write("project/AGENTS.md", "Two.\n");
    commit(&disk);
    git(&disk, &["clone", "-q", "--bare", ".", "../bare.git"]);
    let bare = disk.dir.path().join("bare.git");
    let at = ["--cwd", bare.to_str().unwrap()];
    let (_, document) = diff(&disk, &[&["HEAD~1..HEAD"], at.as_slice()].concat());
    assert!(layers(&document).contains(&"codex . changed AGENTS.md".to_owned()));
    let (code, error) = disk.failure(&[&["diff"], at.as_slice()].concat());
    assert_eq!(code, 2);
    assert!(error.contains("has no work tree"), "{error}");
}

#[test]
fn without_a_home_two_clones_give_the_same_bytes() {
    let Some(disk) = repository(&[("project/AGENTS.md", "One.\n"), ("AGENTS.md", "Above.\n")])
    else {
        return;
    };
    disk.write("home/.codex/AGENTS.md", "Mine.\n");
    disk.write("project/AGENTS.md", "Two.\n");
    commit(&disk);
    git(&disk, &["clone", "-q", ".", "../elsewhere"]);
    let args = ["diff", "--json", "--no-home", "HEAD~1..HEAD"];
    let here = disk.run(&args);
    let there = disk.dir.path().join("elsewhere");
    let there = disk.run(&[&args[..], &["--cwd", there.to_str().unwrap()]].concat());
    assert_eq!(here, there);
    assert!(!here.contains(disk.dir.path().to_str().unwrap()), "{here}");
}

#[test]
fn what_git_does_not_know_is_one_clear_line() {
    let Some(disk) = repository(&[("project/AGENTS.md", "One.\n")]) else { return };
    for (args, code, words) in [
        (&["diff", "no-such..HEAD"][..], 3, "no revision `no-such`"),
        (&["diff", "--cwd", "/"], 3, "no git repository"),
        (&["diff", "HEAD...HEAD"], 2, "three dots"),
    ] {
        let (found, error) = disk.failure(args);
        assert_eq!(found, code, "{error}");
        assert!(error.contains(words) && error.lines().count() == 2, "{error}");
    }
}

#[test]
fn a_comment_for_a_review_names_what_is_lost() {
    let Some(disk) = repository(&[("project/CLAUDE.md", "One.\n"), ("project/AGENTS.md", "x\n")])
    else {
        return;
    };
    disk.write("project/AGENTS.override.md", "");
    let text = disk.run(&["diff", "--format", "markdown"]);
    assert!(text.contains("| `-` | `AGENTS.md` |"), "{text}");
    let text = disk.run(&["diff"]);
    assert!(text.contains("- AGENTS.md"), "{text}");
}
