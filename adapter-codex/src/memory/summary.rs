//! `memory_summary.md`: the one file that every new thread is given.

use std::sync::Arc;

use memory_core::doc::Source;
use memory_core::{AbsPath, Parsed};

use super::bullet::Bullet;
use super::diagnostics::FileDiagnostics;
use super::line::Place;
use super::line::{Heading, Item, Line, lines};
use super::topic::Topic;
use crate::quirks::memory as quirks;

/// A summary: sections, and the topics that the last of them lists.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Summary {
    /// The file.
    pub path: AbsPath,
    /// Its bytes, exactly as read.
    pub source: Source,
    /// The first line where it is exactly `v1`, as the client's writer demands of
    /// either tree. Says nothing of the tree's version.
    pub marker: Option<Place>,
    /// The sections in order.
    pub sections: Vec<SummarySection>,
    /// The topics of [`SectionKind::Memory`], in order.
    pub topics: Vec<Topic>,
}

/// One section of a summary.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SummarySection {
    /// Its heading.
    pub heading: String,
    /// Which section it is.
    pub kind: SectionKind,
    /// From the heading to its last line.
    pub place: Place,
    /// Its list items; those of [`SectionKind::Memory`] are topics instead.
    pub bullets: Vec<Bullet>,
}

/// The sections that the client's writer knows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum SectionKind {
    /// `User Profile`.
    Profile,
    /// `User preferences`.
    Preferences,
    /// `General Tips`.
    Tips,
    /// `What's in Memory`.
    Memory,
    /// Any other.
    Other,
}

impl SectionKind {
    fn of(heading: &str) -> Self {
        match heading.to_lowercase().replace('’', "'").as_str() {
            "user profile" => Self::Profile,
            "user preferences" => Self::Preferences,
            "general tips" => Self::Tips,
            "what's in memory" => Self::Memory,
            _ => Self::Other,
        }
    }
}

impl Summary {
    /// Reads a summary from any bytes.
    pub fn parse(path: AbsPath, source: Source) -> Parsed<Self> {
        let mut diagnostics = FileDiagnostics::new(&path);
        let mut reader = Reader::default();
        for line in lines(&source) {
            reader.line(&line);
        }
        let Reader { marker, sections, topics, .. } = reader;
        if marker.is_none() {
            diagnostics.add(
                "codex/memory-summary-unmarked",
                Some(1),
                Some(&quirks::MARKER_IS_NO_VERSION),
                "the first line is not `v1`, so the client writes this file anew when it next works on it",
            );
        }
        if sections.iter().all(|section| section.kind == SectionKind::Other) {
            diagnostics.add(
                "codex/memory-summary-opaque",
                None,
                None,
                "the summary has none of the client's sections; it is kept as plain text",
            );
        }
        Parsed {
            value: Self { path, source, marker, sections, topics },
            diagnostics: diagnostics.finish(),
        }
    }

    /// The bytes of the file, those that were read.
    pub fn bytes(&self) -> &[u8] {
        self.source.bytes()
    }

    /// The text of a section, its heading included.
    pub fn text(&self, section: &SummarySection) -> String {
        self.source.slice_text(section.place.span).into_owned()
    }
}

/// What was read so far, and where the next line belongs.
#[derive(Default)]
struct Reader {
    marker: Option<Place>,
    sections: Vec<SummarySection>,
    topics: Vec<Topic>,
    scope: Option<Arc<str>>,
    day: Option<Arc<str>>,
    older: bool,
    open: Open,
}

/// The list item that an indented line goes on with.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
enum Open {
    #[default]
    Nothing,
    Topic,
    Bullet,
}

impl Reader {
    fn line(&mut self, line: &Line<'_>) {
        if line.number == 1 && &*line.text == "v1" && line.span.len() <= "v1\r\n".len() {
            self.marker = Some(Place::of(line));
            return;
        }
        if line.is_blank() {
            return;
        }
        if let Some(heading) = line.heading() {
            self.heading(&heading, line);
        } else if let Some(item) = line.item() {
            self.item(&item, line);
        } else {
            self.prose(line);
        }
        if let Some(section) = self.sections.last_mut() {
            section.place.reach(line);
        }
    }

    fn in_memory(&self) -> bool {
        self.sections.last().is_some_and(|section| section.kind == SectionKind::Memory)
    }

