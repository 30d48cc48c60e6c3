//! What a change does to what each client loads.

mod layers;

use schemars::JsonSchema;
use serde::Serialize;

use crate::explanation::AgentExplanation;
use crate::finding::FindingDocument;
use crate::memory::MemoryDocument;
use crate::size::Size;
use crate::skill::{ListedSkillDocument, SkillsDocument};
use crate::words::{Agent, Kind, Scope};

/// Name of the document that `memport diff` prints.
pub const DIFF_SCHEMA: &str = "memport.diff.v1";

/// What `memport diff` prints.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct DiffDocument {
    /// Name of this document.
    #[schemars(extend("const" = DIFF_SCHEMA))]
    pub schema: &'static str,
    /// The state before.
    pub from: StateDocument,
    /// The state after.
    pub to: StateDocument,
    /// Where something differs, sorted by folder, then by client.
    pub changes: Vec<AgentChange>,
    /// What is wrong now and was not, and the other way round.
    pub findings: FindingChanges,
    /// Removed layers, newly cut ones and removed skills, over all changes.
    pub losses: usize,
}

/// One of the two states that are compared.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct StateDocument {
    /// The revision as it was asked for; null for the work tree.
    pub rev: Option<String>,
    /// The commit in full; null for the work tree.
    pub commit: Option<String>,
}

/// Findings that come and go.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, JsonSchema)]
pub struct FindingChanges {
    /// What is wrong only after.
    pub added: Vec<FindingDocument>,
    /// What was wrong only before.
    pub removed: Vec<FindingDocument>,
}

/// What differs for one client that is started in one folder.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct AgentChange {
    /// The client.
    pub agent: Agent,
    /// The folder, relative to the root; `.` is the root.
    pub folder: String,
    /// Instruction items.
    pub layers: LayerChanges,
    /// Skills that the model is told of.
    pub skills: SkillChanges,
    /// The injected memory, or null when it is the same.
    pub memory: Option<MemoryChanged>,
    /// All that is loaded at start.
    pub totals: TotalsChanged,
}

/// Instruction items that differ, each in one list.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, JsonSchema)]
pub struct LayerChanges {
    /// Loaded only after.
    pub added: Vec<LayerChange>,
    /// Loaded only before.
    pub removed: Vec<LayerChange>,
    /// The same text in another place of the order.
    pub moved: Vec<LayerChange>,
    /// Another text or another cut.
    pub changed: Vec<LayerChange>,
}

/// One instruction item that differs.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct LayerChange {
    /// The file, relative to the root, absolute outside of it; null for text of
    /// a setting.
    pub path: Option<String>,
    /// The file's name before, where it was renamed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub from_path: Option<String>,
    /// What kind of text it is.
    pub kind: Kind,
    /// Where it belongs.
    pub scope: Scope,
    /// Its place in the order, counted from 1.
    pub position: Pair,
    /// UTF-8 bytes that the model gets.
    pub bytes: Pair,
    /// Estimated tokens of them.
    pub tokens: Pair,
    /// Bytes of the file that a limit cuts off.
    pub lost_bytes: Pair,
    /// Whether it was whole and is cut now.
    pub newly_cut: bool,
    /// Why a removed one is not loaded any more; null when its file is gone.
    pub reason: Option<ChangeReason>,
}

/// A number before and after; null where the thing is not there.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Pair {
    /// Before.
    pub from: Option<u64>,
    /// After.
    pub to: Option<u64>,
}

/// Why a file is not loaded any more.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct ChangeReason {
    /// The stable name of the reason, as in `memport explain`.
    pub code: String,
    /// The file that is to blame, where there is one.
    pub by: Option<String>,
}

/// Skills that differ.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, JsonSchema)]
pub struct SkillChanges {
    /// Listed only after.
    pub added: Vec<SkillChange>,
    /// Listed only before.
    pub removed: Vec<SkillChange>,
    /// Listed with another description.
    pub changed: Vec<SkillChange>,
}

/// One skill that differs.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct SkillChange {
    /// The name as shown.
    pub name: String,
    /// The skill's file, relative to the root.
    pub path: String,
    /// The description as shown.
    pub description: TextPair,
}

/// A text before and after; null where there is none.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, JsonSchema)]
pub struct TextPair {
    /// Before.
    pub from: Option<String>,
    /// After.
    pub to: Option<String>,
}

/// The injected memory before and after.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct MemoryChanged {
    /// UTF-8 bytes.
    pub bytes: Pair,
    /// Lines.
    pub lines: Pair,
    /// Whether it was whole and is cut now.
    pub newly_cut: bool,
}

/// What is loaded at start in all, before and after.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct TotalsChanged {
    /// UTF-8 bytes.
    pub bytes: Pair,
    /// Estimated tokens.
    pub tokens: Pair,
}

