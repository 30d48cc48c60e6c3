//! The answer as text for people.

mod agents;
mod check;
mod compare;
mod cost;
mod diagnostics;
mod diff;
mod html;
mod instructions;
mod layout;
mod list;
mod memory;
mod page;
mod paths;
mod plan;
mod port;
mod quirks;
mod recall;
mod remembered;
mod skills;
mod steps;
mod visible;

pub(crate) use check::{check, github, sarif};
pub(crate) use cost::cost;
pub(crate) use diff::{diff, diff_markdown};
pub(crate) use html::html;
pub(crate) use list::list;
pub(crate) use plan::{candidate, hook, memory_change, relocate, undo};
pub(crate) use port::port;
pub(crate) use quirks::quirks;
pub(crate) use recall::{candidates, conversation, forgotten, imported, ingested, recall, stats};
pub(crate) use remembered::{history, lookup, show};
pub(crate) use visible::{is_unsafe, visible};

use layout::palette;
use memory_core::counted;
use memport_documents::{AgentExplanation, Explanation, Unit};
use page::Page;

/// Shows an answer to people, in lines of `width` columns where that is possible.
///
/// Colours are ANSI sequences; strip them where they are not wanted. Control
/// characters of names and messages are shown escaped, never raw.
pub fn explanation_text(explanation: &Explanation, width: usize) -> String {
    match explanation {
        Explanation::One(agent) => agent_text(agent, width),
        Explanation::Every(every) => match every.agents.as_slice() {
            [] => "No client finds instructions, skills or memory here.\n".to_owned(),
            agents => {
                let mut parts: Vec<_> =
                    agents.iter().map(|agent| agent_text(agent, width)).collect();
                if let [left, right] = agents {
                    parts.push(compare::side_by_side(left, right, width));
                }
                parts.join("\n")
            }
        },
    }
}

fn agent_text(agent: &AgentExplanation, width: usize) -> String {
    let mut page = Page::new(agent, width);
    header(&mut page, agent);
    instructions::loaded(&mut page, agent);
    instructions::left_out(&mut page, &agent.omitted);
    skills::section(&mut page, &agent.skills);
    memory::section(&mut page, agent);
    agents::section(&mut page, agent);
    steps::section(&mut page, agent);
    diagnostics::section(&mut page, &agent.diagnostics);
    page.finish()
}

fn header(page: &mut Page, agent: &AgentExplanation) {
    let name = client_name(agent);
    let place = format!("in {}", page.paths().folder(&agent.cwd));
    page.line(
        0,
        &[(name.as_str(), palette::TITLE), (" ", palette::PLAIN), (&place, palette::PLAIN)],
    );
    if let Some(error) = &agent.client.error {
        page.line(0, &[("It does not start here. It says:", palette::ERROR)]);
        for line in error.lines() {
            page.line(2, &[(&visible(line), palette::PLAIN)]);
        }
    } else {
        let totals = agent.totals;
        let (tokens, bytes) = (counted(totals.tokens, "token"), counted(totals.bytes, "byte"));
        let start = match totals.bundled_tokens {
            0 => format!("about {tokens} at start ({bytes})"),
            own => {
                let own = counted(own, "token");
                format!("about {tokens} at start ({bytes}, and {own} of bundled skills)")
            }
        };
        page.prose(0, &start, palette::DIM);
    }
}

/// How many, for counting in words.
fn len<T>(items: &[T]) -> u64 {
    items.len() as u64
}

/// So many of the unit of a limit, as people say it: `1 byte`, `2 UTF-16 units`.
fn of_unit(number: u64, unit: Unit) -> String {
    let noun = match unit {
        Unit::Bytes => "byte",
        Unit::Utf16 => "UTF-16 unit",
        Unit::Chars => "character",
        Unit::Lines => "line",
        Unit::Tokens => "token",
        Unit::Columns => "column",
        Unit::Other => "unit",
    };
    counted(number, noun)
}

/// `Codex 0.171.0`
fn client_name(agent: &AgentExplanation) -> String {
    let version = agent.profile.rsplit('@').next().unwrap_or_default();
    format!("{} {version}", agent.agent.title())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_of_a_unit_is_said_in_the_singular() {
        let said = [(1, Unit::Bytes), (1, Unit::Utf16), (2, Unit::Utf16), (10_000, Unit::Tokens)];
        assert_eq!(
            said.map(|(number, unit)| of_unit(number, unit)),
            ["1 byte", "1 UTF-16 unit", "2 UTF-16 units", "10,000 tokens"]
        );
    }
}
