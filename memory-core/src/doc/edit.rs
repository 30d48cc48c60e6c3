//! Changing a document: only what is asked for changes.

use crate::doc::Doc;
use crate::doc::elision::elision;
use crate::doc::section::{self, Section};
use crate::doc::splice::{EditError, splice};
use crate::doc::yaml::yaml_scalar;
use crate::text::{Newline, Source, Span};

/// Changes to a [`Doc`], collected and then made at once.
///
/// Every change replaces one span of bytes; all other bytes stay as they are,
/// line ends, byte order mark and broken YAML elsewhere included. New lines end
/// as the document's lines do.
///
/// ```
/// use memory_core::doc::{Doc, Source};
///
/// let doc = Doc::parse(Source::new(*b"---\r\nname: a\r\nodd: *x: y\r\n---\r\nText\r\n")).value;
/// let mut edit = doc.edit();
/// edit.set("name", "b: c").set("type", "user");
/// assert_eq!(
///     edit.finish()?,
///     b"---\r\nname: \"b: c\"\r\nodd: *x: y\r\ntype: user\r\n---\r\nText\r\n",
/// );
/// # Ok::<(), memory_core::doc::EditError>(())
/// ```
///
/// # What it does not preserve
///
/// A comment behind a value that is set goes with the value. A key that stands
/// twice is set where it stands last, which is the one that clients read.
#[derive(Clone, Debug)]
pub struct DocEdit<'a> {
    doc: &'a Doc,
    splices: Vec<(Span, Vec<u8>)>,
    /// Keys that are new, with their lines.
    inserted: Vec<(String, String)>,
    /// The first change that was made for another text.
    error: Option<EditError>,
}

impl Doc {
    /// Begins a change of this document.
    pub fn edit(&self) -> DocEdit<'_> {
        DocEdit { doc: self, splices: Vec::new(), inserted: Vec::new(), error: None }
    }

    /// The sections of the body: each from its heading to the next one of the
    /// same or a higher level. Headings in code do not count.
    pub fn sections(&self) -> Vec<Section> {
        section::sections(self.source(), self.body_span())
    }
}

