use super::{Fields, Origin};
use crate::RelPath;

/// A folder of instructions for one task, opened when it is needed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Skill {
    /// Its name.
    pub name: String,
    /// What it is for; the model chooses by it.
    pub description: String,
    /// The instructions.
    pub body: String,
    /// The other files of its folder.
    pub files: Vec<RelPath>,
    /// Who may start it.
    pub invocation: Invocation,
    /// Where it was read.
    pub origin: Origin,
    /// Every key that the model has no word for.
    pub extra: Fields,
}

/// Who may start a skill.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Invocation {
    /// The model, when the description fits, and the person.
    #[default]
    ModelAndUser,
    /// The person only.
    UserOnly,
    /// The model only.
    ModelOnly,
}
