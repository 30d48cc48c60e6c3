//! A write transaction: staged, committed, then finished or rolled back.

use std::cell::Cell;
use std::collections::BTreeSet;

use super::check::{self, Folders, state};
use super::journal::{
    CONFLICTED, DONE, OWN_ONLY, PLACED, READY, ROLLED_BACK, UNDO_PLACED, UNDO_READY, UNDOING,
    UNDONE, make_dirs,
};
use super::record::{Record, State};
use super::swap::{Swap, SwapState};
use super::{Journal, Recovered, RunId};
use crate::error::Error;
use crate::fs::{FileKind, FsMut, IoError, IoErrorKind, Lock, NewFile};
use crate::path::AbsPath;

/// One run of a journal that is locked.
pub(super) struct Transaction<'a> {
    pub(super) fs: &'a dyn FsMut,
    pub(super) journal: &'a Journal,
    pub(super) run: RunId,
    pub(super) record: Record,
    /// How many swaps were begun, where this very call makes them.
    pub(super) begun: Cell<Option<usize>>,
}

/// In which direction a transaction goes, and the marks that say how far it is:
/// all is staged, all is in place, nothing is left to do.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Direction {
    Apply,
    Undo,
}

impl Direction {
    fn ready(self) -> &'static str {
        if self == Self::Apply { READY } else { UNDO_READY }
    }
    fn placed(self) -> &'static str {
        if self == Self::Apply { PLACED } else { UNDO_PLACED }
    }
    fn ended(self) -> &'static str {
        if self == Self::Apply { DONE } else { UNDONE }
    }
}

