//! Memories that say nearly the same as a new one.

use std::collections::HashSet;

use memory_core::AbsPath;
use memory_core::fs::{FileKind, Fs};
use memory_core::store::Similarity;

use super::compose::Draft;
use super::index::IndexFile;
use super::read::{ARCHIVE, HEAD};
use super::{NewMemory, TopicFile};
use crate::memory::{INDEX, is_markdown};

/// A memory that says nearly the same as a new one.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Similar {
    /// The index, or the topic that no line of the index speaks of.
    pub path: AbsPath,
    /// The line, counted from 1.
    pub line: u32,
    /// What stands there.
    pub text: String,
}

/// How many are given.
const MOST: usize = 5;

/// How many names of a folder are looked at.
const MOST_NAMES: usize = 2_000;

/// How many topics are opened that the index says nothing of.
const MOST_TOPICS: usize = 64;

/// What a new memory says.
pub(super) struct Said {
    /// All of it.
    whole: Vec<Similarity>,
    /// The line that an index would have of it, which may be cut short there.
    line: Similarity,
}

impl Said {
    pub(super) fn of(memory: &NewMemory, draft: &Draft<'_>) -> Self {
        let line = Similarity::of(draft.headline());
        let texts = [Some(memory.fact.as_str()), memory.body.as_deref()];
        let mut whole = vec![line.clone()];
        for said in texts.into_iter().flatten().map(Similarity::of) {
            if !whole.contains(&said) {
                whole.push(said);
            }
        }
        Self { whole, line }
    }

    fn fits(&self, text: &str) -> bool {
        if text.trim_end().ends_with('…') {
            return self.line.matches(text);
        }
        self.whole.iter().any(|said| said.matches(text))
    }
}

/// The lines of an index that say nearly the same, and topics that the index
/// says nothing of: their descriptions, not their texts.
pub(super) fn alike(fs: &dyn Fs, root: &AbsPath, index: &IndexFile, said: &Said) -> Vec<Similar> {
    let mut found = Vec::new();
    for (line, entry) in index.entries() {
        if found.len() == MOST {
            return found;
        }
        let hook = entry.hook.as_deref().unwrap_or_default();
        if said.fits(hook) || said.fits(&entry.title) {
            let text = index.text(line);
            found.push(Similar { path: index.path.clone(), line: line.number, text });
        }
    }
    let topics = untold(fs, root, index).into_iter().filter_map(|path| described(fs, path, said));
    let left = MOST - found.len();
    found.extend(topics.take(left));
    found
}

/// Topics at the top of the folder that no line with a hook points to.
fn untold(fs: &dyn Fs, root: &AbsPath, index: &IndexFile) -> Vec<AbsPath> {
    let Ok(entries) = fs.read_dir(root) else { return Vec::new() };
    let entries = entries.take(MOST_NAMES).flatten();
    let is_topic = |name: &str| {
        is_markdown(name) && !name.starts_with('.') && ![INDEX, ARCHIVE].contains(&name)
    };
    let topics = entries.filter(|entry| entry.kind == FileKind::File && is_topic(&entry.name));
    let mut names: HashSet<String> = topics.map(|entry| entry.name).collect();
    if !names.is_empty() {
        for (_, entry) in index.entries().filter(|(_, entry)| entry.hook.is_some()) {
            for file in &entry.files {
                names.remove(file);
            }
        }
    }
    let mut names: Vec<String> = names.into_iter().collect();
    names.sort();
    names.truncate(MOST_TOPICS);
    names.into_iter().map(|name| root.join(name)).collect()
}

fn described(fs: &dyn Fs, path: AbsPath, said: &Said) -> Option<Similar> {
    let bytes = fs.read_up_to(&path, HEAD).ok()?;
    let topic = TopicFile::parse(path, String::new(), bytes);
    let text = topic.description().filter(|text| said.fits(text))?.to_owned();
    Some(Similar { line: 1, text, path: topic.path })
}
