//! The answer as text for people.

mod compare;
mod diagnostics;
mod doctor;
mod instructions;
mod layout;
mod list;
mod memory;
mod page;
mod palette;
mod paths;
mod plan;
mod port;
mod remembered;
mod skills;
mod steps;
mod visible;
mod words;

pub(crate) use doctor::doctor;
pub(crate) use list::list;
pub(crate) use plan::{candidate, memory_change, relocate, undo};
pub(crate) use port::port;
pub(crate) use remembered::{lookup, show};
pub(crate) use visible::visible;

use memory_core::counted;

use crate::{AgentExplanation, Explanation};
use page::Page;
use words::client_name;

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
