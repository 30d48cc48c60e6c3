//! What a journal keeps of a run.

use serde::{Deserialize, Serialize};

use super::tree_digest::TreeEntry;
use crate::fs::Owner;

/// The direction in which a run is carried out; records without a number are older.
pub(super) const FORMAT: u32 = 1;

/// A run as the journal keeps it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Record {
    /// The direction in which the run was carried out, 0 when it was that of old.
    #[serde(default)]
    pub(super) format: u32,
    /// The digest of the plan.
    pub(super) digest: String,
    /// The folders below which the run may write.
    pub(super) roots: Vec<String>,
    /// Their real paths at the time of the run, in the same order.
    #[serde(default)]
    pub(super) real_roots: Vec<String>,
    /// Folders that the run makes, outermost first.
    pub(super) made_dirs: Vec<String>,
    /// What is done, in order.
    pub(super) steps: Vec<StepRecord>,
}

/// One step of a run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct StepRecord {
    /// The path that changes; of a move, where it leads.
    pub(super) path: String,
    /// Where a move comes from.
    pub(super) from: Option<String>,
    /// The name beside `path` in which the new state is made ready, and which
    /// has the old one afterwards.
    pub(super) staged: Option<String>,
    /// The same for the old state, when it is brought back.
    #[serde(default)]
    pub(super) restore: Option<String>,
    /// What was there.
    pub(super) before: State,
    /// What is there then.
    pub(super) after: State,
    /// The file in the journal that keeps the bytes of `before`.
    pub(super) backup: Option<String>,
    /// The user and the group to whom `before` belonged.
    #[serde(default)]
    pub(super) owner: Option<(u32, u32)>,
    /// What a move carries.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(super) moved: Vec<TreeEntry>,
}

impl StepRecord {
    /// To whom what was there belonged.
    pub(super) fn owner(&self) -> Option<Owner> {
        self.owner.map(|(user, group)| Owner { user, group })
    }
}

/// What is at a path.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum State {
    /// Nothing.
    Absent,
    /// A file.
    File {
        /// The digest of its bytes.
        digest: String,
        /// Its permission bits.
        mode: Option<u32>,
    },
    /// A link.
    Link {
        /// Its target.
        target: String,
    },
    /// A folder, or what a move carries: known by being there.
    Something,
}

impl State {
    /// Whether this is what a plan or a record means; permission bits count
    /// only where both sides know them.
    pub(super) fn matches(&self, found: &Self) -> bool {
        match (self, found) {
            (Self::File { digest: a, mode: m }, Self::File { digest: b, mode: n }) => {
                a == b && (m.is_none() || n.is_none() || m == n)
            }
            (Self::Something, found) => *found != Self::Absent,
            (a, b) => a == b,
        }
    }
}
