//! What clients keep, asked through their adapters, in one form for all.

mod claude;
mod codex;
mod fact;
mod foreign;

use fact::not_read;
pub(crate) use fact::{Addition, NewFact};

use memory_core::fs::OsFs;
use memory_core::model::MemoryKind;
use memory_core::store::Item;
use memory_core::{Error, Parsed, World};
use memport_documents::{Agent, LookupDocument, ShownMemory};

use crate::args::ClientName;
use crate::client::Clients;
use crate::failure::Failure;
use crate::place::Start;
use claude::ClaudeStore;
use codex::CodexStore;
pub(crate) use foreign::foreign_name;

/// What the clients that are asked keep, seen from one folder.
pub(crate) struct Stores<'a> {
    codex: Option<CodexStore<'a>>,
    claude: Option<ClaudeStore<'a>>,
    only: Option<ClientName>,
}

impl<'a> Stores<'a> {
    /// Looks where the clients would look.
    pub(crate) fn open(clients: &'a Clients, start: &'a Start) -> Self {
        let world = World { fs: &OsFs, env: &start.env };
        let codex = || CodexStore::open(&clients.codex, world, &start.cwd);
        let claude = || ClaudeStore::open(&clients.claude, world, &start.cwd);
        Self {
            codex: clients.asks(ClientName::Codex).then(codex),
            claude: clients.asks(ClientName::Claude).then(claude),
            only: clients.only,
        }
    }

    /// What they keep, whether it loads or not, client after client.
    pub(crate) fn inventory(&self) -> Result<Parsed<Vec<(Agent, Item)>>, Error> {
        let codex = self.codex.as_ref().map(CodexStore::inventory).transpose()?;
        let claude = self.claude.as_ref().map(ClaudeStore::inventory).transpose()?;
        let found = codex.map(|found| (Agent::Codex, found));
        let found = found.into_iter().chain(claude.map(|found| (Agent::ClaudeCode, found)));
        let mut all = Parsed { value: Vec::new(), diagnostics: Vec::new() };
        for (agent, found) in found {
            all.value.extend(found.value.into_iter().map(|item| (agent, item)));
            all.diagnostics.extend(found.diagnostics);
        }
        let foreign: Vec<_> =
            all.value.iter().filter_map(|(_, item)| foreign_name(&item.path)).collect();
        all.diagnostics.extend(foreign);
        Ok(all)
    }

    /// Adds what they remember of a question.
    pub(crate) fn look_up(&self, answer: &mut LookupDocument) -> Result<(), Error> {
        self.codex.as_ref().map_or(Ok(()), |codex| codex.look_up(answer))?;
        self.claude.as_ref().map_or(Ok(()), |claude| claude.look_up(answer))
    }

    /// The memories of this id; without one, those of this path or name.
    pub(crate) fn show(&self, wanted: &str) -> Result<Vec<ShownMemory>, Error> {
        let codex = self.codex.as_ref().map(|codex| codex.show(wanted)).transpose()?;
        let claude = self.claude.as_ref().map(|claude| claude.show(wanted)).transpose()?;
        let mut found: Vec<_> = codex.into_iter().chain(claude).flatten().collect();
        // An id is sure, where another client has a memory of that name.
        if found.iter().any(|memory| memory.id == wanted) {
            found.retain(|memory| memory.id == wanted);
        }
        Ok(found)
    }

    /// How the fact would be remembered at `now`, in seconds since 1970: by the
    /// client that was named, else by each that has a memory here.
    pub(crate) fn plan_add(&self, fact: &NewFact, now: i64) -> Result<Addition, Failure> {
        let mut additions = Vec::new();
        if let Some(codex) = &self.codex
            && (self.only.is_some() || codex.has_memory()?)
        {
            additions.push(codex.plan_note(fact, now)?);
        }
        if let Some(claude) = &self.claude
            && (self.only.is_some() || claude.has_memory()?)
        {
            additions.push(claude.plan_memory(fact, now)?);
        }
        let mut additions = additions.into_iter();
        let first = additions.next().ok_or_else(|| {
            Failure::usage(
                "no client has a memory here yet",
                "say which shall have one: `memport memory add codex`, `memport memory add claude`",
            )
        })?;
        Ok(additions.try_fold(first, Addition::and)?)
    }
}

/// The word for a kind of memory.
fn word(kind: &MemoryKind) -> String {
    match kind {
        MemoryKind::User => "user",
        MemoryKind::Feedback => "feedback",
        MemoryKind::Project => "project",
        MemoryKind::Reference => "reference",
        MemoryKind::Summary => "summary",
        MemoryKind::Episode => "episode",
        MemoryKind::Other(word) => word,
        _ => "other",
    }
    .to_owned()
}
