//! What clients keep here.

use memory_core::Parsed;
use memory_core::fs::OsFs;
use memory_core::store::{Item, ItemKind, ItemStatus};
use memport_documents::{Agent, ItemDocument, LIST_SCHEMA, ListDocument};

use crate::args::{ListArgs, ListKind};
use crate::client::Clients;
use crate::failure::Failure;
use crate::output::{self, Answer};
use crate::place::{Process, Start};
use crate::store::Stores;
use crate::{drafts, journal, text};

/// Lists what clients keep, whether it loads or not.
pub(crate) fn list(args: &ListArgs, process: Process) -> Result<Answer, Failure> {
    let clients = Clients::chosen(args.agent, &args.release)?;
    let start = Start::at(&args.place, process, &OsFs)?;
    let Parsed { value: mut items, diagnostics } = Stores::open(&clients, &start).inventory()?;
    items.extend(drafts::drafts(&start.env).into_iter().map(|item| (Agent::ClaudeCode, item)));
    if let Some(kind) = args.kind {
        items.retain(|(_, item)| is_of(kind, item));
    }
    let document = ListDocument {
        schema: LIST_SCHEMA,
        items: items.into_iter().map(|(agent, item)| ItemDocument::of(agent, item)).collect(),
        diagnostics: diagnostics.into_iter().map(Into::into).collect(),
    };
    let words = |document: &_| text::list(document, &start, output::width());
    let answer = Answer::either(args.output.format(), document, words);
    Ok(answer.with_notice(journal::notice(&OsFs, &start.env)))
}

fn is_of(kind: ListKind, item: &Item) -> bool {
    match kind {
        ListKind::Memory => item.kind == ItemKind::Memory,
        ListKind::Rule => item.kind == ItemKind::Rule,
        ListKind::Skill => item.kind == ItemKind::Skill,
        ListKind::Instruction => item.kind == ItemKind::Instruction,
        ListKind::Agent => item.kind == ItemKind::Agent,
        ListKind::Archived => item.status == ItemStatus::Archived,
        ListKind::Draft => item.status == ItemStatus::Draft,
    }
}
