//! Carrying what one client keeps to another, with every loss named.

mod adapter;
mod back;
mod bases;
mod drafts;
mod join;
mod ledger;
mod lines;
mod lowered;
mod manifest;
mod mark;
mod merge;
mod note;
mod outcome;
mod piece;
mod proof;
mod recipe;
mod request;
mod share;
mod text;
mod weigh;

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

pub use crate::report::{Loss, LossKind, LossReport};
pub use adapter::{LowerBundle, ReadBundle, View};
pub use lowered::{Lowered, Placement, Target};
pub use outcome::{Changed, Conflict, Port, PortRequest, Side};
pub use request::{Form, Imports, LowerOptions, MemoryAs, OverBudget, PortPlace, Prefer, Widens};

use back::{Back, Mirror};
use bases::Bases;
use drafts::Drafts;
use join::{Joined, Joint};
use ledger::{Ledger, Record};
use manifest::{Accepted, Names};
use outcome::{SourceState, fingerprint};
use piece::{Clients, unnoted};
use proof::Proof;
use weigh::Scales;

use crate::error::Error;
use crate::fs::{CachedFs, Fs, Overlay};
use crate::inventory::ItemKind;
use crate::model::{Bundle, SourceFile};
use crate::path::{AbsPath, RelPath};
use crate::plan::WritePlan;
use crate::report::Severity;
use crate::world::World;

