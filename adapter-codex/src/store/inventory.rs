//! The list of everything that Codex keeps for a start.

use std::collections::HashSet;

use memory_core::fs::Fs;
use memory_core::store::{Item, ItemKind, ItemStatus};
use memory_core::{AbsPath, Error, Parsed, Scope, Via, World};

use super::Store;
use crate::codex::{Codex, Query};
use crate::memory::tree::MemoryTree;
use crate::profile::CLIENT;

impl Codex {
    /// Lists the instruction files, skills, agents and memories that Codex keeps for a
    /// start, whether they load or not: each kind in a fixed order, the memories
    /// of both trees.
    ///
    /// The id of an item is its path, said from Codex's own folder where it lies
    /// there; a memory that is a piece of a file adds `#` and its name. What
    /// Codex brings along itself is not listed. Nothing is listed when it does
    /// not start; that is reported.
    ///
    /// Errors as [`Codex::resolve`].
    pub fn inventory(&self, world: World<'_>, query: &Query) -> Result<Parsed<Vec<Item>>, Error> {
        let store = Store::open(self, world, query)?;
        let mut items = Items::new(world.fs);
        instructions(&store, &mut items);
        skills(&store, &mut items);
        agents(&store, &mut items);
        let Parsed { value: trees, diagnostics } = store.trees()?;
        for tree in &trees {
            remembered(&store, tree, &mut items);
        }
        Ok(Parsed { value: items.finish(), diagnostics })
    }
}

fn instructions(store: &Store<'_>, items: &mut Items<'_>) {
    for layer in &store.found.chain.layers {
        let Some(path) = &layer.provenance.path else { continue };
        // A text of the configuration has a file of its own only where a setting
        // names it.
        let is_own = match layer.provenance.via {
            Via::Setting { key, .. } => key == "model_instructions_file",
            _ => true,
        };
        if is_own {
            let name = path.file_name().unwrap_or_default();
            items.add(path, Named::new(store.id(path), ItemKind::Instruction, name));
        }
    }
}

fn agents(store: &Store<'_>, items: &mut Items<'_>) {
    for agent in &store.found.custom_agents {
        let Some(path) = agent.path.as_ref().or(agent.declared_in.as_ref()) else { continue };
        let id = match &agent.path {
            Some(path) => store.id(path),
            None => format!("{}#{}", store.id(path), agent.name),
        };
        let named = Named::new(id, ItemKind::Agent, &agent.name);
        items.add(path, Named { description: Some(agent.description.clone()), ..named });
    }
    for layer in &store.found.omitted_agents {
        let Some(path) = &layer.provenance.path else { continue };
        if path.as_str().ends_with("/config.toml") {
            continue;
        }
        let name = path.file_name().unwrap_or_default();
        let name = name.strip_suffix(".toml").unwrap_or(name);
        items.add(path, Named::new(store.id(path), ItemKind::Agent, name));
    }
}

fn skills(store: &Store<'_>, items: &mut Items<'_>) {
    let own = |scope: &Scope| *scope != Scope::Builtin;
    let skills = &store.found.skills;
    for skill in skills.listed.iter().filter(|skill| own(&skill.scope)) {
        let named = Named::new(store.id(&skill.file), ItemKind::Skill, &skill.name);
        items.add(&skill.file, Named { description: skill.description.clone(), ..named });
    }
    for skill in skills.omitted.iter().filter(|skill| own(&skill.scope)) {
        let folder = skill.file.parent();
        let name = folder.as_ref().and_then(|folder| folder.file_name()).unwrap_or_default();
        items.add(&skill.file, Named::new(store.id(&skill.file), ItemKind::Skill, name));
    }
}

fn remembered(store: &Store<'_>, tree: &MemoryTree, items: &mut Items<'_>) {
    let memories = tree.memories();
    for (memory, id) in memories.iter().zip(store.memory_ids(&memories)) {
        let (Some(path), Some(id)) = (&memory.origin.path, id) else { continue };
        let description = memory.description.clone().or_else(|| first_line(&memory.body));
        let links = memory.links.iter().map(|link| link.target.clone()).collect();
        let named = Named::new(id, ItemKind::Memory, &memory.name);
        items.add(path, Named { description, links, ..named });
    }
    for skill in &tree.skills {
        let named = Named::new(store.id(&skill.path), ItemKind::Skill, &skill.title());
        items.add(&skill.path, Named { description: skill.description(), ..named });
    }
}

/// The first line that says something, of a text that names itself nowhere.
fn first_line(text: &str) -> Option<String> {
    text.lines().map(str::trim).find(|line| !line.is_empty()).map(str::to_owned)
}

/// The items of an inventory, each once.
struct Items<'a> {
    fs: &'a dyn Fs,
    seen: HashSet<String>,
    found: Vec<Item>,
}

/// What is known of an item beside its file.
struct Named {
    id: String,
    kind: ItemKind,
    name: String,
    description: Option<String>,
    links: Vec<String>,
}

impl Named {
    /// An item of which nothing more is known.
    fn new(id: String, kind: ItemKind, name: &str) -> Self {
        Self { id, kind, name: name.to_owned(), description: None, links: Vec::new() }
    }
}

impl<'a> Items<'a> {
    fn new(fs: &'a dyn Fs) -> Self {
        Self { fs, seen: HashSet::new(), found: Vec::new() }
    }

    /// Adds an item whose file is there and whose id is new.
    fn add(&mut self, path: &AbsPath, named: Named) {
        let Ok(file) = self.fs.metadata(path) else { return };
        if !file.is_file() || !self.seen.insert(named.id.clone()) {
            return;
        }
        let Named { id, kind, name, description, links } = named;
        self.found.push(Item {
            id,
            client: CLIENT,
            kind,
            status: ItemStatus::Active,
            name,
            description,
            path: path.clone(),
            modified: file.modified,
            bytes: file.len,
            links,
        });
    }

    fn finish(self) -> Vec<Item> {
        self.found
    }
}
