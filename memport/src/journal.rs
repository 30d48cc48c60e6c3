//! Where memport keeps what it needs to undo.

use std::time::Duration;

use memory_core::fs::{Fs, LockWait};
use memory_core::plan::{Journal, Recovered};
use memory_core::{AbsPath, Env, Error, counted};

use crate::args::RunArgs;
use crate::output::{self, Notice};

/// The journal of the person whose environment this is: in `XDG_STATE_HOME`,
/// else in the usual place below the home directory.
pub(crate) fn journal(env: &Env) -> Result<Journal, Error> {
    let given = env.var("XDG_STATE_HOME").and_then(|dir| AbsPath::new(dir).ok());
    let usual = || env.home.as_ref().map(|home| home.join(".local/state"));
    let state = given.or_else(usual).ok_or(Error::HomeUnknown)?;
    Ok(Journal::new(state.join("memport")))
}

/// The same for a command that writes: it waits for the runs of others, and
/// says so.
pub(crate) fn patient(env: &Env, options: &RunArgs) -> Result<Journal, Error> {
    let longest = Duration::from_secs(options.lock_timeout);
    Ok(journal(env)?.waiting(LockWait { longest, notify: tell_wait }))
}

fn tell_wait(path: &AbsPath) {
    let message = format!("another run of memport holds `{path}`; this one waits for it to end");
    let hint = "`--lock-timeout SECONDS` says for how long".to_owned();
    output::note(&Notice { message, hint }, false);
}

/// What a command that only reads has to say of a run that is not finished.
pub(crate) fn notice(fs: &dyn Fs, env: &Env) -> Option<Notice> {
    let journal = journal(env).ok()?;
    let run = journal.unfinished(fs).ok()??;
    if let Some(why) = journal.damage(fs, run) {
        return Some(Notice {
            message: format!("the record of run {run} is damaged: {why}"),
            hint: "the next command with `--write` sets it aside and deletes nothing of it"
                .to_owned(),
        });
    }
    Some(Notice {
        message: format!("run {run} is unfinished: it was interrupted, or goes on right now"),
        hint: "the next command with `--write` finishes it, or brings everything back to what \
               was before it"
            .to_owned(),
    })
}

/// Tells what became of runs that were interrupted.
pub(crate) fn tell(recovered: &[Recovered]) {
    for end in recovered {
        let is_serious = matches!(
            end,
            Recovered::Conflicted { .. } | Recovered::Damaged { .. } | Recovered::Postponed { .. }
        );
        if let Some(notice) = of(end) {
            output::note(&notice, is_serious);
        }
    }
}

fn of(end: &Recovered) -> Option<Notice> {
    let (message, hint) = match end {
        Recovered::Completed { run } => (
            format!("run {run} was interrupted, and is finished now"),
            format!("`memport undo {run} --write` takes it back"),
        ),
        Recovered::RolledBack { run } => (
            format!("run {run} was interrupted; everything is as it was before it"),
            "give that command again if it is still wanted".to_owned(),
        ),
        Recovered::UndoCompleted { run } => (
            format!("the undo of run {run} was interrupted, and is finished now"),
            "everything is as it was before that run".to_owned(),
        ),
        Recovered::UndoRolledBack { run } => (
            format!("the undo of run {run} was interrupted, and something changed since"),
            format!("nothing of it is undone; `memport undo {run}` says what changed"),
        ),
        Recovered::Conflicted { run, paths, kept } => {
            let first = paths.first().unwrap_or(kept);
            let more = match paths.len() {
                0 | 1 => String::new(),
                all => format!(" and {}", counted(all as u64 - 1, "other path")),
            };
            (
                format!(
                    "`{first}`{more} changed while run {run} was at work, so that run is neither \
                     finished nor taken back"
                ),
                format!("compare with what `{kept}` keeps, and change by hand what is wrong"),
            )
        }
        Recovered::Postponed { run, error } => (
            format!("run {run} was interrupted, and cannot be brought to an end now: {error}"),
            "the next command with `--write` tries again".to_owned(),
        ),
        Recovered::Damaged { run, why, kept } => (
            format!("the record of run {run} is damaged and was set aside: {why}"),
            format!("look into `{kept}` for what that run replaced"),
        ),
        _ => return None,
    };
    Some(Notice { message, hint })
}

#[cfg(test)]
mod tests {
    use memory_core::fs::MemFs;
    use memory_core::plan::RunId;

    use super::*;

    #[test]
    fn the_journal_lies_in_the_state_folder_of_the_environment() {
        let at = |path: &str| Ok(Journal::new(AbsPath::new(path).unwrap()));
        let mut env = Env::with_home(AbsPath::new("/home/mio").unwrap());
        assert_eq!(journal(&env), at("/home/mio/.local/state/memport"));
        for (given, want) in [
            ("/state", "/state/memport"),
            ("", "/home/mio/.local/state/memport"),
            ("state", "/home/mio/.local/state/memport"),
        ] {
            env.vars.insert("XDG_STATE_HOME".to_owned(), given.to_owned());
            assert_eq!(journal(&env), at(want));
        }
        assert!(journal(&Env::default()).is_err());
    }

    #[test]
    fn a_run_that_never_ended_is_told() {
        let env = Env::with_home(AbsPath::new("/h").unwrap());
        let run = "/h/.local/state/memport/runs/3";
        let record = r#"{"digest":"","roots":[],"made_dirs":[],"steps":[]}"#;
        let mut fs = MemFs::from_files([(format!("{run}/record.json"), record)]);
        assert!(notice(&fs, &env).unwrap().message.starts_with("run 3 is unfinished"));
        fs.file(format!("{run}/done"), "");
        assert_eq!(notice(&fs, &env), None);
        fs.file("/h/.local/state/memport/runs/4/record.json", "{");
        let told = notice(&fs, &env).unwrap().message;
        assert!(told.starts_with("the record of run 4 is damaged: "), "{told}");
    }

    #[test]
    fn every_end_of_an_interrupted_run_is_told() {
        let run = RunId(3);
        let kept = AbsPath::new("/j/runs/3").unwrap();
        let paths = ["/m/a.md", "/m/b.md"].map(|path| AbsPath::new(path).unwrap()).to_vec();
        let why = "EOF".to_owned();
        let told = [
            Recovered::Completed { run },
            Recovered::RolledBack { run },
            Recovered::UndoCompleted { run },
            Recovered::UndoRolledBack { run },
            Recovered::Conflicted { run, paths, kept: kept.clone() },
            Recovered::Damaged { run, why, kept },
            Recovered::Postponed { run, error: Error::HomeUnknown },
        ]
        .map(|end| of(&end).unwrap());
        assert!(told.iter().all(|notice| notice.message.contains("run 3")));
        assert!(told[4].message.starts_with("`/m/a.md` and 1 other path changed while run 3"));
        assert!(told[4].hint.contains("`/j/runs/3`") && told[5].hint.contains("`/j/runs/3`"));
    }
}
