//! Claude Code as a client that keeps memory, asked as every other one.

use memory_core::store::{
    AddError, Addition, Fact, FoundBy, Item, KeepMemory, Lookup, MemoryView, Passage, Pointer,
    SessionStart, StoreAnswer, SwitchedOff,
};
use memory_core::{Diagnostic, Error, World};

use super::{Mention, NewMemory};
use crate::claude::{Claude, Query};

/// What switches the memory on.
const SWITCH_ON: &str = "remove `autoMemoryEnabled: false` from the settings, or \
                         `CLAUDE_CODE_DISABLE_AUTO_MEMORY` from the environment";

impl KeepMemory for Claude {
    fn has_memory(&self, world: World<'_>, start: &SessionStart) -> Result<bool, Error> {
        let root = self.memory_folder(world, &query(start))?;
        Ok(world.fs.metadata(&root).is_ok_and(|found| found.is_dir()))
    }

    fn inventory(
        &self,
        world: World<'_>,
        start: &SessionStart,
    ) -> Result<StoreAnswer<Vec<Item>>, Error> {
        let found = Self::inventory(self, world, &query(start))?;
        Ok(StoreAnswer::new(found.value).with_diagnostics(found.diagnostics))
    }

    fn show(
        &self,
        world: World<'_>,
        start: &SessionStart,
        wanted: &str,
    ) -> Result<Vec<MemoryView>, Error> {
        let found = Self::show(self, world, &query(start), wanted)?;
        let views = found.into_iter().map(|found| {
            let pointers = found.index_lines.into_iter().chain(found.linked_from);
            MemoryView::new(found.id, found.memory, found.path)
                .with_status(found.status)
                .on_lines(Some(found.body_lines))
                .linked_from(pointers.map(pointer).collect())
        });
        Ok(views.collect())
    }

    fn lookup(
        &self,
        world: World<'_>,
        start: &SessionStart,
        words: &str,
    ) -> Result<StoreAnswer<Lookup>, Error> {
        let hits = Self::lookup(self, world, &query(start), words)?;
        let passages = hits.into_iter().flat_map(|hit| hit.reasons).map(|found| {
            let why = FoundBy::Words { part: Some(found.part), words: found.words };
            Passage::new(found.path, found.lines, found.text, why)
        });
        Ok(StoreAnswer::new(Lookup::new(passages.collect(), Vec::new())))
    }

    /// A topic file and its line in the index.
    fn plan_add(
        &self,
        world: World<'_>,
        start: &SessionStart,
        fact: &Fact,
    ) -> Result<Addition, AddError> {
        let query = query(start);
        let root = self.memory_folder(world, &query)?;
        let mut memory = NewMemory::new(fact.text.clone(), fact.time);
        memory.why.clone_from(&fact.why);
        memory.source.clone_from(&fact.source);
        memory.type_name.clone_from(&fact.kind);
        let added = match Self::plan_add(self, world, &root, &memory) {
            Err(Error::Blank) => return Err(AddError::Blank),
            added => added?,
        };
        let mut addition = Addition::new(added.plan);
        addition.known_in = added.known.then_some(added.file).into_iter().collect();
        let similar = added.similar.into_iter();
        addition.similar =
            similar.map(|found| Pointer::to_line(found.path, found.line, found.text)).collect();
        addition.diagnostics = added.diagnostics;
        addition.diagnostics.extend(self.shared_memory(world, &query)?);
        if !self.is_memory_on(world, &query)? {
            addition.switched_off = Some(SwitchedOff { root, help: SWITCH_ON.to_owned() });
        }
        Ok(addition)
    }

    fn findings(
        &self,
        world: World<'_>,
        start: &SessionStart,
    ) -> Result<StoreAnswer<Vec<Diagnostic>>, Error> {
        Ok(StoreAnswer::new(self.doctor(world, &query(start))?))
    }
}

fn query(start: &SessionStart) -> Query {
    Query::new(start.cwd.clone()).with_args(start.args.iter().map(String::as_str))
}

fn pointer(found: Mention) -> Pointer {
    Pointer::to_line(found.path, found.line, found.text)
}
