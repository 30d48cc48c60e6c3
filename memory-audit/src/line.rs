//! Checks of one entry: a line, or the short text of a file.

mod event;
mod facts;
mod log;
mod position;
mod procedure;
mod progress;

use std::ops::Range;

use crate::check::Check;
use crate::entry::{Entry, Lesson};
use crate::pattern::patterns;

/// The most characters of an entry.
pub const MOST_CHARS: usize = 300;

/// The most characters of an index line.
pub const MOST_INDEX_CHARS: usize = 150;

/// Beyond this a text is a document; what is looked for in an entry is looked
/// for in its beginning only.
const ENTRY_BYTES: usize = 8 * 1024;

/// Something that is wrong with an entry.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Issue {
    /// What is wrong.
    pub check: Check,
    /// The bytes of the text that it is about.
    pub at: Range<usize>,
}

patterns! {
    DAY = [r"[0-9０-９]{4}-[0-9０-９]{2}-[0-9０-９]{2}"];
    RELATIVE = [
        "昨日|一昨日|おととい|明日|明後日|あさって|今日|本日|昨夜|今朝|今夜|今晩|先週|今週|来週|再来週|先月|今月|来月|昨年|去年|一昨年|今年|来年|先日|この前|先ほど|さっき|週明け|[0-9０-９一二三四五六七八九十]+(?:日|週間|か月|ヶ月|カ月|年)前(?:から|に|は|、|。)|最近",
        r"\b(?:yesterday|today|tomorrow|tonight|last (?:night|week|month|quarter|year|spring|summer|autumn|fall|winter|mon|tues|wednes|thurs|fri|satur|sun)(?:day)?|next (?:week|month|quarter|year|mon|tues|wednes|thurs|fri|satur|sun)(?:day)?|this (?:week|month|quarter|year|morning|afternoon|evening)|(?:[0-9]+|a few|two|three|some) (?:days|weeks|months|years) ago|recently|the other day|just now)\b",
    ];
    /// A relative word that is meant as a rule, not as a day.
    RULED = [
        "(?:毎|各|その|同じ|前)(?:日|週|月|年)|(?:今日|本日|昨日|明日|今週|来週|先週|今月|来月|先月|今年|来年|去年)(?:の日付|分を|分は|の分|付け|以降の日|か|が休|より|と比べ)|「[^」]*」",
        r"\b(?:every|each|per) (?:last|next)\b|\bthe (?:last|next) (?:week|month|year|friday|day)\b|`[^`]*`",
    ];
}

/// What is wrong with one line of a memory.
pub fn line_issues(line: &str) -> Vec<Issue> {
    entry_issues(line, line.chars().count(), false)
}

/// What is wrong with the body of a memory that has a file of its own.
pub fn body_issues(body: &str) -> Vec<Issue> {
    entry_issues(body, body.trim().chars().count(), true)
}

fn entry_issues(text: &str, chars: usize, is_body: bool) -> Vec<Issue> {
    let mut found = Vec::new();
    let whole = 0..text.len();
    let mut tell = |check, at: Option<Range<usize>>| {
        found.push(Issue { check, at: at.unwrap_or_else(|| whole.clone()) });
    };
    if text.trim().is_empty() {
        return found;
    }
    if chars > MOST_CHARS {
        tell(Check::TooLong, None);
    }
    if !DAY.is_in(text) {
        tell(Check::Undated, None);
    }
    let head = beginning(text);
    let entry = Entry::parse(head);
    let statement = entry.statement;
    let offset = statement.as_ptr() as usize - head.as_ptr() as usize;
    let shifted = |at: Range<usize>| at.start + offset..at.end + offset;
    let printed =
        if is_body { log_line(head) } else { log::find(statement).then_some(whole.clone()) };
    let is_log = printed.is_some();
    if let Some(at) = printed {
        tell(Check::RawLog, Some(at));
    } else if let Some(at) = position::find(statement) {
        tell(Check::LineNumber, Some(shifted(at)));
    }
    if is_log {
        return found;
    }
    if let Some(at) = progress::find(statement) {
        tell(Check::Progress, Some(shifted(at)));
    }
    if Lesson::parse(head).is_some() {
        return found;
    }
    let is_procedure = procedure::find(statement);
    if is_procedure {
        tell(Check::Procedure, None);
    }
    if event::find(statement) {
        tell(Check::Event, None);
    }
    let several = if is_body { facts::find_in_lines(head) } else { facts::find(statement) };
    if several && !is_procedure {
        tell(Check::NotOneFact, None);
    }
    found
}

/// Days that are named by their distance.
pub fn relative_dates(text: &str) -> Vec<Range<usize>> {
    let aside = RULED.find_all(text);
    let is_aside =
        |at: &Range<usize>| aside.iter().any(|one| one.start < at.end && at.start < one.end);
    RELATIVE.find_all(text).into_iter().filter(|at| !is_aside(at)).collect()
}

/// The first line that a program printed.
fn log_line(text: &str) -> Option<Range<usize>> {
    let mut start = 0;
    for line in text.split_inclusive('\n') {
        let said = line.trim_end();
        let statement = Entry::parse(said).statement;
        let looked_at = if said.starts_with([' ', '\t']) { said } else { statement };
        if log::find(looked_at) {
            return Some(start..start + said.len());
        }
        start += line.len();
    }
    None
}

fn beginning(text: &str) -> &str {
    let mut end = text.len().min(ENTRY_BYTES);
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    text.get(..end).unwrap_or_default()
}
