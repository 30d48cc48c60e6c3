//! `rollout_summaries/*.md`: what happened in one thread.

use memory_core::doc::{Source, Span};
use memory_core::{AbsPath, Parsed};

use super::diagnostics::FileDiagnostics;
use super::handbook::TaskOutcome;
use super::header::ThreadHeader;
use super::line::Place;
use super::line::lines;
use super::stem::RolloutStem;
use crate::quirks::memory as quirks;

/// What happened in one thread.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RolloutSummary {
    /// The file.
    pub path: AbsPath,
    /// Its bytes, exactly as read.
    pub source: Source,
    /// The parts of its name; `None` when the client would not give that name.
    pub stem: Option<RolloutStem>,
    /// The lines above the text; empty when there are none.
    pub header: ThreadHeader,
    /// The text below the header and its blank line.
    pub body: Span,
    /// The first heading of the text.
    pub title: Option<String>,
    /// The tasks that the text tells of.
    pub tasks: Vec<RolloutTask>,
    /// Characters that the client cut out of the middle; `None` when it is whole.
    pub cut_chars: Option<u64>,
}

/// One task of a rollout summary.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RolloutTask {
    /// Its heading without `Task`, its number and the colon.
    pub title: String,
    /// How it ended; `None` when it is not said.
    pub outcome: Option<TaskOutcome>,
    /// From its heading to its last line.
    pub place: Place,
}

impl RolloutSummary {
    /// Reads a rollout summary from any bytes.
    pub fn parse(path: AbsPath, source: Source) -> Parsed<Self> {
        let mut diagnostics = FileDiagnostics::new(&path);
        let mut header = ThreadHeader::default();
        let mut body = None;
        let (mut title, mut tasks) = (None, Vec::<RolloutTask>::new());
        let mut cut_chars = None;
        for line in lines(&source) {
            if body.is_none() {
                let start = line.number == 1 && !ThreadHeader::knows(&line);
                if start || !header.add(&line) {
                    body = Some(if line.is_blank() { line.span.end } else { line.span.start });
                }
            }
            if body.is_none() || line.is_blank() {
                continue;
            }
            cut_chars = cut_chars.or_else(|| cut_in(&line.text));
            if let Some(heading) = line.heading() {
                let task = heading.text.strip_prefix("Task ").and_then(|rest| rest.split_once(':'));
                match task {
                    Some((_, name)) => tasks.push(RolloutTask {
                        title: name.trim().to_owned(),
                        outcome: None,
                        place: Place::of(&line),
                    }),
                    None if title.is_none() => title = Some(heading.text.to_owned()),
                    None => {}
                }
            }
            if let Some(task) = tasks.last_mut() {
                task.place.reach(&line);
                if let Some(outcome) = line.text.trim().strip_prefix("Outcome:") {
                    task.outcome = task.outcome.or_else(|| TaskOutcome::read(outcome));
                }
            }
        }
        if header.thread_id.is_none() {
            diagnostics.add(
                "codex/rollout-summary-headless",
                Some(1),
                Some(&quirks::FOREIGN_SUMMARIES_DELETED),
                "no thread is named above the text; the client deletes a summary that belongs to none of its threads",
            );
        }
        let end = source.bytes().len();
        let body = Span::new(body.unwrap_or(end)..end);
        let name = path.file_name().unwrap_or_default();
        let stem = RolloutStem::parse(name.strip_suffix(".md").unwrap_or(name));
        let value = Self { path, source, stem, header, body, title, tasks, cut_chars };
        Parsed { value, diagnostics: diagnostics.finish() }
    }

    /// The bytes of the file, those that were read.
    pub fn bytes(&self) -> &[u8] {
        self.source.bytes()
    }

    /// The text below the header.
    pub fn text(&self) -> String {
        self.source.slice_text(self.body).into_owned()
    }
}

/// The number in `…514 chars truncated…`.
fn cut_in(line: &str) -> Option<u64> {
    let (before, _) = line.split_once(" chars truncated…")?;
    before.rsplit_once('…')?.1.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(text: &str) -> Parsed<RolloutSummary> {
        let path = AbsPath::new("/m/rollout_summaries/2026-11-02T08-15-30-t0gT-x.md").unwrap();
        RolloutSummary::parse(path, Source::new(text.as_bytes()))
    }

    #[test]
    fn the_header_ends_at_the_blank_line() {
        let parsed = parse(
            "thread_id: 01a1\nupdated_at: 2026-11-02T09:40:00+00:00\ncwd: /x: y\ngit_branch: \n\n\
             # Done\n\n## Task 1: fix it\n\nOutcome: partial, for now\n\ncwd: no header\n",
        );
        assert_eq!(parsed.diagnostics, []);
        let found = parsed.value;
        assert_eq!(found.header.cwd.as_deref(), Some("/x: y"));
        assert_eq!(found.header.git_branch.as_deref(), Some(""));
        assert_eq!(found.title.as_deref(), Some("Done"));
        assert_eq!(found.tasks[0].outcome, Some(TaskOutcome::Partial));
        assert!(found.text().starts_with("# Done\n"));
        assert_eq!(found.stem.as_ref().unwrap().hash, "t0gT");
    }

    #[test]
    fn without_a_header_all_is_text() {
        let parsed = parse("# recap\n\ncwd: /x\n");
        assert_eq!(parsed.value.body.start, 0);
        assert_eq!(parsed.diagnostics[0].code.0, "codex/rollout-summary-headless");
        assert_eq!(parse("").value.body, Span::default());
        assert_eq!(parse("thread_id: a\n\nx…514 chars truncated…y\n").value.cut_chars, Some(514));
    }
}
