//! One memory with where it stands and what leads to it.

use std::time::SystemTime;

use memory_core::{AbsPath, Error, ItemStatus, Memory, World};

use super::inventory::{Standing, ids};
use super::read::{Depth, read};
use super::{Store, TopicFile, TopicLayout};
use crate::memory::INDEX;
use crate::{Claude, Query};

/// A memory with its provenance.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MemoryView {
    /// Its id in the inventory.
    pub id: String,
    /// The memory.
    pub memory: Memory,
    /// Whether it is in use.
    pub status: ItemStatus,
    /// Its file.
    pub path: AbsPath,
    /// Size of the file in bytes.
    pub bytes: u64,
    /// When the file was last changed, or `None` where the system keeps no time.
    pub modified: Option<SystemTime>,
    /// How its frontmatter is laid out.
    pub layout: TopicLayout,
    /// The first and the last line of its text, counted from 1.
    pub body_lines: (u32, u32),
    /// The lines of the index that name it.
    pub index_lines: Vec<Mention>,
    /// The lines of other files that point to it.
    pub linked_from: Vec<Mention>,
}

/// A line that names a memory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mention {
    /// The file.
    pub path: AbsPath,
    /// The line, counted from 1.
    pub line: u32,
    /// The text of the line.
    pub text: String,
}

impl Claude {
    /// One memory by its id, its path, its name or the name of its file; `None`
    /// when there is none.
    ///
    /// Errors as [`Claude::store`].
    pub fn show(
        &self,
        world: World<'_>,
        query: &Query,
        id: &str,
    ) -> Result<Option<MemoryView>, Error> {
        let places = self.memory_folders(world, query)?;
        let stores = places.into_iter().map(|place| read(world.fs, place, Depth::Whole).value);
        let stores: Vec<Store> = stores.collect();
        let known = ids(&stores);
        let all = stores.iter().flat_map(|store| store.topics.iter().map(move |it| (store, it)));
        let all: Vec<(&Store, &TopicFile, &String)> =
            all.zip(&known).map(|((store, topic), id)| (store, topic, id)).collect();
        let found = [Naming::Id, Naming::Path, Naming::Name, Naming::Stem]
            .into_iter()
            .find_map(|naming| all.iter().find(|(_, topic, known)| naming.fits(topic, known, id)));
        Ok(found.map(|(store, topic, id)| view(store, topic, id)))
    }
}

/// How a memory can be named, the surest way first.
#[derive(Clone, Copy)]
enum Naming {
    Id,
    Path,
    Name,
    Stem,
}

impl Naming {
    fn fits(self, topic: &TopicFile, known: &str, id: &str) -> bool {
        match self {
            Self::Id => known == id,
            Self::Path => topic.path.as_str() == id || topic.below == id,
            Self::Name => topic.own_name() == Some(id),
            Self::Stem => topic.stem() == id,
        }
    }
}

fn view(store: &Store, topic: &TopicFile, id: &str) -> MemoryView {
    let mut index_lines = Vec::new();
    for index in [&store.index, &store.archive].into_iter().flatten() {
        let lines = index.lines_naming(&topic.below, topic.name());
        index_lines.extend(lines.into_iter().map(|line| Mention {
            path: index.path.clone(),
            line: line.number,
            text: index.text(line),
        }));
    }
    let (body, first) = topic.body();
    let last = u32::try_from(body.trim_end().matches('\n').count()).unwrap_or(u32::MAX);
    MemoryView {
        id: id.to_owned(),
        memory: topic.memory(store.place.scope),
        status: Standing::of(store).status(topic),
        path: topic.path.clone(),
        bytes: topic.bytes,
        modified: topic.modified,
        layout: topic.layout,
        body_lines: (first, first.saturating_add(last)),
        index_lines,
        linked_from: linked_from(store, topic),
    }
}

/// The lines of other topics that point to one.
fn linked_from(store: &Store, to: &TopicFile) -> Vec<Mention> {
    let others = store.topics.iter().filter(|other| other.below != to.below);
    let mentions = others.flat_map(|other| {
        let links = other.links().into_iter();
        let leads = links.filter(|(_, link)| to.is_target(&other.below, &link.target));
        leads.map(|(line, _)| Mention { path: other.path.clone(), line, text: other.line(line) })
    });
    mentions.collect()
}

impl TopicFile {
    /// Whether a pointer in the file at `from`, a path below the folder, leads here.
    pub(crate) fn is_target(&self, from: &str, target: &str) -> bool {
        if target == self.name() || target == self.stem() {
            return true;
        }
        let folder = from.rsplit_once('/').map_or("", |(folder, _)| folder);
        let root = AbsPath::root();
        let beside = root.join(folder).join(decoded(target));
        let at_top = root.join(decoded(target));
        let own = root.join(&self.below);
        self.below != INDEX && (beside == own || at_top == own)
    }
}

fn decoded(target: &str) -> String {
    super::link::local_file(target)
        .unwrap_or_else(|| target.split('#').next().unwrap_or_default().to_owned())
}
