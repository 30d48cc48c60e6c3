//! Adding to what clients remember, and looking into it.

mod add;
mod keep;

use memory_core::fs::OsFs;
use memport_documents::{LOOKUP_SCHEMA, LookupDocument, SHOW_SCHEMA, ShowDocument};

use crate::args::{LookupArgs, MemoryCommand, ShowArgs};
use crate::client::Clients;
use crate::failure::Failure;
use crate::output::{self, Answer};
use crate::place::{Process, Start};
use crate::store::Stores;
use crate::{journal, text};

/// Does what one of the commands says.
pub(crate) fn memory(command: &MemoryCommand, process: Process) -> Result<Answer, Failure> {
    match command {
        MemoryCommand::Add(args) => add::add(args, process),
        MemoryCommand::Archive(args) => keep::archive(args, process),
        MemoryCommand::Restore(args) => keep::restore(args, process),
        MemoryCommand::Supersede(args) => keep::supersede(args, process),
        MemoryCommand::History(args) => keep::history(args, process),
        MemoryCommand::Edit(args) => keep::edit(args, process),
        MemoryCommand::Rm(args) => keep::rm(args, process),
        MemoryCommand::Show(args) => show(args, process),
        MemoryCommand::Lookup(args) => lookup(args, process),
    }
}

/// Shows one memory.
fn show(args: &ShowArgs, process: Process) -> Result<Answer, Failure> {
    let clients = Clients::chosen(None, &args.release)?;
    let start = Start::at(&args.place, process, &OsFs)?;
    let stores = Stores::open(&clients, &start);
    let mut found = stores.show(&args.id)?;
    if found.is_empty() {
        // A path from here on.
        found = stores.show(start.cwd.join(&args.id).as_str())?;
    }
    let Some(memory) = found.pop() else {
        return Err(Failure::impossible(
            format!("there is no memory `{}` here", args.id),
            "`memport list --kind memory` shows all, with their ids",
        ));
    };
    if !found.is_empty() {
        let ids: Vec<_> = found.iter().chain([&memory]).map(|memory| memory.id.as_str()).collect();
        return Err(Failure::usage(
            format!("several memories are called `{}`", args.id),
            format!("say which by its id: {}", ids.join(", ")),
        ));
    }
    let document = ShowDocument { schema: SHOW_SCHEMA, memory };
    let words = |document: &_| text::show(document, &start, output::width());
    let answer = Answer::either(args.output.format(), document, words);
    Ok(answer.with_notice(journal::notice(&OsFs, &start.env)))
}

/// Looks something up in what clients remember.
fn lookup(args: &LookupArgs, process: Process) -> Result<Answer, Failure> {
    let clients = Clients::chosen(args.agent, &args.release)?;
    let start = Start::at(&args.place, process, &OsFs)?;
    let mut document = LookupDocument {
        schema: LOOKUP_SCHEMA,
        query: args.query.clone(),
        passages: Vec::new(),
        read: Vec::new(),
        diagnostics: Vec::new(),
    };
    Stores::open(&clients, &start).look_up(&mut document)?;
    let words = |document: &_| text::lookup(document, &start, output::width());
    let answer = Answer::either(args.output.format(), document, words);
    Ok(answer.with_notice(journal::notice(&OsFs, &start.env)))
}
