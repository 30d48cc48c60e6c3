//! A random project of Codex.

mod memory;

use memory_core::AbsPath;

use super::draft::Draft;
use super::skills::skills;

/// What the configuration of a project says that decides what is read.
struct Switches {
    /// A name that stands in for AGENTS.md.
    fallback: Option<&'static str>,
}

/// Everything that Codex reads, below the home, the project and around it.
pub(super) fn project(draft: &mut Draft) {
    let (home, project) = (draft.home.clone(), draft.project.clone());
    let user = home.join(".codex");
    let version = draft.chance.pick(&["", "", "v1", "v2"]);
    let switches = configuration(draft, &user, &project, version);
    global(draft, &user);
    for folder in [project.clone(), draft.nested(), draft.nested(), draft.nested()] {
        if folder == project || draft.chance.percent(60) {
            instruction_files(draft, &folder, &switches);
        }
    }
    elsewhere(draft, &project);
    for (root, percent, is_private) in [
        (user.join("skills"), 40, true),
        (home.join(".agents/skills"), 40, true),
        (project.join(".agents/skills"), 50, false),
        (project.join(".codex/skills"), 25, false),
        (draft.nested().join(".agents/skills"), 30, false),
    ] {
        if draft.chance.percent(percent) {
            some_skills(draft, &root, is_private);
        }
    }
    if draft.base == AbsPath::root() && draft.chance.one_in(6) {
        some_skills(draft, &draft.base.join("etc/codex/skills"), true);
    }
    if draft.chance.percent(45) {
        memory::v1(draft, &user.join("memories"));
    }
    if draft.chance.percent(45) {
        memory::v2(draft, &user.join("memories_v2"));
    }
}

fn configuration(draft: &mut Draft, user: &AbsPath, project: &AbsPath, version: &str) -> Switches {
    let fallback = match draft.chance.below(5) {
        0 => Some("TEAM_GUIDE.md"),
        1 => Some("CLAUDE.md"),
        _ => None,
    };
    let mut text = String::from("# kept by hand\n");
    if let Some(name) = fallback {
        text.extend([format!("project_doc_fallback_filenames = [\"{name}\"]\n")]);
    }
    if draft.chance.one_in(8) {
        text.push_str("project_doc_max_bytes = 600 # small\n");
    }
    text.push_str("\n[features]\nmemories = true\n");
    if !version.is_empty() {
        text.extend([format!("\n[memories]\nversion = \"{version}\"\n")]);
    }
    let trust = draft.chance.pick(&["trusted", "trusted", "trusted", "untrusted", ""]);
    if !trust.is_empty() {
        text.extend([format!("\n[projects.\"{project}\"]\ntrust_level = \"{trust}\"\n")]);
    }
    draft.bytes(&user.join("config.toml"), text);
    Switches { fallback }
}

fn global(draft: &mut Draft, user: &AbsPath) {
    if draft.chance.one_in(5) {
        let blank = draft.chance.one_in(2);
        let text = if blank { "  \n".to_owned() } else { draft.body("global override", true) };
        draft.text(&user.join("AGENTS.override.md"), &text);
    }
    if draft.chance.percent(70) {
        let text = draft.body("global AGENTS.md", true);
        draft.text(&user.join("AGENTS.md"), &text);
    }
}

fn instruction_files(draft: &mut Draft, folder: &AbsPath, switches: &Switches) {
    if draft.chance.one_in(8) {
        let blank = draft.chance.one_in(2);
        let text = if blank { "\n".to_owned() } else { draft.body("AGENTS.override.md", false) };
        draft.text(&folder.join("AGENTS.override.md"), &text);
    }
    if draft.chance.percent(75) {
        let path = folder.join("AGENTS.md");
        let front = draft.front(false);
        let body = draft.body("AGENTS.md", false);
        let long = if draft.chance.one_in(20) {
            "A long line of text.\n".repeat(1800)
        } else {
            String::new()
        };
        let last = draft.body("AGENTS.md", false);
        let text = format!("{front}{body}{long}See @docs/style.md too.\n\n{last}");
        if draft.chance.one_in(12) {
            let real = draft.base.join("srv/shared/linked-agents.md");
            if draft.text(&real, &text) {
                draft.link(&path, real.as_str());
            }
        } else {
            draft.text(&path, &text);
        }
    }
    if let Some(name) = switches.fallback
        && draft.chance.percent(50)
    {
        let text = draft.body("fallback file", false);
        draft.text(&folder.join(name), &text);
    }
    if draft.chance.one_in(3) {
        // For Claude Code the import above leads here.
        draft.text(&folder.join("docs/style.md"), "# Style\n\nTabs.\n");
    }
}

fn elsewhere(draft: &mut Draft, project: &AbsPath) {
    if draft.chance.one_in(6) {
        let text = draft.body("AGENTS.md of a dependency", false);
        draft.text(&project.join("node_modules/dep/AGENTS.md"), &text);
    }
    if draft.chance.one_in(6) {
        draft.bytes(&project.join("vendor/inner/.git/HEAD"), "ref: refs/heads/main\n");
        let text = draft.body("AGENTS.md of another repository", false);
        draft.text(&project.join("vendor/inner/AGENTS.md"), &text);
    }
}

fn some_skills(draft: &mut Draft, root: &AbsPath, is_private: bool) {
    skills(draft, root, is_private, &["metadata:\n  short-description: short\n"]);
    for name in ["review", "deploy", "x"] {
        if draft.chance.one_in(3) {
            let allowed = draft.chance.one_in(2);
            let text = format!(
                "policy:\n  allow_implicit_invocation: {allowed}\ninterface:\n  display_name: \"X\"\n"
            );
            draft.bytes(&root.join(name).join("agents/openai.yaml"), text);
        }
    }
    if draft.chance.one_in(6) {
        skills(draft, &root.join("review/inner"), is_private, &[]);
    }
}
