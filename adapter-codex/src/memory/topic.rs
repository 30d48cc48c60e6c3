//! One topic of a summary.

use std::sync::Arc;

use super::bullet::{keywords, labelled};
use super::line::Place;
use super::line::{Item, Line};
use super::source_ref::bare;

/// One topic of a summary, in the words of either tree.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Topic {
    /// What it is about: the topic's name, or the sentence behind a pointer.
    pub title: String,
    /// Its keywords; those of a v2 topic are in its title.
    pub keywords: Vec<String>,
    /// The folder or project it belongs to.
    pub scope: Option<Arc<str>>,
    /// The day it stands under, as written.
    pub day: Option<Arc<str>>,
    /// Whether it stands under the older topics.
    pub older: bool,
    /// When to look it up.
    pub description: Option<String>,
    /// What was learnt.
    pub learnings: Option<String>,
    /// The rollout summary it points to, relative to the tree's root, as written.
    pub file: Option<String>,
    /// The session it points to.
    pub thread_id: Option<String>,
    /// Its other nested items: label and text. An item without a label has an
    /// empty one.
    pub details: Vec<(String, String)>,
    /// From its item to the last nested line.
    pub place: Place,
    last: Last,
}

/// Which part of a topic the next line goes on with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Last {
    Title,
    Description,
    Learnings,
    Detail,
}

/// What stands before the id of a session.
const THREAD: &str = "thread_id=";
/// Where rollout summaries lie.
const ROLLOUTS: &str = "rollout_summaries/";

impl Topic {
    /// Whether it is written as topics of a v2 summary are: with a pointer and
    /// a session.
    pub fn is_pointer(&self) -> bool {
        self.file.is_some() && self.thread_id.is_some()
    }

    /// Whether it has the labels of topics of a v1 summary.
    pub(crate) fn has_labels(&self) -> bool {
        let labelled = self.description.is_some() && self.thread_id.is_none();
        labelled || self.learnings.is_some()
    }

    pub(crate) fn read(item: &Item<'_>, line: &Line<'_>) -> Self {
        let (text, thread_id) = without_thread(item.text);
        let (file, text) = pointer(text);
        let (title, words, description) = if file.is_some() {
            (text, "", None)
        } else if let Some((title, sentence)) = text.split_once(" — ") {
            (title, "", Some(sentence.trim().to_owned()))
        } else {
            let (title, words) = labelled(text).unwrap_or((text, ""));
            (title, words, None)
        };
        Self {
            title: title.trim().to_owned(),
            keywords: keywords(words).collect(),
            scope: None,
            day: None,
            older: false,
            description,
            learnings: None,
            file: file.map(str::to_owned),
            thread_id: thread_id.map(str::to_owned),
            details: Vec::new(),
            place: Place::of(line),
            last: Last::Title,
        }
    }

    pub(crate) fn add_detail(&mut self, item: &Item<'_>, line: &Line<'_>) {
        self.place.reach(line);
        let (label, text) = labelled(item.text).unwrap_or(("", item.text.trim_end()));
        let text = text.to_owned();
        match label.to_ascii_lowercase().as_str() {
            "desc" | "description" if self.description.is_none() => {
                (self.description, self.last) = (Some(text), Last::Description);
            }
            "learnings" if self.learnings.is_none() => {
                (self.learnings, self.last) = (Some(text), Last::Learnings);
            }
            _ => {
                self.details.push((label.to_owned(), text));
                self.last = Last::Detail;
            }
        }
    }

    /// Adds a line that goes on with the last item.
    pub(crate) fn go_on(&mut self, line: &Line<'_>) {
        self.place.reach(line);
        let text = match self.last {
            Last::Title => Some(&mut self.title),
            Last::Description => self.description.as_mut(),
            Last::Learnings => self.learnings.as_mut(),
            Last::Detail => self.details.last_mut().map(|(_, text)| text),
        };
        if let Some(text) = text {
            text.push('\n');
            text.push_str(line.text.trim());
        }
    }
}

/// Parts the session's id from the text before it.
fn without_thread(text: &str) -> (&str, Option<&str>) {
    let Some((before, after)) = text.rsplit_once(THREAD) else { return (text, None) };
    let ends = |c: char| c.is_whitespace() || matches!(c, ';' | ',' | ')' | ']' | '`');
    let id = after.split(ends).next().filter(|id| !id.is_empty());
    (before.trim_end().trim_end_matches([';', ',', '(']).trim_end(), id)
}

/// Parts a pointer to a rollout summary from the sentence behind it.
fn pointer(text: &str) -> (Option<&str>, &str) {
    let start = text.trim_start_matches(['<', '`', '"']);
    let Some((path, rest)) = start.split_once(".md").filter(|_| start.starts_with(ROLLOUTS)) else {
        return (None, text);
    };
    let Some(path) = start.get(..path.len() + 3) else { return (None, text) };
    let rest = rest.trim_start_matches(['>', '`', '"']).trim();
    let sentence = rest.trim_start_matches(['—', '–', '-', ':']).trim();
    (Some(bare(path)), sentence)
}

#[cfg(test)]
mod tests {
    use memory_core::doc::Source;

    use super::*;
    use crate::memory::line::lines;

    fn topic(text: &str) -> Topic {
        let source = Source::new(text.as_bytes());
        let mut lines = lines(&source);
        let line = lines.next().unwrap();
        let mut topic = Topic::read(&line.item().unwrap(), &line);
        for line in lines {
            topic.add_detail(&line.item().unwrap(), &line);
        }
        topic
    }

    #[test]
    fn a_pointer_has_a_file_a_sentence_and_a_session() {
        let found = topic(
            "- `rollout_summaries/2026-11-09T13-02-11-vGo5-csv.md` — 文字コード: 先に読む; thread_id=01a1\n  - importer: src/decode.py\n",
        );
        assert_eq!(
            found.file.as_deref(),
            Some("rollout_summaries/2026-11-09T13-02-11-vGo5-csv.md")
        );
        assert_eq!(found.title, "文字コード: 先に読む");
        assert_eq!(found.thread_id.as_deref(), Some("01a1"));
        assert_eq!(found.details, [("importer".to_owned(), "src/decode.py".to_owned())]);
        assert!(found.is_pointer());
    }

    #[test]
    fn an_older_topic_may_have_a_session_only() {
        let found = topic("- link checker — how it is made; thread_id=01a1f677");
        assert_eq!((found.title.as_str(), found.file.as_deref()), ("link checker", None));
        assert_eq!(found.description.as_deref(), Some("how it is made"));
        assert_eq!(found.thread_id.as_deref(), Some("01a1f677"));
        assert!(!found.is_pointer());
    }
}
