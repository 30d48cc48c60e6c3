//! Sub-agents of Claude Code: what each is given when it is started.

use adapter_claude::{AgentStart, PreloadedSkill};
use schemars::JsonSchema;
use serde::Serialize;

use crate::claude::step;
use crate::explanation::{StepDocument, ToolUseDocument};
use crate::layer::{LayerDocument, split};
use crate::memory::{AgentMemoryDocument, MemoryDocument};
use crate::skill::{ListedSkillDocument, SkillsDocument};

/// What a sub-agent is given when a scripted tool use starts it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct AgentStartDocument {
    /// The step and the use in it that start it, counted from 0: `1_0`; for an
    /// agent of an agent with its parent's place in front.
    pub at: String,
    /// Its name.
    pub agent: String,
    /// The file that defines it; null for one of the command line or of the client.
    pub path: Option<String>,
    /// Its own text as the model gets it; null for an agent of the client.
    pub prompt: Option<String>,
    /// Whether it is told of the state of the repository.
    pub git_status: bool,
    /// The instruction items that it is given, in order.
    pub layers: Vec<LayerDocument>,
    /// The session's memory as it is given to the agent.
    pub memory: MemoryDocument,
    /// The agent's own memory, or null where it has none.
    pub agent_memory: Option<AgentMemoryDocument>,
    /// The skills that it is told of.
    pub skills: AgentSkillsDocument,
    /// What each of its steps adds.
    pub steps: Vec<StepDocument>,
}

/// The skills that a sub-agent is told of, and those that it is given whole.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct AgentSkillsDocument {
    /// The listed skills, in the order in which the model sees them.
    pub listed: Vec<ListedSkillDocument>,
    /// The listing lines joined by `\n`; empty where the agent has no listing.
    pub rendered: String,
    /// The skills whose text it is given at once, in the order of its definition.
    pub preloaded: Vec<PreloadedSkillDocument>,
}

/// A skill whose text a sub-agent is given at its start.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct PreloadedSkillDocument {
    /// The name of its folder.
    pub name: String,
    /// Its file.
    pub path: String,
    /// Its text as given, without line ends at its end.
    pub content: String,
}

impl From<PreloadedSkill> for PreloadedSkillDocument {
    fn from(skill: PreloadedSkill) -> Self {
        Self { name: skill.name, path: skill.path.to_string(), content: skill.content }
    }
}

/// The sub-agents that were started, beside the script that started them.
pub(crate) fn agents(
    started: Vec<AgentStart>,
    script: &[Vec<ToolUseDocument>],
) -> Vec<AgentStartDocument> {
    started.into_iter().map(|agent| document(agent, script)).collect()
}

fn document(started: AgentStart, script: &[Vec<ToolUseDocument>]) -> AgentStartDocument {
    let mut uses = steps_at(script, &started.at).to_vec().into_iter();
    let skills = SkillsDocument::from(started.skills);
    AgentStartDocument {
        at: started.at,
        agent: started.agent,
        path: started.path.map(|path| path.to_string()),
        prompt: started.prompt,
        git_status: started.git_status,
        layers: split(started.layers).0,
        memory: started.memory.into(),
        agent_memory: started.own_memory.map(Into::into),
        skills: AgentSkillsDocument {
            listed: skills.listed,
            rendered: skills.rendered,
            preloaded: started.preloaded.into_iter().map(Into::into).collect(),
        },
        steps: started
            .steps
            .into_iter()
            .map(|added| step(added, uses.next().unwrap_or_default()))
            .collect(),
    }
}

/// The steps of the agent that the use at this place starts.
fn steps_at<'s>(script: &'s [Vec<ToolUseDocument>], at: &str) -> &'s [Vec<ToolUseDocument>] {
    let mut steps = script;
    let mut numbers = at.split('_').filter_map(|number| number.parse::<usize>().ok());
    while let (Some(step), Some(number)) = (numbers.next(), numbers.next()) {
        let used = steps.get(step).and_then(|uses| uses.get(number));
        steps = used.map_or(&[], |used| &used.agent_steps);
    }
    steps
}
