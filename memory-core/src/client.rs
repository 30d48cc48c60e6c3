//! Clients, their names and their named oddities.

use std::fmt;

/// Which client an answer is about: `codex`, `claude-code`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ClientId(pub &'static str);

impl fmt::Display for ClientId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0)
    }
}

/// The client that an adapter is for.
pub trait Client {
    /// Its stable name, for programs.
    fn client(&self) -> ClientId;

    /// Its name as people say it: that of the product.
    fn name(&self) -> &'static str;
}

/// One odd behaviour of a client, named once and proven by a recorded case.
///
/// Adapters list theirs; an omission or a diagnostic points to the one that
/// explains it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Quirk {
    /// Stable name, `client/what-happens`.
    pub id: &'static str,
    /// What the client does, in one or two sentences.
    pub summary: &'static str,
    /// The client versions in which it was seen.
    pub versions: &'static [&'static str],
    /// Name of the recorded case that shows it.
    pub case: &'static str,
}
