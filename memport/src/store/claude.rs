//! What Claude Code keeps.

use std::time::{Duration, UNIX_EPOCH};

use adapter_claude::{Claude, HitReason, MemoryView, Mention, NewMemory, Query, Similar};
use memory_core::store::Item;
use memory_core::{AbsPath, Error, Parsed, World};
use memport_documents::{Agent, LookupDocument, PassageDocument, PointerDocument, ShownMemory};

use super::{Addition, NewFact, not_read, word};
use crate::failure::Failure;

/// What stands before the client's own ids.
const PREFIX: &str = "claude:";

/// What Claude Code keeps, seen from one folder.
pub(crate) struct ClaudeStore<'a> {
    claude: &'a Claude,
    world: World<'a>,
    query: Query,
}

impl<'a> ClaudeStore<'a> {
    /// Looks where Claude Code would look when it is started in `cwd`.
    pub(crate) fn open(claude: &'a Claude, world: World<'a>, cwd: &AbsPath) -> Self {
        let query = Query::new(cwd.clone());
        Self { claude, world, query }
    }

    /// Whether there is a memory for this folder.
    pub(crate) fn has_memory(&self) -> Result<bool, Error> {
        let root = self.claude.memory_folder(self.world, &self.query)?;
        Ok(self.world.fs.metadata(&root).is_ok_and(|found| found.is_dir()))
    }

    /// Instruction files, rules, skills and memories, whether they load or not.
    pub(crate) fn inventory(&self) -> Result<Parsed<Vec<Item>>, Error> {
        let mut found = self.claude.inventory(self.world, &self.query)?;
        for item in &mut found.value {
            item.id.insert_str(0, PREFIX);
        }
        Ok(found)
    }

    /// A memory that says the fact, at `now` in seconds since 1970.
    pub(crate) fn plan_memory(&self, fact: &NewFact, now: i64) -> Result<Addition, Failure> {
        let root = self.claude.memory_folder(self.world, &self.query)?;
        let since_1970 = Duration::from_secs(now.try_into().unwrap_or_default());
        let mut memory = NewMemory::new(fact.fact.clone(), UNIX_EPOCH + since_1970);
        memory.why.clone_from(&fact.why);
        memory.source.clone_from(&fact.source);
        memory.type_name.clone_from(&fact.kind);
        let mut added = match self.claude.plan_add(self.world, &root, &memory) {
            Err(Error::Blank) => return Err(NewFact::says_nothing()),
            added => added?,
        };
        if !self.claude.is_memory_on(self.world, &self.query)? {
            let help = "remove `autoMemoryEnabled: false` from the settings, or \
                        `CLAUDE_CODE_DISABLE_AUTO_MEMORY` from the environment";
            added.diagnostics.push(not_read("Claude Code", &root, help));
        }
        added.diagnostics.extend(self.claude.shared_memory(self.world, &self.query)?);
        Ok(Addition {
            plan: added.plan,
            known_in: added.known.then_some(added.file).into_iter().collect(),
            is_doubled: false,
            similar: added.similar.into_iter().map(similar).collect(),
            diagnostics: added.diagnostics,
        })
    }

    /// Adds what the memory says to a question.
    pub(crate) fn look_up(&self, answer: &mut LookupDocument) -> Result<(), Error> {
        let hits = self.claude.lookup(self.world, &self.query, &answer.query)?;
        for hit in hits {
            answer.passages.extend(hit.reasons.into_iter().map(passage));
        }
        Ok(())
    }

    /// The memory of this id; without one, those of this path or name.
    pub(crate) fn show(&self, wanted: &str) -> Result<Vec<ShownMemory>, Error> {
        let id = wanted.strip_prefix(PREFIX).unwrap_or(wanted);
        let found = self.claude.show(self.world, &self.query, id)?;
        Ok(found.into_iter().map(shown).collect())
    }
}

fn passage(found: HitReason) -> PassageDocument {
    let words: Vec<_> = found.words.iter().map(|word| format!("`{word}`")).collect();
    PassageDocument {
        agent: Agent::ClaudeCode,
        path: found.path.to_string(),
        first_line: found.lines.0,
        last_line: found.lines.1,
        text: found.text,
        why: format!("the {} holds {}", found.place, words.join(", ")),
    }
}

fn shown(found: MemoryView) -> ShownMemory {
    let memory = found.memory;
    ShownMemory {
        id: format!("{PREFIX}{}", found.id),
        agent: Agent::ClaudeCode,
        kind: word(&memory.kind),
        name: memory.name,
        description: memory.description,
        path: found.path.to_string(),
        first_line: Some(found.body_lines.0),
        last_line: Some(found.body_lines.1),
        created: memory.when.created,
        modified: memory.when.modified,
        links: memory.links.into_iter().map(|link| link.target).collect(),
        linked_from: found.index_lines.into_iter().chain(found.linked_from).map(pointer).collect(),
        body: memory.body,
    }
}

fn similar(found: Similar) -> PointerDocument {
    PointerDocument { path: found.path.to_string(), line: Some(found.line), text: Some(found.text) }
}

fn pointer(found: Mention) -> PointerDocument {
    PointerDocument { path: found.path.to_string(), line: Some(found.line), text: Some(found.text) }
}
