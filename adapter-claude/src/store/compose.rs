//! The text of a new topic, in the client's own layout.

use memory_core::model::{Fields, Value};

use super::NewMemory;
use super::headline::headline;
use super::identity::name_of;
use crate::memory::{clipped, emit, iso_time, units, visible};
use crate::profile::Profile;
use crate::text::frontmatter::is_space;

/// Longest description that is made of a fact, in UTF-16 units.
const LONGEST_DESCRIPTION: usize = 150;

/// Longest title of an index line, in UTF-16 units.
const LONGEST_TITLE: usize = 60;

/// Longest index line that is made, in UTF-16 units, as in a rebuilt index.
const LONGEST_LINE: usize = 150;

/// The type of a memory for which nobody gave one.
const USUAL_TYPE: &str = "project";

/// A new memory with everything worked out but its number.
pub(super) struct Draft<'a> {
    /// What it is made of.
    pub(super) memory: &'a NewMemory,
    /// The name without a number.
    pub(super) base: String,
    pub(super) type_name: &'a str,
    description: String,
    /// The line that says what it is about, at its full length.
    headline: String,
    pub(super) body: String,
}

impl<'a> Draft<'a> {
    pub(super) fn of(memory: &'a NewMemory) -> Self {
        let type_name = memory.type_name.as_deref().unwrap_or(USUAL_TYPE);
        let named = memory.name.as_deref().map(one_line).filter(|name| !name.is_empty());
        let base = name_of(named.as_deref().unwrap_or(&one_line(&memory.fact)), type_name);
        let given = memory.description.as_deref().map(one_line).filter(|text| !text.is_empty());
        let headline = one_line(&headline(&memory.fact).unwrap_or_default());
        let mut description = given.unwrap_or_else(|| clipped(&headline, LONGEST_DESCRIPTION));
        // A name of which the client keeps nothing must stand where it keeps everything.
        if let Some(name) = named.filter(|name| !name.is_ascii() && !description.contains(name)) {
            description = format!("{name}: {description}");
        }
        Self {
            memory,
            base,
            type_name,
            description: without_fences(&description),
            headline,
            body: body(memory),
        }
    }

    /// The line that says what it is about, at its full length.
    pub(super) fn headline(&self) -> &str {
        &self.headline
    }

    /// The name with this number; the first has none.
    pub(super) fn numbered(&self, number: u32) -> String {
        // Three dashes anywhere in the frontmatter end it for the client.
        let dash = if self.base.ends_with("--") { "" } else { "-" };
        if number <= 1 { self.base.clone() } else { format!("{}{dash}{number}", self.base) }
    }

    /// The bytes of the topic file.
    pub(super) fn topic(&self, profile: &Profile, name: &str) -> String {
        let text = |text: &str| Value::Text(text.to_owned());
        let mut metadata = vec![
            ("node_type".to_owned(), text("memory")),
            ("type".to_owned(), text(&without_fences(self.type_name))),
        ];
        if let Some(session) = &self.memory.session {
            metadata.push(("originSessionId".to_owned(), text(session)));
        }
        if profile.memory.guards_writes {
            metadata.push(("modified".to_owned(), text(&iso_time(self.memory.time))));
        }
        let mut top = vec![("name".to_owned(), text(name))];
        if !self.description.is_empty() {
            top.push(("description".to_owned(), text(&self.description)));
        }
        top.push(("metadata".to_owned(), Value::Map(Fields(metadata))));
        format!("---\n{}\n---\n\n{}", emit(&profile.memory, &Fields(top)), self.body)
    }

    /// The line of the index without its marker.
    pub(super) fn line(&self, name: &str) -> String {
        let title = self.memory.name.as_deref().map(one_line).filter(|title| !title.is_empty());
        let title = clipped(&title.unwrap_or_else(|| name.to_owned()), LONGEST_TITLE);
        let title = title.replace('[', "(").replace(']', ")").replace(['`', '\\'], "'");
        let link = format!("[{title}]({name}.md)");
        let left = LONGEST_LINE.saturating_sub(units(&link) + 5);
        if self.description.is_empty() {
            return link;
        }
        format!("{link} — {}", clipped(&self.description, left))
    }
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

fn body(memory: &NewMemory) -> String {
    let mut parts = vec![memory.body.as_deref().unwrap_or(&memory.fact).to_owned()];
    let labelled =
        [("Why", &memory.why), ("How to apply", &memory.how_to_apply), ("Source", &memory.source)];
    for (label, text) in labelled {
        let text = text.as_deref().map(|text| text.trim_matches(is_space)).unwrap_or_default();
        if !text.is_empty() {
            parts.push(format!("**{label}:** {text}"));
        }
    }
    let parts: Vec<&str> = parts.iter().map(|part| part.trim_matches(is_space)).collect();
    let text = parts.join("\n\n").replace("\r\n", "\n").replace('\r', "\n");
    format!("{}\n", text.trim_matches(is_space))
}
