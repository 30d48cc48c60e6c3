//! Ports between the two clients, on a real disk.

use std::fs;
use std::path::Path;

use serde_json::Value;

use crate::disk::Disk;
use crate::schema;

/// The folder of the project's memory in the home directory.
fn memory(disk: &Disk) -> String {
    let project = fs::canonicalize(disk.dir.path().join("project")).unwrap();
    let slug = project.to_str().unwrap().replace(|c: char| !c.is_ascii_alphanumeric(), "-");
    format!("home/.claude/projects/{slug}/memory")
}

/// A project with everything that Claude Code keeps, and one file for Codex.
fn project() -> Disk {
    let disk = Disk::with(&[
        ("project/.git/HEAD", "ref: refs/heads/main\n"),
        (
            "project/CLAUDE.md",
            "---\nowner: platform\n---\n# Project\n\nUse Python 3.11. See @docs/style.md and \
             @docs/deep.md for more.\n\n<!-- maintainer note: keep short -->\n\n- Never run `rm -rf`.\n\n\
             ```\n@docs/not-an-import.md\n```\n",
        ),
        ("project/docs/style.md", "# Style\nCANARY_STYLE tabs not spaces.\n"),
        ("project/docs/deep.md", "# Deep\n@style2.md\nCANARY_DEEP\n"),
        ("project/docs/style2.md", "CANARY_STYLE2\n"),
        ("project/packages/web/CLAUDE.md", "# Web\nCANARY_WEB use pnpm.\n"),
        ("project/packages/web/AGENTS.md", "# nested agents\nCANARY_NESTED_AGENTS\n"),
        ("project/CLAUDE.local.md", "CANARY_LOCAL my sandbox url\n"),
        (
            "project/.claude/rules/csv.md",
            "---\npaths: [\"data/**/*.csv\", \"*.{ts,tsx}\"]\nowner: data-team\n---\n# CSV\n\
             CANARY_CSV Treat customer codes as strings. 00042 keeps its zeros.\n",
        ),
        (
            "project/.claude/rules/api/errors.md",
            "---\npaths: src/api/**, lib/api/**\n---\nCANARY_API Return structured errors.\n",
        ),
        ("project/.claude/rules/always.md", "# Always\r\nCANARY_ALWAYS CRLF rule\r\n"),
        (
            "project/.claude/skills/csv-parser/SKILL.md",
            "---\nname: csv-parser\ndescription: Parse CSV files with an unknown encoding. Use \
             when reading .csv.\nallowed-tools: Read, Bash(python *)\n\
             disable-model-invocation: true\nargument-hint: \"[file]\"\n---\n# CSV parser\n\
             Run scripts/detect.py $ARGUMENTS\n",
        ),
        (
            "project/.claude/skills/csv-parser/scripts/detect.py",
            "#!/usr/bin/env python3\nprint(\"x\")\n",
        ),
        (
            "project/.claude/commands/review.md",
            "---\ndescription: Review a PR\nargument-hint: \"[pr]\"\n---\nReview $1\n",
        ),
        (
            "project/.claude/agents/tester.md",
            "---\nname: tester\ndescription: runs tests\ntools: Bash\nmodel: haiku\n---\nYou test.\n",
        ),
        ("home/.claude/CLAUDE.md", "CANARY_USERGLOBAL\n"),
    ]);
    let skill = disk.dir.path().join("project/.claude/skills/csv-parser");
    fs::write(skill.join("logo.png"), b"\x89PNG\r\n\x1a\n\x00\xff").unwrap();
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        let script = skill.join("scripts/detect.py");
        fs::set_permissions(script, fs::Permissions::from_mode(0o755)).unwrap();
    }
    let memory = memory(&disk);
    for (file, text) in [
        (
            "MEMORY.md",
            "- [Customer code](feedback_customer_code.md) — strings, not numbers\n\
             - [User role](user_role.md) — data engineer\n",
        ),
        (
            "feedback_customer_code.md",
            "---\nname: customer-code\ndescription: customer codes are strings\ntype: feedback\n\
             modified: \"2026-01-20T14:30:00Z\"\n---\nCANARY_MEM Treat customer codes as strings.\n",
        ),
        ("user_role.md", "---\ntype: user\n---\nCANARY_ROLE data engineer\n"),
        (
            "old.md",
            "---\nname: old\nstatus: archived\narchived_at: 2026-03-30\narchived_reason: merged\n\
             ---\nCANARY_OLD\n",
        ),
        ("MEMORY_ARCHIVED.md", "- [old](old.md)\n"),
    ] {
        disk.write(&format!("{memory}/{file}"), text);
    }
    disk
}

const TO_CODEX: [&str; 5] = ["port", "--from", "claude", "--to", "codex"];
const TO_CLAUDE: [&str; 5] = ["port", "--from", "codex", "--to", "claude"];
const ALL: [&str; 2] = ["--accept-loss", "all"];

