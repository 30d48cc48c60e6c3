//! Where memport keeps what it needs to undo.

use memory_core::{AbsPath, Env, Error, Fs, Journal};

use crate::output::Notice;

/// The journal of the person whose environment this is: in `XDG_STATE_HOME`,
/// else in the usual place below the home directory.
pub(crate) fn journal(env: &Env) -> Result<Journal, Error> {
    let given = env.var("XDG_STATE_HOME").and_then(|dir| AbsPath::new(dir).ok());
    let usual = || env.home.as_ref().map(|home| home.join(".local/state"));
    let state = given.or_else(usual).ok_or(Error::Unknown { what: "the home directory" })?;
    Ok(Journal::new(state.join("memport")))
}

/// What a command that only reads has to say of a run that is not finished.
pub(crate) fn notice(fs: &dyn Fs, env: &Env) -> Option<Notice> {
    let run = journal(env).ok()?.unfinished(fs).ok()??;
    Some(Notice {
        message: format!("run {run} is unfinished: it was interrupted, or goes on right now"),
        hint: "the next command with `--write` brings everything back to what was before it"
            .to_owned(),
    })
}

#[cfg(test)]
mod tests {
    use memory_core::MemFs;

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
        let mut fs = MemFs::from_files([(format!("{run}/record.json"), "{}")]);
        assert!(notice(&fs, &env).unwrap().message.starts_with("run 3 is unfinished"));
        fs.file(format!("{run}/done"), "");
        assert_eq!(notice(&fs, &env), None);
    }
}
