//! A random project of Claude Code.

mod imports;
mod memory;
mod rules;

use adapter_claude::{Claude, Query};
use memory_core::{AbsPath, Env, Error, World};

use super::draft::Draft;
use super::skills::skills;
use imports::imports;

/// Keys of a skill's frontmatter that only Claude Code knows.
const KEYS: [&str; 7] = [
    "when_to_use: WORD when it fits\n",
    "allowed-tools: Read, Bash(git *)\n",
    "disable-model-invocation: true\n",
    "user-invocable: false\n",
    "argument-hint: \"[file]\"\n",
    "model: haiku\n",
    "paths: [\"src/**\", \"*.csv\"]\n",
];

/// Everything that Claude Code reads, below the home, the project and around it.
pub(super) fn project(draft: &mut Draft) -> Result<(), Error> {
    let (home, project) = (draft.home.clone(), draft.project.clone());
    settings(draft);
    places(draft);
    let user = home.join(".claude");
    if draft.chance.percent(70) {
        instructions(draft, &user, "CLAUDE.md", true);
    }
    around(draft, &user, true);
    for folder in [project.clone(), draft.nested(), draft.nested(), draft.nested()] {
        if folder == project || draft.chance.percent(60) {
            instruction_files(draft, &folder);
            around(draft, &folder.join(".claude"), false);
        }
    }
    above(draft, &project);
    elsewhere(draft, &project);
    if draft.base == AbsPath::root() && draft.chance.one_in(5) {
        managed(draft);
    }
    let fs = draft.tree().in_memory();
    let env = Env::with_home(home);
    let query = Query::new(project);
    let folder = Claude::default().memory_folder(World { fs: &fs, env: &env }, &query)?;
    if draft.chance.percent(75) {
        memory::memory(draft, &folder);
    }
    Ok(())
}

/// Files that are worked on.
fn places(draft: &mut Draft) {
    let project = draft.project.clone();
    for name in ["src/a.ts", "src/deep/er/b.ts", "packages/web/x.tsx", "data/d.csv", "lib/l.py"] {
        draft.bytes(&project.join(name), "work\n");
    }
}

fn settings(draft: &mut Draft) {
    let (home, project) = (draft.home.clone(), draft.project.clone());
    if draft.chance.one_in(6) {
        let excluded = draft.chance.pick(&[
            "**/packages/web/CLAUDE.md",
            "**/CLAUDE.local.md",
            "**/.claude/rules/*.md",
            "**/src/**",
        ]);
        let settings = format!("{{ \"claudeMdExcludes\": [\"{excluded}\"] }}\n");
        let owner = if draft.chance.one_in(2) { &project } else { &home };
        draft.bytes(&owner.join(".claude/settings.json"), settings);
    }
    if draft.chance.one_in(10) {
        draft.bytes(
            &home.join(".claude/settings.json"),
            "{ \"autoMemoryDirectory\": \"~/notes/memory\" }\n",
        );
    }
    if draft.chance.one_in(4) {
        let approved = serde_json::json!({ "projects": { project.as_str(): {
            "hasClaudeMdExternalIncludesApproved": true } } });
        draft.bytes(&home.join(".claude.json"), approved.to_string());
    }
}

/// The instruction files that a folder may hold.
fn instruction_files(draft: &mut Draft, folder: &AbsPath) {
    // Without a CLAUDE.md in the chain, the client falls back to AGENTS.md.
    let only_agents = draft.chance.one_in(6);
    for (name, percent, is_private) in [
        ("CLAUDE.md", 75, false),
        (".claude/CLAUDE.md", 20, false),
        ("CLAUDE.local.md", 25, true),
        ("AGENTS.md", 20, false),
    ] {
        let is_agents = name == "AGENTS.md";
        if (only_agents && is_agents) || (!only_agents && draft.chance.percent(percent)) {
            instructions(draft, folder, name, is_private);
        }
    }
}

