//! What is worth telling, and what is wrong.

use memory_core::grouped;
use memport_documents::{DiagnosticDocument, Severity};

use super::layout::palette;
use super::len;
use super::page::Page;

/// How many findings with one remedy are told together.
const MANY: usize = 3;

/// What was found, worst first; what one remedy helps is told together.
pub(super) fn section(page: &mut Page, diagnostics: &[DiagnosticDocument]) {
    if diagnostics.is_empty() {
        return;
    }
    page.line(0, &[]);
    let mut groups: Vec<Vec<&DiagnosticDocument>> = Vec::new();
    for found in diagnostics {
        match groups.iter_mut().find(|group| group.first().is_some_and(|one| is_alike(one, found)))
        {
            Some(group) => group.push(found),
            None => groups.push(vec![found]),
        }
    }
    groups.sort_by_key(|group| std::cmp::Reverse(group.first().map(|found| found.severity)));
    for group in groups {
        if group.len() < MANY {
            for found in group {
                one(page, found);
            }
        } else {
            together(page, &group);
        }
    }
}

/// Whether two findings have one cause and one remedy.
fn is_alike(one: &DiagnosticDocument, other: &DiagnosticDocument) -> bool {
    (one.code, one.severity, &one.help) == (other.code, other.severity, &other.help)
}

fn one(page: &mut Page, found: &DiagnosticDocument) {
    title(page, found, &found.message);
    if let Some(place) = place(page, found) {
        page.line(2, &[("--> ", palette::DIM), (&place, palette::PLAIN)]);
    }
    help(page, found);
}

/// Findings that differ in their places, and perhaps in their words.
fn together(page: &mut Page, group: &[&DiagnosticDocument]) {
    let Some(first) = group.first() else { return };
    if group.iter().all(|found| found.message == first.message) {
        title(page, first, &first.message);
        let places: Vec<_> = group.iter().filter_map(|found| place(page, found)).collect();
        page.hanging(2, ("--> ", palette::DIM), &places.join(", "));
    } else {
        title(page, first, &format!("{} of this kind", grouped(len(group))));
        for found in group {
            let place = place(page, found).map(|place| place + ": ").unwrap_or_default();
            let message = page.paths().in_prose(&found.message);
            page.hanging(2, ("--> ", palette::DIM), &format!("{place}{message}"));
        }
    }
    help(page, first);
}

fn title(page: &mut Page, found: &DiagnosticDocument, message: &str) {
    let style = match found.severity {
        Severity::Error => palette::ERROR,
        Severity::Warning => palette::WARNING,
        Severity::Hint => palette::HINT,
    };
    let quirk = found.quirk.map(|quirk| format!(" [{quirk}]")).unwrap_or_default();
    let label = format!("{}[{}]:", found.severity, found.code);
    page.labelled(&label, style, &format!("{message}{quirk}"));
}

fn place(page: &Page, found: &DiagnosticDocument) -> Option<String> {
    let line = found.line.map(|line| format!(":{line}")).unwrap_or_default();
    Some(page.paths().file(found.path.as_deref()?) + &line)
}

fn help(page: &mut Page, found: &DiagnosticDocument) {
    if let Some(help) = &found.help {
        page.labelled("  hint:", palette::HINT, help);
    }
}
