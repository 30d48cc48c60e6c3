//! What git ignores in the work tree.

use std::cell::RefCell;

use gix::bstr::ByteSlice as _;
use gix::index::entry::Mode;
use gix::worktree::stack::state::ignore::Source;
use memory_core::fs::name_to_bytes;

use crate::repository::{GitError, Repository};

/// The ignore files of a work tree, read as they are needed.
pub(crate) struct Ignored<'r> {
    repository: &'r Repository,
    stack: RefCell<gix::AttributeStack<'r>>,
    index: gix::worktree::IndexPersistedOrInMemory,
}

impl<'r> Ignored<'r> {
    pub(crate) fn of(repository: &'r Repository) -> Result<Self, GitError> {
        let failed = |error: String| repository.unreadable(".git", error);
        let index = repository
            .inner
            .index_or_load_from_head_or_empty()
            .map_err(|error| failed(error.to_string()))?;
        let source = Source::WorktreeThenIdMappingIfNotSkipped;
        let stack = repository
            .inner
            .excludes(&index, None, source)
            .map_err(|error| failed(error.to_string()))?;
        Ok(Self { repository, stack: RefCell::new(stack), index })
    }

    /// Whether git ignores this path, which is relative to the root. What the
    /// index holds is never ignored.
    pub(crate) fn contains(&self, rel: &str, is_dir: bool) -> Result<bool, GitError> {
        let bytes = name_to_bytes(rel);
        if !is_dir && self.index.entry_by_path(bytes.as_bstr()).is_some() {
            return Ok(false);
        }
        let failed = |error: String| self.repository.unreadable(rel, error);
        let mode = if is_dir { Mode::DIR } else { Mode::FILE };
        let mut stack = self.stack.borrow_mut();
        let found = stack
            .at_entry(bytes.as_bstr(), Some(mode))
            .map_err(|error| failed(error.to_string()))?;
        Ok(found.is_excluded())
    }
}
