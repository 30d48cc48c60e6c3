//! Everything the client keeps for a start, whether it loads or not.

use std::collections::HashSet;

use memory_core::fs::{FileKind, Fs};
use memory_core::model::Value;
use memory_core::store::{Item, ItemKind, ItemStatus};
use memory_core::{AbsPath, Diagnostic, Error, Layer, LayerKind, Parsed, Scope, World};

use super::archive;
use super::index::Mentions;
use super::kept::{self, agents_index, gone, ids, of_index, of_line, of_topic};
use super::place::{places, with_context};
use super::read::{Depth, MAX_LEN, visit};
use super::{IndexFile, Store, StorePlace, TopicFile};
use crate::agents::{self, definition_files};
use crate::claude::{Claude, Query};
use crate::context::Context;
use crate::instructions::load::Documents;
use crate::instructions::start;
use crate::memory::is_markdown;
use crate::profile::CLIENT;
use crate::skills;

impl Claude {
    /// Lists the memories, instruction files, rules, sub-agents and skills that the
    /// client keeps for a start: memories first, each kind in a fixed order.
    ///
    /// Of a topic only the first 16 KiB are read, which holds all but unusual
    /// frontmatter; [`Item::links`] are those that stand there. Instruction
    /// files and rules are those that a start looks at; folders below it, and
    /// what they hold, are not searched.
    ///
    /// Errors when the start folder is not there or the home directory is not known.
    pub fn inventory(&self, world: World<'_>, query: &Query) -> Result<Parsed<Vec<Item>>, Error> {
        with_context(self, world, query, |context| {
            let (mut items, mut diagnostics) = (Vec::new(), Vec::new());
            for place in places(context) {
                diagnostics.extend(memories(world, place, &mut items));
            }
            let documents = Documents::default();
            let start = start::resolve(context, &documents);
            let layers = start.items.iter().map(|item| &item.layer);
            items.extend(layers.filter_map(|layer| of_layer(context, &documents, layer)));
            let agents = definition_files(context).into_iter().rev();
            items.extend(agents.filter_map(|path| of_agent(context, &path)));
            items
                .extend(skills::found(context).iter().filter_map(|skill| of_skill(context, skill)));
            Parsed { value: unique(items), diagnostics }
        })
    }
}

/// What index and archive say of the topics of a store.
pub(super) struct Standing {
    index: Option<(IndexFile, Mentions)>,
    archive: Option<(IndexFile, Mentions)>,
}

impl Standing {
    pub(super) fn of(store: &Store) -> Self {
        // Without an archive nothing depends on the index.
        let archive = store.archive.clone().map(with_mentions);
        let index = archive.as_ref().and(store.index.clone()).map(with_mentions);
        Self { index, archive }
    }

    /// Whether a topic is in use: marked or put away, a person has archived it.
    pub(super) fn status(&self, topic: &TopicFile) -> ItemStatus {
        let top = topic.below.split_once('/').map(|(top, _)| top.to_ascii_lowercase());
        let named = |file: &Option<(IndexFile, Mentions)>| {
            file.as_ref().is_some_and(|(index, mentions)| {
                let lines = mentions.of(index, &topic.below, topic.name());
                lines.iter().any(|line| line.is_visible())
            })
        };
        if topic.is_marked_archived()
            || matches!(top.as_deref(), Some("archive" | "archived"))
            || named(&self.archive) && !named(&self.index)
        {
            return ItemStatus::Archived;
        }
        if topic.is_marked("draft") { ItemStatus::Draft } else { ItemStatus::Active }
    }
}

fn with_mentions(index: IndexFile) -> (IndexFile, Mentions) {
    let mentions = index.mentions();
    (index, mentions)
}

/// Lists a memory folder; what is odd in it is told.
fn memories(world: World<'_>, place: StorePlace, items: &mut Vec<Item>) -> Vec<Diagnostic> {
    let mut standing = None;
    let mut files = HashSet::new();
    let parsed = visit(world.fs, place, Depth::Head, &mut |store, topic| {
        let standing = standing.get_or_insert_with(|| Standing::of(store));
        if store.archive.is_some() {
            files.insert(topic.below.clone());
        }
        items.push(topic_item(&topic, of_topic(&store.place, &topic), standing.status(&topic)));
    });
    items.extend(archived_lines(&parsed.value, &files));
    put_away(world.fs, &parsed.value.place, items);
    items.extend(index_item(&parsed.value));
    parsed.diagnostics
}

/// Lists what lies in the folder for what is put away.
fn put_away(fs: &dyn Fs, place: &StorePlace, items: &mut Vec<Item>) {
    let top = place.root.join(archive::FOLDER);
    let mut open = vec![top.clone()];
    let mut files = Vec::new();
    while let Some(folder) = open.pop() {
        let Ok(entries) = fs.read_dir(&folder) else { continue };
        for entry in entries.flatten() {
            let path = folder.join(&entry.name);
            match entry.kind {
                FileKind::Dir => open.push(path),
                FileKind::File if entry.name != archive::LEDGER && is_markdown(&entry.name) => {
                    files.push(path);
                }
                _ => {}
            }
        }
    }
    files.sort();
    for path in files {
        let Ok((found, bytes)) = fs.read_with_metadata(&path, MAX_LEN) else { continue };
        let below = path.strip_prefix(&place.root).unwrap_or_default().to_owned();
        let mut topic = TopicFile::parse(path, below, bytes);
        topic.bytes = found.len;
        topic.modified = found.modified;
        items.push(topic_item(&topic, of_topic(place, &topic), ItemStatus::Archived));
    }
}

