//! The memories of sub-agents.

use memory_core::Diagnostic;

use super::topic::INDEX;
use super::{folder, index, read_index, tell};
use crate::agents::Definition;
use crate::context::Context;
use crate::resolution::AgentMemory;

/// The memories of sub-agents, in their order; what is lost of them goes to `told`.
pub(crate) fn memories<'d>(
    context: &Context<'_>,
    agents: impl Iterator<Item = &'d Definition>,
    told: &mut Vec<Diagnostic>,
) -> Vec<AgentMemory> {
    let kept = agents.filter_map(|agent| Some((agent.name.clone(), agent.memory?)));
    kept.map(|(name, scope)| memory(context, name, scope, told)).collect()
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
}
