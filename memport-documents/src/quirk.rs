use memory_core::Quirk;
use schemars::JsonSchema;
use serde::Serialize;

use crate::words::Agent;

/// Name of the document that `memport quirk` prints.
pub const QUIRK_SCHEMA: &str = "memport.quirk.v1";

/// The named oddities that were asked for.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct QuirksDocument {
    /// Name of this document.
    #[schemars(extend("const" = QUIRK_SCHEMA))]
    pub schema: &'static str,
    /// The oddities, client after client.
    pub quirks: Vec<QuirkDocument>,
}

/// One odd behaviour of a client.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct QuirkDocument {
    /// Its stable name, `client/what-happens`.
    pub id: &'static str,
    /// The client.
    pub agent: Agent,
    /// What the client does, in one or two sentences.
    pub summary: &'static str,
    /// The releases of the client in which it was seen.
    pub versions: &'static [&'static str],
    /// Name of the recorded case that shows it.
    pub case: &'static str,
}

impl QuirkDocument {
    /// An oddity of this client.
    pub fn of(agent: Agent, quirk: &Quirk) -> Self {
        let Quirk { id, summary, versions, case } = *quirk;
        Self { id, agent, summary, versions, case }
    }
}