impl DocEdit<'_> {
    /// Sets a top-level key of the frontmatter to a text; makes the key, and
    /// the frontmatter, where there is none.
    pub fn set(&mut self, key: &str, text: &str) -> &mut Self {
        self.set_raw(key, &yaml_scalar(text))
    }

    /// Sets a key to a value that is written as it is given, without quotes
    /// being added: for lists, numbers, nested maps.
    pub fn set_raw(&mut self, key: &str, value: &str) -> &mut Self {
        let line = if value.is_empty() { format!("{key}:") } else { format!("{key}: {value}") };
        let doc = self.doc;
        if let Some(entry) = doc.entries().filter(|entry| doc.key(entry) == key).last() {
            let end = self.end_of(entry.span);
            self.splice(entry.span, format!("{line}{end}"));
        } else {
            self.inserted.retain(|(other, _)| other != key);
            self.inserted.push((key.to_owned(), line));
        }
        self
    }

    /// Removes a top-level key wherever it stands; nothing happens without it.
    pub fn remove(&mut self, key: &str) -> &mut Self {
        let doc = self.doc;
        for entry in doc.entries().filter(|entry| doc.key(entry) == key) {
            self.splice(entry.span, String::new());
        }
        self
    }

    /// Replaces what stands below a section's heading, sub-sections included.
    pub fn replace_section(&mut self, section: &Section, text: &str) -> &mut Self {
        if !self.holds(section) {
            return self;
        }
        let mut text = self.with_line_ends(text);
        if !text.is_empty() && !text.ends_with('\n') && self.is_followed(section.content) {
            text.push_str(self.newline());
        }
        self.splice(section.content, text);
        self
    }

    /// Adds a line at the end of a section, before the blank lines that part it
    /// from the next one.
    pub fn append_to_section(&mut self, section: &Section, line: &str) -> &mut Self {
        if !self.holds(section) {
            return self;
        }
        let content = self.doc.source().slice(section.content);
        let kept = content.trim_ascii_end().len();
        let at = section.content.start + kept;
        self.insert_line_after(at, line);
        self
    }

    /// Adds a line at the end of the document.
    pub fn append(&mut self, line: &str) -> &mut Self {
        self.insert_line_after(self.doc.bytes().len(), line);
        self
    }

    /// Replaces any bytes; for an editor that knows what they are.
    pub fn replace(&mut self, span: Span, text: &str) -> &mut Self {
        self.splice(span, text.to_owned());
        self
    }

    /// The first line of the new text that stands for text which was left out,
    /// see [`elision`]; such an edit destroys what it stands for.
    pub fn elision(&self) -> Option<String> {
        let texts = self.splices.iter().map(|(_, text)| String::from_utf8_lossy(text));
        texts.into_iter().find_map(|text| elision(&text).map(|(_, words)| words.to_owned()))
    }

    /// The document's new bytes.
    ///
    /// Where two changes touch the same bytes, the later one counts.
    ///
    /// Errors when a section was taken from another text, or a span does not lie
    /// in this one: nothing can be said of what would be changed then.
    pub fn finish(mut self) -> Result<Vec<u8>, EditError> {
        if let Some(error) = self.error {
            return Err(error);
        }
        self.place_inserted();
        let mut edits: Vec<(Span, Vec<u8>)> = Vec::new();
        for (span, text) in self.splices {
            edits.retain(|(other, _)| !overlap(*other, span));
            edits.push((span, text));
        }
        splice(self.doc.bytes(), edits)
    }

    /// Whether a section was taken from this very text; if not, that is the
    /// error of the edit.
    fn holds(&mut self, section: &Section) -> bool {
        let is_held = section.source == *self.doc.source();
        if !is_held && self.error.is_none() {
            self.error = Some(EditError::StaleSection { title: section.title.clone() });
        }
        is_held
    }

    /// Puts new keys at the end of the frontmatter, or makes one.
    fn place_inserted(&mut self) {
        if self.inserted.is_empty() {
            return;
        }
        let newline = self.newline();
        let mut lines = String::new();
        for (_, line) in self.inserted.drain(..) {
            lines.push_str(&line);
            lines.push_str(newline);
        }
        if let Some(block) = self.doc.frontmatter() {
            let at = block.inner.end;
            self.splice(Span::new(at..at), lines);
        } else {
            let at = self.doc.source().bom_len();
            self.splice(Span::new(at..at), format!("---{newline}{lines}---{newline}"));
        }
    }

    fn insert_line_after(&mut self, at: usize, line: &str) {
        let newline = self.newline();
        let before = self.doc.source().slice(Span::new(0..at));
        let starts_line = before.is_empty() || before.ends_with(b"\n");
        let line = self.with_line_ends(line);
        let text =
            if starts_line { format!("{line}{newline}") } else { format!("{newline}{line}") };
        self.splice(Span::new(at..at), text);
    }

    fn splice(&mut self, span: Span, text: String) {
        self.splices.push((span, text.into_bytes()));
    }

    /// The line end of an entry that is replaced: its own.
    fn end_of(&self, span: Span) -> &'static str {
        let bytes = self.doc.source().slice(span);
        if bytes.ends_with(b"\r\n") {
            "\r\n"
        } else if bytes.ends_with(b"\n") {
            "\n"
        } else {
            ""
        }
    }

    fn newline(&self) -> &'static str {
        match self.doc.source().newline() {
            Newline::CrLf => "\r\n",
            Newline::None | Newline::Lf | Newline::Mixed => "\n",
        }
    }

    fn with_line_ends(&self, text: &str) -> String {
        text.replace("\r\n", "\n").replace('\n', self.newline())
    }

    fn is_followed(&self, span: Span) -> bool {
        span.end < self.doc.bytes().len()
    }
}

/// Whether two changes touch the same bytes; two insertions at one place do not.
fn overlap(a: Span, b: Span) -> bool {
    a.start < b.end && b.start < a.end || a == b && !a.is_empty()
}

/// Reads a document for a change that is made in one breath.
impl From<&[u8]> for Doc {
    fn from(bytes: &[u8]) -> Self {
        Self::parse(Source::new(bytes)).value
    }
}
