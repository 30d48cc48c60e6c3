//! Lines of which a plain reading would lose something.

use memory_core::model::Value;

/// What a plain reading of a frontmatter makes of it.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Reading {
    /// Nothing is lost.
    Whole,
    /// Nothing is lost when it is read like this, doubtful values in quotes.
    Quoted(String),
    /// Something is lost.
    Lost,
}

/// Looks for comments, anchors and tags at the top level.
///
/// Where such a mark stands in a plain text it was hardly meant as one, and the
/// value is kept as it is written. Comments on lines of their own and whatever
/// is indented are not looked at.
pub(super) fn quoted(source: &str) -> Reading {
    let mut lines: Vec<String> = Vec::new();
    let mut any = false;
    for line in source.split('\n') {
        match doubt(line) {
            Doubt::None => lines.push(line.to_owned()),
            Doubt::Lost => return Reading::Lost,
            Doubt::Plain { key, value } => {
                let value = value.replace('\\', "\\\\").replace('"', "\\\"");
                lines.push(format!("{key}: \"{value}\""));
                any = true;
            }
        }
    }
    if any { Reading::Quoted(lines.join("\n")) } else { Reading::Whole }
}

enum Doubt<'a> {
    None,
    Plain { key: &'a str, value: &'a str },
    Lost,
}

fn doubt(line: &str) -> Doubt<'_> {
    if line.starts_with([' ', '\t', '#']) || !line.contains(['#', '&', '!']) {
        return Doubt::None;
    }
    // A line that means nothing by itself belongs to a longer value.
    let Some(fields) = super::read_strictly(line) else { return Doubt::None };
    let Some((_, read)) = fields.0.first() else { return Doubt::None };
    let is_text = matches!(read, Value::Text(_) | Value::Null);
    let Some((key, value)) = line.split_once(':').map(|(key, value)| (key, value.trim())) else {
        return Doubt::None;
    };
    let is_key = key.chars().all(|c| c.is_ascii_alphanumeric() || "_.-".contains(c));
    let has_comment = has_comment(value);
    let is_marked = is_key && is_text && value.starts_with(['&', '!']);
    if !(has_comment || is_marked) {
        return Doubt::None;
    }
    if is_text && is_key && !value.starts_with(['"', '\'', '|', '>']) {
        Doubt::Plain { key, value }
    } else {
        Doubt::Lost
    }
}

/// Whether a value on one line ends in a comment.
fn has_comment(value: &str) -> bool {
    let mut quote = None;
    let mut before = ' ';
    let mut chars = value.chars().peekable();
    while let Some(c) = chars.next() {
        match quote {
            // A backslash, or the quote itself, keeps a quote from ending the text.
            Some('"') if c == '\\' => _ = chars.next(),
            Some('\'') if c == '\'' && chars.next_if_eq(&'\'').is_some() => {}
            Some(open) if c == open => quote = None,
            None if c == '#' && before.is_whitespace() => return true,
            None if matches!(c, '"' | '\'') && " [{,:".contains(before) => quote = Some(c),
            Some(_) | None => {}
        }
        before = c;
    }
    false
}
