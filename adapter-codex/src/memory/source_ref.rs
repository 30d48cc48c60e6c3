//! Pointers of the handbook to what a task was learnt from.

use super::bullet::closing_brackets;
use super::line::Place;

/// A pointer to the file that a task was learnt from.
///
/// Written as `- PATH (cwd=…, rollout_path=…, updated_at=…, thread_id=…, NOTE) [TAG]`.
/// Values and notes may hold commas, blanks, parentheses and `=`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SourceRef {
    /// The file, relative to the tree's root, without brackets or quotes
    /// around it; as written, so it may lead anywhere.
    pub path: String,
    /// The folder of the session.
    pub cwd: Option<String>,
    /// The transcript of the session.
    pub rollout_path: Option<String>,
    /// When the session last changed.
    pub updated_at: Option<String>,
    /// The session; `None` is sometimes written as a word and kept so.
    pub thread_id: Option<String>,
    /// Where imported material comes from.
    pub source: Option<String>,
    /// What follows the keys.
    pub note: Option<String>,
    /// What stands in brackets behind the parenthesis.
    pub tags: Vec<String>,
    /// Where it stands.
    pub place: Place,
}

/// The keys, and whether a value may hold commas itself.
const KEYS: [(&str, bool); 5] = [
    ("cwd=", true),
    ("rollout_path=", true),
    ("updated_at=", false),
    ("thread_id=", false),
    ("source=", false),
];

impl SourceRef {
    pub(crate) fn read(text: &str, place: Place) -> Self {
        let (rest, tags) = closing_brackets(text);
        let (path, inner) = parenthesis(rest);
        let mut found = Self {
            path: bare(path).to_owned(),
            cwd: None,
            rollout_path: None,
            updated_at: None,
            thread_id: None,
            source: None,
            note: None,
            tags: tags.into_iter().map(str::to_owned).collect(),
            place,
        };
        let mut rest = inner.trim();
        while let Some((key, value, after)) = found.next_key(rest) {
            if let Some(slot) = found.slot(key) {
                *slot = Some(value.trim().to_owned());
            }
            rest = after.trim_start();
        }
        found.note = (!rest.is_empty()).then(|| rest.to_owned());
        found
    }

    /// Whether the keys that every pointer to a rollout summary has are there.
    pub fn is_complete(&self) -> bool {
        self.source.is_some()
            || (self.cwd.is_some() && self.rollout_path.is_some() && self.updated_at.is_some())
    }

    /// The session's id; `None` when there is none or the word `None` stands for it.
    pub fn thread(&self) -> Option<&str> {
        self.thread_id.as_deref().filter(|id| !id.is_empty() && *id != "None")
    }

    fn slot(&mut self, key: &str) -> Option<&mut Option<String>> {
        match key {
            "cwd=" => Some(&mut self.cwd),
            "rollout_path=" => Some(&mut self.rollout_path),
            "updated_at=" => Some(&mut self.updated_at),
            "thread_id=" => Some(&mut self.thread_id),
            "source=" => Some(&mut self.source),
            _ => None,
        }
    }

    /// The key that `text` begins with, its value, and what follows.
    fn next_key<'t>(&mut self, text: &'t str) -> Option<(&'static str, &'t str, &'t str)> {
        let (key, commas) = KEYS.into_iter().find(|(key, _)| text.starts_with(key))?;
        if self.slot(key).is_some_and(|slot| slot.is_some()) {
            return None;
        }
        let value = text.get(key.len()..)?;
        let next = KEYS.into_iter().filter(|(next, _)| *next != key);
        let mut at_keys = next.filter_map(|(next, _)| value.find(&format!(", {next}")));
        let end = if commas { at_keys.by_ref().min() } else { None };
        let end = end.or_else(|| value.find(", ")).unwrap_or(value.len());
        let (value, after) = value.split_at_checked(end)?;
        Some((key, value, after.strip_prefix(',').unwrap_or(after)))
    }
}

