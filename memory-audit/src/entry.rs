//! The one-line form of an entry, and the form of a lesson.

use std::sync::LazyLock;

use regex::Regex;

/// An entry taken apart: `[YYYY-MM-DD] fact. reason. (source) [旧: …]`.
///
/// Every part but the fact may be missing; any text is an entry.
///
/// ```
/// use memory_audit::Entry;
///
/// let entry = Entry::parse("- [2026-05-01] Logs stay 90 days. Support looks back. (Mio) [was: 30 days]");
/// assert_eq!(entry.date, Some("2026-05-01"));
/// assert_eq!(entry.statement, "Logs stay 90 days. Support looks back.");
/// assert_eq!((entry.source, entry.former), (Some("Mio"), Some("30 days")));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Entry<'a> {
    /// The day that it was written down, `YYYY-MM-DD`.
    pub date: Option<&'a str>,
    /// The fact and its reason.
    pub statement: &'a str,
    /// Who or what says so.
    pub source: Option<&'a str>,
    /// What held before.
    pub former: Option<&'a str>,
}

static HEAD: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new(r"^(?:\s*[-*+]\s+)?\s*[\[［]\s*([0-9]{4}-[0-9]{2}-[0-9]{2})\s*[\]］]\s*").ok()
});
static FORMER: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new(r"[\[［（(]\s*(?:旧|以前|元|was|old|previously|formerly)\s*[:：]\s*([^\]］）)]*)[\]］）)]\s*$")
        .ok()
});
static SOURCE: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new(r"[（(]\s*(?:(?:出典|出所|source|from)\s*[:：]\s*)?([^（()）]{1,80})[)）]\s*$").ok()
});

impl<'a> Entry<'a> {
    /// Takes a line, or a short text, apart.
    pub fn parse(text: &'a str) -> Self {
        let mut entry = Self::default();
        let mut rest = text.trim();
        if let Some(found) = HEAD.as_ref().and_then(|head| head.captures(rest)) {
            entry.date = found.get(1).map(|date| date.as_str());
            let end = found.get(0).map_or(0, |all| all.end());
            rest = rest.get(end..).unwrap_or_default();
        }
        for (pattern, slot) in [(&*FORMER, &mut entry.former), (&*SOURCE, &mut entry.source)] {
            let Some(found) = pattern.as_ref().and_then(|pattern| pattern.captures(rest)) else {
                continue;
            };
            let start = found.get(0).map_or(0, |all| all.start());
            let before = rest.get(..start).unwrap_or_default();
            // A text that is nothing but brackets is a text.
            if !before.trim().is_empty() {
                *slot = found.get(1).map(|inner| inner.as_str().trim());
                rest = before;
            }
        }
        entry.statement = rest.trim();
        entry
    }
}

/// A lesson: when it matters, what not to do, why, and what to do instead.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Lesson {
    /// When it matters.
    pub condition: String,
    /// What not to do.
    pub avoid: String,
    /// Why not.
    pub why: Option<String>,
    /// What to do instead.
    pub instead: Option<String>,
}

/// The words that begin the parts of a lesson, in their order.
const PARTS: [[&str; 5]; 4] = [
    ["条件", "When", "Condition", "If", "いつ"],
    ["しない", "Don't", "Never", "Avoid", "禁止"],
    ["理由", "Why", "Because", "Reason", "なぜ"],
    ["代わりに", "Instead", "Do", "Alternative", "代案"],
];

