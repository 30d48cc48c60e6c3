//! Carrying what one client keeps to another, with every loss named.

mod adapter;
mod back;
mod copies;
mod drafts;
mod join;
mod ledger;
mod lowered;
mod manifest;
mod mark;
mod outcome;
mod proof;
mod recipe;
mod request;

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

pub use crate::report::{Loss, LossKind, LossReport};
pub use adapter::{LowerBundle, ReadBundle, View};
pub use lowered::{Lowered, Placement, Target};
pub use outcome::{Changed, Conflict, Port, PortRequest, Side};
pub use request::{LowerOptions, MemoryAs, OverBudget, PortPlace};

use back::{Back, bring_back};
use copies::Copies;
use drafts::Drafts;
use join::Joint;
use ledger::{Ledger, Record};
use manifest::{Names, fingerprint};
use outcome::SourceState;
use proof::Proof;

use crate::error::Error;
use crate::fs::{CachedFs, Overlay};
use crate::inventory::ItemKind;
use crate::model::{Bundle, SourceFile};
use crate::path::{AbsPath, RelPath};
use crate::report::{Code, Diagnostic, Severity};
use crate::world::World;

/// Says what carrying everything from one client to another would write, and
/// what would be lost; nothing is written.
///
/// The source is read without what earlier ports brought it; what came from the
/// target once is brought back as it was, the rest is lowered by the target's
/// adapter and joined with the files that are there: in parts of their own
/// between marks, never over anybody's text. Then the target is asked what a
/// session would be given after the port, and what it does not show is a loss.
///
/// Errors when a client cannot be read at all, or a manifest is damaged.
///
/// See the examples `port_claude_to_codex` and `custom_target` for its use.
pub fn port(
    world: World<'_>,
    source: &dyn ReadBundle,
    target: &dyn LowerBundle,
    request: &PortRequest,
) -> Result<Port, Error> {
    // Both clients are asked, before and after: each look at the disk is one too many.
    let cached = CachedFs::new(world.fs);
    let world = World { fs: &cached, env: world.env };
    let place = &request.place;
    let clients = (source.client(), target.client());
    let mut ledger = Ledger::read(world.fs, place, [clients.0, clients.1])?;
    ledger.trust_only(world.fs, |client, path| {
        let is_source = client == clients.0.0;
        if is_source {
            source.may_hold_copy(world, place, path)
        } else {
            target.keeps(world, place, path)
        }
    });
    let is_back = |record: &Record| record.entry.client == clients.1.0;
    // What can no longer be brought back is the source's own by now.
    let comes_back = |record: &Record| {
        world.fs.symlink_metadata(&record.from).is_ok() || target.keeps(world, place, &record.from)
    };
    let stays = |record: &Record| is_back(record) && !record.is_elsewhere && !comes_back(record);
    let marked = ledger.without_copies(world.fs, stays, Some(STAND_IN));
    let read = source.read_bundle(World { fs: &marked, env: world.env }, place)?;
    let mut diagnostics = read.diagnostics;
    let bundle = only(unmarked(without_stand_ins(read.value)), request);
    // To the target, what other projects carried is as good as people's own.
    let hidden = ledger.without_copies(world.fs, |it| stays(it) || it.is_elsewhere, None);
    let before = World { fs: &hidden, env: world.env };
    let lower = |world| -> Result<Lowered, Error> {
        let mut lowered = target.lower(world, place, &bundle, &request.options)?;
        for placement in &mut lowered.placements {
            if let Target::Section { file, name, text, .. } = &mut placement.to {
                *text = mark::unmarked(std::mem::take(text));
                // Other projects have parts of that name in the same file.
                let of_project = |file: &SourceFile| file.path.starts_with(&place.project);
                if placement.from.first().is_some_and(of_project)
                    && !file.starts_with(&place.project)
                    && let Some(below) = RelPath::new(name)
                {
                    *name = Names { place }.name_from_home(&place.project.join(below.as_str()));
                }
            }
        }
        Ok(lowered)
    };
    let mut lowered = lower(before)?;

    let mut roots = lowered.roots.clone();
    roots.push(place.project.clone());
    roots.push(place.home.join(".memport"));
    let returning: Vec<_> = ledger
        .records
        .iter()
        .filter(|record| is_back(record) && !record.is_elsewhere && comes_back(record))
        .filter(|record| request.only.is_empty() || asked(request, &record.entry.kind))
        .collect();
    let mut drafts = Drafts::new(world.fs, roots);
    // Only the manifest of the home names files outside of the project.
    for record in &returning {
        let from = &record.from;
        let is_of_person = drafts.is_outside(from) && from.starts_with(&place.home);
        if is_of_person && target.keeps(world, place, from) {
            drafts.allow(from);
        }
    }
    let mut back = Back::default();
    let copies = Copies::new(world.fs, &ledger);
    for record in returning {
        bring_back(world.fs, (&ledger, &copies), record, &mut drafts, &mut back);
    }
    if drafts.is_changed() {
        // What comes back may decide what the target reads beside it.
        let mut returned = Overlay::new(&hidden);
        drafts.show(&mut returned);
        let before = World { fs: &returned, env: world.env };
        lowered = lower(before)?;
    }
    diagnostics.append(&mut lowered.diagnostics);
    let kinds = kinds(&bundle);
    let mut joint = Joint::new(world.fs, place, (&ledger, &copies), clients, &kinds);
    joint.join(&lowered.placements, &mut drafts);
    joint.carried.append(&mut back.carried);
    joint.sides.append(&mut back.sides);
    joint.conflicts.append(&mut back.conflicts);
    diagnostics.append(&mut joint.diagnostics);
    let (sides, conflicts) = (joint.sides.clone(), joint.conflicts.clone());
    let mut carried: BTreeMap<AbsPath, BTreeSet<AbsPath>> = BTreeMap::new();
    for (from, to) in &joint.carried {
        carried.entry(from.clone()).or_default().insert(to.clone());
    }

    let mut losses = bundle.left_out.clone();
    losses.append(&mut lowered.losses);
    losses.extend(conflicts.iter().map(|conflict| in_the_way(conflict, target.name())));
    let outcome = drafts.outcome();
    let after = World { fs: &outcome, env: world.env };
    let findings =
        Proof::new(after, place, target, &losses).account(&bundle, &lowered.placements)?;
    // Who edited a copy meant it: what it no longer says is told as a change.
    let is_edited = |loss: &Loss| {
        sides.iter().any(|side| side.changed == Changed::Copy && side.from == loss.path)
    };
    losses.extend(findings.losses.into_iter().filter(|loss| !is_edited(loss)));
    diagnostics.extend(awakened(after, source, place, &bundle, &drafts)?);
    order(&mut losses, &bundle);

    // What an earlier port left is read without it: its bytes are other ones.
    let whole = |file: &&SourceFile| ledger.sections_of(&file.path).is_empty();
    let files = lowered.placements.iter().flat_map(|placement| &placement.from).filter(whole);
    let state = |file: &SourceFile| SourceState {
        fingerprint: fingerprint(&file.content),
        metadata: world.fs.metadata(&file.path).ok(),
    };
    let sources = files.map(|file| (file.path.clone(), state(file))).collect();
    let mut entries = joint.entries(&lowered.placements);
    ledger.name_project(&mut entries, &lowered.of_project);
    entries.append(&mut back.entries);
    let mut plan = drafts.plan()?;
    let made_of = drafts.made_of.clone();
    ledger.changes(entries, &mut plan)?;
    Ok(Port {
        plan,
        made_of,
        carried,
        sources,
        losses: LossReport { losses },
        conflicts,
        sides,
        unaccounted: findings.unaccounted,
        diagnostics,
    })
}

