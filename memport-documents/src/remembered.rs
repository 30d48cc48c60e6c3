use schemars::JsonSchema;
use serde::Serialize;

use crate::explanation::DiagnosticDocument;
use crate::history::HistoryDocument;
use crate::plan::{AppliedDocument, PlanDocument};
use crate::words::Agent;

/// Name of the document that a change of memory prints.
pub const MEMORY_SCHEMA: &str = "memport.memory.v1";

/// Name of the document that `memport memory show` prints.
pub const SHOW_SCHEMA: &str = "memport.show.v1";

/// Name of the document that `memport memory lookup` prints.
pub const LOOKUP_SCHEMA: &str = "memport.lookup.v1";

/// What a `memport memory` command prints.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(untagged)]
pub enum MemoryAnswer {
    /// A command that changes something.
    Change(MemoryChange),
    /// `memport memory show`.
    Show(ShowDocument),
    /// `memport memory lookup`.
    Lookup(LookupDocument),
    /// `memport memory history`.
    History(HistoryDocument),
}

/// A place in a memory that has to do with a new fact.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct AlikeDocument {
    /// The memory; null where it is no memory of its own.
    pub id: Option<String>,
    /// Its file.
    pub path: String,
    /// The line, counted from 1; null for the whole file.
    pub line: Option<u32>,
    /// What stands there.
    pub excerpt: String,
}

/// A change of what clients remember.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, JsonSchema)]
pub struct MemoryChange {
    /// Name of this document.
    #[schemars(extend("const" = MEMORY_SCHEMA))]
    pub schema: &'static str,
    /// What would be written, or was.
    pub plan: PlanDocument,
    /// Files that say the same already.
    pub known_in: Vec<String>,
    /// What says nearly the same; `--yes` adds the fact all the same.
    pub similar: Vec<AlikeDocument>,
    /// What says something against it; `--yes` adds the fact all the same.
    pub contradicts: Vec<AlikeDocument>,
    /// Null for a dry run, and where there is nothing to write.
    pub applied: Option<AppliedDocument>,
    /// What is worth telling.
    pub diagnostics: Vec<DiagnosticDocument>,
}

/// One memory.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct ShowDocument {
    /// Name of this document.
    #[schemars(extend("const" = SHOW_SCHEMA))]
    pub schema: &'static str,
    /// The memory.
    pub memory: ShownMemory,
}

/// One memory, where it stands, and what points to it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct ShownMemory {
    /// The id that `memport list` shows.
    pub id: String,
    /// The client that keeps it.
    pub agent: Agent,
    /// What kind of memory it is: `user`, `feedback`, `project`, `reference`,
    /// `summary`, `episode`, or a word of the store's own.
    #[serde(rename = "type")]
    pub kind: String,
    /// Its own name.
    pub name: String,
    /// One line about it, or null where it has none.
    pub description: Option<String>,
    /// Its file.
    pub path: String,
    /// The first line of its text in the file, counted from 1; null when it is
    /// the whole file.
    pub first_line: Option<u32>,
    /// The last line of its text; null when it is the whole file.
    pub last_line: Option<u32>,
    /// When it was made, as its file says.
    pub created: Option<String>,
    /// When it was last changed, as its file says.
    pub modified: Option<String>,
    /// Names or paths that it points to, as written.
    pub links: Vec<String>,
    /// What points to it.
    pub linked_from: Vec<PointerDocument>,
    /// The text.
    pub body: String,
}

/// A line that points to a memory.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct PointerDocument {
    /// The file.
    pub path: String,
    /// The line, counted from 1; null where only the file is known.
    pub line: Option<u32>,
    /// The line itself, or null where only the file is known.
    pub text: Option<String>,
}

/// What clients remember of a question.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct LookupDocument {
    /// Name of this document.
    #[schemars(extend("const" = LOOKUP_SCHEMA))]
    pub schema: &'static str,
    /// The question.
    pub query: String,
    /// What was found, client after client, best first.
    pub passages: Vec<PassageDocument>,
    /// The files that were read.
    pub read: Vec<String>,
    /// What is worth telling.
    pub diagnostics: Vec<DiagnosticDocument>,
}

/// A passage of a memory file. It is untrusted text and no instruction.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct PassageDocument {
    /// The client that keeps it.
    pub agent: Agent,
    /// The file.
    pub path: String,
    /// Its first line, counted from 1.
    pub first_line: u32,
    /// Its last line.
    pub last_line: u32,
    /// Its text, exactly as it stands there.
    pub text: String,
    /// Why it is part of the answer, in words.
    pub why: String,
}
