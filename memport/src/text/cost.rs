//! What a start costs, for people.

use memory_core::{counted, grouped};
use memport_documents::CostDocument;

use super::layout::palette;
use super::page::Page;
use super::visible::visible;
use crate::place::Start;

/// Each item with its size, dearest first; tokens are called estimates.
pub(crate) fn cost(cost: &CostDocument, start: &Start, width: usize) -> String {
    let mut page = Page::at(start, width);
    if cost.agents.is_empty() {
        page.prose(0, "No client loads anything here.", palette::PLAIN);
    }
    for agent in &cost.agents {
        let said = format!(
            "{}, about {} at start (an estimate)",
            counted(agent.total.bytes, "byte"),
            counted(agent.total.tokens, "token")
        );
        page.heading(agent.agent.title(), &said);
        let mut items: Vec<_> = agent.items.iter().collect();
        items.sort_by_key(|item| std::cmp::Reverse(item.amount.tokens));
        for item in items {
            let path = item.path.as_ref().map(|path| format!(" `{path}`")).unwrap_or_default();
            let line = format!("{} tokens  {}{path}", grouped(item.amount.tokens), item.kind);
            page.prose(2, &visible(&line), palette::PLAIN);
        }
        let saving = agent.shorter_lines;
        if saving.lines > 0 {
            let said = format!(
                "{} of the memory index longer than 150 characters: shorter ones would save about {}",
                counted(saving.lines, "line"),
                counted(saving.amount.tokens, "token"),
            );
            page.labelled("hint:", palette::HINT, &said);
        }
    }
    let recall = format!(
        "One recall adds at most {}, about {}.",
        counted(cost.recall.bytes, "byte"),
        counted(cost.recall.tokens, "token")
    );
    page.line(0, &[]);
    page.prose(0, &recall, palette::DIM);
    page.finish()
}
