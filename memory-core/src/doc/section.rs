//! Sections of a Markdown text, found by their headings.

use crate::doc::fences::{FenceLine, Fences};
use crate::text::{Source, Span};

/// A heading with what stands below it, in the text in which it was found.
///
/// A section belongs to that text: an edit of any other one refuses it.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Section {
    /// The heading's text without the number signs.
    pub title: String,
    /// How many number signs it has, 1 to 6.
    pub level: u8,
    /// The heading's line.
    pub heading: Span,
    /// From behind the heading's line to the next heading of the same or a
    /// higher level.
    pub content: Span,
    /// The text in which it was found.
    pub(super) source: Source,
}

/// The sections of a text whose body is this span of it.
pub(super) fn sections(source: &Source, body: Span) -> Vec<Section> {
    let mut found: Vec<Section> = Vec::new();
    let mut at = body.start;
    let mut fences = Fences::default();
    for line in source.slice(body).split_inclusive(|byte| *byte == b'\n') {
        let span = Span::new(at..at + line.len());
        at = span.end;
        let text = String::from_utf8_lossy(line);
        if fences.next(&text) != FenceLine::Text {
            continue;
        }
        if let Some((level, title)) = heading(text.trim_end()) {
            let title = title.to_owned();
            let content = Span::new(span.end..span.end);
            found.push(Section { title, level, heading: span, content, source: source.clone() });
        }
    }
    let ends: Vec<usize> = found
        .iter()
        .enumerate()
        .map(|(number, section)| {
            let next = found.iter().skip(number + 1).find(|next| next.level <= section.level);
            next.map_or(at, |next| next.heading.start)
        })
        .collect();
    for (section, end) in found.iter_mut().zip(ends) {
        section.content.end = end;
    }
    found
}

fn heading(line: &str) -> Option<(u8, &str)> {
    let text = line.trim_start_matches(' ');
    if line.len() - text.len() > 3 {
        return None;
    }
    let level = text.bytes().take_while(|byte| *byte == b'#').count();
    let title = text.get(level..)?;
    if !(1..=6).contains(&level) || !(title.is_empty() || title.starts_with([' ', '\t'])) {
        return None;
    }
    let title = title.trim().trim_end_matches('#').trim_end();
    Some((u8::try_from(level).ok()?, title))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sections_end_at_the_next_heading_of_their_level() {
        let text = "intro\n# A\na\n## B\nb\n```\n# code\n```\n# C #\nc";
        let found = sections(&Source::new(text.as_bytes()), Span::new(0..text.len()));
        let shown: Vec<_> = found
            .iter()
            .map(|section| {
                (section.title.as_str(), section.level, text.get(section.content.range()).unwrap())
            })
            .collect();
        assert_eq!(
            shown,
            [
                ("A", 1, "a\n## B\nb\n```\n# code\n```\n"),
                ("B", 2, "b\n```\n# code\n```\n"),
                ("C", 1, "c")
            ]
        );
    }
}
