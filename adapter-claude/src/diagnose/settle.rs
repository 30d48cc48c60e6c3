use std::collections::{HashMap, HashSet};

use memory_core::{AbsPath, Omission, Outcome, Via};

use crate::context::Context;
use crate::instructions::load::Item;

/// How many importers in a row are looked at.
const MAX_IMPORTERS: usize = 16;

/// Puts right what can be said of a left-out piece only when all others are known.
pub(crate) fn settle(context: &Context<'_>, items: &mut Vec<Item>) {
    drop_loaded_agents_md(context, items);
    name_cycles(items);
}

/// An AGENTS.md that loads by another way, as an import or under a linked name, is not left out.
fn drop_loaded_agents_md(context: &Context<'_>, items: &mut Vec<Item>) {
    let is_blocked = |item: &Item| {
        matches!(
            item.layer.outcome,
            Outcome::Omitted { reason: Omission::AgentsMdBlocked { .. }, .. }
        )
    };
    if !items.iter().any(is_blocked) {
        return;
    }
    let real = |item: &Item| {
        let path = item.layer.provenance.path.as_ref()?;
        context.unrecorded.canonicalize(path).ok()
    };
    let loaded: HashSet<AbsPath> =
        items.iter().filter(|item| item.is_loaded()).filter_map(real).collect();
    items.retain(|item| !is_blocked(item) || real(item).is_none_or(|real| !loaded.contains(&real)));
}

/// A file that imports one of its own importers goes round in a circle.
fn name_cycles(items: &mut [Item]) {
    let mut importers: HashMap<AbsPath, AbsPath> = HashMap::new();
    for item in &*items {
        let provenance = &item.layer.provenance;
        let is_repeated = matches!(
            item.layer.outcome,
            Outcome::Omitted { reason: Omission::Duplicate { .. }, .. }
        );
        if let (Some(path), Via::Imported { from, .. }, false) =
            (&provenance.path, &provenance.via, is_repeated)
        {
            importers.entry(path.clone()).or_insert_with(|| from.clone());
        }
    }
    for item in items {
        let Via::Imported { from, .. } = &item.layer.provenance.via else { continue };
        let Outcome::Omitted { reason: reason @ Omission::Duplicate { .. }, .. } =
            &mut item.layer.outcome
        else {
            continue;
        };
        let mut above = std::iter::successors(Some(from), |path| importers.get(*path));
        if above.by_ref().take(MAX_IMPORTERS).any(|path| reason.by() == Some(path)) {
            *reason = Omission::ImportCycle;
        }
    }
}
