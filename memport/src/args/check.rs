//! The command that says what is wrong.

use std::path::PathBuf;

use clap::ValueEnum;

use super::{ClientName, Place, Release, RunArgs};
use crate::check::Level;

/// Say what is wrong with what agents remember and are told
///
/// Everything that `explain` warns of for both clients, what is wrong with
/// their stores, and what reading the texts finds: entries that are out of date
/// the next day, secrets, holes, what is said twice, contradicted or replaced.
/// Ends with 1 when a finding is at or above `--fail-on`.
#[derive(Debug, clap::Args)]
#[expect(clippy::struct_excessive_bools, reason = "each is a switch of the command line")]
pub(crate) struct CheckArgs {
    /// The client (without it, all), then files and folders to which the answer is narrowed
    #[arg(value_name = "AGENT|PATH")]
    pub(crate) paths: Vec<PathBuf>,

    /// Every folder of the repository that has something
    #[arg(long)]
    pub(crate) all_directories: bool,

    /// As if the home and the machine-wide places were empty: the same answer on every machine
    #[arg(long, conflicts_with = "home")]
    pub(crate) no_home: bool,

    /// The least severity that ends with 1 [default: warning]
    #[arg(long, value_name = "LEVEL")]
    pub(crate) fail_on: Option<Level>,

    /// Leave out what this file holds
    #[arg(long, value_name = "FILE")]
    pub(crate) baseline: Option<PathBuf>,

    /// Write what is found now to this file
    #[arg(long, value_name = "FILE", conflicts_with = "baseline")]
    pub(crate) write_baseline: Option<PathBuf>,

    /// Plan the safe fixes; with `--write`, make them
    #[arg(long)]
    pub(crate) fix: bool,

    /// Make the fixes
    #[arg(long, requires = "fix")]
    pub(crate) write: bool,

    /// The configuration [default: memport.toml at the root]
    #[arg(long, value_name = "FILE")]
    pub(crate) config: Option<PathBuf>,

    /// Judge entries from standard input, a JSON line `{"id","kind":"line|file","text"}` each
    #[arg(long, conflicts_with_all = ["stdin_pairs", "fix", "baseline", "write_baseline"])]
    pub(crate) stdin_lines: bool,

    /// Judge pairs from standard input, a JSON line `{"id","a","b"}` each
    #[arg(long, conflicts_with_all = ["fix", "baseline", "write_baseline"])]
    pub(crate) stdin_pairs: bool,

    /// How to print the answer
    #[arg(long, value_enum, default_value_t = CheckFormat::Text)]
    format: CheckFormat,

    /// Short for `--format json`
    #[arg(long, conflicts_with = "format")]
    json: bool,

    #[command(flatten)]
    pub(crate) run: RunArgs,

    #[command(flatten)]
    pub(crate) release: Release,

    #[command(flatten)]
    pub(crate) place: Place,
}

impl CheckArgs {
    pub(crate) fn format(&self) -> CheckFormat {
        if self.json { CheckFormat::Json } else { self.format }
    }

    /// The client that is named first, and the paths.
    pub(crate) fn client_and_paths(&self) -> (Option<ClientName>, &[PathBuf]) {
        if let [first, paths @ ..] = self.paths.as_slice()
            && let Some(client) =
                first.to_str().and_then(|name| ClientName::from_str(name, false).ok())
        {
            return (Some(client), paths);
        }
        (None, &self.paths)
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum CheckFormat {
    /// For people
    Text,
    /// The document
    Json,
    /// SARIF 2.1.0
    Sarif,
    /// Annotations of GitHub
    Github,
}
