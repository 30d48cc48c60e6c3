//! The memories of sub-agents.

use std::collections::BTreeMap;

use memory_core::fs::FileKind;
use memory_core::model::Value;
use memory_core::{AbsPath, Diagnostic};

use super::topic::{INDEX, is_markdown};
use super::{folder, index, read_index, tell};
use crate::context::Context;
use crate::resolution::AgentMemory;
use crate::text::frontmatter;
use crate::text::json;

/// How many bytes of an agent's definition are read.
const READ: u64 = 512 * 1024;

/// How many folders of definitions may lie in each other.
const DEEPEST: usize = 16;

/// Where the memory of an agent is kept; `None` for an agent without one.
type Kept = Option<&'static str>;

/// The memories of the sub-agents that are defined for a start, by name; what is
/// lost of them goes to `told`.
pub(crate) fn memories(context: &Context<'_>, told: &mut Vec<Diagnostic>) -> Vec<AgentMemory> {
    let mut agents: BTreeMap<String, Kept> = BTreeMap::new();
    // The nearer definition of a name stands in front of the others.
    for dir in folders(context) {
        for path in definitions(context, &dir.join("agents")) {
            agents.extend(definition(context, &path));
        }
    }
    agents.extend(given(context));
    let kept = agents.into_iter().filter_map(|(name, kept)| Some((name, kept?)));
    kept.map(|(name, scope)| memory(context, name, scope, told)).collect()
}

/// The folders that hold an `agents` folder, weakest first.
fn folders(context: &Context<'_>) -> Vec<AbsPath> {
    let (layout, sources) = (context.layout, context.settings.sources);
    let mut folders = Vec::new();
    if sources.user {
        folders.push(layout.config.clone());
    }
    if sources.project {
        let top = layout.repository.as_ref().map_or_else(AbsPath::root, |found| found.root.clone());
        let projects = context.added.iter().cloned().chain(layout.cwd.from_top(&top));
        folders.extend(projects.map(|dir| dir.join(".claude")));
    }
    folders
}

fn definitions(context: &Context<'_>, dir: &AbsPath) -> Vec<AbsPath> {
    let mut found = Vec::new();
    let mut folders = vec![(dir.clone(), 0)];
    while let Some((folder, depth)) = folders.pop() {
        let Ok(entries) = context.world.fs.read_dir(&folder) else { continue };
        for entry in entries.flatten() {
            let path = folder.join(&entry.name);
            match entry.kind {
                FileKind::Dir if depth < DEEPEST => folders.push((path, depth + 1)),
                FileKind::File | FileKind::Symlink if is_markdown(&entry.name) => found.push(path),
                _ => {}
            }
        }
    }
    found.sort();
    found
}

/// The agent that a file defines.
fn definition(context: &Context<'_>, path: &AbsPath) -> Option<(String, Kept)> {
    let bytes = context.world.fs.read_up_to(path, READ).ok()?;
    let text = String::from_utf8_lossy(&bytes).replace("\r\n", "\n");
    let fields = frontmatter::parse(&text)?.fields?;
    let text = |key: &str| fields.get(key).and_then(Value::as_text);
    let name = text("name").filter(|name| is_name(name))?.to_owned();
    text("description")?;
    Some((name, kept(text("memory"))))
}

fn is_name(name: &str) -> bool {
    !name.is_empty() && !name.starts_with('-') && !name.contains(':')
}

fn kept(scope: Option<&str>) -> Kept {
    ["user", "project", "local"].into_iter().find(|known| scope == Some(known))
}

/// The agents that the command line defines.
fn given(context: &Context<'_>) -> Vec<(String, Kept)> {
    let text = context.arguments.agents.as_deref().unwrap_or_default();
    let Ok(serde_json::Value::Object(agents)) = json::parse(text.as_bytes()) else {
        return Vec::new();
    };
    let scope = |agent: &serde_json::Value| kept(agent.get("memory").and_then(|it| it.as_str()));
    agents.iter().map(|(name, agent)| (name.clone(), scope(agent))).collect()
}

fn memory(
    context: &Context<'_>,
    agent: String,
    scope: &str,
    told: &mut Vec<Diagnostic>,
) -> AgentMemory {
    let project = context.layout.cwd.join(".claude");
    let remote = folder::remote(context);
    let base = match (scope, remote) {
        ("user", remote) => remote.unwrap_or_else(|| context.layout.config.clone()),
        ("local", Some(remote)) => remote.join("projects").join(folder::project(context)),
        _ => project,
    };
    let dir = base
        .join(if scope == "local" { "agent-memory-local" } else { "agent-memory" })
        .join(folder_name(&agent));
    let path = dir.join(INDEX);
    let text = read_index(context.world.fs, &path).unwrap_or_default();
    let shown = index::agent(context.profile, &text);
    told.extend(tell::agent(context.world.fs, context.profile, &path, &text));
    let scope = scope.to_owned();
    AgentMemory { agent, scope, dir, content: shown.content, cut: shown.cut }
}

/// The folder of an agent: what is no ASCII letter, digit, `_` or `-` becomes `-`.
fn folder_name(agent: &str) -> String {
    let unit = |unit: u16| {
        let kept = u8::try_from(unit).ok();
        let kept = kept.filter(|byte| byte.is_ascii_alphanumeric() || b"_-".contains(byte));
        kept.map_or('-', char::from)
    };
    agent.encode_utf16().map(unit).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_is_named_after_its_agent() {
        for (agent, want) in [("memo", "memo"), ("a b.c", "a-b-c"), ("日本", "--"), ("A_B", "A_B")]
        {
            assert_eq!(folder_name(agent), want);
        }
    }

    #[test]
    fn only_three_words_give_an_agent_a_memory() {
        assert_eq!(kept(Some("local")), Some("local"));
        assert_eq!((kept(Some("Project")), kept(None)), (None, None));
    }
}
