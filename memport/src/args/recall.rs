//! Past conversations on the command line.

use std::path::PathBuf;

use clap::{Subcommand, ValueEnum};

use super::{ClientName, Output, Place};

/// Past conversations with both clients, searchable, for reference only
///
/// Without a word after it, the browser of this terminal.
#[derive(Debug, clap::Args)]
#[command(args_conflicts_with_subcommands = true)]
pub(crate) struct RecallArgs {
    #[command(subcommand)]
    pub(crate) command: Option<RecallCommand>,

    #[command(flatten)]
    pub(crate) browse: BrowseArgs,
}

/// The browser.
#[derive(Debug, clap::Args)]
pub(crate) struct BrowseArgs {
    /// The words to begin with
    #[arg(long, value_name = "TEXT", default_value = "")]
    pub(crate) query: String,

    #[command(flatten)]
    pub(crate) filter: FilterArgs,

    #[command(flatten)]
    pub(crate) store: StoreArgs,

    #[command(flatten)]
    pub(crate) place: Place,
}

#[derive(Debug, Subcommand)]
pub(crate) enum RecallCommand {
    Ingest(IngestArgs),
    Search(SearchArgs),
    Show(ShowRecallArgs),
    Open(OpenArgs),
    Inject(InjectArgs),
    Stats(StatsArgs),
    Candidates(CandidatesArgs),
    Export(ExportArgs),
    Import(ImportArgs),
    Forget(ForgetArgs),
}

/// The store of past conversations.
#[derive(Clone, Debug, Default, clap::Args)]
pub(crate) struct StoreArgs {
    /// The store [default: `memport/recall.sqlite` in the data directory]
    #[arg(long, value_name = "FILE")]
    pub(crate) store: Option<PathBuf>,

    /// The time that ages are counted from, such as `2026-11-30T09:00:00Z` [default: now]
    #[arg(long, value_name = "TIME")]
    pub(crate) now: Option<String>,
}

/// Where the clients keep their transcripts.
#[derive(Clone, Debug, Default, clap::Args)]
pub(crate) struct HomesArgs {
    /// The configuration directory of Claude Code [default: as the client finds it]
    #[arg(long, value_name = "DIR")]
    pub(crate) claude_home: Option<PathBuf>,

    /// The home of Codex [default: as the client finds it]
    #[arg(long, value_name = "DIR")]
    pub(crate) codex_home: Option<PathBuf>,
}

/// Which chunks are looked at.
#[derive(Clone, Debug, Default, clap::Args)]
pub(crate) struct FilterArgs {
    /// Only of this project: a directory with all below it, or its name alone
    #[arg(long, value_name = "PROJECT")]
    pub(crate) project: Option<String>,

    /// Only of this client
    #[arg(long, value_enum)]
    pub(crate) agent: Option<ClientName>,

    /// Only asked since then: a date, a time, or days such as `30d`
    #[arg(long, value_name = "TIME")]
    pub(crate) since: Option<String>,

    /// Only asked until then
    #[arg(long, value_name = "TIME")]
    pub(crate) until: Option<String>,

    /// Switch a part of the ranking off; may be repeated
    #[arg(long, value_enum, value_name = "PART")]
    pub(crate) without: Vec<Part>,

    /// Halve every score with each so many days, instead of only putting the newer of two
    /// that are alike first
    #[arg(long, value_name = "DAYS")]
    pub(crate) half_life: Option<f64>,
}

/// A part of the ranking.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Part {
    /// The words
    Fulltext,
    /// The meaning, where there is a model
    Vector,
    /// The age
    Age,
}

/// Take in what the clients' transcripts have that is new
///
/// Secrets are redacted first. Nothing of the clients is changed.
#[derive(Debug, clap::Args)]
pub(crate) struct IngestArgs {
    /// Only these transcripts
    pub(crate) files: Vec<PathBuf>,

    /// Make the store anew from the transcripts; what only the old one has is taken over
    #[arg(long, conflicts_with = "files")]
    pub(crate) rebuild: bool,

    #[command(flatten)]
    pub(crate) homes: HomesArgs,

    #[command(flatten)]
    pub(crate) store: StoreArgs,

    #[command(flatten)]
    pub(crate) place: Place,

    #[command(flatten)]
    pub(crate) output: Output,
}

/// Search past conversations
///
/// The words are data: no sign of them is an operator.
#[derive(Debug, clap::Args)]
pub(crate) struct SearchArgs {
    /// The words
    #[arg(required_unless_present = "stdin", allow_hyphen_values = true)]
    pub(crate) query: Option<String>,

    /// Answer lines of JSON, `{"id", "query", "k"}`, each with a line
    #[arg(long, conflicts_with = "query")]
    pub(crate) stdin: bool,

