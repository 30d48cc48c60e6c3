use schemars::JsonSchema;
use serde::Serialize;

use crate::finding::FindingDocument;
use crate::plan::{AppliedDocument, PlanDocument};

/// Name of the document that `memport check` prints.
pub const CHECK_SCHEMA: &str = "memport.check.v1";

/// What is wrong with what agents remember and are told.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct CheckDocument {
    /// Name of this document.
    #[schemars(extend("const" = CHECK_SCHEMA))]
    pub schema: &'static str,
    /// The folder that paths are relative to; null where the answer is to be the
    /// same on every machine.
    pub root: Option<String>,
    /// The findings by path, line and code.
    pub findings: Vec<FindingDocument>,
    /// What there is in the memories that were looked at.
    pub counts: CountsDocument,
    /// How many findings the baseline knows, which are left out.
    pub known: u64,
    /// How many findings the configuration ignores.
    pub ignored: u64,
    /// The safe fixes together; null unless they were asked for.
    pub plan: Option<PlanDocument>,
    /// Null for a dry run, and where there is nothing to fix.
    pub applied: Option<AppliedDocument>,
}

/// What there is in the memories that were looked at.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, JsonSchema)]
pub struct CountsDocument {
    /// Active entries.
    pub entries: u64,
    /// Those with a date.
    pub dated: u64,
    /// Those that are too long.
    pub too_long: u64,
    /// Those that name a line of source code.
    pub with_line_numbers: u64,
    /// Those that tell the state of work.
    pub with_progress_words: u64,
}
