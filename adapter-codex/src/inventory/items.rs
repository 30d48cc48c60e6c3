use std::collections::HashSet;

use memory_core::{AbsPath, Fs, Item, ItemKind, ItemStatus};

use crate::CLIENT;

/// The items of an inventory, each once.
pub(super) struct Items<'a> {
    fs: &'a dyn Fs,
    seen: HashSet<String>,
    found: Vec<Item>,
}

/// What is known of an item beside its file.
pub(super) struct Named {
    pub(super) id: String,
    pub(super) kind: ItemKind,
    pub(super) name: String,
    pub(super) description: Option<String>,
    pub(super) links: Vec<String>,
}

impl Named {
    /// An item of which nothing more is known.
    pub(super) fn new(id: String, kind: ItemKind, name: &str) -> Self {
        Self { id, kind, name: name.to_owned(), description: None, links: Vec::new() }
    }
}

impl<'a> Items<'a> {
    pub(super) fn new(fs: &'a dyn Fs) -> Self {
        Self { fs, seen: HashSet::new(), found: Vec::new() }
    }

    /// Adds an item whose file is there and whose id is new.
    pub(super) fn add(&mut self, path: &AbsPath, named: Named) {
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

    pub(super) fn finish(self) -> Vec<Item> {
        self.found
    }
}