/// What a source reads in the place of a text that an earlier port brought it.
const STAND_IN: &str = "memport: what stands here was carried from another client\n";

/// A bundle without what earlier ports brought.
fn without_stand_ins(mut bundle: Bundle) -> Bundle {
    let is_own = |text: &str| text.trim() != STAND_IN.trim();
    bundle.instructions.retain(|piece| is_own(&piece.text));
    bundle.rules.retain(|rule| is_own(&rule.text));
    bundle
}

/// A bundle whose texts hold no marks: those of an earlier port say nothing of
/// this one, and no client shows them to anybody on purpose.
fn unmarked(mut bundle: Bundle) -> Bundle {
    for piece in &mut bundle.instructions {
        piece.text = mark::unmarked(std::mem::take(&mut piece.text));
    }
    for rule in &mut bundle.rules {
        rule.text = mark::unmarked(std::mem::take(&mut rule.text));
    }
    bundle
}

/// The parts of a bundle that are asked for.
fn only(bundle: Bundle, request: &PortRequest) -> Bundle {
    let asked = |kind| request.carries(kind);
    Bundle {
        instructions: if asked(ItemKind::Instruction) { bundle.instructions } else { Vec::new() },
        rules: if asked(ItemKind::Rule) { bundle.rules } else { Vec::new() },
        skills: if asked(ItemKind::Skill) { bundle.skills } else { Vec::new() },
        stores: if asked(ItemKind::Memory) { bundle.stores } else { Vec::new() },
        left_out: if request.only.is_empty() { bundle.left_out } else { Vec::new() },
    }
}

