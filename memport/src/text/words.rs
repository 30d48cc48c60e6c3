//! Numbers and names in words.

use crate::AgentExplanation;

/// `1,204`
pub(super) fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::with_capacity(digits.len() + digits.len() / 3);
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// `1 file`, `2 files`
pub(super) fn count(number: u64, noun: &str) -> String {
    let plural = if number == 1 { "" } else { "s" };
    format!("{} {noun}{plural}", grouped(number))
}

/// How many, for counting in words.
pub(super) fn len<T>(items: &[T]) -> u64 {
    items.len() as u64
}

/// The unit of a limit, as people say it.
pub(super) fn unit(name: &str) -> &str {
    if name == "utf16" { "UTF-16 units" } else { name }
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
    fn numbers_are_grouped_by_three_digits() {
        assert_eq!([0, 999, 1000, 1_234_567].map(grouped), ["0", "999", "1,000", "1,234,567"]);
        assert_eq!([count(1, "file"), count(0, "file")], ["1 file", "0 files"]);
    }
}