/// Says what carrying everything from one client to another would write, and
/// what would be lost; nothing is written.
///
/// Both sides and what they were when they were the same last are looked at
/// piece by piece: what one side changed is taken, what both changed is merged
/// by lines, and what cannot be merged stays and is told. What came from the
/// target once goes back to where it came from; the rest is lowered by the
/// target's adapter. Then the target is asked what a session would be given
/// after the port, and what it does not show is a loss.
///
/// Errors when a client cannot be read at all, or a manifest cannot be looked at.
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
    let clients = [source.client(), target.client()];
    let mut ledger = Ledger::read(world.fs, place, clients)?;
    trust(&mut ledger, world, (source, target), place);
    let forth = Clients { client: clients[0], target: clients[1] };
    let back = Clients { client: clients[1], target: clients[0] };

    // What became of what the target once gave: a port in the other direction says
    // what would be made of it now.
    let mut diagnostics = ledger.diagnostics();
    let mut mirror = Mirror::default();
    let reversed = target.as_source().zip(source.as_target());
    if let Some((read, lower)) = reversed {
        let (bare, _) = ledger.without_copies(world.fs, |_| false, Some(STAND_IN));
        let read = read.read_bundle(World { fs: &bare, env: world.env }, place)?;
        let bundle = without_stand_ins(read.value);
        let (hidden, _) = ledger.without_copies(world.fs, |_| false, None);
        let hidden = World { fs: &hidden, env: world.env };
        let lowered = lower.lower(hidden, place, &bundle, &request.options)?;
        let kinds = kinds(&bundle);
        let drafts = Drafts::new(world.fs, roots(place, &lowered.roots));
        mirror = Mirror::new(named_apart(lowered, place), kinds, &drafts);
        let found = (mirror.placements.as_slice(), mirror.pieces.as_slice());
        let adopted = unnoted(world.fs, place, &ledger, found, back, &mirror.kinds);
        ledger.adopt(adopted);
    }

    let is_back = |record: &Record| record.is_of(clients[1]);
    // What can no longer be brought back is the source's own by now.
    let comes_back = |record: &Record| {
        world.fs.symlink_metadata(&record.from).is_ok() || target.keeps(world, place, &record.from)
    };
    let stays = |record: &Record| is_back(record) && !record.is_elsewhere && !comes_back(record);
    let (marked, mixed) = ledger.without_copies(world.fs, stays, Some(STAND_IN));
    let read = source.read_bundle(World { fs: &marked, env: world.env }, place)?;
    diagnostics.extend(read.diagnostics);
    let is_refused = diagnostics.iter().any(|told| told.severity == Severity::Error);
    let seen: BTreeSet<AbsPath> = texts_of(&read.value).cloned().collect();
    let mut bundle = only(without_stand_ins(read.value), request);
    bundle.mixed = mixed;
    let kinds = kinds(&bundle);
    // To the target, what other projects carried is as good as people's own.
    let (hidden, _) = ledger.without_copies(world.fs, |it| stays(it) || it.is_elsewhere, None);
    let lower = |fs: &dyn Fs, bundle: &Bundle| -> Result<Lowered, Error> {
        let world = World { fs, env: world.env };
        Ok(named_apart(target.lower(world, place, bundle, &request.options)?, place))
    };
    let mut lowered = lower(&hidden, &bundle)?;

    let all_roots = roots(place, &lowered.roots);
    let mut drafts = Drafts::new(world.fs, all_roots.clone());
    let adopted = {
        let pieces = piece::pieces(&lowered.placements, &drafts);
        unnoted(world.fs, place, &ledger, (&lowered.placements, &pieces), forth, &kinds)
    };
    if !adopted.is_empty() {
        ledger.adopt(adopted);
    }
    let (hidden, _) = ledger.without_copies(world.fs, |it| stays(it) || it.is_elsewhere, None);
    let bases = Bases::new(world.fs, place, request.state.as_ref());
    let scales = Scales::new(world.fs, &bases, place, (request.prefer, request.state.as_ref()));
    let is_asked = |record: &Record| request.only.is_empty() || asked(request, &record.entry.kind);

    // First back, as that may decide what the target reads beside it.
    // Only the manifest of the home names files outside of the project.
    let returning =
        || ledger.records.iter().filter(|it| is_back(it) && !it.is_elsewhere && comes_back(it));
    let allowed = |drafts: &mut Drafts<'_>| {
        for record in returning() {
            let from = &record.from;
            let is_of_person = drafts.is_outside(from) && from.starts_with(&place.home);
            if is_of_person && target.keeps(world, place, from) {
                drafts.allow(from);
            }
        }
    };
    allowed(&mut drafts);
    let mut brought = Back {
        fs: world.fs,
        place,
        ledger: &ledger,
        scales: &scales,
        clients: back,
        mirror: &mirror,
        out: Joined::default(),
        diagnostics: Vec::new(),
    };
    brought.bring(&mut drafts, |record| is_asked(record) && comes_back(record));
    let Back { out: brought, diagnostics: told, .. } = brought;
    diagnostics.extend(told);
    let mut returned = Overlay::new(&hidden);
    if drafts.is_changed() {
        drafts.show(&mut returned);
    }
    lowered = lower(&returned, &bundle)?;
    let known = |path: &AbsPath| {
        ledger.records.iter().any(|it| it.is_of(clients[0]) && it.from == *path && !it.is_elsewhere)
    };
    keep_near((world.fs, place), request.widens, &known, &mut lowered);
    if let Some(form @ (Form::Import | Form::Link)) = request.options.form {
        let found = (source, &bundle);
        share::share(world, place, found, &mut lowered, (&ledger, &mut drafts), form);
    }
    // What the source reads itself, it would be shown twice.
    let seen = seen.into_iter().map(|path| drafts.real(&path)).collect();
    share::withhold(&mut lowered, &seen, &drafts, (source.name(), target.name()));
    let unread: HashSet<AbsPath> = bundle
        .left_out
        .iter()
        .chain(&lowered.losses)
        .filter(|loss| loss.how == LossKind::Dropped && loss.kept_in.is_none())
        .map(|loss| loss.path.clone())
        .collect();
    let is_carried = |record: &Record| is_asked(record) && !is_refused;
    let join = |lowered: &Lowered, drafts: &mut Drafts<'_>| {
        let found = (&ledger, &scales);
        let joint = Joint::new(place, found, forth, &kinds, &unread, &is_carried);
        joint.join(&lowered.placements, drafts)
    };
    let before = drafts.clone();
    let mut joined = join(&lowered, &mut drafts);
    // Nor may it read anew what is written for the target.
    for _ in 0..ROUNDS {
        let anew = awakened(world, (source, place), &seen, &drafts)?;
        if anew.is_empty() {
            break;
        }
        share::withhold(&mut lowered, &anew, &drafts, (source.name(), target.name()));
        drafts = before.clone();
        joined = join(&lowered, &mut drafts);
    }
    diagnostics.append(&mut lowered.diagnostics);
    joined.add(brought);
    let mut carried: BTreeMap<AbsPath, BTreeSet<AbsPath>> = BTreeMap::new();
    for (from, to) in &joined.carried {
        carried.entry(from.clone()).or_default().insert(to.clone());
    }

    let mut losses = bundle.left_out.clone();
    losses.append(&mut lowered.losses);
    losses.extend(joined.conflicts.iter().map(|conflict| in_the_way(conflict, target.name())));
    let outcome = drafts.outcome();
    let after = World { fs: &outcome, env: world.env };
    let sections = piece::shown(&piece::pieces(&lowered.placements, &drafts));
    let proof = Proof::new(after, place, target, &losses);
    let findings = proof.account(&bundle, &lowered.placements, &sections)?;
    // Who edited a copy meant it: what it no longer says is told as a change.
    let is_edited = |loss: &Loss| {
        joined.sides.iter().any(|side| {
            matches!(side.changed, Changed::Copy | Changed::CopyGone | Changed::Both)
                && side.from == loss.path
        })
    };
    losses.extend(findings.losses.into_iter().filter(|loss| !is_edited(loss)));
    order(&mut losses, &bundle);

    // What an earlier port left is read without it: its bytes are other ones.
    let whole = |file: &&SourceFile| !ledger.has_parts(&file.path);
    let files = lowered.placements.iter().flat_map(|placement| &placement.from).filter(whole);
    let state = |file: &SourceFile| SourceState {
        fingerprint: fingerprint(&file.content),
        metadata: world.fs.metadata(&file.path).ok(),
    };
    let sources = files.map(|file| (file.path.clone(), state(file))).collect();
    let mut entries = joined.entries;
    note::one_way_back(&mut entries);
    ledger.name_project(&mut entries, &lowered.of_project);
    let keys: Vec<&str> = entries.iter().map(|entry| entry.base.as_str()).collect();
    let kept = bases.changed(place, joined.bases, &keys);
    let mut plan = drafts.plan()?;
    let made_of = drafts.made_of.clone();
    ledger.changes(world.fs, entries.clone(), clients, &BTreeSet::new(), &mut plan)?;
    let form = form(&lowered, &joined.carried);
    Ok(Port {
        plan,
        made_of,
        carried,
        sources,
        losses: LossReport { losses },
        conflicts: joined.conflicts,
        conflict_folder: scales.conflicts.clone(),
        form,
        kept,
        sides: joined.sides,
        unaccounted: findings.unaccounted,
        diagnostics,
    })
}

