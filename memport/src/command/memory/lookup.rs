use memory_core::OsFs;

use crate::args::LookupArgs;
use crate::client::Clients;
use crate::failure::Failure;
use crate::output::{self, Answer};
use crate::place::{Process, Start};
use crate::store::Stores;
use crate::{LOOKUP_SCHEMA, LookupDocument, journal, text};

/// Looks something up in what clients remember.
pub(super) fn lookup(args: &LookupArgs, process: Process) -> Result<Answer, Failure> {
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
    let words = || text::lookup(&document, &start, output::width());
    let answer = Answer::either(args.output.format(), &document, words);
    Ok(answer.with_notice(journal::notice(&OsFs, &start.env)))
}
