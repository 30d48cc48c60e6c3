//! What Codex keeps for a start: listed, shown, searched, added to and looked over.

mod inventory;
mod keep;
mod lookup;
mod moved;
mod note;
mod show;
mod write_rule;

#[cfg(test)]
mod tests;

pub use lookup::{FoundBy, Lookup, Passage};
pub use note::{NewNote, NoteRefusal};
pub use show::MemoryView;
pub use write_rule::{WriteRefusal, WriteVerdict};

use std::collections::HashSet;

use memory_core::model::Memory;
use memory_core::{AbsPath, Code, Diagnostic, Error, Parsed, Severity, World};

use crate::codex::{Codex, Query};
use crate::memory::tree::MemoryTree;
use crate::resolution::{MemoryVersion, Resolution};

/// The two trees, the one with the longer history first.
const TREES: [MemoryVersion; 2] = [MemoryVersion::V1, MemoryVersion::V2];

/// What belongs to a start, and where the rest lies.
struct Store<'a> {
    world: World<'a>,
    found: Resolution,
}

impl<'a> Store<'a> {
    fn open(codex: &Codex, world: World<'a>, query: &Query) -> Result<Self, Error> {
        Ok(Self { world, found: codex.resolve(world, query)? })
    }

    /// The trees that are there, and what is worth telling of them: that Codex
    /// does not start before all else.
    fn trees(&self) -> Result<Parsed<Vec<MemoryTree>>, Error> {
        let refused = self.found.refusal.as_ref().map(|_| self.found.diagnostics.clone());
        let (mut trees, mut diagnostics) = (Vec::new(), refused.unwrap_or_default());
        let home = self.home();
        let roots = TREES.iter().filter_map(|tree| Some(home.as_ref()?.join(tree.folder())));
        let is_dir = |root: &AbsPath| self.world.fs.metadata(root).is_ok_and(|it| it.is_dir());
        for root in roots.filter(is_dir) {
            let tree = MemoryTree::read(self.world, &root)?;
            trees.push(tree.value);
            diagnostics.extend(tree.diagnostics);
        }
        Ok(Parsed { value: trees, diagnostics })
    }

    /// A file's id: its path, said from Codex's own folder where it lies there.
    fn id(&self, path: &AbsPath) -> String {
        let home = self.home();
        let below = home.as_ref().and_then(|home| path.strip_prefix(home));
        below.unwrap_or(path.as_str()).to_owned()
    }

    /// The id of each memory of a tree: its file, and its name where the file
    /// holds several; a number tells apart those that would have the same.
    /// `None` for what has no file.
    fn memory_ids(&self, memories: &[Memory]) -> Vec<Option<String>> {
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

impl Codex {
    /// Looks over both memory trees of a start, and over which of them is used.
    ///
    /// Nothing is changed. That Codex does not start is reported too.
    ///
    /// Errors as [`Codex::resolve`].
    pub fn doctor(&self, world: World<'_>, query: &Query) -> Result<Vec<Diagnostic>, Error> {
        let store = Store::open(self, world, query)?;
        let trees = store.trees()?;
        let mut diagnostics = store.found.memory.diagnostics;
        diagnostics.extend(store.found.skills.diagnostics);
        diagnostics.extend(trees.diagnostics);
        diagnostics
            .extend(trees.value.iter().filter_map(MemoryTree::interruption).map(interrupted));
        Ok(diagnostics)
    }
}

fn interrupted(left: &AbsPath) -> Diagnostic {
    let message = "the client's work on this memory was interrupted, or goes on right now";
    Diagnostic::new(Code("codex/memory-run-interrupted"), Severity::Warning, message)
        .at(left)
        .help("leave this file alone while Codex runs; else look over the memory, which may be half revised, and remove it: Codex makes it anew when it next works on the memory")
}
