use super::*;

#[test]
fn only_the_client_s_own_files_come_back() {
    let fs = world::<&str>(&[]);
    let keeps =
        |text: &str| Claude::default().keeps(World { fs: &fs, env: &env() }, &place(), &path(text));
    for own in [
        "/w/CLAUDE.md",
        "/w/a/b/CLAUDE.local.md",
        "/w/.claude/CLAUDE.md",
        "/w/a/.claude/rules/x/y.md",
        "/w/.claude/skills/s/scripts/run.sh",
        "/w/.claude/commands/sub/c.md",
        "/w/.claude/agent-memory/review/MEMORY.md",
        "/w/docs/style.md",
        "/w/docs/notes.txt",
        "/h/.claude/CLAUDE.md",
        "/h/.claude/skills/s/SKILL.md",
        "/h/.claude/projects/-w/memory/a.md",
        "/h/.claude/projects/-w/memory/sub/MEMORY.md",
    ] {
        assert!(keeps(own), "{own}");
    }
    for other in [
        "/w/.git/CLAUDE.md",
        "/w/.git/hooks/x.md",
        "/w/.claude/settings.json",
        "/w/.claude/settings.local.json",
        "/w/.claude/rules/x.sh",
        "/w/.claude/agents/x.md",
        "/w/.claude/skills/SKILL.md",
        "/w/.github/x.md",
        "/w/src/main.rs",
        "/other/CLAUDE.md",
        "/h/CLAUDE.md",
        "/h/.bashrc",
        "/h/.claude/settings.json",
        "/h/.claude/projects/-other/memory/a.md",
        "/h/.claude/projects/-w/session.jsonl",
    ] {
        assert!(!keeps(other), "{other}");
    }
}

#[test]
fn what_stands_above_the_project_comes_back_below_the_home() {
    let mut fs = MemFs::new();
    fs.dir("/home/h/work/app/.git");
    let env = env();
    let keeps = |text: &str| {
        let place = PortPlace { project: path("/home/h/work/app"), home: path("/home/h") };
        Claude::default().keeps(World { fs: &fs, env: &env }, &place, &path(text))
    };
    for own in ["/home/h/work/CLAUDE.md", "/home/h/work/.claude/rules/a.md", "/home/h/CLAUDE.md"] {
        assert!(keeps(own), "{own}");
    }
    for other in [
        "/home/CLAUDE.md",
        "/CLAUDE.md",
        "/home/h/other/CLAUDE.md",
        "/home/h/work/docs/style.md",
        "/home/h/work/.git/CLAUDE.md",
        "/home/h/work/.claude/settings.json",
    ] {
        assert!(!keeps(other), "{other}");
    }
}
