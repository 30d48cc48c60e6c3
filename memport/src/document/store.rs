use schemars::JsonSchema;
use serde::Serialize;

use super::{AppliedDocument, ChangeDocument, DiagnosticDocument, PlanDocument};

/// Name of the document that `memport undo` prints.
pub const UNDO_SCHEMA: &str = "memport.undo.v1";

/// Name of the document that `memport doctor` prints.
pub const DOCTOR_SCHEMA: &str = "memport.doctor.v1";

/// Name of the document that `memport relocate` prints.
pub const RELOCATE_SCHEMA: &str = "memport.relocate.v1";

/// What an undo would do, or did.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct UndoDocument {
    /// Name of this document.
    #[schemars(extend("const" = UNDO_SCHEMA))]
    pub schema: &'static str,
    /// The number of the run.
    pub run: String,
    /// What is brought back, in the order in which it is done.
    pub changes: Vec<ChangeDocument>,
    /// Null for a dry run.
    pub applied: Option<UndoneDocument>,
}

/// A run that was undone.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct UndoneDocument {
    /// The number of the run.
    pub run: String,
}

/// What is wrong with what clients keep here.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct DoctorDocument {
    /// Name of this document.
    #[schemars(extend("const" = DOCTOR_SCHEMA))]
    pub schema: &'static str,
    /// What was found, client after client.
    pub findings: Vec<DiagnosticDocument>,
}

/// How a project's memory follows its folder.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct RelocateDocument {
    /// Name of this document.
    #[schemars(extend("const" = RELOCATE_SCHEMA))]
    pub schema: &'static str,
    /// What would be written, or was.
    pub plan: PlanDocument,
    /// Null for a dry run, and where there is nothing to write.
    pub applied: Option<AppliedDocument>,
    /// What stays behind, and what is odd about the two places.
    pub diagnostics: Vec<DiagnosticDocument>,
}
