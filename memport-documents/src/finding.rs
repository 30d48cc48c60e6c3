use schemars::JsonSchema;
use serde::Serialize;

use crate::comparison::relative;
use crate::explanation::DiagnosticDocument;
use crate::plan::PlanDocument;
use crate::words::Severity;

/// Something that is wrong, or could be better, in one place.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct FindingDocument {
    /// Its stable name, `area/name`.
    pub code: String,
    /// How much it matters.
    pub severity: Severity,
    /// The file, relative to the repository with `/`; absolute for a file
    /// outside of it; null where it speaks of no file.
    pub path: Option<String>,
    /// The first line it speaks of, counted from 1.
    pub line: Option<u32>,
    /// The last line it speaks of; null when that is `line`.
    pub end_line: Option<u32>,
    /// The text it is about, without secrets; null where there is none to show.
    pub excerpt: Option<String>,
    /// One sentence without a full stop.
    pub message: String,
    /// What the reader can do about it.
    pub help: Option<String>,
    /// A change that mends it and can be undone, or null where a person decides.
    pub fix: Option<FixDocument>,
    /// Other places that belong to it.
    pub related: Vec<PlaceDocument>,
}

impl FindingDocument {
    /// What `memport explain` tells, as a finding. `root` is the top of the
    /// repository; paths below it become relative to it.
    pub fn of(root: &str, diagnostic: &DiagnosticDocument) -> Self {
        Self {
            code: diagnostic.code.to_owned(),
            severity: diagnostic.severity,
            path: diagnostic.path.as_deref().map(|path| relative(root, path)),
            line: diagnostic.line,
            end_line: None,
            excerpt: None,
            message: diagnostic.message.clone(),
            help: diagnostic.help.clone(),
            fix: None,
            related: Vec::new(),
        }
    }
}

/// A change that mends a finding.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct FixDocument {
    /// What it would write.
    pub plan: PlanDocument,
}

/// A line of a file.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, JsonSchema)]
pub struct PlaceDocument {
    /// The file, as in [`FindingDocument::path`].
    pub path: String,
    /// The line, counted from 1; null for the whole file.
    pub line: Option<u32>,
}
