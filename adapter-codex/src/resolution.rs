//! What Codex would be given, as data.

use std::sync::Arc;

use memory_core::fs::Probes;
use memory_core::{
    AbsPath, Diagnostic, InstructionChain, Layer, MemoryGiven, Redacted, Resolved, SkillListing,
};

use crate::agents::CustomAgent;
use crate::later::LaterText;

/// Everything about instructions, skills and memory that Codex would be given.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Resolution {
    /// Name of the release this holds for: `codex@0.171.0`.
    pub profile: &'static str,
    /// The folder the client works in, `-C` applied.
    pub cwd: AbsPath,
    /// The home directory; `None` where it is not known.
    pub home: Option<AbsPath>,
    /// The root of the project, or the start folder where it has none.
    pub project: AbsPath,
    /// The client's own message when this configuration stops it; `None` when
    /// it starts. Nothing is loaded when it does not start.
    pub refusal: Option<String>,
    /// The agent whose start this is; `None` for the session itself.
    pub agent: Option<String>,
    /// The texts of the configuration and the instruction files, in the order in
    /// which they are sent.
    pub chain: InstructionChain,
    /// The complete instruction item, the client's wrapper included; `None`
    /// when there is none.
    pub instructions: Option<String>,
    /// The skills that the model is told of.
    pub skills: SkillListing,
    /// The memory that is injected.
    pub memory: MemoryInjection,
    /// The custom agents that can be started, by name.
    pub custom_agents: Vec<CustomAgent>,
    /// Definitions of agents that do not count, with the reason.
    pub omitted_agents: Vec<Layer>,
    /// Texts that reach the model later, or that commands print.
    pub later: Vec<LaterText>,
    /// What is worth telling about the whole; that of the chain, the skills and
    /// the memory stands there.
    pub diagnostics: Vec<Diagnostic>,
    /// What the whole answer depends on.
    pub probes: Probes,
}

impl Resolution {
    /// A start in `cwd` that is given nothing, in the release of this name.
    pub fn new(profile: &'static str, cwd: AbsPath) -> Self {
        Self {
            profile,
            home: None,
            project: cwd.clone(),
            cwd,
            refusal: None,
            agent: None,
            custom_agents: Vec::new(),
            omitted_agents: Vec::new(),
            later: Vec::new(),
            chain: InstructionChain::default(),
            instructions: None,
            skills: SkillListing::default(),
            memory: MemoryInjection::default(),
            diagnostics: Vec::new(),
            probes: Probes::default(),
        }
    }
}

impl Resolved for Resolution {
    fn profile(&self) -> &str {
        self.profile
    }

    fn refusal(&self) -> Option<&str> {
        self.refusal.as_deref()
    }

    fn chain(&self) -> &InstructionChain {
        &self.chain
    }

    fn skills(&self) -> &SkillListing {
        &self.skills
    }

    fn memory(&self) -> MemoryGiven<'_> {
        MemoryGiven {
            is_on: self.memory.enabled,
            path: self.memory.path.as_ref(),
            text: self.memory.content.as_deref(),
            is_cut: self.memory.cut.is_some(),
            diagnostics: &self.memory.diagnostics,
        }
    }

    fn diagnostics(&self) -> &[Diagnostic] {
        &self.diagnostics
    }

    fn redactions(&self) -> Vec<(Redacted, &'static str)> {
        let home = self.home.iter().map(|home| (Redacted::Directory(home.clone()), "<home>"));
        home.chain([(Redacted::Directory(self.project.clone()), "<project>")]).collect()
    }
}

/// The memory that a new thread is given.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MemoryInjection {
    /// Whether memory is switched on at all.
    pub enabled: bool,
    /// Which tree is read.
    pub version: MemoryVersion,
    /// The tree's folder; `None` when the client does not start.
    pub root: Option<AbsPath>,
    /// The summary file that is injected; `None` when the client does not start.
    pub path: Option<AbsPath>,
    /// The summary exactly as injected; `None` when nothing is.
    pub content: Option<Arc<str>>,
    /// What was cut out of the middle, or `None` when it is whole.
    pub cut: Option<MiddleCut>,
    /// What is worth telling.
    pub diagnostics: Vec<Diagnostic>,
}

/// The two memory trees.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum MemoryVersion {
    /// `memories/`: a summary, a handbook and rollout summaries.
    V1,
    /// `memories_v2/`: a summary that points to rollout summaries.
    #[default]
    V2,
}

impl MemoryVersion {
    /// The word for it: `v1`, `v2`.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::V1 => "v1",
            Self::V2 => "v2",
        }
    }

    /// The tree's folder name under the Codex home.
    pub fn folder(self) -> &'static str {
        match self {
            Self::V1 => "memories",
            Self::V2 => "memories_v2",
        }
    }
}

/// A cut out of the middle of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MiddleCut {
    /// Tokens that the client says are gone.
    pub lost_tokens: u64,
    /// Bytes that are really gone.
    pub lost_bytes: u64,
    /// Bytes kept at the start.
    pub head_bytes: u64,
    /// Bytes kept at the end.
    pub tail_bytes: u64,
    /// The first line that is not whole, counted from 1 in the trimmed text.
    pub first_lost_line: u64,
    /// The last line that is not whole, counted from 1 in the trimmed text.
    pub last_lost_line: u64,
}
