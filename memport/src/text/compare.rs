//! One file, what each client makes of it.

use std::collections::{HashMap, HashSet};

use super::instructions::size;
use super::layout::palette;
use super::layout::{Cell, Row, Table};
use super::page::Page;
use memport_documents::AgentExplanation;

/// The word for a file that a client does not look at.
const NOT_READ: &str = "not looked at";

/// Every file that one of two clients looked at, and what became of it in each.
pub(super) fn side_by_side(
    left: &AgentExplanation,
    right: &AgentExplanation,
    width: usize,
) -> String {
    let mut page = Page::new(left, width);
    let (in_left, in_right) = (fates(left), fates(right));
    let mut seen = HashSet::new();
    let mut files: Vec<&str> = in_left.iter().chain(&in_right).map(|(path, _)| *path).collect();
    files.retain(|path| seen.insert(*path));
    let (in_left, in_right) = (by_path(in_left), by_path(in_right));
    let head = Row {
        cells: vec![
            Cell::left("File", palette::TITLE),
            Cell::left(left.agent.title(), palette::TITLE),
            Cell::left(right.agent.title(), palette::TITLE),
        ],
        ..Row::default()
    };
    let row = |path: &&str| Row {
        cells: vec![
            Cell::left(page.paths().file(path), palette::PLAIN),
            fate_cell(&in_left, path),
            fate_cell(&in_right, path),
        ],
        ..Row::default()
    };
    let rows = std::iter::once(head).chain(files.iter().map(row)).collect();
    let table = Table { indent: 0, name: 0, rows };
    if page.has_room_for(&table) {
        page.table(&table);
    } else {
        let clients = [(left.agent.title(), &in_left), (right.agent.title(), &in_right)];
        for path in files {
            block(&mut page, path, clients);
        }
    }
    page.finish()
}

/// One file on a line of its own, and below it what each client makes of it.
fn block(page: &mut Page, path: &str, clients: [(&str, &HashMap<&str, Cell>); 2]) {
    let file = page.paths().file(path);
    page.line(0, &[(&file, palette::PLAIN)]);
    let rows = clients.map(|(name, fates)| Row {
        cells: vec![Cell::left(name, palette::TITLE), fate_cell(fates, path)],
        ..Row::default()
    });
    page.table(&Table { indent: 2, name: 0, rows: rows.into() });
}

/// The first fate of each file.
fn by_path(fates: Vec<(&str, Cell)>) -> HashMap<&str, Cell> {
    fates.into_iter().rev().collect()
}

fn fate_cell(fates: &HashMap<&str, Cell>, path: &str) -> Cell {
    fates.get(path).cloned().unwrap_or_else(|| Cell::left(NOT_READ, palette::DIM))
}

/// What became of each file, in order: loaded ones first, then what is left
/// out, then skills.
fn fates(agent: &AgentExplanation) -> Vec<(&str, Cell)> {
    let loaded = agent.layers.iter().zip(1_u64..).filter_map(|(layer, number)| {
        let style = if layer.cut.is_some() { palette::LOST } else { palette::GOOD };
        let cut = if layer.cut.is_some() { ", cut" } else { "" };
        let text = format!("loads as {number}: {}{cut}", size(layer));
        Some((layer.path.as_deref()?, Cell::left(text, style)))
    });
    let omitted = agent.omitted.iter().filter_map(|left| {
        let text = format!("left out: {}", left.reason.code);
        Some((left.path.as_deref()?, Cell::left(text, palette::LOST)))
    });
    let skills = agent.skills.listed.iter().filter(|skill| !skill.is_bundled());
    let listed = skills.map(|skill| (skill.file.as_str(), Cell::left("listed", palette::GOOD)));
    let unlisted = agent.skills.omitted.iter().map(|skill| {
        let text = format!("not listed: {}", skill.reason.code);
        (skill.path.as_str(), Cell::left(text, palette::LOST))
    });
    loaded.chain(omitted).chain(listed).chain(unlisted).collect()
}