impl AgentChange {
    /// Compares two answers about one client in `folder`. `root` is the top of
    /// the repository; paths below it become relative to it.
    pub fn between(
        root: &str,
        folder: String,
        from: &AgentExplanation,
        to: &AgentExplanation,
    ) -> Self {
        let pair = |from, to| Pair { from: Some(from), to: Some(to) };
        Self {
            agent: to.agent,
            folder,
            layers: layers::compare(root, from, to),
            skills: compare_skills(root, &from.skills, &to.skills),
            memory: compare_memories(&from.memory, &to.memory),
            totals: TotalsChanged {
                bytes: pair(from.totals.bytes, to.totals.bytes),
                tokens: pair(from.totals.tokens, to.totals.tokens),
            },
        }
    }

    /// Whether nothing differs.
    pub fn is_empty(&self) -> bool {
        let LayerChanges { added, removed, moved, changed } = &self.layers;
        let layers = [added, removed, moved, changed].iter().all(|list| list.is_empty());
        let SkillChanges { added, removed, changed } = &self.skills;
        let skills = [added, removed, changed].iter().all(|list| list.is_empty());
        layers && skills && self.memory.is_none()
    }

    /// Texts and skills that are lost.
    pub fn losses(&self) -> usize {
        let LayerChanges { added, removed, moved, changed } = &self.layers;
        let cut = [added, moved, changed].into_iter().flatten().filter(|layer| layer.newly_cut);
        removed.len() + cut.count() + self.skills.removed.len()
    }

    /// Takes out what a folder above says as well.
    pub fn leave_out(&mut self, above: &Self) {
        let LayerChanges { added, removed, moved, changed } = &mut self.layers;
        added.retain(|layer| !above.layers.added.iter().any(|other| other.says(layer)));
        removed.retain(|layer| !above.layers.removed.iter().any(|other| other.says(layer)));
        moved.retain(|layer| !above.layers.moved.iter().any(|other| other.says(layer)));
        changed.retain(|layer| !above.layers.changed.iter().any(|other| other.says(layer)));
        let SkillChanges { added, removed, changed } = &mut self.skills;
        added.retain(|skill| !above.skills.added.contains(skill));
        removed.retain(|skill| !above.skills.removed.contains(skill));
        changed.retain(|skill| !above.skills.changed.contains(skill));
        if self.memory == above.memory {
            self.memory = None;
        }
    }
}

impl LayerChange {
    /// Whether it is the same difference, wherever it stands in the order.
    fn says(&self, other: &Self) -> bool {
        let position = other.position;
        Self { position, ..self.clone() } == *other
    }
}

fn compare_skills(root: &str, from: &SkillsDocument, to: &SkillsDocument) -> SkillChanges {
    let shown = |skill: &ListedSkillDocument, description: TextPair| SkillChange {
        name: skill.name.clone(),
        path: relative(root, &skill.file),
        description,
    };
    let same = |skill: &ListedSkillDocument, all: &SkillsDocument| {
        all.listed
            .iter()
            .find(|other| other.name == skill.name && other.file == skill.file)
            .or_else(|| all.listed.iter().find(|other| other.name == skill.name))
            .cloned()
    };
    let mut changes = SkillChanges::default();
    for skill in &to.listed {
        let (old, new) = (same(skill, from), skill.description.clone());
        match old {
            None => changes.added.push(shown(skill, TextPair { from: None, to: new })),
            Some(old) if old.description != new => {
                changes.changed.push(shown(skill, TextPair { from: old.description, to: new }));
            }
            Some(_) => {}
        }
    }
    for skill in from.listed.iter().filter(|skill| same(skill, to).is_none()) {
        let description = TextPair { from: skill.description.clone(), to: None };
        changes.removed.push(shown(skill, description));
    }
    changes
}

fn compare_memories(from: &MemoryDocument, to: &MemoryDocument) -> Option<MemoryChanged> {
    if from.content == to.content && from.cut.is_some() == to.cut.is_some() {
        return None;
    }
    let size = |memory: &MemoryDocument| memory.content.as_deref().map(Size::of);
    let (old, new) = (size(from), size(to));
    let bytes = Pair { from: old.map(|size| size.bytes), to: new.map(|size| size.bytes) };
    let lines = Pair { from: old.and_then(|size| size.lines), to: new.and_then(|size| size.lines) };
    Some(MemoryChanged { bytes, lines, newly_cut: from.cut.is_none() && to.cut.is_some() })
}

/// The path relative to the root with `/`, `.` for the root itself; as it is outside of it.
pub(crate) fn relative(root: &str, path: &str) -> String {
    let below = path.strip_prefix(root.trim_end_matches('/'));
    match below {
        Some("") => ".".to_owned(),
        Some(rest) if rest.starts_with('/') => rest.trim_start_matches('/').to_owned(),
        _ => path.to_owned(),
    }
}
