//! An index file, line by line.

use std::borrow::Cow;
use std::collections::HashMap;

use memory_core::AbsPath;
use memory_core::doc::{FenceLine, Fences, Source, Span};
use memory_core::model::Link;

use super::link::{self, Pointer};
use crate::text::frontmatter;

/// The index of a memory folder, kept byte for byte.
///
/// Every line is one part, and all parts together cover every byte: prose,
/// headings and comments stay where they are.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct IndexFile {
    /// The file.
    pub path: AbsPath,
    /// The lines in order.
    pub lines: Vec<IndexLine>,
    source: Source,
}

/// One line of an index.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct IndexLine {
    /// Its number, counted from 1.
    pub number: u32,
    /// Its bytes, line end included.
    pub span: Span,
    /// What it is.
    pub part: IndexPart,
    /// What it points to, code left out.
    pub links: Vec<Link>,
}

/// What a line of an index is.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum IndexPart {
    /// Nothing but white space.
    Blank,
    /// A heading.
    Heading {
        /// How many number signs it has, 1 to 6.
        level: u8,
        /// Its text.
        title: String,
    },
    /// A list item, or any other line that points to a file.
    Entry(IndexEntry),
    /// A line that goes on with the list item above it.
    Continued,
    /// A part of a comment: no model sees it.
    Comment,
    /// A part of the frontmatter: no model sees it.
    Frontmatter,
    /// A part of a code block.
    Code,
    /// Any other text.
    Prose,
}

/// One entry of an index.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct IndexEntry {
    /// What comes before its text: indentation and the list's marker; empty
    /// where it is no list item.
    pub marker: String,
    /// The text of its first link, or all of its text where it has none.
    pub title: String,
    /// What is said beside the link; `None` where nothing is.
    pub hook: Option<String>,
    /// The files of the memory folder that it points to, as paths below it.
    pub files: Vec<String>,
}

impl IndexFile {
    /// Reads an index from any bytes.
    pub fn parse(path: AbsPath, bytes: impl Into<std::sync::Arc<[u8]>>) -> Self {
        let source = Source::new(bytes);
        let lines = Reader::new(&source).lines();
        Self { path, lines, source }
    }

    /// The bytes that were read.
    pub fn bytes(&self) -> &[u8] {
        self.source.bytes()
    }

    /// A line's text without its line end and a byte order mark, invalid bytes
    /// shown as U+FFFD.
    pub fn text(&self, line: &IndexLine) -> String {
        self.source.slice_text(self.source.line_content(line.span)).into_owned()
    }

    /// The entries with their lines, in order.
    pub fn entries(&self) -> impl Iterator<Item = (&IndexLine, &IndexEntry)> {
        self.lines.iter().filter_map(|line| match &line.part {
            IndexPart::Entry(entry) => Some((line, entry)),
            _ => None,
        })
    }

    pub(crate) fn source(&self) -> &Source {
        &self.source
    }

    /// Which lines name what; for questions about many topics.
    pub(crate) fn mentions(&self) -> Mentions {
        let mut mentions = Mentions::default();
        for (at, line) in self.lines.iter().enumerate() {
            for link in &line.links {
                mentions.targets.entry(link.target.clone()).or_default().push(at);
                if let Some(file) = link::local_file(&link.target).filter(|it| *it != link.target) {
                    mentions.targets.entry(file).or_default().push(at);
                }
            }
            for word in words(&self.source.slice_text(line.span)) {
                let lines = mentions.words.entry(word.to_owned()).or_default();
                if lines.last() != Some(&at) {
                    lines.push(at);
                }
            }
        }
        mentions
    }

    /// The lines that name a topic by its path, its file name, its stem or its name,
    /// those that no model sees included.
    pub(crate) fn lines_naming(&self, below: &str, name: &str) -> Vec<&IndexLine> {
        let file = below.rsplit('/').next().unwrap_or_default();
        let stem = file.strip_suffix(".md").unwrap_or(file);
        let is_linked = |link: &Link| {
            link.target == stem
                || link.target == name
                || link::local_file(&link.target).as_deref() == Some(below)
        };
        let holds_stem = memchr::memmem::Finder::new(stem);
        let is_anywhere =
            |name: &str| memchr::memmem::find(self.bytes(), name.as_bytes()).is_some();
        if !is_anywhere(stem) && !is_anywhere(name) && !is_anywhere("%") {
            return Vec::new();
        }
        let is_named = |line: &&IndexLine| {
            line.links.iter().any(is_linked) || {
                let bytes = self.source.slice(line.span);
                let text = holds_stem.find(bytes).map(|_| self.source.slice_text(line.span));
                text.is_some_and(|text| words(&text).any(|word| word == file || word == stem))
            }
        };
        self.lines.iter().filter(is_named).collect()
    }
}

/// Which lines of an index name what, by their place among all lines.
#[derive(Clone, Debug, Default)]
pub(crate) struct Mentions {
    targets: HashMap<String, Vec<usize>>,
    words: HashMap<String, Vec<usize>>,
}

