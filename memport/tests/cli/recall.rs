//! Past conversations: a store that survives what happens to it, and answers that hold.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use memory_recall::SqliteStore;
use serde_json::{Value, json};

use crate::disk::Disk;

/// A home in which both clients held conversations.
fn disk() -> Disk {
    let disk = Disk::with(&[]);
    let cases = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/cases/recall/sessions");
    copy(&cases.join("claude"), &disk.dir.path().join("home/.claude"), 0);
    copy(&cases.join("codex"), &disk.dir.path().join("home/.codex"), 0);
    disk
}

/// Copies transcripts as those of other conversations, one for each number.
fn copy(from: &Path, to: &Path, number: u32) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        let target = to.join(renumbered(entry.file_name().to_str().unwrap(), number));
        if entry.file_type().unwrap().is_dir() {
            copy(&entry.path(), &target, number);
        } else {
            let text = fs::read_to_string(entry.path()).unwrap();
            fs::write(target, renumbered(&text, number)).unwrap();
        }
    }
}

/// A text whose ids are others: each group of eight hexadecimal digits before a `-`.
fn renumbered(text: &str, number: u32) -> String {
    let pieces: Vec<&str> = text.split('-').collect();
    let changed = pieces.iter().map(|piece| {
        let at = piece.len().saturating_sub(8);
        let parts = piece.is_char_boundary(at).then(|| piece.split_at(at));
        match parts.map(|(head, tail)| (head, u32::from_str_radix(tail, 16))) {
            Some((head, Ok(value))) if piece.len() >= 8 => format!("{head}{:08x}", value ^ number),
            _ => (*piece).to_owned(),
        }
    });
    changed.collect::<Vec<_>>().join("-")
}

fn command(disk: &Disk, args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_memport"));
    command
        .args(args)
        .current_dir(disk.dir.path().join("project"))
        .env_clear()
        .env("HOME", disk.dir.path().join("home"))
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    command
}

fn start(disk: &Disk, args: &[&str]) -> Child {
    command(disk, args).spawn().unwrap()
}

fn store_path(disk: &Disk) -> PathBuf {
    disk.dir.path().join("home/.local/share/memport/recall.sqlite")
}

fn said(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// A failure that says in one line what is wrong, and in one what to do.
fn refusal(output: &Output) -> String {
    let error = said(output);
    assert_eq!(output.status.code(), Some(3), "{error}");
    assert_eq!(error.lines().count(), 2, "{error}");
    assert!(error.starts_with("error: ") && error.contains("\nhint: "), "{error}");
    error
}

fn ids(exported: &str) -> Vec<String> {
    let lines = exported.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
    lines.map(|chunk| chunk["id"].as_str().unwrap().to_owned()).collect()
}

/// Every file below a directory, with its bytes.
fn files(root: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let mut found = BTreeMap::new();
    for entry in fs::read_dir(root).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            found.append(&mut files(&path));
        } else {
            found.insert(path.clone(), fs::read(path).unwrap());
        }
    }
    found
}

#[test]
fn a_search_answers_with_where_it_is_from_and_changes_nothing() {
    let disk = disk();
    let clients = [disk.dir.path().join("home/.claude"), disk.dir.path().join("home/.codex")];
    let before = clients.each_ref().map(|home| files(home));
    let done = disk.json(&["recall", "ingest", "--json"]);
    assert_eq!((&done["chunks"], &done["queued"]), (&json!(436), &json!(0)));
    let found = disk.json(&["recall", "search", "停電", "--json", "--now", "2026-10-27T00:00:00Z"]);
    let hit = &found["hits"][0];
    assert_eq!(hit["time"], "2026-09-25T10:37:00.000Z", "{hit}");
    assert_eq!(hit["age_days"], 31);
    assert_eq!(hit["project"], "/home/mio/src/tanuki-infra");
    assert_eq!(hit["source"]["agent"], "claude-code");
    assert_eq!((&hit["ranks"]["fulltext"], &hit["reference_only"]), (&json!(1), &json!(true)));
    assert_eq!(found["indexed"]["conversations"], 90);
    assert_eq!(found["indexed"]["of"], 90);

    let shown = disk.json(&["recall", "show", hit["id"].as_str().unwrap(), "--json"]);
    let asked: Vec<_> = shown["turns"].as_array().unwrap().iter().collect();
    assert!(asked.iter().any(|turn| turn["id"] == hit["id"]) && asked.len() > 1);
    let opened = disk.run(&["recall", "open", hit["id"].as_str().unwrap(), "--print"]);
    let session = hit["source"]["session"].as_str().unwrap();
    assert_eq!(opened, format!("cd /home/mio/src/tanuki-infra && claude --resume {session}\n"));
    let text = disk.run(&["recall", "search", "停電"]);
    assert!(text.contains("Reference only") && text.contains("Looked at 90 of 90"), "{text}");
    let unknown = disk.run(&["recall", "search", "zzqqxx"]);
    assert!(unknown.contains("nowhere stands: zzqqxx"), "{unknown}");
    assert_eq!(before, clients.each_ref().map(|home| files(home)));
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        let mode = fs::metadata(store_path(&disk)).unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o600);
    }
}

