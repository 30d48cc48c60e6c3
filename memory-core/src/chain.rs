//! What a client loads, in order, and what it leaves out.

use std::sync::Arc;

use crate::budget::{Budget, Limit, Measure};
use crate::client::{Client, ClientId, Quirk};
use crate::error::Error;
use crate::fs::Probes;
use crate::omission::Omission;
use crate::path::AbsPath;
use crate::report::Diagnostic;
use crate::world::World;

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
    /// Text that takes the place of the client's own first instructions.
    BaseText,
    /// Text of a setting that the model gets as instructions of its own.
    DeveloperText,
    /// The definition of a sub-agent.
    Agent,
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
            Self::BaseText => "base-text",
            Self::DeveloperText => "developer-text",
            Self::Agent => "agent",
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
    Setting {
        /// The key.
        key: &'static str,
        /// The file in which the setting stands; `None` for the command line.
        from: Option<AbsPath>,
    },
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
    /// What the client takes out of the file before it gives the text; blank
    /// ends that it trims are not among it.
    pub taken_out: Vec<TakenOut>,
}

/// A part of a file that the client reads itself and does not give to the model.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum TakenOut {
    /// The frontmatter.
    Frontmatter,
    /// Comments.
    Comments,
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

/// Resolves what a client loads as instructions.
pub trait ResolveInstructions: Client {
    /// What has to be known beside the world: a folder, arguments.
    type Query;

    /// Resolves the chain.
    ///
    /// Errors only when there is no useful answer: a folder that is not there,
    /// a home that is not known.
    fn resolve(&self, world: World<'_>, query: &Self::Query) -> Result<InstructionChain, Error>;
}
