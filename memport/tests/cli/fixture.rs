//! Answers of the two clients, built by hand.

use adapter_codex::{MemoryInjection, MemoryVersion};
use memory_core::{
    AbsPath, Cut, FileSize, Layer, LayerKind, Limit, ListedSkill, Loaded, Measure, Omission,
    Outcome, Provenance, Quirk, Scope, Via,
};
use memport::explanation_text;
use memport_documents::{AgentExplanation, EXPLAIN_SCHEMA, EveryAgent, Explanation};

pub(crate) const QUIRK: Quirk = Quirk {
    id: "codex/empty-override-hides",
    summary: "An empty override hides the file beside it.",
    versions: &["0.171.0"],
    case: "override-empty",
};

pub(crate) fn path(text: &str) -> AbsPath {
    AbsPath::new(text).unwrap()
}

pub(crate) fn codex() -> adapter_codex::Resolution {
    let mut found = adapter_codex::Resolution::new("codex@0.171.0", path("/home/mio/shop"));
    found.memory = MemoryInjection {
        enabled: true,
        version: MemoryVersion::V2,
        root: Some(path("/home/mio/.codex/memories_v2")),
        path: Some(path("/home/mio/.codex/memories_v2/memory_summary.md")),
        ..MemoryInjection::default()
    };
    found
}

pub(crate) fn claude() -> adapter_claude::Resolution {
    adapter_claude::Resolution::new("claude-code@2.1.332", path("/home/mio/shop"))
}

pub(crate) fn layer(
    kind: LayerKind,
    scope: Scope,
    file: &str,
    via: Via,
    outcome: Outcome,
) -> Layer {
    let client = adapter_codex::CLIENT;
    Layer { kind, provenance: Provenance { client, scope, path: Some(path(file)), via }, outcome }
}

pub(crate) fn loaded(scope: Scope, file: &str, text: &str) -> Layer {
    layer(LayerKind::Instructions, scope, file, Via::Discovered, whole(text))
}

pub(crate) fn whole(text: &str) -> Outcome {
    let measure = Measure::of(text.as_bytes());
    let size = FileSize { bytes: measure.bytes, text: Some(measure) };
    Outcome::Loaded(Loaded {
        text: text.into(),
        label: None,
        size,
        cut: None,
        taken_out: Vec::new(),
    })
}

pub(crate) fn cut(text: &str, kept: usize) -> Outcome {
    let measure = Measure::of(text.as_bytes());
    let (head, _) = text.split_at(kept);
    Outcome::Loaded(Loaded {
        text: head.into(),
        label: None,
        size: FileSize { bytes: measure.bytes, text: Some(measure) },
        cut: Some(Cut {
            limit: Limit::Bytes(32_768),
            at_byte: kept as u64,
            at_line: 1 + head.matches('\n').count() as u64,
            lost_bytes: (text.len() - kept) as u64,
        }),
        taken_out: Vec::new(),
    })
}

pub(crate) fn omitted(scope: Scope, file: &str, reason: Omission) -> Layer {
    let outcome = Outcome::Omitted { reason, quirk: None };
    layer(LayerKind::Instructions, scope, file, Via::Discovered, outcome)
}

pub(crate) fn skill(scope: Scope, name: &str, file: &str) -> ListedSkill {
    ListedSkill {
        name: name.to_owned(),
        description: (scope != Scope::Builtin).then(|| format!("Does {name}.")),
        shown_path: format!("r0/{name}/SKILL.md"),
        file: path(file),
        scope,
        lost_chars: 0,
    }
}

pub(crate) fn codex_document(found: adapter_codex::Resolution) -> AgentExplanation {
    memport_documents::from_codex(found, Some(&path("/home/mio")), Vec::new())
}

pub(crate) fn claude_document(found: adapter_claude::Resolution) -> AgentExplanation {
    memport_documents::from_claude(found, Some(&path("/home/mio")), Vec::new())
}

/// The text of one client without colours, its end made visible.
pub(crate) fn text(agent: AgentExplanation, width: usize) -> String {
    plain(&Explanation::One(Box::new(agent)), width)
}

/// The text of several clients.
pub(crate) fn text_of_all(agents: Vec<AgentExplanation>, width: usize) -> String {
    plain(&Explanation::Every(EveryAgent { schema: EXPLAIN_SCHEMA, agents }), width)
}

fn plain(explanation: &Explanation, width: usize) -> String {
    let coloured = explanation_text(explanation, width);
    format!("{}[EOF]", anstream::adapter::strip_str(&coloured))
}
