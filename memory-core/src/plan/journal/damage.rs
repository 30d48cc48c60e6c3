//! Runs whose record nobody can use.

use super::{Journal, RunId};
use crate::error::Error;
use crate::fs::{Fs, FsMut, IoErrorKind};
use crate::path::AbsPath;
use crate::plan::Recovered;
use crate::plan::innermost;

/// What the folder of such a run is called.
const DAMAGED: &str = "damaged";

impl Journal {
    /// What makes the record of a run useless; `None` when it can be used, or
    /// cannot be read at the moment.
    ///
    /// The next call that writes sets such a run aside, see
    /// [`Recovered::Damaged`].
    pub fn damage(&self, fs: &dyn Fs, run: RunId) -> Option<String> {
        match self.read(fs, run) {
            Err(Error::Journal { why, .. }) => Some(why),
            Err(_) => None,
            Ok(record) => {
                let path = |path: &String| AbsPath::new(path).ok();
                let roots: Vec<AbsPath> = record.roots.iter().filter_map(path).collect();
                let steps = record.steps.iter();
                let named = steps.flat_map(|step| {
                    let staged = [&step.from, &step.staged, &step.restore];
                    staged.into_iter().flatten().chain([&step.path])
                });
                let is_inside = |path: &AbsPath| innermost(&roots, path).is_some();
                // A run makes also the folders above those below which it writes.
                let leads_inside = |dir: &AbsPath| {
                    roots.iter().any(|root| root.starts_with(dir)) || is_inside(dir)
                };
                let steps = named.filter(|text| !path(text).is_some_and(|path| is_inside(&path)));
                let dirs = record.made_dirs.iter();
                let dirs = dirs.filter(|text| !path(text).is_some_and(|dir| leads_inside(&dir)));
                let outside = steps.chain(dirs).next()?;
                Some(format!("it names `{outside}`, which lies outside its folders"))
            }
        }
    }

    /// Gives the folder of a damaged run a name that is no number, so that it
    /// stands in nobody's way. The journal must be locked.
    pub(in crate::plan) fn quarantine(
        &self,
        fs: &dyn FsMut,
        run: RunId,
        why: String,
    ) -> Result<Recovered, Error> {
        let dir = self.dir_of(run);
        let mut kept = self.dir.join(format!("runs/{run}.{DAMAGED}"));
        for count in 2_u32.. {
            if matches!(fs.symlink_metadata(&kept), Err(error) if error.is_absence()) {
                break;
            }
            kept = self.dir.join(format!("runs/{run}.{DAMAGED}-{count}"));
        }
        let renamed = match fs.rename_new(&dir, &kept) {
            Err(error) if error.kind == IoErrorKind::Unsupported => fs.rename(&dir, &kept),
            renamed => renamed,
        };
        renamed.map_err(|source| Error::Write { path: dir, source })?;
        Ok(Recovered::Damaged { run, why, kept })
    }

    /// The highest number that a run has or had.
    pub(super) fn highest(&self, fs: &dyn Fs) -> Result<u64, Error> {
        let numbers = self.names(fs)?;
        let numbers = numbers.iter().filter_map(|name| name.split('.').next()?.parse().ok());
        Ok(numbers.max().unwrap_or(0))
    }
}