fn instructions(draft: &mut Draft, folder: &AbsPath, name: &'static str, is_private: bool) {
    let path = folder.join(name);
    let beside = path.parent().unwrap_or_else(AbsPath::root);
    let front = draft.front(is_private);
    let body = draft.body(name, is_private);
    let imported = imports(draft, &beside, is_private, 1);
    let more = if draft.chance.one_in(2) { draft.body(name, is_private) } else { String::new() };
    let text = format!("{front}{body}{imported}{more}");
    match draft.chance.below(14) {
        0 => {
            let real = draft.base.join("srv/shared/linked").join(name.replace('/', "-"));
            if draft.text(&real, &text) {
                draft.link(&path, real.as_str());
            }
        }
        1 => {
            draft.bytes(&path, "");
        }
        _ => {
            draft.text(&path, &text);
        }
    }
}

/// What stands in a `.claude` folder beside the instructions.
fn around(draft: &mut Draft, folder: &AbsPath, is_private: bool) {
    if draft.chance.percent(60) {
        rules::rules(draft, &folder.join("rules"), is_private);
    }
    if draft.chance.percent(50) {
        skills(draft, &folder.join("skills"), is_private, &KEYS);
    }
    if draft.chance.percent(35) {
        commands(draft, &folder.join("commands"), is_private);
    }
    if draft.chance.one_in(4) {
        agents(draft, folder, is_private);
    }
}

fn commands(draft: &mut Draft, folder: &AbsPath, is_private: bool) {
    for _ in 0..=draft.chance.below(2) {
        let name =
            draft.chance.pick(&["fix.md", "git/commit.md", "資料/要約.md", "review.md", "a b.md"]);
        let front = match draft.chance.below(4) {
            0 => String::new(),
            1 => "---\nallowed-tools: Bash(git *)\n---\n".to_owned(),
            _ => {
                let word =
                    if is_private { draft.private("command") } else { draft.word("command") };
                format!("---\ndescription: {word} helps\nargument-hint: \"[n]\"\n---\n")
            }
        };
        let body = draft.body("command", is_private);
        draft.text(&folder.join(name), &format!("{front}{body}Look at $ARGUMENTS and $1.\n"));
    }
}

/// A sub-agent, sometimes with a memory of its own.
fn agents(draft: &mut Draft, folder: &AbsPath, is_private: bool) {
    let body = draft.body("sub-agent", is_private);
    let scope = if is_private { "user" } else { "project" };
    let memory = draft.chance.one_in(2);
    let key = if memory { format!("memory: {scope}\n") } else { String::new() };
    let text = format!("---\nname: tester\ndescription: Runs the tests.\n{key}---\n{body}");
    draft.bytes(&folder.join("agents/tester.md"), text);
    if memory {
        let text = draft.body("sub-agent's memory", is_private);
        draft.text(&folder.join("agent-memory/tester/MEMORY.md"), &text);
        let text = draft.body("sub-agent's memory", is_private);
        draft.text(&folder.join("agent-memory/tester/flaky.md"), &text);
    }
}

/// Folders above the project, whose files count too but are not checked in with it.
fn above(draft: &mut Draft, project: &AbsPath) {
    for folder in project.ancestors().skip(1).take(2) {
        if folder == draft.home || folder == AbsPath::root() || !draft.chance.one_in(4) {
            continue;
        }
        instructions(draft, &folder, "CLAUDE.md", true);
        if draft.chance.one_in(2) {
            rules::rules(draft, &folder.join(".claude/rules"), true);
        }
    }
}

/// What belongs to other packages and repositories.
fn elsewhere(draft: &mut Draft, project: &AbsPath) {
    if draft.chance.one_in(6) {
        instructions(draft, &project.join("node_modules/dep"), "CLAUDE.md", false);
    }
    if draft.chance.one_in(6) {
        draft.bytes(&project.join("vendor/inner/.git/HEAD"), "ref: refs/heads/main\n");
        instructions(draft, &project.join("vendor/inner"), "CLAUDE.md", false);
    }
}

fn managed(draft: &mut Draft) {
    let folder = draft.base.join("etc/claude-code");
    let text = draft.body("managed CLAUDE.md", true);
    draft.text(&folder.join("CLAUDE.md"), &text);
    if draft.chance.one_in(2) {
        let word = draft.private("managed setting");
        let setting = serde_json::json!({ "claudeMd": format!("{word} holds for everybody.\n") });
        draft.bytes(&folder.join("managed-settings.json"), setting.to_string());
    }
    if draft.chance.one_in(2) {
        rules::rules(draft, &folder.join(".claude/rules"), true);
    }
}
