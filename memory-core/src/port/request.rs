//! What is asked of a port.

use crate::path::AbsPath;

/// What a port is about: one person and one project.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PortPlace {
    /// The top folder of the project.
    pub project: AbsPath,
    /// The home directory of the person.
    pub home: AbsPath,
}

/// What memories become where a client has more than one place for them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum MemoryAs {
    /// What the client itself makes of another client's memories.
    #[default]
    Import,
    /// Notes that the client takes up in its own time.
    Notes,
    /// Background in the instruction file.
    Instructions,
}

/// What is done with instructions for which a client's budget has no room.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum OverBudget {
    /// It is told what would be cut.
    #[default]
    Tell,
    /// The budget is raised in the client's settings.
    Raise,
    /// What belongs to a folder goes into that folder's file.
    Split,
}

/// Choices of the person.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LowerOptions {
    /// What memories become.
    pub memory_as: MemoryAs,
    /// What is done with too much text.
    pub over_budget: OverBudget,
}
