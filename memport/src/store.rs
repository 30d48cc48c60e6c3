//! What clients keep, asked through their adapters, in one form for all.

mod alike;
mod fact;
mod foreign;

use std::time::{Duration, UNIX_EPOCH};

use memory_core::fs::{CachedFs, OsFs};
use memory_core::store::{
    AddError, Item, KeepMemory, MemoryView, Passage, Pointer, SessionStart, StoreAnswer,
};
use memory_core::{AbsPath, Code, Diagnostic, Env, Error, Parsed, World};
use memport_documents::{
    Agent, DiagnosticDocument, LookupDocument, PassageDocument, PointerDocument, ShownMemory,
};

use crate::args::ClientName;
use crate::client::Clients;
use crate::failure::Failure;
use crate::place::Start;
pub(crate) use alike::{Alike, alike};
pub(crate) use fact::{Addition, NewFact};
pub(crate) use foreign::foreign_name;

/// What the clients that are asked keep, seen from one folder.
pub(crate) struct Stores<'a> {
    keepers: Vec<Keeper<'a>>,
    /// Whether one client was named.
    is_chosen: bool,
    env: &'a Env,
    start: SessionStart,
}

/// A client that keeps memory.
struct Keeper<'a> {
    client: &'a dyn KeepMemory,
    agent: Agent,
    /// The word for it on the command line, which stands before its ids.
    word: &'static str,
}

impl<'a> Stores<'a> {
    /// Looks where the clients would look.
    pub(crate) fn open(clients: &'a Clients, start: &'a Start) -> Self {
        let codex = Keeper { client: &clients.codex, agent: Agent::Codex, word: "codex" };
        let claude = Keeper { client: &clients.claude, agent: Agent::ClaudeCode, word: "claude" };
        let all = [(ClientName::Codex, codex), (ClientName::Claude, claude)];
        Self {
            keepers: all
                .into_iter()
                .filter_map(|(name, keeper)| clients.asks(name).then_some(keeper))
                .collect(),
            is_chosen: clients.only.is_some(),
            env: &start.env,
            start: SessionStart::new(start.cwd.clone()),
        }
    }

    /// What they keep, whether it loads or not, client after client.
    pub(crate) fn inventory(&self) -> Result<Parsed<Vec<(Agent, Item)>>, Error> {
        let fs = CachedFs::new(&OsFs);
        let mut all = Parsed { value: Vec::new(), diagnostics: Vec::new() };
        for keeper in &self.keepers {
            let found = keeper.client.inventory(self.world(&fs), &self.start)?;
            let (items, diagnostics) = keeper.told(found);
            all.value.extend(items.into_iter().map(|mut item| {
                item.id = keeper.id(&item.id);
                (keeper.agent, item)
            }));
            all.diagnostics.extend(diagnostics);
        }
        let foreign: Vec<_> =
            all.value.iter().filter_map(|(_, item)| foreign_name(&item.path)).collect();
        all.diagnostics.extend(foreign);
        Ok(all)
    }

    /// Adds what they remember of a question.
    pub(crate) fn look_up(&self, answer: &mut LookupDocument) -> Result<(), Error> {
        let fs = CachedFs::new(&OsFs);
        for keeper in &self.keepers {
            let found = keeper.client.lookup(self.world(&fs), &self.start, &answer.query)?;
            let (found, diagnostics) = keeper.told(found);
            answer.passages.extend(found.passages.into_iter().map(|it| passage(keeper.agent, it)));
            answer.read.extend(found.read.iter().map(AbsPath::to_string));
            answer.diagnostics.extend(diagnostics.into_iter().map(DiagnosticDocument::from));
        }
        Ok(())
    }

    /// The memories of this id; without one, those of this path or name.
    pub(crate) fn show(&self, wanted: &str) -> Result<Vec<ShownMemory>, Error> {
        let fs = CachedFs::new(&OsFs);
        let mut all = Vec::new();
        for keeper in &self.keepers {
            let named = |name| keeper.client.show(self.world(&fs), &self.start, name);
            let id = wanted.strip_prefix(keeper.word).and_then(|rest| rest.strip_prefix(':'));
            let mut found = id.map_or_else(|| Ok(Vec::new()), named)?;
            // A name may begin like an id.
            if found.is_empty() {
                found = named(wanted)?;
            }
            all.extend(found.into_iter().map(|view| keeper.shown(view)));
        }
        // An id is sure, where another client has a memory of that name.
        if all.iter().any(|memory| memory.id == wanted) {
            all.retain(|memory| memory.id == wanted);
        }
        Ok(all)
    }

