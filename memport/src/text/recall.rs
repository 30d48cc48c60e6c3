//! Past conversations.

use memory_core::{counted, grouped};
use memory_recall::{REFERENCE_ONLY, Reference};
use memport_documents::{
    CandidatesDocument, ForgetDocument, ImportDocument, IndexedDocument, IngestDocument,
    RecallDocument, RecallShowDocument, StatsDocument,
};

use super::layout::{painted, palette, wrap};
use super::page::Page;
use super::visible::visible;
use crate::place::Start;

/// Characters of a passage that are shown of a hit.
const PASSAGE: usize = 220;

/// What past conversations say to a query.
pub(crate) fn recall(
    document: &RecallDocument,
    hits: &[Reference],
    query: &str,
    unknown: &[String],
    start: &Start,
    width: usize,
) -> String {
    let mut page = Page::at(start, width);
    if hits.is_empty() {
        let nothing = match unknown {
            _ if document.indexed.conversations == 0 => {
                "Nothing was taken in yet: `memport recall ingest` does it.".to_owned()
            }
            [] => "No past conversation answers this.".to_owned(),
            unknown => {
                let unknown: Vec<_> = unknown.iter().map(|word| visible(word)).collect();
                format!("No past conversation answers this; nowhere stands: {}", unknown.join(", "))
            }
        };
        page.prose(0, &nothing, palette::PLAIN);
    } else {
        page.prose(0, REFERENCE_ONLY, palette::DIM);
    }
    for (hit, document) in hits.iter().zip(&document.hits) {
        page.line(0, &[]);
        let day = document.time.as_deref().map_or("unknown", |time| time.get(..10).unwrap_or(time));
        let project = page.paths().folder(&document.project);
        page.line(
            0,
            &[
                (day, palette::SCOPE),
                ("  ", palette::PLAIN),
                (&visible(&project), palette::PLAIN),
                ("  ", palette::PLAIN),
                (document.source.agent.title(), palette::DIM),
                ("  ", palette::PLAIN),
                (&document.id, palette::DIM),
            ],
        );
        let question = hit.chunk().question.split_whitespace().collect::<Vec<_>>().join(" ");
        for line in wrap(&visible(&shortened(&question, 160)), width.saturating_sub(2)) {
            page.line(2, &[(&line, palette::TITLE)]);
        }
        passage(&mut page, &hit.chunk().answer, query, width);
    }
    page.line(0, &[]);
    if let Some(first) = document.hits.first() {
        let open = format!(
            "`memport recall show {}` shows the conversation, `open` goes on with it.",
            first.id
        );
        page.prose(0, &open, palette::DIM);
    }
    page.prose(0, &coverage(&document.indexed), palette::DIM);
    page.finish()
}

/// The part of an answer that the query speaks of, its words marked.
fn passage(page: &mut Page, answer: &str, query: &str, width: usize) {
    let flat = answer.split_whitespace().collect::<Vec<_>>().join(" ");
    let cut = memory_recall::Passage::of(&flat, query, PASSAGE);
    for line in wrap(&visible(&cut.text), width.saturating_sub(2)) {
        // The words are looked for again in each line: it may have been broken in one.
        let marked = memory_recall::Passage::of(&line, query, usize::MAX);
        let mut parts = Vec::new();
        let mut at = 0;
        for mark in &marked.marks {
            parts.push((line.get(at..mark.start).unwrap_or_default(), palette::PLAIN));
            parts.push((line.get(mark.clone()).unwrap_or_default(), palette::GOOD));
            at = mark.end;
        }
        parts.push((line.get(at..).unwrap_or_default(), palette::PLAIN));
        page.line(2, &parts);
    }
}

fn shortened(text: &str, chars: usize) -> String {
    match text.char_indices().nth(chars) {
        Some((end, _)) => format!("{}…", text.get(..end).unwrap_or_default()),
        None => text.to_owned(),
    }
}

fn coverage(indexed: &IndexedDocument) -> String {
    let until = indexed.until.as_deref().and_then(|until| until.get(..10));
    let until = until.map_or_else(String::new, |until| format!(", until {until}"));
    let left = indexed.of.saturating_sub(indexed.conversations);
    let rest = if left > 0 { "; `memport recall ingest` takes in the rest" } else { "" };
    format!(
        "Looked at {} of {}{until}{rest}.",
        grouped(indexed.conversations),
        counted(indexed.of, "conversation"),
    )
}

