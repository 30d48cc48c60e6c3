//! What is worth telling.

use super::page::Page;
use super::palette;
use crate::DiagnosticDocument;

pub(super) fn section(page: &mut Page, diagnostics: &[DiagnosticDocument]) {
    if diagnostics.is_empty() {
        return;
    }
    page.line(0, &[]);
    let weight = |found: &&DiagnosticDocument| match found.severity {
        "error" => 0,
        "warning" => 1,
        _ => 2,
    };
    let mut sorted: Vec<_> = diagnostics.iter().collect();
    sorted.sort_by_key(weight);
    for found in sorted {
        one(page, found);
    }
}

fn one(page: &mut Page, found: &DiagnosticDocument) {
    let style = match found.severity {
        "error" => palette::ERROR,
        "warning" => palette::WARNING,
        _ => palette::HINT,
    };
    page.labelled(&format!("{}[{}]:", found.severity, found.code), style, &found.message);
    if let Some(path) = &found.path {
        let line = found.line.map(|line| format!(":{line}")).unwrap_or_default();
        let place = page.paths().file(path) + &line;
        page.line(2, &[("--> ", palette::DIM), (&place, palette::PLAIN)]);
    }
    if let Some(help) = &found.help {
        page.labelled("  hint:", palette::HINT, help);
    }
}