/// How often it is looked again whether the source reads what is written.
const ROUNDS: usize = 4;

fn roots(place: &PortPlace, of_client: &[AbsPath]) -> Vec<AbsPath> {
    let own = [place.project.clone(), place.home.join(".memport")];
    of_client.iter().cloned().chain(own).collect()
}

/// Forgets what a manifest of the project has no right to say.
fn trust(
    ledger: &mut Ledger<'_>,
    world: World<'_>,
    (source, target): (&dyn ReadBundle, &dyn LowerBundle),
    place: &PortPlace,
) {
    let is_source = |client: &str| client == source.client().0;
    let originals = |client: &str, path: &AbsPath| {
        if is_source(client) {
            source.as_target().is_none_or(|it| it.keeps(world, place, path))
        } else {
            target.keeps(world, place, path)
        }
    };
    let copies = |client: &str, path: &AbsPath| {
        if is_source(client) {
            source.may_hold_copy(world, place, path)
        } else {
            target.as_source().is_none_or(|it| it.may_hold_copy(world, place, path))
        }
    };
    ledger.trust_only(world.fs, originals, copies);
}

/// Parts of a file outside of the project have names that tell projects apart.
fn named_apart(mut lowered: Lowered, place: &PortPlace) -> Lowered {
    for placement in &mut lowered.placements {
        let of_project = |file: &SourceFile| file.path.starts_with(&place.project);
        if let Target::Section { file, name, .. } = &mut placement.to
            && placement.from.first().is_some_and(of_project)
            && !file.starts_with(&place.project)
            && let Some(below) = RelPath::new(name)
        {
            *name = Names { place }.name_from_home(&place.project.join(below.as_str()));
        }
    }
    lowered
}

/// The files of a bundle whose texts are put before the model.
fn texts_of(bundle: &Bundle) -> impl Iterator<Item = &AbsPath> {
    let instructions = bundle.instructions.iter().map(|piece| &piece.file.path);
    instructions.chain(bundle.rules.iter().map(|rule| &rule.file.path))
}

/// In which form the texts of the project reach the target.
fn form(lowered: &Lowered, carried: &[(AbsPath, AbsPath)]) -> (Form, String) {
    if let Some(form) = &lowered.form {
        return form.clone();
    }
    let is_text = |placement: &&Placement| matches!(placement.to, Target::Section { .. });
    if lowered.placements.iter().any(|placement| is_text(&placement)) {
        return (Form::Copy, "the client follows no imports".to_owned());
    }
    let is_in_place = carried.iter().any(|(from, to)| from == to);
    let why =
        if is_in_place { "both clients read the same files" } else { "there is no text to carry" };
    (Form::InPlace, why.to_owned())
}

/// The files that are written and that the source would read anew.
fn awakened(
    world: World<'_>,
    (source, place): (&dyn ReadBundle, &PortPlace),
    seen: &BTreeSet<AbsPath>,
    drafts: &Drafts<'_>,
) -> Result<BTreeSet<AbsPath>, Error> {
    let changed: HashSet<&AbsPath> = drafts.changed().collect();
    if changed.is_empty() {
        return Ok(BTreeSet::new());
    }
    let outcome = drafts.outcome();
    let read = source.read_bundle(World { fs: &outcome, env: world.env }, place)?;
    let paths = texts_of(&read.value).map(|path| drafts.real(path));
    Ok(paths.filter(|path| changed.contains(path) && !seen.contains(path)).collect())
}

