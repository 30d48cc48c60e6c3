use adapter_codex::{CLIENT, MemoryTree};
use memory_core::{AbsPath, Error, Item, ItemKind, LayerKind, Memory, Parsed, Scope};

use super::CodexStore;
use crate::store::item::{Items, Named};

impl CodexStore<'_> {
    /// Instruction files, skills and memories, whether they load or not.
    pub(crate) fn inventory(&self) -> Result<Parsed<Vec<Item>>, Error> {
        let mut items = Items::new(self.world.fs, CLIENT);
        for layer in &self.found.chain.layers {
            let Some(path) = &layer.provenance.path else { continue };
            let kind = match layer.kind {
                LayerKind::Rule => ItemKind::Rule,
                _ => ItemKind::Instruction,
            };
            let name = path.file_name().unwrap_or_default().to_owned();
            items.add(path, self.named(path, kind, name));
        }
        self.skills(&mut items);
        let (trees, diagnostics) = self.trees()?;
        for tree in &trees {
            self.remembered(tree, &mut items);
        }
        Ok(Parsed { value: items.finish(), diagnostics })
    }

    fn skills(&self, items: &mut Items<'_>) {
        let own = |scope: &Scope| *scope != Scope::Builtin;
        for skill in self.found.skills.listed.iter().filter(|skill| own(&skill.scope)) {
            let named = self.named(&skill.file, ItemKind::Skill, skill.name.clone());
            items.add(&skill.file, Named { description: skill.description.clone(), ..named });
        }
        for skill in self.found.skills.omitted.iter().filter(|skill| own(&skill.scope)) {
            items.add(&skill.file, self.named(&skill.file, ItemKind::Skill, folder(&skill.file)));
        }
    }

    fn remembered(&self, tree: &MemoryTree, items: &mut Items<'_>) {
        let bundle = tree.bundle();
        for memory in &bundle.memories {
            let Some(path) = &memory.origin.path else { continue };
            let named = Named {
                id: self.memory_id(memory, path),
                description: memory.description.clone().or_else(|| first_line(&memory.body)),
                links: memory.links.iter().map(|link| link.target.clone()).collect(),
                ..self.named(path, ItemKind::Memory, memory.name.clone())
            };
            items.add(path, named);
        }
        for skill in &bundle.skills {
            let Some(path) = &skill.origin.path else { continue };
            let description = Some(skill.description.clone()).filter(|text| !text.is_empty());
            let named = self.named(path, ItemKind::Skill, skill.name.clone());
            items.add(path, Named { description, ..named });
        }
    }

    fn named(&self, path: &AbsPath, kind: ItemKind, name: String) -> Named {
        Named { id: self.id(path), kind, name, description: None, links: Vec::new() }
    }

    /// The id of a memory: its file, and its name where the file holds several.
    pub(super) fn memory_id(&self, memory: &Memory, path: &AbsPath) -> String {
        match memory.extra.get("first_line") {
            Some(_) => format!("{}#{}", self.id(path), memory.name),
            None => self.id(path),
        }
    }
}

fn folder(file: &AbsPath) -> String {
    let folder = file.parent();
    folder.as_ref().and_then(AbsPath::file_name).unwrap_or_default().to_owned()
}

/// The first line that says something, of a text that names itself nowhere.
fn first_line(text: &str) -> Option<String> {
    text.lines().map(str::trim).find(|line| !line.is_empty()).map(str::to_owned)
}
