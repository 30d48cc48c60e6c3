//! What a client keeps, whether it loads or not.

use std::time::SystemTime;

use crate::client::ClientId;
use crate::path::AbsPath;

/// One thing that a client keeps in a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Item {
    /// A name that no other item of the same client has.
    pub id: String,
    /// The client that keeps it.
    pub client: ClientId,
    /// What it is.
    pub kind: ItemKind,
    /// Whether it is in use.
    pub status: ItemStatus,
    /// Its own name.
    pub name: String,
    /// One line about it, or `None` where it has none.
    pub description: Option<String>,
    /// Its file.
    pub path: AbsPath,
    /// When the file was last changed, or `None` where the system keeps no time.
    pub modified: Option<SystemTime>,
    /// Size of the file in bytes.
    pub bytes: u64,
    /// Names or paths it points to, as written.
    pub links: Vec<String>,
}

/// What an item is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ItemKind {
    /// Something remembered.
    Memory,
    /// A rule.
    Rule,
    /// A skill.
    Skill,
    /// An instruction file.
    Instruction,
    /// The definition of a sub-agent.
    Agent,
}

impl ItemKind {
    /// The word for it: `memory`, `rule`, …
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Memory => "memory",
            Self::Rule => "rule",
            Self::Skill => "skill",
            Self::Instruction => "instruction",
            Self::Agent => "agent",
        }
    }
}

/// Whether an item is in use.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ItemStatus {
    /// It is in use.
    Active,
    /// It was put away with a reason.
    Archived,
    /// It waits for somebody to approve it.
    Draft,
}

impl ItemStatus {
    /// The word for it: `active`, `archived`, `draft`.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Active => "active",
            Self::Archived => "archived",
            Self::Draft => "draft",
        }
    }
}
