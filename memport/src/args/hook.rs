//! The hook that takes conversations in when they end.

use clap::Subcommand;

use super::{ClientName, Output, Place, StoreArgs, WriteArgs};

#[derive(Debug, Subcommand)]
pub(crate) enum HookCommand {
    Install(InstallArgs),
    Run(RunHookArgs),
}

/// Let clients take a conversation in when it ends
///
/// Adds a `SessionEnd` hook to Claude Code's `settings.json` and to Codex's `hooks.json`,
/// and changes nothing else of them. A dry run unless `--write` is given; `memport undo`
/// takes it back.
#[derive(Debug, clap::Args)]
pub(crate) struct InstallArgs {
    /// The client; without it, each that has a home here
    pub(crate) agent: Option<ClientName>,

    #[command(flatten)]
    pub(crate) write: WriteArgs,

    #[command(flatten)]
    pub(crate) place: Place,

    #[command(flatten)]
    pub(crate) output: Output,
}

/// What the hook runs: takes in what is new in the background
///
/// Ends at once, and never with a failure.
#[derive(Debug, clap::Args)]
pub(crate) struct RunHookArgs {
    #[command(flatten)]
    pub(crate) store: StoreArgs,

    #[command(flatten)]
    pub(crate) place: Place,
}
