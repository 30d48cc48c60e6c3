//! What Codex keeps for a start: listed, shown, and looked over.

mod doctor;
mod items;
mod kept;
mod show;

#[cfg(test)]
mod tests;

pub use show::MemoryView;

use memory_core::{Error, Item, ItemKind, LayerKind, Parsed, Scope, World};

use crate::{Codex, MemoryTree, Query};
use items::{Items, Named};
use kept::Kept;

impl Codex {
    /// Lists the instruction files, skills and memories that Codex keeps for a
    /// start, whether they load or not: each kind in a fixed order, the memories
    /// of both trees.
    ///
    /// The id of an item is its path, said from Codex's own folder where it lies
    /// there; a memory that is a piece of a file adds `#` and its name. What
    /// Codex brings along itself is not listed. Nothing is listed when it does
    /// not start; that is told.
    ///
    /// Errors as [`Codex::resolve`].
    pub fn inventory(&self, world: World<'_>, query: &Query) -> Result<Parsed<Vec<Item>>, Error> {
        let kept = Kept::open(self, world, query)?;
        let mut items = Items::new(world.fs);
        instructions(&kept, &mut items);
        skills(&kept, &mut items);
        let Parsed { value: trees, diagnostics } = kept.trees()?;
        for tree in &trees {
            remembered(&kept, tree, &mut items);
        }
        Ok(Parsed { value: items.finish(), diagnostics })
    }
}

fn instructions(kept: &Kept<'_>, items: &mut Items<'_>) {
    for layer in &kept.found.chain.layers {
        let Some(path) = &layer.provenance.path else { continue };
        let kind = match layer.kind {
            LayerKind::Rule => ItemKind::Rule,
            _ => ItemKind::Instruction,
        };
        let name = path.file_name().unwrap_or_default();
        items.add(path, Named::new(kept.id(path), kind, name));
    }
}

fn skills(kept: &Kept<'_>, items: &mut Items<'_>) {
    let own = |scope: &Scope| *scope != Scope::Builtin;
    let skills = &kept.found.skills;
    for skill in skills.listed.iter().filter(|skill| own(&skill.scope)) {
        let named = Named::new(kept.id(&skill.file), ItemKind::Skill, &skill.name);
        items.add(&skill.file, Named { description: skill.description.clone(), ..named });
    }
    for skill in skills.omitted.iter().filter(|skill| own(&skill.scope)) {
        let folder = skill.file.parent();
        let name = folder.as_ref().and_then(|folder| folder.file_name()).unwrap_or_default();
        items.add(&skill.file, Named::new(kept.id(&skill.file), ItemKind::Skill, name));
    }
}

fn remembered(kept: &Kept<'_>, tree: &MemoryTree, items: &mut Items<'_>) {
    let memories = tree.memories();
    for (memory, id) in memories.iter().zip(kept.memory_ids(&memories)) {
        let (Some(path), Some(id)) = (&memory.origin.path, id) else { continue };
        let description = memory.description.clone().or_else(|| first_line(&memory.body));
        let links = memory.links.iter().map(|link| link.target.clone()).collect();
        let named = Named::new(id, ItemKind::Memory, &memory.name);
        items.add(path, Named { description, links, ..named });
    }
    for skill in &tree.skills {
        let named = Named::new(kept.id(&skill.path), ItemKind::Skill, &skill.title());
        items.add(&skill.path, Named { description: skill.description(), ..named });
    }
}

/// The first line that says something, of a text that names itself nowhere.
fn first_line(text: &str) -> Option<String> {
    text.lines().map(str::trim).find(|line| !line.is_empty()).map(str::to_owned)
}
