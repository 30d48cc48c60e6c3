use adapter_codex::{
    CustomAgent, LaterKind, LaterText, MemoryInjection, MemoryVersion, MiddleCut, Resolution,
};
use memory_core::AbsPath;

use crate::codex_agents::{CustomAgentDocument, LaterDocument};
use crate::explanation::{
    AgentExplanation, DiagnosticDocument, EXPLAIN_SCHEMA, Rendered, StepDocument, ToolUseDocument,
    Totals,
};
use crate::layer::split;
use crate::memory::{MemoryCut, MemoryDocument, MiddleCutDocument};
use crate::size::BudgetDocument;
use crate::skill::SkillsDocument;
use crate::words::{Agent, Scope, TreeVersion};

/// What Codex was resolved to, as a document. `steps` are the tool uses that
/// were asked for; Codex loads nothing on them.
pub fn from_codex(
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
    let (layers, mut omitted) = split(chain.layers);
    omitted.extend(split(found.omitted_agents).1);
    let skills = SkillsDocument::from(skills);
    let memory = MemoryDocument::from(memory);
    AgentExplanation {
        schema: EXPLAIN_SCHEMA,
        agent: Agent::Codex,
        profile: found.profile,
        sub_agent: found.agent,
        cwd: found.cwd.to_string(),
        home: home.map(AbsPath::to_string),
        client: found.refusal.into(),
        totals: Totals::of(&layers, &skills, &memory),
        layers,
        budget: chain.budget.map(BudgetDocument::from),
        steps: steps
            .into_iter()
            .map(|uses| StepDocument { uses, ..StepDocument::default() })
            .collect(),
        omitted,
        skills,
        memory,
        agent_memory: Vec::new(),
        agents: Vec::new(),
        custom_agents: found.custom_agents.into_iter().map(Into::into).collect(),
        later: found.later.into_iter().map(Into::into).collect(),
        rendered: Rendered { instructions: found.instructions },
        diagnostics,
        probes: found.probes.into(),
    }
}

impl From<MemoryInjection> for MemoryDocument {
    fn from(memory: MemoryInjection) -> Self {
        Self {
            enabled: memory.enabled,
            version: Some(match memory.version {
                MemoryVersion::V1 => TreeVersion::V1,
                MemoryVersion::V2 => TreeVersion::V2,
            }),
            root: memory.root.map(|root| root.to_string()),
            content: memory.content,
            cut: memory.cut.map(|cut| MemoryCut::Middle(cut.into())),
            path: memory.path.map(|path| path.to_string()),
            would_create: None,
            topics: None,
        }
    }
}

impl From<MiddleCut> for MiddleCutDocument {
    fn from(cut: MiddleCut) -> Self {
        Self {
            lost_tokens: cut.lost_tokens,
            lost_bytes: cut.lost_bytes,
            head_bytes: cut.head_bytes,
            tail_bytes: cut.tail_bytes,
            first_lost_line: cut.first_lost_line,
            last_lost_line: cut.last_lost_line,
        }
    }
}

impl From<CustomAgent> for CustomAgentDocument {
    fn from(agent: CustomAgent) -> Self {
        Self {
            name: agent.name,
            description: agent.description,
            path: agent.path.map(|path| path.to_string()),
            declared_in: agent.declared_in.map(|path| path.to_string()),
            scope: Scope::of(agent.scope),
            model: agent.model,
            effort: agent.effort,
        }
    }
}

impl From<LaterText> for LaterDocument {
    fn from(text: LaterText) -> Self {
        let path = text.path.map(|path| path.to_string());
        match text.kind {
            LaterKind::Hook { event, command } => {
                Self { kind: "hook", path, event: Some(event), command: Some(command) }
            }
            _ => Self { kind: "compact-prompt", path, event: None, command: None },
        }
    }
}
