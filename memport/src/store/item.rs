use std::collections::HashSet;

use memory_core::{AbsPath, ClientId, Fs, Item, ItemKind, ItemStatus};

/// Items of one client, each file once.
pub(super) struct Items<'a> {
    fs: &'a dyn Fs,
    client: ClientId,
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

impl<'a> Items<'a> {
    pub(super) fn new(fs: &'a dyn Fs, client: ClientId) -> Self {
        Self { fs, client, seen: HashSet::new(), found: Vec::new() }
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
            client: self.client,
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
