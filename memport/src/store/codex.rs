//! What Codex keeps.

mod inventory;
mod lookup;
mod note;
mod show;

use adapter_codex::{Codex, MemoryTree, MemoryVersion, Query, Resolution};
use memory_core::{AbsPath, Diagnostic, Error, Parsed, World};

use crate::failure::Failure;

/// What Codex keeps, seen from one folder.
pub(crate) struct CodexStore<'a> {
    world: World<'a>,
    found: Resolution,
}

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
        self.found.memory.root.as_ref().ok_or_else(|| {
            let why = self.found.refusal.as_deref().unwrap_or_default();
            let why = why.lines().next().unwrap_or_default();
            Failure::impossible(
                format!("Codex does not start with this configuration: {why}"),
                "`memport explain codex` shows all that it says",
            )
        })
    }

    /// The trees that are there, and what is worth telling of them.
    fn trees(&self) -> Result<(Vec<MemoryTree>, Vec<Diagnostic>), Error> {
        let (mut trees, mut told) = (Vec::new(), Vec::new());
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
