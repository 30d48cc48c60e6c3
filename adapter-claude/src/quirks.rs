//! The client's odd behaviours, each named once.

use memory_core::Quirk;

const BOTH: &[&str] = &["2.1.332", "2.1.197"];
const NEW: &[&str] = &["2.1.332"];

/// Imports from outside the start folder vanish.
pub const EXTERNAL_IMPORT_DROPPED: Quirk = Quirk {
    id: "claude/external-import-dropped",
    summary: "An import that leads out of the start folder, not out of the repository, is dropped without a word unless it was approved; the approval is noted for the repository's root.",
    versions: BOTH,
    case: "b16-external-subdir",
};

/// Linked rules need the approval that imports need.
pub const LINKED_RULE_NEEDS_APPROVAL: Quirk = Quirk {
    id: "claude/linked-rule-needs-approval",
    summary: "A rule that is a link to outside the start folder is dropped like an external import, while a linked CLAUDE.md is not.",
    versions: NEW,
    case: "c01-rules-discovery",
};

/// A worktree inside its main checkout.
pub const WORKTREE_SKIPS_MAIN_CHECKOUT: Quirk = Quirk {
    id: "claude/worktree-skips-main-checkout",
    summary: "In a worktree inside its main checkout the main checkout's CLAUDE.md and rules are skipped, and its CLAUDE.local.md is not.",
    versions: BOTH,
    case: "a20-worktree-nested-untracked",
};

/// One CLAUDE.md turns off every AGENTS.md.
pub const ONE_CLAUDE_MD_BLOCKS_AGENTS_MD: Quirk = Quirk {
    id: "claude/one-claude-md-blocks-agents-md",
    summary: "A CLAUDE.md or CLAUDE.local.md anywhere above the start folder turns off every AGENTS.md.",
    versions: NEW,
    case: "a36-agents-md-root-claude",
};

/// A skill with paths waits.
pub const SKILL_WITH_PATHS_WAITS: Quirk = Quirk {
    id: "claude/skill-with-paths-waits",
    summary: "A skill with `paths` is not listed until a file that they match is touched.",
    versions: BOTH,
    case: "e13-nested-skill-dyn",
};

/// The person's skill wins over the project's.
pub const USER_SKILL_BEATS_PROJECT_SKILL: Quirk = Quirk {
    id: "claude/user-skill-beats-project-skill",
    summary: "Of two skills with one name the person's is listed and the project's is not, although a project's instructions come after the person's.",
    versions: NEW,
    case: "e06-conflict",
};
