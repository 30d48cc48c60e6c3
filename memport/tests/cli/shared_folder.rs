//! Two projects whose memory lies in one folder, and projects that moved.

use std::fs;

use serde_json::Value;

use crate::disk::Disk;

/// The folder that the client keeps for the project at this place of the disk.
fn kept_for(disk: &Disk, project: &str) -> String {
    let path = disk.dir.path().canonicalize().unwrap().join(project);
    let dash = |c: char| if c.is_ascii_alphanumeric() { c } else { '-' };
    let slug: String = path.to_str().unwrap().chars().map(dash).collect();
    format!("home/.claude/projects/{slug}")
}

fn session(disk: &Disk, project: &str, name: &str) {
    let path = disk.dir.path().canonicalize().unwrap().join(project);
    let line = format!("{{\"type\":\"user\",\"cwd\":{:?}}}\n", path.to_str().unwrap());
    disk.write(&format!("{}/{name}.jsonl", kept_for(disk, project)), &line);
}

fn remember(disk: &Disk, project: &str, topic: &str) {
    let folder = kept_for(disk, project) + "/memory";
    disk.write(&format!("{folder}/MEMORY.md"), &format!("- [{topic}]({topic}.md) — it is so\n"));
    let text = format!("---\nname: {topic}\ndescription: it is so\n---\nIt is so.\n");
    disk.write(&format!("{folder}/{topic}.md"), &text);
}

fn at(disk: &Disk, project: &str, args: &[&str]) -> Vec<String> {
    let cwd = disk.dir.path().join(project).to_str().unwrap().to_owned();
    args.iter().map(|arg| (*arg).to_owned()).chain(["--cwd".to_owned(), cwd]).collect()
}

fn json(disk: &Disk, project: &str, args: &[&str]) -> Value {
    let args = at(disk, project, args);
    let output = disk.output(&args.iter().map(String::as_str).collect::<Vec<_>>());
    serde_json::from_slice(&output.stdout).unwrap()
}

#[test]
fn whose_sessions_read_a_memory_is_told_before_and_after_it_is_written() {
    let disk = Disk::with(&[
        ("home/src/発注/.git/HEAD", ""),
        ("home/src/仕入/.git/HEAD", ""),
        ("home/.codex/config.toml", "[features]\nmemories = true\n"),
        ("home/.codex/memories/memory_summary.md", "v1\n\n## User Profile\n\nShort answers.\n"),
    ]);
    remember(&disk, "home/src/発注", "old");
    session(&disk, "home/src/仕入", "a1");
    for command in [
        &["explain", "claude", "--json"][..],
        &["memory", "add", "claude", "--fact", "毎週月曜", "--json"],
        &["port", "--from", "codex", "--to", "claude", "--json"],
        &["check", "claude", "--json"],
    ] {
        let said = json(&disk, "home/src/発注", command).to_string();
        assert!(said.contains("claude/memory-folder-shared"), "{command:?}: {said}");
        assert!(said.contains("/home/src/仕入` keep"), "{command:?}: {said}");
    }
}

#[test]
fn a_memory_that_loads_is_not_lost_whatever_its_project_was_called() {
    let disk = Disk::with(&[("다라/.git/HEAD", "")]);
    remember(&disk, "다라", "old");
    session(&disk, "가나", "s1");
    let found = json(&disk, "다라", &["check", "claude", "--json"]);
    let codes: Vec<_> =
        found["findings"].as_array().unwrap().iter().map(|told| told["code"].clone()).collect();
    assert!(codes.contains(&"claude/memory-folder-shared".into()), "{found:#}");
    assert!(!codes.contains(&"claude/memory-orphaned".into()), "{found:#}");
    assert!(found.to_string().contains("/가나`, which is not there any more"), "{found:#}");
    // Seen from elsewhere the project that loads it is found on the disk.
    let elsewhere = json(&disk, "project", &["check", "claude", "--json"]);
    assert!(!elsewhere.to_string().contains("memory-orphaned"), "{elsewhere:#}");
}

#[test]
fn a_memory_follows_its_project_to_where_a_session_was_started_already() {
    let disk = Disk::with(&[("home/new/shop/.git/HEAD", "")]);
    remember(&disk, "home/old/shop", "till");
    let topic = kept_for(&disk, "home/old/shop") + "/memory/till.md";
    let old = disk.dir.path().canonicalize().unwrap().join("home/old/shop");
    let old = old.to_str().unwrap();
    disk.write(&topic, &format!("---\nname: till\ndescription: d\n---\nsee {old}/docs\n"));
    disk.write(
        "home/.codex/config.toml",
        &format!("[projects.{old:?}]\ntrust_level = \"trusted\"\n"),
    );
    session(&disk, "home/new/shop", "n1");
    let empty = disk.dir.path().join(kept_for(&disk, "home/new/shop")).join("memory");
    fs::create_dir_all(empty).unwrap();
    let new = disk.dir.path().join("home/new/shop");
    let done = disk.json(&["relocate", old, new.to_str().unwrap(), "--write", "--json"]);
    let loaded = json(&disk, "home/new/shop", &["explain", "claude", "--json"]);
    assert!(loaded["memory"]["content"].as_str().unwrap().contains("[till]"), "{loaded:#}");
    let told: Vec<(&str, &str, u64)> = done["diagnostics"]
        .as_array()
        .unwrap()
        .iter()
        .map(|told| {
            let text = |key: &str| told[key].as_str().unwrap();
            (text("code"), text("path"), told["line"].as_u64().unwrap())
        })
        .collect();
    let [(first, path, 5), (second, config, 1)] = told[..] else { panic!("{done:#}") };
    assert_eq!((first, second), ("claude/relocate-old-path", "codex/relocate-old-entry"));
    // The topic is named where it is now.
    assert!(fs::metadata(path).is_ok() && config.ends_with("/.codex/config.toml"), "{done:#}");
    disk.run(&["undo", "--write"]);
    assert!(disk.dir.path().join(topic).exists());
}
