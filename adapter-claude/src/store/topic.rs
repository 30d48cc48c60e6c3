//! One topic file.

use std::borrow::Cow;
use std::time::SystemTime;

use memory_core::doc::{Doc, Source, Span};
use memory_core::model::{Dates, Fields, Link, Memory, MemoryKind, Value};
use memory_core::{AbsPath, Provenance, Scope, Via};

use super::link;
use crate::profile::CLIENT;
use crate::text::frontmatter;

/// A topic file of a memory folder, kept byte for byte.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct TopicFile {
    /// The file.
    pub path: AbsPath,
    /// Its path below the memory folder, `/` between the parts.
    pub below: String,
    /// Its size in bytes.
    pub bytes: u64,
    /// When the file was last changed, or `None` where the system keeps no time.
    pub modified: Option<SystemTime>,
    /// How its frontmatter is laid out.
    pub layout: TopicLayout,
    /// What was read of it: the whole file, or its beginning.
    source: Source,
    fields: Fields,
    is_utf8: bool,
    /// Where the closing fence of the frontmatter stands, in the source's text.
    header_end: Option<usize>,
    /// Where the body starts, in the source's text.
    body: usize,
}

/// The generations of frontmatter that topic files have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum TopicLayout {
    /// No frontmatter at all.
    Plain,
    /// Frontmatter that the client cannot read.
    Unreadable,
    /// All keys stand at the top.
    TopLevel,
    /// All keys stand at the top, the session among them.
    TopLevelWithSession,
    /// Keys beside name and description stand in `metadata`.
    Nested,
}

impl TopicFile {
    /// Reads a topic from any bytes; `bytes` may be its beginning only.
    pub(crate) fn parse(path: AbsPath, below: String, bytes: Vec<u8>) -> Self {
        let source = Source::new(bytes);
        let text = source.text();
        let found = frontmatter::split(&text);
        let header = found.as_ref().and_then(|(inner, _)| text.get(inner.clone()));
        let (layout, fields) = header.map_or((TopicLayout::Plain, Fields::default()), read);
        let (header_end, body) = found.map_or((None, 0), |(inner, body)| (Some(inner.end), body));
        let bytes = source.bytes().len() as u64;
        let is_utf8 = matches!(text, Cow::Borrowed(_));
        drop(text);
        Self {
            path,
            below,
            bytes,
            modified: None,
            layout,
            source,
            fields,
            is_utf8,
            header_end,
            body,
        }
    }

    /// The file's name without `.md`.
    pub fn stem(&self) -> &str {
        let name = self.below.rsplit('/').next().unwrap_or_default();
        name.strip_suffix(".md").unwrap_or(name)
    }

    /// Its own name; `None` where it has none, or an empty one.
    pub fn own_name(&self) -> Option<&str> {
        self.text("name").filter(|name| !name.is_empty())
    }

    /// The name by which it is known: its own, else the file's.
    pub fn name(&self) -> &str {
        self.own_name().unwrap_or_else(|| self.stem())
    }

    /// One line about it, as written; `None` where the client finds no text.
    pub fn description(&self) -> Option<&str> {
        self.text("description").filter(|text| !text.is_empty())
    }

    /// The type as written, that in `metadata` before that at the top.
    pub fn type_name(&self) -> Option<&str> {
        self.value("type").and_then(Value::as_text)
    }

    /// All keys and values, as the client reads them.
    pub fn fields(&self) -> &Fields {
        &self.fields
    }

    /// The document, for an edit.
    pub fn doc(&self) -> Doc {
        Doc::parse(self.source.clone()).value
    }

    pub(crate) fn is_utf8(&self) -> bool {
        self.is_utf8
    }

    /// Whether it starts as frontmatter does.
    pub(crate) fn opens_a_header(&self) -> bool {
        let bytes = self.source.slice(Span::new(self.source.bom_len()..self.source.bytes().len()));
        bytes.starts_with(b"---")
    }

