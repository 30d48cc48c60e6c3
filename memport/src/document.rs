//! The JSON documents, as types: what a command prints, and its schema.

mod agent;
mod budget;
mod claude;
mod codex;
mod diff;
mod layer;
mod list;
mod memory;
mod omitted;
mod plan;
mod port;
mod remembered;
mod skill;
mod store;

pub use agent::{
    AgentExplanation, Client, DiagnosticDocument, ProbesDocument, Rendered, StepDocument,
    ToolUseDocument, Totals,
};
pub use budget::{BudgetDocument, Size, Tokens};
pub use claude::from_claude;
pub use codex::from_codex;
pub use layer::{CutDocument, LayerDocument, ViaDocument};
pub use list::{ItemDocument, LIST_SCHEMA, ListDocument};
pub use memory::{
    AgentMemoryDocument, IndexCutDocument, MemoryCut, MemoryDocument, MiddleCutDocument, NewIndex,
};
pub use omitted::{OmittedDocument, Reason};
pub use plan::{AppliedDocument, ChangeDocument, PlanDocument};
pub use port::{
    CarriedDocument, ConflictDocument, LossDocument, PORT_SCHEMA, PortDocument, SideDocument,
};
pub(crate) use port::{PortPlaces, from_port};
pub use remembered::{
    LOOKUP_SCHEMA, LookupDocument, MEMORY_SCHEMA, MemoryAnswer, MemoryChange, PassageDocument,
    PointerDocument, SHOW_SCHEMA, ShowDocument, ShownMemory,
};
pub use skill::{ListedSkillDocument, OmittedSkillDocument, SkillsDocument};
pub use store::{
    DOCTOR_SCHEMA, DoctorDocument, RELOCATE_SCHEMA, RelocateDocument, UNDO_SCHEMA, UndoDocument,
    UndoneDocument,
};

use schemars::JsonSchema;
use serde::Serialize;

/// Name of the document that `memport explain` prints.
pub const EXPLAIN_SCHEMA: &str = "memport.explain.v1";

/// What `memport explain` prints: one client, or all that have something here.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(untagged)]
pub enum Explanation {
    /// A client was named.
    One(Box<AgentExplanation>),
    /// No client was named.
    Every(EveryAgent),
}

/// Every client that has something here.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct EveryAgent {
    /// Name of this document.
    #[schemars(extend("const" = EXPLAIN_SCHEMA))]
    pub schema: &'static str,
    /// One entry per client that has something here.
    pub agents: Vec<AgentExplanation>,
}
