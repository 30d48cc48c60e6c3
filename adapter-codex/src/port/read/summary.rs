//! A memory summary, taken apart into what it says.

use std::sync::Arc;

use memory_core::doc::Span;
use memory_core::model::{Dates, Fields, Memory, MemoryKind, Origin, Value};

use crate::memory::summary::{SectionKind, Summary, SummarySection};
use crate::memory::topic::Topic;

/// The memories that a summary holds.
///
/// What it lists of the memory goes scope by scope, so that what belongs to
/// another project can be told apart.
pub(super) fn memories(summary: &Summary, origin: &Origin) -> Vec<Memory> {
    let parts = Parts { summary, origin };
    let is_known = |section: &SummarySection| section.kind != SectionKind::Other;
    if !summary.sections.iter().any(is_known) {
        let all = Span::new(0..summary.source.bytes().len());
        return parts.memory("memory_summary", MemoryKind::Summary, all).into_iter().collect();
    }
    let mut memories: Vec<Memory> = parts.preamble().into_iter().collect();
    for section in &summary.sections {
        let kind = match section.kind {
            SectionKind::Profile => MemoryKind::User,
            SectionKind::Preferences => MemoryKind::Feedback,
            SectionKind::Tips => MemoryKind::Reference,
            SectionKind::Other => MemoryKind::Summary,
            SectionKind::Memory => {
                memories.extend(parts.listed(section));
                continue;
            }
        };
        memories.extend(parts.section(section, kind));
    }
    memories
}

struct Parts<'a> {
    summary: &'a Summary,
    origin: &'a Origin,
}

impl Parts<'_> {
    /// What stands above the first section.
    fn preamble(&self) -> Option<Memory> {
        let start = self.summary.marker.map_or(0, |marker| marker.span.end);
        let end = self.summary.sections.first()?.place.span.start;
        self.memory("memory_summary", MemoryKind::Summary, Span::new(start.min(end)..end))
    }

    /// A section without its heading.
    fn section(&self, section: &SummarySection, kind: MemoryKind) -> Option<Memory> {
        let bytes = self.summary.source.slice(section.place.span);
        let heading = memchr::memchr(b'\n', bytes).map_or(bytes.len(), |end| end + 1);
        let span = section.place.span;
        let mut memory =
            self.memory(&section.heading, kind, Span::new(span.start + heading..span.end))?;
        memory.extra = lines(section.place.first_line, section.place.last_line);
        Some(memory)
    }

    /// The topics of a section, those of one scope together, and what stands
    /// there without being a topic.
    fn listed(&self, section: &SummarySection) -> Vec<Memory> {
        let inside = |topic: &&Topic| {
            topic.place.span.start >= section.place.span.start
                && topic.place.span.end <= section.place.span.end
        };
        let topics: Vec<&Topic> = self.summary.topics.iter().filter(inside).collect();
        let mut scopes: Vec<Option<Arc<str>>> = Vec::new();
        for topic in &topics {
            if !scopes.contains(&topic.scope) {
                scopes.push(topic.scope.clone());
            }
        }
        let mut memories: Vec<Memory> = scopes
            .iter()
            .filter_map(|scope| {
                let of_scope: Vec<&Topic> =
                    topics.iter().filter(|topic| topic.scope == *scope).copied().collect();
                self.scope(section, scope.as_deref(), &of_scope)
            })
            .collect();
        memories.extend(self.beside(section, &topics));
        memories
    }

    fn scope(
        &self,
        section: &SummarySection,
        scope: Option<&str>,
        topics: &[&Topic],
    ) -> Option<Memory> {
        let mut body = String::new();
        let mut day = None;
        for topic in topics {
            if topic.day.is_some() && topic.day != day {
                day.clone_from(&topic.day);
                body.extend(["#### ", day.as_deref().unwrap_or_default(), "\n"]);
            }
            let text = self.summary.source.slice_text(topic.place.span);
            body.push_str(text.trim_end());
            body.push('\n');
        }
        let name = scope.map_or_else(
            || section.heading.clone(),
            |scope| format!("{}: {scope}", section.heading),
        );
        let first = topics.first()?.place.first_line;
        let last = topics.last()?.place.last_line;
        let mut extra = lines(first, last);
        if let Some(folder) = scope.filter(|scope| scope.starts_with('/')) {
            extra.0.push(("cwd".to_owned(), Value::Text(folder.to_owned())));
        }
        let keywords: Vec<Value> = topics
            .iter()
            .flat_map(|topic| &topic.keywords)
            .map(|word| Value::Text(word.clone()))
            .collect();
        if !keywords.is_empty() {
            extra.0.push(("keywords".to_owned(), Value::List(keywords)));
        }
        let modified = topics.iter().filter_map(|topic| topic.day.as_deref()).max();
        let when = Dates { created: None, modified: modified.map(str::to_owned) };
        let memory = self.plain(&name, MemoryKind::Summary, body)?;
        Some(Memory { when, extra, ..memory })
    }

    /// Lines of the section that are neither headings nor topics.
    fn beside(&self, section: &SummarySection, topics: &[&Topic]) -> Option<Memory> {
        let span = section.place.span;
        let mut starts_at = span.start;
        let mut rest = String::new();
        let ends = topics.iter().map(|topic| topic.place.span);
        for topic in ends.chain([Span::new(span.end..span.end)]) {
            let gap = Span::new(starts_at..topic.start.max(starts_at));
            for line in self.summary.source.slice_text(gap).lines() {
                if !line.trim().is_empty() && !line.trim_start().starts_with('#') {
                    rest.push_str(line);
                    rest.push('\n');
                }
            }
            starts_at = topic.end.max(starts_at);
        }
        self.plain(&section.heading, MemoryKind::Summary, rest)
    }

    fn memory(&self, name: &str, kind: MemoryKind, span: Span) -> Option<Memory> {
        self.plain(name, kind, self.summary.source.slice_text(span).into_owned())
    }

    /// A memory; `None` when it would say nothing.
    fn plain(&self, name: &str, kind: MemoryKind, body: String) -> Option<Memory> {
        (!body.trim().is_empty()).then(|| Memory {
            name: name.to_owned(),
            kind,
            description: None,
            body,
            links: Vec::new(),
            when: Dates::default(),
            origin: self.origin.clone(),
            extra: Fields::default(),
        })
    }
}

/// The lines of a piece of a file.
pub(super) fn lines(first: u32, last: u32) -> Fields {
    let line = |key: &str, line: u32| (key.to_owned(), Value::Number(line.to_string()));
    Fields(vec![line("first_line", first), line("last_line", last)])
}
