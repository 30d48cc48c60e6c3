//! The layout of frontmatter that the client writes.

use memory_core::model::{Fields, Value};

use super::Parts;
use super::yaml::emit;
use crate::profile::Profile;

const SESSION: &str = "originSessionId";
pub(super) const MODIFIED: &str = "modified";
pub(super) const METADATA: &str = "metadata";
const NODE_TYPE: &str = "node_type";

/// Whether the fields name the session that made them, at the top or in `metadata`.
pub(super) fn has_session(fields: &Fields) -> bool {
    let named = |fields: &Fields| {
        fields.get(SESSION).and_then(Value::as_text).is_some_and(|session| !session.is_empty())
    };
    named(fields) || nested(fields).is_some_and(named)
}

fn nested(fields: &Fields) -> Option<&Fields> {
    match fields.get(METADATA) {
        Some(Value::Map(nested)) => Some(nested),
        _ => None,
    }
}

/// The whole text with its frontmatter laid out anew.
pub(super) fn laid_out(
    profile: &Profile,
    parts: &Parts<'_>,
    fields: &Fields,
    session: &str,
    time: &str,
) -> String {
    let mut top = vec![("name".to_owned(), Value::Text(name(fields)))];
    if let Some(Value::Text(text)) = fields.get("description").filter(|text| !is_blank(text)) {
        top.push(("description".to_owned(), Value::Text(text.clone())));
    }
    top.push((METADATA.to_owned(), Value::Map(metadata(profile, fields, session, time))));
    let block = emit(&profile.memory, &Fields(top));
    format!("---\n{block}\n---\n\n{}", parts.body)
}

fn is_blank(value: &Value) -> bool {
    value.as_text().is_some_and(str::is_empty)
}

/// The name as the client writes it. One of ASCII letters, digits, `_` and `-`
/// stays; of any other, words of letters and digits are left, joined by `-`.
fn name(fields: &Fields) -> String {
    let text = fields.get("name").and_then(Value::as_text).unwrap_or_default();
    let is_plain = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit();
    if text.chars().all(|c| is_plain(c) || c == '_' || c == '-') {
        return text.to_owned();
    }
    let lower = text.to_lowercase();
    let words: Vec<&str> = lower.split(|c| !is_plain(c)).filter(|word| !word.is_empty()).collect();
    words.join("-")
}

/// Everything but name and description, the client's own keys included.
fn metadata(profile: &Profile, fields: &Fields, session: &str, time: &str) -> Fields {
    let mut all = Metadata(vec![(NODE_TYPE.to_owned(), Value::Null)]);
    for (key, value) in &fields.0 {
        let is_top = matches!(key.as_str(), "name" | "description" | METADATA);
        if !is_top && *value != Value::Null {
            all.set(key, value.clone());
        }
    }
    for (key, value) in nested(fields).into_iter().flat_map(|nested| &nested.0) {
        all.set(key, value.clone());
    }
    all.set(NODE_TYPE, Value::Text("memory".to_owned()));
    all.set(SESSION, Value::Text(session.to_owned()));
    if profile.memory.guards_writes {
        all.set(MODIFIED, Value::Text(time.to_owned()));
    }
    all.0.retain(|(_, value)| *value != Value::Null);
    all.0.sort_by_key(|(key, _)| index(key).unwrap_or(u32::MAX));
    Fields(all.0)
}

/// The number that a key is; such keys come first, in ascending order.
fn index(key: &str) -> Option<u32> {
    key.parse().ok().filter(|number: &u32| *number < u32::MAX && number.to_string() == key)
}

/// Keys and values; a key that is set again keeps its place.
struct Metadata(Vec<(String, Value)>);

impl Metadata {
    fn set(&mut self, key: &str, value: Value) {
        match self.0.iter_mut().find(|(known, _)| known == key) {
            Some((_, slot)) => *slot = value,
            None => self.0.push((key.to_owned(), value)),
        }
    }
}
