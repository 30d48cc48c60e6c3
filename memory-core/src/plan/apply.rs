//! The one place that writes.

use std::cell::Cell;

use super::check::{self, Folders};
use super::journal::OWN_ONLY;
use super::leg::{self, Leg};
use super::moved::leaves;
use super::record::{FORMAT, Record, State, StepRecord};
use super::work::{Way, Work};
use super::{Change, Journal, Recovered, RunId, WritePlan};
use crate::{AbsPath, Digest, Error, FsMut, IoErrorKind, NewFile, Ownership};

/// A plan that was carried out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Applied {
    /// The number under which it can be undone.
    pub run: RunId,
    /// What became of runs that were interrupted before, and what somebody else
    /// wrote to at the same moment.
    pub recovered: Vec<Recovered>,
}

/// Carries out a plan, all of it or nothing.
///
/// Takes the journal's lock, ends what an interrupted run left, checks that
/// every file is as the plan expects, writes the new files beside the old ones,
/// and then gives each the name of the old one, in one step in which it is seen
/// whether somebody else wrote meanwhile. When anything fails on the way,
/// everything is brought back; when the program ends on the way, the next call
/// does so.
///
/// Errors when the plan is stale, leads through a link, or the system refuses.
///
/// ```
/// use memory_core::{AbsPath, Change, Fs, Journal, MemFs, WritePlan, apply, undo};
///
/// let fs = MemFs::from_files([("/notes/a.md", "one\n")]);
/// let root = AbsPath::new("/notes")?;
/// let mut plan = WritePlan::new([root.clone()]);
/// plan.add(Change::replace(root.join("a.md"), b"one\n", "two\n"))?;
///
/// let journal = Journal::new(AbsPath::new("/state/memport")?);
/// let applied = apply(&fs, &plan, &journal)?;
/// assert_eq!(fs.read_up_to(&root.join("a.md"), 99).unwrap(), b"two\n");
/// undo(&fs, &journal, applied.run)?;
/// assert_eq!(fs.read_up_to(&root.join("a.md"), 99).unwrap(), b"one\n");
/// # Ok::<(), memory_core::Error>(())
/// ```
pub fn apply(fs: &dyn FsMut, plan: &WritePlan, journal: &Journal) -> Result<Applied, Error> {
    let _lock = journal.lock(fs)?;
    let recovered = journal.prepare(fs)?;
    apply_recovered(fs, plan, journal, recovered)
}

/// The same for a caller that holds the journal's lock and has it recovered.
pub(super) fn apply_recovered(
    fs: &dyn FsMut,
    plan: &WritePlan,
    journal: &Journal,
    mut recovered: Vec<Recovered>,
) -> Result<Applied, Error> {
    let roots: Vec<String> = plan.roots().iter().map(|root| root.as_str().to_owned()).collect();
    let real = plan.roots().iter().map(|root| check::real(fs, root).as_str().to_owned());
    let record = Record {
        format: FORMAT,
        digest: plan.digest().to_string(),
        real_roots: real.collect(),
        roots,
        ..Record::default()
    };
    let mut work = Work { fs, journal, run: RunId(0), record, begun: Cell::default() };
    let _folders = work.lock()?;
    check::plan(fs, plan)?;
    work.run = journal.open(fs)?;
    let mut folders = Folders::default();
    for change in plan.changes() {
        note(&mut work, plan, change, &mut folders)?;
    }
    journal.write(fs, work.run, &work.record)?;
    let legs = work.legs(Way::There)?;
    match carry_out(&work, plan, &legs) {
        Ok(()) => {
            // It is carried out; what is left of the cleaning is done by the next run.
            recovered.extend(work.finish(Way::There, &legs).unwrap_or_default());
            Ok(Applied { run: work.run, recovered })
        }
        // Bring everything back now; when that fails too, the next run does it.
        Err(error) => Err(work.end(false).ok().and_then(Recovered::into_conflict).unwrap_or(error)),
    }
}

