//! The time of the last change, put into frontmatter that stays as it is.

use memory_core::model::{Fields, Value};

use super::Parts;
use super::layout::{METADATA, MODIFIED};
use crate::text::frontmatter;

/// The text with the time stamped into its frontmatter; `None` when that is not
/// possible without changing anything else.
pub(super) fn stamped(parts: &Parts<'_>, fields: &Fields, time: &str) -> Option<String> {
    if says_nothing(fields) {
        return None;
    }
    let mut lines: Vec<String> = parts.inner.split_inclusive('\n').map(str::to_owned).collect();
    match lines.iter().position(|line| key(line) == MODIFIED) {
        Some(at) => {
            let line = lines.get_mut(at)?;
            *line = replaced(line, time);
        }
        // A key in other words, in quotes or after a `?`, would be given twice.
        None if modified(fields).is_some() => return None,
        None => insert(&mut lines, time)?,
    }
    let inner = lines.concat();
    let read = frontmatter::read(&inner).0?;
    (modified(&read).and_then(Value::as_text) == Some(time) && others(&read) == others(fields))
        .then(|| format!("{}{inner}{}", parts.opening, parts.closing))
}

/// Whether there is nothing but a name and a description, and neither is a text.
fn says_nothing(fields: &Fields) -> bool {
    fields.0.iter().all(|(key, value)| match key.as_str() {
        "name" | "description" => value.as_text().is_none_or(str::is_empty),
        _ => *value == Value::Null,
    })
}

/// The key of a line, however far it is indented.
fn key(line: &str) -> &str {
    line.split_once(':').map_or("", |(key, _)| key.trim())
}

/// The line with another value; a comment behind an unquoted value stays.
fn replaced(line: &str, time: &str) -> String {
    let text = line.trim_end_matches(['\n', '\r']);
    let end = line.get(text.len()..).unwrap_or_default();
    let indent = line.get(..line.len() - line.trim_start().len()).unwrap_or_default();
    let value = text.split_once(':').map_or("", |(_, value)| value);
    let comment = if value.trim_start().starts_with(['"', '\'']) { "" } else { comment(value) };
    format!("{indent}{MODIFIED}: {time}{comment}{end}")
}

/// The comment at the end of a value, with the white space in front of it.
fn comment(value: &str) -> &str {
    let mark = value.char_indices().find(|(at, c)| {
        *c == '#' && value.get(..*at).is_some_and(|before| before.ends_with([' ', '\t']))
    });
    let before = mark.and_then(|(at, _)| value.get(..at)).map(str::trim_end);
    before.and_then(|before| value.get(before.len()..)).unwrap_or_default()
}

/// Puts the stamp after the block of `metadata:`, or at the end where there is none.
fn insert(lines: &mut Vec<String>, time: &str) -> Option<()> {
    let end = if lines.last().is_some_and(|line| line.ends_with("\r\n")) { "\r\n" } else { "\n" };
    let (at, indent) = match lines.iter().position(|line| line.starts_with("metadata:")) {
        Some(metadata) => {
            block(lines.get(metadata..)?).map(|(count, indent)| (metadata + count, indent))?
        }
        None => (lines.len(), String::new()),
    };
    lines.insert(at, format!("{indent}{MODIFIED}: {time}{end}"));
    Some(())
}

/// How many lines a `metadata:` block has, blank lines at its end left out, and
/// how far its keys are indented; `None` when its value stands on its first line.
fn block(lines: &[String]) -> Option<(usize, String)> {
    let (first, below) = lines.split_first()?;
    let value = first.strip_prefix("metadata:")?.trim();
    if !(value.is_empty() || value.starts_with('#')) {
        return None;
    }
    let is_blank = |line: &String| line.trim().is_empty();
    let is_inside = |line: &&String| is_blank(line) || line.starts_with([' ', '\t', '#']);
    let inside: Vec<&String> = below.iter().take_while(is_inside).collect();
    let last = inside.iter().rposition(|line| !is_blank(line) && !line.starts_with('#'));
    let keys = inside.iter().find(|line| !is_blank(line) && !line.trim_start().starts_with('#'));
    let indent = keys.and_then(|line| line.get(..line.len() - line.trim_start().len()));
    Some((
        last.map_or(1, |last| last + 2),
        indent.filter(|it| !it.is_empty()).unwrap_or("  ").to_owned(),
    ))
}

/// The time that a reader finds: that in `metadata` stands above that at the top.
fn modified(fields: &Fields) -> Option<&Value> {
    let nested = match fields.get(METADATA) {
        Some(Value::Map(nested)) => nested.get(MODIFIED),
        _ => None,
    };
    nested.or_else(|| fields.get(MODIFIED))
}

/// All keys but the time.
fn others(fields: &Fields) -> Vec<(String, Value)> {
    let is_other = |(key, _): &&(String, Value)| key != MODIFIED;
    let without = |fields: &Fields| fields.0.iter().filter(is_other).cloned().collect::<Vec<_>>();
    let mut others = without(fields);
    for (key, value) in &mut others {
        match value {
            Value::Map(nested) if key == METADATA => *value = Value::Map(Fields(without(nested))),
            Value::Null if key == METADATA => *value = Value::Map(Fields::default()),
            _ => {}
        }
    }
    others
}
