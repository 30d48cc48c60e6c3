use memory_core::fs::Probes;
use memory_core::{AbsPath, Diagnostic};
use schemars::JsonSchema;
use serde::Serialize;

use crate::claude_agents::AgentStartDocument;
use crate::codex_agents::{CustomAgentDocument, LaterDocument};
use crate::layer::LayerDocument;
use crate::memory::{AgentMemoryDocument, MemoryDocument};
use crate::omitted::OmittedDocument;
use crate::size::{BudgetDocument, Size, Tokens};
use crate::skill::{ListedSkillDocument, SkillsDocument};
use crate::words::{Agent, Severity};

/// Name of the document that `memport explain` prints.
pub const EXPLAIN_SCHEMA: &str = "memport.explain.v1";

/// What `memport explain` prints: one client, or all that have something here.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(untagged)]
pub enum Explanation {
    /// A client was named.
    One(Box<AgentExplanation>),
    /// No client was named.
    Every(EveryAgent),
}

/// Every client that has something here.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct EveryAgent {
    /// Name of this document.
    #[schemars(extend("const" = EXPLAIN_SCHEMA))]
    pub schema: &'static str,
    /// One entry per client that has something here.
    pub agents: Vec<AgentExplanation>,
}

/// What one client would load if it were started here.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct AgentExplanation {
    /// Name of this document.
    #[schemars(extend("const" = EXPLAIN_SCHEMA))]
    pub schema: &'static str,
    /// The client.
    pub agent: Agent,
    /// The release this holds for: `codex@0.171.0`.
    pub profile: &'static str,
    /// The sub-agent whose start this is, or null for the session itself.
    pub sub_agent: Option<String>,
    /// The folder the client works in.
    pub cwd: String,
    /// The home directory, or null where it is not known.
    pub home: Option<String>,
    /// Whether the client starts at all.
    pub client: Client,
    /// The instruction items at start, in the order in which the model sees them.
    pub layers: Vec<LayerDocument>,
    /// The limit on all instruction items together, or null where there is none.
    pub budget: Option<BudgetDocument>,
    /// What each scripted step adds, one entry per step.
    pub steps: Vec<StepDocument>,
    /// Everything that was looked at and does not load.
    pub omitted: Vec<OmittedDocument>,
    /// The skills that the model is told of.
    pub skills: SkillsDocument,
    /// The memory that is injected.
    pub memory: MemoryDocument,
    /// The memories of sub-agents.
    pub agent_memory: Vec<AgentMemoryDocument>,
    /// The sub-agents of Claude Code that the scripted steps start, each before those
    /// that it starts itself; the one that was asked for by name.
    pub agents: Vec<AgentStartDocument>,
    /// The custom agents that Codex offers to start, in its own order.
    pub custom_agents: Vec<CustomAgentDocument>,
    /// Texts that reach the model later, or come from commands.
    pub later: Vec<LaterDocument>,
    /// Whole items as the client sends them.
    pub rendered: Rendered,
    /// What is worth telling.
    pub diagnostics: Vec<DiagnosticDocument>,
    /// The paths that the answer depends on.
    pub probes: ProbesDocument,
    /// What is loaded at start in all.
    pub totals: Totals,
}

impl AgentExplanation {
    /// Whether the client finds anything here: something to load, something it
    /// leaves out, a skill that does not come with it, a memory, a reason not to start, or
    /// a file that only looks like one that it reads.
    pub fn has_something(&self) -> bool {
        !self.client.starts
            || !self.layers.is_empty()
            || !self.omitted.is_empty()
            || self.memory.content.is_some()
            || self.memory.would_create.is_some()
            || self.skills.has_own()
            || self.diagnostics.iter().any(|told| told.code.ends_with("/near-miss-name"))
    }
}

/// Whether a client starts with this configuration.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Client {
    /// Whether it starts.
    pub starts: bool,
    /// The client's own message when it does not.
    pub error: Option<String>,
}

impl From<Option<String>> for Client {
    fn from(refusal: Option<String>) -> Self {
        Self { starts: refusal.is_none(), error: refusal }
    }
}