    /// Whether somebody put it away: `archived: true`, or `status: archived`.
    pub(crate) fn is_marked_archived(&self) -> bool {
        self.value("archived") == Some(&Value::Bool(true))
            || self.value("archived_at").is_some()
            || self.is_marked("archived")
    }

    /// Whether its `status` is this word.
    pub(crate) fn is_marked(&self, status: &str) -> bool {
        self.value("status").and_then(Value::as_text) == Some(status)
    }

    /// The value of a key, that in `metadata` before that at the top.
    fn value(&self, key: &str) -> Option<&Value> {
        self.nested(key).or_else(|| self.fields.get(key))
    }

    /// The text behind the frontmatter, and the line on which it starts, counted from 1.
    pub(crate) fn body(&self) -> (String, u32) {
        let text = self.source.text();
        let (above, body) = text.split_at_checked(self.body).unwrap_or_default();
        (body.to_owned(), line_after(above))
    }

    /// The last line of the frontmatter, counted from 1; `None` without any.
    pub(crate) fn last_header_line(&self) -> Option<u32> {
        let text = self.source.text();
        text.get(..self.header_end?).map(line_after)
    }

    /// The text of a line of the file, counted from 1.
    pub(crate) fn line(&self, number: u32) -> String {
        let text = self.source.text();
        let at = usize::try_from(number.saturating_sub(1)).unwrap_or(usize::MAX);
        text.lines().nth(at).unwrap_or_default().to_owned()
    }

    /// What its body points to, with the lines of the file, counted from 1.
    pub(crate) fn links(&self) -> Vec<(u32, Link)> {
        let text = self.source.text();
        let (above, body) = text.split_at_checked(self.body).unwrap_or_default();
        if !body.contains("](") && !body.contains("[[") {
            return Vec::new();
        }
        let first = line_after(above);
        let links = link::in_text(body).into_iter();
        links.map(|(line, link)| (line + first - 1, link)).collect()
    }

    /// The names in its pointers of the form `[[name]]`, with the lines of the
    /// file, counted from 1.
    pub(crate) fn wikis(&self) -> Vec<(u32, String)> {
        let text = self.source.text();
        let (above, body) = text.split_at_checked(self.body).unwrap_or_default();
        if !body.contains("[[") {
            return Vec::new();
        }
        let first = line_after(above);
        let wikis = link::wikis_in_text(body).into_iter();
        wikis.map(|(line, target)| (line + first - 1, target)).collect()
    }

    /// The same in no client's words.
    pub fn memory(&self, scope: Scope) -> Memory {
        let nested = match self.fields.get("metadata") {
            Some(Value::Map(nested)) => nested.clone(),
            _ => Fields::default(),
        };
        let known = ["name", "description", "metadata", "type", "modified"];
        let mut extra = self.fields.clone();
        extra.0.retain(|(key, _)| !known.contains(&key.as_str()));
        extra.0.extend(nested.0.into_iter().filter(|(key, _)| !known.contains(&key.as_str())));
        let modified = self.value("modified");
        Memory {
            name: self.name().to_owned(),
            kind: kind(self.type_name()),
            description: self.description().map(str::to_owned),
            body: self.body().0,
            links: self.links().into_iter().map(|(_, link)| link).collect(),
            when: Dates {
                created: None,
                modified: modified.and_then(Value::as_text).map(str::to_owned),
            },
            origin: Provenance {
                client: CLIENT,
                scope,
                path: Some(self.path.clone()),
                via: Via::Discovered,
            },
            extra,
        }
    }

    fn text(&self, key: &str) -> Option<&str> {
        self.fields.get(key).and_then(Value::as_text)
    }

    fn nested(&self, key: &str) -> Option<&Value> {
        match self.fields.get("metadata") {
            Some(Value::Map(nested)) => nested.get(key),
            _ => None,
        }
    }
}

/// A type in no client's words; one that nobody gave is `Other("")`.
fn kind(type_name: Option<&str>) -> MemoryKind {
    match type_name.unwrap_or_default() {
        "user" => MemoryKind::User,
        "feedback" => MemoryKind::Feedback,
        "project" => MemoryKind::Project,
        "reference" => MemoryKind::Reference,
        other => MemoryKind::Other(other.to_owned()),
    }
}

