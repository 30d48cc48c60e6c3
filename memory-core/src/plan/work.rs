//! A run at work: what is made ready, put in place, finished or taken back.

use std::cell::Cell;
use std::collections::BTreeSet;

use super::check::{self, Folders, state};
use super::journal::{
    CONFLICTED, DONE, OWN_ONLY, PLACED, READY, ROLLED_BACK, UNDO_PLACED, UNDO_READY, UNDOING,
    UNDONE, make_dirs,
};
use super::leg::{Leg, Position};
use super::record::{Record, State};
use super::{Journal, Recovered, RunId};
use crate::{AbsPath, Error, FileKind, FsMut, IoError, IoErrorKind, Lock, NewFile};

/// One run of a journal that is locked.
pub(super) struct Work<'a> {
    pub(super) fs: &'a dyn FsMut,
    pub(super) journal: &'a Journal,
    pub(super) run: RunId,
    pub(super) record: Record,
    /// How many legs were begun, where this very call put them in place.
    pub(super) begun: Cell<Option<usize>>,
}

/// In which direction a run goes, and the marks that say how far it is: all is
/// ready, all is in place, nothing is left to do.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Way {
    There,
    Back,
}

impl Way {
    fn ready(self) -> &'static str {
        if self == Self::There { READY } else { UNDO_READY }
    }
    fn placed(self) -> &'static str {
        if self == Self::There { PLACED } else { UNDO_PLACED }
    }
    fn ended(self) -> &'static str {
        if self == Self::There { DONE } else { UNDONE }
    }
}

