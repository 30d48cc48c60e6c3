//! What is worth telling although nobody asked.

mod import;
mod pattern;
mod rule;
mod tree;

use memory_core::{AbsPath, Code, Diagnostic, LayerKind, Omission, Outcome, Severity};

use crate::context::Context;
use crate::load::{Documents, Item};

/// What is worth telling about what loads at start.
pub(crate) fn diagnose(
    context: &Context<'_>,
    documents: &Documents,
    items: &[Item],
) -> Vec<Diagnostic> {
    let mut told = Vec::new();
    import::diagnose(context, items, &mut told);
    rule::diagnose(context, documents, items, &mut told);
    agents_md(items, &mut told);
    order(items, &mut told);
    told
}

/// One file keeps all AGENTS.md files from being read.
fn agents_md(items: &[Item], told: &mut Vec<Diagnostic>) {
    let blocked = items.iter().filter_map(|item| match &item.layer.outcome {
        Outcome::Omitted { reason: Omission::AgentsMdBlocked { by }, .. } => {
            Some((item.layer.provenance.path.as_ref()?, by))
        }
        _ => None,
    });
    for (path, by) in blocked {
        let message = format!("`{by}` keeps this AGENTS.md from being read");
        let told_one =
            Diagnostic::new(Code("claude/agents-md-blocked"), Severity::Warning, message);
        told.push(told_one.at(path).help(
            "import it with `@AGENTS.md`, or set `instructionFiles` to `claude-md-and-agents-md`",
        ));
    }
}

/// Rules of one folder load in the order in which the file system lists them.
fn order(items: &[Item], told: &mut Vec<Diagnostic>) {
    let rules: Vec<(&AbsPath, &AbsPath)> = items
        .iter()
        .filter(|item| item.layer.kind == LayerKind::Rule && item.is_loaded())
        .filter_map(|item| Some((&item.dir, item.layer.provenance.path.as_ref()?)))
        .collect();
    for group in rules.chunk_by(|(a, _), (b, _)| a == b) {
        let [(_, first), _, ..] = group else { continue };
        let count = group.len();
        let message = format!(
            "{count} rules load in the order in which the file system lists them, which may differ on another machine"
        );
        told.push(
            Diagnostic::new(Code("claude/rule-order"), Severity::Hint, message)
                .at(first)
                .help("do not let one rule depend on the order of another"),
        );
    }
}
