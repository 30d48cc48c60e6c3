use std::fmt::Write as _;

use memory_core::Scope;
use memory_core::fs::Content;
use memory_core::model::{Invocation, MemoryKind};

use super::{codes, losses, path, read, world};

fn texts(bundle: &memory_core::model::Bundle) -> Vec<String> {
    let told = bundle.instructions.iter().map(|found| {
        let folder = found.reach.folder.as_ref().map(ToString::to_string);
        format!(
            "{} {} {} {}",
            found.reach.scope.as_str(),
            folder.as_deref().unwrap_or("*"),
            found.file.path,
            found.text.trim()
        )
    });
    told.collect()
}

#[test]
fn each_folder_gives_the_file_that_the_client_chooses_there() {
    let mut fs = world(&[
        ("/h/.codex/AGENTS.override.md", " \n"),
        ("/h/.codex/AGENTS.md", "\nMine.\n\n"),
        ("/h/.codex/config.toml", "project_doc_fallback_filenames = [\"GUIDE.md\"]"),
        ("/p/AGENTS.md", "hidden"),
        ("/p/AGENTS.override.md", "Root.\r\n"),
        ("/p/a/GUIDE.md", "Guide."),
        ("/p/a/b/AGENTS.md", "Deep."),
        ("/p/c/AGENTS.md", "  \n"),
        ("/p/.x/skills/s/SKILL.md", "---\ndescription: d\n---\n"),
        ("/p/.x/skills/s/AGENTS.md", "About the skill."),
        ("/p/d/README.md", "no"),
        ("/elsewhere/AGENTS.md", "Elsewhere."),
    ]);
    fs.link("/p/e", "/elsewhere").link("/p/f/AGENTS.md", "/p/AGENTS.md");
    let read = read(&fs);
    assert_eq!(
        texts(&read.value),
        [
            "user * /h/.codex/AGENTS.md Mine.",
            "project /p /p/AGENTS.override.md Root.",
            "project /p/a /p/a/GUIDE.md Guide.",
            "project /p/a/b /p/a/b/AGENTS.md Deep.",
            "project /p/f /p/f/AGENTS.md hidden",
        ]
    );
    assert_eq!(read.value.instructions[1].text, "Root.\r\n");
    assert_eq!(read.value.left_out, []);
}

#[test]
fn what_belongs_to_another_project_is_left_out_and_named() {
    let read = read(&world(&[
        ("/p/sub/.git", "gitdir: x\n"),
        ("/p/sub/a/AGENTS.md", "Other."),
        ("/p/sub/.agents/skills/s/SKILL.md", "---\ndescription: d\n---\n"),
        ("/p/node_modules/x/AGENTS.md", "Package."),
    ]));
    assert_eq!(texts(&read.value), [""; 0]);
    assert_eq!(
        losses(&read.value.left_out),
        [
            "dropped /p/node_modules/x/AGENTS.md",
            "dropped /p/sub/a/AGENTS.md",
            "dropped /p/sub/.agents/skills/s/SKILL.md",
        ]
    );
}

#[test]
fn the_budget_cuts_nothing_of_what_is_carried() {
    let long = "line\n".repeat(10);
    let read = read(&world(&[
        ("/h/.codex/config.toml", "project_doc_max_bytes = 20"),
        ("/p/AGENTS.md", "0123456789\n"),
        ("/p/a/AGENTS.md", &long),
    ]));
    assert_eq!(read.value.instructions[1].text, long);
    let told: Vec<_> = read.diagnostics.iter().map(|told| (told.code.0, told.line)).collect();
    assert_eq!(told, [("codex/carried-beyond-budget", Some(2))]);
}

#[test]
fn an_untrusted_project_gives_no_instructions() {
    let read = read(&world(&[
        ("/h/.codex/config.toml", "[projects.\"/p\"]\ntrust_level = \"untrusted\"\n"),
        ("/h/.codex/AGENTS.md", "Mine."),
        ("/p/AGENTS.md", "Root."),
        ("/p/.agents/skills/s/SKILL.md", "---\ndescription: d\n---\n"),
    ]));
    assert_eq!(texts(&read.value), ["user * /h/.codex/AGENTS.md Mine."]);
    assert_eq!(codes(&read.diagnostics), ["codex/untrusted"]);
    // The client lists the skills all the same.
    assert_eq!(read.value.skills.len(), 1);
}