/// What one scripted step adds.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, JsonSchema)]
pub struct StepDocument {
    /// The tool uses of the step.
    pub uses: Vec<ToolUseDocument>,
    /// The items that it loads, in order.
    pub loads: Vec<LayerDocument>,
    /// What it makes the client look at without loading it.
    pub omitted: Vec<OmittedDocument>,
    /// The skills that it adds to the listing.
    pub skills_added: Vec<ListedSkillDocument>,
    /// The listing lines that it adds, joined by `\n`; empty when it adds none.
    pub skills_rendered: String,
}

/// One use of a tool, as it was given.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct ToolUseDocument {
    /// The tool.
    pub tool: String,
    /// Its input.
    pub input: serde_json::Value,
    /// Whether it ended with an error, or a search found nothing.
    #[serde(skip_serializing_if = "is_false")]
    pub failed: bool,
    /// The steps of the sub-agent that it starts.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub agent_steps: Vec<Vec<Self>>,
}

impl ToolUseDocument {
    /// A use that succeeds and starts no sub-agent with steps.
    pub fn new(tool: impl Into<String>, input: serde_json::Value) -> Self {
        Self { tool: tool.into(), input, failed: false, agent_steps: Vec::new() }
    }
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde asks by reference")]
fn is_false(failed: &bool) -> bool {
    !*failed
}

/// Whole items as the client sends them.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Rendered {
    /// The complete instruction item, the client's wrapper included; null when
    /// there is none or the client sends each file by itself.
    pub instructions: Option<String>,
}

/// Something worth telling.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct DiagnosticDocument {
    /// Its stable name, `area/name`.
    pub code: &'static str,
    /// How much it matters.
    pub severity: Severity,
    /// One sentence without a full stop.
    pub message: String,
    /// The file it speaks of.
    pub path: Option<String>,
    /// The line in that file, counted from 1.
    pub line: Option<u32>,
    /// What the reader can do about it.
    pub help: Option<String>,
    /// The named oddity of the client behind it, where there is one.
    pub quirk: Option<&'static str>,
}

impl DiagnosticDocument {
    /// All that is told of an answer, group after group.
    pub(crate) fn all<const N: usize>(groups: [Vec<Diagnostic>; N]) -> Vec<Self> {
        groups.into_iter().flatten().map(Self::from).collect()
    }
}

impl From<Diagnostic> for DiagnosticDocument {
    fn from(found: Diagnostic) -> Self {
        Self {
            code: found.code.0,
            severity: Severity::of(found.severity),
            message: found.message,
            path: found.path.map(|path| path.to_string()),
            line: found.line,
            help: found.help,
            quirk: found.quirk.map(|quirk| quirk.id),
        }
    }
}

/// What an answer depends on.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, JsonSchema)]
pub struct ProbesDocument {
    /// Paths that were there and were looked at.
    pub read: Vec<String>,
    /// Paths that were looked for and were not there.
    pub missing: Vec<String>,
}

impl From<Probes> for ProbesDocument {
    fn from(probes: Probes) -> Self {
        let shown = |path: &AbsPath| path.to_string();
        Self {
            read: probes.read.iter().map(shown).collect(),
            missing: probes.missing.iter().map(shown).collect(),
        }
    }
}

/// What is loaded at start in all: instruction items, skill listing and memory,
/// the client's own framing left out.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Totals {
    /// UTF-8 bytes of the text in this document, which leaves out the skills
    /// that come with the client.
    pub bytes: u64,
    /// Estimated tokens, those of the skills that come with the client included.
    pub tokens: u64,
    /// How many of `tokens` are for the skills that come with the client.
    pub bundled_tokens: u64,
}

impl Totals {
    pub(crate) fn of(
        layers: &[LayerDocument],
        skills: &SkillsDocument,
        memory: &MemoryDocument,
    ) -> Self {
        let listing = Size::of(&skills.rendered);
        let content = Size::of(memory.content.as_deref().unwrap_or_default());
        let sizes = layers.iter().map(|layer| layer.kept).chain([listing, content]);
        let bundled_tokens = skills.bundled_tokens();
        let start = Self { bytes: 0, tokens: bundled_tokens, bundled_tokens };
        sizes.fold(start, |sum, size| Self {
            bytes: sum.bytes + size.bytes,
            tokens: sum.tokens + Tokens::of(size).estimate,
            ..sum
        })
    }
}
