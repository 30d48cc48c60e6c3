//! Putting memories away, bringing them back, replacing, editing and forgetting
//! them; skills that wait for approval.

use std::fs;

use serde_json::Value;

use crate::disk::Disk;

/// A project whose memory holds two entries.
fn remembering() -> Disk {
    let disk = Disk::with(&[("project/CLAUDE.md", "x\n"), ("project/AGENTS.md", "x\n")]);
    topic(&disk, "keep", "Queues hold 40 jobs", "[2026-09-01] Queues hold 40 jobs. (Mio)");
    topic(
        &disk,
        "old",
        "Releases are on canaryday",
        "[2026-03-01] Releases are on canaryday.\r\nSee [[keep]].  \r",
    );
    disk
}

fn memory(disk: &Disk) -> String {
    let project = disk.dir.path().join("project").canonicalize().unwrap();
    let slug = project.to_str().unwrap().replace(|c: char| !c.is_ascii_alphanumeric(), "-");
    format!("home/.claude/projects/{slug}/memory")
}

fn topic(disk: &Disk, name: &str, description: &str, body: &str) {
    let folder = memory(disk);
    disk.write(
        &format!("{folder}/{name}.md"),
        &format!("---\nname: {name}\ndescription: {description}\nmetadata:\n  type: project\n---\n\n{body}\n"),
    );
    let index = disk.dir.path().join(&folder).join("MEMORY.md");
    let before = fs::read_to_string(&index).unwrap_or_default();
    disk.write(
        &format!("{folder}/MEMORY.md"),
        &format!("{before}- [{name}]({name}.md) — {description}\n"),
    );
}

fn id(disk: &Disk, name: &str, kind: &str) -> String {
    let list = disk.json(&["list", "claude", "--kind", kind, "--json"]);
    let item = list["items"].as_array().unwrap().iter().find(|item| item["name"] == name);
    item.unwrap_or_else(|| panic!("{list}"))["id"].as_str().unwrap().to_owned()
}

/// All that Claude Code is given here.
fn given(disk: &Disk) -> String {
    disk.run(&["explain", "claude", "--json"])
}

#[test]
fn what_is_put_away_is_out_of_sight_and_comes_back_as_it_was() {
    let disk = remembering();
    let before = disk.tree();
    let old = id(&disk, "old", "memory");
    let archive = ["memory", "archive", old.as_str(), "--reason", "moved to Mondays", "--json"];
    disk.json(&archive);
    assert_eq!(disk.tree(), before);
    disk.json(&[&archive[..], &["--write"]].concat());
    assert!(!given(&disk).contains("canaryday"));
    let index = format!("{}/MEMORY.md", memory(&disk));
    let kept = fs::read_to_string(disk.dir.path().join(&index)).unwrap();
    fs::remove_file(disk.dir.path().join(&index)).unwrap();
    let rebuilt = given(&disk);
    assert!(rebuilt.contains("keep.md") && !rebuilt.contains("canaryday"));
    disk.write(&index, &kept);
    let archived = id(&disk, "old", "archived");
    disk.json(&["memory", "restore", &archived, "--write", "--json"]);
    let after = disk.tree();
    for (path, text) in before.iter().filter(|(path, _)| path.contains("/memory/")) {
        assert_eq!(after.get(path), Some(text), "{path}");
    }
}

#[test]
fn what_replaces_another_says_so_and_its_history_tells_both() {
    let disk = remembering();
    let before = disk.tree();
    let (old, new) = (id(&disk, "old", "memory"), id(&disk, "keep", "memory"));
    disk.json(&["memory", "supersede", &old, &new, "--write", "--json"]);
    let text = fs::read_to_string(disk.dir.path().join(memory(&disk)).join("keep.md")).unwrap();
    assert!(
        text.contains("旧：[2026-03-01] Releases are on canaryday.")
            && text.contains("Queues hold 40 jobs. (Mio)")
    );
    let history = disk.json(&["memory", "history", &new, "--json"]);
    let event = history["events"].as_array().unwrap().last().unwrap().clone();
    assert_eq!(event["event"], "superseded");
    assert!(event["other"].as_str().unwrap().contains("old") && event["time"].is_string());
    disk.run(&["undo", "--write"]);
    assert_eq!(disk.tree(), before);
    assert_eq!(disk.failure(&["memory", "supersede", &old, &old, "--write"]).0, 2);
    assert_eq!(disk.failure(&["memory", "history", "no-such-id"]).0, 3);
}

#[test]
fn forgetting_needs_a_reason_and_purging_is_undone_byte_for_byte() {
    let disk = remembering();
    let before = disk.tree();
    let old = id(&disk, "old", "memory");
    assert_eq!(disk.failure(&["memory", "rm", &old, "--write"]).0, 2);
    disk.json(&["memory", "rm", &old, "--purge", "--reason", "a password", "--write", "--json"]);
    assert!(!disk.tree().values().any(|text| text.contains("canaryday")));
    disk.run(&["undo", "--write"]);
    assert_eq!(disk.tree(), before);
}

