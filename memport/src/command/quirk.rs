//! The named oddities of clients.

use memport_documents::{Agent, QUIRK_SCHEMA, QuirkDocument, QuirksDocument};

use crate::args::QuirkArgs;
use crate::failure::Failure;
use crate::output::{self, Answer};
use crate::text;

/// Explains one oddity, or lists all.
pub(crate) fn quirk(args: &QuirkArgs) -> Result<Answer, Failure> {
    let mut quirks = all();
    if let Some(code) = &args.code {
        // As it is copied out of a message: `[codex/x]`.
        let wanted = code.trim_matches(['[', ']', '`']);
        let known: Vec<_> = quirks.iter().map(|quirk| quirk.id).collect();
        quirks.retain(|quirk| quirk.id == wanted);
        if quirks.is_empty() {
            return Err(unknown(wanted, &known));
        }
    }
    let document = QuirksDocument { schema: QUIRK_SCHEMA, quirks };
    let words = |document: &QuirksDocument| text::quirks(document, output::width());
    Ok(Answer::either(args.output.format(), document, words))
}

fn all() -> Vec<QuirkDocument> {
    let codex = adapter_codex::quirks().map(|quirk| (Agent::Codex, quirk));
    let claude = adapter_claude::quirks().map(|quirk| (Agent::ClaudeCode, quirk));
    codex.chain(claude).map(|(agent, quirk)| QuirkDocument::of(agent, quirk)).collect()
}

fn unknown(wanted: &str, known: &[&str]) -> Failure {
    let name = |id: &str| id.rsplit('/').next().unwrap_or_default().to_owned();
    let words = name(wanted);
    let parts: Vec<_> = words.split('-').filter(|part| part.len() > 2).collect();
    let shared = |id: &&&str| parts.iter().filter(|part| name(id).contains(**part)).count();
    let close = known.iter().max_by_key(shared).filter(|id| shared(id) > 0);
    let hint = match close {
        Some(id) => format!("did you mean `{id}`? `memport quirk` lists all"),
        None => "`memport quirk` lists all".to_owned(),
    };
    Failure::impossible(format!("no client has a named oddity `{wanted}`"), hint)
}
