//! Finding memories by words.

use memory_core::store::MemoryPart;
use memory_core::{AbsPath, Error, World};
use unicode_normalization::UnicodeNormalization as _;

use super::kept::{What, kept};
use super::read::{Depth, read};
use super::{IndexFile, IndexLine, Store, TopicFile};
use crate::claude::{Claude, Query};

/// A memory that holds what was looked for.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Hit {
    /// Its id in the inventory.
    pub id: String,
    /// Its name.
    pub name: String,
    /// Its file.
    pub path: AbsPath,
    /// How well it fits; higher is better, and only the order counts.
    pub score: u32,
    /// Where the words stand, best first.
    pub reasons: Vec<HitReason>,
}

/// Where looked-for words stand.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct HitReason {
    /// The part of the memory.
    pub part: MemoryPart,
    /// The file.
    pub path: AbsPath,
    /// The first and the last line, counted from 1.
    pub lines: (u32, u32),
    /// The text of those lines.
    pub text: String,
    /// The words that stand there, in the form in which they are compared.
    pub words: Vec<String>,
}

/// How much a word counts, by where it stands.
const INDEX: u32 = 6;
const NAME: u32 = 8;
const DESCRIPTION: u32 = 5;
const BODY: u32 = 2;
/// How much a memory gains that holds all words.
const ALL: u32 = 20;

/// How many lines of one body are given.
const MOST_LINES: usize = 3;

impl Claude {
    /// Looks words up in the index, in names and descriptions, and then in the
    /// texts of the memories that belong to a start; best first.
    ///
    /// Wide and narrow, upper and lower case letters are the same, and a word
    /// is found inside other words too, so that Japanese needs no blanks.
    ///
    /// Errors as [`Claude::store`].
    pub fn lookup(&self, world: World<'_>, query: &Query, text: &str) -> Result<Vec<Hit>, Error> {
        let places = self.memory_folders(world, query)?;
        let stores = places.into_iter().map(|place| read(world.fs, place, Depth::Whole).value);
        let stores: Vec<Store> = stores.collect();
        let folded = fold(text);
        let mut words: Vec<&str> = folded.split_whitespace().collect();
        words.sort_unstable();
        words.dedup();
        let ids = kept(&stores).into_iter().filter_map(|kept| match kept.what {
            What::Topic(_) => Some(kept.id),
            What::Line(..) | What::Index(_) => None,
        });
        let mut known = ids.collect::<Vec<_>>().into_iter();
        let mut hits = Vec::new();
        for store in &stores {
            let mentions = store.index.as_ref().map(IndexFile::mentions).unwrap_or_default();
            for (topic, id) in store.topics.iter().zip(&mut known) {
                let lines = store
                    .index
                    .as_ref()
                    .map(|index| (index, mentions.of(index, &topic.below, topic.name())));
                hits.extend(hit(lines, topic, id, &words));
            }
        }
        hits.sort_by(|a, b| b.score.cmp(&a.score).then_with(|| a.path.cmp(&b.path)));
        Ok(hits)
    }
}

/// A text in the form in which it is compared.
fn fold(text: &str) -> String {
    if text.is_ascii() {
        return text.to_ascii_lowercase();
    }
    text.nfkc().flat_map(char::to_lowercase).collect()
}

fn hit(
    lines: Option<(&IndexFile, Vec<&IndexLine>)>,
    topic: &TopicFile,
    id: String,
    words: &[&str],
) -> Option<Hit> {
    let mut search =
        Search { words, seen: vec![false; words.len()], score: 0, reasons: Vec::new() };
    if let Some((index, lines)) = lines {
        for line in lines {
            let at = (line.number, line.number);
            search.text(MemoryPart::Index, INDEX, &index.path, at, &index.text(line));
        }
    }
    let header = (1, topic.last_header_line().unwrap_or(1));
    let path = &topic.path;
    let name = format!("{} {}", topic.name(), topic.stem());
    search.text(MemoryPart::Name, NAME, path, header, &name);
    search.text(
        MemoryPart::Description,
        DESCRIPTION,
        path,
        header,
        topic.description().unwrap_or_default(),
    );
    let (body, first) = topic.body();
    let mut given = 0;
    for (line, number) in body.lines().zip(first..) {
        if given < MOST_LINES && search.text(MemoryPart::Body, BODY, path, (number, number), line) {
            given += 1;
        }
    }
    if search.reasons.is_empty() {
        return None;
    }
    if search.seen.iter().all(|seen| *seen) {
        search.score += ALL;
    }
    let Search { score, reasons, .. } = search;
    Some(Hit { id, name: topic.name().to_owned(), path: topic.path.clone(), score, reasons })
}

struct Search<'a> {
    words: &'a [&'a str],
    seen: Vec<bool>,
    score: u32,
    reasons: Vec<HitReason>,
}

impl Search<'_> {
    /// Counts the words in a text; whether there are any.
    fn text(
        &mut self,
        part: MemoryPart,
        weight: u32,
        path: &AbsPath,
        lines: (u32, u32),
        text: &str,
    ) -> bool {
        let folded = fold(text);
        let mut found = Vec::new();
        for (word, seen) in self.words.iter().zip(&mut self.seen) {
            if folded.contains(word) {
                *seen = true;
                found.push((*word).to_owned());
            }
        }
        if found.is_empty() {
            return false;
        }
        self.score += weight * u32::try_from(found.len()).unwrap_or(u32::MAX);
        let (path, text) = (path.clone(), text.trim().to_owned());
        self.reasons.push(HitReason { part, path, lines, text, words: found });
        true
    }
}
