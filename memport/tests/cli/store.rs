//! Lists, additions, undoing and moving, on a real disk.

use std::fs;
use std::path::Path;

use insta::assert_snapshot;
use serde_json::Value;

use crate::disk::Disk;
use crate::schema;

const FACT: &str = "取引先コードは文字列として扱う";

/// A project in which both clients have a memory.
fn both() -> Disk {
    let disk = Disk::with(&[
        ("home/.codex/memories_v2/memory_summary.md", "v1\n\n## User Profile\n\nMio\n"),
        ("project/CLAUDE.md", "Use tabs.\n"),
    ]);
    let project = disk.dir.path().join("project");
    let slug = project.to_str().unwrap().replace(|c: char| !c.is_ascii_alphanumeric(), "-");
    let memory = format!("home/.claude/projects/{slug}/memory");
    disk.write(&format!("{memory}/MEMORY.md"), "# Notes\r\n\r\n- [Tabs](tabs.md) — use tabs\r\n");
    disk.write(&format!("{memory}/tabs.md"), "---\nname: tabs\n---\n\nUse tabs.\n");
    disk
}

fn add<'a>(agent: &'a str, more: &[&'a str]) -> Vec<&'a str> {
    let args = ["memory", "add", agent, "--fact", FACT, "--why", "先頭のゼロ", "--json"];
    args.iter().filter(|arg| !arg.is_empty()).chain(more).copied().collect()
}

/// The document, once it was held against its schema.
fn checked(disk: &Disk, args: &[&str]) -> Value {
    let document = disk.json(args);
    let name = args[0];
    schema::check(&disk.json(&["schema", name]), &document);
    document
}

fn texts<'a>(list: &'a Value, key: &str) -> Vec<&'a str> {
    list.as_array().unwrap().iter().map(|item| item[key].as_str().unwrap()).collect()
}

#[test]
fn a_fact_is_added_listed_shown_found_and_taken_back() {
    for agent in ["codex", "claude"] {
        let disk = both();
        let before = disk.tree();
        let added = checked(&disk, &add(agent, &["--write", "--type", "project"]));
        assert_eq!(added["applied"]["run"], "1");
        assert_eq!(added["applied"]["undo"], "memport undo 1");
        assert_ne!(disk.tree(), before);

        let list = checked(&disk, &["list", agent, "--kind", "memory", "--json"]);
        let items = list["items"].as_array().unwrap();
        let is_new = |item: &&Value| item["description"].as_str() == Some(FACT);
        let item = items.iter().find(is_new).unwrap();
        assert!(fs::exists(item["path"].as_str().unwrap()).unwrap());

        let id = item["id"].as_str().unwrap();
        let shown = checked(&disk, &["memory", "show", id, "--json"]);
        assert_eq!(shown["memory"]["path"], item["path"]);
        assert!(shown["memory"]["body"].as_str().unwrap().starts_with(FACT));
        assert!(disk.run(&["memory", "show", id]).contains(&format!("  | {FACT}\n")));

        let found = checked(&disk, &["memory", "lookup", "取引先コード", agent, "--json"]);
        assert!(texts(&found["passages"], "path").contains(&item["path"].as_str().unwrap()));

        let would = checked(&disk, &["undo", "--json"]);
        assert_eq!((&would["run"], &would["applied"]), (&Value::from("1"), &Value::Null));
        assert_ne!(disk.tree(), before);
        let undone = checked(&disk, &["undo", "--write", "--json"]);
        assert_eq!(undone["applied"]["run"], "1");
        assert_eq!(disk.tree(), before, "{agent}");
        let (code, error) = disk.failure(&["undo"]);
        assert_eq!((code, error.lines().next()), (3, Some("error: there is no run to undo")));
    }
}

