//! What Codex keeps.

mod lookup;
mod note;
mod show;

use adapter_codex::{Codex, Query, Resolution};
use memory_core::store::Item;
use memory_core::{AbsPath, Code, Diagnostic, Error, Parsed, World};

use crate::failure::Failure;

/// What stands before the client's own ids.
const PREFIX: &str = "codex:";

/// Where to read on when Codex does not start.
const ALL_IT_SAYS: &str = "`memport explain codex` shows all that it says";

/// What Codex keeps, seen from one folder.
pub(crate) struct CodexStore<'a> {
    codex: &'a Codex,
    world: World<'a>,
    query: Query,
}

impl<'a> CodexStore<'a> {
    /// Looks where Codex would look when it is started in `cwd`.
    pub(crate) fn open(codex: &'a Codex, world: World<'a>, cwd: &AbsPath) -> Self {
        let query = Query::new(cwd.clone());
        Self { codex, world, query }
    }

    /// Whether there is a memory that Codex would use.
    pub(crate) fn has_memory(&self) -> Result<bool, Error> {
        let found = self.resolve()?;
        Ok(found.memory.root.is_some_and(|root| self.is_dir(&root)))
    }

    /// Instruction files, skills and memories, whether they load or not.
    pub(crate) fn inventory(&self) -> Result<Parsed<Vec<Item>>, Error> {
        let mut found = self.codex.inventory(self.world, &self.query)?;
        for item in &mut found.value {
            item.id.insert_str(0, PREFIX);
        }
        Ok(Parsed { diagnostics: in_own_words(found.diagnostics), ..found })
    }

    fn resolve(&self) -> Result<Resolution, Error> {
        self.codex.resolve(self.world, &self.query)
    }

    fn is_dir(&self, path: &AbsPath) -> bool {
        self.world.fs.metadata(path).is_ok_and(|found| found.is_dir())
    }
}

/// The folder of the tree that is in force.
fn root(found: &Resolution) -> Result<&AbsPath, Failure> {
    found.memory.root.as_ref().ok_or_else(|| {
        let why = found.refusal.as_deref().and_then(|why| why.lines().next());
        Failure::impossible(not_started(why.unwrap_or_default()), ALL_IT_SAYS)
    })
}

/// Says that Codex does not start, where that is not what was asked for.
fn in_own_words(told: Vec<Diagnostic>) -> Vec<Diagnostic> {
    let told = told.into_iter().map(|told| match told.code {
        Code("codex/does-not-start") => Diagnostic {
            code: Code("memport/client-does-not-start"),
            message: not_started(&told.message),
            help: Some(ALL_IT_SAYS.to_owned()),
            ..told
        },
        _ => told,
    });
    told.collect()
}

fn not_started(why: &str) -> String {
    format!("Codex does not start with this configuration: {why}")
}
