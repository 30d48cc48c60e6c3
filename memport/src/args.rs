//! The command line.

mod check;
mod cost;
mod diff;
mod explain;
mod hook;
mod keep;
mod place;
mod port;
mod recall;
mod report;
mod skill;
mod slip;
mod store;

use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{Parser, Subcommand, ValueEnum};
use clap_complete::Shell;
use memport_documents::Document;

pub(crate) use check::{CheckArgs, CheckFormat};
pub(crate) use cost::CostArgs;
pub(crate) use diff::{DiffArgs, DiffFormat};
pub(crate) use explain::ExplainArgs;
pub(crate) use hook::{HookCommand, InstallArgs, RunHookArgs};
pub(crate) use keep::{
    ArchiveArgs, EditArgs, HistoryArgs, KeepOptions, RestoreArgs, RmArgs, SupersedeArgs,
};
#[cfg(test)]
pub(crate) use place::EnvChange;
pub(crate) use place::Place;
pub(crate) use port::{MemoryForm, PortArgs, PortKind, TooLong};
pub(crate) use recall::{
    BrowseArgs, CandidatesArgs, ExportArgs, ExportFormat, FilterArgs, ForgetArgs, HomesArgs,
    ImportArgs, IngestArgs, InjectArgs, OpenArgs, Part, RecallArgs, RecallCommand, SearchArgs,
    ShowRecallArgs, StatsArgs, StoreArgs,
};
pub(crate) use report::ReportArgs;
pub(crate) use skill::{ApproveArgs, DraftArgs, DraftsArgs, RejectArgs, SkillCommand};
pub(crate) use slip::explain as explain_slip;
pub(crate) use store::{
    AddArgs, ListArgs, ListKind, LookupArgs, MemoryCommand, RelocateArgs, RunArgs, ShowArgs,
    UndoArgs, WriteArgs,
};

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
    Diff(DiffArgs),
    List(ListArgs),
    /// Add to what clients remember, or look something up in it
    #[command(subcommand, arg_required_else_help = true)]
    Memory(MemoryCommand),
    /// Take in skills that agents wrote as drafts, and approve or reject them
    #[command(subcommand, arg_required_else_help = true)]
    Skill(SkillCommand),
    Port(Box<PortArgs>),
    Undo(UndoArgs),
    Check(Box<CheckArgs>),
    Cost(CostArgs),
    Report(ReportArgs),
    Relocate(RelocateArgs),
    Quirk(QuirkArgs),
    Recall(Box<RecallArgs>),
    /// Take conversations in when they end
    #[command(subcommand, arg_required_else_help = true)]
    Hook(Box<HookCommand>),
    /// Print the JSON schema of what a command prints
    Schema {
        /// The command
        #[arg(value_parser = document_parser())]
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

/// How to print the answer.
#[derive(Debug, clap::Args)]
pub(crate) struct Output {
    /// How to print the answer
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,

    /// Short for `--format json`
    #[arg(long, conflicts_with = "format")]
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
pub(crate) enum ClientName {
    Codex,
    #[value(alias = "claude-code")]
    Claude,
}

/// Explain a named oddity of a client, or list all
///
/// Answers and messages name the oddity behind them in brackets, such as
/// `codex/empty-file-hides`.
#[derive(Debug, clap::Args)]
pub(crate) struct QuirkArgs {
    /// The name of the oddity; without it, all
    pub(crate) code: Option<String>,

    #[command(flatten)]
    pub(crate) output: Output,
}

/// Which release of a client is meant.
#[derive(Debug, clap::Args)]
pub(crate) struct Release {
    /// The release of the client, such as `codex@0.171.0` [default: the newest known]
    #[arg(long, value_name = "NAME")]
    pub(crate) profile: Option<String>,
}

/// The commands whose documents have a schema.
fn document_parser() -> impl TypedValueParser<Value = Document> {
    let commands = Document::ALL.iter().map(|document| document.command());
    PossibleValuesParser::new(commands).try_map(|command| {
        let mut all = Document::ALL.iter().copied();
        all.find(|document| document.command() == command).ok_or("no such document")
    })
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory as _;

    use super::*;

    #[test]
    fn the_command_line_is_consistent() {
        Args::command().debug_assert();
    }

    #[test]
    fn two_formats_are_one_too_many() {
        for format in ["text", "json"] {
            let both = ["memport", "explain", "--json", "--format", format];
            assert!(Args::try_parse_from(both).is_err());
        }
        assert!(Args::try_parse_from(["memport", "explain", "--json"]).is_ok());
    }
}
