//! The one place that writes.

use super::journal::{self, DONE, OWN_ONLY, make_dirs};
use super::record::{Record, State, StepRecord};
use super::{Change, Journal, RunId, WritePlan, check, step};
use crate::{AbsPath, Digest, Error, FsMut};

/// A plan that was carried out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Applied {
    /// The number under which it can be undone.
    pub run: RunId,
}

/// Carries out a plan, all of it or nothing.
///
/// Takes the journal's lock, finishes what an interrupted run left, checks that
/// every file is as the plan expects, writes the new files beside the old ones,
/// and then renames them one after the other. When anything fails on the way,
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
    journal.recover(fs)?;
    apply_recovered(fs, plan, journal)
}

/// The same for a caller that holds the journal's lock and has it recovered.
pub(super) fn apply_recovered(
    fs: &dyn FsMut,
    plan: &WritePlan,
    journal: &Journal,
) -> Result<Applied, Error> {
    check::plan(fs, plan)?;
    let run = journal.open(fs)?;
    let record = record(fs, plan, journal, run)?;
    journal.write(fs, run, &record)?;
    match carry_out(fs, plan, &record) {
        Ok(()) => {
            journal.mark(fs, run, DONE)?;
            Ok(Applied { run })
        }
        Err(error) => {
            // Bring everything back now; when that fails too, the next run does it.
            if step::roll_back(fs, &journal.dir_of(run), &record).is_ok() {
                journal.mark(fs, run, journal::ROLLED_BACK)?;
            }
            Err(error)
        }
    }
}

/// Notes what is there before anything changes, bytes included.
fn record(
    fs: &dyn FsMut,
    plan: &WritePlan,
    journal: &Journal,
    run: RunId,
) -> Result<Record, Error> {
    let mut record = Record {
        digest: plan.digest().to_string(),
        roots: plan.roots().iter().map(|root| root.as_str().to_owned()).collect(),
        ..Record::default()
    };
    for (number, change) in plan.changes().iter().enumerate() {
        let path = change.path();
        let parent = path.parent().unwrap_or_else(AbsPath::root);
        for dir in parent.from_top(plan.root_of(path).unwrap_or(&parent)) {
            let name = dir.as_str().to_owned();
            let missing = matches!(fs.metadata(&dir), Err(error) if error.is_absence());
            if missing && !record.made_dirs.contains(&name) {
                record.made_dirs.push(name);
            }
        }
        let before = match change {
            Change::Move { .. } => State::Absent,
            _ => check::state(fs, path)?,
        };
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
        let backup = match &before {
            State::File { digest, .. } => {
                let name = format!("before-{number}");
                let io = |source| Error::Io { path: path.clone(), source };
                let bytes = fs.read_up_to(path, u64::MAX).map_err(io)?;
                // Somebody may have written between the two looks: what is kept
                // must be what the record says.
                if Digest::of(&bytes).to_string() != *digest {
                    return Err(Error::Stale { path: path.clone() });
                }
                fs.create_file(&journal.dir_of(run).join(&name), &bytes, OWN_ONLY).map_err(io)?;
                Some(name)
            }
            _ => None,
        };
        let stages =
            matches!(change, Change::Create { .. } | Change::Replace { .. } | Change::Link { .. });
        record.steps.push(StepRecord {
            path: path.as_str().to_owned(),
            from: match change {
                Change::Move { from, .. } => Some(from.as_str().to_owned()),
                _ => None,
            },
            staged: stages
                .then(|| step::staged(path, &journal.dir_of(run), "new").as_str().to_owned()),
            before,
            after,
            backup,
        });
    }
    Ok(record)
}

fn carry_out(fs: &dyn FsMut, plan: &WritePlan, record: &Record) -> Result<(), Error> {
    for dir in &record.made_dirs {
        make_dirs(fs, &AbsPath::new(dir)?)?;
    }
    for (change, step) in plan.changes().iter().zip(&record.steps) {
        let Some(staged) = &step.staged else { continue };
        let staged = AbsPath::new(staged)?;
        let made = match (change, &step.after) {
            (
                Change::Create { bytes, .. } | Change::Replace { bytes, .. },
                State::File { mode, .. },
            ) => fs.create_file(&staged, bytes, *mode),
            (Change::Link { target, .. }, _) => fs.create_link(&staged, target),
            _ => continue,
        };
        made.map_err(|source| Error::Io { path: staged, source })?;
    }
    for (change, step) in plan.changes().iter().zip(&record.steps) {
        let path = change.path();
        // Somebody may have written meanwhile: look again at the last moment.
        let expected = if step.from.is_some() { State::Absent } else { step.before.clone() };
        if !expected.matches(&check::state(fs, path)?) {
            return Err(Error::Stale { path: path.clone() });
        }
        let io = |source| Error::Io { path: path.clone(), source };
        match change {
            Change::Remove { .. } | Change::Unlink { .. } => fs.remove_file(path).map_err(io)?,
            Change::Move { from, .. } => fs.rename(from, path).map_err(io)?,
            _ => {
                if let Some(staged) = &step.staged {
                    fs.rename(&AbsPath::new(staged)?, path).map_err(io)?;
                }
            }
        }
    }
    Ok(())
}
