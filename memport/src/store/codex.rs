//! What Codex keeps.

mod inventory;
mod lookup;
mod note;
mod show;

use adapter_codex::{Codex, MemoryTree, MemoryVersion, Query, Resolution};
use memory_core::{AbsPath, Code, Diagnostic, Error, Parsed, Severity, World};

use crate::failure::Failure;

/// What Codex keeps, seen from one folder.
pub(crate) struct CodexStore<'a> {
    world: World<'a>,
    found: Resolution,
}

/// Where to read on when Codex does not start.
const ALL_IT_SAYS: &str = "`memport explain codex` shows all that it says";

/// The two trees, the one with the longer history first.
const TREES: [MemoryVersion; 2] = [MemoryVersion::V1, MemoryVersion::V2];

impl<'a> CodexStore<'a> {
    /// Looks where Codex would look when it is started in `cwd`.
    pub(crate) fn open(codex: &Codex, world: World<'a>, cwd: &AbsPath) -> Result<Self, Error> {
        let found = codex.resolve(world, &Query { cwd: cwd.clone(), args: Vec::new() })?;
        Ok(Self { world, found })
    }

    /// Whether there is a memory that Codex would use.
    pub(crate) fn has_memory(&self) -> bool {
        self.found.memory.root.as_ref().is_some_and(|root| self.is_dir(root))
    }

    /// What is wrong with what Codex keeps.
    pub(crate) fn findings(&self) -> Result<Vec<Diagnostic>, Error> {
        let (_, mut findings) = self.trees()?;
        findings.splice(0..0, self.found.memory.diagnostics.iter().cloned());
        Ok(findings)
    }

    /// The folder in which both trees lie.
    fn home(&self) -> Option<AbsPath> {
        self.found.memory.root.as_ref()?.parent()
    }

    /// The folder of the tree that is in force.
    fn root(&self) -> Result<&AbsPath, Failure> {
        let root = self.found.memory.root.as_ref();
        root.ok_or_else(|| Failure::impossible(self.why_not_started(), ALL_IT_SAYS))
    }

    /// That Codex does not start, and so nothing of it is known, in one line.
    fn why_not_started(&self) -> String {
        let why = self.found.refusal.as_deref().and_then(|why| why.lines().next());
        format!("Codex does not start with this configuration: {}", why.unwrap_or_default())
    }

    fn told_not_started(&self) -> Option<Diagnostic> {
        self.found.refusal.as_ref()?;
        let code = Code("memport/client-does-not-start");
        let told = Diagnostic::new(code, Severity::Error, self.why_not_started());
        Some(told.help(ALL_IT_SAYS))
    }

    /// The trees that are there, and what is worth telling of them.
    fn trees(&self) -> Result<(Vec<MemoryTree>, Vec<Diagnostic>), Error> {
        let (mut trees, mut told) = (Vec::new(), Vec::from_iter(self.told_not_started()));
        let home = self.home();
        let roots = TREES.iter().filter_map(|tree| Some(home.as_ref()?.join(tree.folder())));
        for root in roots.filter(|root| self.is_dir(root)) {
            let Parsed { value, diagnostics } = MemoryTree::read(self.world, &root)?;
            trees.push(value);
            told.extend(diagnostics);
        }
        Ok((trees, told))
    }

    fn is_dir(&self, path: &AbsPath) -> bool {
        self.world.fs.metadata(path).is_ok_and(|found| found.is_dir())
    }

    /// A file's id: its path, said from Codex's own folder where it lies there.
    fn id(&self, path: &AbsPath) -> String {
        let home = self.home();
        let below = home.as_ref().and_then(|home| path.strip_prefix(home));
        format!("codex:{}", below.unwrap_or(path.as_str()))
    }
}
