use super::{is_space, yaml};

/// Characters that make the client doubt an unquoted value.
const DOUBTFUL: &[char] = &['{', '}', '[', ']', '*', '&', '#', '!', '|', '>', '%', '@', '`'];

/// What the client makes of a block that is no YAML, before it tries again:
/// each leading tab becomes two blanks, and a doubtful value of a `key: value`
/// line is put in quotes.
pub(super) fn repair(source: &str) -> String {
    let lines: Vec<String> = source.split('\n').map(repair_line).collect();
    lines.join("\n")
}

/// Puts values that begin with a comma in quotes: they are text for the client,
/// and an error for the parser.
pub(super) fn quote_commas(source: &str) -> String {
    let lines: Vec<String> = source.split('\n').map(quote_comma).collect();
    lines.join("\n")
}

fn quote_comma(line: &str) -> String {
    // It is the parser that takes it for text, whatever ends the line.
    let (text, end) = line.strip_suffix('\r').map_or((line, ""), |text| (text, "\r"));
    match key_and_value(text).filter(|(_, value)| value.starts_with(',')) {
        Some((key, value)) => quoted(key, value.trim_end()) + end,
        None => line.to_owned(),
    }
}

fn quoted(key: &str, value: &str) -> String {
    format!("{key}: \"{}\"", value.replace('\\', "\\\\").replace('"', "\\\""))
}

fn repair_line(line: &str) -> String {
    let line = &quote_comma(line);
    let rest = line.trim_start_matches('\t');
    let tabs = line.len() - rest.len();
    let Some((key, value)) = key_and_value(line).filter(|(_, value)| is_doubtful(value)) else {
        return "  ".repeat(tabs) + rest;
    };
    quoted(key, value)
}

/// A key in column 0, made of letters, `_` and `-`, and a value on the same line.
fn key_and_value(line: &str) -> Option<(&str, &str)> {
    let (key, rest) = line.split_once(':')?;
    if key.is_empty() || !key.bytes().all(|b| b.is_ascii_alphabetic() || b == b'_' || b == b'-') {
        return None;
    }
    let value = rest.trim_start_matches(is_space);
    // A line that another system's line end cuts short is not looked at.
    let whole = !value.is_empty() && !value.contains(['\r', '\u{2028}', '\u{2029}']);
    (value.len() < rest.len() && whole).then_some((key, value))
}

fn is_doubtful(value: &str) -> bool {
    let quoted_in = |quote: char| value.starts_with(quote) && value.ends_with(quote);
    if quoted_in('"') || quoted_in('\'') {
        return false;
    }
    if value.starts_with('[') && value.ends_with(']') && yaml::is_list(value) {
        return false;
    }
    value.contains(DOUBTFUL) || value.contains(": ")
}
