//! Citations at the end of a reply: which memories it used.

use std::collections::{BTreeMap, BTreeSet};

use uuid::Uuid;

const OPEN: &str = "<oai-mem-citation>";
const CLOSE: &str = "</oai-mem-citation>";

/// A reply of the model, parted into what the person sees and what it cites.
///
/// ```
/// let reply = "Done.\n<oai-mem-citation>\n<citation_entries>\n\
///     MEMORY.md:12-15|note=[rounding]\n</citation_entries>\n</oai-mem-citation>";
/// let cited = adapter_codex::CitedReply::read(reply);
/// assert_eq!(cited.visible, "Done.\n");
/// assert_eq!((cited.entries[0].path.as_str(), cited.entries[0].first_line), ("MEMORY.md", 12));
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CitedReply {
    /// What the person sees: all text outside of citation blocks.
    pub visible: String,
    /// The cited passages in order.
    pub entries: Vec<CitedPassage>,
    /// The cited sessions in order, each once, as written.
    pub rollout_ids: Vec<String>,
    /// Lines among the entries that the client drops, as written.
    pub dropped: Vec<String>,
}

/// A passage of a memory file that a reply cites.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CitedPassage {
    /// The file, relative to the tree's root, as written.
    pub path: String,
    /// The first line.
    pub first_line: u32,
    /// The last line.
    pub last_line: u32,
    /// What it was used for.
    pub note: String,
}

impl CitedReply {
    /// Reads a reply; a block that is not closed goes on to its end.
    pub fn read(reply: &str) -> Self {
        let mut cited = Self::default();
        let (mut rest, mut seen) = (reply, BTreeSet::new());
        while let Some((before, block)) = rest.split_once(OPEN) {
            cited.visible.push_str(before);
            let (block, after) = block.split_once(CLOSE).unwrap_or((block, ""));
            cited.block(block, &mut seen);
            rest = after;
        }
        cited.visible.push_str(rest);
        cited
    }

    /// The sessions whose use the client counts: each once, and only UUIDs.
    pub fn counted_ids(&self) -> BTreeSet<String> {
        let ids = self.rollout_ids.iter().filter_map(|id| Uuid::try_parse(id).ok());
        ids.map(|id| id.hyphenated().to_string()).collect()
    }

    fn block<'r>(&mut self, block: &'r str, seen: &mut BTreeSet<&'r str>) {
        let entries = between(block, "<citation_entries>", "</citation_entries>");
        for line in entries.into_iter().flat_map(str::lines).map(str::trim) {
            match CitedPassage::read(line) {
                Some(entry) => self.entries.push(entry),
                None if line.is_empty() => {}
                None => self.dropped.push(line.to_owned()),
            }
        }
        let ids = between(block, "<rollout_ids>", "</rollout_ids>")
            .or_else(|| between(block, "<thread_ids>", "</thread_ids>"));
        for id in ids.into_iter().flat_map(str::lines).map(str::trim) {
            if !id.is_empty() && seen.insert(id) {
                self.rollout_ids.push(id.to_owned());
            }
        }
    }
}

impl CitedPassage {
    /// Reads `path:start-end|note=[text]`; `None` for a line the client drops.
    fn read(line: &str) -> Option<Self> {
        let (location, note) = line.rsplit_once("|note=[")?;
        let (path, range) = location.rsplit_once(':')?;
        let (first, last) = range.split_once('-')?;
        Some(Self {
            path: path.trim().to_owned(),
            first_line: first.trim().parse().ok()?,
            last_line: last.trim().parse().ok()?,
            note: note.strip_suffix(']')?.trim().to_owned(),
        })
    }
}

impl CitedReply {
    /// How often each session was used, as the client counts it: once a reply that
    /// cites it. Reading a file does not count.
    pub fn count<'r>(replies: impl IntoIterator<Item = &'r Self>) -> BTreeMap<String, u64> {
        let mut counts = BTreeMap::new();
        for id in replies.into_iter().flat_map(Self::counted_ids) {
            *counts.entry(id).or_default() += 1;
        }
        counts
    }
}

fn between<'t>(text: &'t str, open: &str, close: &str) -> Option<&'t str> {
    let (_, rest) = text.split_once(open)?;
    rest.split_once(close).map(|(inner, _)| inner)
}

#[cfg(test)]
mod tests {
    use super::*;

    const ID: &str = "01a19b53-e8d0-7abc-8000-1a2b3c4d5e6f";

    #[test]
    fn blocks_are_hidden_wherever_they_stand() {
        let cited = CitedReply::read(&format!(
            "a{OPEN}<citation_entries>\n a/b:c.md:1-2|note=[x [y]] \nm.md:1-2|note=[n]|note=[o]\nbad line\nm.md:1|note=[n]\n</citation_entries>{CLOSE}b\
             {OPEN}<thread_ids>\n{ID}\n{ID}\nnot-a-uuid\n</thread_ids>"
        ));
        assert_eq!(cited.visible, "ab");
        assert_eq!(cited.dropped, ["m.md:1-2|note=[n]|note=[o]", "bad line", "m.md:1|note=[n]"]);
        assert_eq!(cited.rollout_ids, [ID, "not-a-uuid"]);
        assert_eq!(cited.counted_ids().len(), 1);
        let [entry] = &cited.entries[..] else { panic!("{cited:?}") };
        assert_eq!((entry.path.as_str(), entry.note.as_str()), ("a/b:c.md", "x [y]"));
    }

    #[test]
    fn brackets_in_a_note_are_kept() {
        let cited = CitedReply::read(&format!(
            "{OPEN}<citation_entries>\nMEMORY.md:12-15|note=[a [b] c]\n</citation_entries>"
        ));
        assert_eq!(cited.entries[0].note, "a [b] c");
        assert_eq!((cited.entries[0].path.as_str(), cited.entries[0].last_line), ("MEMORY.md", 15));
    }

    #[test]
    fn a_session_counts_once_a_reply() {
        let one = CitedReply::read(&format!("{OPEN}<rollout_ids>{ID}\n{ID}</rollout_ids>{CLOSE}"));
        let counts = CitedReply::count([&one, &one, &CitedReply::read("none")]);
        assert_eq!(counts, BTreeMap::from([(ID.to_owned(), 2)]));
    }
}