#[test]
fn only_the_line_that_is_added_changes_in_an_index() {
    let disk = both();
    let added = disk.json(&add("claude", &["--write"]));
    let index = added["plan"]["changes"].as_array().unwrap().iter();
    let index = index.into_iter().find(|change| change["op"] == "replace").unwrap();
    let text = fs::read_to_string(index["path"].as_str().unwrap()).unwrap();
    assert!(text.starts_with("# Notes\r\n\r\n- [Tabs](tabs.md) — use tabs\r\n- ["), "{text:?}");
    assert!(text.ends_with(&format!("{FACT}\r\n")), "{text:?}");
    let diff = index["diff"].as_str().unwrap();
    assert_eq!(diff.lines().filter(|line| line.starts_with('-')).count(), 1, "{diff}");
}

#[test]
fn what_only_reads_or_tries_changes_nothing() {
    let disk = both();
    let before = disk.tree();
    for args in [
        &["list"][..],
        &["list", "--json", "--kind", "skill"],
        &["memory", "add", "--fact", "x"],
        &["memory", "add", "codex", "--fact", "x"],
        &["memory", "lookup", "tabs"],
        &["memory", "show", "tabs"],
        &["explain"],
    ] {
        disk.run(args);
    }
    disk.output(&["check"]);
    assert_eq!(disk.tree(), before);
    assert!(!disk.dir.path().join("state").exists());
}

