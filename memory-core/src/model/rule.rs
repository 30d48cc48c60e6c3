use super::{Fields, Origin};

/// An instruction that may be bound to paths.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rule {
    /// The text.
    pub text: String,
    /// When it applies.
    pub applies: Applies,
    /// Where it was read.
    pub origin: Origin,
    /// Every key that the model has no word for.
    pub extra: Fields,
}

/// When a rule applies.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Applies {
    /// Always.
    Always,
    /// When a file that one of these patterns matches is touched. What a
    /// pattern means is the client's business.
    Paths(Vec<String>),
}
