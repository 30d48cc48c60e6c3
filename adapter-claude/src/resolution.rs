//! What Claude Code would be given, as data.

use std::sync::Arc;

use memory_core::fs::Probes;
use memory_core::{
    AbsPath, Diagnostic, InstructionChain, Layer, ListedSkill, MemoryGiven, Redacted, Resolved,
    SkillListing,
};

use crate::profile::Profile;

/// Everything about instructions, rules, skills and memory that Claude Code would be given.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Resolution {
    /// Name of the release this holds for: `claude-code@2.1.332`.
    pub profile: &'static str,
    /// The folder the client works in, links resolved.
    pub cwd: AbsPath,
    /// The home directory; `None` where it is not known.
    pub home: Option<AbsPath>,
    /// The root of the repository, or the start folder where it lies in none.
    pub project: AbsPath,
    /// The client's own message when this configuration stops it; `None` when it starts.
    pub refusal: Option<String>,
    /// What loads at start.
    pub chain: InstructionChain,
    /// What each scripted step adds, one entry per step.
    pub steps: Vec<Step>,
    /// The skills that the model is told of at start.
    pub skills: SkillListing,
    /// The auto-memory index.
    pub memory: MemoryIndex,
    /// The memories of sub-agents, in the order in which the agents are defined.
    pub agent_memory: Vec<AgentMemory>,
    /// The sub-agents that the scripted steps start, each before those that it starts itself.
    pub agents: Vec<AgentStart>,
    /// The sub-agent whose start this is; `None` for the session itself.
    pub sub_agent: Option<String>,
    /// What is worth telling about the whole.
    pub diagnostics: Vec<Diagnostic>,
    /// What the whole answer depends on.
    pub probes: Probes,
}

impl Resolution {
    /// A start of this release in `cwd` that is given nothing at all.
    pub fn new(profile: &'static str, cwd: AbsPath) -> Self {
        Self {
            profile,
            home: None,
            project: cwd.clone(),
            cwd,
            refusal: None,
            chain: InstructionChain::default(),
            steps: Vec::new(),
            skills: SkillListing::default(),
            memory: MemoryIndex::default(),
            agent_memory: Vec::new(),
            agents: Vec::new(),
            sub_agent: None,
            diagnostics: Vec::new(),
            probes: Probes::default(),
        }
    }

    /// What the sub-agent is given that was started last from the outside: its
    /// start stands in the place of the session's.
    pub(crate) fn of_agent(mut self, name: &str) -> Self {
        if let Some(started) = self.agents.first().cloned() {
            self.chain.layers = started.layers;
            self.memory = started.memory;
            self.skills = started.skills;
            self.steps = started.steps;
            self.agent_memory = started.own_memory.into_iter().collect();
        }
        self.sub_agent = Some(name.to_owned());
        self
    }

    /// What a start gives that the client refuses: nothing but its message.
    pub(crate) fn refused(
        profile: &Profile,
        cwd: AbsPath,
        refusal: String,
        probes: Probes,
    ) -> Self {
        let mut refused = Self::new(profile.name, cwd);
        refused.refusal = Some(refusal);
        refused.chain.probes = probes.clone();
        refused.probes = probes;
        refused
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

    /// The memory folder carries the project's path in its name.
    fn redactions(&self) -> Vec<(Redacted, &'static str)> {
        let folder = self.memory.path.as_ref().and_then(|index| index.parent()?.parent());
        let of_project = folder.filter(|folder| {
            folder.parent().is_some_and(|above| above.file_name() == Some("projects"))
        });
        let name = of_project.as_ref().and_then(|folder| folder.file_name()).map(str::to_owned);
        let home = self.home.iter().map(|home| (Redacted::Directory(home.clone()), "<home>"));
        home.chain([(Redacted::Directory(self.project.clone()), "<project>")])
            .chain(name.map(|name| (Redacted::Name(name), "<project>")))
            .collect()
    }
}

/// What one step of a session adds.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Step {
    /// The pieces that the step loads, in order.
    pub loads: Vec<Layer>,
    /// The skills that the step adds to the listing.
    pub skills: Vec<ListedSkill>,
    /// The listing lines that the step adds, joined by `\n`; empty when it adds none.
    pub skills_rendered: String,
}

/// The auto-memory index as the model gets it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct MemoryIndex {
    /// Whether the client is told of a memory at all.
    pub enabled: bool,
    /// The memory folder; `None` when memory is off or the model is not told of the folder.
    pub root: Option<AbsPath>,
    /// The index file; `None` when memory is off.
    pub path: Option<AbsPath>,
    /// The index exactly as injected, the client's warning left out; `None` when nothing is.
    pub content: Option<Arc<str>>,
    /// What was cut, or `None` when it is whole.
    pub cut: Option<IndexCut>,
    /// The index that the client would write to disk because there is none.
    pub would_create: Option<RebuiltIndex>,
    /// How many of the topics beside the index it names; `None` where nobody
    /// counted, because there is no index or no topic.
    pub topics: Option<TopicCount>,
    /// What is worth telling.
    pub diagnostics: Vec<Diagnostic>,
}

/// How many topics an index names; the model reads a topic when it needs it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TopicCount {
    /// Topics that the index names.
    pub listed: u64,
    /// Topics in all, at most 2,000.
    pub all: u64,
}

/// What the client says of a cut index; a field is `None` where it does not say it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct IndexCut {
    /// Lines of the index, as the warning counts them.
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

/// An index that the client would write to disk.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct RebuiltIndex {
    /// Where.
    pub path: AbsPath,
    /// The bytes.
    pub content: String,
}

impl RebuiltIndex {
    /// An index of these bytes at this path.
    pub fn new(path: AbsPath, content: impl Into<String>) -> Self {
        Self { path, content: content.into() }
    }
}

/// The memory of one sub-agent.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct AgentMemory {
    /// The agent's name.
    pub agent: String,
    /// Where it is kept: `user`, `project` or `local`.
    pub scope: String,
    /// Its folder.
    pub dir: AbsPath,
    /// The index exactly as injected; `None` when it is empty or missing.
    pub content: Option<Arc<str>>,
    /// What was cut, or `None` when it is whole.
    pub cut: Option<IndexCut>,
}

/// What a sub-agent is given when it is started.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct AgentStart {
    /// Which tool use starts it: step and use counted from 0, `1_0`; for an
    /// agent of an agent with its parent's place in front, `1_0_0_2`.
    pub at: String,
    /// Its name.
    pub agent: String,
    /// The file that defines it; `None` for one of the command line or of the client.
    pub path: Option<AbsPath>,
    /// Its own text as the model gets it; `None` for an agent of the client.
    pub prompt: Option<String>,
    /// Whether it is told of the state of the repository.
    pub git_status: bool,
    /// The session's start as it is given to the agent.
    pub layers: Vec<Layer>,
    /// The session's memory index as it is given to the agent.
    pub memory: MemoryIndex,
    /// The agent's own memory; `None` for an agent without one.
    pub own_memory: Option<AgentMemory>,
    /// The skills that it is told of; nothing where it cannot use them.
    pub skills: SkillListing,
    /// The skills whose text it is given at once, in the order of its definition.
    pub preloaded: Vec<PreloadedSkill>,
    /// What each of its steps adds.
    pub steps: Vec<Step>,
}

/// A skill whose text a sub-agent is given at its start.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct PreloadedSkill {
    /// The name of its folder.
    pub name: String,
    /// Its file.
    pub path: AbsPath,
    /// Its text as given, without line ends at its end.
    pub content: String,
}
