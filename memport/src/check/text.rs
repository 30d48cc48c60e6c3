//! A file that a client reads, with its lines and without its secrets.

use memory_audit::secrets;
use memory_core::AbsPath;
use memory_core::doc::{Doc, Source};
use memory_core::fs::{Fs, MAX_READ};

/// What a text is to a client.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum TextKind {
    Instructions,
    Rule,
    Skill,
    /// A memory with a file of its own.
    Memory,
    /// The index of a memory.
    Index,
}

/// A file, read once.
#[derive(Clone, Debug)]
pub(super) struct Text {
    pub(super) path: AbsPath,
    pub(super) kind: TextKind,
    /// Which clients read it.
    pub(super) clients: Vec<&'static str>,
    /// What stands there; invalid bytes shown as U+FFFD.
    pub(super) content: String,
    /// The bytes before the body.
    pub(super) body: usize,
    /// The secrets in it.
    pub(super) secrets: Vec<std::ops::Range<usize>>,
    /// Where each line starts.
    starts: Vec<usize>,
}

impl Text {
    pub(super) fn read(fs: &dyn Fs, path: &AbsPath, kind: TextKind) -> Option<Self> {
        let bytes = fs.read_up_to(path, MAX_READ).ok()?;
        let text = String::from_utf8_lossy(&bytes).into_owned();
        let doc = Doc::parse(Source::new(text.as_bytes())).value;
        let body = if doc.frontmatter().is_some() { doc.body_span().start } else { 0 };
        let starts = std::iter::once(0)
            .chain(
                text.bytes().enumerate().filter(|(_, byte)| *byte == b'\n').map(|(at, _)| at + 1),
            )
            .collect();
        let secrets = secrets(&text);
        Some(Self {
            path: path.clone(),
            kind,
            clients: Vec::new(),
            content: text,
            body,
            secrets,
            starts,
        })
    }

    /// The line of a byte, counted from 1.
    pub(super) fn line_of(&self, offset: usize) -> u32 {
        let line = self.starts.partition_point(|start| *start <= offset);
        u32::try_from(line.max(1)).unwrap_or(u32::MAX)
    }

    /// The lines of the body with their numbers, without line ends.
    pub(super) fn body_lines(&self) -> impl Iterator<Item = (u32, &str)> {
        let body = self.content.get(self.body..).unwrap_or_default();
        let first = self.line_of(self.body);
        (first..).zip(body.lines())
    }

    /// All lines with their numbers, without line ends.
    pub(super) fn lines(&self) -> impl Iterator<Item = (u32, &str)> {
        (1_u32..).zip(self.content.lines())
    }

    /// A line without its secrets.
    pub(super) fn shown_line(&self, line: u32) -> String {
        let at = usize::try_from(line).unwrap_or(usize::MAX).saturating_sub(1);
        let Some(start) = self.starts.get(at).copied() else { return String::new() };
        let end = self.starts.get(at + 1).map_or(self.content.len(), |next| next - 1);
        let mut shown = String::new();
        let mut from = start;
        for secret in self.secrets.iter().filter(|secret| secret.start < end && secret.end > start)
        {
            let begin = secret.start.max(start);
            shown += self.content.get(from..begin).unwrap_or_default();
            if secret.start >= start {
                shown.extend(
                    self.content
                        .get(begin..secret.end.min(end))
                        .unwrap_or_default()
                        .chars()
                        .take(4),
                );
            }
            shown.push('…');
            from = secret.end.min(end);
        }
        shown + self.content.get(from..end).unwrap_or_default()
    }
}