impl Transaction<'_> {
    fn dir(&self) -> AbsPath {
        self.journal.dir_of(self.run)
    }

    /// All swaps of the run, in the order in which they are made.
    pub(super) fn swaps(&self, direction: Direction) -> Result<Vec<Swap>, Error> {
        let dir = self.dir();
        let mut swaps = Vec::with_capacity(self.record.steps.len());
        for (number, step) in self.record.steps.iter().enumerate() {
            swaps.extend(match direction {
                Direction::Apply => Swap::forward(number, step, &dir)?,
                Direction::Undo => Swap::backward(number, step, &dir)?,
            });
        }
        if direction == Direction::Undo {
            swaps.reverse();
        }
        Ok(swaps)
    }

    /// Waits for the locks of the folders in which the run writes, which those
    /// who use another journal wait for too; where the system has none, a
    /// collision is seen at each path alone.
    pub(super) fn lock(&self) -> Result<Vec<Box<dyn Lock>>, Error> {
        let roots = self.record.roots.iter().filter_map(|root| AbsPath::new(root).ok());
        let there = roots.filter_map(|root| {
            let mut above = root.ancestors();
            above.find_map(|dir| self.fs.canonicalize(&dir).ok())
        });
        // In one order for everybody, so that no two wait for each other.
        let dirs: BTreeSet<AbsPath> = there.collect();
        let mut held = Vec::new();
        for dir in dirs {
            match self.fs.lock_dir(&dir, self.journal.wait) {
                Ok(lock) => held.push(lock),
                Err(source) if source.kind == IoErrorKind::Locked => {
                    return Err(Error::Write { path: dir, source });
                }
                Err(_) => {}
            }
        }
        Ok(held)
    }

    /// Makes a symlink under its staging name.
    pub(super) fn stage_link(&self, swap: &Swap, target: &str) -> Result<(), Error> {
        let made = self.fs.create_link(&swap.staging, target);
        made.map_err(|source| write_error(swap.path.clone(), source))
    }

    /// Stages what was there before, by what the journal keeps.
    pub(super) fn stage_backup(&self, swap: &Swap) -> Result<(), Error> {
        let Some(step) = self.record.steps.get(swap.step) else { return Ok(()) };
        if step.from.is_some() {
            return self.make_parent(&swap.path);
        }
        match (&step.before, &step.backup) {
            (State::File { mode, .. }, Some(backup)) => {
                self.make_parent(&swap.path)?;
                let kept = self.dir().join(backup);
                let io = |source| Error::Io { path: kept.clone(), source };
                let bytes = self.fs.read_up_to(&kept, u64::MAX).map_err(io)?;
                let made = self.fs.create_file_of(&swap.staging, &bytes, *mode, step.owner());
                made.map_err(|source| write_error(swap.path.clone(), source))
            }
            (State::Link { target }, _) => {
                self.make_parent(&swap.path)?;
                self.stage_link(swap, target)
            }
            _ => Ok(()),
        }
    }

    fn make_parent(&self, path: &AbsPath) -> Result<(), Error> {
        path.parent().map_or(Ok(()), |parent| make_dirs(self.fs, &parent).map(drop))
    }

    /// Makes the files that are still to be staged, swaps everything in and
    /// commits; once this is `Ok` the run counts as carried out.
    pub(super) fn execute(
        &self,
        direction: Direction,
        swaps: &[Swap],
        files: &[NewFile<'_>],
    ) -> Result<(), Error> {
        let mut dirs = touched_dirs(swaps);
        dirs.extend(self.made_dirs()?.iter().filter_map(AbsPath::parent));
        self.fs.create_files(files, &dirs).map_err(|(path, source)| {
            let swap = swaps.iter().find(|swap| swap.staging == path);
            write_error(swap.map_or(path, |swap| swap.path.clone()), source)
        })?;
        self.journal.mark(self.fs, self.run, direction.ready())?;
        for (number, swap) in swaps.iter().enumerate() {
            self.begun.set(Some(number));
            swap.swap_in(self.fs)?;
        }
        self.begun.set(None);
        self.commit(direction, swaps)
    }

    fn commit(&self, direction: Direction, swaps: &[Swap]) -> Result<(), Error> {
        // A program may still write to the old file that it has open.
        if let Some(swap) =
            swaps.iter().find(|swap| swap.leaves_staging() && !swap.has_clean_staging(self.fs))
        {
            return Err(Error::Stale { path: swap.path.clone() });
        }
        self.sync_dirs(&touched_dirs(swaps))?;
        self.journal.mark(self.fs, self.run, direction.placed())
    }

    fn sync_dirs(&self, dirs: &BTreeSet<AbsPath>) -> Result<(), Error> {
        self.fs.sync_dirs(dirs).map_err(|(path, source)| Error::Write { path, source })
    }

    /// Clears up after the commit; says what somebody else changed at the last
    /// moment, whose version the run's folder keeps.
    pub(super) fn clean_up(
        &self,
        direction: Direction,
        swaps: &[Swap],
    ) -> Result<Option<Recovered>, Error> {
        let mut changed = Vec::new();
        let mut cleared = BTreeSet::new();
        for swap in swaps.iter().filter(|swap| swap.leaves_staging()) {
            let found = self.clear_staging(swap)?;
            if found == State::Absent {
                continue;
            }
            if !swap.expect.matches(&found) {
                changed.push(swap.path.clone());
            }
            cleared.extend(swap.staging.parent());
        }
        self.sync_dirs(&cleared)?;
        if direction == Direction::Undo {
            self.remove_made_dirs()?;
        }
        self.journal.rename_mark(self.fs, self.run, direction.placed(), direction.ended())?;
        Ok(if changed.is_empty() { None } else { Some(self.conflicted(changed)) })
    }

    /// Removes what stands under the staging name, and says what that was; what
    /// nobody knows is kept in the run's folder.
    fn clear_staging(&self, swap: &Swap) -> Result<State, Error> {
        let path = &swap.staging;
        let found = state(self.fs, path)?;
        if found == State::Absent {
            return Ok(found);
        }
        if !swap.expect.matches(&found) && !swap.want.matches(&found) {
            self.keep_copy(swap)?;
        }
        let write = |source| Error::Write { path: path.clone(), source };
        self.fs.remove_file(path).map_err(write)?;
        Ok(found)
    }

    /// Copies what stands under the staging name into the run's folder.
    fn keep_copy(&self, swap: &Swap) -> Result<(), Error> {
        let io = |source| Error::Io { path: swap.staging.clone(), source };
        let bytes = match self.fs.symlink_metadata(&swap.staging).map_err(io)?.kind {
            FileKind::Symlink => self.fs.read_link(&swap.staging).map_err(io)?.into_bytes(),
            _ => self.fs.read_up_to(&swap.staging, u64::MAX).map_err(io)?,
        };
        let dir = self.dir();
        let names = (0_u32..).map(|count| dir.join(format!("aside-{}-{count}", swap.step)));
        for path in names {
            match self.fs.create_file(&path, &bytes, OWN_ONLY) {
                Err(error) if error.kind == IoErrorKind::AlreadyExists => {}
                made => return made.map_err(|source| Error::Write { path, source }),
            }
        }
        Ok(())
    }

    /// The folders that the run makes, outermost first.
    pub(super) fn made_dirs(&self) -> Result<Vec<AbsPath>, Error> {
        Ok(self.record.made_dirs.iter().map(AbsPath::new).collect::<Result<_, _>>()?)
    }

    fn remove_made_dirs(&self) -> Result<(), Error> {
        for dir in self.made_dirs()?.iter().rev() {
            // A folder that somebody else uses now stays.
            drop(self.fs.remove_dir(dir));
        }
        Ok(())
    }

    fn has(&self, mark: &str) -> bool {
        self.journal.has(self.fs, self.run, mark)
    }

    fn states(&self, direction: Direction, swaps: &[Swap]) -> Result<Vec<SwapState>, Error> {
        let is_ready = self.has(direction.ready())
            || (direction == Direction::Apply && self.record.format == 0);
        let mut may_have_begun = true;
        let mut states = Vec::with_capacity(swaps.len());
        for (number, swap) in swaps.iter().enumerate() {
            may_have_begun &= self.begun.get().is_none_or(|begun| number < begun);
            let swap_state = swap.state(self.fs, is_ready, may_have_begun)?;
            may_have_begun &= swap_state != SwapState::Pending;
            states.push(swap_state);
        }
        Ok(states)
    }

    /// Brings a run that was interrupted to one of its ends.
    pub(super) fn recover(&self) -> Result<Recovered, Error> {
        match check::record(self.fs, &self.dir(), &self.record) {
            Ok(()) => {}
            Err(
                Error::ThroughLink { path, .. }
                | Error::NotADirectory { path, .. }
                | Error::Journal { path, .. },
            ) => return self.quarantine(vec![path]),
            Err(error) => return Err(error),
        }
        if self.has(DONE) { self.finish_undo() } else { self.finish() }
    }

    /// Ends a run: as planned where everything is so, else as it was before.
    fn finish(&self) -> Result<Recovered, Error> {
        let swaps = self.swaps(Direction::Apply)?;
        if self.has(PLACED) {
            return self.cleaned_up(Direction::Apply, &swaps);
        }
        let states = self.states(Direction::Apply, &swaps)?;
        if states.iter().all(|it| *it == SwapState::InPlace)
            && self.commit(Direction::Apply, &swaps).is_ok()
        {
            return self.cleaned_up(Direction::Apply, &swaps);
        }
        self.restored(&swaps, &states)
    }

    /// Brings everything back to what was before the run, unless it is committed.
    pub(super) fn roll_back(&self) -> Result<Recovered, Error> {
        let swaps = self.swaps(Direction::Apply)?;
        if self.has(PLACED) {
            return self.cleaned_up(Direction::Apply, &swaps);
        }
        self.restored(&swaps, &self.states(Direction::Apply, &swaps)?)
    }

    /// Everything as it was before the run.
    fn restored(&self, swaps: &[Swap], states: &[SwapState]) -> Result<Recovered, Error> {
        let conflicts = self.roll_back_swaps(swaps, states)?;
        if !conflicts.is_empty() {
            return self.quarantine(conflicts);
        }
        self.remove_made_dirs()?;
        self.journal.mark(self.fs, self.run, ROLLED_BACK)?;
        Ok(Recovered::RolledBack { run: self.run })
    }

    /// Ends an undo: everything is as before the run where it can be so, else as
    /// the run left it.
    fn finish_undo(&self) -> Result<Recovered, Error> {
        let swaps = self.swaps(Direction::Undo)?;
        if self.has(UNDO_PLACED) {
            return self.cleaned_up(Direction::Undo, &swaps);
        }
        let states = self.states(Direction::Undo, &swaps)?;
        if self.complete_undo(&swaps, &states).is_ok() {
            return self.cleaned_up(Direction::Undo, &swaps);
        }
        self.roll_back_undo()
    }

    /// Brings everything back to what the run left, unless the undo is committed.
    pub(super) fn roll_back_undo(&self) -> Result<Recovered, Error> {
        let swaps = self.swaps(Direction::Undo)?;
        if self.has(UNDO_PLACED) {
            return self.cleaned_up(Direction::Undo, &swaps);
        }
        let states = self.states(Direction::Undo, &swaps)?;
        let conflicts = self.roll_back_swaps(&swaps, &states)?;
        if !conflicts.is_empty() {
            return self.quarantine(conflicts);
        }
        self.journal.unmark(self.fs, self.run, UNDO_READY)?;
        self.journal.unmark(self.fs, self.run, UNDOING)?;
        Ok(Recovered::UndoRolledBack { run: self.run })
    }

    /// Clears up after the commit, and says what became of the run.
    fn cleaned_up(&self, direction: Direction, swaps: &[Swap]) -> Result<Recovered, Error> {
        let conflict = self.clean_up(direction, swaps)?;
        Ok(conflict.unwrap_or(match direction {
            Direction::Apply => Recovered::Completed { run: self.run },
            Direction::Undo => Recovered::UndoCompleted { run: self.run },
        }))
    }

    fn complete_undo(&self, swaps: &[Swap], states: &[SwapState]) -> Result<(), Error> {
        let is_ready = self.has(UNDO_READY);
        for (swap, swap_state) in swaps.iter().zip(states) {
            let is_open =
                *swap_state == SwapState::Pending && swap.is_as_expected(self.fs, &swap.path);
            if !is_open && *swap_state != SwapState::InPlace {
                return Err(Error::Stale { path: swap.path.clone() });
            }
        }
        for (swap, _) in pending(swaps, states) {
            let is_there = state(self.fs, &swap.staging)? != State::Absent;
            if swap.from.is_none() && !(is_ready && is_there) {
                self.clear_staging(swap)?;
                self.stage_backup(swap)?;
            }
        }
        self.sync_dirs(&touched_dirs(swaps))?;
        self.journal.mark(self.fs, self.run, UNDO_READY)?;
        for (swap, _) in pending(swaps, states) {
            swap.swap_in(self.fs)?;
        }
        self.commit(Direction::Undo, swaps)
    }

    /// Swaps every path back; says where somebody else wrote at the same time,
    /// and touches nothing where that is known before.
    fn roll_back_swaps(&self, swaps: &[Swap], states: &[SwapState]) -> Result<Vec<AbsPath>, Error> {
        let mut conflicts = conflicts(swaps, states);
        if !conflicts.is_empty() {
            return Ok(conflicts);
        }
        for (swap, swap_state) in swaps.iter().zip(states).rev() {
            match self.roll_back_swap(swap, *swap_state) {
                Err(Error::Stale { path }) => conflicts.push(path),
                rolled_back => rolled_back?,
            }
        }
        self.sync_dirs(&touched_dirs(swaps))?;
        Ok(conflicts)
    }

    fn roll_back_swap(&self, swap: &Swap, swap_state: SwapState) -> Result<(), Error> {
        match swap_state {
            SwapState::Pending if swap.from.is_some() => Ok(()),
            SwapState::Pending => self.clear_staging(swap).map(drop),
            SwapState::Clobbered => {
                swap.put_back(self.fs, None)?;
                self.clear_staging(swap).map(drop)
            }
            SwapState::Conflict => Err(Error::Stale { path: swap.path.clone() }),
            SwapState::InPlace => {
                let is_move = swap.from.is_some();
                let needs_nothing = is_move || swap.expect == State::Absent;
                if needs_nothing || state(self.fs, &swap.staging)? != State::Absent {
                    let back = swap.clone().inverse();
                    back.swap_in(self.fs)?;
                    return if is_move { Ok(()) } else { self.clear_staging(&back).map(drop) };
                }
                self.roll_back_from_backup(swap)
            }
        }
    }

    /// The same where what was there has no staging name, for the file system
    /// cannot swap names.
    fn roll_back_from_backup(&self, swap: &Swap) -> Result<(), Error> {
        let back = self.swaps(Direction::Undo)?.into_iter().find(|back| back.step == swap.step);
        match back {
            Some(back) if back.expect == swap.want => {
                self.clear_staging(&back)?;
                self.stage_backup(&back)?;
                back.swap_in(self.fs)?;
                self.clear_staging(&back).map(drop)
            }
            _ => Err(Error::Stale { path: swap.path.clone() }),
        }
    }

    /// Leaves a run as it is, for the person to decide: nothing is put in place
    /// and nothing taken back, and all versions are kept.
    fn quarantine(&self, mut paths: Vec<AbsPath>) -> Result<Recovered, Error> {
        let (roots, mut folders) = (self.roots()?, Folders::default());
        for direction in [Direction::Apply, Direction::Undo] {
            for swap in self.swaps(direction)?.iter().filter(|swap| swap.from.is_none()) {
                let is_there =
                    matches!(state(self.fs, &swap.staging), Ok(found) if found != State::Absent);
                let is_outside = folders.guard(self.fs, &roots, &swap.staging).is_err();
                if !is_there || is_outside {
                    continue;
                }
                let kept = self.keep_copy(swap);
                let removed = kept.is_ok() && self.fs.remove_file(&swap.staging).is_ok();
                if !removed {
                    paths.push(swap.staging.clone());
                }
            }
        }
        self.journal.mark(self.fs, self.run, CONFLICTED)?;
        Ok(self.conflicted(paths))
    }

    fn roots(&self) -> Result<Vec<AbsPath>, Error> {
        Ok(self.record.roots.iter().map(AbsPath::new).collect::<Result<_, _>>()?)
    }

    fn conflicted(&self, paths: Vec<AbsPath>) -> Recovered {
        Recovered::Conflicted { run: self.run, paths, kept: self.dir() }
    }
}

/// The folders in which names change.
fn touched_dirs(swaps: &[Swap]) -> BTreeSet<AbsPath> {
    let paths = swaps.iter().flat_map(|swap| swap.from.iter().chain([&swap.path]));
    paths.filter_map(AbsPath::parent).collect()
}

fn write_error(path: AbsPath, source: IoError) -> Error {
    match source.kind {
        IoErrorKind::ForeignOwner => Error::ForeignOwner { path },
        _ => Error::Write { path, source },
    }
}

fn conflicts(swaps: &[Swap], states: &[SwapState]) -> Vec<AbsPath> {
    let pairs = swaps.iter().zip(states);
    pairs.filter(|(_, at)| **at == SwapState::Conflict).map(|(swap, _)| swap.path.clone()).collect()
}

fn pending<'a>(
    swaps: &'a [Swap],
    states: &'a [SwapState],
) -> impl Iterator<Item = (&'a Swap, &'a SwapState)> {
    swaps.iter().zip(states).filter(|(_, swap_state)| **swap_state == SwapState::Pending)
}
