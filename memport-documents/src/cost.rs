use schemars::JsonSchema;
use serde::Serialize;

use crate::words::Agent;

/// Name of the document that `memport cost` prints.
pub const COST_SCHEMA: &str = "memport.cost.v1";

/// What a start of each client costs. Numbers of tokens are estimates.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct CostDocument {
    /// Name of this document.
    #[schemars(extend("const" = COST_SCHEMA))]
    pub schema: &'static str,
    /// How tokens are estimated.
    pub estimator: EstimatorDocument,
    /// One entry per client that has something here.
    pub agents: Vec<AgentCost>,
    /// What one recall adds at most.
    pub recall: Amount,
}

/// How tokens are estimated from bytes.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, JsonSchema)]
pub struct EstimatorDocument {
    /// UTF-8 bytes of a token in instructions and skills.
    pub bytes_per_token: f64,
    /// UTF-8 bytes of a token in an index of memories, whose names and links
    /// make more tokens of fewer bytes.
    pub bytes_per_index_token: f64,
}

/// What a start of one client costs.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct AgentCost {
    /// The client.
    pub agent: Agent,
    /// Everything that is loaded at start, in the order in which the model sees it.
    pub items: Vec<CostItem>,
    /// All of it together.
    pub total: Amount,
    /// What index lines of at most 150 characters would save.
    pub shorter_lines: Saving,
}

/// One thing that is loaded at start.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct CostItem {
    /// What it is: `instructions`, `rule`, `skills`, `memory`, ….
    pub kind: String,
    /// Its file; null where it has none of its own.
    pub path: Option<String>,
    /// How much it is.
    #[serde(flatten)]
    pub amount: Amount,
}

/// A number of bytes and the estimate of its tokens.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Amount {
    /// UTF-8 bytes.
    pub bytes: u64,
    /// Estimated tokens.
    pub tokens: u64,
}

/// What shorter lines would save.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Saving {
    /// How many lines are longer.
    pub lines: u64,
    /// What is beyond the limit in them.
    #[serde(flatten)]
    pub amount: Amount,
}
