use super::{Content, Memory, Reach};
use crate::{AbsPath, ClientId, RelPath};

/// What a client remembers in one folder.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MemoryStore {
    /// Its folder.
    pub root: AbsPath,
    /// The client in whose layout the files are.
    pub layout: ClientId,
    /// For whom and where it is in force; the folder is the project it belongs to.
    pub reach: Reach,
    /// Its memory files by path, as they are; what is no memory is not among them.
    pub files: Vec<StoreFile>,
    /// What the files say, newest first where they have a date.
    pub memories: Vec<Memory>,
    /// The text that its client shows at the start of every session; `None`
    /// when it shows none.
    pub shown_at_start: Option<String>,
}

/// A file of a memory store.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoreFile {
    /// Where in the store's folder.
    pub path: RelPath,
    /// What stands there.
    pub content: Content,
}