fn topic_item(topic: &TopicFile, id: String, status: ItemStatus) -> Item {
    Item {
        id,
        client: CLIENT,
        kind: ItemKind::Memory,
        status,
        name: kept::name(topic),
        description: topic.description().map(str::to_owned),
        path: topic.path.clone(),
        modified: topic.modified,
        bytes: topic.bytes,
        links: topic.links().into_iter().map(|(_, link)| link.target).collect(),
    }
}

/// What the archive says of things that have no file any more.
fn archived_lines(store: &Store, files: &HashSet<String>) -> Vec<Item> {
    let gone = gone(store, &|file| files.contains(file)).into_iter();
    let items = gone.map(|(archive, line, entry)| Item {
        id: of_line(&store.place, archive, line),
        client: CLIENT,
        kind: ItemKind::Memory,
        status: ItemStatus::Archived,
        name: entry.title.clone(),
        description: entry.hook.clone(),
        path: archive.path.clone(),
        modified: None,
        bytes: archive.text(line).len() as u64,
        links: line.links.iter().map(|link| link.target.clone()).collect(),
    });
    items.collect()
}

fn index_item(store: &Store) -> Option<Item> {
    let index = agents_index(store)?;
    Some(Item {
        id: of_index(&store.place),
        client: CLIENT,
        kind: ItemKind::Memory,
        status: ItemStatus::Active,
        name: store.place.agent.clone()?,
        description: None,
        path: index.path.clone(),
        modified: None,
        bytes: index.bytes().len() as u64,
        links: index.entries().flat_map(|(_, entry)| entry.files.clone()).collect(),
    })
}

/// An instruction file or a rule that a start looks at.
fn of_layer(context: &Context<'_>, documents: &Documents, layer: &Layer) -> Option<Item> {
    let kind = match layer.kind {
        LayerKind::Rule => ItemKind::Rule,
        LayerKind::ManagedText => return None,
        _ => ItemKind::Instruction,
    };
    let path = layer.provenance.path.as_ref()?;
    let found = context.world.fs.metadata(path).ok().filter(memory_core::fs::Metadata::is_file)?;
    let document = documents.get(context, &context.world.fs.canonicalize(path).ok()?);
    let document = document.as_ref().as_ref().ok();
    let fields = document.and_then(|document| document.fields.as_ref());
    let text = |key: &str| {
        let value = fields.and_then(|fields| fields.get(key)).and_then(Value::as_text);
        value.filter(|text| !text.is_empty()).map(str::to_owned)
    };
    let imports = document.into_iter().flat_map(|document| &document.imports);
    let place = shown(context, path);
    Some(Item {
        id: format!("{}:{place}", kind.as_str()),
        client: CLIENT,
        kind,
        status: ItemStatus::Active,
        name: place,
        description: text("description"),
        path: path.clone(),
        modified: found.modified,
        bytes: found.len,
        links: imports.map(|import| import.path.clone()).collect(),
    })
}

/// A file that defines a sub-agent, or would if it were whole.
fn of_agent(context: &Context<'_>, path: &AbsPath) -> Option<Item> {
    let found = context.world.fs.metadata(path).ok().filter(memory_core::fs::Metadata::is_file)?;
    let definition = agents::read(context, path).ok();
    let (name, description) = match definition {
        Some(agent) => (agent.name, Some(agent.description).filter(|text| !text.is_empty())),
        None => (path.file_name()?.trim_end_matches(".md").to_owned(), None),
    };
    Some(Item {
        id: format!("agent:{}", shown(context, path)),
        client: CLIENT,
        kind: ItemKind::Agent,
        status: ItemStatus::Active,
        name,
        description,
        path: path.clone(),
        modified: found.modified,
        bytes: found.len,
        links: Vec::new(),
    })
}

fn of_skill(context: &Context<'_>, skill: &skills::Entry) -> Option<Item> {
    let found = context.world.fs.metadata(&skill.file).ok()?;
    Some(Item {
        id: format!("skill:{}", shown(context, &skill.file)),
        client: CLIENT,
        kind: ItemKind::Skill,
        status: ItemStatus::Active,
        name: skill.name.clone(),
        description: Some(skill.description.clone()).filter(|text| !text.is_empty()),
        path: skill.file.clone(),
        modified: found.modified,
        bytes: found.len,
        links: Vec::new(),
    })
}

/// A path as short as it stays clear: below the project, `user/…` for the
/// person's own, else the whole of it.
fn shown(context: &Context<'_>, path: &AbsPath) -> String {
    if let Some(below) = path.strip_prefix(&context.layout.config) {
        return format!("{}/{below}", Scope::User.as_str());
    }
    let root = context.layout.repository.as_ref().map_or(&context.layout.cwd, |found| &found.root);
    path.strip_prefix(root).unwrap_or_else(|| path.as_str()).to_owned()
}

/// Items with ids of their own: a file that comes twice stays once, and where
/// two would share an id, a number tells them apart.
fn unique(items: Vec<Item>) -> Vec<Item> {
    let mut ids = ids();
    let mut files: HashSet<(ItemKind, AbsPath)> = HashSet::new();
    let mut kept = Vec::with_capacity(items.len());
    for mut item in items {
        let is_file = item.kind != ItemKind::Memory;
        if is_file && !files.insert((item.kind, item.path.clone())) {
            continue;
        }
        item.id = ids.give(&item.id);
        kept.push(item);
    }
    kept
}