    fn heading(&mut self, heading: &Heading<'_>, line: &Line<'_>) {
        self.open = Open::Nothing;
        if heading.level <= 2 {
            self.sections.push(SummarySection {
                heading: heading.text.to_owned(),
                kind: SectionKind::of(heading.text),
                place: Place::of(line),
                bullets: Vec::new(),
            });
            (self.scope, self.day, self.older) = (None, None, false);
            return;
        }
        if !self.in_memory() {
            return;
        }
        if heading.level == 3 {
            self.older = heading.text.eq_ignore_ascii_case("Older Memory Topics");
            self.scope = (!self.older).then(|| heading.text.into());
            self.day = None;
        } else if !self.older && is_day(heading.text) {
            self.day = Some(heading.text.into());
        } else {
            self.scope = Some(heading.text.into());
        }
    }

    fn item(&mut self, item: &Item<'_>, line: &Line<'_>) {
        if !self.in_memory() {
            if let Some(section) = self.sections.last_mut() {
                section.bullets.push(Bullet::new(item, line));
                self.open = Open::Bullet;
            }
            return;
        }
        let nested = self.open == Open::Topic && item.indent > 0;
        if let Some(topic) = self.topics.last_mut().filter(|_| nested) {
            topic.add_detail(item, line);
            return;
        }
        let mut topic = Topic::read(item, line);
        (topic.scope, topic.day) = (self.scope.clone(), self.day.clone());
        topic.older = self.older;
        self.topics.push(topic);
        self.open = Open::Topic;
    }

    /// A line that goes on with a list item, or stands for itself.
    fn prose(&mut self, line: &Line<'_>) {
        if line.indent() == 0 {
            self.open = Open::Nothing;
        }
        match self.open {
            Open::Nothing => {}
            Open::Topic => {
                if let Some(topic) = self.topics.last_mut() {
                    topic.go_on(line);
                }
            }
            Open::Bullet => {
                let bullets = self.sections.last_mut().map(|section| &mut section.bullets);
                if let Some(bullet) = bullets.and_then(|bullets| bullets.last_mut()) {
                    bullet.go_on(line);
                }
            }
        }
    }
}

/// Whether a heading begins with a day: `2026-11-09`.
fn is_day(heading: &str) -> bool {
    let pattern = "0000-00-00";
    heading.len() >= pattern.len()
        && heading.bytes().zip(pattern.bytes()).all(|(byte, wanted)| match wanted {
            b'0' => byte.is_ascii_digit(),
            _ => byte == wanted,
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(text: &str) -> Parsed<Summary> {
        let path = AbsPath::new("/m/memory_summary.md").unwrap();
        Summary::parse(path, Source::new(text.as_bytes()))
    }

    #[test]
    fn sections_and_topics_have_their_places() {
        let parsed = parse(
            "v1\r\n## User Profile\r\nMio.\r\n## User preferences\r\n- be short\r\n  always [ad-hoc note]\r\n\
             ## What’s in Memory\r\n### /home/mio/x\r\n#### 2026-11-09\r\n- CSV: csv, 文字コード\r\n  - desc: before CSV\r\n    work\r\n  - learnings: cp932\r\n\
             ### Older Memory Topics\r\n#### site\r\n- link checker: href\r\n",
        );
        assert_eq!(parsed.diagnostics, []);
        let summary = parsed.value;
        assert!(summary.marker.is_some());
        let kinds: Vec<_> = summary.sections.iter().map(|section| section.kind).collect();
        assert_eq!(kinds, [SectionKind::Profile, SectionKind::Preferences, SectionKind::Memory]);
        assert_eq!(summary.sections[1].bullets[0].text, "be short\nalways [ad-hoc note]");
        assert_eq!(summary.sections[1].bullets[0].tags(), ["ad-hoc note"]);
        let [csv, links] = &summary.topics[..] else { panic!("{:?}", summary.topics) };
        assert_eq!(csv.keywords, ["csv", "文字コード"]);
        assert_eq!(csv.description.as_deref(), Some("before CSV\nwork"));
        assert_eq!((csv.place.first_line, csv.place.last_line), (10, 13));
        assert_eq!(
            (csv.scope.as_deref(), csv.day.as_deref()),
            (Some("/home/mio/x"), Some("2026-11-09"))
        );
        assert_eq!((links.older, links.scope.as_deref(), &links.day), (true, Some("site"), &None));
    }

    #[test]
    fn a_missing_marker_and_missing_sections_are_told_and_nothing_is_lost() {
        let parsed = parse("\u{feff}v1\nhello\n");
        let codes: Vec<_> =
            parsed.diagnostics.iter().map(|diagnostics| diagnostics.code.0).collect();
        assert_eq!(codes, ["codex/memory-summary-unmarked", "codex/memory-summary-opaque"]);
        assert_eq!(parsed.value.bytes(), "\u{feff}v1\nhello\n".as_bytes());
        assert!(parse("## User Profile\n").value.marker.is_none());
        assert!(parse("v1 \n## User Profile\n").value.marker.is_none());
    }
}
