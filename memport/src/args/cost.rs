use super::{ClientName, Output, Place, Release};

/// Show what a start of each client costs, item by item
///
/// Numbers of tokens are estimates.
#[derive(Debug, clap::Args)]
pub(crate) struct CostArgs {
    /// The client; without it, all
    pub(crate) agent: Option<ClientName>,

    /// UTF-8 bytes of a token in instructions and skills
    #[arg(long, value_name = "NUMBER", default_value_t = 4.0)]
    pub(crate) bytes_per_token: f64,

    #[command(flatten)]
    pub(crate) release: Release,

    #[command(flatten)]
    pub(crate) place: Place,

    #[command(flatten)]
    pub(crate) output: Output,
}
