//! What was put away, when and why: a list for people, with what a program needs
//! to bring it back in comments.

use serde::{Deserialize, Serialize};

use crate::store::topic::TopicFile;

/// What stands before and behind the record of a line.
const OPEN: &str = "<!-- memport: ";
const CLOSE: &str = " -->";

/// The file, entry by entry.
#[derive(Clone, Debug, Default)]
pub(super) struct Ledger {
    /// Lines of people, and records, in order.
    lines: Vec<Entry>,
}

#[derive(Clone, Debug)]
enum Entry {
    Text(String),
    Put(Put),
}

/// A memory that was put away.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Put {
    /// Its path below the memory folder.
    pub(super) file: String,
    pub(super) title: String,
    pub(super) day: String,
    pub(super) reason: String,
    pub(super) covered_by: Option<String>,
    #[serde(default)]
    pub(super) is_superseded: bool,
    pub(super) had_header: bool,
    /// The status that its file had.
    pub(super) status: Option<String>,
    /// What stood in the index.
    pub(super) lines: Vec<Line>,
    /// The day on which it came back.
    pub(super) restored: Option<String>,
}

/// A line of the index that is changed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Line {
    /// Its number then, counted from 1.
    pub(super) number: u32,
    /// What stood there, with its line end.
    pub(super) before: String,
    /// What stands there since; `None` for a line that is gone.
    pub(super) after: Option<String>,
}

impl Ledger {
    pub(super) fn parse(bytes: &[u8]) -> Self {
        let text = String::from_utf8_lossy(bytes);
        let mut lines = Vec::new();
        for line in text.lines() {
            let record = line.split_once(OPEN).and_then(|(_, rest)| rest.strip_suffix(CLOSE));
            let record = record.map(|json| json.replace("\\u002d", "-"));
            match record.and_then(|json| serde_json::from_str::<Put>(&json).ok()) {
                Some(put) => lines.push(Entry::Put(put)),
                None => lines.push(Entry::Text(line.to_owned())),
            }
        }
        Self { lines }
    }

    pub(super) fn to_text(&self) -> String {
        let lines = self.lines.iter().map(|entry| match entry {
            Entry::Text(text) => text.clone() + "\n",
            Entry::Put(put) => put.to_text(),
        });
        lines.collect()
    }

    pub(super) fn add(&mut self, put: Put) {
        if self.lines.is_empty() {
            self.lines.push(Entry::Text("# Archived".to_owned()));
            self.lines.push(Entry::Text(String::new()));
        }
        self.lines.push(Entry::Put(put));
    }

    /// The record of a file that is put away now; it is noted as brought back.
    pub(super) fn take(&mut self, file: &str, day: &str) -> Option<Put> {
        let mut puts = self.lines.iter_mut().rev().filter_map(|entry| match entry {
            Entry::Put(put) => Some(put),
            Entry::Text(_) => None,
        });
        let found = puts.find(|put| put.file == file && put.restored.is_none())?;
        let known = found.clone();
        found.restored = Some(day.to_owned());
        found.lines.clear();
        Some(known)
    }

    pub(super) fn history(&self, file: &str) -> Vec<HistoryEvent> {
        let mut events = Vec::new();
        for entry in &self.lines {
            let Entry::Put(put) = entry else { continue };
            let event = |kind, day: &str, other: Option<&String>| HistoryEvent {
                kind,
                day: Some(day.to_owned()),
                reason: Some(put.reason.clone()),
                other: other.cloned(),
            };
            let kind =
                if put.is_superseded { HistoryKind::Superseded } else { HistoryKind::Archived };
            if put.file == file {
                events.push(event(kind, &put.day, put.covered_by.as_ref()));
                if let Some(day) = &put.restored {
                    events.push(event(HistoryKind::Restored, day, None));
                }
            } else if put.is_superseded && put.covered_by.as_deref() == Some(file) {
                events.push(event(kind, &put.day, Some(&put.file)));
            }
        }
        events
    }
}

impl Put {
    /// A line for people, and the record behind it.
    fn to_text(&self) -> String {
        let json = serde_json::to_string(self).unwrap_or_default();
        // Nothing in it may end the comment.
        let json = json.replace("--", "-\\u002d");
        let reason = self.reason.split_whitespace().collect::<Vec<_>>().join(" ");
        let back =
            self.restored.as_ref().map(|day| format!(" (restored {day})")).unwrap_or_default();
        format!(
            "- [{}]({}) — {}: {reason}{back} {OPEN}{json}{CLOSE}\n",
            self.title, self.file, self.day
        )
    }
}

/// Something that happened to a memory.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct HistoryEvent {
    /// What happened.
    pub kind: HistoryKind,
    /// The day or moment, as it was written down; `None` when nobody did.
    pub day: Option<String>,
    /// Why.
    pub reason: Option<String>,
    /// The other memory, as a path below the memory folder: the one that covers
    /// or replaces it, or that it replaces.
    pub other: Option<String>,
}

/// What can happen to a memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum HistoryKind {
    /// It was written down.
    Added,
    /// It was put away.
    Archived,
    /// It was brought back.
    Restored,
    /// It was replaced, or replaced another.
    Superseded,
}

impl HistoryKind {
    /// The word for it: `added`, `archived`, `restored`, `superseded`.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Added => "added",
            Self::Archived => "archived",
            Self::Restored => "restored",
            Self::Superseded => "superseded",
        }
    }
}

impl HistoryEvent {
    /// That a memory was written down, when its file says so.
    pub(super) fn added(topic: &TopicFile) -> Self {
        let body = topic.doc().body();
        let dated = body.trim_start().strip_prefix(['[', '［']).and_then(|rest| rest.get(..10));
        let is_day = |day: &&str| {
            day.bytes().enumerate().all(|(at, byte)| {
                if at == 4 || at == 7 { byte == b'-' } else { byte.is_ascii_digit() }
            })
        };
        let day = dated.filter(is_day).map(str::to_owned);
        Self { kind: HistoryKind::Added, day, reason: None, other: None }
    }
}
