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

/// How a text reaches a client that could read the file of the other one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Form {
    /// It reads the other client's file where it is.
    InPlace,
    /// A file of its own imports the shared one.
    Import,
    /// A file of its own is a link to the shared one.
    Link,
    /// A file of its own holds a copy.
    Copy,
}

impl Form {
    /// The word for it: `none`, `import`, `link`, `copy`.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::InPlace => "none",
            Self::Import => "import",
            Self::Link => "link",
            Self::Copy => "copy",
        }
    }
}

/// What is done with a text that another one imports, for a client that follows
/// no imports.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Imports {
    /// It stands where it was imported.
    #[default]
    Inline,
    /// Only its file is named there.
    Reference,
}

/// Whose version counts where both sides changed the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Prefer {
    /// That of the client from which is ported.
    From,
    /// That of the client to which is ported.
    To,
}

/// Which texts of a project may go to where they count in every folder.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Widens {
    /// Those that went there before.
    Known,
    /// Those that are not under version control, too.
    #[default]
    Untracked,
    /// All: what a repository says is taken for the person's word.
    Tracked,
}

/// Choices of the person.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LowerOptions {
    /// The form that texts are to have; `None` for the usual one.
    pub form: Option<Form>,
    /// What is done with imported texts.
    pub imports: Imports,
    /// What memories become.
    pub memory_as: MemoryAs,
    /// What is done with too much text.
    pub over_budget: OverBudget,
}