#[cfg(unix)]
#[test]
fn an_editor_gets_a_copy_and_what_it_saves_is_the_plan() {
    let disk = remembering();
    let before = disk.tree();
    let keep = id(&disk, "keep", "memory");
    let edit = |editor: &str, more: &[&str]| {
        let args = [&["memory", "edit", keep.as_str(), "--json"], more].concat();
        disk.output_in(&args, &[("EDITOR", editor), ("PATH", "/usr/bin:/bin")])
    };
    let planned: Value = serde_json::from_slice(&edit("sed -i s/40/60/", &[]).stdout).unwrap();
    assert_eq!(planned["plan"]["changes"].as_array().unwrap().len(), 1);
    assert_eq!(disk.tree(), before);
    let nothing: Value = serde_json::from_slice(&edit("true", &["--write"]).stdout).unwrap();
    assert_eq!(nothing["plan"]["changes"].as_array().unwrap().len(), 0);
    assert_eq!(edit("false", &["--write"]).status.code(), Some(3));
    assert_eq!(disk.tree(), before);
    assert_eq!(edit("sed -i s/40/60/", &["--write"]).status.code(), Some(0));
    let text = fs::read_to_string(disk.dir.path().join(memory(&disk)).join("keep.md")).unwrap();
    assert!(text.contains("Queues hold 60 jobs. (Mio)"));
}

#[test]
fn a_fact_that_a_body_holds_or_denies_is_not_added_unasked() {
    let disk = remembering();
    topic(
        &disk,
        "shipping",
        "Notes on shipping",
        "Parcels leave at noon.\n\nThe warehouse scanner accepts only 13-digit codes.",
    );
    let before = disk.tree();
    let add = |fact: &str, more: &[&str]| {
        let args =
            [&["memory", "add", "claude", "--fact", fact, "--write", "--json"], more].concat();
        let output = disk.output(&args);
        let document: Value = serde_json::from_slice(&output.stdout).unwrap();
        (document, output.status.code())
    };
    let known = "The warehouse scanner accepts only 13-digit codes";
    let (found, status) = add(known, &[]);
    assert_eq!(status, Some(1));
    assert!(found["similar"][0]["path"].as_str().unwrap().ends_with("/shipping.md"));
    assert!(found["similar"][0]["excerpt"].as_str().unwrap().contains("13-digit"));
    let (found, status) = add("The warehouse scanner accepts only 12-digit codes", &[]);
    assert_eq!((status, found["contradicts"].as_array().unwrap().len()), (Some(1), 1));
    assert_eq!(disk.tree(), before);
    assert_eq!(add("Invoices are sent on the last working day", &[]).1, Some(0));
    assert_eq!(add(known, &["--yes"]).1, Some(0));
}

#[cfg(unix)]
#[test]
fn a_draft_is_seen_by_no_client_until_it_is_approved() {
    use std::os::unix::fs::PermissionsExt as _;
    let disk = remembering();
    for name in ["ship", "other"] {
        disk.write(
            &format!("new/{name}/SKILL.md"),
            &format!("---\nname: {name}\ndescription: Does canarywork on {name}\n---\nSteps.\n"),
        );
    }
    disk.write("new/ship/run.sh", "#!/bin/sh\n");
    let script = disk.dir.path().join("new/ship/run.sh");
    fs::set_permissions(&script, fs::Permissions::from_mode(0o755)).unwrap();
    for name in ["ship", "other"] {
        disk.run(&["skill", "draft", &format!("../new/{name}"), "--write"]);
    }
    let drafts = disk.json(&["skill", "drafts", "--json"]);
    assert_eq!(drafts["items"].as_array().unwrap().len(), 2);
    assert!(!given(&disk).contains("canarywork"));
    disk.run(&["skill", "approve", "draft:ship", "claude", "--write"]);
    assert!(given(&disk).contains("canarywork on ship"));
    assert!(!disk.run(&["explain", "codex", "--json"]).contains("canarywork"));
    let mode = fs::metadata(disk.dir.path().join("project/.claude/skills/ship/run.sh"))
        .unwrap()
        .permissions()
        .mode();
    assert_eq!(mode & 0o111, 0o111);
    disk.run(&["skill", "draft", "../new/ship", "--write"]);
    assert_eq!(disk.failure(&["skill", "approve", "draft:ship", "claude", "--write"]).0, 3);
    disk.run(&["skill", "reject", "draft:other", "--reason", "too wide", "--write"]);
    let left = disk.json(&["list", "--kind", "draft", "--json"]);
    assert_eq!(left["items"].as_array().unwrap().len(), 1);
}
