use adapter_claude::{AgentMemory, IndexCut, MemoryIndex, Resolution, Step};
use memory_core::AbsPath;

use crate::claude_agents::agents;
use crate::explanation::{
    AgentExplanation, DiagnosticDocument, EXPLAIN_SCHEMA, Rendered, StepDocument, ToolUseDocument,
    Totals,
};
use crate::layer::split;
use crate::memory::{
    AgentMemoryDocument, IndexCutDocument, MemoryCut, MemoryDocument, NewIndex, TopicsDocument,
};
use crate::size::BudgetDocument;
use crate::skill::{ListedSkillDocument, SkillsDocument};
use crate::words::Agent;

/// What Claude Code was resolved to, as a document. `steps` are the tool uses
/// that were asked for, one entry per step of the resolution.
pub fn from_claude(
    found: Resolution,
    home: Option<&AbsPath>,
    steps: Vec<Vec<ToolUseDocument>>,
) -> AgentExplanation {
    let Resolution { chain, skills, memory, .. } = found;
    let diagnostics = DiagnosticDocument::all([
        found.diagnostics,
        chain.diagnostics,
        skills.diagnostics.clone(),
        memory.diagnostics.clone(),
    ]);
    let (layers, omitted) = split(chain.layers);
    let skills = SkillsDocument::from(skills);
    let memory = MemoryDocument::from(memory);
    let script = match &found.sub_agent {
        Some(_) => vec![vec![ToolUseDocument {
            agent_steps: steps.clone(),
            ..ToolUseDocument::new("Agent", serde_json::Value::Null)
        }]],
        None => steps.clone(),
    };
    let agents = agents(found.agents, &script);
    let mut uses = steps.into_iter();
    AgentExplanation {
        schema: EXPLAIN_SCHEMA,
        agent: Agent::ClaudeCode,
        profile: found.profile,
        sub_agent: found.sub_agent,
        cwd: found.cwd.to_string(),
        home: home.map(AbsPath::to_string),
        client: found.refusal.into(),
        totals: Totals::of(&layers, &skills, &memory),
        layers,
        budget: chain.budget.map(BudgetDocument::from),
        steps: found
            .steps
            .into_iter()
            .map(|added| step(added, uses.next().unwrap_or_default()))
            .collect(),
        omitted,
        skills,
        memory,
        agent_memory: found.agent_memory.into_iter().map(AgentMemoryDocument::from).collect(),
        agents,
        custom_agents: Vec::new(),
        later: Vec::new(),
        rendered: Rendered::default(),
        diagnostics,
        probes: found.probes.into(),
    }
}

pub(crate) fn step(added: Step, uses: Vec<ToolUseDocument>) -> StepDocument {
    let (loads, omitted) = split(added.loads);
    StepDocument {
        uses,
        loads,
        omitted,
        skills_added: added.skills.into_iter().map(ListedSkillDocument::from).collect(),
        skills_rendered: added.skills_rendered,
    }
}

impl From<MemoryIndex> for MemoryDocument {
    fn from(memory: MemoryIndex) -> Self {
        Self {
            enabled: memory.enabled,
            version: None,
            root: memory.root.map(|root| root.to_string()),
            content: memory.content,
            cut: memory.cut.map(|cut| MemoryCut::Index(cut.into())),
            path: memory.path.map(|path| path.to_string()),
            would_create: memory
                .would_create
                .map(|index| NewIndex { path: index.path.to_string(), content: index.content }),
            topics: memory
                .topics
                .map(|topics| TopicsDocument { listed: topics.listed, all: topics.all }),
        }
    }
}

impl From<AgentMemory> for AgentMemoryDocument {
    fn from(memory: AgentMemory) -> Self {
        Self {
            agent: memory.agent,
            scope: memory.scope,
            dir: memory.dir.to_string(),
            content: memory.content,
            cut: memory.cut.map(IndexCutDocument::from),
        }
    }
}

impl From<IndexCut> for IndexCutDocument {
    fn from(cut: IndexCut) -> Self {
        Self {
            lines: cut.lines,
            kb: cut.kb,
            cut_lines: cut.cut_lines,
            total_lines: cut.total_lines,
            first_cut_line: cut.first_cut_line,
            first_cut_text: cut.first_cut_text,
            cut_inside_line_1_after: cut.cut_inside_line_1_after,
        }
    }
}
