//! The one place that writes.

use std::cell::Cell;

use super::check::{self, Folders};
use super::journal::OWN_ONLY;
use super::record::{FORMAT, Record, State, StepRecord};
use super::swap::{self, Swap};
use super::transaction::{Direction, Transaction};
use super::tree_digest::tree_digest;
use super::{Change, Journal, Recovered, RunId, WritePlan};
use crate::digest::Digest;
use crate::error::Error;
use crate::fs::{FsMut, IoErrorKind, NewFile, Ownership};
use crate::path::AbsPath;

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
/// whether somebody else wrote meanwhile. When anything fails on the direction,
/// everything is brought back; when the program ends on the direction, the next call
/// does so.
///
/// Errors when the plan is stale, leads through a link, or the system refuses.
///
/// ```
/// use memory_core::AbsPath;
/// use memory_core::fs::{Fs, MemFs};
/// use memory_core::plan::{Change, Journal, WritePlan, apply, undo};
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
    let recovered = journal.recover_and_prune(fs)?;
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
    let mut transaction =
        Transaction { fs, journal, run: RunId(0), record, begun: Cell::default() };
    let _folders = transaction.lock()?;
    check::plan(fs, plan)?;
    transaction.run = journal.open(fs)?;
    let mut folders = Folders::default();
    for change in plan.changes() {
        note(&mut transaction, plan, change, &mut folders)?;
    }
    journal.write(fs, transaction.run, &transaction.record)?;
    let swaps = transaction.swaps(Direction::Apply)?;
    match stage_and_execute(&transaction, plan, &swaps) {
        Ok(()) => {
            // It is carried out; what is left of the cleaning is done by the next run.
            recovered.extend(transaction.clean_up(Direction::Apply, &swaps).unwrap_or_default());
            Ok(Applied { run: transaction.run, recovered })
        }
        // Bring everything back now; when that fails too, the next run does it.
        Err(error) => {
            Err(transaction.roll_back().ok().and_then(Recovered::into_conflict).unwrap_or(error))
        }
    }
}

/// Notes what is there before anything changes, bytes included.
fn note(
    transaction: &mut Transaction<'_>,
    plan: &WritePlan,
    change: &Change,
    folders: &mut Folders,
) -> Result<(), Error> {
    let (fs, path) = (transaction.fs, change.path());
    let dir = transaction.journal.dir_of(transaction.run);
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
        if !transaction.record.made_dirs.contains(&name) {
            transaction.record.made_dirs.push(name);
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
        Change::Symlink { target, .. } => State::Link { target: target.clone() },
        Change::Remove { .. } | Change::RemoveSymlink { .. } => State::Absent,
        Change::Move { .. } => State::Something,
    };
    let (mut backup, mut owner) = (None, None);
    if let State::File { .. } = &before {
        let name = format!("before-{}", transaction.record.steps.len());
        let kept = dir.join(&name);
        fs.create_file(&kept, &bytes, OWN_ONLY)
            .map_err(|source| Error::Write { path: kept, source })?;
        let Ownership { owner: found, .. } =
            fs.ownership(path).map_err(|source| Error::Io { path: path.clone(), source })?;
        owner = found.map(|owner| (owner.user, owner.group));
        backup = Some(name);
    }
    let (from, moved) = match change {
        Change::Move { from, .. } => (Some(from.as_str().to_owned()), tree_digest(fs, from)),
        _ => (None, Vec::new()),
    };
    let is_move = from.is_some();
    let staging = |purpose| -> Result<Option<String>, Error> {
        if is_move {
            return Ok(None);
        }
        // In a folder that is not there every name is free.
        let name = if missing.is_empty() {
            free(transaction, path, &dir, purpose)?
        } else {
            swap::staging_path(path, &dir, purpose)
        };
        Ok(Some(name.as_str().to_owned()))
    };
    let (staged, restore) = (staging("new")?, staging("restore")?);
    let path = path.as_str().to_owned();
    transaction.record.steps.push(StepRecord {
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

/// A staging name that nobody has: a journal that was deleted may have left some.
fn free(
    transaction: &Transaction<'_>,
    path: &AbsPath,
    dir: &AbsPath,
    purpose: &str,
) -> Result<AbsPath, Error> {
    let mut name = swap::staging_path(path, dir, purpose);
    for count in 0_u32.. {
        if check::state(transaction.fs, &name)? == State::Absent {
            break;
        }
        name = swap::staging_path(path, dir, &format!("{purpose} {count}"));
    }
    Ok(name)
}

fn stage_and_execute(
    transaction: &Transaction<'_>,
    plan: &WritePlan,
    swaps: &[Swap],
) -> Result<(), Error> {
    for dir in transaction.made_dirs()? {
        match transaction.fs.create_dir(&dir) {
            Err(source) if source.kind != IoErrorKind::AlreadyExists => {
                return Err(Error::Write { path: dir, source });
            }
            _ => {}
        }
    }
    let mut files = Vec::new();
    for swap in swaps {
        match (plan.changes().get(swap.step), &swap.want) {
            (
                Some(Change::Create { bytes, .. } | Change::Replace { bytes, .. }),
                State::File { mode, .. },
            ) => {
                let owner = transaction.record.steps.get(swap.step).and_then(StepRecord::owner);
                let path = swap.staging.clone();
                files.push(NewFile { path, bytes, mode: *mode, owner });
            }
            (Some(Change::Symlink { target, .. }), _) => transaction.stage_link(swap, target)?,
            _ => {}
        }
    }
    transaction.execute(Direction::Apply, swaps, &files)
}
