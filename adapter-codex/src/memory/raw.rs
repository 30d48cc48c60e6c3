//! `raw_memories.md`: what the client gathered from threads, before it was worked on.

use memory_core::doc::{Source, Span};
use memory_core::model::{Fields, Value};
use memory_core::{AbsPath, Parsed};

use super::diagnostics::FileDiagnostics;
use super::header::{ThreadHeader, without_blank_ends};
use super::line::Place;
use super::line::{Line, lines};

/// Threads that are diagnostics apart, twice as many as the client ever takes.
const MAX_ENTRIES: usize = 8_192;
/// Keys of the block that may open a text, at most.
const MAX_FIELDS: usize = 64;

/// What the client gathered from threads; rebuilt each time it works.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RawMemories {
    /// The file.
    pub path: AbsPath,
    /// Its bytes, exactly as read.
    pub source: Source,
    /// One entry a thread, in order.
    pub entries: Vec<RawMemory>,
}

/// What the client gathered from one thread.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RawMemory {
    /// The lines above the text, the thread among them.
    pub header: ThreadHeader,
    /// The keys of the block that may open the text: description, keywords, …
    pub fields: Fields,
    /// The text, that block included, blank lines at its ends left out.
    pub body: Span,
    /// From its heading to its last line.
    pub place: Place,
}

/// Where the next line belongs.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Part {
    Header,
    Body,
    Fields,
}

impl RawMemories {
    /// Reads raw memories from any bytes.
    pub fn parse(path: AbsPath, source: Source) -> Parsed<Self> {
        let mut diagnostics = FileDiagnostics::new(&path);
        let mut entries: Vec<RawMemory> = Vec::new();
        let mut part = Part::Body;
        let mut heading: Option<(String, Place)> = None;
        for line in lines(&source) {
            // A text may hold such a heading too; the client's is followed by a header.
            if let Some((thread_id, place)) = heading.take()
                && ThreadHeader::knows(&line)
            {
                if entries.len() == MAX_ENTRIES {
                    diagnostics.add(
                        "codex/raw-memories-many",
                        Some(place.first_line),
                        None,
                        format!("only the first {MAX_ENTRIES} threads are diagnostics apart"),
                    );
                    break;
                }
                entries.push(RawMemory::new(thread_id, place));
                part = Part::Header;
            }
            if let Some(entry) = entries.last_mut() {
                part = entry.line(&line, part);
            }
            heading = thread(&line.text).map(|id| (id.to_owned(), Place::of(&line)));
        }
        // Each text ends where the next heading begins.
        let starts: Vec<usize> = entries.iter().map(|entry| entry.place.span.start).collect();
        let ends = starts.into_iter().skip(1).chain([source.bytes().len()]);
        for (entry, end) in entries.iter_mut().zip(ends) {
            entry.body = without_blank_ends(&source, Span::new(entry.body.start..end));
            entry.place.span.end = entry.place.span.end.min(end);
        }
        let start = Span::new(source.bom_len()..source.bytes().len());
        if !source.slice(start).starts_with(b"# Raw Memories") {
            diagnostics.add(
                "codex/raw-memories-foreign",
                Some(1),
                None,
                "this is not how the client begins the file; it writes the file anew when it next works",
            );
        }
        Parsed { value: Self { path, source, entries }, diagnostics: diagnostics.finish() }
    }

    /// The bytes of the file, those that were read.
    pub fn bytes(&self) -> &[u8] {
        self.source.bytes()
    }

    /// The text of an entry.
    pub fn text(&self, entry: &RawMemory) -> String {
        self.source.slice_text(entry.body).into_owned()
    }
}

impl RawMemory {
    fn new(thread_id: String, place: Place) -> Self {
        let header = ThreadHeader { thread_id: Some(thread_id), ..ThreadHeader::default() };
        Self { header, fields: Fields::default(), body: Span::default(), place }
    }

    /// A field's text: that of `description`, say.
    pub fn field(&self, key: &str) -> Option<&str> {
        self.fields.get(key).and_then(Value::as_text)
    }

    fn line(&mut self, line: &Line<'_>, part: Part) -> Part {
        if !line.is_blank() && thread(&line.text).is_none() {
            self.place.reach(line);
        }
        let is_fence = line.text.trim() == "---";
        match part {
            Part::Header if !line.is_blank() && self.header.add(line) => {
                self.body = Span::new(line.span.end..line.span.end);
                Part::Header
            }
            Part::Header => {
                let start = if line.is_blank() { line.span.end } else { line.span.start };
                self.body = Span::new(start..start);
                if is_fence { Part::Fields } else { Part::Body }
            }
            Part::Body if is_fence && line.span.start == self.body.start => Part::Fields,
            Part::Fields if is_fence => Part::Body,
            Part::Fields => {
                if let Some((key, value)) = line.text.split_once(':')
                    && self.fields.0.len() < MAX_FIELDS
                {
                    let value = Value::Text(value.trim().to_owned());
                    self.fields.0.push((key.trim().to_owned(), value));
                }
                Part::Fields
            }
            Part::Body => Part::Body,
        }
    }
}

/// The thread in a heading of the client's: `` ## Thread `ID` ``.
fn thread(line: &str) -> Option<&str> {
    line.trim_end().strip_prefix("## Thread `")?.strip_suffix('`')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(text: &str) -> Parsed<RawMemories> {
        let path = AbsPath::new("/m/raw_memories.md").unwrap();
        RawMemories::parse(path, Source::new(text.as_bytes()))
    }

    #[test]
    fn entries_have_headers_fields_and_texts() {
        let raw = parse(
            "# Raw Memories\n\nMerged:\n\n## Thread `a`\nupdated_at: x\ncwd: /r\n\n---\ndescription: one: two\n---\n\nhello\n---\n## Thread `no`\ntext\n\n\
             ## Thread `b`\ncwd: /s\nrollout_summary_file: b.md\n\n\n\n",
        );
        assert_eq!(raw.diagnostics, []);
        let raw = raw.value;
        let [a, b] = &raw.entries[..] else { panic!("{raw:?}") };
        assert_eq!(a.field("description"), Some("one: two"));
        assert_eq!(
            raw.text(a),
            "---\ndescription: one: two\n---\n\nhello\n---\n## Thread `no`\ntext"
        );
        assert_eq!(b.header.rollout_summary_file.as_deref(), Some("b.md"));
        assert_eq!((raw.text(b), b.place.last_line), (String::new(), 20));
    }

    #[test]
    fn a_file_without_threads_has_no_entries() {
        assert_eq!(parse("# Raw Memories\n\nNo raw memories yet.\n").value.entries, []);
        let foreign = parse("hello");
        assert_eq!(foreign.diagnostics[0].code.0, "codex/raw-memories-foreign");
    }
}