#[test]
fn filters_and_the_running_conversation_narrow_the_answer() {
    let disk = disk();
    disk.run(&["recall", "ingest"]);
    let hits = |args: &[&str], vars: &[(&str, &str)]| -> Vec<Value> {
        let mut all = vec!["recall", "search", "決済", "--json", "-k", "50"];
        all.extend_from_slice(args);
        let output = disk.output_in(&all, vars);
        assert_eq!(output.status.code(), Some(0), "{}", said(&output));
        let found: Value = serde_json::from_slice(&output.stdout).unwrap();
        found["hits"].as_array().unwrap().clone()
    };
    let all = hits(&[], &[]);
    let shop = hits(&["--project", "kasumi-shop"], &[]);
    assert!(!shop.is_empty() && shop.len() < all.len());
    assert!(shop.iter().all(|hit| hit["project"] == "/home/mio/src/kasumi-shop"));
    assert_eq!(hits(&["--project", "/home/mio/src/kasumi-shop/"], &[]).len(), shop.len());
    assert_eq!(hits(&["--project", "/home/mio/src/kasumi"], &[]).len(), 0);
    assert!(hits(&["--agent", "codex"], &[]).iter().all(|hit| hit["source"]["agent"] == "codex"));
    let late = hits(&["--since", "2026-08-01"], &[]);
    assert!(!late.is_empty());
    assert!(late.iter().all(|hit| hit["time"].as_str().unwrap() >= "2026-08-01"));
    assert_eq!(hits(&["--until", "2026-01-01"], &[]).len(), 0);
    assert!(hits(&["--without", "fulltext"], &[]).is_empty());
    assert!(hits(&["--without", "age"], &[]).iter().all(|hit| hit["ranks"]["age"].is_null()));
    let session = all[0]["source"]["session"].as_str().unwrap();
    let rest = hits(&[], &[("CLAUDE_CODE_SESSION_ID", session)]);
    assert!(rest.len() < all.len());
    assert!(rest.iter().all(|hit| hit["source"]["session"] != session));
}

#[test]
fn queries_are_data() {
    let disk = disk();
    disk.run(&["recall", "ingest"]);
    let long = "停電 power ".repeat(8_000);
    let queries = [
        "",
        " ",
        "\"",
        "'",
        "*",
        "AND OR NOT",
        "a\" OR \"b",
        "'; drop table chunk; --",
        "(((",
        "NEAR(a b)",
        "col:val",
        "-x",
        "🙂",
        "\u{0}",
        "%_",
        "\\",
        "^$[",
        long.as_str(),
        "C++ .NET",
    ];
    let mut child = command(&disk, &["recall", "search", "--stdin", "--json"])
        .stdin(Stdio::piped())
        .spawn()
        .unwrap();
    let mut input = child.stdin.take().unwrap();
    let mut lines = String::new();
    for (id, query) in queries.iter().enumerate() {
        lines.push_str(&json!({"id": id, "query": query, "k": 3}).to_string());
        lines.push('\n');
    }
    let writer = thread::spawn(move || input.write_all(lines.as_bytes()).unwrap());
    let output = child.wait_with_output().unwrap();
    writer.join().unwrap();
    assert_eq!((output.status.code(), said(&output).as_str()), (Some(0), ""));
    let answers = String::from_utf8(output.stdout).unwrap();
    assert_eq!(answers.lines().count(), queries.len());
    for (id, answer) in answers.lines().enumerate() {
        let answer: Value = serde_json::from_str(answer).unwrap();
        assert_eq!(answer["id"], id);
        assert!(answer["hits"].as_array().unwrap().len() <= 3);
    }
    for query in queries.into_iter().filter(|query| !query.contains('\0') && query.len() < 100_000)
    {
        let output = disk.output(&["recall", "search", query, "--json"]);
        assert_eq!(output.status.code(), Some(0), "{query}: {}", said(&output));
    }
}

