use std::collections::HashSet;

use memory_core::{AbsPath, Error, Memory, Parsed, World};

use crate::{Codex, MemoryTree, MemoryVersion, Query, Resolution};

/// The two trees, the one with the longer history first.
const TREES: [MemoryVersion; 2] = [MemoryVersion::V1, MemoryVersion::V2];

/// What belongs to a start, and where the rest lies.
pub(super) struct Kept<'a> {
    world: World<'a>,
    pub(super) found: Resolution,
}

impl<'a> Kept<'a> {
    pub(super) fn open(codex: &Codex, world: World<'a>, query: &Query) -> Result<Self, Error> {
        Ok(Self { world, found: codex.resolve(world, query)? })
    }

    /// The trees that are there, and what is worth telling of them: that Codex
    /// does not start before all else.
    pub(super) fn trees(&self) -> Result<Parsed<Vec<MemoryTree>>, Error> {
        let refused = self.found.refusal.as_ref().map(|_| self.found.diagnostics.clone());
        let (mut trees, mut told) = (Vec::new(), refused.unwrap_or_default());
        let home = self.home();
        let roots = TREES.iter().filter_map(|tree| Some(home.as_ref()?.join(tree.folder())));
        let is_dir = |root: &AbsPath| self.world.fs.metadata(root).is_ok_and(|it| it.is_dir());
        for root in roots.filter(is_dir) {
            let tree = MemoryTree::read(self.world, &root)?;
            trees.push(tree.value);
            told.extend(tree.diagnostics);
        }
        Ok(Parsed { value: trees, diagnostics: told })
    }

    /// A file's id: its path, said from Codex's own folder where it lies there.
    pub(super) fn id(&self, path: &AbsPath) -> String {
        let home = self.home();
        let below = home.as_ref().and_then(|home| path.strip_prefix(home));
        below.unwrap_or(path.as_str()).to_owned()
    }

    /// The id of each memory of a tree: its file, and its name where the file
    /// holds several; a number tells apart those that would have the same.
    /// `None` for what has no file.
    pub(super) fn memory_ids(&self, memories: &[Memory]) -> Vec<Option<String>> {
        let mut given = HashSet::new();
        let ids = memories.iter().map(|memory| {
            let file = self.id(memory.origin.path.as_ref()?);
            let id = match memory.extra.get("first_line") {
                Some(_) => format!("{file}#{}", memory.name),
                None => file,
            };
            let numbered = (2_u32..).map(|number| format!("{id}~{number}"));
            let mut free = std::iter::once(id.clone()).chain(numbered);
            free.find(|id| given.insert(id.clone()))
        });
        ids.collect()
    }

    /// The folder in which both trees lie; `None` when Codex does not start.
    fn home(&self) -> Option<AbsPath> {
        self.found.memory.root.as_ref()?.parent()
    }
}
