//! Taking the steps of a run back.

use super::check::{self, state};
use super::record::{Record, State, StepRecord};
use crate::{AbsPath, Digest, Error, FsMut};

/// The file beside `path` in which a run makes a new state ready.
///
/// Its name belongs to this run of this journal alone, and is short whatever
/// the length of the file's own name.
pub(super) fn staged(path: &AbsPath, run: &AbsPath, purpose: &str) -> AbsPath {
    let digest = Digest::of(format!("{run}\n{path}\n{purpose}").as_bytes()).to_string();
    let unique: String = digest.chars().skip("sha256:".len()).take(16).collect();
    path.join("..").join(format!(".memport-{unique}"))
}

/// Refuses a record that leads out of the run's roots or through a link, or
/// whose kept bytes are not those that were there.
fn check_record(fs: &dyn FsMut, run: &AbsPath, record: &Record) -> Result<(), Error> {
    let roots = record.roots.iter().map(AbsPath::new).collect::<Result<Vec<_>, _>>()?;
    for step in &record.steps {
        let touched = [Some(&step.path), step.from.as_ref(), step.staged.as_ref()];
        for path in touched.into_iter().flatten() {
            check::guard(fs, &roots, &AbsPath::new(path)?)?;
        }
        if let (Some(backup), State::File { digest, .. }) = (&step.backup, &step.before) {
            let path = run.join(backup);
            let io = |source| Error::Io { path: path.clone(), source };
            let bytes = fs.read_up_to(&path, u64::MAX).map_err(io)?;
            if Digest::of(&bytes).to_string() != *digest {
                return Err(Error::Journal { path, why: "it was changed".to_owned() });
            }
        }
    }
    for dir in &record.made_dirs {
        let dir = AbsPath::new(dir)?;
        if !roots.iter().any(|root| dir.starts_with(root)) {
            return Err(Error::OutsideRoot { path: dir });
        }
    }
    Ok(())
}

/// Brings every path of a run back to what was before it.
///
/// May be called again after an interruption at any point. A path that is
/// neither as before nor as the run left it was changed by somebody else and
/// stays as it is.
pub(super) fn roll_back(fs: &dyn FsMut, run: &AbsPath, record: &Record) -> Result<(), Error> {
    check_record(fs, run, record)?;
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
            let staged = staged(&path, run, "restore");
            remove_if_there(fs, &staged)?;
            fs.create_link(&staged, target).map_err(io)?;
            fs.rename(&staged, &path).map_err(io)
        }
        State::File { mode, .. } => {
            let Some(backup) = &step.backup else { return Ok(()) };
            let bytes = fs.read_up_to(&run.join(backup), u64::MAX).map_err(io)?;
            let staged = staged(&path, run, "restore");
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
