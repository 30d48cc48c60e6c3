//! The commands that put memories away, bring them back and change them.

use super::store::WriteArgs;
use super::{Output, Place, Release};

/// What every one of them takes.
#[derive(Debug, clap::Args)]
pub(crate) struct KeepOptions {
    #[command(flatten)]
    pub(crate) write: WriteArgs,

    #[command(flatten)]
    pub(crate) release: Release,

    #[command(flatten)]
    pub(crate) place: Place,

    #[command(flatten)]
    pub(crate) output: Output,
}

/// Put a memory away: out of the client's sight, with its reason, every other byte kept
///
/// A dry run unless `--write` is given; `restore` brings it back.
#[derive(Debug, clap::Args)]
pub(crate) struct ArchiveArgs {
    /// The id that `memport list` shows
    pub(crate) id: String,

    /// Why it no longer matters
    #[arg(long, allow_hyphen_values = true)]
    pub(crate) reason: String,

    /// The memory that says it now
    #[arg(long, value_name = "ID")]
    pub(crate) covered_by: Option<String>,

    #[command(flatten)]
    pub(crate) options: KeepOptions,
}

/// Bring back a memory that was put away
#[derive(Debug, clap::Args)]
pub(crate) struct RestoreArgs {
    /// The id that `memport list --kind archived` shows
    pub(crate) id: String,

    #[command(flatten)]
    pub(crate) options: KeepOptions,
}

/// Let one memory replace another: it says what held before, and the old one is put away
#[derive(Debug, clap::Args)]
pub(crate) struct SupersedeArgs {
    /// The id of the memory that no longer holds
    pub(crate) old: String,

    /// The id of the one that holds now
    pub(crate) new: String,

    #[command(flatten)]
    pub(crate) options: KeepOptions,
}

/// Say what happened to a memory, and why
#[derive(Debug, clap::Args)]
pub(crate) struct HistoryArgs {
    /// The id that `memport list` shows
    pub(crate) id: String,

    #[command(flatten)]
    pub(crate) release: Release,

    #[command(flatten)]
    pub(crate) place: Place,

    #[command(flatten)]
    pub(crate) output: Output,
}

/// Change a memory in `$VISUAL`, else `$EDITOR`; what was saved is the plan
#[derive(Debug, clap::Args)]
pub(crate) struct EditArgs {
    /// The id that `memport list` shows
    pub(crate) id: String,

    #[command(flatten)]
    pub(crate) options: KeepOptions,
}

/// Forget a memory: put it away with a reason, or remove it for good
#[derive(Debug, clap::Args)]
pub(crate) struct RmArgs {
    /// The id that `memport list` shows
    pub(crate) id: String,

    /// Why it is forgotten
    #[arg(long, allow_hyphen_values = true)]
    pub(crate) reason: String,

    /// Remove the file and its index lines; only `memport undo` brings them back
    #[arg(long)]
    pub(crate) purge: bool,

    #[command(flatten)]
    pub(crate) options: KeepOptions,
}
