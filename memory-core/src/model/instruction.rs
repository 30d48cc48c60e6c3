use super::{Reach, SourceFile};
use crate::{AbsPath, LayerKind};

/// A text that a client puts before the model.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Instruction {
    /// What kind of text it is.
    pub kind: LayerKind,
    /// What the model gets, as its client shows it: without what the client
    /// hides, not cut to a budget.
    pub text: String,
    /// For whom and where it is in force.
    pub reach: Reach,
    /// The file it stands in; of a managed text, the settings file.
    pub file: SourceFile,
    /// The file that imports it, and the line there, counted from 1; `None`
    /// when the client finds it by itself.
    pub imported: Option<(AbsPath, u32)>,
}
