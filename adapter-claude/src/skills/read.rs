use memory_core::AbsPath;
use memory_core::fs::{Fs, Metadata};
use memory_core::model::{Fields, Value};

use super::What;
use crate::profile::Profile;
use crate::rules::Scope;
use crate::text::frontmatter::{self, is_space};

/// The largest file that is read, in bytes.
const MAX_LEN: u64 = 16 * 1024 * 1024;

/// How long a line of the body may be that stands in for a description.
const MAX_FIRST_LINE: usize = 100;

/// What a skill's file says.
pub(crate) struct Text {
    pub(crate) own_name: Option<String>,
    pub(crate) description: String,
    /// Whether the description is one that was written as such.
    pub(crate) is_described: bool,
    pub(crate) when_to_use: Option<String>,
    pub(crate) paths: Scope,
    pub(crate) hidden_by_author: bool,
    /// Whether its author keeps it from the person.
    pub(crate) hidden_from_person: bool,
    /// Where the text behind the frontmatter starts.
    pub(crate) body: usize,
    /// The names of its arguments.
    pub(crate) arguments: Vec<String>,
}

/// Reads a skill or a command; `None` when there is no such file.
pub(super) fn read(fs: &dyn Fs, path: &AbsPath, what: What, profile: &Profile) -> Option<Text> {
    if !fs.metadata(path).as_ref().is_ok_and(Metadata::is_file) {
        return None;
    }
    let bytes = fs.read_up_to(path, MAX_LEN).ok()?;
    Some(parse(&String::from_utf8_lossy(&bytes), what, profile))
}

/// What a skill tells the model once it is used.
pub(super) struct Body {
    /// The text behind the frontmatter.
    pub(super) text: String,
    /// The names of its arguments.
    pub(super) arguments: Vec<String>,
}

/// Reads the body of a skill or a command; `None` when there is no such file.
pub(super) fn body(fs: &dyn Fs, path: &AbsPath, profile: &Profile) -> Option<Body> {
    let bytes = fs.read_up_to(path, MAX_LEN).ok()?;
    let text = String::from_utf8_lossy(&bytes);
    let readable = profile.frontmatter_after_bom || !text.starts_with('\u{feff}');
    let Some(found) = frontmatter::parse(&text).filter(|_| readable) else {
        return Some(Body { text: text.into_owned(), arguments: Vec::new() });
    };
    let given = found.fields.as_ref().and_then(|fields| fields.get("arguments"));
    let arguments = argument_names(given);
    Some(Body { text: text.get(found.body..).unwrap_or_default().to_owned(), arguments })
}

fn argument_names(given: Option<&Value>) -> Vec<String> {
    match given {
        Some(Value::List(names)) => names.iter().filter_map(scalar).collect(),
        Some(Value::Text(names)) => names.split_whitespace().map(str::to_owned).collect(),
        _ => Vec::new(),
    }
}

/// Reads the text of a skill or a command.
pub(crate) fn parse(text: &str, what: What, profile: &Profile) -> Text {
    let readable = profile.frontmatter_after_bom || !text.starts_with('\u{feff}');
    let found = frontmatter::parse(text).filter(|_| readable);
    let start = found.as_ref().map_or(0, |found| found.body);
    let body = text.get(start..).unwrap_or_default();
    let fields = found.as_ref().and_then(|found| found.fields.as_ref());
    let get = |key: &str| fields.and_then(|fields| fields.get(key));
    let given = get("description").and_then(scalar).filter(|text| !text.is_empty());
    let is_described = given.is_some();
    let description = given.unwrap_or_else(|| first_line(body, what, profile));
    let is_command = what == What::Command;
    let own_name = get("name").and_then(joined).map(|name| name.trim_matches(is_space).to_owned());
    Text {
        own_name: own_name.filter(|_| !is_command),
        description,
        is_described,
        when_to_use: get("when_to_use").and_then(joined).filter(|when| !when.is_empty()),
        paths: if is_command { Scope::Always } else { Scope::of(fields) },
        hidden_by_author: is_true(fields, "disable-model-invocation", profile),
        hidden_from_person: is_false(fields, "user-invocable"),
        body: start,
        arguments: argument_names(get("arguments")),
    }
}

/// A text, a number or a truth value as text.
fn scalar(value: &Value) -> Option<String> {
    match value {
        Value::Text(text) | Value::Number(text) => Some(text.trim_matches(is_space).to_owned()),
        Value::Bool(yes) => Some(yes.to_string()),
        Value::Null | Value::List(_) | Value::Map(_) => None,
    }
}

/// Any value as the client's language prints it.
fn joined(value: &Value) -> Option<String> {
    match value {
        Value::Null => None,
        Value::List(items) => {
            let items: Vec<String> =
                items.iter().map(|item| joined(item).unwrap_or_default()).collect();
            Some(items.join(","))
        }
        Value::Map(_) => Some("[object Object]".to_owned()),
        Value::Text(text) | Value::Number(text) => Some(text.clone()),
        Value::Bool(yes) => Some(yes.to_string()),
    }
}

fn is_true(fields: Option<&Fields>, key: &str, profile: &Profile) -> bool {
    match fields.and_then(|fields| fields.get(key)) {
        Some(Value::Bool(yes)) => *yes,
        Some(Value::Text(text) | Value::Number(text)) => {
            let text = text.trim_matches(is_space).to_ascii_lowercase();
            text == "true"
                || profile.skills.accepts_yes && matches!(text.as_str(), "yes" | "on" | "1")
        }
        _ => false,
    }
}

fn is_false(fields: Option<&Fields>, key: &str) -> bool {
    match fields.and_then(|fields| fields.get(key)) {
        Some(Value::Bool(yes)) => !*yes,
        Some(Value::Text(text)) => text.trim_matches(is_space).eq_ignore_ascii_case("false"),
        _ => false,
    }
}

/// The first line with something in it, without the marks of a heading.
fn first_line(body: &str, what: What, profile: &Profile) -> String {
    let line =
        body.split('\n').map(|line| line.trim_matches(is_space)).find(|line| !line.is_empty());
    let Some(line) = line else {
        return match what {
            What::Skill => "Skill".to_owned(),
            What::Command => "Custom command".to_owned(),
        };
    };
    let hashes = line.len() - line.trim_start_matches('#').len();
    let heading = (1..=6).contains(&hashes).then(|| line.get(hashes..)).flatten();
    let text = match heading.filter(|rest| rest.starts_with(is_space)) {
        Some(rest) => rest.trim_start_matches(is_space),
        None => line,
    };
    if text.encode_utf16().count() <= MAX_FIRST_LINE {
        return text.to_owned();
    }
    let (kept, half) = cut(text, MAX_FIRST_LINE - 3);
    // Half of a pair is no character: where descriptions are cleaned it is a blank.
    let half = match half {
        true if profile.skills.cleans_descriptions => " ",
        true => "\u{fffd}",
        false => "",
    };
    format!("{kept}{half}...")
}

/// The longest beginning with at most this many UTF-16 units, and whether the
/// first half of one more character would belong to it.
pub(super) fn cut(text: &str, units: usize) -> (&str, bool) {
    let mut left = units;
    for (at, c) in text.char_indices() {
        match left.checked_sub(c.len_utf16()) {
            Some(rest) => left = rest,
            None => return (text.get(..at).unwrap_or(text), left > 0),
        }
    }
    (text, false)
}
