//! Memories, rules and skills, whatever client they come from.

mod content;
mod instruction;
mod memory;
mod reach;
mod rule;
mod skill;
mod store;
mod value;

pub use content::{Content, SourceFile};
pub use instruction::Instruction;
pub use memory::{Memory, MemoryKind};
pub use reach::{Applies, PathPatterns, Reach};
pub use rule::Rule;
pub use skill::{Invocation, Skill, SkillExtra, SkillFile, SkillForm};
pub use store::{MemoryStore, StoreFile};
pub use value::{Fields, Value};

use crate::{Loss, Provenance};

/// Everything a client keeps for a person and one project, in no client's words.
///
/// An adapter reads its own files into a bundle ([`ReadBundle`](crate::ReadBundle))
/// and another lowers it into its own ([`LowerBundle`](crate::LowerBundle)).
/// Every part is in the order in which its client loads it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Bundle {
    /// Texts that are in force unconditionally, imported ones included.
    pub instructions: Vec<Instruction>,
    /// Rules, with and without patterns.
    pub rules: Vec<Rule>,
    /// Skills and commands.
    pub skills: Vec<Skill>,
    /// What is remembered.
    pub stores: Vec<MemoryStore>,
    /// What the client uses and no bundle holds.
    pub left_out: Vec<Loss>,
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
