//! Taking the steps of a run back.

use super::RunId;
use super::check::state;
use super::record::{Record, State, StepRecord};
use crate::{AbsPath, Error, FsMut};

/// The file beside `path` in which a run makes the new state ready.
pub(super) fn staged(path: &AbsPath, run: RunId) -> AbsPath {
    let name = path.file_name().unwrap_or_default();
    path.join("..").join(format!(".{name}.memport-{run}"))
}

/// Brings every path of a run back to what was before it.
///
/// May be called again after an interruption at any point. A path that is
/// neither as before nor as the run left it was changed by somebody else and
/// stays as it is.
pub(super) fn roll_back(fs: &dyn FsMut, run: &AbsPath, record: &Record) -> Result<(), Error> {
    for step in record.steps.iter().rev() {
        if let Some(staged) = &step.staged {
            remove_if_there(fs, &AbsPath::new(staged)?)?;
        }
        take_back(fs, run, step)?;
    }
    for dir in record.made_dirs.iter().rev() {
        // A folder that somebody else uses by now stays.
        drop(fs.remove_dir(&AbsPath::new(dir)?));
    }
    Ok(())
}

fn take_back(fs: &dyn FsMut, run: &AbsPath, step: &StepRecord) -> Result<(), Error> {
    let path = AbsPath::new(&step.path)?;
    let io = |source| Error::Io { path: path.clone(), source };
    if let Some(from) = &step.from {
        let from = AbsPath::new(from)?;
        if state(fs, &from)? == State::Absent && state(fs, &path)? != State::Absent {
            fs.rename(&path, &from).map_err(io)?;
        }
        return Ok(());
    }
    let found = state(fs, &path)?;
    if step.before.matches(&found) || !step.after.matches(&found) {
        return Ok(());
    }
    match &step.before {
        State::Absent => fs.remove_file(&path).map_err(io),
        State::Link { target } => {
            fs.remove_file(&path).map_err(io)?;
            fs.create_link(&path, target).map_err(io)
        }
        State::File { mode, .. } => {
            let Some(backup) = &step.backup else { return Ok(()) };
            let bytes = fs.read_up_to(&run.join(backup), u64::MAX).map_err(io)?;
            let staged = path
                .join("..")
                .join(format!(".{}.memport-restore", path.file_name().unwrap_or_default()));
            remove_if_there(fs, &staged)?;
            fs.create_file(&staged, &bytes, *mode).map_err(io)?;
            fs.rename(&staged, &path).map_err(io)
        }
        State::Something => Ok(()),
    }
}

fn remove_if_there(fs: &dyn FsMut, path: &AbsPath) -> Result<(), Error> {
    match fs.remove_file(path) {
        Err(error) if !error.is_absence() => Err(Error::Io { path: path.clone(), source: error }),
        _ => Ok(()),
    }
}