#[test]
fn one_unreadable_file_takes_the_chain_with_it() {
    let mut fs = world(&[("/h/.codex/AGENTS.md", "Mine."), ("/p/a/AGENTS.md", "Nested.")]);
    fs.link("/p/AGENTS.md", "AGENTS.md");
    let read = read(&fs);
    assert_eq!(texts(&read.value), ["user * /h/.codex/AGENTS.md Mine."]);
    assert_eq!(codes(&read.diagnostics), ["codex/chain-not-carried"]);
}

#[test]
fn a_client_that_does_not_start_gives_nothing() {
    let read = read(&world(&[("/h/.codex/config.toml", "x = = 1"), ("/p/AGENTS.md", "Root.")]));
    assert_eq!(read.value, memory_core::model::Bundle::default());
    assert_eq!(codes(&read.diagnostics), ["codex/does-not-start"]);
}

#[test]
fn skills_come_whole_with_links_modes_and_what_hides_them() {
    let long = "word ".repeat(300);
    let mut fs = world(&[
        ("/p/.agents/skills/one/SKILL.md", "---\nname: First\ndescription: D: d\n---\nBody"),
        ("/p/.agents/skills/one/bin/run.sh", "#!/bin/sh\n"),
        ("/p/.agents/skills/one/.git/HEAD", "x"),
        ("/p/.agents/skills/one/inner/SKILL.md", "---\ndescription: inner\n---\n"),
        ("/p/a/.codex/skills/nested/SKILL.md", "---\ndescription: n\n---\n"),
        ("/h/.codex/skills/mine/SKILL.md", &format!("---\ndescription: {long}\n---\n")),
        ("/h/.codex/skills/.system/own/SKILL.md", "---\ndescription: own\n---\n"),
        ("/h/.agents/skills/off/SKILL.md", "---\ndescription: off\n---\n"),
        ("/h/.agents/skills/shy/SKILL.md", "---\ndescription: shy\n---\n"),
        ("/h/.agents/skills/shy/agents/openai.yaml", "policy: {allow_implicit_invocation: false}"),
        ("/etc/codex/skills/admin/SKILL.md", "---\ndescription: admin\n---\n"),
        ("/h/.codex/config.toml", "[[skills.config]]\nname = \"off\"\nenabled = false\n"),
        ("/secret", "s"),
    ]);
    fs.mode("/p/.agents/skills/one/bin/run.sh", 0o755)
        .link("/p/.agents/skills/one/in.md", "bin/run.sh")
        .link("/p/.agents/skills/one/out.md", "/secret");
    let read = read(&fs);
    let skills: Vec<String> = read
        .value
        .skills
        .iter()
        .map(|skill| {
            let folder = skill.reach.folder.as_ref().map(ToString::to_string);
            let files: Vec<&str> = skill.files.iter().map(|file| file.path.as_str()).collect();
            format!(
                "{} {} {} {}",
                skill.name,
                skill.reach.scope.as_str(),
                folder.as_deref().unwrap_or("*"),
                files.join(" ")
            )
        })
        .collect();
    assert_eq!(
        skills,
        [
            "admin managed * SKILL.md",
            "First project /p SKILL.md bin/run.sh in.md",
            "inner project /p SKILL.md",
            "nested project /p/a SKILL.md",
            "mine user * SKILL.md",
            "shy user * SKILL.md agents/openai.yaml",
        ]
    );
    let [_, first, .., mine, shy] = &read.value.skills[..] else { panic!("{skills:?}") };
    assert_eq!(first.description, "D: d");
    assert_eq!(mine.description, long.trim());
    assert_eq!(shy.invocation, Invocation::UserOnly);
    assert!(matches!(first.files[1].content, Content::File { mode: Some(0o755), .. }));
    assert_eq!(first.files[2].content, Content::Symlink { target: "bin/run.sh".to_owned() });
    assert_eq!(losses(&read.value.left_out), ["dropped /p/.agents/skills/one/out.md"]);
    assert_eq!(codes(&read.diagnostics), ["codex/skill-not-carried"]);
}