/// The line, counted from 1, on which the text after a beginning starts.
fn line_after(beginning: &str) -> u32 {
    u32::try_from(beginning.matches('\n').count() + 1).unwrap_or(u32::MAX)
}

/// Reads what stands between the fences.
fn read(header: &str) -> (TopicLayout, Fields) {
    let fields = if header.contains('\r') {
        frontmatter::read(&header.replace("\r\n", "\n")).0
    } else {
        frontmatter::read(header).0
    };
    let Some(fields) = fields else {
        let is_empty = header.trim().is_empty();
        let layout = if is_empty { TopicLayout::TopLevel } else { TopicLayout::Unreadable };
        return (layout, Fields::default());
    };
    let layout = match fields.get("metadata") {
        Some(Value::Map(_)) => TopicLayout::Nested,
        _ if fields.get("originSessionId").is_some() => TopicLayout::TopLevelWithSession,
        _ => TopicLayout::TopLevel,
    };
    (layout, fields)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn topic(text: &str) -> TopicFile {
        TopicFile::parse(AbsPath::new("/m/a b.md").unwrap(), "a b.md".to_owned(), text.into())
    }

    #[test]
    fn all_generations_of_frontmatter_are_read() {
        for (text, layout, name, kind) in [
            ("just text", TopicLayout::Plain, "a b", MemoryKind::Other(String::new())),
            (
                "---\nname: Two Words\ntype: user\n---\nx",
                TopicLayout::TopLevel,
                "Two Words",
                MemoryKind::User,
            ),
            (
                "---\r\nname: 日本語: x\r\ntype: project\r\n---\r\nx",
                TopicLayout::TopLevel,
                "日本語: x",
                MemoryKind::Project,
            ),
            (
                "---\nname: a\ntype: user\noriginSessionId: s\n---\n",
                TopicLayout::TopLevelWithSession,
                "a",
                MemoryKind::User,
            ),
            (
                "\u{feff}---\nname: a\ntype: user\nmetadata: \n  type: feedback\n---\n\nx",
                TopicLayout::Nested,
                "a",
                MemoryKind::Feedback,
            ),
            (
                "---\nname: \"\n---\nx",
                TopicLayout::Unreadable,
                "a b",
                MemoryKind::Other(String::new()),
            ),
            (
                "---\nname: \"\"\n---\n",
                TopicLayout::TopLevel,
                "a b",
                MemoryKind::Other(String::new()),
            ),
        ] {
            let topic = topic(text);
            let memory = topic.memory(Scope::Local);
            assert_eq!(topic.layout, layout, "{text:?}");
            assert_eq!((memory.name.as_str(), memory.kind), (name, kind), "{text:?}");
        }
    }

    #[test]
    fn keys_without_a_word_of_their_own_stay() {
        let topic = topic(
            "---\nname: a\ncolour: red\nmetadata:\n  modified: t\n  n: 1\n---\n\nsee [[b]]\n",
        );
        let memory = topic.memory(Scope::Local);
        let keys: Vec<_> = memory.extra.0.iter().map(|(key, _)| key.as_str()).collect();
        assert_eq!(keys, ["colour", "n"]);
        assert_eq!(memory.when.modified.as_deref(), Some("t"));
        assert_eq!(memory.links.first().map(|link| link.target.as_str()), Some("b"));
        assert_eq!((topic.last_header_line(), topic.body().1), (Some(7), 9));
        assert_eq!(topic.links().first().map(|(line, _)| *line), Some(9));
    }

    proptest! {
        #[test]
        fn any_bytes_are_a_topic(bytes in proptest::collection::vec(any::<u8>(), 0..300)) {
            let topic = TopicFile::parse(AbsPath::root(), "a.md".to_owned(), bytes.clone());
            let doc = topic.doc();
            prop_assert_eq!(doc.edit().finish().unwrap(), bytes);
            topic.memory(Scope::Local);
        }
    }
}
