//! What a word means to a comparison.

use unicode_normalization::UnicodeNormalization as _;

/// A meaning of the list.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct Meaning {
    pub(super) id: u16,
    pub(super) kind: Kind,
}

/// What a word does in a statement.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) enum Kind {
    /// Something that is spoken of.
    Thing,
    /// Something that is done.
    Action,
    /// Nothing on its own.
    Idle,
    /// Where it holds; two of one group do not meet.
    Scope(u16),
    /// What is chosen; two of one group exclude each other.
    Value(u16),
}

/// A word of a statement: one of the list, or an unknown one by its letters.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) enum Term {
    Known(Meaning),
    Unknown(String),
}

impl Term {
    pub(super) fn kind(&self) -> Kind {
        match self {
            Self::Known(meaning) => meaning.kind,
            Self::Unknown(_) => Kind::Thing,
        }
    }

    /// Whether it says what the statement is about.
    pub(super) fn is_content(&self) -> bool {
        matches!(self.kind(), Kind::Thing | Kind::Action)
    }

    pub(super) fn is_action(&self) -> bool {
        self.kind() == Kind::Action
    }
}

/// Letters as they are compared: wide and narrow, upper and lower case alike,
/// `_` a blank.
pub(super) fn folded(text: &str) -> String {
    text.nfkc().flat_map(char::to_lowercase).map(|c| if c == '_' { ' ' } else { c }).collect()
}

/// An English word without its usual endings.
pub(super) fn stem(word: &str) -> String {
    for (end, least) in [("ies", 3), ("ing", 4), ("ed", 4), ("es", 4), ("s", 3)] {
        if let Some(stem) =
            word.strip_suffix(end).filter(|stem| stem.len() >= least && !stem.ends_with('s'))
        {
            return stem.to_owned();
        }
    }
    word.to_owned()
}
