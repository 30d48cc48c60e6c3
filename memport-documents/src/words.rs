//! The closed sets of words: an enum each, with the word that JSON and text share.

use std::fmt;

use memory_core::port::{Changed, LossKind};
use memory_core::store::{ItemKind, ItemStatus};
use memory_core::{LayerKind, Limit};
use schemars::JsonSchema;
use serde::Serialize;

/// Declares an enum whose variants are written as one word each.
macro_rules! words {
    ($($(#[$about:meta])* $name:ident { $($(#[$meaning:meta])* $variant:ident = $word:literal,)* })*) => { $(
        $(#[$about])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, JsonSchema)]
        pub enum $name {
            $($(#[$meaning])* #[serde(rename = $word)] $variant,)*
        }

        impl $name {
            /// All of them, in their order.
            pub const ALL: &'static [Self] = &[$(Self::$variant),*];

            /// The word, as JSON and text have it.
            pub fn as_str(self) -> &'static str {
                match self {
                    $(Self::$variant => $word,)*
                }
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.pad(self.as_str())
            }
        }
    )* };
}

words! {
    /// A client that a document speaks of.
    Agent {
        /// Codex.
        Codex = "codex",
        /// Claude Code.
        ClaudeCode = "claude-code",
    }

    /// What kind of text an instruction item is.
    Kind {
        /// A file of instructions.
        Instructions = "instructions",
        /// A rule, bound to paths or not.
        Rule = "rule",
        /// A file that another one imports.
        Import = "import",
        /// An AGENTS.md read by a client whose own files have another name.
        AgentsMd = "agents-md",
        /// Text that stands in a managed setting.
        ManagedText = "managed-text",
        /// Text that takes the place of the client's own first instructions.
        BaseText = "base-text",
        /// Text of a setting that the model gets as instructions of its own.
        DeveloperText = "developer-text",
        /// The definition of a sub-agent.
        Agent = "agent",
        /// Text that this release has no word for.
        Other = "other",
    }

    /// Where a piece belongs.
    Scope {
        /// It comes with the client.
        Builtin = "builtin",
        /// Set by the organisation or the machine.
        Managed = "managed",
        /// The person's own, for all projects.
        User = "user",
        /// Checked in with the project.
        Project = "project",
        /// The person's own, for this project.
        Local = "local",
        /// A folder below the one the client was started in.
        Directory = "directory",
        /// Given for this session only.
        Session = "session",
    }

    /// Where a skill belongs.
    SkillScope {
        /// It comes with the client.
        System = "system",
        /// Set by the organisation or the machine.
        Managed = "managed",
        /// The person's own, for all projects.
        User = "user",
        /// Checked in with the project.
        Project = "project",
        /// The person's own, for this project.
        Local = "local",
        /// A folder below the one the client was started in.
        Directory = "directory",
        /// Given for this session only.
        Session = "session",
    }

    /// A part of a file that the client does not give to the model.
    TakenOut {
        /// The frontmatter.
        Frontmatter = "frontmatter",
        /// Comments.
        Comments = "comments",
    }

    /// How much a diagnostic matters; the order is that of its weight, lightest first.
    Severity {
        /// Something to know.
        Hint = "hint",
        /// Something is lost or surprising.
        Warning = "warning",
        /// The client does not start, or loads nothing.
        Error = "error",
    }

    /// What a limit counts.
    Unit {
        /// UTF-8 bytes.
        Bytes = "bytes",
        /// UTF-16 code units.
        Utf16 = "utf16",
        /// Unicode scalar values.
        Chars = "chars",
        /// Lines.
        Lines = "lines",
        /// Tokens, counted as the client counts them.
        Tokens = "tokens",
        /// Columns on a screen: a wide character takes two.
        Columns = "columns",
        /// Something that this release has no word for.
        Other = "other",
    }

    /// What something is that a client keeps.
    EntryKind {
        /// Something remembered.
        Memory = "memory",
        /// A rule.
        Rule = "rule",
        /// A skill.
        Skill = "skill",
        /// An instruction file.
        Instruction = "instruction",
        /// The definition of a sub-agent.
        Agent = "agent",
    }

    /// Whether something that a client keeps is in use.
    Status {
        /// It is in use.
        Active = "active",
        /// It was put away with a reason.
        Archived = "archived",
        /// It waits for somebody to approve it.
        Draft = "draft",
    }

    /// Which of a client's memory trees is read.
    TreeVersion {
        /// The first one.
        V1 = "v1",
        /// The second one.
        V2 = "v2",
    }

    /// What a change does to its path.
    Op {
        /// A new file.
        Create = "create",
        /// New bytes for a file.
        Replace = "replace",
        /// A file goes.
        Remove = "remove",
        /// A file or folder goes to another place.
        Move = "move",
        /// A new link.
        Link = "link",
        /// A link goes.
        Unlink = "unlink",
    }

    /// What became of a piece that does not survive a port as it was.
    How {
        /// It is gone.
        Dropped = "dropped",
        /// Its structure is gone, its text is there.
        Flattened = "flattened",
        /// It has another name.
        Renamed = "renamed",
        /// A part of its text is gone.
        Truncated = "truncated",
        /// It applies in more places than before.
        ScopeWidened = "scope-widened",
        /// It applies in fewer places than before.
        ScopeNarrowed = "scope-narrowed",
        /// It says nearly the same.
        Approximated = "approximated",
        /// The target only asks for it; the source enforced it.
        NotEnforced = "not-enforced",
    }

    /// Who changed a piece since it was carried.
    ChangedBy {
        /// It was changed where it was carried from.
        Origin = "origin",
        /// It was changed where it was carried to.
        Copy = "copy",
        /// It was changed in both places.
        Both = "both",
        /// It is gone where it was carried from.
        OriginGone = "origin-gone",
        /// It is gone where it was carried to.
        CopyGone = "copy-gone",
    }
}

impl Agent {
    /// The name, as people say it.
    pub fn title(self) -> &'static str {
        match self {
            Self::Codex => "Codex",
            Self::ClaudeCode => "Claude Code",
        }
    }

    /// The client that wrote a transcript.
    pub fn of_transcript(agent: memory_recall::Agent) -> Self {
        match agent {
            memory_recall::Agent::Codex => Self::Codex,
            memory_recall::Agent::ClaudeCode => Self::ClaudeCode,
        }
    }
}

impl Kind {
    pub(crate) fn of(kind: LayerKind) -> Self {
        match kind {
            LayerKind::Instructions => Self::Instructions,
            LayerKind::Rule => Self::Rule,
            LayerKind::Import => Self::Import,
            LayerKind::AgentsMd => Self::AgentsMd,
            LayerKind::ManagedText => Self::ManagedText,
            LayerKind::BaseText => Self::BaseText,
            LayerKind::DeveloperText => Self::DeveloperText,
            LayerKind::Agent => Self::Agent,
            _ => Self::Other,
        }
    }
}

impl Scope {
    pub(crate) fn of(scope: memory_core::Scope) -> Self {
        match scope {
            memory_core::Scope::Builtin => Self::Builtin,
            memory_core::Scope::Managed => Self::Managed,
            memory_core::Scope::User => Self::User,
            memory_core::Scope::Project => Self::Project,
            memory_core::Scope::Local => Self::Local,
            memory_core::Scope::Directory => Self::Directory,
            memory_core::Scope::Session => Self::Session,
        }
    }
}

impl SkillScope {
    pub(crate) fn of(scope: memory_core::Scope) -> Self {
        match scope {
            memory_core::Scope::Builtin => Self::System,
            memory_core::Scope::Managed => Self::Managed,
            memory_core::Scope::User => Self::User,
            memory_core::Scope::Project => Self::Project,
            memory_core::Scope::Local => Self::Local,
            memory_core::Scope::Directory => Self::Directory,
            memory_core::Scope::Session => Self::Session,
        }
    }
}

impl Severity {
    /// The word for a severity.
    pub fn of(severity: memory_core::Severity) -> Self {
        match severity {
            memory_core::Severity::Hint => Self::Hint,
            memory_core::Severity::Warning => Self::Warning,
            memory_core::Severity::Error => Self::Error,
        }
    }
}

impl TakenOut {
    /// `None` for what this release has no word for.
    pub(crate) fn of(part: memory_core::TakenOut) -> Option<Self> {
        match part {
            memory_core::TakenOut::Frontmatter => Some(Self::Frontmatter),
            memory_core::TakenOut::Comments => Some(Self::Comments),
            _ => None,
        }
    }
}

impl Unit {
    pub(crate) fn of(limit: Limit) -> Self {
        match limit {
            Limit::Bytes(_) => Self::Bytes,
            Limit::Utf16(_) => Self::Utf16,
            Limit::Lines(_) => Self::Lines,
            Limit::Tokens(_) => Self::Tokens,
            Limit::Columns(_) => Self::Columns,
            _ => Self::Other,
        }
    }
}

impl EntryKind {
    pub(crate) fn of(kind: ItemKind) -> Self {
        match kind {
            ItemKind::Memory => Self::Memory,
            ItemKind::Rule => Self::Rule,
            ItemKind::Skill => Self::Skill,
            ItemKind::Instruction => Self::Instruction,
            ItemKind::Agent => Self::Agent,
        }
    }
}

impl Status {
    pub(crate) fn of(status: ItemStatus) -> Self {
        match status {
            ItemStatus::Active => Self::Active,
            ItemStatus::Archived => Self::Archived,
            ItemStatus::Draft => Self::Draft,
        }
    }
}

impl How {
    /// What became of it, without the details. A loss that this release has no
    /// word for counts as the worst.
    pub fn of(kind: &LossKind) -> Self {
        match kind {
            LossKind::Flattened => Self::Flattened,
            LossKind::Renamed { .. } => Self::Renamed,
            LossKind::Truncated => Self::Truncated,
            LossKind::ScopeWidened => Self::ScopeWidened,
            LossKind::ScopeNarrowed => Self::ScopeNarrowed,
            LossKind::Approximated => Self::Approximated,
            LossKind::NotEnforced => Self::NotEnforced,
            _ => Self::Dropped,
        }
    }
}

impl ChangedBy {
    pub(crate) fn of(changed: Changed) -> Self {
        match changed {
            Changed::Origin => Self::Origin,
            Changed::Copy => Self::Copy,
            Changed::Both => Self::Both,
            Changed::OriginGone => Self::OriginGone,
            Changed::CopyGone => Self::CopyGone,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn json_and_text_have_the_same_words() {
        fn check<T: Serialize + fmt::Display>(all: &[T]) {
            for one in all {
                assert_eq!(serde_json::to_value(one).unwrap(), one.to_string());
            }
        }
        check(Agent::ALL);
        check(Kind::ALL);
        check(Unit::ALL);
        check(Op::ALL);
        check(How::ALL);
        check(ChangedBy::ALL);
    }

    #[test]
    fn the_words_of_a_loss_are_its_codes() {
        let kinds = [LossKind::Dropped, LossKind::ScopeWidened, LossKind::NotEnforced];
        for kind in kinds {
            assert_eq!(How::of(&kind).as_str(), kind.as_str());
        }
    }
}
