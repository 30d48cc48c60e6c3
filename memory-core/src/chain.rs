//! What a client loads, in order, and what it leaves out.

use std::fmt;
use std::sync::Arc;

use crate::{AbsPath, Budget, Diagnostic, IoError, IoErrorKind, Limit, Measure, Probes, Quirk};

/// Which client an answer is about: `codex`, `claude-code`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ClientId(pub &'static str);

impl fmt::Display for ClientId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0)
    }
}

/// Where a piece belongs; the order is that of precedence, weakest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Scope {
    /// Comes with the client.
    Builtin,
    /// Set by the organisation or the machine.
    Managed,
    /// The person's own, for all projects.
    User,
    /// Checked in with the project.
    Project,
    /// The person's own, for this project.
    Local,
    /// A folder below the one the client was started in.
    Directory,
    /// Given for this session only.
    Session,
}

impl Scope {
    /// The word for it: `user`, `project`, …
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Builtin => "builtin",
            Self::Managed => "managed",
            Self::User => "user",
            Self::Project => "project",
            Self::Local => "local",
            Self::Directory => "directory",
            Self::Session => "session",
        }
    }
}

/// What kind of text a layer is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum LayerKind {
    /// A file of instructions.
    Instructions,
    /// A rule, bound to paths or not.
    Rule,
    /// A file that another one imports.
    Import,
    /// An AGENTS.md read by a client whose own files have another name.
    AgentsMd,
    /// Text that stands in a managed setting.
    ManagedText,
}

impl LayerKind {
    /// The word for it: `instructions`, `rule`, …
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Instructions => "instructions",
            Self::Rule => "rule",
            Self::Import => "import",
            Self::AgentsMd => "agents-md",
            Self::ManagedText => "managed-text",
        }
    }
}

/// How a client came to look at a file.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Via {
    /// It looks there by itself.
    Discovered,
    /// Another file imports it.
    Imported {
        /// The importing file.
        from: AbsPath,
        /// The line of the import, counted from 1.
        line: u32,
    },
    /// Its name is one of those that stand in for the usual one.
    Fallback,
    /// A tool touched a file beside or below it.
    Nested {
        /// The touched file.
        touched: AbsPath,
    },
    /// A setting holds or names it.
    Setting,
}

/// Where a layer comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Provenance {
    /// The client that loads it.
    pub client: ClientId,
    /// Where it belongs.
    pub scope: Scope,
    /// The file, as the client names it; `None` for text that stands in no file.
    pub path: Option<AbsPath>,
    /// How the client came to look at it.
    pub via: Via,
}

/// One piece that a client looked at, with what became of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Layer {
    /// What kind of text it is.
    pub kind: LayerKind,
    /// Where it comes from.
    pub provenance: Provenance,
    /// What became of it.
    pub outcome: Outcome,
}

/// What became of a piece that a client looked at.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// The model gets it.
    Loaded(Loaded),
    /// The model does not get it.
    Omitted {
        /// Why.
        reason: Omission,
        /// The named oddity behind it, where there is one.
        quirk: Option<&'static Quirk>,
    },
}

/// What the model gets of a piece.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Loaded {
    /// The text, exactly as the model gets it.
    pub text: Arc<str>,
    /// The client's own heading for it, where it prints one.
    pub label: Option<String>,
    /// Its size on disk.
    pub size: FileSize,
    /// What was cut off, or `None` when it is whole.
    pub cut: Option<Cut>,
}

/// The size of a file on disk.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct FileSize {
    /// Bytes.
    pub bytes: u64,
    /// The other units, or `None` for a file too large to be read for counting.
    pub text: Option<Measure>,
}

/// Where a text was cut.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cut {
    /// The limit that caused it.
    pub limit: Limit,
    /// Bytes of the file that were kept.
    pub at_byte: u64,
    /// The line in which the cut lies, counted from 1.
    pub at_line: u64,
    /// Bytes of the file that were lost.
    pub lost_bytes: u64,
}

