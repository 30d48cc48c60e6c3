//! Where Codex keeps its own files.

use memory_core::fs::{IoErrorKind, name_to_bytes};
use memory_core::{AbsPath, Error, World};

use super::refusal::Refusal;

/// The folder of Codex's own files.
///
/// `CODEX_HOME` when it is set and not empty, its links resolved; else `.codex`
/// in the home directory, which need not exist.
pub(crate) fn codex_home(
    world: World<'_>,
    cwd: &AbsPath,
) -> Result<Result<AbsPath, Refusal>, Error> {
    // A variable that is not UTF-8 does not exist for the client.
    let is_text = |given: &&str| std::str::from_utf8(&name_to_bytes(given)).is_ok();
    let given = world.env.var("CODEX_HOME").filter(|given| !given.is_empty()).filter(is_text);
    let Some(given) = given else {
        let home = world.env.home.as_ref();
        let home = home.ok_or(Error::HomeUnknown)?;
        return Ok(Ok(home.join(".codex")));
    };
    let path = cwd.join(given);
    let refuse =
        |what: &str| Refusal::Home(format!("CODEX_HOME points to {given:?}, but that path {what}"));
    Ok(match world.fs.metadata(&path) {
        Ok(found) if found.is_dir() => Ok(world.fs.canonicalize(&path).unwrap_or(path)),
        Ok(_) => Err(refuse("is not a directory")),
        Err(error) if error.kind == IoErrorKind::NotFound => Err(refuse("does not exist")),
        Err(error) => Err(Refusal::Home(format!("failed to read CODEX_HOME {given:?}: {error}"))),
    })
}

/// A path that may begin with `~`, absolute or relative to `base`.
pub(crate) fn expand(world: World<'_>, base: &AbsPath, path: &str) -> AbsPath {
    match (&world.env.home, path.strip_prefix('~')) {
        (Some(home), Some("")) => home.clone(),
        (Some(home), Some(rest)) if rest.starts_with('/') => {
            home.join(rest.trim_start_matches('/'))
        }
        _ => base.join(path),
    }
}