/// A whole conversation; the hit that was asked for is marked.
pub(crate) fn conversation(
    document: &RecallShowDocument,
    resume: &str,
    start: &Start,
    width: usize,
) -> String {
    let mut page = Page::at(start, width);
    let project = page.paths().folder(&document.project);
    page.line(
        0,
        &[
            (document.source.agent.title(), palette::TITLE),
            ("  ", palette::PLAIN),
            (&visible(&project), palette::PLAIN),
            ("  ", palette::PLAIN),
            (&visible(&document.source.session), palette::DIM),
        ],
    );
    page.prose(0, REFERENCE_ONLY, palette::DIM);
    for turn in &document.turns {
        page.line(0, &[]);
        let time = turn.time.as_deref().unwrap_or("unknown time");
        let mark = if turn.id == document.id { "  <- the hit" } else { "" };
        page.line(0, &[(time, palette::SCOPE), (mark, palette::LOST)]);
        for line in turn.question.lines().flat_map(|line| wrap(&visible(line), width)) {
            page.line(0, &[(&line, palette::TITLE)]);
        }
        for line in turn.answer.lines() {
            let lines = wrap(&visible(line), width.saturating_sub(2));
            if lines.is_empty() {
                page.line(0, &[]);
            }
            for line in lines {
                page.line(2, &[(&line, palette::PLAIN)]);
            }
        }
    }
    page.line(0, &[]);
    page.line(0, &[("Go on with it: ", palette::DIM), (&visible(resume), palette::PLAIN)]);
    let remember = format!(
        "Worth remembering? `memport memory add --fact FACT --source recall:{}` writes it down, in your own words.",
        document.id
    );
    page.prose(0, &remember, palette::DIM);
    page.finish()
}

/// What was taken in.
pub(crate) fn ingested(document: &IngestDocument, start: &Start, width: usize) -> String {
    let mut page = Page::at(start, width);
    let summary = format!(
        "Took in {} of {} ({} read, {} unchanged or without a conversation).",
        counted(document.chunks, "question"),
        counted(document.files, "transcript"),
        counted(document.bytes, "byte"),
        grouped(document.skipped),
    );
    page.prose(0, &summary, palette::PLAIN);
    for file in &document.unreadable {
        page.prose(0, &format!("Not read: `{}`: {}", file.path, file.message), palette::LOST);
    }
    page.finish()
}

/// What the store holds.
pub(crate) fn stats(
    document: &StatsDocument,
    is_checked: bool,
    start: &Start,
    width: usize,
) -> String {
    let mut page = Page::at(start, width);
    page.prose(0, &format!("Store `{}`", document.store), palette::TITLE);
    let holds = format!(
        "{} from {} in {}, {} of text.",
        counted(document.chunks, "question"),
        counted(document.conversations, "conversation"),
        counted(document.projects, "project"),
        counted(document.bytes, "byte"),
    );
    page.prose(2, &holds, palette::PLAIN);
    page.prose(
        2,
        &format!("Given to clients {}.", counted(document.given, "time")),
        palette::PLAIN,
    );
    page.prose(2, &coverage(&document.indexed), palette::PLAIN);
    if is_checked {
        page.prose(2, "Every page of it is whole.", palette::GOOD);
    }
    page.finish()
}

/// What was given often.
pub(crate) fn candidates(document: &CandidatesDocument, start: &Start, width: usize) -> String {
    let mut page = Page::at(start, width);
    if document.candidates.is_empty() {
        page.prose(0, "Nothing was given to a client so often.", palette::PLAIN);
    } else {
        page.prose(0, REFERENCE_ONLY, palette::DIM);
    }
    for candidate in &document.candidates {
        page.line(0, &[]);
        let times = counted(candidate.times, "time");
        let last = candidate.last.get(..10).unwrap_or_default();
        let project = page.paths().folder(&candidate.project);
        page.line(
            0,
            &[
                (&times, palette::SCOPE),
                (", last ", palette::DIM),
                (last, palette::DIM),
                ("  ", palette::PLAIN),
                (&visible(&project), palette::PLAIN),
                ("  ", palette::PLAIN),
                (&candidate.id, palette::DIM),
            ],
        );
        for line in wrap(&visible(&candidate.question), width.saturating_sub(2)) {
            page.line(2, &[(&line, palette::TITLE)]);
        }
        let answer = candidate.answer.split_whitespace().collect::<Vec<_>>().join(" ");
        for line in wrap(&visible(&shortened(&answer, PASSAGE)), width.saturating_sub(2)) {
            page.line(2, &[(&line, palette::PLAIN)]);
        }
    }
    page.finish()
}

/// What was merged.
pub(crate) fn imported(document: &ImportDocument) -> String {
    format!("Took over {}.\n", counted(document.chunks, "question"))
}

/// What is forgotten.
pub(crate) fn forgotten(document: &ForgetDocument) -> String {
    let count = counted(document.chunks, "question");
    if document.applied {
        format!("Deleted {count} with their answers; the clients' own transcripts stay.\n")
    } else {
        let hint = painted("`--write` does it", palette::DIM);
        format!("Would delete {count} with their answers. {hint}\n")
    }
}