    /// How many hits, at most
    #[arg(long, short = 'k', value_name = "COUNT", default_value_t = 10)]
    pub(crate) limit: usize,

    #[command(flatten)]
    pub(crate) filter: FilterArgs,

    #[command(flatten)]
    pub(crate) homes: HomesArgs,

    #[command(flatten)]
    pub(crate) store: StoreArgs,

    #[command(flatten)]
    pub(crate) place: Place,

    #[command(flatten)]
    pub(crate) output: Output,
}

/// Show a hit with its whole conversation
#[derive(Debug, clap::Args)]
pub(crate) struct ShowRecallArgs {
    /// The id that a search shows
    pub(crate) id: String,

    #[command(flatten)]
    pub(crate) store: StoreArgs,

    #[command(flatten)]
    pub(crate) place: Place,

    #[command(flatten)]
    pub(crate) output: Output,
}

/// Open the conversation of a hit in its client
#[derive(Debug, clap::Args)]
pub(crate) struct OpenArgs {
    /// The id that a search shows
    pub(crate) id: String,

    /// Only print the command
    #[arg(long)]
    pub(crate) print: bool,

    #[command(flatten)]
    pub(crate) store: StoreArgs,

    #[command(flatten)]
    pub(crate) place: Place,
}

/// Give the most relevant lines for a client, and count what is given
#[derive(Debug, clap::Args)]
pub(crate) struct InjectArgs {
    /// What the client is asked
    #[arg(allow_hyphen_values = true)]
    pub(crate) query: String,

    /// How many lines, at most
    #[arg(long, value_name = "COUNT", default_value_t = 6)]
    pub(crate) lines: usize,

    /// How many characters, at most
    #[arg(long, value_name = "COUNT", default_value_t = 1500)]
    pub(crate) chars: usize,

    #[command(flatten)]
    pub(crate) filter: FilterArgs,

    #[command(flatten)]
    pub(crate) store: StoreArgs,

    #[command(flatten)]
    pub(crate) place: Place,

    #[command(flatten)]
    pub(crate) output: Output,
}

/// Say what the store holds
#[derive(Debug, clap::Args)]
pub(crate) struct StatsArgs {
    /// Look at every page of the store too
    #[arg(long)]
    pub(crate) check: bool,

    #[command(flatten)]
    pub(crate) homes: HomesArgs,

    #[command(flatten)]
    pub(crate) store: StoreArgs,

    #[command(flatten)]
    pub(crate) place: Place,

    #[command(flatten)]
    pub(crate) output: Output,
}

/// Show what was given to clients often, and may be worth remembering
#[derive(Debug, clap::Args)]
pub(crate) struct CandidatesArgs {
    /// Given at least so often
    #[arg(long, value_name = "COUNT", default_value_t = 2)]
    pub(crate) times: u64,

    #[command(flatten)]
    pub(crate) store: StoreArgs,

    #[command(flatten)]
    pub(crate) place: Place,

    #[command(flatten)]
    pub(crate) output: Output,
}

/// Print every chunk as a line of JSON, for another machine
#[derive(Debug, clap::Args)]
pub(crate) struct ExportArgs {
    /// The form of the lines
    #[arg(long, value_enum, default_value_t = ExportFormat::Jsonl)]
    pub(crate) format: ExportFormat,

    #[command(flatten)]
    pub(crate) store: StoreArgs,

    #[command(flatten)]
    pub(crate) place: Place,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum ExportFormat {
    /// A JSON object a line
    Jsonl,
}

/// Merge chunks that another machine exported
#[derive(Debug, clap::Args)]
pub(crate) struct ImportArgs {
    /// The file, or `-` for the standard input
    pub(crate) file: PathBuf,

    #[command(flatten)]
    pub(crate) store: StoreArgs,

    #[command(flatten)]
    pub(crate) place: Place,

    #[command(flatten)]
    pub(crate) output: Output,
}

/// Delete a conversation or a project from the store, and never take it in again
///
/// The client's transcripts stay. A dry run unless `--write` is given.
#[derive(Debug, clap::Args)]
pub(crate) struct ForgetArgs {
    /// The client's id of the conversation
    #[arg(
        long,
        value_name = "ID",
        required_unless_present = "project",
        conflicts_with = "project"
    )]
    pub(crate) session: Option<String>,

    /// All of a project until now: a directory with all below it, or its name alone
    #[arg(long, value_name = "PROJECT")]
    pub(crate) project: Option<String>,

    /// Do it, instead of only counting
    #[arg(long)]
    pub(crate) write: bool,

    #[command(flatten)]
    pub(crate) store: StoreArgs,

    #[command(flatten)]
    pub(crate) place: Place,

    #[command(flatten)]
    pub(crate) output: Output,
}
