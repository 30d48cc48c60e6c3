//! What is worth telling, and what is wrong.

use memory_core::counted;
use memport_documents::{DiagnosticDocument, DoctorDocument, Severity};

use super::layout::palette;
use super::len;
use super::page::Page;
use crate::place::Start;

pub(super) fn section(page: &mut Page, diagnostics: &[DiagnosticDocument]) {
    if diagnostics.is_empty() {
        return;
    }
    page.line(0, &[]);
    let mut sorted: Vec<_> = diagnostics.iter().collect();
    sorted.sort_by_key(|found| std::cmp::Reverse(found.severity));
    for found in sorted {
        one(page, found);
    }
}

fn one(page: &mut Page, found: &DiagnosticDocument) {
    let style = match found.severity {
        Severity::Error => palette::ERROR,
        Severity::Warning => palette::WARNING,
        Severity::Hint => palette::HINT,
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

/// The findings, worst first.
pub(crate) fn doctor(doctor: &DoctorDocument, start: &Start, width: usize) -> String {
    let mut page = Page::at(start, width);
    if doctor.findings.is_empty() {
        page.prose(0, "Nothing is wrong with what clients keep here.", palette::GOOD);
    } else {
        let summary = counted(len(&doctor.findings), "finding");
        page.line(0, &[(&summary, palette::TITLE)]);
        section(&mut page, &doctor.findings);
    }
    page.finish()
}