#[test]
fn a_killed_ingest_leaves_a_store_that_opens_and_a_run_that_completes() {
    let disk = disk();
    let cases = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/cases/recall/sessions");
    let mut random = 0x2545_f491_u64;
    for round in 1..=50_u32 {
        if round % 10 == 0 {
            copy(&cases.join("codex"), &disk.dir.path().join("home/.codex"), round);
        }
        random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695);
        let mut child = start(&disk, &["recall", "ingest"]);
        thread::sleep(Duration::from_millis((random >> 33) % 250));
        child.kill().unwrap();
        child.wait().unwrap();
        if store_path(&disk).exists() && round % 5 == 0 {
            SqliteStore::open(&store_path(&disk)).unwrap().check().unwrap();
        }
    }
    disk.run(&["recall", "ingest"]);
    let again = disk.json(&["recall", "ingest", "--json"]);
    assert_eq!((&again["chunks"], &again["bytes"]), (&json!(0), &json!(0)));
    let store = SqliteStore::open(&store_path(&disk)).unwrap();
    store.check().unwrap();
    let fresh = Disk::with(&[]);
    for client in [".claude", ".codex"] {
        let name = format!("home/{client}");
        copy(&disk.dir.path().join(&name), &fresh.dir.path().join(&name), 0);
    }
    fresh.run(&["recall", "ingest"]);
    let sorted = |disk: &Disk| {
        let found = ids(&disk.run(&["recall", "export"]));
        let once: BTreeSet<String> = found.iter().cloned().collect();
        assert_eq!(once.len(), found.len());
        once
    };
    assert_eq!(sorted(&disk), sorted(&fresh));
}

#[test]
fn ingests_and_searches_at_once_wait_for_each_other() {
    let disk = disk();
    let mut running = Vec::new();
    for _ in 0..2 {
        running.push(start(&disk, &["recall", "ingest"]));
    }
    for _ in 0..10 {
        running.push(start(&disk, &["recall", "search", "停電", "--json"]));
    }
    for child in running {
        let output = child.wait_with_output().unwrap();
        assert_eq!((output.status.code(), said(&output).as_str()), (Some(0), ""));
    }
    assert_eq!(disk.json(&["recall", "stats", "--check", "--json"])["chunks"], 436);
}

#[test]
fn a_store_that_cannot_be_used_is_told_and_left() {
    let disk = disk();
    disk.run(&["recall", "ingest"]);
    let whole = fs::read(store_path(&disk)).unwrap();
    let named = |name: &str, bytes: &[u8]| {
        let path = disk.dir.path().join(name);
        fs::write(&path, bytes).unwrap();
        path.to_str().unwrap().to_owned()
    };

    // The version of a file's form stands at byte 60 of a database.
    let mut newer = whole.clone();
    newer[60..64].copy_from_slice(&99_u32.to_be_bytes());
    let newer = named("newer", &newer);
    for args in [vec!["recall", "search", "x"], vec!["recall", "ingest"]] {
        let told = refusal(&disk.output(&[args, vec!["--store", &newer]].concat()));
        assert!(told.contains("has form 99"), "{told}");
    }

    let mut damaged = whole.clone();
    let len = damaged.len();
    for byte in damaged.iter_mut().take(len - 4096).skip(4096) {
        *byte = 0xa5;
    }
    let path = named("damaged", &damaged);
    let told = refusal(&disk.output(&["recall", "search", "停電", "--store", &path]));
    assert!(told.contains("is damaged") && told.contains("--rebuild"), "{told}");
    let output = disk.output(&["recall", "ingest", "--rebuild", "--store", &path]);
    assert_eq!(output.status.code(), Some(0), "{}", said(&output));
    let stats = disk.json(&["recall", "stats", "--check", "--json", "--store", &path]);
    assert_eq!(stats["chunks"], 436);

    let foreign = named("foreign", b"not a database, only a text of some length\n");
    let told = refusal(&disk.output(&["recall", "ingest", "--store", &foreign]));
    assert!(told.contains("foreign"), "{told}");
    assert!(fs::read(&foreign).unwrap().starts_with(b"not a database"));

    let below_a_file = format!("{foreign}/store");
    let told = refusal(&disk.output(&["recall", "ingest", "--store", &below_a_file]));
    assert!(told.contains("cannot be written"), "{told}");
    assert_eq!(fs::read(store_path(&disk)).unwrap().len(), whole.len());
}

