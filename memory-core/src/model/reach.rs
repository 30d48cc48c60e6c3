use crate::{AbsPath, Scope};

/// For whom something is, and in which folders it is in force.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reach {
    /// Whom it is for.
    pub scope: Scope,
    /// The folder in and below which sessions get it; `None` for every folder.
    pub folder: Option<AbsPath>,
}

impl Reach {
    /// In force in every folder.
    pub fn everywhere(scope: Scope) -> Self {
        Self { scope, folder: None }
    }

    /// In force in a folder and below it.
    pub fn below(scope: Scope, folder: AbsPath) -> Self {
        Self { scope, folder: Some(folder) }
    }
}

/// When something applies where it is in force.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Applies {
    /// Always.
    #[default]
    Always,
    /// When a file that one of the patterns matches is touched.
    Paths(PathPatterns),
}

/// Patterns of files, with what they come down to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PathPatterns {
    /// The patterns as they are written. What they mean exactly is the source
    /// client's business; people understand them.
    pub patterns: Vec<String>,
    /// The folder of which they match every file and nothing else; `None`
    /// where they mean no single folder that is there.
    pub folder: Option<AbsPath>,
    /// The innermost folder, of those that are there, that holds everything
    /// they can match.
    pub within: AbsPath,
}
