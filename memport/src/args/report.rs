use std::path::PathBuf;

use super::{ClientName, Place, Release};

/// Write one page that shows what each client loads, what is cut, and what is wrong
#[derive(Debug, clap::Args)]
pub(crate) struct ReportArgs {
    /// The client; without it, all
    pub(crate) agent: Option<ClientName>,

    /// The file to write
    #[arg(long, value_name = "FILE")]
    pub(crate) html: PathBuf,

    #[command(flatten)]
    pub(crate) release: Release,

    #[command(flatten)]
    pub(crate) place: Place,
}