fn args<'a>(which: &[&'a str], more: &[&'a str]) -> Vec<&'a str> {
    which.iter().chain(more).copied().collect()
}

/// The answer with this exit code, once it was held against its schema.
fn answer(disk: &Disk, which: &[&str], more: &[&str], code: i32) -> Value {
    let output = disk.output(&args(&args(which, more), &["--json"]));
    let error = String::from_utf8(output.stderr).unwrap();
    assert_eq!((output.status.code(), error.as_str()), (Some(code), ""));
    let document = serde_json::from_slice(&output.stdout).unwrap();
    schema::check(&disk.json(&["schema", "port"]), &document);
    document
}

fn list<'a>(document: &'a Value, key: &str) -> &'a [Value] {
    document[key].as_array().unwrap()
}

fn changes(document: &Value) -> &[Value] {
    list(&document["plan"], "changes")
}

fn read(disk: &Disk, file: &str) -> String {
    fs::read_to_string(disk.dir.path().join(file)).unwrap()
}

/// All that stands below the project and the home, modes and links included.
fn everything(disk: &Disk) -> Vec<(String, String)> {
    fn collect(top: &Path, path: &Path, found: &mut Vec<(String, String)>) {
        let name = path.strip_prefix(top).unwrap().display().to_string();
        let about = fs::symlink_metadata(path).unwrap();
        let mode = format!("{:?}", about.permissions());
        if about.is_symlink() {
            found.push((name, format!("-> {}", fs::read_link(path).unwrap().display())));
        } else if about.is_dir() {
            found.push((name, mode));
            let mut entries: Vec<_> =
                fs::read_dir(path).unwrap().map(|entry| entry.unwrap().path()).collect();
            entries.sort();
            for entry in entries {
                collect(top, &entry, found);
            }
        } else {
            found.push((name, format!("{mode} {:?}", fs::read(path).unwrap())));
        }
    }
    let mut found = Vec::new();
    for part in ["home", "project"] {
        collect(disk.dir.path(), &disk.dir.path().join(part), &mut found);
    }
    found
}

#[test]
fn a_project_is_carried_once_and_taken_back() {
    let disk = project();
    let before = everything(&disk);
    let seen = answer(&disk, &TO_CODEX, &[], 1);
    assert_eq!(everything(&disk), before);
    assert_eq!((&seen["schema"], &seen["applied"]), (&"memport.port.v1".into(), &Value::Null));
    assert!(list(&seen, "unaccounted").is_empty() && list(&seen, "conflicts").is_empty());

    let digest = seen["plan"]["digest"].as_str().unwrap();
    let done = answer(&disk, &TO_CODEX, &args(&ALL, &["--write", "--plan", digest]), 0);
    assert_eq!((&done["plan"], &done["carried"]), (&seen["plan"], &seen["carried"]));
    assert_eq!(done["applied"]["undo"], "memport undo 1");
    assert!(list(&done, "losses").iter().all(|loss| loss["accepted"] == true));

    let again = answer(&disk, &TO_CODEX, &args(&ALL, &["--write"]), 0);
    assert_eq!((changes(&again).len(), &again["applied"]), (0, &Value::Null));
    assert_eq!(list(&again, "sides").len(), 0);

    disk.run(&["undo", "--write"]);
    assert_eq!(everything(&disk), before);
}

#[test]
fn every_text_has_a_place_or_a_loss() {
    let disk = project();
    let done = answer(&disk, &TO_CODEX, &["--write"], 1);
    assert!(done["applied"].is_object(), "a loss does not stop it");
    let agents = read(&disk, "project/AGENTS.md");
    let web = read(&disk, "project/packages/web/AGENTS.md");
    let person = read(&disk, "home/.codex/AGENTS.md");
    for (text, file) in [
        ("Use Python 3.11", &agents),
        ("CANARY_STYLE tabs", &agents),
        ("CANARY_DEEP", &agents),
        ("CANARY_STYLE2", &agents),
        ("CANARY_ALWAYS", &agents),
        ("CANARY_CSV", &agents),
        ("CANARY_API", &agents),
        ("CANARY_WEB", &web),
        ("CANARY_NESTED_AGENTS", &web),
        ("CANARY_USERGLOBAL", &person),
        ("CANARY_LOCAL", &person),
    ] {
        assert_eq!(file.matches(text).count(), 1, "{text}: {file}");
    }
    // What is private does not come into the project, what is hidden nowhere.
    assert!(!agents.contains("CANARY_LOCAL") && !agents.contains("maintainer note"));
    let skill = "project/.agents/skills/csv-parser";
    let logo = disk.dir.path().join(skill).join("logo.png");
    assert_eq!(fs::read(logo).unwrap(), b"\x89PNG\r\n\x1a\n\x00\xff");
    assert!(read(&disk, &format!("{skill}/agents/openai.yaml")).contains("false"));
    let losses: Vec<_> = list(&done, "losses")
        .iter()
        .map(|loss| {
            let name = loss["path"].as_str().unwrap().rsplit('/').next().unwrap();
            (name, loss["how"].as_str().unwrap())
        })
        .collect();
    for loss in [
        ("csv.md", "not-enforced"),
        ("errors.md", "not-enforced"),
        ("tester.md", "dropped"),
        ("SKILL.md", "not-enforced"),
        ("SKILL.md", "approximated"),
        ("CLAUDE.local.md", "scope-widened"),
        ("MEMORY.md", "scope-narrowed"),
    ] {
        assert!(losses.contains(&loss), "{loss:?}: {losses:?}");
    }
    let sources: Vec<_> = list(&done, "carried").iter().map(|file| &file["path"]).collect();
    for file in ["CLAUDE.md", "docs/style2.md", ".claude/commands/review.md"] {
        let path = fs::canonicalize(disk.dir.path().join("project")).unwrap().join(file);
        assert!(sources.contains(&&Value::from(path.to_str().unwrap())), "{file}");
    }
}

