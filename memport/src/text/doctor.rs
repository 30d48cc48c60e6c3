//! What is wrong with what clients keep.

use memory_core::counted;

use super::diagnostics;
use super::page::Page;
use super::palette;
use super::words::len;
use crate::DoctorDocument;
use crate::place::Start;

/// The findings, worst first.
pub(crate) fn doctor(doctor: &DoctorDocument, start: &Start, width: usize) -> String {
    let mut page = Page::at(start, width);
    if doctor.findings.is_empty() {
        page.prose(0, "Nothing is wrong with what clients keep here.", palette::GOOD);
    } else {
        let summary = counted(len(&doctor.findings), "finding");
        page.line(0, &[(&summary, palette::TITLE)]);
        diagnostics::section(&mut page, &doctor.findings);
    }
    page.finish()
}
