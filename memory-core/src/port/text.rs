//! Texts as they are compared and as they are written.
//!
//! Line ends, a byte order mark and blank lines around a text are no change of
//! a person: editors, formatters and version control put them there and take
//! them away.

use std::borrow::Cow;
use std::sync::Arc;

use crate::digest::Digest;
use crate::fs::Content;

/// Hexadecimal digits of a key: enough to tell any two texts of a person apart.
const KEY_LEN: usize = 32;

/// What stands somewhere, so that it can be compared.
#[derive(Clone, Debug)]
pub(super) struct Value {
    /// Equal for what is the same text but for its line ends and the blank lines
    /// around it.
    pub(super) key: String,
    /// The text in its normal form; `None` for a link and for what is no text.
    pub(super) text: Option<Arc<str>>,
}

impl PartialEq for Value {
    fn eq(&self, other: &Self) -> bool {
        self.key == other.key
    }
}

impl Value {
    pub(super) fn of(text: &str) -> Self {
        let text = normal(text);
        Self { key: key(bare(&text).as_bytes()), text: Some(text.into()) }
    }

    pub(super) fn of_content(content: &Content) -> Self {
        match content {
            Content::Symlink { target } => Self { key: format!("{LINK}{target}"), text: None },
            Content::File { bytes, .. } => Self::of_bytes(bytes),
        }
    }

    pub(super) fn of_bytes(bytes: &[u8]) -> Self {
        match std::str::from_utf8(bytes) {
            Ok(text) if !bytes.contains(&0) => Self::of(text),
            _ => Self { key: format!("raw-{}", key(bytes)), text: None },
        }
    }

    /// The text; of a link, its target.
    pub(super) fn shown(&self) -> Option<&str> {
        self.text.as_deref().or_else(|| self.key.strip_prefix(LINK))
    }
}

/// What the key of a link begins with.
const LINK: &str = "link:";

fn key(bytes: &[u8]) -> String {
    let digest = Digest::of(bytes).to_string();
    let digits = digest.rsplit(':').next().unwrap_or_default();
    digits.chars().take(KEY_LEN).collect()
}

/// A text in its normal form of which only the first of several marks in a row
/// counts: what stands between the pieces of a part is told by where it begins.
fn bare(text: &str) -> Cow<'_, str> {
    let is_mark = |line: &str| line.starts_with("<!-- ") && line.trim_end().ends_with(" -->");
    let mut lines = text.lines().zip(text.lines().skip(1));
    if !lines.any(|(one, next)| is_mark(one) && is_mark(next)) {
        return text.into();
    }
    let mut kept = String::with_capacity(text.len());
    let mut was_mark = false;
    for line in text.lines() {
        let is_mark = is_mark(line);
        if !(is_mark && was_mark) {
            kept.push_str(line);
            kept.push('\n');
        }
        was_mark = is_mark;
    }
    kept.into()
}

/// A text with line feeds only, and without blank lines around it.
pub(super) fn normal(text: &str) -> String {
    let text = unix(text.strip_prefix('\u{feff}').unwrap_or(text));
    let is_blank = |line: &str| line.trim().is_empty();
    let mut start = 0;
    for line in text.split_inclusive('\n') {
        if !is_blank(line) {
            break;
        }
        start += line.len();
    }
    text.get(start..).unwrap_or_default().trim_end().to_owned()
}

/// A text with line feeds only.
pub(super) fn unix(text: &str) -> Cow<'_, str> {
    if !text.contains("\r\n") {
        return text.into();
    }
    let mut unix = String::with_capacity(text.len());
    let mut lines = text.split('\n').peekable();
    while let Some(line) = lines.next() {
        let is_last = lines.peek().is_none();
        unix.push_str(if is_last { line } else { line.trim_end_matches('\r') });
        if !is_last {
            unix.push('\n');
        }
    }
    unix.into()
}

/// A text as it is written: one kind of line end, and one at the end.
pub(super) fn ended(text: &str, newline: &str) -> String {
    let text = unix(text);
    let end = if text.is_empty() || text.ends_with('\n') { "" } else { "\n" };
    let text = format!("{text}{end}");
    if newline == "\n" { text } else { text.replace('\n', newline) }
}

/// The line end of a file's first line; that of Unix where it has none.
pub(super) fn newline(bytes: &[u8]) -> &'static str {
    let first = memchr::memchr(b'\n', bytes);
    let before = first.and_then(|at| bytes.get(at.checked_sub(1)?));
    if before == Some(&b'\r') { "\r\n" } else { "\n" }
}

/// Whether most lines of each of two texts stand in the other: one was made of
/// the other, and edited.
pub(super) fn is_alike(one: &str, other: &str) -> bool {
    let lines = |text: &str| -> std::collections::HashSet<String> {
        let lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
        lines.map(str::to_owned).collect()
    };
    let (one, other) = (lines(one), lines(other));
    let shared = one.intersection(&other).count();
    shared > 0 && 2 * shared >= one.len() && 2 * shared >= other.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn line_ends_and_outer_blank_lines_are_no_change() {
        let value = Value::of("\u{feff}\r\n \r\n- a\r\n\r\n- b\r\n\r\n");
        assert_eq!(value, Value::of("- a\n\n- b"));
        assert_eq!(value.text.as_deref(), Some("- a\n\n- b"));
        assert_ne!(value, Value::of("- a\n- b"));
        assert_eq!(normal("  indented\n"), "  indented");
        assert_ne!(Value::of_bytes(b"\xff\n"), Value::of_bytes(b"\xff"));
    }

    #[test]
    fn what_is_written_has_one_kind_of_line_end_and_one_at_its_end() {
        assert_eq!(ended("a\r\nb\nc", "\n"), "a\nb\nc\n");
        assert_eq!(ended("a\r\nb\nc", "\r\n"), "a\r\nb\r\nc\r\n");
        assert_eq!(ended("", "\n"), "");
    }

    #[test]
    fn texts_are_alike_when_each_holds_most_of_the_other() {
        assert!(is_alike("# App\n- pnpm\n- test", "# App\n- npm\n- test"));
        assert!(!is_alike("# App\n- a\n- b", "# App\n- c\n- d"));
        assert!(!is_alike("- a", "- a\n- b\n- c\n- d"));
    }
}
