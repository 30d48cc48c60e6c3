//! Which file of a folder the client reads.

use adapter_agents_md::plain_name;
use memory_core::AbsPath;
use memory_core::fs::{Fs, IoError, IoErrorKind};

use super::ground::Ground;
use crate::instructions::NAMES;

/// Bytes of one file that are read.
pub(super) const READ_LIMIT: u64 = memory_core::fs::MAX_READ;

/// The file that a folder gives.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Taken {
    /// None of its names is there.
    Nothing,
    /// This one, blank or not.
    File(AbsPath),
    /// This one cannot even be looked at.
    Failed(AbsPath, IoError),
}

impl Taken {
    /// The file, where there is one that can be read.
    pub(super) fn file(&self) -> Option<&AbsPath> {
        match self {
            Self::File(path) => Some(path),
            Self::Nothing | Self::Failed(..) => None,
        }
    }
}

/// The names that are looked for in a project's folder, in order.
pub(super) fn names(ground: &Ground<'_>) -> Vec<String> {
    let mut names: Vec<String> = NAMES.map(str::to_owned).into();
    for name in ground.config.fallbacks.iter().filter_map(|entry| plain_name(entry)) {
        if names.iter().all(|known| known != name) {
            names.push(name.to_owned());
        }
    }
    names
}

/// The file that a project's folder gives: the first name that is a regular
/// file, whatever stands in it.
pub(super) fn taken(fs: &dyn Fs, names: &[String], folder: &AbsPath) -> Taken {
    for name in names {
        let path = folder.join(name);
        match fs.metadata(&path) {
            Ok(found) if found.is_file() => return Taken::File(path),
            Ok(_) => {}
            Err(error) if error.kind == IoErrorKind::NotFound => {}
            Err(error) => return Taken::Failed(path, error),
        }
    }
    Taken::Nothing
}

/// The file of the Codex home: the first one that says something.
pub(super) fn taken_at_home(fs: &dyn Fs, codex_home: &AbsPath) -> Option<(AbsPath, Vec<u8>)> {
    NAMES.iter().map(|name| codex_home.join(name)).find_map(|path| {
        let is_file = fs.metadata(&path).is_ok_and(|found| found.is_file());
        let bytes = is_file.then(|| fs.read_up_to(&path, READ_LIMIT).ok()).flatten()?;
        (!String::from_utf8_lossy(&bytes).trim().is_empty()).then_some((path, bytes))
    })
}

/// The file of a project's folder into which text goes, so that it is read.
pub(super) fn target(fs: &dyn Fs, folder: &AbsPath) -> AbsPath {
    let [first, usual] = NAMES.map(|name| folder.join(name));
    let is_file = |path: &AbsPath| fs.metadata(path).is_ok_and(|found| found.is_file());
    let is_folder = |path: &AbsPath| fs.metadata(path).is_ok_and(|found| found.is_dir());
    let in_the_way = is_folder(&usual) && !is_folder(&first);
    if is_file(&first) || in_the_way { first } else { usual }
}

/// The file of the Codex home into which text goes, so that it is read.
pub(super) fn target_at_home(fs: &dyn Fs, codex_home: &AbsPath) -> AbsPath {
    taken_at_home(fs, codex_home).map_or_else(
        || {
            let [first, usual] = NAMES.map(|name| codex_home.join(name));
            let in_the_way = fs.metadata(&usual).is_ok_and(|found| found.is_dir());
            if in_the_way { first } else { usual }
        },
        |(path, _)| path,
    )
}

#[cfg(test)]
mod tests {
    use memory_core::fs::MemFs;

    use super::*;

    fn path(text: &str) -> AbsPath {
        AbsPath::new(text).unwrap()
    }

    #[test]
    fn existence_decides_in_a_project_and_content_at_home() {
        let fs = MemFs::from_files([
            ("/p/AGENTS.override.md", ""),
            ("/p/AGENTS.md", "a"),
            ("/h/AGENTS.override.md", " \n"),
            ("/h/AGENTS.md", "a"),
        ]);
        let names = NAMES.map(str::to_owned);
        assert_eq!(taken(&fs, &names, &path("/p")).file(), Some(&path("/p/AGENTS.override.md")));
        assert_eq!(target(&fs, &path("/p")), path("/p/AGENTS.override.md"));
        assert_eq!(target_at_home(&fs, &path("/h")), path("/h/AGENTS.md"));
    }

    #[test]
    fn a_folder_in_the_place_of_the_file_is_passed_over() {
        let mut fs = MemFs::new();
        fs.dir("/p/AGENTS.md").dir("/h/AGENTS.md").dir("/q/AGENTS.override.md");
        assert_eq!(target(&fs, &path("/p")), path("/p/AGENTS.override.md"));
        assert_eq!(target_at_home(&fs, &path("/h")), path("/h/AGENTS.override.md"));
        assert_eq!(target(&fs, &path("/q")), path("/q/AGENTS.md"));
    }
}
