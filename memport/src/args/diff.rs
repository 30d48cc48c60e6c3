use clap::ValueEnum;

use super::{Place, Release};

/// Show what a change does to what each client loads
///
/// Without a revision, `HEAD` is compared with the work tree; with one, that
/// revision with the work tree. Nothing is checked out.
#[derive(Debug, clap::Args)]
pub(crate) struct DiffArgs {
    /// `REV`, or two revisions as `A..B`
    #[arg(value_name = "REV[..REV]")]
    pub(crate) revisions: Option<String>,

    /// Answer as if the home and all that lies outside the repository were empty
    #[arg(long)]
    pub(crate) no_home: bool,

    /// End with 1 when a text stops being loaded, is newly cut, or a skill goes
    #[arg(long)]
    pub(crate) fail_on_loss: bool,

    #[command(flatten)]
    pub(crate) release: Release,

    #[command(flatten)]
    pub(crate) place: Place,

    /// How to print the answer
    #[arg(long, value_enum, default_value_t = DiffFormat::Text)]
    format: DiffFormat,

    /// Short for `--format json`
    #[arg(long, conflicts_with = "format")]
    json: bool,
}

/// How to print a comparison.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum DiffFormat {
    Text,
    Json,
    /// A comment for a review.
    Markdown,
}

impl DiffArgs {
    pub(crate) fn format(&self) -> DiffFormat {
        if self.json { DiffFormat::Json } else { self.format }
    }
}
