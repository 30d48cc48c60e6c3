//! A Markdown file with frontmatter, kept byte for byte.

mod edit;
mod elision;
mod fences;
mod section;
mod splice;
mod yaml;

use std::ops::Range;

use crate::report::{Code, Diagnostic, Parsed, Severity};

pub use edit::DocEdit;
pub use elision::elision;
pub use fences::{FenceLine, Fences};
pub use section::Section;
pub use splice::{EditError, splice};
pub use yaml::{yaml_quoted, yaml_scalar};

pub use crate::text::{LineIndex, Newline, Source, Span};

/// A document: frontmatter, if there is any, and a body.
///
/// Parsing never fails and loses nothing: [`Doc::bytes`] gives back the bytes
/// that were read. What a key *means*, and which repairs a client makes to
/// broken YAML, is the business of that client's adapter; here an entry is
/// simply a top-level `key:` line with the lines that belong to it.
///
/// ```
/// use memory_core::doc::{Doc, Source};
///
/// let doc = Doc::parse(Source::new(*b"---\nname: x\nnote: a: b\n---\nBody\n")).value;
/// let keys: Vec<_> = doc.entries().map(|entry| doc.key(entry)).collect();
/// assert_eq!(keys, ["name", "note"]);
/// assert_eq!(doc.value(doc.find("note").unwrap()), "a: b");
/// assert_eq!(doc.body(), "Body\n");
/// ```
///
/// # What counts as frontmatter
///
/// An optional byte order mark, a first line that is `---` but for blanks, and
/// a later line that is `---` but for blanks. Without the second there is no
/// frontmatter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Doc {
    source: Source,
    frontmatter: Option<Frontmatter>,
    body: Span,
}

/// The frontmatter block of a [`Doc`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Frontmatter {
    /// From the opening fence to the end of the closing fence's line.
    pub span: Span,
    /// Between the two fences.
    pub inner: Span,
    /// The top-level entries in order.
    pub entries: Vec<Entry>,
}

/// One top-level key of a frontmatter block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Entry {
    /// The key, without quotes around it being removed.
    pub key: Span,
    /// From after the colon to the end of the entry, outer white space left out.
    pub value: Span,
    /// The whole entry: its line and the lines that go on with it.
    pub span: Span,
}

impl Doc {
    /// Reads a document from any bytes.
    pub fn parse(source: Source) -> Parsed<Self> {
        let mut diagnostics = Vec::new();
        if !source.is_utf8() {
            diagnostics.push(
                Diagnostic::new(
                    Code("core/not-utf8"),
                    Severity::Warning,
                    "the file is not valid UTF-8",
                )
                .help("save it as UTF-8; clients show invalid bytes as U+FFFD or skip the file"),
            );
        }
        let frontmatter = find_frontmatter(&source);
        let start = frontmatter.as_ref().map_or(source.bom_len(), |block| block.span.end);
        let body = Span::new(start..source.bytes().len());
        Parsed { value: Self { source, frontmatter, body }, diagnostics }
    }

    /// The bytes of the document, those that were read.
    pub fn bytes(&self) -> &[u8] {
        self.source.bytes()
    }

    /// The bytes with what is known of their encoding and line ends.
    pub fn source(&self) -> &Source {
        &self.source
    }

    /// The frontmatter, or `None` where the document has none.
    pub fn frontmatter(&self) -> Option<&Frontmatter> {
        self.frontmatter.as_ref()
    }

    /// The frontmatter's top-level entries in order; none without frontmatter.
    pub fn entries(&self) -> impl Iterator<Item = &Entry> {
        self.frontmatter.iter().flat_map(|block| &block.entries)
    }

    /// The first entry with this key.
    pub fn find(&self, key: &str) -> Option<&Entry> {
        self.entries().find(|entry| self.key(entry) == key)
    }

    /// An entry's key as text.
    pub fn key(&self, entry: &Entry) -> String {
        self.source.slice_text(entry.key).into_owned()
    }

    /// An entry's value as it is written.
    pub fn value(&self, entry: &Entry) -> String {
        self.source.slice_text(entry.value).into_owned()
    }

    /// What follows the frontmatter, invalid bytes shown as U+FFFD.
    pub fn body(&self) -> String {
        self.source.slice_text(self.body).into_owned()
    }

    /// Where the body lies.
    pub fn body_span(&self) -> Span {
        self.body
    }
}

fn find_frontmatter(source: &Source) -> Option<Frontmatter> {
    let is_fence = |line: Span| source.slice(line).trim_ascii() == b"---";
    let mut lines = source.lines();
    let mut opening = lines.next()?;
    opening.start = source.bom_len();
    if !is_fence(opening) {
        return None;
    }
    let mut inside = Vec::new();
    for line in lines {
        if is_fence(line) {
            return Some(Frontmatter {
                span: Span::new(opening.start..line.end),
                inner: Span::new(opening.end..line.start),
                entries: entries(source, &inside),
            });
        }
        inside.push(line);
    }
    None
}

