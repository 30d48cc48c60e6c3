//! The commands for skills that agents wrote themselves.

use std::path::PathBuf;

use clap::Subcommand;

use super::keep::KeepOptions;
use super::{ClientName, Output, Place, Release};

#[derive(Debug, Subcommand)]
pub(crate) enum SkillCommand {
    Draft(DraftArgs),
    Drafts(DraftsArgs),
    Approve(ApproveArgs),
    Reject(RejectArgs),
}

/// Take in a folder with a SKILL.md as a draft, which no client sees
#[derive(Debug, clap::Args)]
pub(crate) struct DraftArgs {
    /// The folder
    pub(crate) dir: PathBuf,

    #[command(flatten)]
    pub(crate) options: KeepOptions,
}

/// List the drafts, as `memport list --kind draft`
#[derive(Debug, clap::Args)]
pub(crate) struct DraftsArgs {
    #[command(flatten)]
    pub(crate) release: Release,

    #[command(flatten)]
    pub(crate) place: Place,

    #[command(flatten)]
    pub(crate) output: Output,
}

/// Put a draft among the project's skills of a client
///
/// A dry run unless `--write` is given; a taken name is refused.
#[derive(Debug, clap::Args)]
pub(crate) struct ApproveArgs {
    /// The id that `memport skill drafts` shows
    pub(crate) id: String,

    /// The client that gets it
    pub(crate) agent: ClientName,

    /// Among the person's own skills, for all projects
    #[arg(long)]
    pub(crate) user: bool,

    #[command(flatten)]
    pub(crate) options: KeepOptions,
}

/// Put a draft aside, with a reason
#[derive(Debug, clap::Args)]
pub(crate) struct RejectArgs {
    /// The id that `memport skill drafts` shows
    pub(crate) id: String,

    /// Why
    #[arg(long, allow_hyphen_values = true)]
    pub(crate) reason: String,

    #[command(flatten)]
    pub(crate) options: KeepOptions,
}
