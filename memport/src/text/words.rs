//! Numbers and names in words.

use memory_core::counted;

use crate::AgentExplanation;

/// How many, for counting in words.
pub(super) fn len<T>(items: &[T]) -> u64 {
    items.len() as u64
}

/// So many of the unit of a limit, as people say it: `1 byte`, `2 UTF-16 units`.
pub(super) fn of_unit(number: u64, unit: &str) -> String {
    let noun = if unit == "utf16" { "UTF-16 unit" } else { unit.trim_end_matches('s') };
    counted(number, noun)
}

/// `Codex 0.171.0`
pub(super) fn client_name(agent: &AgentExplanation) -> String {
    let version = agent.profile.rsplit('@').next().unwrap_or_default();
    format!("{} {version}", short_name(agent))
}

/// `Codex`
pub(super) fn short_name(agent: &AgentExplanation) -> &'static str {
    agent_name(agent.agent)
}

/// The name of a client, as people say it.
pub(super) fn agent_name(agent: &'static str) -> &'static str {
    match agent {
        "codex" => "Codex",
        "claude-code" => "Claude Code",
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_of_a_unit_is_said_in_the_singular() {
        let said = [(1, "bytes"), (1, "utf16"), (2, "utf16"), (10_000, "tokens")];
        assert_eq!(
            said.map(|(number, unit)| of_unit(number, unit)),
            ["1 byte", "1 UTF-16 unit", "2 UTF-16 units", "10,000 tokens"]
        );
    }
}
