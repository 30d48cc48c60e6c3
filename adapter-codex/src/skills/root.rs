//! Where skills are looked for.

use memory_core::fs::Fs;
use memory_core::{AbsPath, Scope};

use super::SkillQuery;

/// The machine's own folder of settings and skills.
const MACHINE: &str = "/etc/codex";

/// A folder below which skills are looked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Root {
    /// Its real path.
    pub(super) path: AbsPath,
    /// Where its skills belong.
    pub(super) scope: Scope,
}

/// The roots in the order in which they are searched; the first one that finds
/// a file owns it.
pub(super) fn roots(fs: &dyn Fs, query: &SkillQuery) -> Vec<Root> {
    let mut roots: Vec<(AbsPath, Scope)> = Vec::new();
    let mut add = |path: AbsPath, scope: Scope| {
        if roots.iter().all(|(known, _)| *known != path) {
            roots.push((path, scope));
        }
    };
    for dir in &query.layer_dirs {
        add(dir.join(".codex/skills"), Scope::Project);
    }
    add(query.codex_home.join("skills"), Scope::User);
    if let Some(home) = &query.home {
        add(home.join(".agents/skills"), Scope::User);
    }
    if query.settings.bundled {
        add(bundled(&query.codex_home), Scope::Builtin);
    }
    if let Ok(machine) = AbsPath::new(MACHINE) {
        add(machine.join("skills"), Scope::Managed);
    }
    for dir in &query.chain_dirs {
        add(dir.join(".agents/skills"), Scope::Project);
    }
    roots.into_iter().map(|(path, scope)| Root { path: real(fs, &path), scope }).collect()
}

/// Where the client unpacks the skills that come with it.
pub(super) fn bundled(codex_home: &AbsPath) -> AbsPath {
    codex_home.join("skills/.system")
}

/// The real path of what is there, the rest of the path as it is.
pub(super) fn real(fs: &dyn Fs, path: &AbsPath) -> AbsPath {
    let (mut found, mut rest) = (path.clone(), Vec::new());
    loop {
        match (fs.canonicalize(&found), found.parent()) {
            (Err(error), Some(parent)) if error.is_absence() => {
                rest.extend(found.file_name().map(str::to_owned));
                found = parent;
            }
            (Err(_), _) => return path.clone(),
            (Ok(real), _) => return rest.iter().rev().fold(real, |path, name| path.join(name)),
        }
    }
}

#[cfg(test)]
mod tests {
    use memory_core::fs::MemFs;

    use super::*;
    use crate::skills::SkillSettings;

    fn path(text: &str) -> AbsPath {
        AbsPath::new(text).unwrap()
    }

    #[test]
    fn roots_come_nearest_layer_first_and_top_folder_last() {
        let query = SkillQuery {
            taken_away: Vec::new(),
            codex_home: path("/h/.codex"),
            home: Some(path("/h")),
            layer_dirs: vec![path("/p/a"), path("/p")],
            chain_dirs: vec![path("/p"), path("/p/a")],
            settings: SkillSettings::default(),
        };
        let mut fs = MemFs::new();
        fs.dir("/real").link("/p/.agents/skills", "/real");
        let found: Vec<String> = roots(&fs, &query)
            .iter()
            .map(|root| format!("{} {}", root.scope.as_str(), root.path))
            .collect();
        assert_eq!(
            found,
            [
                "project /p/a/.codex/skills",
                "project /p/.codex/skills",
                "user /h/.codex/skills",
                "user /h/.agents/skills",
                "builtin /h/.codex/skills/.system",
                "managed /etc/codex/skills",
                "project /real",
                "project /p/a/.agents/skills",
            ]
        );
    }

    #[test]
    fn one_folder_is_searched_once() {
        let query = SkillQuery {
            taken_away: Vec::new(),
            codex_home: path("/p/.codex"),
            home: Some(path("/p")),
            layer_dirs: vec![path("/p")],
            chain_dirs: vec![path("/p")],
            settings: SkillSettings { bundled: false, ..SkillSettings::default() },
        };
        let found = roots(&MemFs::new(), &query);
        assert_eq!(found.len(), 3);
        assert_eq!(found[0], Root { path: path("/p/.codex/skills"), scope: Scope::Project });
    }
}
