//! Answers to standard output, failures to standard error.

mod json;

use std::ffi::OsString;
use std::io::{self, BufWriter, IsTerminal as _, Write};
use std::process::ExitCode;

use anstyle::Style;
use clap::error::ErrorKind;
use serde::Serialize;

use crate::args::{Format, explain_slip};
use crate::failure::Failure;
use crate::text::visible;

/// Columns where the terminal does not say: a pipe, a file.
const USUAL_WIDTH: usize = 100;

/// How much of a document is collected before it is written, in bytes.
const BUFFER: usize = 64 * 1024;

/// Most columns used, however wide the terminal is.
const MAX_WIDTH: usize = 120;

/// What a command has to say.
pub(crate) struct Answer {
    body: Body,
    has_findings: bool,
    notice: Option<Notice>,
}

/// Writes something to where it is wanted.
type WriteTo = Box<dyn Fn(&mut dyn Write) -> io::Result<()>>;

enum Body {
    /// Text with colours, which are left out where they are not wanted.
    Text(String),
    /// Bytes as they are.
    Bytes(Vec<u8>),
    /// A document, which is written piece by piece: as one text it may be large.
    Json(WriteTo),
}

/// Something to know beside the answer, in one line, and what to do about it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Notice {
    pub(crate) message: String,
    pub(crate) hint: String,
}

impl Answer {
    /// Text with colours.
    pub(crate) fn text(text: String) -> Self {
        Self { body: Body::Text(text), has_findings: false, notice: None }
    }

    /// Bytes as they are.
    pub(crate) fn bytes(bytes: Vec<u8>) -> Self {
        Self { body: Body::Bytes(bytes), has_findings: false, notice: None }
    }

    /// A document.
    pub(crate) fn json(document: impl Serialize + 'static) -> Self {
        let body = Body::Json(Box::new(move |out| json::write(out, &document)));
        Self { body, has_findings: false, notice: None }
    }

    /// A document, for programs or in the words for people.
    pub(crate) fn either<D: Serialize + 'static>(
        format: Format,
        document: D,
        words: impl FnOnce(&D) -> String,
    ) -> Self {
        match format {
            Format::Json => Self::json(document),
            Format::Text => Self::text(words(&document)),
        }
    }

    /// Says whether the answer names something that is wrong.
    pub(crate) fn with_findings(self, has_findings: bool) -> Self {
        Self { has_findings, ..self }
    }

    /// Adds what is to be known beside it.
    pub(crate) fn with_notice(self, notice: Option<Notice>) -> Self {
        Self { notice, ..self }
    }

    /// Prints the answer. A reader that has seen enough is no failure.
    pub(crate) fn print(&self) -> Result<ExitCode, Failure> {
        if let Some(Notice { message, hint }) = &self.notice {
            let warning = anstyle::AnsiColor::Yellow.on_default().bold();
            tell("warning", warning, message, hint);
        }
        let written = match &self.body {
            Body::Text(text) => write_text(text),
            Body::Bytes(bytes) => write(&mut io::stdout().lock(), bytes),
            Body::Json(document) => {
                let mut out = BufWriter::with_capacity(BUFFER, io::stdout().lock());
                document(&mut out).and_then(|()| out.flush())
            }
        };
        match written {
            Err(error) if error.kind() != io::ErrorKind::BrokenPipe => Err(Failure::impossible(
                format!("the answer cannot be written: {error}"),
                "check where the output goes",
            )),
            _ => Ok(ExitCode::from(u8::from(self.has_findings))),
        }
    }
}

/// Writes a text at once, without its colours where those are not wanted.
fn write_text(text: &str) -> io::Result<()> {
    // The stream itself would strip and write it piece by piece.
    if anstream::AutoStream::choice(&io::stdout()) == anstream::ColorChoice::Never {
        let plain = anstream::adapter::strip_str(text).to_string();
        return write(&mut io::stdout().lock(), plain.as_bytes());
    }
    write(&mut anstream::stdout().lock(), text.as_bytes())
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
    tell("error", error, &failure.message, &failure.hint);
    ExitCode::from(failure.kind as u8)
}

/// Tells at once what happened beside the answer; `is_serious` when it needs a person.
pub(crate) fn note(notice: &Notice, is_serious: bool) {
    let (label, colour) = if is_serious {
        ("warning", anstyle::AnsiColor::Yellow)
    } else {
        ("note", anstyle::AnsiColor::Cyan)
    };
    tell(label, colour.on_default().bold(), &notice.message, &notice.hint);
}

fn tell(label: &str, style: Style, message: &str, hint: &str) {
    let hint_style = anstyle::AnsiColor::Cyan.on_default().bold();
    let text = format!(
        "{style}{label}:{style:#} {}\n{hint_style}hint:{hint_style:#} {}\n",
        visible(message),
        visible(hint),
    );
    // Where even this cannot be written, the exit code still says it.
    let _told = write(&mut anstream::stderr().lock(), text.as_bytes());
}

/// Asks a question that is answered with yes or no; `None` where nobody is
/// there to answer.
pub(crate) fn confirm(question: &str) -> Option<bool> {
    if !io::stdin().is_terminal() || !io::stderr().is_terminal() {
        return None;
    }
    let text = format!("{} [y/N] ", visible(question));
    write(&mut anstream::stderr().lock(), text.as_bytes()).ok()?;
    let mut answer = String::new();
    io::stdin().read_line(&mut answer).ok()?;
    Some(matches!(answer.trim().to_lowercase().as_str(), "y" | "yes"))
}

/// What the reader of the command line has to say: help, a version, or a
/// failure. `given` is that command line.
pub(crate) fn usage(error: &clap::Error, given: &[OsString]) -> Result<Answer, Failure> {
    match error.kind() {
        ErrorKind::DisplayHelp | ErrorKind::DisplayVersion => {
            Ok(Answer::text(error.render().ansi().to_string()))
        }
        _ => {
            let (message, hint) = explain_slip(error, given);
            Err(Failure::usage(message, hint))
        }
    }
}
