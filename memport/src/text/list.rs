//! What clients keep.

use memory_core::grouped;

use super::diagnostics;
use super::layout::palette;
use super::layout::{Cell, Row, Table};
use super::len;
use super::page::Page;
use super::visible::visible;
use crate::place::Start;
use memport_documents::{ItemDocument, ListDocument, Status};

/// Characters of a description that are shown.
const DESCRIPTION: usize = 160;

/// What clients keep, a row each.
pub(crate) fn list(list: &ListDocument, start: &Start, width: usize) -> String {
    let mut page = Page::at(start, width);
    if list.items.is_empty() {
        page.prose(0, "No client keeps anything of this kind here.", palette::PLAIN);
    }
    let same = |a: &ItemDocument, b: &ItemDocument| (a.agent, a.kind) == (b.agent, b.kind);
    for (at, group) in list.items.chunk_by(same).enumerate() {
        let Some(first) = group.first() else { continue };
        if at > 0 {
            page.line(0, &[]);
        }
        let title = format!("{} {}", first.agent.title(), first.kind);
        let summary = grouped(len(group));
        page.line(
            0,
            &[(&title, palette::TITLE), ("  ", palette::PLAIN), (&summary, palette::PLAIN)],
        );
        let rows = group.iter().map(row).collect();
        page.table(&Table { indent: 2, name: 0, rows });
    }
    diagnostics::section(&mut page, &list.diagnostics);
    page.finish()
}

fn row(item: &ItemDocument) -> Row {
    let day = item.modified.as_deref().and_then(|time| time.split('T').next());
    let status = match item.status {
        Status::Active => "",
        Status::Archived | Status::Draft => item.status.as_str(),
    };
    Row {
        cells: vec![
            Cell::left(visible(&item.id), palette::PLAIN),
            Cell::right(format!("{} B", grouped(item.bytes)), palette::DIM),
            Cell::left(day.unwrap_or_default(), palette::DIM),
            Cell::left(status, palette::LOST),
        ],
        tail: Cell::left(item.description.as_deref().map(short).unwrap_or_default(), palette::DIM),
        below: Vec::new(),
    }
}

/// The beginning of a description, in one line.
fn short(text: &str) -> String {
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    match line.char_indices().nth(DESCRIPTION) {
        Some((end, _)) => format!("{}…", visible(line.get(..end).unwrap_or_default())),
        None => visible(&line).into_owned(),
    }
}
