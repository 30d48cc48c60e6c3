//! What clients remember.

use memory_core::counted;

use super::diagnostics;
use super::layout::palette;
use super::len;
use super::page::Page;
use super::visible::visible;
use crate::place::Start;
use memport_documents::{
    HistoryDocument, LookupDocument, PassageDocument, ShowDocument, ShownMemory,
};

/// One memory, where it stands and what points to it.
pub(crate) fn show(show: &ShowDocument, start: &Start, width: usize) -> String {
    let mut page = Page::at(start, width);
    let memory = &show.memory;
    let name = visible(&memory.name);
    let agent = memory.agent.title();
    let kind = format!("{} in {agent}", visible(&memory.kind));
    page.line(0, &[(&name, palette::TITLE), ("  ", palette::PLAIN), (&kind, palette::PLAIN)]);
    let place = place(&page, &memory.path, memory.first_line, memory.last_line);
    page.line(2, &[(&place, palette::PLAIN)]);
    if let Some(description) = &memory.description {
        page.prose(2, &visible(description), palette::DIM);
    }
    facts(&mut page, memory);
    page.line(0, &[]);
    text(&mut page, &memory.body);
    page.finish()
}

fn facts(page: &mut Page, memory: &ShownMemory) {
    let dates = [("made", &memory.created), ("changed", &memory.modified)];
    for (word, date) in dates {
        if let Some(date) = date {
            page.line(
                2,
                &[(word, palette::DIM), (" ", palette::PLAIN), (&visible(date), palette::PLAIN)],
            );
        }
    }
    for link in &memory.links {
        page.line(2, &[("points to ", palette::DIM), (&visible(link), palette::PLAIN)]);
    }
    for pointer in &memory.linked_from {
        let place = place(page, &pointer.path, pointer.line, None);
        page.line(2, &[("pointed to by ", palette::DIM), (&place, palette::PLAIN)]);
    }
}

/// What clients remember of a question, passage after passage.
pub(crate) fn lookup(lookup: &LookupDocument, start: &Start, width: usize) -> String {
    let mut page = Page::at(start, width);
    if lookup.passages.is_empty() {
        let read = counted(len(&lookup.read), "file");
        page.prose(0, &format!("Nothing is remembered of this ({read} read)."), palette::PLAIN);
    }
    for (at, passage) in lookup.passages.iter().enumerate() {
        if at > 0 {
            page.line(0, &[]);
        }
        one(&mut page, passage);
    }
    diagnostics::section(&mut page, &lookup.diagnostics);
    page.finish()
}

fn one(page: &mut Page, passage: &PassageDocument) {
    let place = place(page, &passage.path, Some(passage.first_line), Some(passage.last_line));
    let agent = passage.agent.title();
    page.line(0, &[(&place, palette::TITLE), ("  ", palette::PLAIN), (agent, palette::SCOPE)]);
    page.prose(2, &passage.why, palette::DIM);
    text(page, &passage.text);
}

/// `MEMORY.md:3-5`
fn place(page: &Page, path: &str, first: Option<u32>, last: Option<u32>) -> String {
    let file = page.paths().file(path);
    match (first, last) {
        (Some(first), Some(last)) if last > first => format!("{file}:{first}-{last}"),
        (Some(first), _) => format!("{file}:{first}"),
        (None, _) => file,
    }
}

/// Text of a file, line for line.
fn text(page: &mut Page, text: &str) {
    for line in text.lines() {
        let cells: Vec<_> = line.split('\t').map(visible).collect();
        page.line(2, &[("| ", palette::DIM), (&cells.join("\t"), palette::PLAIN)]);
    }
}

/// What happened to a memory.
pub(crate) fn history(history: &HistoryDocument, start: &Start, width: usize) -> String {
    let mut page = Page::at(start, width);
    page.line(0, &[(&visible(&history.id), palette::TITLE)]);
    if history.events.is_empty() {
        page.prose(2, "Nothing is written down about it.", palette::PLAIN);
    }
    for event in &history.events {
        let time = event.time.as_deref().unwrap_or("at an unknown time");
        let other = event.other.as_ref().map(|other| format!(" ({other})")).unwrap_or_default();
        let reason = event.reason.as_ref().map(|reason| format!(": {reason}")).unwrap_or_default();
        page.prose(2, &visible(&format!("{time}  {}{other}{reason}", event.event)), palette::PLAIN);
    }
    page.finish()
}
