//! What touched files below the start folder bring along.

use std::collections::{BTreeSet, HashSet};

use memory_core::port::{Loss, LossKind};
use memory_core::{AbsPath, LayerKind, Via};

use super::Reading;
use super::piece::{Origin, add};
use super::walk::{Belongs, Found, Tree, is_own_checkout, repositories};
use crate::instructions::agents_md::Mode;
use crate::instructions::load::{self, Candidate, Item, Loader, Moment, Owner};
use crate::instructions::start::{AGENTS_FILES, OWN_FILES, Start};
use crate::port::ground::Ground;
use crate::rules::{self, discover};

/// Reads what each folder brings along, those above it before it.
pub(super) fn read(ground: &Ground<'_>, tree: &Tree, start: &Start, reading: &mut Reading) {
    let mut above: Vec<(AbsPath, HashSet<AbsPath>)> = Vec::new();
    let checkouts: HashSet<AbsPath> =
        repositories(tree).into_iter().filter(|root| is_own_checkout(ground, root)).collect();
    let mut passed = BTreeSet::new();
    for found in &tree.folders {
        while above.last().is_some_and(|(dir, _)| !found.dir.starts_with(dir)) {
            above.pop();
        }
        let items = items(ground, start, &found.dir);
        let is_given = |path: &AbsPath| {
            start.given.contains(path) || above.iter().any(|(_, given)| given.contains(path))
        };
        let mut given = HashSet::new();
        for (item, origin) in &items {
            let Some(path) = item.layer.provenance.path.as_ref() else { continue };
            if item.is_loaded() && (is_given(path) || !given.insert(path.clone())) {
                continue;
            }
            match &found.belongs {
                Belongs::Project => add(ground, tree, item, *origin, reading),
                _ if !item.is_loaded() => {}
                Belongs::Repository(root) if checkouts.contains(root) => {
                    passed.insert(root);
                }
                _ => reading.lose(Loss::new("instructions", path, LossKind::Dropped, stays(found))),
            }
        }
        above.push((found.dir.clone(), given));
    }
    for root in passed {
        let why = "it is another checkout of this repository; run the port there";
        reading.lose(Loss::new("checkout", root, LossKind::Dropped, why));
    }
}

/// Why what belongs to somebody else stays where it is.
pub(super) fn stays(found: &Found) -> String {
    match &found.belongs {
        Belongs::Repository(root) => {
            format!("it belongs to another repository, `{root}`; run the port there")
        }
        _ => "it belongs to an installed package; copy what you need of it into the project"
            .to_owned(),
    }
}

/// What a folder brings along, in the client's order.
fn items(ground: &Ground<'_>, start: &Start, dir: &AbsPath) -> Vec<(Item, Origin)> {
    let context = ground.context;
    let candidate = |path: AbsPath, kind: LayerKind, owner: Owner| Candidate {
        path,
        kind,
        owner,
        via: Via::Discovered,
        dir: dir.clone(),
    };
    let mut loader = Loader::new(context, &ground.documents, Moment::Touch);
    for name in OWN_FILES {
        let owner = if name == "CLAUDE.local.md" { Owner::Local } else { Owner::Project };
        loader.load(&candidate(dir.join(name), LayerKind::Instructions, owner));
    }
    let mut items: Vec<_> =
        std::mem::take(&mut loader.items).into_iter().map(|item| (item, Origin::File)).collect();
    let rules = discover(context.world.fs, &dir.join(".claude/rules"));
    let is_on = Owner::Project.turned_off_by(context.settings.sources).is_none();
    let load = |is_bound: bool| {
        let rules = &rules;
        move |loader: &mut Loader<'_>| {
            for rule in rules {
                let candidate = candidate(rule.path.clone(), LayerKind::Rule, Owner::Project);
                loader.load_rule(&candidate, &rule.found_as, |scope| {
                    if matches!(scope, rules::Scope::Files(_)) == is_bound {
                        load::Applies::Yes
                    } else {
                        load::Applies::Silently
                    }
                });
            }
        }
    };
    if is_on {
        loader.twice(load(false), load(true));
    }
    items.extend(loader.items.into_iter().map(|item| (item, Origin::Rule)));
    let own = || OWN_FILES.iter().any(|name| context.world.fs.metadata(&dir.join(name)).is_ok());
    if start.agents_md && !(context.mode == Mode::Fallback && own()) {
        let mut loader = Loader::new(context, &ground.documents, Moment::Touch);
        for name in AGENTS_FILES {
            let mut agents = candidate(dir.join(name), LayerKind::AgentsMd, Owner::Project);
            agents.via = Via::Fallback;
            loader.load(&agents);
        }
        items.extend(loader.items.into_iter().map(|item| (item, Origin::File)));
    }
    items
}
