//! One memory with where it stands and what leads to it.

use memory_core::model::{Memory, Value};
use memory_core::{AbsPath, Error, World};

use super::Store;
use crate::codex::{Codex, Query};

/// A memory with its provenance.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MemoryView {
    /// Its id in the inventory.
    pub id: String,
    /// The memory.
    pub memory: Memory,
    /// Its file.
    pub path: AbsPath,
    /// The first and the last line of its text, counted from 1; `None` when it
    /// is the whole file.
    pub lines: Option<(u32, u32)>,
    /// The files with memories that point to its file, in the order of the tree.
    pub linked_from: Vec<AbsPath>,
}

impl Codex {
    /// The memory of this id; without one, all memories in the file of this
    /// path; without any, all of this name. Both trees are looked at.
    ///
    /// Errors as [`Codex::resolve`].
    pub fn show(
        &self,
        world: World<'_>,
        query: &Query,
        wanted: &str,
    ) -> Result<Vec<MemoryView>, Error> {
        let store = Store::open(self, world, query)?;
        let (mut by_path, mut by_name) = (Vec::new(), Vec::new());
        for tree in store.trees()?.value {
            let memories = tree.memories();
            for (memory, id) in memories.iter().zip(store.memory_ids(&memories)) {
                let (Some(path), Some(id)) = (&memory.origin.path, id) else { continue };
                if id == wanted {
                    return Ok(vec![view(id, path, memory, &tree.root, &memories)]);
                }
                if path.as_str() == wanted || path.to_string() == wanted {
                    by_path.push(view(id, path, memory, &tree.root, &memories));
                } else if memory.name == wanted {
                    by_name.push(view(id, path, memory, &tree.root, &memories));
                }
            }
        }
        Ok(if by_path.is_empty() { by_name } else { by_path })
    }
}

fn view(id: String, path: &AbsPath, memory: &Memory, root: &AbsPath, all: &[Memory]) -> MemoryView {
    let line = |key| match memory.extra.get(key) {
        Some(Value::Number(line)) => line.parse().ok(),
        _ => None,
    };
    let name = path.strip_prefix(root).unwrap_or_default();
    let points_here = |other: &&Memory| other.links.iter().any(|link| link.target == name);
    let pointers = all.iter().filter(points_here).filter_map(|other| other.origin.path.clone());
    MemoryView {
        id,
        memory: memory.clone(),
        path: path.clone(),
        lines: line("first_line").zip(line("last_line")),
        linked_from: pointers.collect(),
    }
}
