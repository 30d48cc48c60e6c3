//! All that memory folders hold, with ids of their own.

use std::borrow::Cow;

use memory_core::fs::name_to_bytes;
use memory_core::store::UniqueNames;

use super::identity::fingerprint;
use super::index::{IndexEntry, IndexLine};
use super::{IndexFile, IndexPart, Store, StorePlace, TopicFile};

/// No id is given out yet; a number tells those apart that would be the same.
pub(super) fn ids() -> UniqueNames {
    UniqueNames::new("~")
}

/// One thing that a store remembers.
pub(super) struct Kept<'a> {
    pub(super) id: String,
    pub(super) store: &'a Store,
    pub(super) what: What<'a>,
}

/// What stands for a memory.
#[derive(Clone, Copy)]
pub(super) enum What<'a> {
    /// A topic file.
    Topic(&'a TopicFile),
    /// A line of the archive whose topic is gone.
    Line(&'a IndexFile, &'a IndexLine, &'a IndexEntry),
    /// The index of a sub-agent.
    Index(&'a IndexFile),
}

/// All that some stores remember, in the order of the inventory.
pub(super) fn kept(stores: &[Store]) -> Vec<Kept<'_>> {
    let mut ids = ids();
    let mut all = Vec::new();
    for store in stores {
        let mut add = |id: String, what| all.push(Kept { id: ids.give(&id), store, what });
        for topic in &store.topics {
            add(of_topic(&store.place, topic), What::Topic(topic));
        }
        let has = |file: &str| store.topics.iter().any(|topic| topic.below == file);
        for (archive, line, entry) in gone(store, &has) {
            add(of_line(&store.place, archive, line), What::Line(archive, line, entry));
        }
        if let Some(index) = agents_index(store) {
            add(of_index(&store.place), What::Index(index));
        }
    }
    all
}

pub(super) fn of_topic(place: &StorePlace, topic: &TopicFile) -> String {
    let below = shown(topic.below.strip_suffix(".md").unwrap_or(&topic.below));
    format!("{}{below}", prefix(place))
}

pub(super) fn of_line(place: &StorePlace, archive: &IndexFile, line: &IndexLine) -> String {
    format!("{}MEMORY_ARCHIVED#{}", prefix(place), fingerprint(&archive.text(line)))
}

pub(super) fn of_index(place: &StorePlace) -> String {
    format!("{}MEMORY", prefix(place))
}

fn prefix(place: &StorePlace) -> String {
    match &place.agent {
        None => "memory:".to_owned(),
        Some(agent) => format!("agent-memory:{}:{}:", place.scope.as_str(), shown(agent)),
    }
}

/// A name of a file as people see it: bytes that are no UTF-8 as U+FFFD.
fn shown(name: &str) -> Cow<'_, str> {
    if name.is_ascii() {
        return name.into();
    }
    let bytes = name_to_bytes(name);
    String::from_utf8_lossy(&bytes).into_owned().into()
}

/// The name by which people know a topic.
pub(super) fn name(topic: &TopicFile) -> String {
    topic.own_name().map_or_else(|| shown(topic.stem()).into_owned(), str::to_owned)
}

/// What the archive says of things that have no file any more; `has` says of a
/// path below the folder whether there is a topic.
pub(super) fn gone<'a>(
    store: &'a Store,
    has: &dyn Fn(&str) -> bool,
) -> Vec<(&'a IndexFile, &'a IndexLine, &'a IndexEntry)> {
    let Some(archive) = &store.archive else { return Vec::new() };
    let gone = archive
        .entries()
        .filter(|(_, entry)| !entry.marker.is_empty() && !entry.files.iter().any(|file| has(file)));
    gone.map(|(line, entry)| (archive, line, entry)).collect()
}

/// The index of a sub-agent, in which it keeps most of what it knows.
pub(super) fn agents_index(store: &Store) -> Option<&IndexFile> {
    let index = store.place.agent.as_ref().and(store.index.as_ref())?;
    let has_text = index.lines.iter().any(|line| line.part != IndexPart::Blank);
    has_text.then_some(index)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_that_are_no_utf8_are_shown_as_people_see_them() {
        assert_eq!(shown("caf\u{efe9}"), "caf\u{fffd}");
    }
}
