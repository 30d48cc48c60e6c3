//! The `memport` command: what coding agents load here, and why.
//!
//! The libraries decide; this crate reads the command line, turns their answers
//! into documents with fixed field names (`memport-documents`), and shows those
//! to people ([`explanation_text`]) or to programs (as JSON).

mod args;
mod check;
mod client;
mod command;
mod diff;
mod drafts;
mod failure;
mod journal;
mod output;
mod place;
mod store;
mod text;

pub use text::explanation_text;

use std::ffi::OsString;
use std::process::ExitCode;

use clap::Parser as _;

use args::{Args, Command};
use failure::Failure;
use output::Answer;
use place::Process;

/// Runs the command with this command line, the program's name first.
///
/// Exit codes: 0 done, 1 something was found or not agreed to, 2 bad use, 3 not
/// possible here.
pub fn run(args: impl IntoIterator<Item = OsString>) -> ExitCode {
    match answer(args).and_then(|answer| answer.print()) {
        Ok(code) => code,
        Err(failure) => output::report(&failure),
    }
}

fn answer(args: impl IntoIterator<Item = OsString>) -> Result<Answer, Failure> {
    let given: Vec<OsString> = args.into_iter().collect();
    let args = match Args::try_parse_from(&given) {
        Ok(args) => args,
        Err(error) => return output::usage(&error, &given),
    };
    match args.command {
        Command::Explain(args) => command::explain(&args, Process::this()),
        Command::Diff(args) => command::diff(&args, Process::this()),
        Command::List(args) => command::list(&args, Process::this()),
        Command::Memory(args) => command::memory(&args, Process::this()),
        Command::Skill(args) => command::skill(&args, Process::this()),
        Command::Port(args) => command::port(&args, Process::this()),
        Command::Undo(args) => command::undo(&args, Process::this()),
        Command::Cost(args) => command::cost(&args, Process::this()),
        Command::Report(args) => command::report(&args, Process::this()),
        Command::Check(args) => command::check(&args, Process::this()),
        Command::Relocate(args) => command::relocate(&args, Process::this()),
        Command::Quirk(args) => command::quirk(&args),
        Command::Hook(command) => command::hook(&command, Process::this()),
        Command::Recall(args) => command::recall(&args, Process::this()),
        Command::Schema { command } => Ok(command::schema(command)),
        Command::Completions { shell } => Ok(command::completions(shell)),
        Command::Man { command } => command::man(command.as_deref()),
    }
}
