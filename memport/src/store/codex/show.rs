use adapter_codex::CLIENT;
use memory_core::{AbsPath, Error, Memory, Value};

use super::CodexStore;
use crate::store::kind::word;
use crate::{PointerDocument, ShownMemory};

impl CodexStore<'_> {
    /// The memories of this id; without one, those of this name.
    pub(crate) fn show(&self, wanted: &str) -> Result<Vec<ShownMemory>, Error> {
        let (trees, _) = self.trees()?;
        let bundles: Vec<_> = trees.iter().map(|tree| (tree, tree.bundle().memories)).collect();
        let mut by_name = Vec::new();
        for (tree, memories) in &bundles {
            for memory in memories {
                let Some(path) = &memory.origin.path else { continue };
                let id = self.memory_id(memory, path);
                let shown = || shown(&id, path, memory, &tree.root, memories);
                if id == wanted || id.strip_prefix("codex:") == Some(wanted) {
                    return Ok(vec![shown()]);
                }
                if memory.name == wanted {
                    by_name.push(shown());
                }
            }
        }
        Ok(by_name)
    }
}

fn shown(id: &str, path: &AbsPath, memory: &Memory, root: &AbsPath, all: &[Memory]) -> ShownMemory {
    let line = |key| match memory.extra.get(key) {
        Some(Value::Number(line)) => line.parse().ok(),
        _ => None,
    };
    let name = path.strip_prefix(root).unwrap_or_default();
    let points_here = |other: &&Memory| other.links.iter().any(|link| link.target == name);
    let pointers = all.iter().filter(points_here).filter_map(|other| other.origin.path.as_ref());
    ShownMemory {
        id: id.to_owned(),
        agent: CLIENT.0,
        kind: word(&memory.kind),
        name: memory.name.clone(),
        description: memory.description.clone(),
        path: path.to_string(),
        first_line: line("first_line"),
        last_line: line("last_line"),
        created: memory.when.created.clone(),
        modified: memory.when.modified.clone(),
        links: memory.links.iter().map(|link| link.target.clone()).collect(),
        linked_from: pointers
            .map(|path| PointerDocument { path: path.to_string(), line: None, text: None })
            .collect(),
        body: memory.body.clone(),
    }
}
