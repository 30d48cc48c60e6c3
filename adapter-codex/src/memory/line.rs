//! The lines of a Markdown file, one at a time.

use std::borrow::Cow;
use std::ops::RangeInclusive;

use memory_core::doc::{FenceLine, Fences, Source, Span};

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
    pub(crate) fn of(line: &Line<'_>) -> Self {
        Self { span: line.span, first_line: line.number, last_line: line.number }
    }

    /// Reaches on to a later line.
    pub(crate) fn reach(&mut self, line: &Line<'_>) {
        self.span.end = self.span.end.max(line.span.end);
        self.last_line = self.last_line.max(line.number);
    }
}

/// One line of a file.
pub(crate) struct Line<'a> {
    /// Counted from 1.
    pub(crate) number: u32,
    /// The whole line, its end included; together the lines cover every byte.
    pub(crate) span: Span,
    /// Without its end, and without the byte order mark on the first line.
    pub(crate) text: Cow<'a, str>,
    /// Whether it belongs to a block of code that is closed again.
    pub(crate) fenced: bool,
}

/// A heading as it is written.
pub(crate) struct Heading<'a> {
    /// How many `#` it has: 1 to 6.
    pub(crate) level: usize,
    /// What follows them.
    pub(crate) text: &'a str,
}

/// A list item as it is written.
pub(crate) struct Item<'a> {
    /// Columns before the marker.
    pub(crate) indent: usize,
    /// What follows the marker.
    pub(crate) text: &'a str,
}

impl Line<'_> {
    pub(crate) fn is_blank(&self) -> bool {
        self.text.trim().is_empty()
    }

    /// The heading on this line; `None` on a line of code and on all others.
    pub(crate) fn heading(&self) -> Option<Heading<'_>> {
        let text = self.text.trim();
        if self.fenced || self.indent() > 3 {
            return None;
        }
        let rest = text.trim_start_matches('#');
        let level = text.len() - rest.len();
        let parted = rest.is_empty() || rest.starts_with(char::is_whitespace);
        ((1..=6).contains(&level) && parted).then(|| Heading { level, text: rest.trim() })
    }

    /// The list item on this line; `None` on a line of code and on all others.
    pub(crate) fn item(&self) -> Option<Item<'_>> {
        if self.fenced {
            return None;
        }
        let text = self.text.trim();
        let rest = text.strip_prefix(['-', '*', '+']).or_else(|| after_number(text))?;
        let parted = rest.is_empty() || rest.starts_with(char::is_whitespace);
        parted.then(|| Item { indent: self.indent(), text: rest.trim_start() })
    }

    /// Columns before the first character that is no white space; a tab counts four.
    pub(crate) fn indent(&self) -> usize {
        let blank = self.text.chars().take_while(|c| c.is_whitespace());
        blank.map(|c| if c == '\t' { 4 } else { 1 }).sum()
    }
}

/// What follows `12.` or `12)`.
fn after_number(text: &str) -> Option<&str> {
    let rest = text.trim_start_matches(|c: char| c.is_ascii_digit());
    let digits = text.len() - rest.len();
    (1..=9).contains(&digits).then(|| rest.strip_prefix(['.', ')'])).flatten()
}

/// The lines of a file in order.
pub(crate) fn lines(source: &Source) -> impl Iterator<Item = Line<'_>> {
    let mut blocks = code_blocks(source).into_iter().peekable();
    numbered(source).map(move |(number, span, text)| {
        while blocks.next_if(|block| *block.end() < number).is_some() {}
        let fenced = blocks.peek().is_some_and(|block| block.contains(&number));
        Line { number, span, text, fenced }
    })
}

fn numbered(source: &Source) -> impl Iterator<Item = (u32, Span, Cow<'_, str>)> {
    let mut number = 0_u32;
    source.lines().map(move |span| {
        let bom = if number == 0 { source.bom_len() } else { 0 };
        number = number.saturating_add(1);
        let inner = Span::new(span.start + bom..span.end);
        (number, span, without_end(source.slice_text(inner)))
    })
}

fn without_end(line: Cow<'_, str>) -> Cow<'_, str> {
    match line {
        Cow::Borrowed(text) => Cow::Borrowed(text.trim_end_matches(['\n', '\r'])),
        Cow::Owned(mut text) => {
            text.truncate(text.trim_end_matches(['\n', '\r']).len());
            Cow::Owned(text)
        }
    }
}

/// The blocks of code that are closed again, as lines from fence to fence.
///
/// A fence that is never closed is text, and one may stand as deep as the list
/// that holds it: nobody means the rest of a handbook to be code.
fn code_blocks(source: &Source) -> Vec<RangeInclusive<u32>> {
    let mut found = Vec::new();
    let (mut fences, mut from) = (Fences::default(), 0);
    for (number, _, text) in numbered(source) {
        match fences.next(text.trim()) {
            FenceLine::Opening => from = number,
            FenceLine::Closing => found.push(from..=number),
            FenceLine::Text | FenceLine::Code => {}
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn headings(text: &str) -> Vec<String> {
        let source = Source::new(text.as_bytes());
        lines(&source).filter_map(|line| Some(line.heading()?.text.to_owned())).collect()
    }

    #[test]
    fn a_heading_in_a_closed_block_of_code_is_code() {
        assert_eq!(headings("# a\n```md\n# b\n```\n## c\n"), ["a", "c"]);
        assert_eq!(headings("# a\n```md\n# b\n"), ["a", "b"]);
        assert_eq!(headings("~~~\n```\n# b\n~~~\n#c\n#\n"), [""]);
    }

    #[test]
    fn a_byte_order_mark_and_line_ends_are_no_text() {
        let source = Source::new("\u{feff}# a\r\n- b\r\n".as_bytes());
        let texts: Vec<_> = lines(&source).map(|line| line.text.into_owned()).collect();
        assert_eq!(texts, ["# a", "- b"]);
    }

    #[test]
    fn list_items_have_several_marks() {
        let source = Source::new(&b"- a\n  * b\n12. c\n-d\n1 e\n\t+ f\n"[..]);
        let items: Vec<_> = lines(&source)
            .filter_map(|line| line.item().map(|item| (item.indent, item.text.to_owned())))
            .collect();
        let want = [(0, "a"), (2, "b"), (0, "c"), (4, "f")];
        assert_eq!(items, want.map(|(indent, text)| (indent, text.to_owned())));
    }
}