/// Why a piece is left out.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Omission {
    /// Another file of the same folder stands in front of it.
    Shadowed {
        /// That file.
        by: AbsPath,
    },
    /// It holds nothing but white space.
    Blank,
    /// It hides another file although it holds nothing itself.
    BlankHides {
        /// The hidden files.
        hidden: Vec<AbsPath>,
    },
    /// Earlier files used the whole budget.
    OverBudget {
        /// The limit.
        limit: Limit,
        /// What would have been needed in all, in the limit's unit.
        wanted: u64,
    },
    /// A folder, a pipe, a socket or a device.
    NotAFile,
    /// A link that leads nowhere.
    BrokenLink,
    /// The system refuses to give it.
    Unreadable(IoError),
    /// Larger than this library reads; the client would read it.
    TooLarge {
        /// The library's own limit in bytes.
        limit: u64,
    },
    /// It was fine, but one unreadable file made the client drop all of them.
    ChainLost {
        /// The unreadable file.
        because: AbsPath,
    },
    /// The project is not trusted.
    Untrusted {
        /// Which entry says so.
        setting: String,
    },
    /// A setting excludes it.
    Excluded {
        /// The pattern or entry.
        by: String,
    },
    /// A setting or variable turns it off.
    Disabled {
        /// Which one.
        setting: String,
    },
    /// The same file was loaded before.
    Duplicate {
        /// The path under which it was loaded.
        of: AbsPath,
    },
    /// The imported file is not there.
    ImportMissing,
    /// The imported file lies outside, and nobody approved that.
    ImportExternal {
        /// What would approve it.
        approve: String,
    },
    /// Too many imports in a row.
    ImportTooDeep {
        /// How many are followed.
        limit: u8,
    },
    /// It is being imported already.
    ImportCycle,
    /// The client imports no file with this extension.
    ImportExtension,
    /// None of its patterns matches a file that was touched.
    PathsDoNotMatch(Vec<String>),
    /// It loads when a file beside or below it is touched.
    NotTouchedYet,
    /// It lies outside the folder the client was started in.
    OutsideCwd,
    /// The main checkout's file is skipped in a worktree.
    WorktreeMainCheckout,
    /// Another kind of file turns this kind off.
    AgentsMdBlocked {
        /// The file that does so.
        by: AbsPath,
    },
    /// Its frontmatter cannot be read, and it is dropped for that.
    FrontmatterInvalid {
        /// What is wrong.
        why: String,
    },
    /// Its name is longer than the client allows.
    NameTooLong {
        /// Length in characters.
        chars: u64,
        /// The limit in characters.
        limit: u64,
    },
    /// It is there but the model is not told of it.
    NotListed {
        /// Why.
        why: String,
    },
}

impl Omission {
    /// The stable name of the reason.
    pub fn code(&self) -> &'static str {
        match self {
            Self::Shadowed { .. } => "shadowed",
            Self::Blank | Self::BlankHides { .. } => "blank",
            Self::OverBudget { .. } => "over-budget",
            Self::NotAFile => "not-a-file",
            Self::BrokenLink => "broken-link",
            Self::Unreadable(_) => "unreadable",
            Self::TooLarge { .. } => "too-large",
            Self::ChainLost { .. } => "chain-lost",
            Self::Untrusted { .. } => "untrusted",
            Self::Excluded { .. } => "excluded",
            Self::Disabled { .. } => "disabled",
            Self::Duplicate { .. } => "duplicate",
            Self::ImportMissing => "import-missing",
            Self::ImportExternal { .. } => "import-external",
            Self::ImportTooDeep { .. } => "import-too-deep",
            Self::ImportCycle => "import-cycle",
            Self::ImportExtension => "import-extension",
            Self::PathsDoNotMatch(_) => "paths-do-not-match",
            Self::NotTouchedYet => "not-touched-yet",
            Self::OutsideCwd => "outside-cwd",
            Self::WorktreeMainCheckout => "worktree-main-checkout",
            Self::AgentsMdBlocked { .. } => "agents-md-blocked",
            Self::FrontmatterInvalid { .. } => "frontmatter-invalid",
            Self::NameTooLong { .. } => "name-too-long",
            Self::NotListed { .. } => "not-listed",
        }
    }

    /// The file that is to blame, where it is another one.
    pub fn by(&self) -> Option<&AbsPath> {
        match self {
            Self::Shadowed { by } | Self::AgentsMdBlocked { by } => Some(by),
            Self::ChainLost { because } => Some(because),
            Self::Duplicate { of } => Some(of),
            _ => None,
        }
    }
}

