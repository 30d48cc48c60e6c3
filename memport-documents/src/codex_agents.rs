//! Custom agents of Codex, and texts that reach the model later.

use schemars::JsonSchema;
use serde::Serialize;

use crate::words::Scope;

/// A custom agent that Codex offers to start.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct CustomAgentDocument {
    /// Its name.
    pub name: String,
    /// What it is for, without the lines that the client adds.
    pub description: String,
    /// The TOML file whose text it gets, or null where it has none.
    pub path: Option<String>,
    /// The `config.toml` that declares or describes it, or null.
    pub declared_in: Option<String>,
    /// Where it belongs.
    pub scope: Scope,
    /// The model that it is bound to, or null.
    pub model: Option<String>,
    /// The reasoning effort that it is bound to, or null.
    pub effort: Option<String>,
}

/// A text that reaches the model only later, or comes from a command that is
/// not run here.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct LaterDocument {
    /// `hook` or `compact-prompt`.
    pub kind: &'static str,
    /// The file in which it stands, or null for the command line.
    pub path: Option<String>,
    /// What makes the client run the hook, or null.
    pub event: Option<String>,
    /// The command whose output is the text, or null.
    pub command: Option<String>,
}
