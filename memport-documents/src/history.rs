use schemars::JsonSchema;
use serde::Serialize;

/// Name of the document that `memport memory history` prints.
pub const HISTORY_SCHEMA: &str = "memport.history.v1";

/// What happened to a memory.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct HistoryDocument {
    /// Name of this document.
    #[schemars(extend("const" = HISTORY_SCHEMA))]
    pub schema: &'static str,
    /// The memory that was asked for.
    pub id: String,
    /// What happened, oldest first.
    pub events: Vec<EventDocument>,
}

/// Something that happened to a memory.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct EventDocument {
    /// What happened: `added`, `archived`, `restored`, `superseded`.
    pub event: &'static str,
    /// The day; null where nobody wrote it down.
    pub time: Option<String>,
    /// Why.
    pub reason: Option<String>,
    /// The memory that covers or supersedes it, or that it supersedes.
    pub other: Option<String>,
}
