//! Entries of memories, one by one.

use memory_audit::{Check, Entry, Issue, body_issues, elisions, line_issues, relative_dates};
use memport_documents::CountsDocument;

use super::config::Config;
use super::finding::Finding;
use super::text::{Text, TextKind};

/// From so many bytes on a line is data.
const LONG_LINE: usize = 16 * 1024;

/// What is wrong with an entry, with the thresholds and words that are wanted.
pub(crate) fn judge_entry(text: &str, is_body: bool, config: &Config) -> Vec<Issue> {
    let mut issues = if is_body { body_issues(text) } else { line_issues(text) };
    let whole = 0..text.len();
    let is_long = text.trim().chars().count() > config.limits.entry_chars;
    issues.retain(|issue| issue.check != Check::TooLong);
    if is_long {
        issues.push(Issue { check: Check::TooLong, at: whole });
    }
    let says_progress = issues.iter().any(|issue| issue.check == Check::Progress);
    let mut own = config.words.progress.iter().filter(|word| !word.is_empty());
    if let Some((at, word)) = own.find_map(|word| Some((text.find(word.as_str())?, word)))
        && !says_progress
    {
        issues.push(Issue { check: Check::Progress, at: at..at + word.len() });
    }
    issues
}

/// Judges every entry; counts what there is.
pub(super) fn entries(
    texts: &[Text],
    config: &Config,
    counts: &mut CountsDocument,
) -> Vec<Finding> {
    let mut found = Vec::new();
    for text in texts {
        everywhere(text, &mut found);
        match text.kind {
            TextKind::Memory => memory(text, config, counts, &mut found),
            TextKind::Index => index(text, config, counts, &mut found),
            TextKind::Instructions | TextKind::Rule | TextKind::Skill => {}
        }
    }
    found
}

/// What is wrong in any text: secrets and holes.
fn everywhere(text: &Text, found: &mut Vec<Finding>) {
    for secret in &text.secrets {
        let line = text.line_of(secret.start);
        let end = text.line_of(secret.end.saturating_sub(1));
        found.push(
            Finding::of(Check::Secret, &text.path).on(line, &text.shown_line(line)).until(end),
        );
    }
    let mut is_code = false;
    for (line, said) in text.lines() {
        if said.trim_start().starts_with("```") {
            is_code = !is_code;
        }
        // Nobody shortens a line of that length by hand.
        if !is_code && said.len() < LONG_LINE && !elisions(said).is_empty() {
            found.push(Finding::of(Check::Elision, &text.path).on(line, &text.shown_line(line)));
        }
    }
}

fn memory(text: &Text, config: &Config, counts: &mut CountsDocument, found: &mut Vec<Finding>) {
    let body = text.content.get(text.body..).unwrap_or_default();
    let issues = judge_entry(body, true, config);
    count(&issues, counts);
    for issue in issues {
        let lead =
            body.get(issue.at.clone()).map_or(0, |said| said.len() - said.trim_start().len());
        let line = text.line_of(text.body + issue.at.start + lead);
        let end = text.line_of(
            text.body
                + issue.at.start
                + body.get(issue.at.clone()).unwrap_or_default().trim_end().len(),
        );
        let finding = Finding::of(issue.check, &text.path).on(line, &text.shown_line(line));
        found.push(finding.until(end.max(line)));
    }
    for (line, said) in text.body_lines() {
        dates(text, line, said, found);
        former(text, line, said, found);
    }
}

fn index(text: &Text, config: &Config, counts: &mut CountsDocument, found: &mut Vec<Finding>) {
    for (line, said) in text.body_lines() {
        let trimmed = said.trim();
        if trimmed.is_empty() || trimmed.starts_with('#') || trimmed.starts_with("<!--") {
            continue;
        }
        let tell = |check| Finding::of(check, &text.path).on(line, &text.shown_line(line));
        if trimmed.chars().count() > config.limits.index_chars {
            found.push(tell(Check::IndexTooLong));
        }
        let leads_on = trimmed.contains("](");
        let issues = judge_entry(trimmed, false, config);
        if !leads_on {
            count(&issues, counts);
        }
        // A line that leads to a memory is judged by what it says, not by its form.
        let is_told = |check| match check {
            Check::LineNumber | Check::Progress | Check::RawLog => true,
            Check::TooLong => false,
            _ => !leads_on,
        };
        found.extend(
            issues.iter().filter(|issue| is_told(issue.check)).map(|issue| tell(issue.check)),
        );
        dates(text, line, said, found);
    }
}

fn dates(text: &Text, line: u32, said: &str, found: &mut Vec<Finding>) {
    if said.len() < LONG_LINE && !relative_dates(said).is_empty() {
        found.push(Finding::of(Check::RelativeDate, &text.path).on(line, &text.shown_line(line)));
    }
}

/// What held before, without a day.
fn former(text: &Text, line: u32, said: &str, found: &mut Vec<Finding>) {
    let entry = Entry::parse(said);
    if entry.former.is_some() && entry.date.is_none() {
        found.push(Finding::of(Check::FormerUndated, &text.path).on(line, &text.shown_line(line)));
    }
}

fn count(issues: &[Issue], counts: &mut CountsDocument) {
    let has = |check| issues.iter().any(|issue| issue.check == check);
    counts.entries += 1;
    counts.dated += u64::from(!has(Check::Undated));
    counts.too_long += u64::from(has(Check::TooLong));
    counts.with_line_numbers += u64::from(has(Check::LineNumber));
    counts.with_progress_words += u64::from(has(Check::Progress));
}