impl Mentions {
    /// The lines that name a topic, as [`IndexFile::lines_naming`] finds them.
    pub(crate) fn of<'a>(
        &self,
        index: &'a IndexFile,
        below: &str,
        name: &str,
    ) -> Vec<&'a IndexLine> {
        let file = below.rsplit('/').next().unwrap_or_default();
        let stem = file.strip_suffix(".md").unwrap_or(file);
        let targets = [below, stem, name].into_iter().filter_map(|key| self.targets.get(key));
        let words = [file, stem].into_iter().filter_map(|key| self.words.get(key));
        let mut places: Vec<usize> = targets.chain(words).flatten().copied().collect();
        places.sort_unstable();
        places.dedup();
        places.into_iter().filter_map(|at| index.lines.get(at)).collect()
    }
}

/// The words of a line, as far as names of files are concerned.
fn words(text: &str) -> impl Iterator<Item = &str> {
    let words = text.split(|c: char| c.is_whitespace() || "()[]`<>·,;|\"'*".contains(c));
    words.filter(|word| !word.is_empty()).map(|word| word.trim_start_matches("./"))
}

impl IndexLine {
    /// Whether a model may see it.
    pub(crate) fn is_visible(&self) -> bool {
        !matches!(self.part, IndexPart::Comment | IndexPart::Frontmatter | IndexPart::Blank)
    }
}

struct Reader<'a> {
    source: &'a Source,
    /// How many lines at the start are frontmatter.
    header: u32,
    fences: Fences,
    in_comment: bool,
    in_item: bool,
}

impl<'a> Reader<'a> {
    fn new(source: &'a Source) -> Self {
        let text = source.text();
        let header = frontmatter::parse(&text).and_then(|found| {
            let before = text.get(..found.inner.end)?.matches('\n').count();
            u32::try_from(before + 1).ok()
        });
        let header = header.unwrap_or_default();
        Self { source, header, fences: Fences::default(), in_comment: false, in_item: false }
    }

    fn lines(mut self) -> Vec<IndexLine> {
        let spans: Vec<Span> = self.source.lines().collect();
        // Most files are UTF-8, and then no line need be looked at for that.
        let whole = std::str::from_utf8(self.source.bytes()).unwrap_or_default();
        let source = self.source;
        let line = |(span, number): (Span, u32)| {
            let text = whole.get(span.range()).map(Cow::Borrowed);
            let text = text.unwrap_or_else(|| source.slice_text(span));
            let text = text.trim_end_matches(['\n', '\r']);
            let (part, links) = self.part(text, number);
            self.in_item = match &part {
                IndexPart::Entry(entry) => !entry.marker.is_empty(),
                IndexPart::Continued => true,
                _ => false,
            };
            IndexLine { number, span, part, links }
        };
        spans.into_iter().zip(1..).map(line).collect()
    }

    fn part(&mut self, text: &str, number: u32) -> (IndexPart, Vec<Link>) {
        if number <= self.header {
            return (IndexPart::Frontmatter, Vec::new());
        }
        let text = if number == 1 { text.trim_start_matches('\u{feff}') } else { text };
        if self.in_comment {
            self.in_comment = !text.contains("-->");
            return (IndexPart::Comment, Vec::new());
        }
        if self.fences.next(text) != FenceLine::Text {
            return (IndexPart::Code, Vec::new());
        }
        let trimmed = text.trim();
        if trimmed.is_empty() {
            return (IndexPart::Blank, Vec::new());
        }
        if trimmed.starts_with("<!--") {
            let end = trimmed.split_once("-->").map(|(_, rest)| rest.trim());
            self.in_comment = end.is_none();
            if end.is_none_or(str::is_empty) {
                return (IndexPart::Comment, Vec::new());
            }
        }
        let pointers = link::in_line(text);
        let part = match heading(text) {
            Some((level, title)) => IndexPart::Heading { level, title: title.to_owned() },
            None => match entry(text, &pointers) {
                Some(entry) => IndexPart::Entry(entry),
                None if self.in_item && text.starts_with([' ', '\t']) => IndexPart::Continued,
                None => IndexPart::Prose,
            },
        };
        (part, pointers.into_iter().map(|(_, link)| link).collect())
    }
}

fn heading(line: &str) -> Option<(u8, &str)> {
    let text = line.trim_start_matches(' ');
    let level = text.len() - text.trim_start_matches('#').len();
    let title = text.get(level..)?;
    let is_heading = (1..=6).contains(&level)
        && line.len() - text.len() <= 3
        && (title.is_empty() || title.starts_with([' ', '\t']));
    let level = u8::try_from(level).ok().filter(|_| is_heading)?;
    Some((level, title.trim().trim_end_matches('#').trim_end()))
}

