//! The JSON documents that `memport` prints, as types with their schemas.
//!
//! A document is made of what the libraries answer and says it with fixed field
//! names. Programs that show what a coding agent loads can make the same
//! documents without the command: [`from_claude`] and [`from_codex`] take a
//! resolution, [`PlanDocument::of`] a plan, [`from_port`] a port.
//!
//! ```
//! use adapter_codex::{Codex, Query};
//! use memory_core::{AbsPath, Env, World};
//! use memory_core::fs::MemFs;
//!
//! let fs = MemFs::from_files([("/repo/.git/HEAD", ""), ("/repo/AGENTS.md", "Run the tests.\n")]);
//! let env = Env::with_home(AbsPath::new("/home/mio")?);
//! let query = Query::new(AbsPath::new("/repo")?);
//! let found = Codex::default().resolve(World { fs: &fs, env: &env }, &query)?;
//!
//! let document = memport_documents::from_codex(found, env.home.as_ref(), Vec::new());
//! let json = serde_json::to_value(&document).unwrap();
//! assert_eq!(json["layers"][0]["path"], "/repo/AGENTS.md");
//! # Ok::<(), memory_core::Error>(())
//! ```
//!
//! What is one of a few words is an enum, whose word is the same in JSON and
//! in text. [`Document`] names every document and gives its schema.

mod check;
mod claude;
mod claude_agents;
mod codex;
mod codex_agents;
mod comparison;
mod cost;
mod diff;
mod explanation;
mod finding;
mod history;
mod layer;
mod list;
mod memory;
mod omitted;
mod plan;
mod port;
mod quirk;
mod recall;
mod remembered;
mod schema;
mod size;
mod skill;
mod words;

pub use check::{CHECK_SCHEMA, CheckDocument, CountsDocument};
pub use claude::from_claude;
pub use claude_agents::{AgentSkillsDocument, AgentStartDocument, PreloadedSkillDocument};
pub use codex::from_codex;
pub use codex_agents::{CustomAgentDocument, LaterDocument};
pub use comparison::{
    AgentChange, ChangeReason, DIFF_SCHEMA, DiffDocument, FindingChanges, LayerChange,
    LayerChanges, MemoryChanged, Pair, SkillChange, SkillChanges, StateDocument, TextPair,
    TotalsChanged,
};
pub use cost::{AgentCost, Amount, COST_SCHEMA, CostDocument, CostItem, EstimatorDocument, Saving};
pub use explanation::{
    AgentExplanation, Client, DiagnosticDocument, EXPLAIN_SCHEMA, EveryAgent, Explanation,
    ProbesDocument, Rendered, StepDocument, ToolUseDocument, Totals,
};
pub use finding::{FindingDocument, FixDocument, PlaceDocument};
pub use history::{EventDocument, HISTORY_SCHEMA, HistoryDocument};
pub use layer::{CutDocument, LayerDocument, ViaDocument};
pub use list::{ItemDocument, LIST_SCHEMA, ListDocument};
pub use memory::{
    AgentMemoryDocument, IndexCutDocument, MemoryCut, MemoryDocument, MiddleCutDocument, NewIndex,
    TopicsDocument,
};
pub use omitted::{OmittedDocument, Reason};
pub use plan::{
    AppliedDocument, ChangeDocument, HOOK_SCHEMA, HookDocument, PlanDocument, RELOCATE_SCHEMA,
    RelocateDocument, UNDO_SCHEMA, UndoDocument, UndoneDocument,
};
pub use port::{
    CarriedDocument, ConflictDocument, LossDocument, PORT_SCHEMA, PortDocument, PortPlaces,
    SideDocument, from_port,
};
pub use quirk::{QUIRK_SCHEMA, QuirkDocument, QuirksDocument};
pub use recall::{
    CANDIDATES_SCHEMA, CandidateDocument, CandidatesDocument, FORGET_SCHEMA, ForgetDocument,
    HitDocument, IMPORT_SCHEMA, INGEST_SCHEMA, INJECT_SCHEMA, ImportDocument, IndexedDocument,
    IngestDocument, InjectDocument, ModelDocument, RECALL_SCHEMA, RECALL_SHOW_SCHEMA,
    RanksDocument, RecallDocument, RecallLine, RecallShowDocument, STATS_SCHEMA, SourceDocument,
    StatsDocument, TurnDocument, UnreadableDocument,
};
pub use remembered::{
    AlikeDocument, LOOKUP_SCHEMA, LookupDocument, MEMORY_SCHEMA, MemoryAnswer, MemoryChange,
    PassageDocument, PointerDocument, SHOW_SCHEMA, ShowDocument, ShownMemory,
};
pub use schema::Document;
pub use size::{BudgetDocument, Size, Tokens};
pub use skill::{ListedSkillDocument, OmittedSkillDocument, SkillsDocument};
pub use words::{
    Agent, ChangedBy, EntryKind, How, Kind, Op, Scope, Severity, SkillScope, Status, TakenOut,
    TreeVersion, Unit,
};
