//! What is wrong with what Codex keeps, and what helps.

use memory_core::{AbsPath, Code, Diagnostic, Error, Severity, World};

use super::kept::Kept;
use crate::{Codex, MemoryTree, Query};

impl Codex {
    /// Looks over both memory trees of a start, and over which of them is used.
    ///
    /// Nothing is changed. That Codex does not start is told too.
    ///
    /// Errors as [`Codex::resolve`].
    pub fn doctor(&self, world: World<'_>, query: &Query) -> Result<Vec<Diagnostic>, Error> {
        let kept = Kept::open(self, world, query)?;
        let trees = kept.trees()?;
        let mut told = kept.found.memory.diagnostics;
        told.extend(trees.diagnostics);
        told.extend(trees.value.iter().filter_map(MemoryTree::interruption).map(interrupted));
        Ok(told)
    }
}

fn interrupted(left: &AbsPath) -> Diagnostic {
    let message = "the client's work on this memory was interrupted, or goes on right now";
    Diagnostic::new(Code("codex/memory-run-interrupted"), Severity::Warning, message)
        .at(left)
        .help("leave this file alone while Codex runs; else look over the memory, which may be half revised, and remove it: Codex makes it anew when it next works on the memory")
}
