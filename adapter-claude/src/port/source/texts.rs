//! Instruction files and rules, those of the start first.

use std::collections::HashSet;

use memory_core::model::{Applies, Instruction, Reach, Rule};
use memory_core::{AbsPath, LayerKind, Omission, Outcome, Scope, Via};
use serde_json::Value;

use super::super::ground::Ground;
use super::walk::Tree;
use super::{Reading, nested, patterns};
use crate::load::{self, Candidate, Item, Loader, Moment, Owner};
use crate::rule::{self, discover};
use crate::settings::SettingsSource;
use crate::start;

/// Reads what loads at start, and what touched files bring along.
pub(super) fn read(ground: &Ground<'_>, tree: &Tree, reading: &mut Reading) {
    let context = ground.context;
    let start = start::resolve(context, &ground.documents);
    for item in &start.items {
        add(ground, tree, item, Origin::File, reading);
    }
    if context.instructions_off().is_some() {
        return;
    }
    for item in bound(ground, &start.given) {
        add(ground, tree, &item, Origin::Rule, reading);
    }
    nested::read(ground, tree, &start, reading);
}

/// The rules of the start that wait for files, as they are shown then.
fn bound(ground: &Ground<'_>, given: &HashSet<AbsPath>) -> Vec<Item> {
    let context = ground.context;
    let layout = context.layout;
    let cwd = &layout.cwd;
    let mut folders = vec![
        (layout.managed.join(".claude/rules"), cwd.clone(), Owner::Managed),
        (layout.config.join("rules"), cwd.clone(), Owner::User),
    ];
    let chain = start::chain(cwd).into_iter();
    let chain = chain.filter(|dir| !layout.is_skipped_main_checkout(dir));
    folders.extend(chain.map(|dir| (dir.join(".claude/rules"), dir, Owner::Project)));
    let mut loader = Loader::new(context, &ground.documents, Moment::Touch);
    for (folder, base, owner) in folders {
        if owner.turned_off_by(context.settings.sources).is_some() {
            continue;
        }
        for rule in discover(context.world.fs, &folder) {
            let candidate = Candidate {
                path: rule.path,
                kind: LayerKind::Rule,
                owner,
                via: Via::Discovered,
                dir: base.clone(),
            };
            loader.load_rule(&candidate, &rule.found_as, |scope| match scope {
                rule::Scope::Always => load::Applies::Silently,
                rule::Scope::Files(_) => load::Applies::Yes,
            });
        }
    }
    let is_new = |item: &Item| {
        item.is_loaded()
            && item.layer.provenance.path.as_ref().is_some_and(|path| !given.contains(path))
    };
    loader.items.into_iter().filter(is_new).collect()
}

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
) -> Option<rule::Patterns> {
    let at_start = matches!(&item.layer.outcome, Outcome::Loaded(loaded) if loaded.label.is_some());
    if at_start || origin != Origin::Rule {
        return None;
    }
    let document = ground.document(path)?;
    let fields = document.as_ref().as_ref().ok()?.fields.clone();
    match rule::Scope::of(fields.as_ref()) {
        rule::Scope::Always => None,
        rule::Scope::Files(patterns) => Some(patterns),
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
