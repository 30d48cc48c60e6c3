//! Keeping the journal small.

use super::{CONFLICTED, DONE, Journal, RECORD, ROLLED_BACK, RunId, UNDOING, UNDONE};
use crate::error::Error;
use crate::fs::{FileKind, FsMut};
use crate::path::AbsPath;

/// How many runs that can be undone are kept.
const KEPT: usize = 200;

/// What a run's folder is called when it is to be deleted: no number, so that
/// nothing takes it for a run any more.
const GONE: &str = ".gone";

/// What is to become of a run.
enum Standing {
    /// It can be undone.
    Undoable,
    /// It ended, or never began, and left nothing to undo.
    Dead,
    /// It waits for an end, or for a person.
    Open,
}

impl Journal {
    /// Deletes the runs that nobody can undo any more, the oldest of the others
    /// but for [`KEPT`], and what an interrupted deletion left. The journal must
    /// be locked.
    ///
    /// A run goes in one step, by a new name for its folder: were its files
    /// deleted where they are, a run without the mark that it is done would be
    /// taken for an interrupted one and brought back.
    pub(in crate::plan) fn prune(&self, fs: &dyn FsMut) -> Result<(), Error> {
        self.delete_gone(fs)?;
        let runs = self.runs(fs)?;
        if runs.len() <= KEPT {
            return Ok(());
        }
        let mut undoable = 0;
        for run in runs.iter().rev() {
            let goes = match self.standing(fs, *run) {
                Standing::Undoable => {
                    undoable += 1;
                    undoable > KEPT
                }
                Standing::Dead => true,
                Standing::Open => false,
            };
            if goes {
                let dir = self.dir_of(*run);
                let gone = self.dir.join(format!("runs/{run}{GONE}"));
                fs.rename(&dir, &gone).map_err(|source| Error::Write { path: dir, source })?;
            }
        }
        self.delete_gone(fs)
    }

    fn standing(&self, fs: &dyn FsMut, run: RunId) -> Standing {
        let has = |mark| self.has(fs, run, mark);
        // Nearly all runs are done, and nobody began to undo them.
        let is_over = if has(DONE) {
            match (has(UNDONE), has(UNDOING)) {
                (false, false) => return Standing::Undoable,
                (is_undone, _) => is_undone,
            }
        } else {
            !has(RECORD) || has(ROLLED_BACK)
        };
        if is_over && !has(CONFLICTED) { Standing::Dead } else { Standing::Open }
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
    use crate::fs::{Fs as _, MemFs};

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

    /// Makes room, and opens a run.
    fn open(fs: &MemFs) -> Result<RunId, Error> {
        journal().prune(fs)?;
        journal().open(fs)
    }

    fn names(fs: &MemFs) -> Vec<String> {
        let runs = fs.read_dir(&AbsPath::new("/j/runs").unwrap()).unwrap();
        runs.map(|entry| entry.unwrap().name).collect()
    }

    #[test]
    fn the_oldest_finished_runs_go_when_a_new_one_is_opened() {
        let fs = finished(1..=KEPT);
        assert_eq!(open(&fs), Ok(RunId(201)));
        assert_eq!(names(&fs).len(), KEPT + 1);
        let mut fs = finished(1..=KEPT + 3);
        fs.file("/j/runs/2/undone", "").file("/j/runs/3/rolled-back", "");
        assert_eq!(open(&fs), Ok(RunId(204)));
        let kept: Vec<_> = journal().runs(&fs).unwrap();
        assert_eq!((kept.len(), kept[0]), (KEPT + 1, RunId(4)));
        assert_eq!(names(&fs).len(), kept.len());
    }

    #[test]
    fn only_what_can_be_undone_counts_and_what_cannot_goes_first() {
        let mut fs = finished(1..=KEPT + 3);
        for (run, mark) in [(50, "undone"), (60, "undone"), (70, "undone")] {
            fs.file(format!("/j/runs/{run}/undoing"), "").file(format!("/j/runs/{run}/{mark}"), "");
        }
        // A run that never had a record, one that was brought back, and one that
        // is for a person to decide.
        fs.file("/j/runs/300/before-0", "").file("/j/runs/301/record.json", "{}");
        fs.file("/j/runs/301/rolled-back", "").file("/j/runs/302/record.json", "{}");
        fs.file("/j/runs/302/conflicted", "");
        assert_eq!(open(&fs), Ok(RunId(303)));
        let kept = journal().runs(&fs).unwrap();
        assert_eq!(kept.len(), KEPT + 2);
        assert_eq!((kept[0], kept[KEPT], kept[KEPT + 1]), (RunId(1), RunId(302), RunId(303)));
    }

    #[test]
    fn an_unfinished_run_stays_however_old_it_is() {
        let mut fs = finished(3..=KEPT + 3);
        fs.file("/j/runs/1/record.json", "{}");
        fs.file("/j/runs/2/record.json", "{}").file("/j/runs/2/done", "");
        fs.file("/j/runs/2/undoing", "");
        open(&fs).unwrap();
        let kept = journal().runs(&fs).unwrap();
        assert_eq!(&kept[..3], [RunId(1), RunId(2), RunId(4)]);
    }

    #[test]
    fn a_deletion_that_was_interrupted_is_finished_and_never_taken_for_a_run() {
        let mut fs = finished(5..=6);
        fs.file("/j/runs/4.gone/record.json", "{}").file("/j/runs/4.gone/before-0", "x");
        assert_eq!(journal().unfinished(&fs), Ok(None));
        assert_eq!(journal().last(&fs), Ok(Some(RunId(6))));
        open(&fs).unwrap();
        assert_eq!(names(&fs), ["5", "6", "7"]);
    }
}