#[test]
fn what_was_carried_comes_back_byte_for_byte() {
    let disk = project();
    let memory = memory(&disk);
    let before = everything(&disk);
    answer(&disk, &TO_CODEX, &args(&ALL, &["--write"]), 0);
    for gone in ["CLAUDE.md", "CLAUDE.local.md", "packages/web/CLAUDE.md"] {
        fs::remove_file(disk.dir.path().join("project").join(gone)).unwrap();
    }
    fs::remove_dir_all(disk.dir.path().join("project/docs")).unwrap();
    for gone in ["rules", "skills", "commands"] {
        fs::remove_dir_all(disk.dir.path().join("project/.claude").join(gone)).unwrap();
    }
    fs::remove_dir_all(disk.dir.path().join(&memory)).unwrap();
    fs::remove_file(disk.dir.path().join("home/.claude/CLAUDE.md")).unwrap();
    answer(&disk, &TO_CLAUDE, &args(&ALL, &["--write"]), 0);
    let after = everything(&disk);
    for (name, found) in &before {
        let now = after.iter().find(|(other, _)| other == name);
        // In the folder that had a file for each client, each file has both texts.
        if !name.starts_with("project/packages/web/") {
            assert_eq!(now.map(|(_, now)| now), Some(found), "{name}");
        }
    }
    let web = read(&disk, "project/packages/web/CLAUDE.md");
    assert!(web.starts_with("# Web\nCANARY_WEB use pnpm.\n") && web.contains("NESTED"), "{web}");
    let again = answer(&disk, &TO_CODEX, &ALL, 0);
    assert_eq!(changes(&again), &[] as &[Value]);
}

#[test]
fn only_what_is_asked_for_is_carried() {
    let disk = project();
    let paths = |only: &str| -> Vec<String> {
        let asked = answer(&disk, &TO_CODEX, &args(&ALL, &["--only", only]), 0);
        list(&asked, "carried")
            .iter()
            .map(|file| file["path"].as_str().unwrap().to_owned())
            .collect()
    };
    let all_hold = |only: &str, part: &str| {
        let paths = paths(only);
        assert!(!paths.is_empty() && paths.iter().all(|path| path.contains(part)), "{paths:?}");
    };
    all_hold("rules", "/.claude/rules/");
    all_hold("memory", "/memory/");
    all_hold("skills", "/.claude/");
    assert!(paths("skills").iter().all(|path| !path.contains("/rules/")));
    assert!(paths("instructions").iter().any(|path| path.ends_with("/docs/deep.md")));
    let (rules, both) = (paths("rules").len(), paths("rules,memory").len());
    assert_eq!(both, rules + paths("memory").len());
}

#[test]
fn a_plan_that_is_another_by_now_is_not_written() {
    let disk = project();
    let seen = answer(&disk, &TO_CODEX, &ALL, 0);
    disk.write("project/CLAUDE.md", "# Another\n");
    let before = everything(&disk);
    let digest = seen["plan"]["digest"].as_str().unwrap();
    let (code, error) = disk.failure(&args(&TO_CODEX, &["--write", "--plan", digest]));
    assert!(error.starts_with("error: the plan is not the one that was seen"), "{error}");
    assert_eq!((code, everything(&disk)), (3, before));
}