impl fmt::Display for Omission {
    /// Writes the reason as one sentence without a full stop.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Shadowed { by } => {
                let name = by.file_name().unwrap_or("another file");
                write!(f, "`{name}` in the same folder is read instead")
            }
            Self::Blank => f.write_str("it holds nothing but white space"),
            Self::BlankHides { hidden } => {
                let names: Vec<_> = hidden.iter().filter_map(AbsPath::file_name).collect();
                write!(f, "it holds nothing, and still hides `{}` beside it", names.join("`, `"))
            }
            Self::OverBudget { limit, wanted } => {
                write!(
                    f,
                    "what comes before it used the budget of {limit}; all together need {wanted}"
                )
            }
            Self::NotAFile => f.write_str("it is not a regular file"),
            Self::BrokenLink => f.write_str("it is a link that leads nowhere"),
            Self::Unreadable(error) if error.kind == IoErrorKind::Loop => {
                f.write_str("its links go round in a circle")
            }
            Self::Unreadable(error) => write!(f, "it cannot be read: {error}"),
            Self::TooLarge { limit } => {
                write!(
                    f,
                    "it is larger than the {limit} bytes that are read here; the client would load it"
                )
            }
            Self::ChainLost { because } => {
                write!(f, "one file that cannot be read drops all project files: `{because}`")
            }
            Self::Untrusted { setting } => write!(f, "the project is not trusted: {setting}"),
            Self::Excluded { by } => write!(f, "{by} excludes it"),
            Self::Disabled { setting } => write!(f, "{setting} turns it off"),
            Self::Duplicate { of } => write!(f, "the same file is loaded already as `{of}`"),
            Self::ImportMissing => f.write_str("the imported file is not there"),
            Self::ImportExternal { approve } => {
                write!(f, "it lies outside the start folder; {approve} would allow it")
            }
            Self::ImportTooDeep { limit } => {
                write!(f, "imports are followed {limit} times, not further")
            }
            Self::ImportCycle => f.write_str("it is being imported already"),
            Self::ImportExtension => f.write_str("files with this extension are not imported"),
            Self::PathsDoNotMatch(patterns) => {
                write!(f, "no touched file matches `{}`", patterns.join("`, `"))
            }
            Self::NotTouchedYet => f.write_str("it loads when a file in its folder is touched"),
            Self::OutsideCwd => f.write_str("it lies outside the start folder"),
            Self::WorktreeMainCheckout => {
                f.write_str("it belongs to the main checkout, which a worktree inside it skips")
            }
            Self::AgentsMdBlocked { by } => write!(f, "`{by}` turns it off"),
            Self::FrontmatterInvalid { why } => write!(f, "its frontmatter cannot be read: {why}"),
            Self::NameTooLong { chars, limit } => {
                write!(f, "its name has {chars} characters, at most {limit} are allowed")
            }
            Self::NotListed { why } => f.write_str(why),
        }
    }
}

/// Everything a client looked at for instructions, with what became of it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct InstructionChain {
    /// The pieces in the order in which the model sees them; what is left out
    /// stands where it would have been.
    pub layers: Vec<Layer>,
    /// The limit that the client puts on the loaded pieces, where it has one.
    pub budget: Option<Budget>,
    /// What the answer depends on.
    pub probes: Probes,
    /// What is worth telling.
    pub diagnostics: Vec<Diagnostic>,
}

impl InstructionChain {
    /// The pieces that the model gets, in order.
    pub fn loaded(&self) -> impl Iterator<Item = (&Layer, &Loaded)> {
        self.layers.iter().filter_map(|layer| match &layer.outcome {
            Outcome::Loaded(loaded) => Some((layer, loaded)),
            Outcome::Omitted { .. } => None,
        })
    }

    /// The pieces that were looked at and are left out, with the reason.
    pub fn omitted(&self) -> impl Iterator<Item = (&Layer, &Omission, Option<&'static Quirk>)> {
        self.layers.iter().filter_map(|layer| match &layer.outcome {
            Outcome::Omitted { reason, quirk } => Some((layer, reason, *quirk)),
            Outcome::Loaded(_) => None,
        })
    }

    /// What became of one file.
    pub fn why(&self, path: &AbsPath) -> Why<'_> {
        match self.layers.iter().find(|layer| layer.provenance.path.as_ref() == Some(path)) {
            Some(layer) => match &layer.outcome {
                Outcome::Loaded(loaded) => Why::Loaded(loaded),
                Outcome::Omitted { reason, .. } => Why::Omitted(reason),
            },
            None if self.probes.missing.contains(path) => Why::Missing,
            None => Why::NeverLookedAt,
        }
    }
}

/// What became of one file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Why<'a> {
    /// The model gets it.
    Loaded(&'a Loaded),
    /// It is left out.
    Omitted(&'a Omission),
    /// The client looked for it and it was not there.
    Missing,
    /// The client does not look there.
    NeverLookedAt,
}
