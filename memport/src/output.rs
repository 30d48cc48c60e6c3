//! Answers to standard output, failures to standard error.

use std::io::{self, Write};
use std::process::ExitCode;

use clap::error::{ContextKind, ErrorKind};
use serde::Serialize;

use crate::failure::Failure;
use crate::visible;

/// Columns where the terminal does not say: a pipe, a file.
const USUAL_WIDTH: usize = 100;

/// Most columns used, however wide the terminal is.
const MAX_WIDTH: usize = 120;

/// What a command prints.
#[derive(Debug)]
pub(crate) enum Answer {
    /// Text with colours, which are left out where they are not wanted.
    Text(String),
    /// Bytes as they are.
    Bytes(Vec<u8>),
}

impl Answer {
    /// A document.
    pub(crate) fn json(document: &impl Serialize) -> Self {
        // Only a map whose keys are no text cannot be written, and there is none.
        let mut bytes = serde_json::to_vec_pretty(document).unwrap_or_default();
        bytes.push(b'\n');
        Self::Bytes(bytes)
    }

    /// Prints the answer. A reader that has seen enough is no failure.
    pub(crate) fn print(&self) -> Result<(), Failure> {
        let written = match self {
            Self::Text(text) => write(&mut anstream::stdout().lock(), text.as_bytes()),
            Self::Bytes(bytes) => write(&mut io::stdout().lock(), bytes),
        };
        match written {
            Err(error) if error.kind() != io::ErrorKind::BrokenPipe => Err(Failure::impossible(
                format!("the answer cannot be written: {error}"),
                "check where the output goes",
            )),
            _ => Ok(()),
        }
    }
}

fn write(out: &mut impl Write, bytes: &[u8]) -> io::Result<()> {
    out.write_all(bytes)?;
    out.flush()
}

/// Columns of a line: what `COLUMNS` or the terminal says, within reason.
pub(crate) fn width() -> usize {
    let said = std::env::var("COLUMNS").ok().and_then(|columns| columns.parse().ok());
    let columns = said.filter(|columns| *columns > 0).or_else(|| {
        terminal_size::terminal_size().map(|(terminal_size::Width(columns), _)| columns.into())
    });
    columns.unwrap_or(USUAL_WIDTH).min(MAX_WIDTH)
}

/// Tells a failure in one line and a hint, and gives its exit code.
pub(crate) fn report(failure: &Failure) -> ExitCode {
    let error = anstyle::AnsiColor::Red.on_default().bold();
    let hint = anstyle::AnsiColor::Cyan.on_default().bold();
    let text = format!(
        "{error}error:{error:#} {}\n{hint}hint:{hint:#} {}\n",
        visible(&failure.message),
        visible(&failure.hint),
    );
    // Where even this cannot be written, the exit code still says it.
    let _told = write(&mut anstream::stderr().lock(), text.as_bytes());
    ExitCode::from(failure.kind as u8)
}

/// What the reader of the command line has to say: help, a version, or a failure.
pub(crate) fn usage(error: &clap::Error) -> Result<Answer, Failure> {
    match error.kind() {
        ErrorKind::DisplayHelp | ErrorKind::DisplayVersion => {
            Ok(Answer::Text(error.render().ansi().to_string()))
        }
        ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand => Err(Failure::usage(
            "no command is given",
            "try `memport explain`; `memport help` shows all commands",
        )),
        _ => Err(Failure::usage(usage_message(error), usage_hint(error))),
    }
}

/// The first paragraph in one line, without the label.
fn usage_message(error: &clap::Error) -> String {
    let text = error.render().to_string();
    let first = text.lines().take_while(|line| !line.is_empty()).map(str::trim);
    let line = first.collect::<Vec<_>>().join(" ");
    line.strip_prefix("error: ").map_or_else(|| line.clone(), str::to_owned)
}

fn usage_hint(error: &clap::Error) -> String {
    let suggestions = [
        ContextKind::SuggestedArg,
        ContextKind::SuggestedSubcommand,
        ContextKind::SuggestedValue,
        ContextKind::SuggestedCommand,
    ];
    match suggestions.into_iter().find_map(|kind| error.get(kind)) {
        Some(close) => format!("did you mean `{close}`?"),
        None => "see `memport help` and `memport help COMMAND`".to_owned(),
    }
}
