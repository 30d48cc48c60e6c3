use adapter_codex::{MemoryInjection, MemoryVersion, MiddleCut, Resolution};
use memory_core::AbsPath;

use crate::explanation::{
    AgentExplanation, DiagnosticDocument, EXPLAIN_SCHEMA, Rendered, StepDocument, ToolUseDocument,
    Totals,
};
use crate::layer::split;
use crate::memory::{MemoryCut, MemoryDocument, MiddleCutDocument};
use crate::size::BudgetDocument;
use crate::skill::SkillsDocument;
use crate::words::{Agent, TreeVersion};

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
    let (layers, omitted) = split(chain.layers);
    let skills = SkillsDocument::from(skills);
    let memory = MemoryDocument::from(memory);
    AgentExplanation {
        schema: EXPLAIN_SCHEMA,
        agent: Agent::Codex,
        profile: found.profile,
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
