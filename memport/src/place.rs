//! Where a client would be started: folder, home, environment.

use std::env;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

use memory_core::fs::{Fs, IoError, IoErrorKind, name_from_bytes};
use memory_core::{AbsPath, Env, Error, PathRole};

use crate::args::Place;
use crate::failure::Failure;

/// What to do about an absolute path that is not there.
const SPELLING: &str = "check the spelling";

/// What to do about a relative path that is not there.
const RELATIVE: &str = "check the spelling; relative paths start at `--cwd`";

/// What the command itself was started with.
#[derive(Debug)]
pub(crate) struct Process {
    /// The current folder, or why there is none.
    pub(crate) cwd: std::io::Result<PathBuf>,
    /// The environment.
    pub(crate) vars: Vec<(OsString, OsString)>,
}

impl Process {
    /// What this process was started with.
    pub(crate) fn this() -> Self {
        Self { cwd: env::current_dir(), vars: env::vars_os().collect() }
    }
}

/// A folder to start a client in, and the environment it would see.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Start {
    pub(crate) cwd: AbsPath,
    pub(crate) env: Env,
}

impl Start {
    /// Goes where `place` says, beginning where the process is.
    pub(crate) fn at(place: &Place, process: Process, fs: &dyn Fs) -> Result<Self, Failure> {
        let cwd = match (&place.cwd, process.cwd) {
            (Some(dir), _) if dir.is_absolute() => change_dir(fs, dir, SPELLING)?,
            (Some(dir), Ok(here)) => {
                let hint = "check the spelling; a relative `--cwd` starts at the current folder";
                change_dir(fs, &here.join(dir), hint)?
            }
            (None, Ok(here)) => AbsPath::try_from(here)?,
            (_, Err(error)) => {
                return Err(Failure::impossible(
                    format!("the current folder cannot be read: {error}"),
                    "go to a folder that exists, or pass `--cwd` with an absolute path",
                ));
            }
        };
        let mut env = Env::from_vars(process.vars);
        if place.cwd.is_some() {
            set(&mut env, "PWD", Some(cwd.as_str()));
        }
        for change in &place.env {
            set(&mut env, &change.key, change.value.as_deref());
        }
        let given = place.home.as_ref().map(|home| cwd.join(portable_path(home)));
        if let Some(home) = &given {
            set(&mut env, "HOME", Some(home.as_str()));
        }
        env.home =
            given.clone().or_else(|| env.var("HOME").and_then(|home| AbsPath::new(home).ok()));
        if let Some(home) = &env.home {
            check_home(fs, home, place.home.as_deref())?;
        }
        Ok(Self { cwd, env })
    }
}

/// The path as the libraries write it, foreign bytes kept.
pub(crate) fn portable_path(path: &Path) -> String {
    name_from_bytes(path.as_os_str().as_encoded_bytes())
}

fn set(env: &mut Env, key: &str, value: Option<&str>) {
    match value {
        Some(value) => env.vars.insert(key.to_owned(), value.to_owned()),
        None => env.vars.remove(key),
    };
}

/// Where `cd -P DIR` leads; `hint` is for a path that is not there.
fn change_dir(fs: &dyn Fs, dir: &Path, hint: &str) -> Result<AbsPath, Failure> {
    const WHAT: PathRole = PathRole::StartFolder;
    let text = portable_path(dir);
    let named = AbsPath::root().join(&text);
    let at = |error| Failure::at(WHAT, &named, error, hint);
    let real = real_dir(fs, &text).map_err(at)?;
    match fs.metadata(&real) {
        Ok(found) if found.is_dir() => Ok(real),
        Ok(_) => Err(Error::NotADirectory { what: WHAT, path: named }.into()),
        Err(error) => Err(at(error)),
    }
}

/// The real path of an absolute one. `..` behind a link leads elsewhere than its
/// spelling says, so what stands before each `..` is resolved on its own.
fn real_dir(fs: &dyn Fs, text: &str) -> Result<AbsPath, IoError> {
    let mut path = AbsPath::root();
    for part in text.split('/') {
        if part == ".." {
            path = fs.canonicalize(&path)?;
        }
        path = path.join(part);
    }
    fs.canonicalize(&path)
}

