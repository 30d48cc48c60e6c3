use std::sync::Arc;

use schemars::JsonSchema;
use serde::Serialize;

use crate::words::TreeVersion;

/// The memory that the model is given at start.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct MemoryDocument {
    /// Whether memory is switched on at all.
    pub enabled: bool,
    /// Which of a client's memory trees is read; null where there is only one.
    pub version: Option<TreeVersion>,
    /// The memory folder.
    pub root: Option<String>,
    /// The index or summary exactly as injected, the client's own framing and
    /// warnings left out; null when nothing is injected.
    pub content: Option<Arc<str>>,
    /// What was cut, or null when it is whole.
    pub cut: Option<MemoryCut>,
    /// The index or summary file.
    pub path: Option<String>,
    /// The index that the client would write to disk because there is none.
    pub would_create: Option<NewIndex>,
    /// How many of the topics the index names; null where there is none of them.
    pub topics: Option<TopicsDocument>,
}

/// What was cut out of a memory; each client says it in its own way.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(untagged)]
pub enum MemoryCut {
    /// Out of the middle.
    Middle(MiddleCutDocument),
    /// Off the end.
    Index(IndexCutDocument),
}

/// A cut out of the middle of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct MiddleCutDocument {
    /// Tokens that the client says are gone.
    pub lost_tokens: u64,
    /// Bytes that are really gone.
    pub lost_bytes: u64,
    /// Bytes kept at the start.
    pub head_bytes: u64,
    /// Bytes kept at the end.
    pub tail_bytes: u64,
    /// The first line that is not whole, counted from 1.
    pub first_lost_line: u64,
    /// The last line that is not whole, counted from 1.
    pub last_lost_line: u64,
}

/// What a client says of a cut index; null where it does not say it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, JsonSchema)]
pub struct IndexCutDocument {
    /// Lines of the index, as the client counts them.
    pub lines: Option<u64>,
    /// Size in kilobytes as printed: `24.4`.
    pub kb: Option<String>,
    /// Lines cut off.
    pub cut_lines: Option<u64>,
    /// Lines in all.
    pub total_lines: Option<u64>,
    /// The first line that is cut off, counted from 1.
    pub first_cut_line: Option<u64>,
    /// The first line that is cut off, as quoted.
    pub first_cut_text: Option<String>,
    /// When the first line itself is cut: after how many UTF-16 units.
    pub cut_inside_line_1_after: Option<u64>,
}

/// How many topics an index names; the model reads a topic when it needs it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct TopicsDocument {
    /// Topics that the index names.
    pub listed: u64,
    /// Topics in all.
    pub all: u64,
}

/// An index that the client would write to disk.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct NewIndex {
    /// Where.
    pub path: String,
    /// What.
    pub content: String,
}

/// The memory of one sub-agent.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct AgentMemoryDocument {
    /// The agent's name.
    pub agent: String,
    /// Where it is kept: `user`, `project` or `local`.
    pub scope: String,
    /// Its folder.
    pub dir: String,
    /// The index exactly as injected; null when it is empty or missing.
    pub content: Option<Arc<str>>,
    /// What was cut, or null when it is whole.
    pub cut: Option<IndexCutDocument>,
}
