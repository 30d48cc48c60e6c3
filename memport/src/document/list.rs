use memory_core::Item;
use schemars::JsonSchema;
use serde::Serialize;

use super::DiagnosticDocument;
use crate::utc::utc;

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
    /// The client: `codex` or `claude-code`.
    pub agent: &'static str,
    /// `memory`, `rule`, `skill` or `instruction`.
    pub kind: &'static str,
    /// `active`, `archived` or `draft`.
    pub status: &'static str,
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

impl From<Item> for ItemDocument {
    fn from(item: Item) -> Self {
        Self {
            id: item.id,
            agent: item.client.0,
            kind: item.kind.as_str(),
            status: item.status.as_str(),
            name: item.name,
            description: item.description,
            path: item.path.to_string(),
            modified: item.modified.map(utc),
            bytes: item.bytes,
            links: item.links,
        }
    }
}