/// Notes what is there before anything changes, bytes included.
fn note(
    work: &mut Work<'_>,
    plan: &WritePlan,
    change: &Change,
    folders: &mut Folders,
) -> Result<(), Error> {
    let (fs, path) = (work.fs, change.path());
    let dir = work.journal.dir_of(work.run);
    // Somebody may have written since all of them were looked at.
    let mut bytes = Vec::new();
    let before =
        check::found(fs, plan, change, folders, &mut |piece| bytes.extend_from_slice(piece))?;
    let parent = path.parent().unwrap_or_else(AbsPath::root);
    // Those above a root that is not there yet are made, too.
    let missing: Vec<_> =
        parent.ancestors().take_while(|dir| folders.is_missing(fs, dir)).collect();
    for above in missing.iter().rev() {
        let name = above.as_str().to_owned();
        if !work.record.made_dirs.contains(&name) {
            work.record.made_dirs.push(name);
        }
    }
    let mode = match (&before, change) {
        (_, Change::Replace { mode: Some(mode), .. }) => Some(*mode),
        (State::File { mode, .. }, _) | (_, Change::Create { mode, .. }) => *mode,
        _ => None,
    };
    let after = match change {
        Change::Create { bytes, .. } | Change::Replace { bytes, .. } => {
            State::File { digest: Digest::of(bytes).to_string(), mode }
        }
        Change::Link { target, .. } => State::Link { target: target.clone() },
        Change::Remove { .. } | Change::Unlink { .. } => State::Absent,
        Change::Move { .. } => State::Something,
    };
    let (mut backup, mut owner) = (None, None);
    if let State::File { .. } = &before {
        let name = format!("before-{}", work.record.steps.len());
        let kept = dir.join(&name);
        fs.create_file(&kept, &bytes, OWN_ONLY)
            .map_err(|source| Error::Write { path: kept, source })?;
        let Ownership { owner: found, .. } =
            fs.ownership(path).map_err(|source| Error::Io { path: path.clone(), source })?;
        owner = found.map(|owner| (owner.user, owner.group));
        backup = Some(name);
    }
    let (from, moved) = match change {
        Change::Move { from, .. } => (Some(from.as_str().to_owned()), leaves(fs, from)),
        _ => (None, Vec::new()),
    };
    let is_move = from.is_some();
    let aside = |purpose| -> Result<Option<String>, Error> {
        if is_move {
            return Ok(None);
        }
        // In a folder that is not there every name is free.
        let name = if missing.is_empty() {
            free(work, path, &dir, purpose)?
        } else {
            leg::aside(path, &dir, purpose)
        };
        Ok(Some(name.as_str().to_owned()))
    };
    let (staged, restore) = (aside("new")?, aside("restore")?);
    let path = path.as_str().to_owned();
    work.record.steps.push(StepRecord {
        path,
        from,
        staged,
        restore,
        before,
        after,
        backup,
        owner,
        moved,
    });
    Ok(())
}

/// A name aside that nobody has: a journal that was deleted may have left some.
fn free(work: &Work<'_>, path: &AbsPath, dir: &AbsPath, purpose: &str) -> Result<AbsPath, Error> {
    let mut name = leg::aside(path, dir, purpose);
    for count in 0_u32.. {
        if check::state(work.fs, &name)? == State::Absent {
            break;
        }
        name = leg::aside(path, dir, &format!("{purpose} {count}"));
    }
    Ok(name)
}

fn carry_out(work: &Work<'_>, plan: &WritePlan, legs: &[Leg]) -> Result<(), Error> {
    for dir in work.made_dirs()? {
        match work.fs.create_dir(&dir) {
            Err(source) if source.kind != IoErrorKind::AlreadyExists => {
                return Err(Error::Write { path: dir, source });
            }
            _ => {}
        }
    }
    let mut files = Vec::new();
    for leg in legs {
        match (plan.changes().get(leg.step), &leg.want) {
            (
                Some(Change::Create { bytes, .. } | Change::Replace { bytes, .. }),
                State::File { mode, .. },
            ) => {
                let owner = work.record.steps.get(leg.step).and_then(StepRecord::owner);
                let path = leg.aside.clone();
                files.push(NewFile { path, bytes, mode: *mode, owner });
            }
            (Some(Change::Link { target, .. }), _) => work.stage_link(leg, target)?,
            _ => {}
        }
    }
    work.carry(Way::There, legs, &files)
}
