use std::collections::{BTreeMap, BTreeSet};

use memory_core::AbsPath;
use memory_core::port::{Conflict, Loss, LossKind, Port, Side};
use schemars::JsonSchema;
use serde::Serialize;

use crate::diff::diff;
use crate::explanation::DiagnosticDocument;
use crate::plan::{AppliedDocument, PlanDocument};
use crate::words::{Agent, ChangedBy, How};

/// Name of the document that `memport port` prints.
pub const PORT_SCHEMA: &str = "memport.port.v1";

/// What a port would do, or did, and what it loses.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct PortDocument {
    /// Name of this document.
    #[schemars(extend("const" = PORT_SCHEMA))]
    pub schema: &'static str,
    /// The client whose files are read.
    pub from: Agent,
    /// The client whose files are written.
    pub to: Agent,
    /// The top folder of the project.
    pub project: String,
    /// The home directory.
    pub home: String,
    /// What would be written, or was; the manifests included. `from` of a file
    /// names the source's files that it is made of.
    pub plan: PlanDocument,
    /// What does not survive as it is, in the order of the source.
    pub losses: Vec<LossDocument>,
    /// Where each file of the source went.
    pub carried: Vec<CarriedDocument>,
    /// What stands in the way and stays as it is; each is among the losses too.
    pub conflicts: Vec<ConflictDocument>,
    /// Every piece that an earlier port carried and that was changed since.
    pub sides: Vec<SideDocument>,
    /// Files of the source for which there is neither a place nor a loss; a
    /// port that has any is not written.
    pub unaccounted: Vec<String>,
    /// What else is worth telling.
    pub diagnostics: Vec<DiagnosticDocument>,
    /// Null for a dry run, and where there is nothing to write.
    pub applied: Option<AppliedDocument>,
}

impl PortDocument {
    /// Whether something is lost that was not accepted, or not accounted for.
    pub fn has_findings(&self) -> bool {
        !self.unaccounted.is_empty() || self.losses.iter().any(|loss| !loss.accepted)
    }
}

/// A port as a document, its plan carried out or not.
///
/// `accepts` says whether losses of a code are agreed to.
pub fn from_port(
    port: Port,
    place: PortPlaces,
    mut plan: PlanDocument,
    applied: Option<AppliedDocument>,
    accepts: impl Fn(How) -> bool,
) -> PortDocument {
    let made_of: BTreeMap<String, Vec<String>> =
        port.made_of.iter().map(|(path, of)| (path.to_string(), paths(of))).collect();
    for change in &mut plan.changes {
        // What a link is made of is its target.
        if change.from.is_empty() {
            change.from = made_of.get(&change.path).cloned().unwrap_or_default();
        }
    }
    let loss = |loss: Loss| {
        let accepted = accepts(How::of(&loss.how));
        LossDocument { accepted, ..loss.into() }
    };
    PortDocument {
        schema: PORT_SCHEMA,
        from: place.from,
        to: place.to,
        project: place.project,
        home: place.home,
        plan,
        losses: port.losses.losses.into_iter().map(loss).collect(),
        carried: port
            .carried
            .iter()
            .map(|(path, to)| CarriedDocument { path: path.to_string(), to: paths(to) })
            .collect(),
        conflicts: port.conflicts.into_iter().map(Into::into).collect(),
        sides: port.sides.into_iter().map(Into::into).collect(),
        unaccounted: port.unaccounted.iter().map(AbsPath::to_string).collect(),
        diagnostics: port.diagnostics.into_iter().map(Into::into).collect(),
        applied,
    }
}

fn paths(paths: &BTreeSet<AbsPath>) -> Vec<String> {
    paths.iter().map(AbsPath::to_string).collect()
}

/// Between whom and where something is carried.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PortPlaces {
    /// The client whose files are read.
    pub from: Agent,
    /// The client whose files are written.
    pub to: Agent,
    /// The top folder of the project.
    pub project: String,
    /// The home directory.
    pub home: String,
}

/// One piece that is not what it was.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct LossDocument {
    /// What it is, for people.
    pub what: String,
    /// The file that it comes from.
    pub path: String,
    /// The line in that file, counted from 1; null for the whole file.
    pub line: Option<u32>,
    /// What became of it.
    pub how: How,
    /// The new name of what is renamed.
    pub renamed_to: Option<String>,
    /// Where its text still stands; null when it is gone.
    pub kept_in: Option<String>,
    /// What that means, and what can be done.
    pub message: String,
    /// Whether losses of this code were accepted on the command line.
    pub accepted: bool,
}

impl From<Loss> for LossDocument {
    fn from(loss: Loss) -> Self {
        let how = How::of(&loss.how);
        let renamed_to = match loss.how {
            LossKind::Renamed { to } => Some(to),
            _ => None,
        };
        Self {
            what: loss.what,
            path: loss.path.to_string(),
            line: loss.line,
            how,
            renamed_to,
            kept_in: loss.kept_in.map(|path| path.to_string()),
            message: loss.message,
            accepted: false,
        }
    }
}

/// Where one file of the source went.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct CarriedDocument {
    /// The file.
    pub path: String,
    /// The files that hold its text; the file itself where the other client
    /// reads it in place.
    pub to: Vec<String>,
}

/// Something that stands where a piece should go.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct ConflictDocument {
    /// The source's file; `path` again where nothing of the source should go
    /// there, but something that the client needs beside.
    pub from: String,
    /// Where it should go.
    pub path: String,
    /// The part of that file that is meant; null for the whole file.
    pub section: Option<String>,
    /// Why it stays as it is.
    pub why: String,
    /// What would stand there; null for what is no text.
    pub wanted: Option<String>,
    /// What stands there; null for what is no text, and for what is no file.
    pub found: Option<String>,
    /// From what stands there to what would, as a unified diff; null where one
    /// of them is no text.
    pub diff: Option<String>,
}

impl From<Conflict> for ConflictDocument {
    fn from(conflict: Conflict) -> Self {
        let path = conflict.path.to_string();
        let found = conflict.found.as_deref();
        Self {
            from: conflict.from.to_string(),
            diff: found.and_then(|found| diff(&path, Some(found), Some(&conflict.wanted))),
            found: conflict.found.and_then(|found| String::from_utf8(found).ok()),
            wanted: String::from_utf8(conflict.wanted).ok(),
            path,
            section: conflict.section,
            why: conflict.why,
        }
    }
}

/// A piece that was changed since it was carried.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct SideDocument {
    /// The file that it was carried from.
    pub from: String,
    /// The file that it was carried to.
    pub to: String,
    /// The part of that file; null for the whole file.
    pub section: Option<String>,
    /// Who changed it, or what is gone.
    pub changed: ChangedBy,
}

impl From<Side> for SideDocument {
    fn from(side: Side) -> Self {
        Self {
            from: side.from.to_string(),
            to: side.to.to_string(),
            section: side.section,
            changed: ChangedBy::of(side.changed),
        }
    }
}
