use super::{Applies, Reach, SourceFile};

/// An instruction that may be bound to paths.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rule {
    /// What the model gets, as its client shows it.
    pub text: String,
    /// For whom and where it is in force.
    pub reach: Reach,
    /// When it applies there.
    pub applies: Applies,
    /// The file it stands in.
    pub file: SourceFile,
}