/// Leaves texts of the project out of what counts in every folder, unless the
/// person wants them there: what a repository says is not the person's word.
fn keep_near(
    (fs, place): (&dyn Fs, &PortPlace),
    widens: Widens,
    is_known: &dyn Fn(&AbsPath) -> bool,
    lowered: &mut Lowered,
) {
    if widens == Widens::Tracked {
        return;
    }
    let leaves = |placement: &Placement| {
        let to = match &placement.to {
            Target::Section { file, .. } | Target::Line { file, .. } => file,
            Target::Whole { path, .. } => path,
            Target::InPlace | Target::Setting { .. } => return false,
        };
        !to.starts_with(&place.project)
    };
    let index = std::cell::OnceCell::new();
    let mut kept: BTreeMap<AbsPath, bool> = BTreeMap::new();
    lowered.placements.retain(|placement| {
        let Some(from) = placement.from.first().filter(|_| leaves(placement)) else { return true };
        let Some(below) = from.path.strip_prefix(&place.project) else { return true };
        let tracked = index.get_or_init(|| crate::git::tracked(fs, &place.project)).contains(below);
        if !tracked && (widens == Widens::Untracked || is_known(&from.path)) {
            return true;
        }
        kept.insert(from.path.clone(), tracked);
        false
    });
    lowered.losses.retain(|loss| !kept.contains_key(&loss.path));
    for (path, tracked) in kept {
        let why = if tracked {
            "it is under version control, so it stays out of what counts in every folder; `--accept-loss scope-widened` carries it there"
        } else {
            "it is for this project, and would count in every folder; `--accept-loss scope-widened` carries it there"
        };
        lowered.losses.push(Loss::new("private text", &path, LossKind::Dropped, why));
    }
}

impl Port {
    /// The plan with a note of the losses that are agreed to, so that they are
    /// known the next time.
    pub fn accepting(
        &self,
        world: World<'_>,
        request: &PortRequest,
        clients: [crate::client::ClientId; 2],
        agrees: impl Fn(&Loss) -> bool,
    ) -> Result<WritePlan, Error> {
        let place = &request.place;
        let accepted_now: BTreeSet<Accepted> = self
            .losses
            .losses
            .iter()
            .filter(|loss| agrees(loss))
            .map(|loss| accepted(loss, place, clients))
            .collect();
        ledger::with_accepted(world.fs, place, &self.plan, &accepted_now)
    }

    /// Whether somebody agreed to a loss when an earlier port was written.
    pub fn was_accepted(
        &self,
        world: World<'_>,
        request: &PortRequest,
        clients: [crate::client::ClientId; 2],
    ) -> Result<impl Fn(&Loss) -> bool + use<>, Error> {
        let ledger = Ledger::read(world.fs, &request.place, clients)?;
        let place = request.place.clone();
        let known: HashSet<Accepted> = self
            .losses
            .losses
            .iter()
            .map(|loss| accepted(loss, &place, clients))
            .filter(|accepted| ledger.has_accepted(accepted))
            .collect();
        Ok(move |loss: &Loss| known.contains(&accepted(loss, &place, clients)))
    }
}

fn accepted(loss: &Loss, place: &PortPlace, clients: [crate::client::ClientId; 2]) -> Accepted {
    Accepted {
        loss: Names { place }.name(&loss.path),
        how: loss.how.as_str().to_owned(),
        what: loss.what.clone(),
        way: format!("{} to {}", clients[0].0, clients[1].0),
    }
}

impl Joined {
    fn add(&mut self, other: Self) {
        self.entries.extend(other.entries);
        self.carried.extend(other.carried);
        self.sides.extend(other.sides);
        self.conflicts.extend(other.conflicts);
        self.bases.extend(other.bases);
    }
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

/// The parts of a bundle that are asked for.
fn only(bundle: Bundle, request: &PortRequest) -> Bundle {
    let asked = |kind| request.carries(kind);
    Bundle {
        instructions: if asked(ItemKind::Instruction) { bundle.instructions } else { Vec::new() },
        rules: if asked(ItemKind::Rule) { bundle.rules } else { Vec::new() },
        skills: if asked(ItemKind::Skill) { bundle.skills } else { Vec::new() },
        stores: if asked(ItemKind::Memory) { bundle.stores } else { Vec::new() },
        left_out: if request.only.is_empty() { bundle.left_out } else { Vec::new() },
        mixed: bundle.mixed,
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
    let Conflict { from, to, why, .. } = conflict;
    if from == to {
        let message = format!(
            "{client} needs another text there for what is carried: it stays as it is, {why}"
        );
        return Loss::new(what, to, LossKind::Approximated, message);
    }
    let message = format!("it is not carried to {client}: `{to}` stays as it is, {why}");
    Loss::new(what, from, LossKind::Dropped, message)
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
