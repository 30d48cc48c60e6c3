//! What a journal keeps of a run.

use serde::{Deserialize, Serialize};

/// A run as the journal keeps it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Record {
    /// The digest of the plan.
    pub(super) digest: String,
    /// The folders below which the run may write.
    pub(super) roots: Vec<String>,
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
    /// The file beside `path` in which the new state is made ready.
    pub(super) staged: Option<String>,
    /// What was there.
    pub(super) before: State,
    /// What is there then.
    pub(super) after: State,
    /// The file in the journal that keeps the bytes of `before`.
    pub(super) backup: Option<String>,
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
