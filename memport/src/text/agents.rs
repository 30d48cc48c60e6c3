//! Which custom agents can be started, and what reaches the model later.

use memory_core::grouped;
use memport_documents::{AgentExplanation, CustomAgentDocument, LaterDocument};

use super::layout::palette;
use super::layout::{Cell, Row, Table};
use super::len;
use super::page::Page;
use super::paths::Paths;
use super::visible::visible;

pub(super) fn section(page: &mut Page, agent: &AgentExplanation) {
    let offered = &agent.custom_agents;
    if !offered.is_empty() {
        page.heading("Agents", &format!("{} offered", grouped(len(offered))));
        let rows = offered.iter().map(|agent| agent_row(page.paths(), agent)).collect();
        page.table(&Table { indent: 2, name: 2, rows });
    }
    if !agent.later.is_empty() {
        page.heading("Later", &counted_texts(len(&agent.later)));
        let rows = agent.later.iter().map(|text| later_row(page.paths(), text)).collect();
        page.table(&Table { indent: 2, name: 1, rows });
    }
}

fn counted_texts(count: u64) -> String {
    let word = if count == 1 { "text that is" } else { "texts that are" };
    format!("{} {word} not sent at start, or printed by a command", grouped(count))
}

fn agent_row(paths: &Paths, agent: &CustomAgentDocument) -> Row {
    let file = agent.path.as_ref().or(agent.declared_in.as_ref());
    let file = file.map_or_else(|| "(in no file)".to_owned(), |path| paths.file(path));
    let first = agent.description.lines().next().unwrap_or_default();
    Row {
        cells: vec![
            Cell::left(agent.scope.as_str(), palette::SCOPE),
            Cell::left(visible(&agent.name).into_owned(), palette::PLAIN),
            Cell::left(file, palette::DIM),
        ],
        tail: Cell::left(visible(first).into_owned(), palette::DIM),
        below: Vec::new(),
    }
}

fn later_row(paths: &Paths, text: &LaterDocument) -> Row {
    let what = match (&text.event, &text.command) {
        (Some(event), Some(command)) => format!("hook for {event}: {command}"),
        _ => "the prompt for a summary when the session is compacted".to_owned(),
    };
    let file = text.path.as_ref();
    let file = file.map_or_else(|| "(in no file)".to_owned(), |path| paths.file(path));
    Row {
        cells: vec![Cell::left("-", palette::DIM), Cell::left(file, palette::PLAIN)],
        tail: Cell::left(visible(&what).into_owned(), palette::PLAIN),
        below: Vec::new(),
    }
}
