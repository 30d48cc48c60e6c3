//! Keeping the journal small.

use super::{CONFLICTED, DONE, Journal, RECORD, ROLLED_BACK, RunId, UNDONE};
use crate::{AbsPath, Error, FileKind, FsMut};

/// How many runs that can be undone are kept.
const KEPT: usize = 200;

/// What a run's folder is called when it is to be deleted: no number, so that
/// nothing takes it for a run any more.
const GONE: &str = ".gone";

impl Journal {
    /// Deletes the runs that nobody can undo any more, the oldest of the others
    /// but for [`KEPT`], and what an interrupted deletion left. The journal must
    /// be locked.
    ///
    /// A run goes in one step, by a new name for its folder: were its files
    /// deleted where they are, a run without the mark that it is done would be
    /// taken for an interrupted one and brought back.
    pub(super) fn prune(&self, fs: &dyn FsMut, runs: &[RunId]) -> Result<(), Error> {
        self.delete_gone(fs)?;
        let dead = runs.iter().filter(|run| self.is_dead(fs, **run));
        let done: Vec<_> = runs.iter().filter(|run| self.is_undoable(fs, **run)).collect();
        let old = done.into_iter().rev().skip(KEPT).rev();
        for run in dead.chain(old) {
            let dir = self.dir_of(*run);
            let gone = self.dir.join(format!("runs/{run}{GONE}"));
            fs.rename(&dir, &gone).map_err(|source| Error::Write { path: dir, source })?;
        }
        self.delete_gone(fs)
    }

    fn is_undoable(&self, fs: &dyn FsMut, run: RunId) -> bool {
        self.can_be_undone(fs, run) && !self.is_unfinished(fs, run)
    }

    /// Whether a run ended, or never began, without anything to undo.
    fn is_dead(&self, fs: &dyn FsMut, run: RunId) -> bool {
        let has = |mark| self.has(fs, run, mark);
        let is_over = if has(DONE) { has(UNDONE) } else { !has(RECORD) || has(ROLLED_BACK) };
        is_over && !has(CONFLICTED)
    }

    fn delete_gone(&self, fs: &dyn FsMut) -> Result<(), Error> {
        let dir = self.dir.join("runs");
        for name in named(fs, &dir, FileKind::Dir)?.iter().filter(|name| name.ends_with(GONE)) {
            let gone = dir.join(name);
            for file in named(fs, &gone, FileKind::File)? {
                let path = gone.join(file);
                fs.remove_file(&path).map_err(|source| Error::Write { path, source })?;
            }
            fs.remove_dir(&gone).map_err(|source| Error::Write { path: gone, source })?;
        }
        Ok(())
    }
}

/// The names in a folder that are of this kind; none when it is not there.
fn named(fs: &dyn FsMut, dir: &AbsPath, kind: FileKind) -> Result<Vec<String>, Error> {
    let entries = match fs.read_dir(dir) {
        Err(error) if error.is_absence() => return Ok(Vec::new()),
        Err(source) => return Err(Error::Io { path: dir.clone(), source }),
        Ok(entries) => entries,
    };
    let found = entries.filter_map(Result::ok).filter(|entry| entry.kind == kind);
    Ok(found.map(|entry| entry.name).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Fs as _, MemFs};

    fn journal() -> Journal {
        Journal::new(AbsPath::new("/j").unwrap())
    }

    /// A journal with finished runs of these numbers.
    fn finished(runs: impl IntoIterator<Item = usize>) -> MemFs {
        let mut fs = MemFs::new();
        for run in runs {
            for file in ["record.json", "before-0", "done"] {
                fs.file(format!("/j/runs/{run}/{file}"), "{}");
            }
        }
        fs
    }

    fn names(fs: &MemFs) -> Vec<String> {
        let runs = fs.read_dir(&AbsPath::new("/j/runs").unwrap()).unwrap();
        runs.map(|entry| entry.unwrap().name).collect()
    }

    #[test]
    fn the_oldest_finished_runs_go_when_a_new_one_is_opened() {
        let fs = finished(1..=KEPT);
        assert_eq!(journal().open(&fs), Ok(RunId(201)));
        assert_eq!(names(&fs).len(), KEPT + 1);
        let mut fs = finished(1..=KEPT + 3);
        fs.file("/j/runs/2/undone", "").file("/j/runs/3/rolled-back", "");
        assert_eq!(journal().open(&fs), Ok(RunId(204)));
        let kept: Vec<_> = journal().runs(&fs).unwrap();
        assert_eq!((kept.len(), kept[0]), (KEPT + 1, RunId(4)));
        assert_eq!(names(&fs).len(), kept.len());
    }

    #[test]
    fn an_unfinished_run_stays_however_old_it_is() {
        let mut fs = finished(3..=KEPT + 3);
        fs.file("/j/runs/1/record.json", "{}");
        fs.file("/j/runs/2/record.json", "{}").file("/j/runs/2/done", "");
        fs.file("/j/runs/2/undoing", "");
        journal().open(&fs).unwrap();
        let kept = journal().runs(&fs).unwrap();
        assert_eq!(&kept[..3], [RunId(1), RunId(2), RunId(4)]);
    }

    #[test]
    fn a_deletion_that_was_interrupted_is_finished_and_never_taken_for_a_run() {
        let mut fs = finished(5..=6);
        fs.file("/j/runs/4.gone/record.json", "{}").file("/j/runs/4.gone/before-0", "x");
        assert_eq!(journal().unfinished(&fs), Ok(None));
        assert_eq!(journal().last(&fs), Ok(Some(RunId(6))));
        journal().open(&fs).unwrap();
        assert_eq!(names(&fs), ["5", "6", "7"]);
    }
}