fn entry(line: &str, pointers: &[Pointer]) -> Option<IndexEntry> {
    let links = pointers.iter().map(|(_, link)| link);
    let files: Vec<String> = links.filter_map(|link| link::local_file(&link.target)).collect();
    let marker = marker(line);
    if marker.is_none() && files.is_empty() {
        return None;
    }
    let marker = marker.unwrap_or_default();
    let (title, hook) = match pointers.first() {
        Some((range, first)) => {
            let before = line.get(marker.len()..range.start).unwrap_or_default();
            let after = line.get(range.end..).unwrap_or_default();
            let title = first.title.clone().unwrap_or_else(|| first.target.clone());
            (title, hook(before, after))
        }
        None => (link::plain(line.get(marker.len()..).unwrap_or_default()), None),
    };
    Some(IndexEntry { marker: marker.to_owned(), title, hook, files })
}

/// Indentation, the sign of a list item, and a check box.
pub(crate) fn marker(line: &str) -> Option<&str> {
    let text = line.trim_start_matches([' ', '\t', '>']);
    let digits = text.len() - text.trim_start_matches(|c: char| c.is_ascii_digit()).len();
    let sign = match text.as_bytes() {
        [b'-' | b'*' | b'+', ..] => 1,
        _ if (1..=9).contains(&digits) => {
            let after = text.get(digits..)?;
            digits + usize::from(after.starts_with(['.', ')']))
        }
        _ => return None,
    };
    let after = text.get(sign..).filter(|_| sign > digits || digits == 0)?;
    let content = after.trim_start_matches([' ', '\t']);
    if content.len() == after.len() || content.is_empty() {
        return None;
    }
    let unboxed = ["[ ] ", "[x] ", "[X] "].iter().find_map(|mark| content.strip_prefix(mark));
    line.get(..line.len() - unboxed.unwrap_or(content).len())
}

/// What an entry says beside its first link: after it, or before it where it ends the line.
fn hook(before: &str, after: &str) -> Option<String> {
    let separators = |c: char| c.is_whitespace() || "—–-:：|*_·".contains(c);
    let after = after.trim_start_matches(separators).trim_end();
    let said = if after.is_empty() { before.trim_matches(separators) } else { after };
    (!said.is_empty()).then(|| said.to_owned())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn parse(text: &str) -> IndexFile {
        IndexFile::parse(AbsPath::new("/m/MEMORY.md").unwrap(), text.as_bytes())
    }

    fn kinds(text: &str) -> String {
        let letter = |line: &IndexLine| match &line.part {
            IndexPart::Blank => '_',
            IndexPart::Heading { .. } => '#',
            IndexPart::Entry(_) => 'e',
            IndexPart::Continued => '+',
            IndexPart::Comment => '!',
            IndexPart::Frontmatter => 'f',
            IndexPart::Code => 'c',
            IndexPart::Prose => 'p',
        };
        parse(text).lines.iter().map(letter).collect()
    }

    #[test]
    fn every_line_is_one_part() {
        let text = "---\na: b\n---\n# 🧠 Index #\n\nprose\n<!-- a\n- [x](x.md)\n-->\n- [A](a.md) — h\n   — more\n1. [B](b.md)\n> quote\n```\n- [C](c.md)\n```\n| [D](d.md) | d |\n- bare · stems\n<!-- z --> [E](e.md)\n";
        assert_eq!(kinds(text), "fff#_p!!!e+epccceee");
        assert_eq!(kinds("\u{feff}# A\r\n- x\r\n"), "#e");
    }

    #[test]
    fn entries_of_the_wild_give_title_hook_and_files() {
        for (line, title, hook, files) in [
            ("- [T](f.md) — hook", "T", Some("hook"), vec!["f.md"]),
            ("* **[T](./f.md)**: hook -- x", "T", Some("hook -- x"), vec!["f.md"]),
            ("- **Lead** — text [T](f.md)", "T", Some("Lead** — text"), vec!["f.md"]),
            ("  - [ ] [[f]] hook", "f", Some("hook"), vec![]),
            ("12) [T](f.md), [U](g.md)", "T", Some(", [U](g.md)"), vec!["f.md", "g.md"]),
            ("- one · two", "one · two", None, vec![]),
            ("- [方針](f.md) — 日本語：説明", "方針", Some("日本語：説明"), vec!["f.md"]),
        ] {
            let index = parse(line);
            let (_, entry) = index.entries().next().unwrap();
            let files: Vec<String> = files.into_iter().map(str::to_owned).collect();
            assert_eq!((entry.title.as_str(), entry.hook.as_deref()), (title, hook), "{line}");
            assert_eq!(entry.files, files, "{line}");
        }
        assert_eq!(marker("- [x] a"), Some("- [x] "));
        assert_eq!(
            (marker("-a"), marker("2026 a"), marker("-"), marker("**a**")),
            (None, None, None, None)
        );
    }

    proptest! {
        #[test]
        fn any_bytes_come_back(bytes in proptest::collection::vec(
            prop_oneof![any::<u8>(), Just(b'\n'), Just(b'['), Just(b']'), Just(b'('), Just(b'-'), Just(b'`')], 0..300,
        )) {
            let index = IndexFile::parse(AbsPath::root().join("M"), bytes.clone());
            let joined: Vec<u8> =
                index.lines.iter().flat_map(|line| index.source.slice(line.span).to_vec()).collect();
            prop_assert_eq!(joined, &bytes[..]);
            index.mentions();
        }
    }
}
