//! Bytes as text, without ever losing a byte.

use std::borrow::Cow;
use std::ops::Range;
use std::sync::Arc;

/// The UTF-8 byte order mark.
const BOM: &[u8] = b"\xef\xbb\xbf";

/// A range of bytes in a [`Source`], end excluded.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Span {
    /// First byte.
    pub start: usize,
    /// One past the last byte.
    pub end: usize,
}

impl Span {
    /// The span of these bytes.
    pub fn new(range: Range<usize>) -> Self {
        Self { start: range.start, end: range.end }
    }

    /// The span as a range, for indexing.
    pub fn range(self) -> Range<usize> {
        self.start..self.end
    }

    /// Length in bytes.
    pub fn len(self) -> usize {
        self.end.saturating_sub(self.start)
    }

    /// Whether the span holds no byte.
    pub fn is_empty(self) -> bool {
        self.len() == 0
    }
}

/// How the lines of a text end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Newline {
    /// No line end at all.
    None,
    /// Every line ends in `\n`.
    Lf,
    /// Every line ends in `\r\n`.
    CrLf,
    /// Both occur.
    Mixed,
}

/// A file's bytes with what a reader needs to know of them.
///
/// Any bytes are accepted and kept as they are.
///
/// ```
/// use memory_core::doc::{Newline, Source};
///
/// let source = Source::new(*b"\xef\xbb\xbfa\r\n\xff");
/// assert!(source.has_bom());
/// assert_eq!(source.newline(), Newline::CrLf);
/// assert!(!source.is_utf8());
/// assert_eq!(source.text(), "\u{feff}a\r\n\u{fffd}");
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Source {
    bytes: Arc<[u8]>,
}

impl Source {
    /// Takes the bytes of a file.
    pub fn new(bytes: impl Into<Arc<[u8]>>) -> Self {
        Self { bytes: bytes.into() }
    }

    /// The bytes, exactly as they were given.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// The bytes of a span; those inside the file where the span reaches beyond it.
    pub fn slice(&self, span: Span) -> &[u8] {
        let end = span.end.min(self.bytes.len());
        self.bytes.get(span.start.min(end)..end).unwrap_or_default()
    }

    /// The text of a span, invalid bytes shown as U+FFFD.
    pub fn slice_text(&self, span: Span) -> Cow<'_, str> {
        lossy(self.slice(span))
    }

    /// The whole text, invalid bytes shown as U+FFFD; a byte order mark stays.
    pub fn text(&self) -> Cow<'_, str> {
        lossy(&self.bytes)
    }

    /// Whether the bytes are valid UTF-8.
    pub fn is_utf8(&self) -> bool {
        std::str::from_utf8(&self.bytes).is_ok()
    }

    /// Whether the file starts with a UTF-8 byte order mark.
    pub fn has_bom(&self) -> bool {
        self.bytes.starts_with(BOM)
    }

    /// Whether the last line ends in a newline.
    pub fn ends_with_newline(&self) -> bool {
        self.bytes.ends_with(b"\n")
    }

    /// How the lines end.
    pub fn newline(&self) -> Newline {
        let mut found = Newline::None;
        let mut before = 0;
        for byte in self.bytes.iter().copied() {
            if byte == b'\n' {
                let this = if before == b'\r' { Newline::CrLf } else { Newline::Lf };
                match found {
                    Newline::None => found = this,
                    same if same == this => {}
                    _ => return Newline::Mixed,
                }
            }
            before = byte;
        }
        found
    }

    /// The lines with their line ends, as spans that together cover every byte.
    pub fn lines(&self) -> impl Iterator<Item = Span> + '_ {
        let mut start = 0;
        let ends = memchr::memchr_iter(b'\n', &self.bytes).map(|at| at + 1);
        let spans = ends
            .chain([self.bytes.len()])
            .map(move |end| Span::new(std::mem::replace(&mut start, end)..end));
        // Behind the last line end there may be nothing.
        spans.filter(|span| !span.is_empty())
    }

    /// What a line of [`lines`](Self::lines) says: without its line end, `\n` or
    /// `\r\n`, and without the byte order mark before the first one.
    pub fn line_content(&self, line: Span) -> Span {
        let start = if line.start == 0 { self.bom_len().min(line.end) } else { line.start };
        let text = self.slice(Span::new(start..line.end));
        let kept = text.strip_suffix(b"\n").map(|kept| kept.strip_suffix(b"\r").unwrap_or(kept));
        Span::new(start..start + kept.unwrap_or(text).len())
    }

    /// Length in bytes of the byte order mark at the start: 3 or 0.
    pub fn bom_len(&self) -> usize {
        if self.has_bom() { BOM.len() } else { 0 }
    }
}

/// Text of any bytes; valid UTF-8, the usual case, is checked the fast way.
fn lossy(bytes: &[u8]) -> Cow<'_, str> {
    std::str::from_utf8(bytes).map_or_else(|_| String::from_utf8_lossy(bytes), Cow::Borrowed)
}

/// Finds the line of a byte.
#[derive(Clone, Debug)]
pub struct LineIndex {
    starts: Vec<usize>,
}

impl LineIndex {
    /// Notes where each line of `bytes` starts.
    pub fn new(bytes: &[u8]) -> Self {
        let after_newline = memchr::memchr_iter(b'\n', bytes).map(|at| at + 1);
        Self { starts: std::iter::once(0).chain(after_newline).collect() }
    }

    /// The line that holds the byte at `offset`, counted from 1.
    pub fn line(&self, offset: usize) -> u32 {
        let line = self.starts.partition_point(|start| *start <= offset);
        u32::try_from(line).unwrap_or(u32::MAX)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_cover_every_byte() {
        for bytes in [&b""[..], b"a", b"a\n", b"\n\n", b"a\r\nb"] {
            let source = Source::new(bytes);
            let joined: Vec<u8> =
                source.lines().flat_map(|line| source.slice(line).to_vec()).collect();
            assert_eq!(joined, bytes);
        }
    }

    #[test]
    fn a_line_says_what_is_before_its_end() {
        for (bytes, want) in [
            (&b"a\r\n"[..], "a"),
            (b"a\r\r\n", "a\r"),
            (b"a\r", "a\r"),
            (b"\xef\xbb\xbfa\n", "a"),
            (b"\xef\xbb\xbf", ""),
        ] {
            let source = Source::new(bytes);
            let line = source.lines().next().unwrap();
            assert_eq!(source.slice_text(source.line_content(line)), want);
        }
    }

    #[test]
    fn newline_styles() {
        for (bytes, want) in [
            (&b"a"[..], Newline::None),
            (b"a\nb\n", Newline::Lf),
            (b"a\r\nb\r\n", Newline::CrLf),
            (b"a\r\nb\n", Newline::Mixed),
        ] {
            assert_eq!(Source::new(bytes).newline(), want);
        }
    }

    #[test]
    fn line_of_an_offset_counts_from_one() {
        let index = LineIndex::new(b"ab\nc\n");
        assert_eq!([0, 2, 3, 5].map(|at| index.line(at)), [1, 1, 2, 3]);
    }
}