#[test]
fn what_is_forgotten_stays_forgotten() {
    let disk = disk();
    disk.run(&["recall", "ingest"]);
    let found = disk.json(&["recall", "search", "停電", "--json"]);
    let session = found["hits"][0]["source"]["session"].as_str().unwrap().to_owned();
    let planned = disk.json(&["recall", "forget", "--session", &session, "--json"]);
    assert_eq!(planned["applied"], false);
    let done = disk.json(&["recall", "forget", "--session", &session, "--write", "--json"]);
    assert_eq!((&done["applied"], &done["chunks"]), (&json!(true), &planned["chunks"]));
    let project = ["recall", "forget", "--project", "kasumi-shop", "--write"];
    disk.run(&project);
    // Also where everything is read once more.
    disk.run(&["recall", "ingest", "--rebuild"]);
    disk.run(&["recall", "ingest"]);
    let exported = disk.run(&["recall", "export"]);
    assert!(!exported.contains(&session) && !exported.contains("kasumi-shop"));
    let raw = fs::read(store_path(&disk)).unwrap();
    let needle = "停電のあとサーバーが上がってこなかった".as_bytes();
    assert!(!raw.windows(needle.len()).any(|window| window == needle));
}

#[test]
fn chunks_travel_to_another_machine() {
    let (one, other) = (disk(), Disk::with(&[]));
    one.run(&["recall", "ingest"]);
    let exported = one.run(&["recall", "export", "--format", "jsonl"]);
    let first: Value = serde_json::from_str(exported.lines().next().unwrap()).unwrap();
    for key in ["id", "agent", "session_id", "path", "time", "question", "answer"] {
        assert!(first[key].is_string(), "{key}");
    }
    other.write("there.jsonl", &exported);
    let file = other.dir.path().join("there.jsonl");
    let import = ["recall", "import", file.to_str().unwrap(), "--json"];
    assert_eq!(other.json(&import)["chunks"], 436);
    assert_eq!(other.json(&import)["chunks"], 0);
    let sorted = |text: &str| text.lines().map(str::to_owned).collect::<BTreeSet<_>>();
    assert_eq!(sorted(&other.run(&["recall", "export"])), sorted(&exported));
    let hits = |disk: &Disk| {
        let found = disk.json(&["recall", "search", "接続プールの上限", "--json"]);
        let hits = found["hits"].as_array().unwrap().clone();
        hits.iter().map(|hit| hit["id"].clone()).collect::<Vec<_>>()
    };
    assert_eq!(hits(&one), hits(&other));
    other.write("broken.jsonl", &format!("{}\n{{\"id\": 3}}\n", exported.lines().next().unwrap()));
    let broken = other.dir.path().join("broken.jsonl");
    let told = refusal(&other.output(&["recall", "import", broken.to_str().unwrap()]));
    assert!(told.contains("line 2 is no chunk"), "{told}");
}

#[test]
fn only_what_grew_is_read_again() {
    let disk = Disk::with(&[]);
    let file = "home/.claude/projects/-repo/s1.jsonl";
    let line = |kind: &str, uuid: &str, parent: &str, content: &str, minute: u32| {
        json!({
            "type": kind, "uuid": uuid, "parentUuid": parent, "sessionId": "s1", "cwd": "/repo",
            "isSidechain": false, "timestamp": format!("2026-05-01T01:{minute:02}:00.000Z"),
            "message": { "role": kind, "content": [{ "type": "text", "text": content }] },
        })
        .to_string()
            + "\n"
    };
    let question = line("user", "u1", "", "再試行は何回？", 0);
    let half = "{\"type\":\"assistant\",\"uuid\":\"u2\"";
    disk.write(file, &format!("{question}{half}"));
    assert_eq!(disk.json(&["recall", "ingest", "--json"])["chunks"], 0);
    let answer = line("assistant", "u2", "u1", "まず見ます。", 1);
    disk.write(file, &format!("{question}{answer}"));
    assert_eq!(disk.json(&["recall", "ingest", "--json"])["chunks"], 1);
    let more =
        line("assistant", "u3", "u2", "2回です。", 2) + &line("user", "u4", "u3", "なぜ？", 3);
    let more = more + &line("assistant", "u5", "u4", "締めのためです。", 4);
    disk.write(file, &format!("{question}{answer}{more}"));
    let done = disk.json(&["recall", "ingest", "--json"]);
    assert_eq!(done["chunks"], 2);
    let first: Value =
        serde_json::from_str(disk.run(&["recall", "export"]).lines().next().unwrap()).unwrap();
    assert!(
        first["answer"] == "まず見ます。\n\n2回です。" || first["answer"] == "締めのためです。"
    );
    // The question before the last is asked anew: what followed it is gone.
    let edited = line("user", "u6", "", "再試行は何回がいい？", 5);
    let edited = edited.replace("\"parentUuid\":\"\"", "\"parentUuid\":\"u1\"");
    let edited = edited + &line("assistant", "u7", "u6", "3回です。", 6);
    disk.write(file, &format!("{question}{answer}{more}{edited}"));
    disk.run(&["recall", "ingest"]);
    let exported = disk.run(&["recall", "export"]);
    assert!(exported.contains("3回です。") && !exported.contains("締めのためです。"), "{exported}");
    // A file that vanished leaves its chunks.
    fs::remove_file(disk.dir.path().join(file)).unwrap();
    disk.run(&["recall", "ingest"]);
    assert_eq!(disk.run(&["recall", "export"]), exported);
}

