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
