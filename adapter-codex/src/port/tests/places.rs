use memory_core::fs::MemFs;
use memory_core::port::{LowerBundle as _, PortPlace};
use memory_core::{Env, World};

use super::{path, place, world};
use crate::codex::Codex;

#[test]
fn codex_keeps_its_own_files_and_no_others() {
    let (fs, env) = (world(&[]), Env::default());
    let keeps =
        |at: &str| Codex::default().keeps(World { fs: &fs, env: &env }, &place(), &path(at));
    for at in [
        "/p/AGENTS.md",
        "/p/a/b/AGENTS.override.md",
        "/p/.agents/skills/x/run.sh",
        "/p/a/.codex/skills/x/SKILL.md",
        "/h/.codex/AGENTS.md",
        "/h/.codex/skills/x/SKILL.md",
        "/h/.agents/skills/x/SKILL.md",
        "/h/.codex/memories_v2/extensions/ad_hoc/notes/x.md",
        "/h/.codex/memories/MEMORY.md",
    ] {
        assert!(keeps(at), "{at}");
    }
    for at in [
        "/p/CLAUDE.md",
        "/p/.git/AGENTS.md",
        "/p/.codex/config.toml",
        "/q/AGENTS.md",
        "/h/.codex/config.toml",
        "/h/.codex/auth.json",
        "/h/.codex/skills/.system/x/SKILL.md",
        "/h/.codex/memories/.git/HEAD",
        "/h/.codex/memories",
        "/h/AGENTS.md",
        "/h/.agents/skills",
    ] {
        assert!(!keeps(at), "{at}");
    }
}

#[test]
fn codex_keeps_what_stands_above_the_project_below_the_home() {
    let mut fs = MemFs::new();
    fs.dir("/home/h/work/app/.git");
    let env = Env::default();
    let place = PortPlace { project: path("/home/h/work/app"), home: path("/home/h") };
    let keeps = |at: &str| Codex::default().keeps(World { fs: &fs, env: &env }, &place, &path(at));
    for at in ["/home/h/work/AGENTS.md", "/home/h/work/.agents/skills/x/SKILL.md"] {
        assert!(keeps(at), "{at}");
    }
    for at in ["/home/AGENTS.md", "/home/h/other/AGENTS.md", "/home/h/work/.agents/skills"] {
        assert!(!keeps(at), "{at}");
    }
}

#[test]
fn a_view_names_texts_skills_and_memories_of_a_session() {
    let mut fs = MemFs::from_files([
        ("/p/.git/HEAD", "ref: x\n"),
        ("/p/AGENTS.md", "Root.\n"),
        ("/p/a/AGENTS.md", "Nested.\n"),
        ("/h/.codex/AGENTS.md", "Mine.\n"),
        ("/h/.codex/config.toml", "[features]\nmemories = true\n"),
        ("/h/.codex/memories_v2/memory_summary.md", "v1\n"),
        ("/real/x/SKILL.md", "---\ndescription: d\n---\n"),
        ("/real/x/agents/openai.yaml", "policy:\n  allow_implicit_invocation: false\n"),
    ]);
    fs.link("/h/.agents/skills", "/real");
    let env = Env::default();
    let view =
        Codex::default().view(World { fs: &fs, env: &env }, &place(), &path("/p/a")).unwrap();
    let texts: Vec<String> =
        view.texts.iter().map(|(path, text)| format!("{path} {}", text.trim())).collect();
    assert_eq!(
        texts,
        [
            "/h/.codex/AGENTS.md Mine.",
            "/p/AGENTS.md Root.",
            "/p/a/AGENTS.md Nested.",
            "/h/.codex/memories_v2/memory_summary.md v1",
        ]
    );
    assert_eq!(view.skills, [path("/real/x/SKILL.md"), path("/h/.agents/skills/x/SKILL.md")]);
    assert!(view.probes.read.contains(&path("/p/AGENTS.md")));
}

#[test]
fn a_project_that_is_not_there_is_an_error() {
    let env = Env::default();
    let place = PortPlace { project: path("/q"), home: path("/h") };
    let world = World { fs: &world(&[]), env: &env };
    assert!(memory_core::port::ReadBundle::read_bundle(&Codex::default(), world, &place).is_err());
}