/// Parts the path from what stands in the parenthesis behind it.
fn parenthesis(text: &str) -> (&str, &str) {
    let keyed = KEYS.iter().filter_map(|(key, _)| text.find(&format!("({key}"))).min();
    // Without a key the parenthesis is a note; a path ends in `.md` before it.
    let Some(at) = keyed.or_else(|| text.find(".md (").map(|at| at + 4)) else {
        return (text, "");
    };
    let (path, rest) = text.split_at_checked(at).unwrap_or((text, ""));
    let inner = rest.strip_prefix('(').unwrap_or(rest);
    (path, inner.strip_suffix(')').unwrap_or(inner))
}

/// A path without what people put around it.
pub(crate) fn bare(path: &str) -> &str {
    path.trim().trim_matches(['<', '>', '`', '"']).trim()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> SourceRef {
        let place = Place { span: memory_core::doc::Span::default(), first_line: 1, last_line: 1 };
        SourceRef::read(text, place)
    }

    #[test]
    fn notes_keep_commas_parentheses_and_equal_signs() {
        let found = read(
            "<rollout_summaries/a b.md> (cwd=/Users/mio/com~apple~CloudDocs/x, y, \
             rollout_path=/r/archived_sessions/s.jsonl, updated_at=2026-11-02T09:40:00+00:00, \
             thread_id=01a1, fixed (twice), see `a=b`; done)",
        );
        assert_eq!(found.path, "rollout_summaries/a b.md");
        assert_eq!(found.cwd.as_deref(), Some("/Users/mio/com~apple~CloudDocs/x, y"));
        assert_eq!(found.rollout_path.as_deref(), Some("/r/archived_sessions/s.jsonl"));
        assert_eq!(found.thread(), Some("01a1"));
        assert_eq!(found.note.as_deref(), Some("fixed (twice), see `a=b`; done"));
        assert!(found.is_complete());
    }

    #[test]
    fn tags_follow_the_parenthesis_and_none_is_no_thread() {
        let path =
            "extensions/chronicle/resources/2026-04-01T10-00-00-aB3x-10min-memory-summary.md";
        let found = read(&format!(
            "{path} (cwd=browser/chronicle context, rollout_path={path}, \
             updated_at=2026-04-01T10:00:00Z, thread_id=None) [chronicle memory] [ad-hoc note]"
        ));
        assert_eq!(found.rollout_path.as_deref(), Some(path));
        assert_eq!((found.thread_id.as_deref(), found.thread()), (Some("None"), None));
        assert_eq!(found.tags, ["chronicle memory", "ad-hoc note"]);
    }

    #[test]
    fn windows_paths_and_missing_keys_are_read() {
        let found = read(
            r"`rollout_summaries/w.md` (cwd=\\?\C:\Users\mio\My Code, rollout_path=C:\s.jsonl, updated_at=x",
        );
        assert_eq!(found.path, "rollout_summaries/w.md");
        assert_eq!(found.cwd.as_deref(), Some(r"\\?\C:\Users\mio\My Code"));
        assert_eq!(found.updated_at.as_deref(), Some("x"));

        let found = read("rollout_summaries/a.md (cwd=/x, only a note)");
        assert_eq!(
            (found.cwd.as_deref(), found.note.as_deref()),
            (Some("/x"), Some("only a note"))
        );
        assert!(!found.is_complete());

        let found = read("0001_setup.md");
        assert_eq!((found.path.as_str(), found.note), ("0001_setup.md", None));
    }

    #[test]
    fn imported_memory_names_its_source() {
        let found = read(
            "extensions/external_agent_import/resources/-home-mio-x/MEMORY.md \
             (cwd=/home/mio/x, source=external_agent_import)",
        );
        assert_eq!(found.source.as_deref(), Some("external_agent_import"));
        assert!(found.is_complete());
    }
}
