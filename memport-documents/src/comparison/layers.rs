//! Which instruction items differ between two answers.

use std::collections::HashSet;

use similar::{Algorithm, DiffOp, capture_diff_slices};

use super::{ChangeReason, LayerChange, LayerChanges, Pair, relative};
use crate::explanation::AgentExplanation;
use crate::layer::LayerDocument;
use crate::words::Kind;

/// An item with its place in the order, counted from 1.
#[derive(Clone, Copy)]
struct Placed<'a> {
    at: usize,
    layer: &'a LayerDocument,
}

/// What makes an item of one answer that of another: its kind, its file, and
/// which of several of that file it is.
type Key<'a> = (Kind, Option<&'a str>, usize);

pub(super) fn compare(root: &str, from: &AgentExplanation, to: &AgentExplanation) -> LayerChanges {
    let (old, new) = (keyed(&from.layers), keyed(&to.layers));
    let find = |all: &[(Key<'_>, Placed<'_>)], key: &Key<'_>| {
        all.iter().position(|(other, _)| other == key)
    };
    let moved = moved(&old, &new);
    let mut changes = LayerChanges::default();
    let mut gone: Vec<Placed<'_>> = old
        .iter()
        .filter(|(key, _)| find(&new, key).is_none())
        .map(|(_, placed)| *placed)
        .collect();
    for (key, placed) in &new {
        let before = find(&old, key).and_then(|at| old.get(at)).map(|(_, before)| *before);
        match before {
            Some(before) if differs(before.layer, placed.layer) => {
                changes.changed.push(change(root, placed.layer, Some(before), Some(*placed)));
            }
            Some(before) if moved.contains(key) => {
                changes.moved.push(change(root, placed.layer, Some(before), Some(*placed)));
            }
            Some(_) => {}
            None => match renamed(&gone, placed.layer) {
                Some(at) => {
                    let before = gone.remove(at);
                    let from_path = before.layer.path.as_deref().map(|path| relative(root, path));
                    let change = change(root, placed.layer, Some(before), Some(*placed));
                    changes.changed.push(LayerChange { from_path, ..change });
                }
                None => changes.added.push(change(root, placed.layer, None, Some(*placed))),
            },
        }
    }
    for placed in gone {
        let reason = reason(root, placed.layer, to);
        changes
            .removed
            .push(LayerChange { reason, ..change(root, placed.layer, Some(placed), None) });
    }
    changes
}

fn keyed(layers: &[LayerDocument]) -> Vec<(Key<'_>, Placed<'_>)> {
    let mut seen: Vec<(Kind, Option<&str>)> = Vec::new();
    let mut keyed = Vec::with_capacity(layers.len());
    for (at, layer) in layers.iter().enumerate() {
        let name = (layer.kind, layer.path.as_deref());
        let nth = seen.iter().filter(|other| **other == name).count();
        seen.push(name);
        keyed.push(((name.0, name.1, nth), Placed { at: at + 1, layer }));
    }
    keyed
}

fn differs(from: &LayerDocument, to: &LayerDocument) -> bool {
    let lost = |layer: &LayerDocument| layer.cut.map(|cut| cut.lost_bytes);
    from.content != to.content || lost(from) != lost(to)
}

/// The items of both that are not in one order with the others.
fn moved<'a>(old: &[(Key<'a>, Placed<'a>)], new: &[(Key<'a>, Placed<'a>)]) -> HashSet<Key<'a>> {
    let (before, after): (HashSet<_>, HashSet<_>) =
        (old.iter().map(|(key, _)| *key).collect(), new.iter().map(|(key, _)| *key).collect());
    let common_old: Vec<_> =
        old.iter().map(|(key, _)| *key).filter(|key| after.contains(key)).collect();
    let common_new: Vec<_> =
        new.iter().map(|(key, _)| *key).filter(|key| before.contains(key)).collect();
    let mut moved = HashSet::new();
    for op in capture_diff_slices(Algorithm::Myers, &common_old, &common_new) {
        if !matches!(op, DiffOp::Equal { .. }) {
            moved.extend(common_new.get(op.new_range()).into_iter().flatten().copied());
        }
    }
    moved
}

/// The item that has the same text under another name.
fn renamed(gone: &[Placed<'_>], layer: &LayerDocument) -> Option<usize> {
    gone.iter().position(|Placed { layer: old, .. }| {
        old.kind == layer.kind && old.scope == layer.scope && old.content == layer.content
    })
}

/// Why a file that was loaded is not any more.
fn reason(root: &str, layer: &LayerDocument, to: &AgentExplanation) -> Option<ChangeReason> {
    let omitted = to.omitted.iter().find(|omitted| omitted.path == layer.path)?;
    let by = omitted.reason.by.as_deref().map(|by| relative(root, by));
    Some(ChangeReason { code: omitted.reason.code.to_owned(), by })
}

/// The item, named as `shown` has it, before and after.
fn change(
    root: &str,
    shown: &LayerDocument,
    from: Option<Placed<'_>>,
    to: Option<Placed<'_>>,
) -> LayerChange {
    let pair = |value: &dyn Fn(&Placed<'_>) -> u64| Pair {
        from: from.as_ref().map(value),
        to: to.as_ref().map(value),
    };
    let lost = |placed: &Placed<'_>| placed.layer.cut.map_or(0, |cut| cut.lost_bytes);
    let is_cut = |placed: Option<Placed<'_>>| placed.is_some_and(|it| it.layer.cut.is_some());
    LayerChange {
        path: shown.path.as_deref().map(|path| relative(root, path)),
        from_path: None,
        kind: shown.kind,
        scope: shown.scope,
        position: pair(&|placed| placed.at as u64),
        bytes: pair(&|placed| placed.layer.kept.bytes),
        tokens: pair(&|placed| placed.layer.tokens.estimate),
        lost_bytes: pair(&lost),
        newly_cut: is_cut(to) && !is_cut(from) && from.is_some(),
        reason: None,
    }
}
