use memory_core::fs::FsMut;
use memory_core::plan::{Change, Reversal, RunId, WritePlan};
use memory_core::{AbsPath, counted};
use schemars::JsonSchema;
use serde::Serialize;

use crate::diff::diff;
use crate::explanation::DiagnosticDocument;
use crate::words::Op;

/// What would be written, or was.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, JsonSchema)]
pub struct PlanDocument {
    /// The fingerprint of the changes, `sha256:…`: the same plan has the same one.
    pub digest: String,
    /// The changes in the order of their paths.
    pub changes: Vec<ChangeDocument>,
}

impl PlanDocument {
    /// A plan, compared with what is on the disk before it is carried out.
    pub fn of(fs: &dyn FsMut, plan: &WritePlan) -> Self {
        let change = |change: &Change| ChangeDocument::planned(fs, change);
        let changes = plan.changes().iter().map(change).collect();
        Self { digest: plan.digest().to_string(), changes }
    }
}

/// One change of a plan.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct ChangeDocument {
    /// What it does.
    pub op: Op,
    /// The path; of a move, where it leads.
    pub path: String,
    /// The paths that it is made of; of a move, where it comes from; of a link,
    /// its target: the new one, or that of a link that goes.
    pub from: Vec<String>,
    /// Size in bytes afterwards: 0 for what goes, null for what moves.
    pub bytes: Option<u64>,
    /// The permission bits afterwards in octal digits, such as `755`; null where
    /// they stay or are the system's usual ones.
    pub mode: Option<String>,
    /// The change as a unified diff; null where there is no text to compare.
    pub diff: Option<String>,
    /// What it changes besides, in one sentence; null where there is nothing.
    pub warning: Option<String>,
}

impl ChangeDocument {
    fn planned(fs: &dyn FsMut, change: &Change) -> Self {
        let change_path = change.path();
        let path = change_path.to_string();
        let now = || fs.read_up_to(change_path, u64::MAX).ok();
        match change {
            Change::Create { bytes, mode, .. } => {
                Self::content(Op::Create, path, None, Some(bytes)).with_mode(*mode)
            }
            Change::Replace { bytes, mode, .. } => {
                let change = Self::content(Op::Replace, path, now().as_deref(), Some(bytes));
                change.with_mode(*mode).with_names(fs, change_path)
            }
            Change::Remove { .. } => Self::content(Op::Remove, path, now().as_deref(), None),
            Change::Symlink { target, .. } => Self::link(Op::Link, path, target),
            Change::RemoveSymlink { expect, .. } => Self::link(Op::Unlink, path, expect),
            Change::Move { from, to } => Self::moved(from.to_string(), to.to_string()),
        }
    }

    /// What an undo does to one path.
    pub fn reversal(fs: &dyn FsMut, reversal: &Reversal) -> Option<Self> {
        Some(match reversal {
            Reversal::Remove { path } => {
                let now = fs.read_up_to(path, u64::MAX).ok();
                Self::content(Op::Remove, path.to_string(), now.as_deref(), None)
            }
            Reversal::Restore { path, bytes, mode } => {
                let now = fs.read_up_to(path, u64::MAX).ok();
                let op = if now.is_some() { Op::Replace } else { Op::Create };
                Self::content(op, path.to_string(), now.as_deref(), Some(bytes)).with_mode(*mode)
            }
            Reversal::Relink { path, target } => Self::link(Op::Link, path.to_string(), target),
            Reversal::MoveBack { from, to } => Self::moved(from.to_string(), to.to_string()),
            _ => return None,
        })
    }

    fn content(op: Op, path: String, old: Option<&[u8]>, new: Option<&[u8]>) -> Self {
        let diff = diff(&path, old, new);
        let bytes = Some(new.map_or(0, |new| new.len() as u64));
        Self { op, path, from: Vec::new(), bytes, mode: None, diff, warning: None }
    }

    fn with_mode(mut self, mode: Option<u32>) -> Self {
        self.mode = mode.map(|mode| format!("{mode:03o}"));
        self
    }

    /// Warns where a file has more names: only this one leads to the new bytes.
    fn with_names(mut self, fs: &dyn FsMut, path: &AbsPath) -> Self {
        let names = fs.ownership(path).map_or(1, |found| found.names);
        if names > 1 {
            let others = counted(names - 1, "other name");
            self.warning =
                Some(format!("this file has {others} (hard links), with which the old text stays"));
        }
        self
    }

    fn link(op: Op, path: String, target: &str) -> Self {
        let bytes = Some(if op == Op::Unlink { 0 } else { target.len() as u64 });
        Self {
            op,
            path,
            from: vec![target.to_owned()],
            bytes,
            mode: None,
            diff: None,
            warning: None,
        }
    }

    fn moved(from: String, path: String) -> Self {
        Self {
            op: Op::Move,
            path,
            from: vec![from],
            bytes: None,
            mode: None,
            diff: None,
            warning: None,
        }
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

/// Name of the document that `memport hook install` prints.
pub const HOOK_SCHEMA: &str = "memport.hook.v1";

/// A hook that is added to what clients run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct HookDocument {
    /// Name of this document.
    #[schemars(extend("const" = HOOK_SCHEMA))]
    pub schema: &'static str,
    /// What the clients run.
    pub command: String,
    /// What would be written, or was.
    pub plan: PlanDocument,
    /// Null for a dry run, and where there is nothing to write.
    pub applied: Option<AppliedDocument>,
}

/// Name of the document that `memport undo` prints.
pub const UNDO_SCHEMA: &str = "memport.undo.v1";

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

/// Name of the document that `memport relocate` prints.
pub const RELOCATE_SCHEMA: &str = "memport.relocate.v1";

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
