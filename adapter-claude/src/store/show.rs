//! One memory with where it stands and what leads to it.

use std::time::SystemTime;

use memory_core::model::{Dates, Fields, Memory, MemoryKind};
use memory_core::store::ItemStatus;
use memory_core::{AbsPath, Error, Provenance, Via, World};

use super::inventory::Standing;
use super::kept::{Kept, What, kept, name};
use super::read::{Depth, read};
use super::{IndexFile, Store, TopicFile, TopicLayout};
use crate::claude::{Claude, Query};
use crate::memory::INDEX;
use crate::profile::CLIENT;

/// A memory with its provenance.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct MemoryView {
    /// Its id in the inventory.
    pub id: String,
    /// The memory.
    pub memory: Memory,
    /// Whether it is in use.
    pub status: ItemStatus,
    /// Its file: a topic, or the index or archive in which it stands.
    pub path: AbsPath,
    /// Size of the topic in bytes, or of the text that stands in an index.
    pub bytes: u64,
    /// When the topic was last changed; `None` where the system keeps no time,
    /// and for what stands in an index.
    pub modified: Option<SystemTime>,
    /// How its frontmatter is laid out; plain for what stands in an index.
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
#[non_exhaustive]
pub struct Mention {
    /// The file.
    pub path: AbsPath,
    /// The line, counted from 1.
    pub line: u32,
    /// The text of the line.
    pub text: String,
}

impl Claude {
    /// The memory of this id; without one those of this path, of this name, or
    /// whose file has this name, the surest first. None when there is none.
    ///
    /// Errors as [`Claude::store`].
    pub fn show(
        &self,
        world: World<'_>,
        query: &Query,
        wanted: &str,
    ) -> Result<Vec<MemoryView>, Error> {
        let places = self.memory_folders(world, query)?;
        let stores = places.into_iter().map(|place| read(world.fs, place, Depth::Whole).value);
        let stores: Vec<Store> = stores.collect();
        let all = kept(&stores);
        let ways = [Naming::Id, Naming::Path, Naming::Name, Naming::Stem].into_iter();
        let mut found = ways.map(|naming| {
            let fitting = all.iter().filter(|kept| naming.fits(kept, wanted));
            fitting.map(view).collect::<Vec<_>>()
        });
        Ok(found.find(|found| !found.is_empty()).unwrap_or_default())
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
    fn fits(self, kept: &Kept<'_>, wanted: &str) -> bool {
        let is_path = |path: &AbsPath| path.as_str() == wanted || path.to_string() == wanted;
        match (self, kept.what) {
            (Self::Id, _) => kept.id == wanted,
            (Self::Path, What::Topic(topic)) => is_path(&topic.path) || topic.below == wanted,
            (Self::Path, What::Line(file, ..) | What::Index(file)) => is_path(&file.path),
            (Self::Name, What::Topic(topic)) => topic.own_name() == Some(wanted),
            (Self::Name, What::Line(_, _, entry)) => entry.title == wanted,
            (Self::Name, What::Index(_)) => kept.store.place.agent.as_deref() == Some(wanted),
            (Self::Stem, What::Topic(topic)) => topic.stem() == wanted || name(topic) == wanted,
            (Self::Stem, What::Line(_, _, entry)) => {
                entry.files.iter().any(|file| file.strip_suffix(".md") == Some(wanted))
            }
            (Self::Stem, What::Index(_)) => false,
        }
    }
}

fn view(kept: &Kept<'_>) -> MemoryView {
    match kept.what {
        What::Topic(topic) => of_topic(kept, topic),
        What::Line(archive, line, entry) => {
            let text = archive.text(line);
            let lines = (line.number, line.number);
            let said = (entry.title.clone(), entry.hook.clone(), text);
            let view = of_file(kept, archive, said, lines);
            MemoryView { status: ItemStatus::Archived, ..view }
        }
        What::Index(index) => {
            let text = index.source().text();
            let last = u32::try_from(text.lines().count()).unwrap_or(u32::MAX);
            let name = kept.store.place.agent.clone().unwrap_or_default();
            of_file(kept, index, (name, None, text.into_owned()), (1, last.max(1)))
        }
    }
}

/// What an index file says, as a memory: its name, its description, its text.
fn of_file(
    kept: &Kept<'_>,
    file: &IndexFile,
    (name, description, body): (String, Option<String>, String),
    place: (u32, u32),
) -> MemoryView {
    let inside = file.lines.iter().filter(|it| (place.0..=place.1).contains(&it.number));
    let links = inside.flat_map(|line| line.links.clone()).collect();
    MemoryView {
        id: kept.id.clone(),
        status: ItemStatus::Active,
        path: file.path.clone(),
        bytes: body.len() as u64,
        modified: None,
        layout: TopicLayout::Plain,
        body_lines: place,
        index_lines: Vec::new(),
        linked_from: Vec::new(),
        memory: Memory {
            name,
            kind: MemoryKind::Other(String::new()),
            description,
            body,
            links,
            when: Dates { created: None, modified: None },
            origin: Provenance {
                client: CLIENT,
                scope: kept.store.place.scope,
                path: Some(file.path.clone()),
                via: Via::Discovered,
            },
            extra: Fields::default(),
        },
    }
}

fn of_topic(kept: &Kept<'_>, topic: &TopicFile) -> MemoryView {
    let store = kept.store;
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
        id: kept.id.clone(),
        memory: Memory { name: name(topic), ..topic.memory(store.place.scope) },
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