impl Work<'_> {
    fn dir(&self) -> AbsPath {
        self.journal.dir_of(self.run)
    }

    /// All ways of the run, in the order in which they are gone.
    pub(super) fn legs(&self, way: Way) -> Result<Vec<Leg>, Error> {
        let dir = self.dir();
        let mut legs = Vec::with_capacity(self.record.steps.len());
        for (number, step) in self.record.steps.iter().enumerate() {
            legs.extend(match way {
                Way::There => Leg::there(number, step, &dir)?,
                Way::Back => Leg::back(number, step, &dir)?,
            });
        }
        if way == Way::Back {
            legs.reverse();
        }
        Ok(legs)
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

    /// Makes a link ready under its name aside.
    pub(super) fn stage_link(&self, leg: &Leg, target: &str) -> Result<(), Error> {
        let made = self.fs.create_link(&leg.aside, target);
        made.map_err(|source| unwritten(leg.path.clone(), source))
    }

    /// Makes ready what was there before, by what the journal keeps.
    pub(super) fn stage_before(&self, leg: &Leg) -> Result<(), Error> {
        let Some(step) = self.record.steps.get(leg.step) else { return Ok(()) };
        if step.from.is_some() {
            return self.make_parent(&leg.path);
        }
        match (&step.before, &step.backup) {
            (State::File { mode, .. }, Some(backup)) => {
                self.make_parent(&leg.path)?;
                let kept = self.dir().join(backup);
                let io = |source| Error::Io { path: kept.clone(), source };
                let bytes = self.fs.read_up_to(&kept, u64::MAX).map_err(io)?;
                let made = self.fs.create_file_of(&leg.aside, &bytes, *mode, step.owner());
                made.map_err(|source| unwritten(leg.path.clone(), source))
            }
            (State::Link { target }, _) => {
                self.make_parent(&leg.path)?;
                self.stage_link(leg, target)
            }
            _ => Ok(()),
        }
    }

    fn make_parent(&self, path: &AbsPath) -> Result<(), Error> {
        path.parent().map_or(Ok(()), |parent| make_dirs(self.fs, &parent).map(drop))
    }

    /// Puts everything in place, with the files that are still to be made ready
    /// under their names aside; once this is `Ok` the run counts as carried out.
    pub(super) fn carry(&self, way: Way, legs: &[Leg], files: &[NewFile<'_>]) -> Result<(), Error> {
        let mut dirs = touched(legs);
        dirs.extend(self.made_dirs()?.iter().filter_map(AbsPath::parent));
        self.fs.create_files(files, &dirs).map_err(|(path, source)| {
            let leg = legs.iter().find(|leg| leg.aside == path);
            unwritten(leg.map_or(path, |leg| leg.path.clone()), source)
        })?;
        self.journal.mark(self.fs, self.run, way.ready())?;
        for (number, leg) in legs.iter().enumerate() {
            self.begun.set(Some(number));
            leg.put(self.fs)?;
        }
        self.begun.set(None);
        self.commit(way, legs)
    }

    fn commit(&self, way: Way, legs: &[Leg]) -> Result<(), Error> {
        // A program may still write to the old file that it has open.
        if let Some(leg) = legs.iter().find(|leg| leg.leaves_aside() && !leg.is_clean(self.fs)) {
            return Err(Error::Stale { path: leg.path.clone() });
        }
        self.sync_dirs(&touched(legs))?;
        self.journal.mark(self.fs, self.run, way.placed())
    }

    fn sync_dirs(&self, dirs: &BTreeSet<AbsPath>) -> Result<(), Error> {
        self.fs.sync_dirs(dirs).map_err(|(path, source)| Error::Write { path, source })
    }

    /// Clears up after everything is in place; says what somebody else changed
    /// at the last moment, whose version the run's folder keeps.
    pub(super) fn finish(&self, way: Way, legs: &[Leg]) -> Result<Option<Recovered>, Error> {
        let mut changed = Vec::new();
        let mut cleared = BTreeSet::new();
        for leg in legs.iter().filter(|leg| leg.leaves_aside()) {
            let found = self.clear(leg)?;
            if found == State::Absent {
                continue;
            }
            if !leg.expect.matches(&found) {
                changed.push(leg.path.clone());
            }
            cleared.extend(leg.aside.parent());
        }
        self.sync_dirs(&cleared)?;
        if way == Way::Back {
            self.remove_made_dirs()?;
        }
        self.journal.rename_mark(self.fs, self.run, way.placed(), way.ended())?;
        Ok(if changed.is_empty() { None } else { Some(self.conflicted(changed)) })
    }

    /// Removes what is aside, and says what that was; what nobody knows is kept
    /// in the run's folder.
    fn clear(&self, leg: &Leg) -> Result<State, Error> {
        let path = &leg.aside;
        let found = state(self.fs, path)?;
        if found == State::Absent {
            return Ok(found);
        }
        if !leg.expect.matches(&found) && !leg.want.matches(&found) {
            self.keep(leg)?;
        }
        let write = |source| Error::Write { path: path.clone(), source };
        self.fs.remove_file(path).map_err(write)?;
        Ok(found)
    }

    /// Keeps what is aside in the run's folder.
    fn keep(&self, leg: &Leg) -> Result<(), Error> {
        let io = |source| Error::Io { path: leg.aside.clone(), source };
        let bytes = match self.fs.symlink_metadata(&leg.aside).map_err(io)?.kind {
            FileKind::Link => self.fs.read_link(&leg.aside).map_err(io)?.into_bytes(),
            _ => self.fs.read_up_to(&leg.aside, u64::MAX).map_err(io)?,
        };
        let dir = self.dir();
        let names = (0_u32..).map(|count| dir.join(format!("aside-{}-{count}", leg.step)));
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
        self.record.made_dirs.iter().map(AbsPath::new).collect()
    }

    fn remove_made_dirs(&self) -> Result<(), Error> {
        for dir in self.made_dirs()?.iter().rev() {
            // A folder that somebody else uses by now stays.
            drop(self.fs.remove_dir(dir));
        }
        Ok(())
    }

    fn has(&self, mark: &str) -> bool {
        self.journal.has(self.fs, self.run, mark)
    }

    fn positions(&self, way: Way, legs: &[Leg]) -> Result<Vec<Position>, Error> {
        let is_ready = self.has(way.ready()) || (way == Way::There && self.record.format == 0);
        let mut may_have_begun = true;
        let mut positions = Vec::with_capacity(legs.len());
        for (number, leg) in legs.iter().enumerate() {
            may_have_begun &= self.begun.get().is_none_or(|begun| number < begun);
            let position = leg.position(self.fs, is_ready, may_have_begun)?;
            may_have_begun &= position != Position::Waiting;
            positions.push(position);
        }
        Ok(positions)
    }

    /// Brings a run that was interrupted to one of its ends.
    pub(super) fn recover(&self) -> Result<Recovered, Error> {
        match check::record(self.fs, &self.dir(), &self.record) {
            Ok(()) => {}
            Err(
                Error::ThroughLink { path, .. }
                | Error::NotADirectory { path, .. }
                | Error::Journal { path, .. },
            ) => return self.set_aside(vec![path]),
            Err(error) => return Err(error),
        }
        if self.has(DONE) { self.end_undo(true) } else { self.end(true) }
    }

    /// Ends a run: as planned where everything is so and it `may_complete`,
    /// else as it was before.
    pub(super) fn end(&self, may_complete: bool) -> Result<Recovered, Error> {
        let run = self.run;
        let legs = self.legs(Way::There)?;
        if self.has(PLACED) {
            let conflict = self.finish(Way::There, &legs)?;
            return Ok(conflict.unwrap_or(Recovered::Completed { run }));
        }
        let positions = self.positions(Way::There, &legs)?;
        if positions.contains(&Position::Lost) {
            return self.set_aside(lost(&legs, &positions));
        }
        if may_complete
            && positions.iter().all(|position| *position == Position::Arrived)
            && self.commit(Way::There, &legs).is_ok()
        {
            let conflict = self.finish(Way::There, &legs)?;
            return Ok(conflict.unwrap_or(Recovered::Completed { run }));
        }
        let lost = self.take_back(&legs, &positions)?;
        if !lost.is_empty() {
            return self.set_aside(lost);
        }
        self.remove_made_dirs()?;
        self.journal.mark(self.fs, run, ROLLED_BACK)?;
        Ok(Recovered::RolledBack { run })
    }

    /// Ends an undo: everything is as before the run where it can be so and
    /// `may_complete`, else as the run left it.
    pub(super) fn end_undo(&self, may_complete: bool) -> Result<Recovered, Error> {
        let run = self.run;
        let legs = self.legs(Way::Back)?;
        if self.has(UNDO_PLACED) {
            let conflict = self.finish(Way::Back, &legs)?;
            return Ok(conflict.unwrap_or(Recovered::UndoCompleted { run }));
        }
        let positions = self.positions(Way::Back, &legs)?;
        if positions.contains(&Position::Lost) {
            return self.set_aside(lost(&legs, &positions));
        }
        if may_complete && self.complete_undo(&legs, &positions).is_ok() {
            let conflict = self.finish(Way::Back, &legs)?;
            return Ok(conflict.unwrap_or(Recovered::UndoCompleted { run }));
        }
        let positions = self.positions(Way::Back, &legs)?;
        if positions.contains(&Position::Lost) {
            return self.set_aside(lost(&legs, &positions));
        }
        let lost = self.take_back(&legs, &positions)?;
        if !lost.is_empty() {
            return self.set_aside(lost);
        }
        self.journal.unmark(self.fs, run, UNDO_READY)?;
        self.journal.unmark(self.fs, run, UNDOING)?;
        Ok(Recovered::UndoTakenBack { run })
    }

    fn complete_undo(&self, legs: &[Leg], positions: &[Position]) -> Result<(), Error> {
        let is_ready = self.has(UNDO_READY);
        for (leg, position) in legs.iter().zip(positions) {
            let is_open = *position == Position::Waiting && leg.is_as_expected(self.fs, &leg.path);
            if !is_open && *position != Position::Arrived {
                return Err(Error::Stale { path: leg.path.clone() });
            }
        }
        for (leg, _) in open(legs, positions) {
            let is_there = state(self.fs, &leg.aside)? != State::Absent;
            if leg.from.is_none() && !(is_ready && is_there) {
                self.clear(leg)?;
                self.stage_before(leg)?;
            }
        }
        self.sync_dirs(&touched(legs))?;
        self.journal.mark(self.fs, self.run, UNDO_READY)?;
        for (leg, _) in open(legs, positions) {
            leg.put(self.fs)?;
        }
        self.commit(Way::Back, legs)
    }

    /// Brings every path back to where it comes from; says where somebody else
    /// wrote meanwhile.
    fn take_back(&self, legs: &[Leg], positions: &[Position]) -> Result<Vec<AbsPath>, Error> {
        let mut lost = Vec::new();
        for (leg, position) in legs.iter().zip(positions).rev() {
            match self.take_one_back(leg, *position) {
                Err(Error::Stale { path }) => lost.push(path),
                taken => taken?,
            }
        }
        self.sync_dirs(&touched(legs))?;
        Ok(lost)
    }

    fn take_one_back(&self, leg: &Leg, position: Position) -> Result<(), Error> {
        match position {
            Position::Waiting if leg.from.is_some() => Ok(()),
            Position::Waiting => self.clear(leg).map(drop),
            Position::Displaced => {
                leg.give_back(self.fs, None)?;
                self.clear(leg).map(drop)
            }
            Position::Lost => Err(Error::Stale { path: leg.path.clone() }),
            Position::Arrived => {
                let is_move = leg.from.is_some();
                let needs_nothing = is_move || leg.expect == State::Absent;
                if needs_nothing || state(self.fs, &leg.aside)? != State::Absent {
                    let back = leg.clone().inverse();
                    back.put(self.fs)?;
                    return if is_move { Ok(()) } else { self.clear(&back).map(drop) };
                }
                self.take_back_by_kept(leg)
            }
        }
    }

    /// The same where what was there is no more aside, for the file system
    /// cannot swap names.
    fn take_back_by_kept(&self, leg: &Leg) -> Result<(), Error> {
        let back = self.legs(Way::Back)?.into_iter().find(|back| back.step == leg.step);
        match back {
            Some(back) if back.expect == leg.want => {
                self.clear(&back)?;
                self.stage_before(&back)?;
                back.put(self.fs)?;
                self.clear(&back).map(drop)
            }
            _ => Err(Error::Stale { path: leg.path.clone() }),
        }
    }

    /// Leaves a run as it is, for the person to decide: nothing is put in place
    /// and nothing taken back, and all versions are kept.
    fn set_aside(&self, mut paths: Vec<AbsPath>) -> Result<Recovered, Error> {
        let (roots, mut folders) = (self.roots()?, Folders::default());
        for way in [Way::There, Way::Back] {
            for leg in self.legs(way)?.iter().filter(|leg| leg.from.is_none()) {
                let is_there =
                    matches!(state(self.fs, &leg.aside), Ok(found) if found != State::Absent);
                let is_outside = folders.guard(self.fs, &roots, &leg.aside).is_err();
                if !is_there || is_outside {
                    continue;
                }
                let kept = self.keep(leg);
                let removed = kept.is_ok() && self.fs.remove_file(&leg.aside).is_ok();
                if !removed {
                    paths.push(leg.aside.clone());
                }
            }
        }
        self.journal.mark(self.fs, self.run, CONFLICTED)?;
        Ok(self.conflicted(paths))
    }

    fn roots(&self) -> Result<Vec<AbsPath>, Error> {
        self.record.roots.iter().map(AbsPath::new).collect()
    }

    fn conflicted(&self, paths: Vec<AbsPath>) -> Recovered {
        Recovered::Conflicted { run: self.run, paths, kept: self.dir() }
    }
}

/// The folders in which names change.
fn touched(legs: &[Leg]) -> BTreeSet<AbsPath> {
    let paths = legs.iter().flat_map(|leg| leg.from.iter().chain([&leg.path]));
    paths.filter_map(AbsPath::parent).collect()
}

fn unwritten(path: AbsPath, source: IoError) -> Error {
    match source.kind {
        IoErrorKind::ForeignOwner => Error::ForeignOwner { path },
        _ => Error::Write { path, source },
    }
}

fn lost(legs: &[Leg], positions: &[Position]) -> Vec<AbsPath> {
    let pairs = legs.iter().zip(positions);
    pairs.filter(|(_, at)| **at == Position::Lost).map(|(leg, _)| leg.path.clone()).collect()
}

fn open<'a>(
    legs: &'a [Leg],
    positions: &'a [Position],
) -> impl Iterator<Item = (&'a Leg, &'a Position)> {
    legs.iter().zip(positions).filter(|(_, position)| **position == Position::Waiting)
}
