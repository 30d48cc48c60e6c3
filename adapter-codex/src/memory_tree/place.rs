//! Where a piece stands in its file.

use memory_core::Span;

use super::line::Line;

/// Where a piece stands in its file: whole lines.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    /// Its bytes, the end of its last line included.
    pub span: Span,
    /// Its first line, counted from 1.
    pub first_line: u32,
    /// Its last line that is not blank, counted from 1.
    pub last_line: u32,
}

impl Place {
    pub(super) fn of(line: &Line<'_>) -> Self {
        Self { span: line.span, first_line: line.number, last_line: line.number }
    }

    /// Reaches on to a later line.
    pub(super) fn reach(&mut self, line: &Line<'_>) {
        self.span.end = self.span.end.max(line.span.end);
        self.last_line = self.last_line.max(line.number);
    }
}
