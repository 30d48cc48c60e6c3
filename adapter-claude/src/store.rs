//! A memory folder as a store: read whole, searched, and changed byte by byte.

mod add;
mod alike;
mod archive;
mod compose;
mod doctor;
mod edit;
mod headline;
mod identity;
mod index;
mod insert;
mod inventory;
mod keep;
mod kept;
mod link;
mod lookup;
mod place;
mod projects;
mod read;
mod relocate;
mod shared;
mod show;
mod state_file;
mod topic;

use memory_core::model::Memory;
use memory_core::{AbsPath, Error, Parsed, World};

pub use add::{Addition, NewMemory};
pub use alike::Similar;
pub use archive::{ArchiveReason, HistoryEvent, HistoryKind};
pub use edit::MemoryEdit;
pub(crate) use identity::{fingerprint, name_of};
pub use index::{IndexEntry, IndexFile, IndexLine, IndexPart};
pub use lookup::{Hit, HitReason};
pub use place::StorePlace;
pub use relocate::{RelocateRefusal, Relocation};
pub(crate) use shared::tell as shared_with;
pub use show::{MemoryView, Mention};
pub use topic::{TopicFile, TopicLayout};

use crate::claude::{Claude, Query};

/// A memory folder as it is on disk: nothing is repaired, nothing left out.
///
/// ```
/// use adapter_claude::{Claude, Query};
/// use memory_core::{AbsPath, Env, World};
/// use memory_core::fs::MemFs;
///
/// let fs = MemFs::from_files([
///     ("/home/mio/.claude/projects/-repo/memory/MEMORY.md", "- [Tabs](tabs.md) — use tabs\n"),
///     ("/home/mio/.claude/projects/-repo/memory/tabs.md", "---\nname: tabs\n---\n\nUse tabs.\n"),
///     ("/repo/.git/HEAD", ""),
/// ]);
/// let env = Env::with_home(AbsPath::new("/home/mio")?);
/// let query = Query::new(AbsPath::new("/repo")?);
/// let store = Claude::default().store(World { fs: &fs, env: &env }, &query)?.value;
/// assert_eq!(store.topics.len(), 1);
/// assert_eq!(store.memories()[0].body, "Use tabs.\n");
/// # Ok::<(), memory_core::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Store {
    /// The folder and whose it is.
    pub place: StorePlace,
    /// The index; `None` when there is none.
    pub index: Option<IndexFile>,
    /// What people put away, in the same form; `None` when there is none.
    pub archive: Option<IndexFile>,
    /// The topic files by path, those of sub-folders and those behind links included.
    pub topics: Vec<TopicFile>,
    /// Files that are neither, by path: never opened.
    pub others: Vec<AbsPath>,
}

impl Store {
    /// The topics in no client's words.
    pub fn memories(&self) -> Vec<Memory> {
        self.topics.iter().map(|topic| topic.memory(self.place.scope)).collect()
    }
}

impl Claude {
    /// Reads the memory folder of a start; one that is not there is an empty store.
    ///
    /// What cannot be read is told and left as it is. Errors when the start
    /// folder is not there or the home directory is not known.
    pub fn store(&self, world: World<'_>, query: &Query) -> Result<Parsed<Store>, Error> {
        let places = self.memory_folders(world, query)?;
        let place = places.into_iter().next();
        let place = place.ok_or(Error::HomeUnknown)?;
        Ok(self.store_at(world, place))
    }

    /// Reads a memory folder, that of a sub-agent for example.
    pub fn store_at(&self, world: World<'_>, place: StorePlace) -> Parsed<Store> {
        read::read(world.fs, place, read::Depth::Whole)
    }
}

#[cfg(test)]
mod tests;