#[test]
fn bad_use_is_told_in_one_line() {
    let disk = project();
    let said = |args: &[&str]| {
        let (code, error) = disk.failure(args);
        assert_eq!(error.lines().count(), 2, "{error}");
        format!("{error}exit {code}")
    };
    insta::assert_snapshot!(said(&["port", "--from", "codex", "--to", "codex"]), @r"
    error: `--from` and `--to` name the same client
    hint: name two: `--from claude --to codex`, or the other way round
    exit 2
    ");
    insta::assert_snapshot!(said(&args(&TO_CODEX, &["--env", "HOME"])), @r"
    error: the home directory is not known
    hint: set HOME, or pass `--home DIR`
    exit 2
    ");
    insta::assert_snapshot!(said(&args(&TO_CODEX, &["--accept-loss", "scope-narowed"])), @r"
    error: invalid value 'scope-narowed' for '--accept-loss <CODE>' [possible values: all, dropped, flattened, renamed, truncated, scope-widened, scope-narrowed, approximated, not-enforced]
    hint: did you mean `scope-narrowed`?
    exit 2
    ");
    disk.write("project/.memport/port.toml", "schema = 7\n");
    let (code, error) = disk.failure(&TO_CODEX);
    assert!(code == 3 && error.contains("the manifest `/project/.memport/port.toml`"), "{error}");
}

#[test]
fn the_whole_project_is_meant_wherever_in_it_one_stands() {
    let disk = project();
    let here = answer(&disk, &TO_CODEX, &ALL, 0);
    let below = answer(&disk, &TO_CODEX, &args(&ALL, &["--cwd", "packages/web"]), 0);
    assert_eq!(here, below);
}

#[test]
fn the_code_that_is_accepted_is_the_only_one() {
    let disk = project();
    let codes = |document: &Value, accepted: bool| -> Vec<String> {
        let losses = list(document, "losses").iter();
        let of = losses.filter(|loss| loss["accepted"] == accepted);
        of.map(|loss| loss["how"].as_str().unwrap().to_owned()).collect()
    };
    let some = answer(&disk, &TO_CODEX, &["--accept-loss", "not-enforced,dropped"], 1);
    assert!(codes(&some, true).iter().all(|code| code == "not-enforced" || code == "dropped"));
    assert!(!codes(&some, true).is_empty() && !codes(&some, false).is_empty());
    assert!(codes(&some, false).iter().all(|code| code != "not-enforced" && code != "dropped"));
}

#[test]
fn edits_of_either_side_and_of_both_are_told() {
    let disk = project();
    let to_codex = args(&TO_CODEX, &["--only", "instructions"]);
    let to_claude = args(&TO_CLAUDE, &["--only", "instructions"]);
    answer(&disk, &to_codex, &args(&ALL, &["--write"]), 0);
    let edit = |file: &str, from: &str, to: &str| {
        let text = read(&disk, file);
        assert!(text.contains(from), "{text}");
        disk.write(file, &text.replace(from, to));
    };
    let side = |document: &Value| {
        let sides = list(document, "sides");
        assert_eq!(sides.len(), 1, "{sides:?}");
        sides[0]["changed"].as_str().unwrap().to_owned()
    };
    edit("project/CLAUDE.md", "3.11", "3.12");
    let done = answer(&disk, &to_codex, &args(&ALL, &["--write"]), 0);
    assert_eq!(side(&done), "origin");
    assert!(read(&disk, "project/AGENTS.md").contains("Use Python 3.12"));

    edit("project/AGENTS.md", "3.12", "3.13");
    assert_eq!(side(&answer(&disk, &to_codex, &ALL, 0)), "copy");
    let back = answer(&disk, &to_claude, &args(&ALL, &["--write"]), 0);
    assert_eq!(side(&back), "copy");
    let text = read(&disk, "project/CLAUDE.md");
    assert!(text.starts_with("---\nowner: platform\n---\n") && text.contains("3.13"), "{text}");
    assert!(text.contains("<!-- maintainer note: keep short -->"), "{text}");

    edit("project/AGENTS.md", "3.13", "3.14");
    edit("project/CLAUDE.md", "3.13", "3.15");
    let before = everything(&disk);
    let both = answer(&disk, &to_codex, &["--write"], 1);
    assert_eq!((side(&both).as_str(), changes(&both).len()), ("both", 0));
    let conflict = &list(&both, "conflicts")[0];
    assert!(conflict["wanted"].as_str().unwrap().contains("3.15"));
    assert!(conflict["found"].as_str().unwrap().contains("3.14"));
    assert_eq!(everything(&disk), before);
    let text = String::from_utf8(disk.output(&to_codex).stdout).unwrap();
    assert!(text.contains("\nConflicts  1 piece\n") && text.contains("    -Use Python 3.14"));
}

#[test]
fn people_read_what_goes_where_and_what_is_lost() {
    let disk = Disk::with(&[
        ("home/.claude/CLAUDE.md", "日本語で答える。\n"),
        ("project/CLAUDE.md", "# Shop\n\nUse tabs.\n"),
        ("project/.claude/rules/取引.md", "---\npaths: \"*.csv\"\n---\nCodes are text: 00042.\n"),
        (
            "project/.claude/skills/deploy/SKILL.md",
            "---\nname: deploy\ndescription: Deploys.\nallowed-tools: Bash\n---\nDeploy.\n",
        ),
        ("project/AGENTS.md", "Mine.\n"),
    ]);
    let output = disk.output(&args(&TO_CODEX, &["--accept-loss", "not-enforced"]));
    assert_eq!(output.status.code(), Some(0));
    let text = String::from_utf8(output.stdout).unwrap();
    // Two lines hold the folder of the test, one of them in the fingerprint.
    let differs = |line: &&str| line.starts_with("Claude Code -> ") || line.starts_with("sha256:");
    let text: Vec<_> = text.lines().filter(|line| !differs(line)).collect();
    insta::assert_snapshot!(text.join("\n"), @r"
    4 files to carry, 5 changes, 2 losses, all accepted

    Where it goes  4 files
      ~/.codex/AGENTS.md      from ~/.claude/CLAUDE.md
      .agents/skills/deploy/  from .claude/skills/deploy/ (1 file)
      AGENTS.md               from .claude/rules/取引.md, CLAUDE.md

    Plan  5 changes

    create ~/.codex/AGENTS.md  24 B, from ~/.claude/CLAUDE.md
      @@ -0,0 +1 @@
      +日本語で答える。
      \ No newline at end of file

    create ~/.memport/port.toml  604 B
      (what came from where, for the next port and the way back; `--json` shows it)

    create .agents/skills/deploy/SKILL.md  71 B, mode 644, from .claude/skills/deploy/SKILL.md
      @@ -0,0 +1,6 @@
      +---
      +name: deploy
      +description: Deploys.
      +allowed-tools: Bash
      +---
      +Deploy.

    create .memport/port.toml  1,426 B
      (what came from where, for the next port and the way back; `--json` shows it)

    replace AGENTS.md  262 B, from .claude/rules/取引.md and 1 other
      @@ -1 +1,13 @@
       Mine.
      +
      +<!-- memport:begin CLAUDE.md -->
      +# Shop
      +
      +Use tabs.
      +<!-- memport:end CLAUDE.md -->
      +
      +<!-- memport:begin .claude/rules/取引.md -->
      +When you work on files that match `*.csv`, follow this:
      +
      +Codes are text: 00042.
      +<!-- memport:end .claude/rules/取引.md -->

    Losses  2 in 2 files, 2 accepted
      .claude/rules/取引.md
        not-enforced  rule `.claude/rules/取引.md` (accepted)
                      it is always shown now and asks to be followed for these files only
                      its text: AGENTS.md
      .claude/skills/deploy/SKILL.md
        not-enforced  skill `deploy`, line 4 (accepted)
                      `allowed-tools`: it may use some tools without asking; here nothing comes of it
                      its text: .agents/skills/deploy/SKILL.md

    hint[claude/not-carried]: it is not carried, as the client does not load it: `CLAUDE.md` turns it
                              off
      --> AGENTS.md

    hint: nothing is written yet; `--write` does it, and with `--plan` and the digest above only if it
          is still this plan
    ");
}

#[test]
fn what_codex_keeps_is_carried_once_and_comes_back() {
    let disk = Disk::with(&[
        ("home/.codex/AGENTS.md", "Answer in Japanese.\n"),
        ("home/.codex/skills/翻訳/SKILL.md", "---\nname: 翻訳\ndescription: 訳す。\n---\n訳す。\n"),
        (
            "home/.codex/memories_v2/memory_summary.md",
            "v1\n\n## User Profile\n\nMio keeps the data.\n",
        ),
        ("project/AGENTS.md", "Run the tests.\n"),
        ("project/web/AGENTS.override.md", "Use pnpm.\n"),
        ("project/web/AGENTS.md", "HIDDEN\n"),
        ("project/CLAUDE.md", "Mine.\n"),
    ]);
    let before = everything(&disk);
    let done = answer(&disk, &TO_CLAUDE, &args(&ALL, &["--write"]), 0);
    assert!(list(&done, "unaccounted").is_empty());
    assert!(read(&disk, "project/CLAUDE.md").starts_with("Mine.\n\n<!-- memport:begin AGENTS.md"));
    assert_eq!(read(&disk, "home/.claude/CLAUDE.md").trim_end(), "Answer in Japanese.");
    let written = everything(&disk);
    let holds = |text: &str, file: &str| {
        let bytes = format!("{:?}", text.as_bytes());
        let bytes = bytes.trim_matches(['[', ']']);
        written.iter().any(|(name, found)| name.contains(file) && found.contains(bytes))
    };
    assert!(holds("Use pnpm.", "project/web/CLAUDE.md") && !holds("HIDDEN", "CLAUDE.md"));
    assert!(holds("訳す。", "home/.claude/skills/") && holds("keeps the data.", "/memory/"));

    let again = answer(&disk, &TO_CLAUDE, &args(&ALL, &["--write"]), 0);
    assert_eq!(changes(&again), &[] as &[Value]);
    // What came from Codex is not carried to it a second time.
    let back = answer(&disk, &args(&TO_CODEX, &["--only", "skills,memory"]), &ALL, 0);
    assert_eq!(changes(&back), &[] as &[Value]);
    disk.run(&["undo", "--write"]);
    assert_eq!(everything(&disk), before);

    answer(&disk, &TO_CLAUDE, &args(&ALL, &["--write"]), 0);
    for gone in ["home/.codex/AGENTS.md", "project/AGENTS.md", "project/web/AGENTS.override.md"] {
        fs::remove_file(disk.dir.path().join(gone)).unwrap();
    }
    fs::remove_dir_all(disk.dir.path().join("home/.codex/skills")).unwrap();
    answer(&disk, &TO_CODEX, &args(&ALL, &["--write"]), 0);
    let after = everything(&disk);
    for (name, found) in &before {
        // In the folder that had a file for each client, each file has both texts.
        if !["project/AGENTS.md", "project/CLAUDE.md"].contains(&name.as_str()) {
            let now = after.iter().find(|(other, _)| other == name).map(|(_, now)| now);
            assert_eq!(now, Some(found), "{name}");
        }
    }
    assert!(read(&disk, "project/AGENTS.md").starts_with("Run the tests.\n"));
}

#[test]
fn private_text_of_two_projects_stands_side_by_side() {
    let local = ["home/w/one/CLAUDE.local.md", "home/w/two/CLAUDE.local.md"];
    let disk = Disk::with(&[
        (local[0], "Port 3000.\n"),
        (local[1], "Port 4000.\n"),
        ("home/w/one/.git/HEAD", ""),
        ("home/w/two/.git/HEAD", ""),
    ]);
    let folders = [["--cwd", "../home/w/one"], ["--cwd", "../home/w/two"]];
    for place in &folders {
        answer(&disk, &TO_CODEX, &args(&args(&ALL, &["--write"]), place), 0);
    }
    let written = everything(&disk);
    let both = read(&disk, "home/.codex/AGENTS.md");
    assert!(both.contains("Port 3000.") && both.contains("Port 4000."), "{both}");
    for (place, others) in folders.iter().zip([local[1], local[0]]) {
        let again = answer(&disk, &TO_CODEX, &args(&ALL, place), 0);
        assert_eq!(changes(&again), &[] as &[Value]);
        // What another project waits for is neither brought back nor carried.
        fs::remove_file(disk.dir.path().join(others)).unwrap();
        let back = answer(&disk, &TO_CLAUDE, place, 0);
        assert_eq!(changes(&back), &[] as &[Value]);
        let other = folders.iter().find(|other| *other != place).unwrap();
        answer(&disk, &TO_CLAUDE, &args(other, &["--write"]), 0);
        assert_eq!(everything(&disk), written);
    }
}

#[test]
fn memories_of_codex_stay_in_each_project_they_were_carried_to() {
    let disk = Disk::with(&[
        ("home/.codex/memories_v2/memory_summary.md", "v1\n\n## User Profile\n\nMio.\n"),
        ("home/w/one/.git/HEAD", ""),
        ("home/w/two/.git/HEAD", ""),
    ]);
    let one = args(&ALL, &["--cwd", "../home/w/one", "--write"]);
    let two = args(&ALL, &["--cwd", "../home/w/two", "--write"]);
    answer(&disk, &TO_CLAUDE, &one, 0);
    let first = everything(&disk);
    answer(&disk, &TO_CLAUDE, &two, 0);
    let both = everything(&disk);
    for (name, found) in first.iter().filter(|(name, _)| !name.ends_with("port.toml")) {
        let now = both.iter().find(|(other, _)| other == name).map(|(_, now)| now);
        assert_eq!(now, Some(found), "{name}");
    }
    for place in [&one, &two] {
        assert_eq!(changes(&answer(&disk, &TO_CLAUDE, place, 0)), &[] as &[Value]);
        assert_eq!(changes(&answer(&disk, &TO_CODEX, place, 0)), &[] as &[Value]);
    }
}

#[test]
fn a_folder_named_like_the_home_directory_is_one_of_the_project() {
    let files = [("project/~/CLAUDE.md", "Mine.\n"), ("home/CLAUDE.md", "Other.\n")];
    let disk = Disk::with(&files);
    answer(&disk, &TO_CODEX, &args(&ALL, &["--write"]), 0);
    let written = everything(&disk);
    assert!(read(&disk, "project/.memport/port.toml").contains("from = \"./~/CLAUDE.md\""));
    fs::remove_file(disk.dir.path().join(files[0].0)).unwrap();
    answer(&disk, &TO_CLAUDE, &args(&ALL, &["--write"]), 0);
    assert_eq!(everything(&disk), written);
}

#[cfg(unix)]
mod hostile {
    use std::os::unix::fs::{PermissionsExt as _, symlink};

    use super::*;

    /// Paths of the changes, below the test's folder.
    fn written(disk: &Disk, document: &Value) -> Vec<String> {
        let top = fs::canonicalize(disk.dir.path()).unwrap();
        let below = |change: &Value| {
            let path = Path::new(change["path"].as_str().unwrap()).to_owned();
            let below = path.strip_prefix(&top).or_else(|_| path.strip_prefix(disk.dir.path()));
            below.unwrap().to_str().unwrap().to_owned()
        };
        changes(document).iter().map(below).collect()
    }

    fn is_lost(document: &Value, file: &str) -> bool {
        list(document, "losses")
            .iter()
            .any(|loss| loss["how"] == "dropped" && loss["path"].as_str().unwrap().ends_with(file))
    }

    #[test]
    fn a_target_that_is_a_link_is_not_written_through() {
        let disk = project();
        disk.write("outside/AGENTS.md", "somebody's\n");
        symlink("../outside/AGENTS.md", disk.dir.path().join("project/AGENTS.md")).unwrap();
        let done = answer(&disk, &TO_CODEX, &args(&ALL, &["--write"]), 0);
        assert_eq!(read(&disk, "outside/AGENTS.md"), "somebody's\n");
        let is_here =
            |conflict: &&Value| conflict["path"].as_str().unwrap().ends_with("/project/AGENTS.md");
        assert!(list(&done, "conflicts").iter().filter(is_here).count() > 0);
        assert!(is_lost(&done, "/project/CLAUDE.md"));
    }

    #[test]
    fn folders_of_the_target_that_lead_out_are_not_followed() {
        let disk = project();
        fs::create_dir_all(disk.dir.path().join("outside")).unwrap();
        symlink("../outside", disk.dir.path().join("project/.agents")).unwrap();
        let done = answer(&disk, &TO_CODEX, &args(&ALL, &["--write"]), 0);
        assert_eq!(fs::read_dir(disk.dir.path().join("outside")).unwrap().count(), 0);
        assert!(is_lost(&done, "SKILL.md"));
    }

    #[test]
    fn links_of_the_source_that_lead_out_are_not_carried() {
        let disk = project();
        disk.write("outside/secret.md", "SECRET\n");
        disk.write("outside/folder/CLAUDE.md", "SECRET\n");
        let skill = disk.dir.path().join("project/.claude/skills/csv-parser");
        symlink(disk.dir.path().join("outside/secret.md"), skill.join("secret.md")).unwrap();
        symlink("../outside/folder", disk.dir.path().join("project/linked")).unwrap();
        let done = answer(&disk, &TO_CODEX, &args(&ALL, &["--write"]), 0);
        assert!(is_lost(&done, "/secret.md"), "{:#}", done["losses"]);
        assert!(everything(&disk).iter().all(|(name, found)| {
            !found.contains("SECRET") && (!name.contains(".agents") || !name.contains("secret"))
        }));
        assert!(written(&disk, &done).iter().all(|path| !path.starts_with("project/linked")));
    }

    #[test]
    fn names_that_climb_lead_nowhere() {
        let disk = project();
        disk.write(
            "project/.claude/skills/climber/SKILL.md",
            "---\nname: ../../../../climbed\ndescription: d\n---\nText\n",
        );
        disk.write("project/.claude/commands/..x.md", "Do it.\n");
        let done = answer(&disk, &TO_CODEX, &args(&ALL, &["--write"]), 0);
        for path in written(&disk, &done) {
            let inside = path.starts_with("project/") || path.starts_with("home/");
            assert!(inside && !path.contains(".."), "{path}");
        }
        assert!(list(&done, "unaccounted").is_empty());
        let top: Vec<_> = fs::read_dir(disk.dir.path())
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        assert!(top.iter().all(|name| ["home", "project", "state"].contains(&name.as_str())));
    }

    #[test]
    fn a_folder_in_the_place_of_a_target_is_told() {
        let disk = project();
        for folder in ["project/AGENTS.md", "project/AGENTS.override.md"] {
            fs::create_dir(disk.dir.path().join(folder)).unwrap();
        }
        let done = answer(&disk, &TO_CODEX, &["--write"], 1);
        assert!(is_lost(&done, "/project/CLAUDE.md"));
        assert!(disk.dir.path().join("project/AGENTS.md").is_dir());
    }

    #[test]
    fn a_folder_that_may_not_be_written_leaves_everything_as_it_was() {
        let disk = project();
        let folder = disk.dir.path().join("project/packages/web");
        fs::set_permissions(&folder, fs::Permissions::from_mode(0o555)).unwrap();
        let can_write = fs::write(folder.join("probe"), "").is_ok();
        if can_write {
            // Somebody who may do everything is not stopped by permission bits.
            fs::remove_file(folder.join("probe")).unwrap();
            return;
        }
        let before = everything(&disk);
        let (code, error) = disk.failure(&args(&TO_CODEX, &["--write"]));
        assert!(code == 3 && error.contains("/project/packages/web/"), "{error}");
        assert_eq!(everything(&disk), before);
        fs::set_permissions(&folder, fs::Permissions::from_mode(0o755)).unwrap();
    }

    #[test]
    fn a_file_that_is_read_only_is_named_and_stays() {
        let disk = project();
        let file = disk.dir.path().join("project/packages/web/AGENTS.md");
        fs::set_permissions(&file, fs::Permissions::from_mode(0o444)).unwrap();
        let before = everything(&disk);
        let (code, error) = disk.failure(&args(&TO_CODEX, &["--write"]));
        assert!(code == 3 && error.contains("web/AGENTS.md` is read-only"), "{error}");
        assert_eq!(everything(&disk), before);
    }

    #[test]
    fn names_that_differ_only_by_case_do_not_meet() {
        let disk = project();
        for (name, text) in [("Deploy", "one"), ("deploy", "two")] {
            let skill = format!("---\nname: {name}\ndescription: {text}\n---\n{text}\n");
            disk.write(&format!("project/.claude/skills/{name}/SKILL.md"), &skill);
        }
        let done = answer(&disk, &TO_CODEX, &args(&ALL, &["--write"]), 0);
        let folders: std::collections::BTreeSet<_> =
            written(&disk, &done).iter().map(|path| path.to_lowercase()).collect();
        assert_eq!(folders.len(), changes(&done).len());
        let is_told = |loss: &&Value| {
            let path = loss["path"].as_str().unwrap().to_lowercase();
            path.contains("/deploy") && matches!(loss["how"].as_str(), Some("renamed" | "dropped"))
        };
        assert!(list(&done, "losses").iter().any(|loss| is_told(&loss)));
    }

    #[test]
    fn modes_and_links_are_carried_and_taken_back() {
        let disk = project();
        let skill = disk.dir.path().join("project/.claude/skills/csv-parser");
        symlink("scripts/detect.py", skill.join("run")).unwrap();
        let before = everything(&disk);
        answer(&disk, &TO_CODEX, &args(&ALL, &["--write"]), 0);
        let copy = disk.dir.path().join("project/.agents/skills/csv-parser");
        assert_eq!(fs::read_link(copy.join("run")).unwrap(), Path::new("scripts/detect.py"));
        let mode = fs::metadata(copy.join("scripts/detect.py")).unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o755);
        disk.run(&["undo", "--write"]);
        assert_eq!(everything(&disk), before);
    }

    #[test]
    fn the_copy_of_a_private_file_is_private_and_no_copy_runs_as_somebody_else() {
        let disk = project();
        let path = |file: &str| disk.dir.path().join(file);
        let set = |file: &str, mode| {
            fs::set_permissions(path(file), fs::Permissions::from_mode(mode)).unwrap();
        };
        let mode = |file: &str| fs::metadata(path(file)).unwrap().permissions().mode() & 0o7777;
        let script = "skills/csv-parser/scripts/detect.py";
        set("project/CLAUDE.md", 0o600);
        set(&format!("project/.claude/{script}"), 0o4755);
        let before = everything(&disk);
        let done = answer(&disk, &TO_CODEX, &args(&ALL, &["--write"]), 0);
        assert!(!changes(&done).is_empty());
        assert_eq!(mode("project/AGENTS.md"), 0o600);
        assert_eq!(mode(&format!("project/.agents/{script}")), 0o755);
        let again = answer(&disk, &TO_CODEX, &args(&ALL, &["--write"]), 0);
        assert!(changes(&again).is_empty());
        disk.run(&["undo", "--write"]);
        assert_eq!(everything(&disk), before);
    }
}

#[test]
fn a_part_that_stands_twice_with_different_texts_is_a_conflict_both_ways() {
    let disk = project();
    answer(&disk, &TO_CODEX, &args(&ALL, &["--write"]), 0);
    let file = disk.dir.path().join("project/AGENTS.md");
    let text = fs::read_to_string(&file).unwrap();
    let (_, parts) = text.split_once("<!-- memport:begin ").unwrap();
    let other = format!("<!-- memport:begin {}", parts.replace("rm -rf", "rm -f"));
    fs::write(&file, format!("{text}\n{other}")).unwrap();
    let before = fs::read(&file).unwrap();
    for way in [&TO_CODEX, &TO_CLAUDE] {
        let done = answer(&disk, way, &["--write"], 1);
        let why = "stands there more than once, with different texts";
        let is_told = |it: &Value| it["why"].as_str().is_some_and(|told| told.contains(why));
        assert!(list(&done, "conflicts").iter().any(is_told), "{done}");
        assert_eq!(fs::read(&file).unwrap(), before);
    }
}
