//! The text of a topic file, in the client's own layout.

use memory_core::model::{Fields, Memory, MemoryKind, Value};

use crate::memory::{clipped, emit, units, visible};
use crate::profile::Profile;
use crate::text::frontmatter::is_space;

/// Longest description that is made of a text, in UTF-16 units.
const LONGEST_DESCRIPTION: usize = 150;

/// Longest title of an index line, in UTF-16 units.
const LONGEST_TITLE: usize = 60;

/// Longest index line, in UTF-16 units, as in an index that the client writes.
const LONGEST_LINE: usize = 150;

/// A memory on its way into a file.
pub(super) struct Topic<'a> {
    pub(super) profile: &'a Profile,
    pub(super) name: &'a str,
    pub(super) memory: &'a Memory,
    /// Where it comes from.
    pub(super) source: String,
}

/// The client's word for what a memory is.
pub(super) fn type_name(memory: &Memory) -> &'static str {
    match memory.kind {
        MemoryKind::User => "user",
        MemoryKind::Feedback => "feedback",
        MemoryKind::Reference => "reference",
        _ => "project",
    }
}

/// The text of a topic file; the body is whole.
pub(super) fn topic(topic: &Topic<'_>) -> String {
    let memory = topic.memory;
    let mut metadata =
        vec![text_field("node_type", "memory"), text_field("type", type_name(memory))];
    metadata.extend(memory.when.created.as_deref().map(|time| text_field("created", time)));
    metadata.extend(memory.when.modified.as_deref().map(|time| text_field("modified", time)));
    metadata.push(text_field("source", &topic.source));
    for (key, value) in &memory.extra.0 {
        let is_known = metadata.iter().any(|(known, _)| known == key);
        // Where it stood is said by the source.
        if !is_known && !["first_line", "last_line", "originSessionId"].contains(&key.as_str()) {
            metadata.push((without_fences(key), plain(value)));
        }
    }
    let mut top = vec![text_field("name", topic.name)];
    let description = described(memory);
    if !description.is_empty() {
        top.push(text_field("description", &description));
    }
    top.push(("metadata".to_owned(), Value::Map(Fields(metadata))));
    let header = emit(&topic.profile.memory, &Fields(top));
    format!("---\n{header}\n---\n\n{}\n", memory.body.trim_matches(is_space))
}

/// The file with the entries for which an index has no room.
pub(super) fn hub(name: &str, store: &str, lines: &[String]) -> String {
    format!(
        "---\nname: {name}\ndescription: Entries of {} for which the index has no room\nmetadata:\n  node_type: memory\n  type: reference\n---\n\n{}\n",
        without_fences(store).replace(['#', ':', '"'], " "),
        lines.join("\n")
    )
}

/// The line of the index without its marker.
pub(super) fn index_line(memory: &Memory, name: &str) -> String {
    let title = clipped(&one_line(&memory.name), LONGEST_TITLE);
    let title = title.replace('[', "(").replace(']', ")").replace(['`', '\\'], "'");
    let title = if title.is_empty() { name.to_owned() } else { title };
    let link = format!("[{title}]({name}.md)");
    let left = LONGEST_LINE.saturating_sub(units(&link) + 5);
    let hook = hook(memory);
    // A comment in the index would hide the entries behind it.
    let hook = hook.replace("<!--", "<!‑-");
    if hook.is_empty() || left < 2 { link } else { format!("{link} — {}", clipped(&hook, left)) }
}

/// What a memory is about, in one line.
fn hook(memory: &Memory) -> String {
    let given = memory.description.as_deref().map(one_line).filter(|text| !text.is_empty());
    given.unwrap_or_else(|| clipped(&first_line(&memory.body), LONGEST_DESCRIPTION))
}

/// The description: it holds a name of which the file's name keeps nothing.
fn described(memory: &Memory) -> String {
    let hook = hook(memory);
    let name = one_line(&memory.name);
    let is_lost = !name.is_ascii() && !hook.contains(&name);
    let text = if is_lost { format!("{name}: {hook}") } else { hook };
    without_fences(&text)
}

/// The first line that says something, without the marks before it.
fn first_line(body: &str) -> String {
    let is_mark = |c: char| "#-*>".contains(c) || is_space(c);
    let lines = body.lines().map(|line| one_line(line.trim_start_matches(is_mark)));
    let mut lines = lines.filter(|line| line.chars().any(char::is_alphanumeric));
    lines.next().unwrap_or_default()
}

/// A text on one line, without what nobody sees.
fn one_line(text: &str) -> String {
    let text = visible(text);
    let words: Vec<&str> = text.split(is_space).filter(|word| !word.is_empty()).collect();
    words.join(" ")
}

/// Three dashes anywhere in the frontmatter end it for the client.
fn without_fences(text: &str) -> String {
    let mut text = text.to_owned();
    while text.contains("---") {
        text = text.replace("---", "—");
    }
    text
}

fn text_field(key: &str, text: &str) -> (String, Value) {
    (key.to_owned(), Value::Text(without_fences(&one_line(text))))
}

fn plain(value: &Value) -> Value {
    match value {
        Value::Text(text) => Value::Text(without_fences(text)),
        Value::List(items) => Value::List(items.iter().map(plain).collect()),
        Value::Map(fields) => Value::Map(Fields(
            fields.0.iter().map(|(key, value)| (without_fences(key), plain(value))).collect(),
        )),
        other => other.clone(),
    }
}
