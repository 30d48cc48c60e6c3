use std::ffi::OsString;
use std::path::PathBuf;

use super::{ClientName, Output, Place, Release};

/// Show what a client would load if it were started here
///
/// Without a client, every client that has something here is shown.
#[derive(Debug, clap::Args)]
pub(crate) struct ExplainArgs {
    /// The client
    pub(crate) agent: Option<ClientName>,

    #[command(flatten)]
    pub(crate) release: Release,

    /// Then read this file with the client's Read tool; may be repeated
    #[arg(long, value_name = "FILE")]
    pub(crate) touch: Vec<PathBuf>,

    /// Then use the tools listed in this JSON file; `-` reads standard input
    ///
    /// A list of tool uses `{"tool":"Read","input":{"file_path":"/abs"}}`, or of
    /// lists of those, which happen in parallel.
    #[arg(long, value_name = "FILE")]
    pub(crate) steps: Option<PathBuf>,

    /// What the agent of this name is given when it is started from here
    #[arg(long = "agent", value_name = "NAME")]
    pub(crate) sub_agent: Option<String>,

    #[command(flatten)]
    pub(crate) place: Place,

    #[command(flatten)]
    pub(crate) output: Output,

    /// The client's own command line, taken as it is
    #[arg(last = true, value_name = "CLIENT ARGS")]
    pub(crate) client_args: Vec<OsString>,
}

#[cfg(test)]
mod tests {
    use clap::Parser as _;

    use super::*;
    use crate::args::{Args, Command, Format};

    fn explain(args: &[&str]) -> ExplainArgs {
        let args = ["memport", "explain"].iter().chain(args);
        match Args::try_parse_from(args).unwrap().command {
            Command::Explain(explain) => explain,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn what_follows_the_first_dashes_is_the_client_s_own() {
        let args = explain(&["codex", "--json", "--", "exec", "--cwd", "x", "--", "--json"]);
        assert_eq!(args.client_args, ["exec", "--cwd", "x", "--", "--json"]);
        assert_eq!((args.agent, args.output.format()), (Some(ClientName::Codex), Format::Json));
        assert!(args.place.cwd.is_none());
        assert_eq!(explain(&["--", "codex"]).agent, None);
    }

    #[test]
    fn variables_are_set_and_removed() {
        let args = explain(&["--env", "A=b=c", "--env", "A=", "--env", "A"]);
        let values: Vec<_> = args.place.env.iter().map(|env| env.value.as_deref()).collect();
        assert_eq!(values, [Some("b=c"), Some(""), None]);
        assert!(Args::try_parse_from(["memport", "explain", "--env", "=x"]).is_err());
    }
}
