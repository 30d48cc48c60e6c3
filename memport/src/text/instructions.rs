//! What loads at start, and what is left out.

use memory_core::{counted, grouped};

use super::layout::palette;
use super::layout::{Cell, Row, Table};
use super::page::Page;
use super::paths::Paths;
use super::{len, of_unit};
use memport_documents::{
    AgentExplanation, CutDocument, Kind, LayerDocument, OmittedDocument, TakenOut, ViaDocument,
};

/// Bytes of the longest end of a line.
const LINE_END: u64 = 2;

pub(super) fn loaded(page: &mut Page, agent: &AgentExplanation) {
    let layers = &agent.layers;
    if layers.is_empty() && !agent.client.starts {
        return;
    }
    let bytes = layers.iter().map(|layer| layer.kept.bytes).sum();
    let summary = match len(layers) {
        0 => "nothing is loaded".to_owned(),
        files => format!("{}, {}", counted(files, "file"), counted(bytes, "byte")),
    };
    page.heading("Instructions", &summary);
    let numbered = layers.iter().zip(1_u64..);
    let rows = numbered.map(|(layer, at)| row(layer, &at.to_string(), page.paths())).collect();
    page.table(&Table { indent: 2, name: 2, rows });
    page.budget(agent.budget);
}

pub(super) fn left_out(page: &mut Page, omitted: &[OmittedDocument]) {
    if omitted.is_empty() {
        return;
    }
    page.heading("Left out", &counted(len(omitted), "file"));
    let table = omitted_table(page.paths(), omitted);
    page.table(&table);
}

/// What is left out, a row each.
pub(super) fn omitted_table(paths: &Paths, omitted: &[OmittedDocument]) -> Table {
    let row = |left: &OmittedDocument| Row {
        cells: vec![
            Cell::left("-", palette::DIM),
            Cell::left(left.scope.as_str(), palette::SCOPE),
            Cell::left(name(paths, left.path.as_deref()), palette::PLAIN),
        ],
        tail: Cell::left(reason(paths, &left.message, left.quirk, &left.via), palette::PLAIN),
        below: Vec::new(),
    };
    Table { indent: 2, name: 2, rows: omitted.iter().map(row).collect() }
}

/// One loaded item: mark, scope, file, size, how it came here, what was cut.
pub(super) fn row(layer: &LayerDocument, mark: &str, paths: &Paths) -> Row {
    Row {
        cells: vec![
            Cell::right(mark, palette::DIM),
            Cell::left(layer.scope.as_str(), palette::SCOPE),
            Cell::left(name(paths, layer.path.as_deref()), palette::PLAIN),
            Cell::right(size(layer), palette::DIM),
        ],
        tail: Cell::left(origin(paths, layer), palette::DIM),
        below: layer.cut.iter().map(|cut| Cell::left(cut_words(cut), palette::LOST)).collect(),
    }
}

fn name(paths: &Paths, path: Option<&str>) -> String {
    path.map_or_else(|| "(in no file)".to_owned(), |path| paths.file(path))
}

/// `1,204 B`, `900 of 1,204 B`. That the client trims the end of the last line
/// is no loss worth a second number.
pub(super) fn size(layer: &LayerDocument) -> String {
    let (kept, whole) = (layer.kept.bytes, layer.size.bytes);
    if is_shortened(layer) {
        format!("{} of {} B", grouped(kept), grouped(whole))
    } else {
        format!("{} B", grouped(kept))
    }
}

fn origin(paths: &Paths, layer: &LayerDocument) -> String {
    let kind = match layer.kind {
        Kind::Rule => "rule",
        Kind::ManagedText => "text of a managed setting",
        Kind::BaseText => "in place of the client's own instructions",
        Kind::Agent => "agent",
        Kind::DeveloperText | Kind::Instructions | Kind::Import | Kind::AgentsMd | Kind::Other => {
            ""
        }
    };
    let parts = [kind.to_owned(), via_words(paths, &layer.via), difference(layer)];
    let parts: Vec<_> = parts.into_iter().filter(|part| !part.is_empty()).collect();
    parts.join(", ")
}

/// Why the model gets less than the file holds, where two sizes are shown.
fn difference(layer: &LayerDocument) -> String {
    if layer.cut.is_some() || !is_shortened(layer) {
        return String::new();
    }
    let parts = layer.taken_out.iter().map(|part| match part {
        TakenOut::Frontmatter => "frontmatter",
        TakenOut::Comments => "comments",
    });
    match parts.collect::<Vec<_>>().join(" and ") {
        parts if parts.is_empty() => "blank ends trimmed".to_owned(),
        parts => format!("without its {parts}"),
    }
}

/// Whether more than the end of the last line is missing.
fn is_shortened(layer: &LayerDocument) -> bool {
    let (kept, whole) = (layer.kept.bytes, layer.size.bytes);
    let is_end = whole.saturating_sub(kept) <= LINE_END && layer.kept.lines == layer.size.lines;
    kept < whole && (layer.cut.is_some() || !is_end)
}

fn via_words(paths: &Paths, via: &ViaDocument) -> String {
    match via {
        ViaDocument::Imported { from, line } => {
            format!("imported by {}:{line}", paths.file(from))
        }
        ViaDocument::Fallback => "fallback name".to_owned(),
        ViaDocument::Nested { touched } => format!("for {}", paths.file(touched)),
        ViaDocument::Setting { key, .. } => format!("setting `{key}`"),
        ViaDocument::Discovered | ViaDocument::Other => String::new(),
    }
}

fn cut_words(cut: &CutDocument) -> String {
    format!(
        "cut in line {}: {} lost to the limit of {}",
        grouped(cut.at_line),
        counted(cut.lost_bytes, "byte"),
        of_unit(cut.max, cut.limit),
    )
}

/// The sentence of an omission with its import and its quirk.
fn reason(paths: &Paths, message: &str, quirk: Option<&str>, via: &ViaDocument) -> String {
    let mut text = paths.in_prose(message);
    if let ViaDocument::Imported { .. } = via {
        text = format!("{text} ({})", via_words(paths, via));
    }
    match quirk {
        Some(quirk) => format!("{text} [{quirk}]"),
        None => text,
    }
}
