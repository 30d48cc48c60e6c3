//! `MEMORY.md`: the handbook of a v1 tree, looked up by search.

use memory_core::doc::Source;
use memory_core::{AbsPath, Parsed};

use super::bullet::Bullet;
use super::diagnostics::FileDiagnostics;
use super::line::Place;
use super::line::lines;
use super::source_ref::SourceRef;

mod reader;

/// A handbook: task groups, and whatever else stands in the file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Handbook {
    /// The file.
    pub path: AbsPath,
    /// Its bytes, exactly as read.
    pub source: Source,
    /// The task groups in order; the same title may occur twice. Empty when
    /// the file is plain Markdown.
    pub groups: Vec<TaskGroup>,
    /// Stretches of text that belong to no group, in order.
    pub other: Vec<Place>,
}

/// One `# Task Group:` block.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TaskGroup {
    /// Its title.
    pub title: String,
    /// What it covers.
    pub scope: Option<String>,
    /// Where it applies, as written.
    pub applies_to: Option<String>,
    /// Its tasks.
    pub tasks: Vec<Task>,
    /// Its other sections.
    pub sections: Vec<HandbookSection>,
    /// List items that belong to neither.
    pub bullets: Vec<Bullet>,
    /// From its heading to its last line.
    pub place: Place,
}

/// One task of a group.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Task {
    /// Its number; `None` when it has none.
    pub number: Option<u32>,
    /// What was done, the outcome left out.
    pub title: String,
    /// How it ended; `None` when the heading does not say it.
    pub outcome: Option<TaskOutcome>,
    /// The files that it was learnt from.
    pub sources: Vec<SourceRef>,
    /// The words under which to find it.
    pub keywords: Vec<String>,
    /// Its other list items.
    pub bullets: Vec<Bullet>,
    /// From its heading to its last line.
    pub place: Place,
}

/// How a task ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum TaskOutcome {
    /// It is done.
    Success,
    /// Some of it is done.
    Partial,
    /// It did not work.
    Fail,
    /// Nobody knows.
    Uncertain,
}

/// One section of a group that is no task.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HandbookSection {
    /// Its heading.
    pub heading: String,
    /// Which section it is.
    pub kind: HandbookSectionKind,
    /// Its list items.
    pub bullets: Vec<Bullet>,
    /// From its heading to its last line.
    pub place: Place,
}

/// The sections that the client's writer knows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum HandbookSectionKind {
    /// `User preferences`.
    Preferences,
    /// `Reusable knowledge`.
    Knowledge,
    /// `Failures and how to do differently`.
    Failures,
    /// Any other.
    Other,
}

impl HandbookSectionKind {
    fn of(heading: &str) -> Self {
        match heading.to_lowercase().as_str() {
            "user preferences" => Self::Preferences,
            "reusable knowledge" => Self::Knowledge,
            "failures and how to do differently" => Self::Failures,
            _ => Self::Other,
        }
    }
}

impl TaskOutcome {
    /// The outcome that a text begins with.
    pub(crate) fn read(text: &str) -> Option<Self> {
        let is_letter = |c: char| c.is_alphanumeric();
        let word = text.trim().split(|c: char| !is_letter(c)).next()?;
        match word.to_ascii_lowercase().as_str() {
            "success" => Some(Self::Success),
            "partial" => Some(Self::Partial),
            "fail" | "failed" | "failure" => Some(Self::Fail),
            "uncertain" => Some(Self::Uncertain),
            _ => None,
        }
    }

    /// The client's word for it: `success`, `partial`, `fail`, `uncertain`.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Success => "success",
            Self::Partial => "partial",
            Self::Fail => "fail",
            Self::Uncertain => "uncertain",
        }
    }
}

impl TaskGroup {
    /// The folder it applies to, as written; `None` when no folder is named.
    pub fn cwd(&self) -> Option<&str> {
        let (_, rest) = self.applies_to.as_deref()?.split_once("cwd=")?;
        let value = rest.split("; ").next().unwrap_or(rest);
        Some(value.trim().trim_end_matches(';'))
    }

    /// The rule for using it again; `None` when there is none.
    pub fn reuse_rule(&self) -> Option<&str> {
        self.applies_to.as_deref()?.split_once("reuse_rule=").map(|(_, rule)| rule.trim())
    }
}

impl Handbook {
    /// Reads a handbook from any bytes.
    pub fn parse(path: AbsPath, source: Source) -> Parsed<Self> {
        let mut diagnostics = FileDiagnostics::new(&path);
        let mut reader = reader::Reader::default();
        for line in lines(&source) {
            reader.line(&line);
        }
        let (groups, other) = reader.finish();
        if groups.is_empty() && !other.is_empty() {
            diagnostics.add(
                "codex/memory-handbook-opaque",
                None,
                None,
                "the handbook has no task group; it is kept as plain Markdown",
            );
        }
        let sources = groups.iter().flat_map(|group| &group.tasks).flat_map(|task| &task.sources);
        for source in sources.filter(|source| !source.is_complete()) {
            diagnostics.add(
                "codex/memory-source-incomplete",
                Some(source.place.first_line),
                None,
                format!("`{}` lacks cwd, rollout_path or updated_at", source.path),
            );
        }
        Parsed { value: Self { path, source, groups, other }, diagnostics: diagnostics.finish() }
    }

    /// The bytes of the file, those that were read.
    pub fn bytes(&self) -> &[u8] {
        self.source.bytes()
    }

    /// The text of a piece.
    pub fn text(&self, place: Place) -> String {
        self.source.slice_text(place.span).into_owned()
    }
}

#[cfg(test)]
mod tests;
