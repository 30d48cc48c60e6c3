use adapter_codex::MemoryView;
use memory_core::Error;
use memport_documents::{Agent, PointerDocument, ShownMemory};

use super::{CodexStore, PREFIX};
use crate::store::word;

impl CodexStore<'_> {
    /// The memories of this id; without one, those of this name.
    pub(crate) fn show(&self, wanted: &str) -> Result<Vec<ShownMemory>, Error> {
        let named = |name| self.codex.show(self.world, &self.query, name);
        let mut found = match wanted.strip_prefix(PREFIX) {
            Some(id) => named(id)?,
            None => Vec::new(),
        };
        // A name may begin like an id.
        if found.is_empty() {
            found = named(wanted)?;
        }
        Ok(found.into_iter().map(shown).collect())
    }
}

fn shown(found: MemoryView) -> ShownMemory {
    let memory = found.memory;
    let pointer = |path| PointerDocument { path, line: None, text: None };
    ShownMemory {
        id: format!("{PREFIX}{}", found.id),
        agent: Agent::Codex,
        kind: word(&memory.kind),
        name: memory.name,
        description: memory.description,
        path: found.path.to_string(),
        first_line: found.lines.map(|(first, _)| first),
        last_line: found.lines.map(|(_, last)| last),
        created: memory.when.created,
        modified: memory.when.modified,
        links: memory.links.into_iter().map(|link| link.target).collect(),
        linked_from: found.linked_from.iter().map(|path| pointer(path.to_string())).collect(),
        body: memory.body,
    }
}
