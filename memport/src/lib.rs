//! The `memport` command: what coding agents load here, and why.
//!
//! The libraries decide; this crate reads the command line, turns their answers
//! into documents with fixed field names ([`Explanation`]), and shows those to
//! people ([`explanation_text`]) or to programs (as JSON).

mod args;
mod command;
mod document;
mod failure;
mod output;
mod place;
mod text;

pub use document::{
    AgentExplanation, AgentMemoryDocument, BudgetDocument, Client, CutDocument, DiagnosticDocument,
    EXPLAIN_SCHEMA, EveryAgent, Explanation, IndexCutDocument, LayerDocument, ListedSkillDocument,
    MemoryCut, MemoryDocument, MiddleCutDocument, NewIndex, OmittedDocument, OmittedSkillDocument,
    ProbesDocument, Reason, Rendered, Size, SkillsDocument, StepDocument, Tokens, ToolUseDocument,
    Totals, ViaDocument, from_claude, from_codex,
};
pub use text::explanation_text;

use std::ffi::OsString;
use std::process::ExitCode;

use clap::Parser as _;

use args::{Args, Command};
use failure::Failure;
use output::Answer;
use place::Process;
use text::visible;

/// Runs the command with this command line, the program's name first.
///
/// Exit codes: 0 done, 2 bad use, 3 not possible here.
pub fn run(args: impl IntoIterator<Item = OsString>) -> ExitCode {
    match answer(args).and_then(|answer| answer.print()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => output::report(&failure),
    }
}

fn answer(args: impl IntoIterator<Item = OsString>) -> Result<Answer, Failure> {
    let args = match Args::try_parse_from(args) {
        Ok(args) => args,
        Err(error) => return output::usage(&error),
    };
    match args.command {
        Command::Explain(args) => command::explain(&args, Process::this()),
        Command::Schema { command } => Ok(command::schema(command)),
        Command::Completions { shell } => Ok(command::completions(shell)),
        Command::Man { command } => command::man(command.as_deref()),
    }
}
