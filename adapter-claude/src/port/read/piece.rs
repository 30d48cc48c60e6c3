//! One text that loads, as a rule or an instruction of the model.

use memory_core::model::{Applies, Instruction, Reach, Rule};
use memory_core::{AbsPath, LayerKind, Omission, Outcome, Scope, Via};
use serde_json::Value;

use super::walk::Tree;
use super::{Reading, patterns};
use crate::instructions::load::{Item, Owner};
use crate::port::ground::Ground;
use crate::rules;
use crate::settings::SettingsSource;

/// What brings a piece along: only of rules, and of what they import, `paths` count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Origin {
    File,
    Rule,
}

/// Adds a piece, or says why the client does not load it.
pub(super) fn add(
    ground: &Ground<'_>,
    tree: &Tree,
    item: &Item,
    origin: Origin,
    reading: &mut Reading,
) {
    let provenance = &item.layer.provenance;
    let loaded = match &item.layer.outcome {
        Outcome::Loaded(loaded) => loaded,
        Outcome::Omitted { reason, .. } => {
            if let (Some(path), true) = (&provenance.path, is_worth_a_word(reason)) {
                reading.hidden(path, &reason.to_string());
            }
            return;
        }
    };
    let Some(path) = provenance.path.clone().or_else(|| managed_settings(ground)) else { return };
    let Some(file) = ground.file(&path) else {
        return reading.hidden(&path, "it cannot be read");
    };
    let reach = reach(ground, item, &path);
    let text = loaded.text.to_string();
    let patterns = bound_to(ground, item, origin, &path);
    if item.layer.kind == LayerKind::Rule || patterns.is_some() {
        let applies = patterns.map_or(Applies::Always, |found| {
            Applies::Paths(patterns::patterns(
                ground,
                tree,
                &found,
                &item.rule_base(ground.context),
                reach.folder.is_some(),
            ))
        });
        reading.bundle.rules.push(Rule { text, reach, applies, file });
    } else {
        let imported = match &provenance.via {
            Via::Imported { from, line } => Some((from.clone(), *line)),
            _ => None,
        };
        let kind = item.layer.kind;
        reading.bundle.instructions.push(Instruction { kind, text, reach, file, imported });
    }
}

/// Whether a person may wonder why a file is not carried.
fn is_worth_a_word(reason: &Omission) -> bool {
    !matches!(
        reason,
        Omission::PathsDoNotMatch(_)
            | Omission::Blank
            | Omission::Duplicate { .. }
            | Omission::BrokenLink
            | Omission::ImportMissing
            | Omission::ImportExtension
            | Omission::NotAFile
    )
}

/// The patterns of a rule, or of a file that one imports, which wait for files.
///
/// What loads at start does not wait, whatever its frontmatter says.
fn bound_to(
    ground: &Ground<'_>,
    item: &Item,
    origin: Origin,
    path: &AbsPath,
) -> Option<rules::Patterns> {
    let at_start = matches!(&item.layer.outcome, Outcome::Loaded(loaded) if loaded.label.is_some());
    if at_start || origin != Origin::Rule {
        return None;
    }
    let document = ground.document(path)?;
    let fields = document.as_ref().as_ref().ok()?.fields.clone();
    match rules::Scope::of(fields.as_ref()) {
        rules::Scope::Always => None,
        rules::Scope::Files(patterns) => Some(patterns),
    }
}

/// For whom a piece is.
fn reach(ground: &Ground<'_>, item: &Item, path: &AbsPath) -> Reach {
    let project = ground.project();
    match item.owner {
        Owner::Managed | Owner::User => Reach::everywhere(item.owner.scope()),
        Owner::Project | Owner::Local if !item.dir.starts_with(project) => {
            Reach::below(Scope::User, item.dir.clone())
        }
        // What lies elsewhere is not checked in with the project.
        Owner::Project if !ground.is_in_project(path) => {
            Reach::below(Scope::Local, item.dir.clone())
        }
        Owner::Project | Owner::Local => Reach::below(item.owner.scope(), item.dir.clone()),
    }
}

/// The organisation's settings file that holds a text.
fn managed_settings(ground: &Ground<'_>) -> Option<AbsPath> {
    let mut layers = ground.context.settings.layers.iter().rev();
    let holds = layers.find(|layer| {
        layer.source == SettingsSource::Managed
            && layer.values.get("claudeMd").is_some_and(Value::is_string)
    });
    holds?.path.clone()
}
