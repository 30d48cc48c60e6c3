//! Memories, rules and skills, whatever client they come from.

mod memory;
mod rule;
mod skill;
mod value;

pub use memory::{Memory, MemoryKind};
pub use rule::{Applies, Rule};
pub use skill::{Invocation, Skill};
pub use value::{Fields, Value};

use crate::{Layer, Provenance};

/// Everything a client keeps for one place, in no client's words.
///
/// An adapter reads its own files into a bundle and plans a bundle into its own
/// files. Keys for which the model has no word stay in `extra`, so that nothing
/// is lost on the way.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Bundle {
    /// Instruction files in the order in which they load.
    pub instructions: Vec<Layer>,
    /// Rules.
    pub rules: Vec<Rule>,
    /// Skills.
    pub skills: Vec<Skill>,
    /// Memories.
    pub memories: Vec<Memory>,
}

/// A pointer from one memory to another.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Link {
    /// The name or path it points to, as written.
    pub target: String,
    /// The text shown for it, where it differs.
    pub title: Option<String>,
}

/// When a memory was made and changed, as its file says; never interpreted.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Dates {
    /// When it was made.
    pub created: Option<String>,
    /// When it was last changed.
    pub modified: Option<String>,
}

/// Where a model value was read from.
pub type Origin = Provenance;
