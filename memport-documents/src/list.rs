use memory_core::store::Item;
use memory_core::time::UtcTime;
use schemars::JsonSchema;
use serde::Serialize;

use crate::explanation::DiagnosticDocument;
use crate::words::{Agent, EntryKind, Status};

/// Name of the document that `memport list` prints.
pub const LIST_SCHEMA: &str = "memport.list.v1";

/// What clients keep here, whether it loads or not.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct ListDocument {
    /// Name of this document.
    #[schemars(extend("const" = LIST_SCHEMA))]
    pub schema: &'static str,
    /// The things, client after client.
    pub items: Vec<ItemDocument>,
    /// What could not be read, and what else is worth telling.
    pub diagnostics: Vec<DiagnosticDocument>,
}

/// One thing that a client keeps.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct ItemDocument {
    /// A name that no other item of the document has.
    pub id: String,
    /// The client that keeps it.
    pub agent: Agent,
    /// What it is.
    pub kind: EntryKind,
    /// Whether it is in use.
    pub status: Status,
    /// Its own name.
    pub name: String,
    /// One line about it, or null where it has none.
    pub description: Option<String>,
    /// Its file.
    pub path: String,
    /// When the file was last changed, in UTC; null where the system keeps no time.
    pub modified: Option<String>,
    /// Size of the file in bytes.
    pub bytes: u64,
    /// Names or paths that it points to, as written.
    pub links: Vec<String>,
}

impl ItemDocument {
    /// Something that this client keeps.
    pub fn of(agent: Agent, item: Item) -> Self {
        Self {
            id: item.id,
            agent,
            kind: EntryKind::of(item.kind),
            status: Status::of(item.status),
            name: item.name,
            description: item.description,
            path: item.path.to_string(),
            modified: item.modified.map(|time| UtcTime::from(time).rfc3339()),
            bytes: item.bytes,
            links: item.links,
        }
    }
}