#[test]
fn without_a_client_all_that_have_a_memory_get_the_fact() {
    let disk = both();
    let plan = disk.json(&add("", &[]))["plan"].clone();
    let paths = texts(&plan["changes"], "path").join(" ");
    assert!(paths.contains("/.codex/memories_v2/") && paths.contains("/.claude/"), "{paths}");
    let (code, error) = Disk::with(&[]).failure(&["memory", "add", "--fact", "x"]);
    assert_snapshot!(format!("{error}exit {code}"), @r"
    error: no client has a memory here yet
    hint: say which shall have one: `memport memory add codex`, `memport memory add claude`
    exit 2
    ");
}

#[test]
fn a_memory_of_codex_never_switches_the_version() {
    let disk = Disk::with(&[]);
    disk.json(&add("codex", &["--write"]));
    let codex = disk.dir.path().join("home/.codex");
    let names: Vec<_> =
        fs::read_dir(codex).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert_eq!(names, ["memories_v2"]);
    disk.run(&["undo", "--write"]);
    assert_eq!(Disk::with(&[]).tree(), disk.tree());
}

#[test]
fn a_plan_that_was_seen_is_the_one_that_is_written() {
    for agent in ["codex", "claude"] {
        let disk = both();
        let seen = disk.json(&add(agent, &[]));
        let digest = seen["plan"]["digest"].as_str().unwrap();
        // The time at which a plan is made stands in it.
        std::thread::sleep(std::time::Duration::from_millis(1_100));
        let written = disk.json(&add(agent, &["--write", "--plan", digest]));
        assert_eq!(written["plan"], seen["plan"]);
        assert!(written["applied"].is_object());
    }
}

#[test]
fn a_plan_that_is_another_by_now_is_refused() {
    let disk = both();
    let digest = disk.json(&add("claude", &[]))["plan"]["digest"].as_str().unwrap().to_owned();
    let seen = disk.json(&add("claude", &[]))["plan"]["changes"].clone();
    let index = texts(&seen, "path").into_iter().find(|path| path.ends_with("/MEMORY.md"));
    fs::write(index.unwrap(), "- somebody else\n").unwrap();
    let before = disk.tree();
    let (code, error) = disk.failure(&add("claude", &["--write", "--plan", &digest]));
    assert!(error.starts_with("error: the plan is not the one that was seen"), "{error}");
    assert_eq!((code, disk.tree()), (3, before));
    let (code, _) = disk.failure(&add("claude", &["--write", "--plan", "sha256:12"]));
    assert_eq!(code, 2);
}

#[test]
fn nothing_is_remembered_twice_without_being_asked() {
    let disk = both();
    disk.json(&add("codex", &["--write"]));
    let unasked = disk.output(&add("codex", &["--write"]));
    let told: Value = serde_json::from_slice(&unasked.stdout).unwrap();
    assert_eq!((unasked.status.code(), &told["applied"]), (Some(1), &Value::Null));
    assert_eq!(texts(&told["similar"], "path").len(), 1);
    assert_eq!(disk.json(&add("codex", &["--write", "--yes"]))["applied"]["run"], "2");

    disk.json(&add("claude", &["--write"]));
    let again: Value =
        serde_json::from_slice(&disk.output(&add("claude", &["--write"])).stdout).unwrap();
    assert_eq!(again["applied"], Value::Null);
    assert_eq!(again["known_in"].as_array().unwrap().len(), 1);
}

#[test]
fn what_is_nearly_remembered_is_asked_about() {
    for agent in ["codex", "claude"] {
        let disk = both();
        disk.json(&add(agent, &["--write"]));
        let before = disk.tree();
        let fact = "取引先コードは、文字列として扱う。";
        let nearly = ["memory", "add", agent, "--fact", fact, "--json"];
        let output = disk.output(&nearly);
        let tried: Value = serde_json::from_slice(&output.stdout).unwrap();
        schema::check(&disk.json(&["schema", "memory"]), &tried);
        assert_eq!(output.status.code(), Some(1));
        assert!(!texts(&tried["similar"], "path").is_empty());
        let text = String::from_utf8(disk.output(&nearly[..5]).stdout).unwrap();
        assert!(
            text.contains("nearly the same") && text.contains("`--yes` adds it anyway"),
            "{text}"
        );

        let output = disk.output(&[&nearly[..], &["--write"]].concat());
        let told: Value = serde_json::from_slice(&output.stdout).unwrap();
        assert_eq!((output.status.code(), &told["applied"]), (Some(1), &Value::Null));
        assert!(told["similar"][0]["excerpt"].as_str().unwrap().contains(FACT));
        assert_eq!(disk.tree(), before);
        let written = disk.json(&[&nearly[..], &["--write", "--yes"]].concat());
        assert_eq!(written["applied"]["run"], "2");
    }
}

#[test]
fn text_that_stands_for_more_is_refused() {
    let disk = both();
    for agent in ["codex", "claude"] {
        let args = ["memory", "add", agent, "--fact", "Tabs.\n[rest unchanged]", "--write"];
        let (code, error) = disk.failure(&args);
        assert!(code == 3 && error.contains("stands for text that was left out"), "{error}");
        assert_eq!(disk.failure(&["memory", "add", agent, "--fact", " "]).0, 2);
        disk.run(&["memory", "add", agent, "--fact", "- tabs, not spaces"]);
    }
}

#[test]
fn a_placeholder_is_refused_in_every_argument() {
    let disk = both();
    for agent in ["codex", "claude"] {
        for option in ["--why", "--source", "--type"] {
            let args = ["memory", "add", agent, "--fact", "Tabs", option, "[rest unchanged]"];
            let (code, error) = disk.failure(&args);
            assert!(code == 3 && error.contains("stands for text that was left out"), "{error}");
        }
        for fact in ["---\n---", "…", "```\n```", "\u{3164}"] {
            if agent == "codex" && fact == "\u{3164}" {
                continue;
            }
            let (code, error) = disk.failure(&["memory", "add", agent, "--fact", fact]);
            assert!(code == 2 && error.contains("no text that can be read"), "{error}");
        }
    }
}

#[test]
fn a_memory_that_the_client_does_not_read_is_told() {
    let disk = both();
    disk.write("home/.claude/settings.json", r#"{"autoMemoryEnabled": false}"#);
    disk.write("home/.codex/config.toml", "[features]\nmemories = false\n");
    for agent in ["codex", "claude"] {
        let told = disk.json(&add(agent, &[]))["diagnostics"].clone();
        assert!(texts(&told, "code").contains(&"memport/memory-off"), "{told}");
    }
    disk.write("home/.claude/settings.json", "{}");
    disk.write("home/.codex/config.toml", "[features]\nmemories = true\n");
    for agent in ["codex", "claude"] {
        let told = disk.json(&add(agent, &[]))["diagnostics"].clone();
        assert!(!texts(&told, "code").contains(&"memport/memory-off"), "{told}");
    }
}

#[cfg(unix)]
#[test]
fn a_link_in_the_way_is_named() {
    use std::os::unix::fs::symlink;

    for link in ["memories_v2", "memories_v2/extensions/ad_hoc"] {
        let disk = Disk::with(&[("real/x", "")]);
        let path = disk.dir.path().join("home/.codex").join(link);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        symlink(disk.dir.path().join("real"), &path).unwrap();
        let (code, error) = disk.failure(&add("codex", &[]));
        assert!(
            code == 3 && error.contains(&format!("through the link `/home/.codex/{link}`")),
            "{error}"
        );
    }
    let disk = both();
    let tabs = disk.json(&["memory", "show", "tabs", "--json"])["memory"]["path"].clone();
    let index = Path::new(tabs.as_str().unwrap()).with_file_name("MEMORY.md");
    fs::remove_file(&index).unwrap();
    symlink("gone.md", &index).unwrap();
    let (code, error) = disk.failure(&add("claude", &[]));
    assert!(code == 3 && error.contains("is a link to `gone.md`, which is not there"), "{error}");
}

#[test]
fn a_change_made_since_is_not_lost_by_an_undo() {
    let disk = both();
    let added = disk.json(&add("codex", &["--write"]));
    let note = added["plan"]["changes"][0]["path"].as_str().unwrap();
    fs::write(note, "mine\n").unwrap();
    for args in [&["undo"][..], &["undo", "1", "--write"]] {
        let (code, error) = disk.failure(args);
        assert!(code == 3 && error.contains("changed since run 1"), "{error}");
    }
    assert_eq!(fs::read_to_string(note).unwrap(), "mine\n");
}

#[test]
fn an_interrupted_run_is_told_and_brought_to_an_end() {
    let disk = both();
    let before = disk.tree();
    disk.json(&add("claude", &["--write"]));
    // As if the program had ended before it could say that it was done.
    fs::remove_file(disk.dir.path().join("state/memport/runs/1/done")).unwrap();
    let half = disk.tree();
    for args in [&["list"][..], &["memory", "lookup", "tabs"], &["memory", "show", "tabs"]] {
        let output = disk.output(args);
        let told = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(0));
        assert!(told.starts_with("warning: run 1 is unfinished"), "{told}");
        assert_eq!(told.lines().count(), 2);
    }
    let found = disk.output(&["check", "--json"]);
    assert_eq!(found.status.code(), Some(1));
    let found: Value = serde_json::from_slice(&found.stdout).unwrap();
    schema::check(&disk.json(&["schema", "check"]), &found);
    assert!(texts(&found["findings"], "code").contains(&"memport/run-unfinished"));
    assert_eq!(disk.tree(), half);

    // Everything of it is in place: the next run that writes finishes it.
    let output = disk.output(&add("codex", &["--write"]));
    let told = String::from_utf8(output.stderr).unwrap();
    assert!(told.starts_with("note: run 1 was interrupted, and is finished now\nhint: "), "{told}");
    disk.run(&["undo", "--write"]);
    assert_eq!(disk.tree(), half);
    disk.run(&["undo", "--write"]);
    assert_eq!(disk.tree(), before);
}

#[test]
fn a_moved_project_takes_its_memory_along_and_back() {
    let disk = both();
    let before = disk.tree();
    let plan = checked(&disk, &["relocate", ".", "../elsewhere", "--json"]);
    let change = &plan["plan"]["changes"][0];
    assert_eq!((&change["op"], &plan["applied"]), (&Value::from("move"), &Value::Null));
    let told = ["claude/relocate-new-missing", "claude/relocate-old-there"];
    assert_eq!(texts(&plan["diagnostics"], "code"), told);
    assert_eq!(disk.tree(), before);
    let digest = plan["plan"]["digest"].as_str().unwrap();
    disk.run(&["relocate", ".", "../elsewhere", "--write", "--plan", digest]);
    fs::create_dir(disk.dir.path().join("elsewhere")).unwrap();
    let there =
        disk.json(&["list", "claude", "--cwd", "../elsewhere", "--kind", "memory", "--json"]);
    assert_eq!(texts(&there["items"], "name"), ["tabs"]);
    let (code, error) = disk.failure(&["relocate", ".", "../elsewhere"]);
    assert!(code == 3 && error.contains("nothing is kept for the old place"), "{error}");
    let (code, error) = disk.failure(&["relocate", ".", "./sub"]);
    assert!(code == 3 && error.contains("lies in the old one"), "{error}");
    disk.run(&["undo", "--write"]);
    assert_eq!(disk.tree(), before);
}

#[test]
fn what_is_not_there_is_said_in_one_line() {
    let disk = both();
    let (code, error) = disk.failure(&["memory", "show", "nope"]);
    assert_snapshot!(format!("{error}exit {code}"), @r"
    error: there is no memory `nope` here
    hint: `memport list --kind memory` shows all, with their ids
    exit 3
    ");
    assert_eq!(disk.run(&["memory", "lookup", "kubernetes"]).lines().count(), 1);
    let nothing = Disk::with(&[]);
    assert_eq!(nothing.run(&["list"]), "No client keeps anything of this kind here.\n");
}

#[test]
fn every_command_refuses_a_folder_or_a_home_that_is_not_there() {
    let disk = both();
    for command in [
        &["explain"][..],
        &["list"],
        &["check"],
        &["memory", "add", "claude", "--fact", "x"],
        &["memory", "show", "tabs"],
        &["memory", "lookup", "tabs"],
        &["relocate", "/old", "/new"],
        &["undo"],
    ] {
        for (option, what) in [("--cwd", "start folder"), ("--home", "home directory")] {
            let missing = disk.dir.path().join("missing");
            let (code, error) =
                disk.failure(&[command, &[option, missing.to_str().unwrap()]].concat());
            let want = format!("error: {what} `/missing` does not exist\n");
            assert!(code == 3 && error.starts_with(&want), "{command:?} {error}");
        }
    }
}

#[test]
fn a_list_names_each_thing_once() {
    let disk = both();
    disk.write("project/.claude/rules/a.md", "Rule.\n");
    disk.write("project/.claude/skills/s/SKILL.md", "---\nname: s\ndescription: d\n---\n");
    disk.write("home/.codex/skills/t/SKILL.md", "---\nname: t\ndescription: 説明\n---\n");
    let list = checked(&disk, &["list", "--json"]);
    let ids = texts(&list["items"], "id");
    let unique: std::collections::BTreeSet<_> = ids.iter().collect();
    assert_eq!(unique.len(), ids.len());
    for (kind, names) in
        [("rule", &["a.md"][..]), ("skill", &["t", "s"]), ("archived", &[]), ("draft", &[])]
    {
        let list = disk.json(&["list", "--json", "--kind", kind]);
        let found = texts(&list["items"], "name");
        assert_eq!(found.len(), names.len(), "{found:?}");
    }
    assert_snapshot!(disk.run(&["list", "codex", "--kind", "skill"]).lines().next().unwrap(), @"Codex skill  1");
}

#[test]
fn people_read_what_is_found_and_what_is_taken_back() {
    let disk = both();
    disk.write(
        "home/.codex/memories_v2/extensions/ad_hoc/notes/2026-11-22T07-05-09-codes.md",
        "取引先コード\tは文字列\n\u{1b}[31m\n",
    );
    assert_snapshot!(disk.run(&["memory", "lookup", "取引先コード", "codex"]) + "[EOF]", @r"
    ~/.codex/memories_v2/extensions/ad_hoc/notes/2026-11-22T07-05-09-codes.md:1-2  Codex
      holds `取引先コード`
      | 取引先コード	は文字列
      | \u{1b}[31m
    [EOF]
    ");
    disk.run(&["relocate", ".", "../elsewhere", "--write"]);
    let text = disk.run(&["undo"]);
    let lines: Vec<_> = text.lines().map(|line| line.split(" ~").next().unwrap()).collect();
    assert_snapshot!(lines.join("\n"), @r"
    Run 1  1 change

    move

    hint: nothing is brought back yet; `--write` does it
    ");
}

#[test]
fn every_memory_that_is_listed_can_be_shown() {
    let disk = both();
    let memory = disk.json(&["memory", "show", "tabs", "--json"])["memory"]["path"].clone();
    let memory = Path::new(memory.as_str().unwrap()).parent().unwrap().to_owned();
    fs::write(memory.join("MEMORY_ARCHIVED.md"), "- [Old](old.md) — merged\n").unwrap();
    let tabs = "---\nname: tabs\n---\n\nMine.\n";
    disk.write("home/.claude/agent-memory/memo/tabs.md", tabs);
    disk.write("project/.claude/agent-memory/memo/MEMORY.md", "- what memo knows\n");
    let group = "# Task Group: a\n## Task 1: x, success\n\n";
    disk.write("home/.codex/memories/MEMORY.md", &group.repeat(2));
    let list = disk.json(&["list", "--kind", "memory", "--json"]);
    let ids = texts(&list["items"], "id");
    assert_eq!(ids.len(), 7, "{ids:?}");
    for id in ids {
        assert_eq!(disk.json(&["memory", "show", id, "--json"])["memory"]["id"], id);
    }
    let (code, error) = disk.failure(&["memory", "show", "tabs"]);
    assert_snapshot!(format!("{error}exit {code}"), @r"
    error: several memories are called `tabs`
    hint: say which by its id: claude:memory:tabs, claude:agent-memory:user:memo:tabs
    exit 2
    ");
    let tabs = memory.join("tabs.md");
    let beside = "../home/.claude/agent-memory/memo/tabs.md";
    for path in [tabs.to_str().unwrap(), beside] {
        let shown = disk.json(&["memory", "show", path, "--json"])["memory"].clone();
        assert!(shown["path"].as_str().unwrap().ends_with("/tabs.md"));
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_file_whose_name_is_no_utf8_is_listed_and_told() {
    use std::os::unix::ffi::OsStrExt as _;

    let disk = both();
    let tabs = disk.json(&["memory", "show", "tabs", "--json"])["memory"]["path"].clone();
    let memory = Path::new(tabs.as_str().unwrap()).parent().unwrap();
    let name = std::ffi::OsStr::from_bytes(b"caf\xe9.md");
    fs::write(memory.join(name), "coffee\n").unwrap();
    let list = checked(&disk, &["list", "claude", "--json"]);
    let is_it = |item: &&Value| item["path"].as_str().unwrap().ends_with("/caf\u{fffd}.md");
    let item = list["items"].as_array().unwrap().iter().find(is_it).unwrap();
    assert_eq!(
        (&item["id"], &item["name"]),
        (&"claude:memory:caf\u{fffd}".into(), &"caf\u{fffd}".into())
    );
    assert_eq!(texts(&list["diagnostics"], "code"), ["memport/path-not-utf8"]);
    let help = list["diagnostics"][0]["help"].as_str().unwrap();
    assert!(help.contains(r"/caf\xe9.md' $'") && help.ends_with("/caf_.md'"), "{help}");
    let shown = disk.json(&["memory", "show", item["id"].as_str().unwrap(), "--json"]);
    assert_eq!(shown["memory"]["body"], "coffee\n");
    let found: Value = serde_json::from_slice(&disk.output(&["check", "--json"]).stdout).unwrap();
    assert!(texts(&found["findings"], "code").contains(&"memport/path-not-utf8"));
}

#[test]
fn a_client_that_does_not_start_is_told_and_the_other_one_is_read() {
    let disk = both();
    disk.write("home/.codex/config.toml", "= no\n");
    let list = disk.json(&["list", "--json"]);
    assert_eq!(texts(&list["diagnostics"], "code"), ["memport/client-does-not-start"]);
    assert!(texts(&list["items"], "name").contains(&"tabs"));
    let (code, error) = disk.failure(&add("codex", &[]));
    assert!(code == 3 && error.starts_with("error: Codex does not start"), "{error}");
    let found = disk.json(&["memory", "lookup", "tabs", "--json"]);
    assert_eq!(found["diagnostics"][0]["severity"], "error");
    assert!(!found["passages"].as_array().unwrap().is_empty());
}

#[test]
fn an_interrupted_undo_that_is_asked_for_again_succeeds() {
    for args in [&["undo", "1", "--write", "--json"][..], &["undo", "--write", "--json"]] {
        let disk = both();
        let before = disk.tree();
        disk.json(&add("claude", &["--write"]));
        // As if the program had ended as soon as it began.
        fs::write(disk.dir.path().join("state/memport/runs/1/undoing"), "").unwrap();
        let output = disk.output(args);
        let told = String::from_utf8(output.stderr).unwrap();
        assert!(told.starts_with("note: the undo of run 1 was interrupted"), "{told}");
        let undone: Value = serde_json::from_slice(&output.stdout).unwrap();
        assert_eq!(undone["applied"]["run"], "1");
        assert_eq!(undone["changes"].as_array().unwrap().len(), 2);
        assert_eq!(disk.tree(), before);
    }
}

#[test]
fn a_damaged_record_is_told_by_all_and_set_aside_by_a_writing_command() {
    let disk = both();
    let runs = disk.dir.path().join("state/memport/runs");
    fs::create_dir_all(runs.join("1")).unwrap();
    fs::write(runs.join("1/record.json"), "{").unwrap();
    let told = |args: &[&str]| String::from_utf8(disk.output(args).stderr).unwrap();
    assert!(told(&["list"]).starts_with("warning: the record of run 1 is damaged"));
    assert!(runs.join("1/record.json").exists());
    let told = told(&add("claude", &["--write"]));
    assert!(told.starts_with("warning: the record of run 1 is damaged"), "{told}");
    assert!(told.contains("runs/1.damaged`"), "{told}");
    assert!(runs.join("1.damaged/record.json").exists() && runs.join("2/done").exists());
}

#[cfg(unix)]
#[test]
fn a_file_with_more_names_is_told_and_one_that_is_read_only_is_refused() {
    use std::os::unix::fs::PermissionsExt as _;
    let disk = both();
    let plan = disk.json(&add("claude", &[]));
    let changes = plan["plan"]["changes"].as_array().unwrap();
    let index = changes.iter().find(|change| change["op"] == "replace").unwrap();
    assert_eq!(index["warning"], Value::Null);
    let index = std::path::PathBuf::from(index["path"].as_str().unwrap());
    fs::hard_link(&index, disk.dir.path().join("twin")).unwrap();
    let plan = disk.json(&add("claude", &[]));
    assert!(plan.to_string().contains("1 other name (hard links)"), "{plan}");
    let mut permissions = fs::metadata(&index).unwrap().permissions();
    permissions.set_mode(0o444);
    fs::set_permissions(&index, permissions).unwrap();
    let (code, error) = disk.failure(&add("claude", &["--write"]));
    assert!(code == 3 && error.contains("is read-only"), "{error}");
}