impl Lesson {
    /// Reads a lesson whose parts stand on lines of their own, `Label: text`;
    /// `None` when it has no condition or nothing to avoid.
    pub fn parse(text: &str) -> Option<Self> {
        let mut parts: [Option<String>; 4] = Default::default();
        for line in text.lines() {
            let line = line.trim().trim_start_matches(['-', '*', ' ']);
            let Some((label, said)) = line.split_once([':', '：']) else { continue };
            let label = label.trim_matches(['*', ' ']);
            let known = PARTS
                .iter()
                .position(|words| words.iter().any(|word| word.eq_ignore_ascii_case(label)));
            if let Some(slot) = known.and_then(|at| parts.get_mut(at)) {
                *slot =
                    Some(said.trim_matches(['*', ' ']).to_owned()).filter(|said| !said.is_empty());
            }
        }
        let [condition, avoid, why, instead] = parts;
        Some(Self { condition: condition?, avoid: avoid?, why, instead })
    }

    /// The lesson as lines, with Japanese labels where its text is Japanese.
    pub fn to_text(&self) -> String {
        let is_japanese = crate::script::is_japanese(&self.condition);
        let label = |words: &[&'static str; 5]| if is_japanese { words[0] } else { words[1] };
        let said =
            [Some(&self.condition), Some(&self.avoid), self.why.as_ref(), self.instead.as_ref()];
        let lines = PARTS.iter().zip(said).filter_map(|(words, said)| {
            let colon = if is_japanese { "：" } else { ": " };
            said.map(|said| format!("{}{colon}{said}\n", label(words)))
        });
        lines.collect()
    }
}

/// A fact in the one-line form.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OneLine<'a> {
    /// The day, `YYYY-MM-DD`.
    pub date: &'a str,
    /// The fact.
    pub fact: &'a str,
    /// Its reason.
    pub why: Option<&'a str>,
    /// Who or what says so.
    pub source: Option<&'a str>,
    /// What held before.
    pub former: Option<&'a str>,
}

impl OneLine<'_> {
    /// The line, without a line end: `[YYYY-MM-DD] fact. reason. (source) [旧: …]`.
    pub fn to_text(&self) -> String {
        let is_japanese = crate::script::is_japanese(self.fact);
        let closed = |text: &str| {
            let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
            let is_closed = text.ends_with(['.', '。', '!', '！', '?', '？']);
            let end = if is_closed {
                ""
            } else if crate::script::is_japanese(&text) {
                "。"
            } else {
                "."
            };
            text + end
        };
        let gap = if is_japanese { "" } else { " " };
        let framed = |japanese: [&str; 2], english: [&str; 2], text: &str| {
            let [open, close] = if is_japanese { japanese } else { english };
            [gap, open, text, close].concat()
        };
        let mut line = format!("[{}] {}", self.date, closed(self.fact));
        if let Some(why) = self.why {
            line += gap;
            line += &closed(why);
        }
        if let Some(source) = self.source {
            line += &framed(["（", "）"], ["(", ")"], source);
        }
        if let Some(former) = self.former {
            line += &framed(["［旧：", "］"], ["[was: ", "]"], former);
        }
        line
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_that_was_made_is_taken_apart_again() {
        for (fact, why, source, former) in [
            ("Logs stay 90 days", Some("Support looks back"), Some("Mio"), Some("30 days")),
            ("ログは90日残す", Some("窓口が遡るため"), Some("美緒"), Some("30日")),
            ("Queues hold 40 jobs", None, None, None),
        ] {
            let line = OneLine { date: "2026-05-01", fact, why, source, former }.to_text();
            let entry = Entry::parse(&line);
            assert_eq!(entry.date, Some("2026-05-01"), "{line}");
            assert!(entry.statement.starts_with(fact), "{line}");
            assert_eq!((entry.source, entry.former), (source, former), "{line}");
        }
    }

    #[test]
    fn a_lesson_that_was_made_is_read_again() {
        let lesson = Lesson {
            condition: "テストに時計が要るとき".to_owned(),
            avoid: "眠って待つ".to_owned(),
            why: Some("機械が遅いと落ちるため".to_owned()),
            instead: Some("偽の時計を渡す".to_owned()),
        };
        assert_eq!(Lesson::parse(&lesson.to_text()), Some(lesson));
        assert_eq!(Lesson::parse("just a fact"), None);
    }
}