fn entries(source: &Source, lines: &[Span]) -> Vec<Entry> {
    let mut entries: Vec<Entry> = Vec::new();
    for line in lines {
        let text = source.slice(*line);
        match key_end(text) {
            Some(colon) => entries.push(Entry {
                key: Span::new(line.start..line.start + colon),
                value: trim(source, line.start + colon + 1..line.end),
                span: *line,
            }),
            // A comment or a blank line belongs to an entry only when more of
            // the entry follows.
            None if text.trim_ascii().is_empty() || text.starts_with(b"#") => {}
            None => {
                if let Some(entry) = entries.last_mut() {
                    entry.span.end = line.end;
                    entry.value = trim(source, entry.key.end + 1..line.end);
                }
            }
        }
    }
    entries
}

/// Where the colon of a key in column 0 stands.
fn key_end(line: &[u8]) -> Option<usize> {
    let first = *line.first()?;
    if first.is_ascii_whitespace() || matches!(first, b'#' | b'-' | b':') {
        return None;
    }
    let ends_key = |at: usize| line.get(at + 1).is_none_or(u8::is_ascii_whitespace);
    line.iter().enumerate().find(|(at, byte)| **byte == b':' && ends_key(*at)).map(|(at, _)| at)
}

fn trim(source: &Source, range: Range<usize>) -> Span {
    let bytes = source.slice(Span::new(range.clone()));
    let start = range.start + (bytes.len() - bytes.trim_ascii_start().len());
    Span::new(start..start + bytes.trim_ascii().len())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn parse(text: &str) -> Doc {
        Doc::parse(Source::new(text.as_bytes())).value
    }

    #[test]
    fn a_block_runs_to_the_next_key() {
        let doc = parse("\u{feff}---\r\na: |\r\n  one\r\n\r\n  two\r\nb: 2\r\n---\r\nBody");
        assert_eq!(doc.value(doc.find("a").unwrap()), "|\r\n  one\r\n\r\n  two");
        assert_eq!(doc.value(doc.find("b").unwrap()), "2");
        assert_eq!(doc.body(), "Body");
    }

    #[test]
    fn without_a_closing_fence_all_is_body() {
        for text in ["---\na: 1\n", "a: 1\n", "----\na: 1\n---\n", ""] {
            assert!(parse(text).frontmatter().is_none(), "{text:?}");
            assert_eq!(parse(text).body(), text);
        }
    }

    #[test]
    fn invalid_bytes_are_kept_and_told() {
        let parsed = Doc::parse(Source::new(*b"---\nx: \xff\n---\n"));
        assert_eq!(parsed.value.bytes(), b"---\nx: \xff\n---\n");
        assert_eq!(parsed.diagnostics[0].code.0, "core/not-utf8");
    }

    #[test]
    fn a_comment_below_an_entry_is_not_part_of_it() {
        let doc = parse("---\na: |\n  x\n\n  y\n# about b\nb: 2\n\n---\n");
        let mut edit = doc.edit();
        edit.set("a", "z").remove("b");
        assert_eq!(edit.finish().unwrap(), b"---\na: z\n# about b\n\n---\n");
    }

    #[test]
    fn lines_are_added_where_they_belong_and_end_as_the_others() {
        let doc = parse("# A\r\n- one\r\n\r\n# B\r\n- two");
        let sections = doc.sections();
        let mut edit = doc.edit();
        edit.append_to_section(&sections[0], "- 1.5").append("- three");
        assert_eq!(edit.finish().unwrap(), b"# A\r\n- one\r\n- 1.5\r\n\r\n# B\r\n- two\r\n- three");
        let mut edit = doc.edit();
        edit.replace_section(&sections[0], "new\ntext\n\n");
        assert_eq!(edit.finish().unwrap(), b"# A\r\nnew\r\ntext\r\n\r\n# B\r\n- two");
        let mut edit = doc.edit();
        edit.replace_section(&sections[0], "[rest unchanged]");
        assert!(edit.elision().is_some());
    }

    #[test]
    fn frontmatter_is_made_behind_a_byte_order_mark() {
        let doc = parse("\u{feff}Body");
        let mut edit = doc.edit();
        edit.set("name", "yes").set_raw("list", "[a, b]");
        let text = String::from_utf8(edit.finish().unwrap()).unwrap();
        assert_eq!(text, "\u{feff}---\nname: \"yes\"\nlist: [a, b]\n---\nBody");
    }

    #[test]
    fn a_section_of_another_text_is_refused_and_named() {
        let (doc, longer) = (parse("keep me\n"), parse("# One\n\n# Two\ntext\n"));
        let section = &longer.sections()[1];
        let refused = Err(EditError::StaleSection { title: "Two".to_owned() });
        let mut edit = doc.edit();
        edit.replace_section(section, "new");
        assert_eq!(edit.finish(), refused);
        // What the edit made is another text, too.
        let mut edit = longer.edit();
        edit.append_to_section(section, "more");
        let edited = Doc::from(&*edit.finish().unwrap());
        let mut again = edited.edit();
        again.append_to_section(section, "even more");
        assert_eq!(again.finish(), refused);
        // The same text read once more is no other one.
        let twin = parse("# One\n\n# Two\ntext\n");
        let mut edit = twin.edit();
        edit.replace_section(section, "new");
        assert_eq!(edit.finish().unwrap(), b"# One\n\n# Two\nnew");
    }

    #[test]
    fn a_span_beyond_the_text_is_refused() {
        let doc = parse("abc");
        let mut edit = doc.edit();
        edit.replace(Span::new(2..9), "x");
        let span = Span::new(2..9);
        assert_eq!(edit.finish(), Err(EditError::OutOfRange { span, len: 3 }));
    }

    proptest! {
        #[test]
        fn no_section_ever_changes_what_is_not_its_own(
            texts in proptest::collection::vec("(# [ab]\n|text\n|```\n|\n){0,8}", 2..3),
            pick in 0..8_usize,
        ) {
            let (doc, longer) = (parse(&texts[0]), parse(&texts[1]));
            let sections = longer.sections();
            if let Some(section) = sections.get(pick.min(sections.len().saturating_sub(1))) {
                let mut edit = doc.edit();
                edit.replace_section(section, "\u{1}");
                match edit.finish() {
                    Err(error) => {
                        prop_assert!(texts[0] != texts[1]);
                        prop_assert_eq!(error, EditError::StaleSection { title: section.title.clone() });
                    }
                    Ok(bytes) => {
                        let before = longer.source().slice_text(Span::new(0..section.content.start));
                        let end = Span::new(section.content.end..longer.bytes().len());
                        let after = longer.source().slice_text(end);
                        let edited = String::from_utf8(bytes).unwrap();
                        prop_assert!(edited.starts_with(&*before) && edited.ends_with(&*after));
                    }
                }
            }
        }

        #[test]
        fn any_bytes_come_back(bytes in proptest::collection::vec(any::<u8>(), 0..300)) {
            let doc = Doc::parse(Source::new(bytes.clone())).value;
            prop_assert_eq!(doc.bytes(), &bytes[..]);
        }

        #[test]
        fn setting_a_key_changes_nothing_else(
            inner in "(?s)([a-c]: [^\n]{0,9}\r?\n|  x\n|# y\n){0,5}", body in "(?s).{0,30}", value in ".{0,12}",
        ) {
            let text = format!("---\n{inner}---\n{body}");
            let doc = parse(&text);
            let mut edit = doc.edit();
            edit.set("a", &value);
            let bytes = edit.finish().unwrap();
            let edited = Doc::parse(Source::new(bytes)).value;
            prop_assert_eq!(edited.body(), doc.body());
            let others = |doc: &Doc| -> Vec<String> {
                doc.entries()
                    .filter(|entry| doc.key(entry) != "a")
                    .map(|entry| doc.source().slice_text(entry.span).into_owned())
                    .collect()
            };
            prop_assert_eq!(others(&edited), others(&doc));
            let mut removal = edited.edit();
            removal.remove("a");
            let removed = Doc::parse(Source::new(removal.finish().unwrap())).value;
            prop_assert!(removed.find("a").is_none());
            prop_assert_eq!(others(&removed), others(&doc));
        }

        #[test]
        fn an_edit_of_nothing_is_nothing(bytes in proptest::collection::vec(any::<u8>(), 0..200)) {
            let doc = Doc::parse(Source::new(bytes.clone())).value;
            prop_assert_eq!(doc.edit().finish().unwrap(), bytes);
        }

        #[test]
        fn spans_of_any_frontmatter_lie_in_order(inner in "(?s)[ab:\\- \\n\r#é]{0,60}") {
            let doc = parse(&format!("---\n{inner}\n---\nbody"));
            let mut last = 0;
            for entry in doc.entries() {
                prop_assert!(entry.span.start >= last && entry.key.end < entry.span.end + 1);
                prop_assert!(entry.value.start >= entry.key.end && entry.value.end <= entry.span.end);
                last = entry.span.end;
            }
        }
    }
}