fn asked(request: &PortRequest, kind: &str) -> bool {
    request.only.iter().any(|asked| asked.as_str() == kind)
}

/// What kind of thing each file is.
fn kinds(bundle: &Bundle) -> HashMap<AbsPath, ItemKind> {
    let mut kinds = HashMap::new();
    for piece in &bundle.instructions {
        kinds.insert(piece.file.path.clone(), ItemKind::Instruction);
    }
    for rule in &bundle.rules {
        kinds.insert(rule.file.path.clone(), ItemKind::Rule);
    }
    for skill in &bundle.skills {
        kinds.insert(skill.path.clone(), ItemKind::Skill);
        for file in &skill.files {
            kinds.insert(skill.place_of(&file.path), ItemKind::Skill);
        }
    }
    for store in &bundle.stores {
        for file in &store.files {
            kinds.insert(store.root.join(file.path.as_str()), ItemKind::Memory);
        }
        let of_memories = store.memories.iter().filter_map(|memory| memory.origin.path.as_ref());
        kinds.extend(of_memories.map(|path| (path.clone(), ItemKind::Memory)));
    }
    kinds
}

fn in_the_way(conflict: &Conflict, client: &str) -> Loss {
    let what = "what is in the way";
    let Conflict { from, path, why, .. } = conflict;
    if from == path {
        let message = format!(
            "{client} needs another text there for what is carried: it stays as it is, {why}"
        );
        return Loss::new(what, path, LossKind::Approximated, message);
    }
    let message = format!("it is not carried to {client}: `{path}` stays as it is, {why}");
    Loss::new(what, from, LossKind::Dropped, message)
}

/// The files that the source itself would load because the port wrote them.
fn awakened(
    after: World<'_>,
    source: &dyn ReadBundle,
    place: &PortPlace,
    bundle: &Bundle,
    drafts: &Drafts<'_>,
) -> Result<Vec<Diagnostic>, Error> {
    let plan = drafts.plan()?;
    if plan.is_empty() {
        return Ok(Vec::new());
    }
    let Some(view) = source.shown(after, place)? else { return Ok(Vec::new()) };
    let known = bundle.instructions.iter().map(|piece| &piece.file.path);
    let known: HashSet<_> = known.chain(bundle.rules.iter().map(|rule| &rule.file.path)).collect();
    let written: HashSet<_> = plan.changes().iter().map(crate::plan::Change::path).collect();
    let more = view
        .texts
        .iter()
        .map(|(path, _)| path)
        .filter(|path| !known.contains(path) && written.contains(&drafts.real(path)));
    let more: BTreeSet<_> = more.collect();
    Ok(more
        .into_iter()
        .map(|path| {
            let message = format!("{} will load this file too, beside the original", source.name());
            Diagnostic::new(Code("port/loaded-twice"), Severity::Warning, message).at(path)
        })
        .collect())
}

/// Brings the losses into the order of the source; one that is told twice goes.
fn order(losses: &mut Vec<Loss>, bundle: &Bundle) {
    let pieces = bundle.instructions.iter().map(|piece| &piece.file.path);
    let pieces = pieces.chain(bundle.rules.iter().map(|rule| &rule.file.path));
    let pieces = pieces.chain(bundle.skills.iter().map(|skill| &skill.path));
    let pieces = pieces.chain(bundle.stores.iter().map(|store| &store.root));
    let mut places: HashMap<AbsPath, usize> = HashMap::new();
    for (number, path) in pieces.enumerate() {
        places.entry(path.clone()).or_insert(number);
    }
    let place = |loss: &Loss| {
        loss.path.ancestors().find_map(|path| places.get(&path).copied()).unwrap_or(usize::MAX)
    };
    losses.sort_by_cached_key(|loss| (place(loss), loss.path.clone(), loss.line));
    losses.dedup();
}