#[test]
fn lines_for_a_client_are_few_and_counted() {
    let disk = disk();
    disk.run(&["recall", "ingest"]);
    let inject = |args: &[&str]| {
        disk.json(&[&["recall", "inject", "接続プールの上限は？", "--json"], args].concat())
    };
    let given = inject(&[]);
    let text = given["text"].as_str().unwrap();
    assert!(text.starts_with("Past conversations, for reference only"), "{text}");
    assert!(text.lines().count() <= 6 && text.chars().count() <= 1500);
    assert_eq!(given["chars"], text.chars().count());
    let small = inject(&["--lines", "2", "--chars", "200"]);
    assert_eq!(small["lines"], 2);
    assert!(small["chars"].as_u64().unwrap() <= 200);
    let found = disk.json(&["recall", "candidates", "--json"]);
    assert_eq!(found["candidates"][0]["id"], small["ids"][0]);
    assert_eq!(found["candidates"][0]["times"], 2);
    assert_eq!(disk.json(&["recall", "inject", "zzqqxx", "--json"])["text"], "");
}

#[test]
fn a_hook_takes_conversations_in_and_holds_nobody_up() {
    let disk = disk();
    disk.write("home/.claude/settings.json", "{\n  // mine\n  \"model\": \"opus\"\n}\n");
    let install = ["hook", "install", "--json"];
    let planned = disk.json(&install);
    assert_eq!(planned["plan"]["changes"].as_array().unwrap().len(), 2, "{planned}");
    let before = fs::read_to_string(disk.dir.path().join("home/.claude/settings.json")).unwrap();
    assert!(!before.contains("hook run"));
    disk.run(&["hook", "install", "--write"]);
    let after = fs::read_to_string(disk.dir.path().join("home/.claude/settings.json")).unwrap();
    assert!(after.contains("// mine") && after.contains("SessionEnd"), "{after}");
    assert_eq!(disk.json(&install)["plan"]["changes"], json!([]));
    disk.run(&["undo", "--write"]);
    let undone = fs::read_to_string(disk.dir.path().join("home/.claude/settings.json")).unwrap();
    assert_eq!(undone, before);
    assert!(!disk.dir.path().join("home/.codex/hooks.json").exists());

    let output = disk.output(&["hook", "run"]);
    assert_eq!((output.status.code(), output.stdout.as_slice()), (Some(0), &[][..]));
    let begun = Instant::now();
    while disk.json(&["recall", "stats", "--json"])["chunks"] != 436 {
        assert!(begun.elapsed() < Duration::from_secs(60));
        thread::sleep(Duration::from_millis(50));
    }
    let output = disk.output(&["hook", "run", "--home", "/no/such/home"]);
    assert_eq!(output.status.code(), Some(0), "{}", said(&output));
}

#[test]
fn a_place_that_cannot_be_written_falls_back_with_a_word() {
    let disk = disk();
    // A file stands where the directory would be.
    disk.write("home/.local/share", "");
    let tmp = disk.dir.path().join("tmp");
    fs::create_dir(&tmp).unwrap();
    let vars = [("TMPDIR", tmp.to_str().unwrap())];
    let output = disk.output_in(&["recall", "ingest"], &vars);
    assert_eq!(output.status.code(), Some(0), "{}", said(&output));
    assert!(said(&output).contains("is used instead"), "{}", said(&output));
    let output = disk.output_in(&["recall", "search", "停電", "--json"], &vars);
    let found: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert!(!found["hits"].as_array().unwrap().is_empty(), "{}", said(&output));
}