const ROLLOUT: &str = "thread_id: t1\nupdated_at: 2026-11-02T09:40:00+00:00\nrollout_path: /r\ncwd: /p\n\n# Read CSV\nText.\n";

#[test]
fn the_tree_in_force_is_carried_newest_first() {
    let fs = world(&[
        ("/h/.codex/config.toml", "[features]\nmemories = true\n"),
        (
            "/h/.codex/memories/memory_summary.md",
            "v1\n\nLoose.\n## User Profile\nMio.\n## User preferences\n- be short\n## General Tips\n- tip\n## What's in Memory\n### /p\n#### 2026-11-09\n- CSV: csv\n  - desc: d\n### Older Memory Topics\n#### site\n- links: href\n",
        ),
        (
            "/h/.codex/memories/MEMORY.md",
            "Preface.\n\n# Task Group: CSV\nscope: files\napplies_to: cwd=/q; reuse_rule=x\n## Task 1: read, success\n### keywords\n- csv\n",
        ),
        (
            "/h/.codex/memories/raw_memories.md",
            "# Raw Memories\n\nMerged:\n\n## Thread `t1`\ncwd: /p\nrollout_summary_file: a.md\n\nKnown.\n\n## Thread `t2`\ncwd: /p\nrollout_summary_file: gone.md\n\nOnly here.\n\n",
        ),
        ("/h/.codex/memories/rollout_summaries/a.md", ROLLOUT),
        ("/h/.codex/memories/extensions/ad_hoc/instructions.md", "The client's own."),
        ("/h/.codex/memories/extensions/ad_hoc/notes/2026-11-22T07-05-09-x.md", "Note."),
        ("/h/.codex/memories/extensions/screen/instructions.md", "How to use it."),
        ("/h/.codex/memories/.git/HEAD", "x"),
        ("/h/.codex/memories/stray.txt", "x"),
        ("/h/.codex/memories/skills/s/SKILL.md", "---\nname: s\ndescription: d\n---\n"),
        ("/h/.codex/memories/skills/s/x.txt", "x"),
        ("/h/.codex/memories_v2/memory_summary.md", "v1\n"),
    ]);
    let read = read(&fs);
    let [store] = &read.value.stores[..] else { panic!("{:?}", read.value.stores) };
    let memories: Vec<String> = store
        .memories
        .iter()
        .map(|memory| {
            let kind = match &memory.kind {
                MemoryKind::Other(kind) => kind.clone(),
                kind => format!("{kind:?}"),
            };
            format!("{kind} {} | {}", memory.name, memory.body.trim().replace('\n', "|"))
        })
        .collect();
    assert_eq!(
        memories,
        [
            "note extensions/ad_hoc/notes/2026-11-22T07-05-09-x | Note.",
            "Summary What's in Memory: /p | #### 2026-11-09|- CSV: csv|  - desc: d",
            "Episode a | # Read CSV|Text.",
            "Summary memory_summary | Loose.",
            "User User Profile | Mio.",
            "Feedback User preferences | - be short",
            "Reference General Tips | - tip",
            "Summary What's in Memory: site | - links: href",
            "Project CSV | # Task Group: CSV|scope: files|applies_to: cwd=/q; reuse_rule=x|## Task 1: read, success|### keywords|- csv",
            "raw-memory raw-t2 | Only here.",
            "Reference extensions/screen/instructions | How to use it.",
            "Project MEMORY | Preface.",
        ]
    );
    assert_eq!(
        store.memories[1].extra.get("cwd").and_then(memory_core::model::Value::as_text),
        Some("/p")
    );
    assert_eq!(
        store.memories[8].extra.get("cwd").and_then(memory_core::model::Value::as_text),
        Some("/q")
    );
    assert!(store.shown_at_start.as_deref().unwrap().starts_with("v1\n"));
    let files: Vec<&str> = store.files.iter().map(|file| file.path.as_str()).collect();
    assert_eq!(
        files,
        [
            "memory_summary.md",
            "MEMORY.md",
            "rollout_summaries/a.md",
            "extensions/ad_hoc/notes/2026-11-22T07-05-09-x.md",
            "extensions/screen/instructions.md",
        ]
    );
    let [skill] = &read.value.skills[..] else { panic!("{:?}", read.value.skills) };
    assert_eq!((skill.name.as_str(), skill.reach.scope, skill.files.len()), ("s", Scope::User, 2));
    let told = codes(&read.diagnostics);
    assert!(told.contains(&"codex/memory-not-in-force"), "{told:?}");
    assert!(told.contains(&"codex/memory-skill"), "{told:?}");
    assert!(told.contains(&"codex/memory-file-unused"), "{told:?}");
}

