//! The command line.

use std::ffi::{OsStr, OsString};
use std::path::PathBuf;

use clap::builder::{OsStringValueParser, TypedValueParser as _};
use clap::{Parser, Subcommand, ValueEnum};
use clap_complete::Shell;
use memory_core::name_from_bytes;

/// Shows exactly what coding agents load, and why
#[derive(Debug, Parser)]
#[command(name = "memport", version, arg_required_else_help = true)]
pub(crate) struct Args {
    #[command(subcommand)]
    pub(crate) command: Command,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    Explain(ExplainArgs),
    /// Print the JSON schema of what a command prints
    Schema {
        /// The command
        command: Document,
    },
    /// Print a completion script
    Completions {
        /// The shell
        shell: Shell,
    },
    /// Print the manual page
    Man {
        /// The command whose page is wanted; without it, the page of memport
        command: Option<String>,
    },
}

/// Show what a client would load if it were started here
///
/// Without a client, every client that has something here is shown.
#[derive(Debug, clap::Args)]
pub(crate) struct ExplainArgs {
    /// The client
    pub(crate) agent: Option<Agent>,

    /// The release of the client, such as `codex@0.171.0` [default: the newest known]
    #[arg(long, value_name = "NAME")]
    pub(crate) profile: Option<String>,

    /// Then read this file with the client's Read tool; may be repeated
    #[arg(long, value_name = "FILE")]
    pub(crate) touch: Vec<PathBuf>,

    /// Then use the tools listed in this JSON file; `-` reads standard input
    ///
    /// A list of tool uses `{"tool":"Read","input":{"file_path":"/abs"}}`, or of
    /// lists of those, which happen in parallel.
    #[arg(long, value_name = "FILE")]
    pub(crate) steps: Option<PathBuf>,

    #[command(flatten)]
    pub(crate) place: Place,

    #[command(flatten)]
    pub(crate) output: Output,

    /// The client's own command line, taken as it is
    #[arg(last = true, value_name = "CLIENT ARGS")]
    pub(crate) client_args: Vec<OsString>,
}

/// Where a client would be started.
#[derive(Debug, clap::Args)]
pub(crate) struct Place {
    /// Start in this folder, as after `cd DIR`: links are resolved, other relative paths start here
    #[arg(long, value_name = "DIR")]
    pub(crate) cwd: Option<PathBuf>,

    /// The home directory, for the client too [default: $HOME]
    #[arg(long, value_name = "DIR")]
    pub(crate) home: Option<PathBuf>,

    /// Set a variable of the client's environment, or remove it (`--env KEY`); may be repeated
    #[arg(long, value_name = "KEY[=VALUE]", value_parser = OsStringValueParser::new().try_map(|text| EnvChange::parse(&text)))]
    pub(crate) env: Vec<EnvChange>,
}

/// How to print the answer.
#[derive(Debug, clap::Args)]
pub(crate) struct Output {
    /// How to print the answer
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,

    /// Short for `--format json`
    #[arg(long)]
    json: bool,
}

impl Output {
    pub(crate) fn format(&self) -> Format {
        if self.json { Format::Json } else { self.format }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    Text,
    Json,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Agent {
    Codex,
    #[value(alias = "claude-code")]
    Claude,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Document {
    Explain,
}

/// A change of one environment variable.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct EnvChange {
    pub(crate) key: String,
    /// The new value, or `None` to remove the variable.
    pub(crate) value: Option<String>,
}

impl EnvChange {
    fn parse(text: &OsStr) -> Result<Self, &'static str> {
        let text = name_from_bytes(text.as_encoded_bytes());
        let (key, value) = match text.split_once('=') {
            Some((key, value)) => (key.to_owned(), Some(value.to_owned())),
            None => (text, None),
        };
        if key.is_empty() {
            return Err("the name of the variable is missing");
        }
        Ok(Self { key, value })
    }
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory as _;

    use super::*;

    fn explain(args: &[&str]) -> ExplainArgs {
        let args = ["memport", "explain"].iter().chain(args);
        match Args::try_parse_from(args).unwrap().command {
            Command::Explain(explain) => explain,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn the_command_line_is_consistent() {
        Args::command().debug_assert();
    }

    #[test]
    fn what_follows_the_first_dashes_is_the_client_s_own() {
        let args = explain(&["codex", "--json", "--", "exec", "--cwd", "x", "--", "--json"]);
        assert_eq!(args.client_args, ["exec", "--cwd", "x", "--", "--json"]);
        assert_eq!((args.agent, args.output.format()), (Some(Agent::Codex), Format::Json));
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
