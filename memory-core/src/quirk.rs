//! Named oddities of clients.

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