/// Refuses a home that nothing can be found in. A home that is not there is
/// fine unless it was named on the command line: clients create it.
fn check_home(fs: &dyn Fs, home: &AbsPath, named: Option<&Path>) -> Result<(), Failure> {
    const WHAT: PathRole = PathRole::HomeDirectory;
    let hint = if named.is_some_and(Path::is_relative) { RELATIVE } else { SPELLING };
    match fs.metadata(home) {
        Ok(found) if !found.is_dir() => {
            return Err(Error::NotADirectory { what: WHAT, path: home.clone() }.into());
        }
        Err(error) if named.is_some() || !error.is_absence() => {
            return Err(Failure::at(WHAT, home, error, hint));
        }
        _ => {}
    }
    // Any name will do: only a folder that may not be searched refuses to answer.
    match fs.symlink_metadata(&home.join(".config")) {
        Err(error) if error.kind == IoErrorKind::PermissionDenied => {
            Err(Failure::at(WHAT, home, error, hint))
        }
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use memory_core::fs::{MemFs, Recorder};

    use super::*;
    use crate::args::EnvChange;

    fn process(vars: &[(&str, &str)]) -> Process {
        let vars = vars.iter().map(|(key, value)| (key.into(), value.into())).collect();
        Process { cwd: Ok("/repo".into()), vars }
    }

    fn place(cwd: Option<&str>, home: Option<&str>, env: &[(&str, Option<&str>)]) -> Place {
        let change = |(key, value): &(&str, Option<&str>)| EnvChange {
            key: (*key).to_owned(),
            value: value.map(str::to_owned),
        };
        Place {
            cwd: cwd.map(PathBuf::from),
            home: home.map(PathBuf::from),
            env: env.iter().map(change).collect(),
        }
    }

    fn world() -> MemFs {
        let mut fs = MemFs::from_files([("/repo/f", ""), ("/real/sub/f", ""), ("/home/mio/x", "")]);
        fs.link("/repo/ln", "/real/sub").dir("/locked").mode("/locked", 0);
        fs
    }

    #[test]
    fn changing_the_folder_resolves_links_as_cd_does() {
        let start = |dir| Start::at(&place(Some(dir), None, &[]), process(&[]), &world());
        let cwd = start("ln").unwrap();
        assert_eq!((cwd.cwd.as_str(), cwd.env.var("PWD")), ("/real/sub", Some("/real/sub")));
        assert_eq!(start("ln/..").unwrap().cwd.as_str(), "/real");
        assert_eq!(start("../repo/.").unwrap().cwd.as_str(), "/repo");
        assert_eq!(start("no").unwrap_err().message, "start folder `/repo/no` does not exist");
        assert_eq!(start("f").unwrap_err().message, "start folder `/repo/f` is not a directory");
    }

    #[test]
    fn a_folder_is_resolved_at_once_however_deep_it_lies() {
        let mut fs = MemFs::new();
        let deep = "/d".repeat(50);
        fs.file(format!("{deep}/f"), "").link("/ln", &deep);
        for (dir, calls) in [(deep.as_str(), 2), ("/ln/..", 3), ("/ln/../d/.", 3)] {
            let seen = Recorder::new(&fs);
            change_dir(&seen, Path::new(dir), SPELLING).unwrap();
            assert_eq!(seen.calls(), calls, "{dir}");
        }
    }

    #[test]
    fn only_an_absolute_folder_is_found_from_a_folder_that_is_gone() {
        let gone = || Process { cwd: Err(std::io::ErrorKind::NotFound.into()), vars: Vec::new() };
        let start = |dir| Start::at(&place(dir, None, &[]), gone(), &world());
        for dir in [None, Some("."), Some("ln"), Some("..")] {
            let failure = start(dir).unwrap_err();
            assert_eq!(failure.kind, crate::failure::FailureKind::Impossible);
            assert!(failure.message.starts_with("the current folder cannot be read"));
        }
        assert_eq!(start(Some("/repo/ln")).unwrap().cwd.as_str(), "/real/sub");
    }

    #[test]
    fn the_hint_says_where_a_relative_path_starts() {
        let hint =
            |cwd, home| Start::at(&place(cwd, home, &[]), process(&[]), &world()).unwrap_err().hint;
        assert_eq!(hint(Some("/no"), None), SPELLING);
        assert!(hint(Some("no"), None).contains("starts at the current folder"));
        assert_eq!(hint(None, Some("/no")), SPELLING);
        assert_eq!(hint(None, Some("no")), RELATIVE);
    }

    #[test]
    fn the_home_given_last_and_nearest_wins() {
        let fs = world();
        let vars = [("HOME", "/a"), ("X", "1"), ("Y", "2")];
        let env = |place| Start::at(&place, process(&vars), &fs).unwrap().env;
        assert_eq!(env(place(None, None, &[])).home.unwrap().as_str(), "/a");
        assert_eq!(env(place(None, None, &[("HOME", Some("/b"))])).home.unwrap().as_str(), "/b");
        let both = env(place(None, Some("/home/mio"), &[("HOME", Some("/b")), ("X", None)]));
        assert_eq!(
            (both.var("HOME"), both.var("X"), both.var("Y")),
            (Some("/home/mio"), None, Some("2"))
        );
        assert_eq!(env(place(None, None, &[("HOME", None)])).home, None);
    }

    #[test]
    fn a_home_that_cannot_be_used_is_refused() {
        let fs = world();
        let refused =
            |home| Start::at(&place(None, Some(home), &[]), process(&[]), &fs).unwrap_err().message;
        assert_eq!(refused("/no"), "home directory `/no` does not exist");
        assert_eq!(refused("/repo/f"), "home directory `/repo/f` is not a directory");
        assert_eq!(refused("/locked"), "cannot read `/locked`: Permission denied (os error 13)");
    }
}