#[test]
fn a_summary_without_known_sections_is_one_memory() {
    let read = read(&world(&[("/h/.codex/memories_v2/memory_summary.md", "# Mine\nHello.\n")]));
    let memories = &read.value.stores[0].memories;
    assert_eq!((memories.len(), memories[0].body.as_str()), (1, "# Mine\nHello.\n"));
    assert!(codes(&read.diagnostics).contains(&"codex/memory-disabled"));
}

#[test]
fn imported_memory_goes_back_to_its_own_project_only() {
    let import = "/h/.codex/memories_v2/extensions/external_agent_import";
    let at = |name: &str| format!("{import}/{name}");
    let fs = world(&[
        (&at("instructions.md"), "fixed"),
        (&at("resources/-p/scope.json"), "{\"cwd\":\"/p\"}"),
        (&at("resources/-p/MEMORY.md"), "- index\n"),
        (&at("resources/-p/deep/a.md"), "A\r\n"),
        (&at("resources/-q/scope.json"), "{\"cwd\":\"/q\"}"),
        (&at("resources/-q/MEMORY.md"), "- other\n"),
    ]);
    let read = read(&fs);
    let [store] = &read.value.stores[..] else { panic!("{:?}", read.value.stores) };
    assert_eq!(store.layout.0, "claude-code");
    assert_eq!(store.root, path(&at("resources/-p")));
    assert_eq!(store.reach.folder, Some(path("/p")));
    let files: Vec<&str> = store.files.iter().map(|file| file.path.as_str()).collect();
    assert_eq!(files, ["MEMORY.md", "deep/a.md"]);
    assert_eq!(store.files[1].content.bytes(), Some(&b"A\r\n"[..]));
    assert_eq!(losses(&read.value.left_out), [format!("dropped {}", at("resources/-q/MEMORY.md"))]);
    assert!(read.value.left_out[0].message.contains("belongs to `/q`; run the port there"));
}

#[test]
fn a_wide_project_is_read_with_one_look_at_each_folder() {
    let mut fs = world(&[("/p/AGENTS.md", "Root.")]);
    for number in 0..300 {
        let mut name = String::new();
        write!(name, "/p/d{number}/e/f.rs").unwrap();
        fs.file(&name, "");
    }
    let seen = memory_core::fs::Recorder::new(&fs);
    let env = memory_core::Env::default();
    let world = memory_core::World { fs: &seen, env: &env };
    let codex = crate::Codex::default();
    memory_core::port::ReadBundle::read_bundle(&codex, world, &super::place()).unwrap();
    assert!(seen.calls() < 800, "{}", seen.calls());
}

#[test]
fn what_a_link_brings_from_elsewhere_is_private() {
    let mut fs = world(&[
        ("/h/notes.md", "mine"),
        ("/h/s/SKILL.md", "---\nname: s\ndescription: d\n---\n"),
        ("/p/sub/AGENTS.md", "ours"),
    ]);
    fs.link("/p/AGENTS.md", "/h/notes.md").link("/p/.agents/skills/s", "/h/s");
    let bundle = read(&fs).value;
    let scopes: Vec<_> = bundle.instructions.iter().map(|piece| piece.reach.scope).collect();
    assert_eq!(scopes, [Scope::Local, Scope::Project]);
    assert_eq!(bundle.skills.first().unwrap().reach.scope, Scope::Local);
}
