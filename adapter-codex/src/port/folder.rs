//! Which file of a folder the client reads, as its resolver says.

use adapter_agents_md::{Convention, plain_name, resolve_dir};
use memory_core::fs::Fs;
use memory_core::{AbsPath, Omission, Outcome, World};

use super::ground::Ground;
use crate::instructions::{NAMES, of_home, of_project};

/// Bytes of one file that are read.
pub(super) const READ_LIMIT: u64 = memory_core::fs::MAX_READ;

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

/// How the file of a project's folder is chosen, however much it says.
pub(super) fn whole(ground: &Ground<'_>) -> Convention {
    Convention { max_bytes: None, ..of_project(&ground.config) }
}

/// The file that a project's folder gives: the first name that is a regular
/// file, whatever stands in it.
pub(super) fn taken(ground: &Ground<'_>, folder: &AbsPath) -> Option<AbsPath> {
    let chain = resolve_dir(ground.world, &whole(ground), folder);
    let is_chosen = |outcome: &Outcome| match outcome {
        Outcome::Loaded(_) => true,
        Outcome::Omitted { reason, .. } => {
            matches!(reason, Omission::Blank | Omission::BlankHides { .. })
        }
    };
    let chosen = chain.layers.into_iter().find(|layer| is_chosen(&layer.outcome));
    chosen.and_then(|layer| layer.provenance.path)
}

/// The file of the Codex home: the first one that says something.
pub(super) fn taken_at_home(world: World<'_>, codex_home: &AbsPath) -> Option<(AbsPath, Vec<u8>)> {
    let chain = resolve_dir(world, &of_home(), codex_home);
    let (layer, _) = chain.loaded().next()?;
    let path = layer.provenance.path.clone()?;
    let bytes = world.fs.read_up_to(&path, READ_LIMIT).ok()?;
    Some((path, bytes))
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
pub(super) fn target_at_home(world: World<'_>, codex_home: &AbsPath) -> AbsPath {
    taken_at_home(world, codex_home).map_or_else(
        || {
            let [first, usual] = NAMES.map(|name| codex_home.join(name));
            let in_the_way = world.fs.metadata(&usual).is_ok_and(|found| found.is_dir());
            if in_the_way { first } else { usual }
        },
        |(path, _)| path,
    )
}

#[cfg(test)]
mod tests {
    use memory_core::Env;
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
        let world = World { fs: &fs, env: &Env::default() };
        assert_eq!(target(&fs, &path("/p")), path("/p/AGENTS.override.md"));
        assert_eq!(target_at_home(world, &path("/h")), path("/h/AGENTS.md"));
    }

    #[test]
    fn a_folder_in_the_place_of_the_file_is_passed_over() {
        let mut fs = MemFs::new();
        fs.dir("/p/AGENTS.md").dir("/h/AGENTS.md").dir("/q/AGENTS.override.md");
        let world = World { fs: &fs, env: &Env::default() };
        assert_eq!(target(&fs, &path("/p")), path("/p/AGENTS.override.md"));
        assert_eq!(target_at_home(world, &path("/h")), path("/h/AGENTS.override.md"));
        assert_eq!(target(&fs, &path("/q")), path("/q/AGENTS.md"));
    }
}
