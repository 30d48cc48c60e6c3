//! The client's Edit tool.

use super::escape::{decoded, encoded};
use crate::memory::MemoryProfile;

/// One use of the Edit tool.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TopicEdit {
    /// The text to replace.
    pub old: String,
    /// The text to put there.
    pub new: String,
    /// Whether every occurrence is replaced; otherwise there must be exactly one.
    pub all: bool,
}

impl TopicEdit {
    /// The text after the edit; `None` when the old text is missing or ambiguous.
    ///
    /// The client decodes `\u1234` in both texts first; where the old text is not
    /// found so, it encodes both.
    pub(super) fn apply(&self, profile: &MemoryProfile, text: &str) -> Option<String> {
        let (old, new) = (decoded(profile, &self.old), decoded(profile, &self.new));
        if old.is_empty() {
            return text.is_empty().then_some(new);
        }
        if text.contains(&old) {
            return self.replace(text, &old, &new);
        }
        self.replace(text, &encoded(&old), &encoded(&new))
    }

    fn replace(&self, text: &str, old: &str, new: &str) -> Option<String> {
        let found = text.matches(old).count();
        if found == 0 || (found > 1 && !self.all) {
            return None;
        }
        // Taking a text away takes the end of its line along.
        let line = format!("{old}\n");
        let takes_line = new.is_empty() && !old.ends_with('\n') && text.contains(&line);
        let old = if takes_line { &line } else { old };
        Some(if self.all { text.replace(old, new) } else { text.replacen(old, new, 1) })
    }
}

/// How the lines of an edited file end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum LineEnds {
    /// In `\n`.
    Unix,
    /// In `\r\n`.
    Windows,
}

impl LineEnds {
    /// What most lines of a text end in.
    pub(super) fn of(text: &str) -> Self {
        let (all, windows) = (text.matches('\n').count(), text.matches("\r\n").count());
        if windows > all - windows { Self::Windows } else { Self::Unix }
    }

    /// A text with `\n` only, as it goes to disk.
    pub(super) fn restore(self, text: &str) -> String {
        match self {
            Self::Unix => text.to_owned(),
            Self::Windows => text.replace("\r\n", "\n").replace('\n', "\r\n"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn apply(text: &str, old: &str, new: &str) -> Option<String> {
        TopicEdit { old: old.to_owned(), new: new.to_owned(), all: false }
            .apply(&MemoryProfile::CLAUDE_2_1_332, text)
    }

    #[test]
    fn the_old_text_must_be_there_exactly_once() {
        assert_eq!(apply("a b", "b", "c").as_deref(), Some("a c"));
        assert_eq!(
            (apply("b b", "b", "c"), apply("a", "b", "c"), apply("a", "", "c")),
            (None, None, None)
        );
        let all = TopicEdit { old: "b".to_owned(), new: "c".to_owned(), all: true };
        assert_eq!(all.apply(&MemoryProfile::CLAUDE_2_1_332, "b b").as_deref(), Some("c c"));
    }

    #[test]
    fn nothing_can_be_replaced_in_an_empty_file_only() {
        assert_eq!((apply("", "", "a").as_deref(), apply("b", "", "a")), (Some("a"), None));
    }

    #[test]
    fn a_text_that_is_taken_away_takes_its_line_end_along() {
        assert_eq!(apply("a\nb\nc", "b", "").as_deref(), Some("a\nc"));
        assert_eq!(apply("a b c", "b", "").as_deref(), Some("a  c"));
    }

    #[test]
    fn escapes_and_their_characters_stand_for_each_other() {
        assert_eq!(apply("x あ", r"\u3042", r"\u3044").as_deref(), Some("x い"));
        assert_eq!(apply(r"x \u3042", "x あ", "い").as_deref(), Some(r"\u3044"));
    }

    #[test]
    fn most_line_ends_decide() {
        assert_eq!(LineEnds::of("a\r\nb\r\nc\n"), LineEnds::Windows);
        assert_eq!(LineEnds::of("a\nb\r\n"), LineEnds::Unix);
    }
}
