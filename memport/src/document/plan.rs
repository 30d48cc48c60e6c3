use memory_core::{Change, Fs, Reversal, RunId, WritePlan};
use schemars::JsonSchema;
use serde::Serialize;

use super::diff::diff;

/// What would be written, or was.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct PlanDocument {
    /// The fingerprint of the changes, `sha256:…`: the same plan has the same one.
    pub digest: String,
    /// The changes in the order of their paths.
    pub changes: Vec<ChangeDocument>,
}

impl PlanDocument {
    /// A plan, compared with what is on the disk before it is carried out.
    pub(crate) fn of(fs: &dyn Fs, plan: &WritePlan) -> Self {
        let change = |change: &Change| ChangeDocument::planned(fs, change);
        let changes = plan.changes().iter().map(change).collect();
        Self { digest: plan.digest().to_string(), changes }
    }
}

/// One change of a plan.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct ChangeDocument {
    /// `create`, `replace`, `remove`, `move` or `link`.
    pub op: &'static str,
    /// The path; of a move, where it leads.
    pub path: String,
    /// The paths that it is made of; of a move, where it comes from.
    pub from: Vec<String>,
    /// Size in bytes afterwards: 0 for what goes, null for what moves.
    pub bytes: Option<u64>,
    /// The change as a unified diff; null where there is no text to compare.
    pub diff: Option<String>,
}

impl ChangeDocument {
    fn planned(fs: &dyn Fs, change: &Change) -> Self {
        let path = change.path().to_string();
        let now = || fs.read_up_to(change.path(), u64::MAX).ok();
        match change {
            Change::Create { bytes, .. } => Self::content("create", path, None, Some(bytes)),
            Change::Replace { bytes, .. } => {
                Self::content("replace", path, now().as_deref(), Some(bytes))
            }
            Change::Remove { .. } => Self::content("remove", path, now().as_deref(), None),
            Change::Link { target, .. } => Self::link(path, target),
            Change::Move { from, to } => Self::moved(from.to_string(), to.to_string()),
        }
    }

    /// What an undo does to one path.
    pub(crate) fn reversal(fs: &dyn Fs, reversal: &Reversal) -> Option<Self> {
        Some(match reversal {
            Reversal::Remove { path } => {
                let now = fs.read_up_to(path, u64::MAX).ok();
                Self::content("remove", path.to_string(), now.as_deref(), None)
            }
            Reversal::Restore { path, bytes } => {
                let now = fs.read_up_to(path, u64::MAX).ok();
                let op = if now.is_some() { "replace" } else { "create" };
                Self::content(op, path.to_string(), now.as_deref(), Some(bytes))
            }
            Reversal::Relink { path, target } => Self::link(path.to_string(), target),
            Reversal::MoveBack { from, to } => Self::moved(from.to_string(), to.to_string()),
            _ => return None,
        })
    }

    fn content(op: &'static str, path: String, old: Option<&[u8]>, new: Option<&[u8]>) -> Self {
        let diff = diff(&path, old, new);
        let bytes = Some(new.map_or(0, |new| new.len() as u64));
        Self { op, path, from: Vec::new(), bytes, diff }
    }

    fn link(path: String, target: &str) -> Self {
        let bytes = Some(target.len() as u64);
        Self { op: "link", path, from: vec![target.to_owned()], bytes, diff: None }
    }

    fn moved(from: String, path: String) -> Self {
        Self { op: "move", path, from: vec![from], bytes: None, diff: None }
    }
}

/// A plan that was carried out.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct AppliedDocument {
    /// The number of the run.
    pub run: String,
    /// The command that takes it back.
    pub undo: String,
}

impl From<RunId> for AppliedDocument {
    fn from(run: RunId) -> Self {
        Self { run: run.to_string(), undo: format!("memport undo {run}") }
    }
}
