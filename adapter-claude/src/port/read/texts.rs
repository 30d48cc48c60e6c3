//! Instruction files and rules, those of the start first.

use std::collections::HashSet;

use memory_core::{AbsPath, LayerKind, Via};

use super::piece::{Origin, add};
use super::walk::Tree;
use super::{Reading, nested};
use crate::instructions::load::{self, Candidate, Item, Loader, Moment, Owner};
use crate::instructions::start;
use crate::port::ground::Ground;
use crate::rules::{self, discover};

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
                rules::Scope::Always => load::Applies::Silently,
                rules::Scope::Files(_) => load::Applies::Yes,
            });
        }
    }
    let is_new = |item: &Item| {
        item.is_loaded()
            && item.layer.provenance.path.as_ref().is_some_and(|path| !given.contains(path))
    };
    loader.items.into_iter().filter(is_new).collect()
}
