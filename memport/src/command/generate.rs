//! What describes the tool itself: schema, completions, manual pages.

use clap::CommandFactory as _;
use clap_complete::Shell;
use clap_mangen::Man;
use memport_documents::Document;

use crate::args::Args;
use crate::failure::Failure;
use crate::output::Answer;

/// The JSON schema of what a command prints.
pub(crate) fn schema(document: Document) -> Answer {
    Answer::json(document.schema())
}

/// A completion script for a shell.
pub(crate) fn completions(shell: Shell) -> Answer {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut Args::command(), "memport", &mut script);
    Answer::bytes(script)
}

/// The manual page of the tool or of one command.
pub(crate) fn man(name: Option<&str>) -> Result<Answer, Failure> {
    let mut command = Args::command();
    command.build();
    let names: Vec<_> = command.get_subcommands().map(|sub| sub.get_name().to_owned()).collect();
    let wanted = match name {
        None => command,
        Some(name) => command.find_subcommand(name).cloned().ok_or_else(|| {
            Failure::usage(
                format!("there is no command `{name}`"),
                format!("commands: {}", names.join(", ")),
            )
        })?,
    };
    let mut page = Vec::new();
    // Writing to memory does not fail.
    Man::new(wanted).render(&mut page).map(|()| Answer::bytes(page)).map_err(|error| {
        Failure::impossible(format!("the page cannot be made: {error}"), "see `memport help`")
    })
}
