//! The commands that look into what clients keep, and change it.

use std::path::PathBuf;

use clap::{Subcommand, ValueEnum};
use memory_core::Digest;

use super::keep::{ArchiveArgs, EditArgs, HistoryArgs, RestoreArgs, RmArgs, SupersedeArgs};
use super::{ClientName, Output, Place, Release};

/// List what clients keep here, whether it loads or not
#[derive(Debug, clap::Args)]
pub(crate) struct ListArgs {
    /// The client; without it, all
    pub(crate) agent: Option<ClientName>,

    /// Only this kind of thing
    #[arg(long, value_enum)]
    pub(crate) kind: Option<ListKind>,

    #[command(flatten)]
    pub(crate) release: Release,

    #[command(flatten)]
    pub(crate) place: Place,

    #[command(flatten)]
    pub(crate) output: Output,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum ListKind {
    /// Something remembered
    Memory,
    /// A rule
    Rule,
    /// A skill
    Skill,
    /// An instruction file
    Instruction,
    /// The definition of a sub-agent or custom agent
    Agent,
    /// Anything that was put away
    Archived,
    /// Anything that waits to be approved
    Draft,
}

#[derive(Debug, Subcommand)]
pub(crate) enum MemoryCommand {
    Add(AddArgs),
    Archive(ArchiveArgs),
    Restore(RestoreArgs),
    Supersede(SupersedeArgs),
    History(HistoryArgs),
    Edit(EditArgs),
    Rm(RmArgs),
    Show(ShowArgs),
    Lookup(LookupArgs),
}

/// Remember a fact, in the way the client itself would keep it
///
/// Without a client, every client that has a memory here gets it. A dry run
/// unless `--write` is given.
#[derive(Debug, clap::Args)]
pub(crate) struct AddArgs {
    /// The client
    pub(crate) agent: Option<ClientName>,

    /// The fact, in one sentence or more
    #[arg(long, allow_hyphen_values = true)]
    pub(crate) fact: String,

    /// Why it is so
    #[arg(long, allow_hyphen_values = true)]
    pub(crate) why: Option<String>,

    /// Where it is known from
    #[arg(long, allow_hyphen_values = true)]
    pub(crate) source: Option<String>,

    /// What kind of memory it is, such as `user`, `feedback`, `project`, `reference`
    #[arg(long = "type", value_name = "TYPE")]
    pub(crate) kind: Option<String>,

    /// Add it even where it is remembered already
    #[arg(long)]
    pub(crate) yes: bool,

    #[command(flatten)]
    pub(crate) write: WriteArgs,

    #[command(flatten)]
    pub(crate) release: Release,

    #[command(flatten)]
    pub(crate) place: Place,

    #[command(flatten)]
    pub(crate) output: Output,
}

/// Show one memory, where it stands and what points to it
#[derive(Debug, clap::Args)]
pub(crate) struct ShowArgs {
    /// The id that `memport list` shows, or a path or name that only one memory has
    pub(crate) id: String,

    #[command(flatten)]
    pub(crate) release: Release,

    #[command(flatten)]
    pub(crate) place: Place,

    #[command(flatten)]
    pub(crate) output: Output,
}

/// Look something up in what clients remember
///
/// Upper and lower case, wide and narrow characters are the same; Japanese
/// needs no blanks.
#[derive(Debug, clap::Args)]
pub(crate) struct LookupArgs {
    /// What to look for
    pub(crate) query: String,

    /// The client; without it, all
    pub(crate) agent: Option<ClientName>,

    #[command(flatten)]
    pub(crate) release: Release,

    #[command(flatten)]
    pub(crate) place: Place,

    #[command(flatten)]
    pub(crate) output: Output,
}

/// Bring back what a run of memport changed, byte for byte
///
/// A dry run unless `--write` is given; refuses when something changed since.
#[derive(Debug, clap::Args)]
pub(crate) struct UndoArgs {
    /// The number of the run [default: the last one]
    pub(crate) run: Option<u64>,

    /// Do it, instead of only showing it
    #[arg(long)]
    pub(crate) write: bool,

    #[command(flatten)]
    pub(crate) options: RunArgs,

    #[command(flatten)]
    pub(crate) place: Place,

    #[command(flatten)]
    pub(crate) output: Output,
}

/// Let a project's memory follow its folder to another place
///
/// A dry run unless `--write` is given. The folder itself is moved by you, before.
#[derive(Debug, clap::Args)]
pub(crate) struct RelocateArgs {
    /// Where the project's folder was
    pub(crate) old: PathBuf,

    /// Where it is now
    pub(crate) new: PathBuf,

    #[command(flatten)]
    pub(crate) write: WriteArgs,

    #[command(flatten)]
    pub(crate) release: Release,

    #[command(flatten)]
    pub(crate) place: Place,

    #[command(flatten)]
    pub(crate) output: Output,
}

/// How a run goes about its writing.
#[derive(Clone, Debug, clap::Args)]
pub(crate) struct RunArgs {
    /// Only show what would be done, as without `--write`
    #[arg(long, conflicts_with = "write")]
    pub(crate) dry_run: bool,

    /// How long to wait for another run of memport to end
    #[arg(long, value_name = "SECONDS", default_value_t = 30)]
    pub(crate) lock_timeout: u64,
}

/// Whether to write.
#[derive(Clone, Debug, clap::Args)]
pub(crate) struct WriteArgs {
    /// Write, instead of only showing the plan
    #[arg(long)]
    pub(crate) write: bool,

    /// Refuse unless this is still the plan, as a dry run showed it
    #[arg(long, value_name = "DIGEST")]
    pub(crate) plan: Option<Digest>,

    #[command(flatten)]
    pub(crate) run: RunArgs,
}