    /// How the fact would be remembered at `now`, in seconds since 1970: by the
    /// client that was named, else by each that has a memory here.
    pub(crate) fn plan_add(&self, fact: &NewFact, now: i64) -> Result<Addition, Failure> {
        let fs = CachedFs::new(&OsFs);
        let world = self.world(&fs);
        let fact = fact.at(UNIX_EPOCH + Duration::from_secs(now.try_into().unwrap_or_default()));
        let mut whole: Option<Addition> = None;
        for keeper in &self.keepers {
            if !self.is_chosen && !keeper.client.has_memory(world, &self.start)? {
                continue;
            }
            let added = keeper.client.plan_add(world, &self.start, &fact);
            let added =
                Addition::of(keeper.client.name(), added.map_err(|why| keeper.refused(why))?);
            whole = Some(match whole {
                None => added,
                Some(other) => other.and(added)?,
            });
        }
        whole.ok_or_else(|| {
            Failure::usage(
                "no client has a memory here yet",
                "say which shall have one: `memport memory add codex`, `memport memory add claude`",
            )
        })
    }

    fn world<'w>(&'w self, fs: &'w CachedFs<'_>) -> World<'w> {
        World { fs, env: self.env }
    }
}

impl Keeper<'_> {
    fn id(&self, id: &str) -> String {
        format!("{}:{id}", self.word)
    }

    /// An answer and what is told with it: first that the client does not start.
    fn told<T>(&self, answer: StoreAnswer<T>) -> (T, Vec<Diagnostic>) {
        let StoreAnswer { value, refusal, diagnostics, .. } = answer;
        let refused = refusal.map(|mut refusal| {
            refusal.code = Code("memport/client-does-not-start");
            refusal.message = self.not_started(&refusal.message);
            refusal.help(self.all_it_says())
        });
        (value, refused.into_iter().chain(diagnostics).collect())
    }

    fn not_started(&self, why: &str) -> String {
        format!("{} does not start with this configuration: {why}", self.client.name())
    }

    fn all_it_says(&self) -> String {
        format!("`memport explain {}` shows all that it says", self.word)
    }

    fn refused(&self, why: AddError) -> Failure {
        match why {
            AddError::Blank => NewFact::says_nothing(),
            AddError::DoesNotStart { why } => {
                Failure::impossible(self.not_started(&why), self.all_it_says())
            }
            AddError::NoFreeName { .. } => {
                Failure::impossible(why.to_string(), "use other words, or wait for a second")
            }
            AddError::Other(error) => error.into(),
            why => Failure::impossible(
                why.to_string(),
                format!("`memport explain {}` shows which memory is in force", self.word),
            ),
        }
    }

    fn shown(&self, found: MemoryView) -> ShownMemory {
        let memory = found.memory;
        ShownMemory {
            id: self.id(&found.id),
            agent: self.agent,
            kind: memory.kind.as_str().to_owned(),
            name: memory.name,
            description: memory.description,
            path: found.path.to_string(),
            first_line: found.lines.map(|(first, _)| first),
            last_line: found.lines.map(|(_, last)| last),
            created: memory.when.created,
            modified: memory.when.modified,
            links: memory.links.into_iter().map(|link| link.target).collect(),
            linked_from: found.linked_from.into_iter().map(pointer).collect(),
            body: memory.body,
        }
    }
}

fn passage(agent: Agent, found: Passage) -> PassageDocument {
    PassageDocument {
        agent,
        path: found.path.to_string(),
        first_line: found.lines.0,
        last_line: found.lines.1,
        text: found.text,
        why: found.why.to_string(),
    }
}

fn pointer(found: Pointer) -> PointerDocument {
    PointerDocument { path: found.path.to_string(), line: found.line, text: found.text }
}
