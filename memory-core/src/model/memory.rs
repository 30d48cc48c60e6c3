use super::{Dates, Fields, Link, Origin};

/// One thing that an agent remembers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Memory {
    /// Its name, unique in its store.
    pub name: String,
    /// What kind of thing it is.
    pub kind: MemoryKind,
    /// One line that says when it matters; `None` where the store has none.
    pub description: Option<String>,
    /// The text.
    pub body: String,
    /// What it points to.
    pub links: Vec<Link>,
    /// When it was made and changed.
    pub when: Dates,
    /// Where it was read.
    pub origin: Origin,
    /// Every key that the model has no word for.
    pub extra: Fields,
}

/// What kind of thing a memory is.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum MemoryKind {
    /// About the person.
    User,
    /// What the person wants done differently.
    Feedback,
    /// About the project.
    Project,
    /// Where to look something up.
    Reference,
    /// A digest of many memories.
    Summary,
    /// What happened in one session.
    Episode,
    /// A kind of a store's own.
    Other(String),
}

impl MemoryKind {
    /// The word for it: `user`, `feedback`, …; of a kind of a store's own, that
    /// store's word.
    pub fn as_str(&self) -> &str {
        match self {
            Self::User => "user",
            Self::Feedback => "feedback",
            Self::Project => "project",
            Self::Reference => "reference",
            Self::Summary => "summary",
            Self::Episode => "episode",
            Self::Other(word) => word,
        }
    }
}
