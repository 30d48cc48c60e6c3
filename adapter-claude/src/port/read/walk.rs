//! The folders of a project, as far as the client keeps something in them.

use std::collections::{HashMap, HashSet};

use memory_core::AbsPath;
use memory_core::fs::FileKind;
use memory_core::port::{Loss, LossKind};

use super::Reading;
use crate::port::ground::Ground;
use crate::settings::git::Repository;

/// Names of a folder in which the client may find something.
const SIGNS: [&str; 4] = ["CLAUDE.md", "CLAUDE.local.md", "AGENTS.md", ".claude"];

/// How many folders of one name are remembered: more need not be told apart.
const MOST_OF_A_NAME: usize = 8;

/// How many names are looked at behind a link that leads out of the project.
const MOST_BEHIND_A_LINK: usize = 2_000;

/// Whose a folder of the project is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Belongs {
    /// The project's.
    Project,
    /// That of a package that was installed.
    Package,
    /// That of a repository in this folder.
    Repository(AbsPath),
}

/// A folder below the project's top one in which the client may find something.
pub(super) struct Found {
    pub(super) dir: AbsPath,
    pub(super) belongs: Belongs,
}

/// The folders of a project.
pub(super) struct Tree {
    /// Folders in which the client may find something, each before those in it.
    pub(super) folders: Vec<Found>,
    /// The project's own folders by name, in lower case.
    names: HashMap<String, Vec<AbsPath>>,
}

impl Tree {
    /// Looks at all folders; links are not followed.
    pub(super) fn walk(ground: &Ground<'_>, reading: &mut Reading) -> Self {
        let project = ground.project();
        let mut walk = Walk {
            ground,
            tree: Self { folders: Vec::new(), names: HashMap::new() },
            open: vec![(project.clone(), Belongs::Project)],
        };
        let mut links = Vec::new();
        while let Some((dir, belongs)) = walk.open.pop() {
            walk.enter(dir, belongs, &mut links);
        }
        for link in links {
            tell_link(ground, &link, reading);
        }
        walk.tree
    }

    /// The only folder of a name, in any case, below a folder; `None` when there
    /// is none or are several.
    pub(super) fn only_named(&self, name: &str, base: &AbsPath) -> Option<AbsPath> {
        let known = self.names.get(&name.to_lowercase())?;
        let is_below = |dir: &&AbsPath| *dir != base && dir.starts_with(base);
        let mut below = known.iter().filter(is_below);
        let only = below.next()?;
        (below.next().is_none() && known.len() < MOST_OF_A_NAME).then(|| only.clone())
    }
}

struct Walk<'a> {
    ground: &'a Ground<'a>,
    tree: Tree,
    open: Vec<(AbsPath, Belongs)>,
}

impl Walk<'_> {
    fn enter(&mut self, dir: AbsPath, mut belongs: Belongs, links: &mut Vec<AbsPath>) {
        let fs = self.ground.context.unrecorded;
        let is_top = dir == *self.ground.project();
        let Ok(entries) = fs.read_dir(&dir) else { return };
        let (mut folders, mut has_sign, mut is_root) = (Vec::new(), false, false);
        for entry in entries.flatten() {
            has_sign |= SIGNS.contains(&entry.name.as_str());
            match entry.kind {
                _ if entry.name == ".git" => is_root = !is_top,
                FileKind::Dir => folders.push(entry.name),
                FileKind::Symlink if entry.name != ".claude" => links.push(dir.join(&entry.name)),
                _ => {}
            }
        }
        if is_root {
            belongs = Belongs::Repository(dir.clone());
        }
        // What lies in these folders is a rule, a skill or a command.
        let is_own = is_within_own(&dir, self.ground.project());
        folders.sort_unstable();
        for name in folders.into_iter().rev() {
            let below = dir.join(&name);
            let belongs = match &belongs {
                Belongs::Project if name == "node_modules" => Belongs::Package,
                belongs => belongs.clone(),
            };
            if belongs == Belongs::Project {
                let known = self.tree.names.entry(name.to_lowercase()).or_default();
                if known.len() < MOST_OF_A_NAME {
                    known.push(below.clone());
                }
            }
            self.open.push((below, belongs));
        }
        if has_sign && !is_top && !is_own {
            self.tree.folders.push(Found { dir, belongs });
        }
    }
}

/// Whether a folder lies among rules, skills or commands.
fn is_within_own(dir: &AbsPath, project: &AbsPath) -> bool {
    let below = dir.strip_prefix(project).unwrap_or_default();
    let own = below.strip_prefix(".claude/").or_else(|| Some(below.split_once("/.claude/")?.1));
    own.is_some_and(|own| {
        ["rules", "skills", "commands"].contains(&own.split('/').next().unwrap_or_default())
    })
}

/// Tells of a link to a folder elsewhere in which the client would find something.
fn tell_link(ground: &Ground<'_>, link: &AbsPath, reading: &mut Reading) {
    let fs = ground.context.unrecorded;
    let in_own = link
        .strip_prefix(ground.project())
        .is_some_and(|below| below.split('/').any(|part| part == ".claude"));
    if in_own || !fs.metadata(link).is_ok_and(|found| found.is_dir()) {
        return;
    }
    let Ok(real) = fs.canonicalize(link) else { return };
    if real.starts_with(ground.project()) || !holds_something(ground, &real) {
        return;
    }
    let message = format!(
        "the link leads out of the project, to `{real}`; what the client would read there is not carried: run the port there"
    );
    reading.lose(Loss::new("linked folder", link, LossKind::Dropped, message));
}

/// Whether the client would find something in a folder or below it, as far as
/// that is looked for.
fn holds_something(ground: &Ground<'_>, top: &AbsPath) -> bool {
    let fs = ground.context.unrecorded;
    let mut open = vec![top.clone()];
    let mut seen = 0;
    while let Some(dir) = open.pop() {
        let Ok(entries) = fs.read_dir(&dir) else { continue };
        for entry in entries.flatten() {
            seen += 1;
            if SIGNS.contains(&entry.name.as_str()) && entry.name != "AGENTS.md" {
                return true;
            }
            if seen > MOST_BEHIND_A_LINK {
                return false;
            }
            if entry.kind == FileKind::Dir && entry.name != ".git" {
                open.push(dir.join(&entry.name));
            }
        }
    }
    false
}

/// Repositories in the project that are further checkouts of its own.
pub(super) fn is_own_checkout(ground: &Ground<'_>, root: &AbsPath) -> bool {
    let main = ground.context.layout.main_root();
    Repository::find(ground.context.world.fs, root).is_some_and(|found| found.main_root() == main)
}

/// The folders of other repositories, each once.
pub(super) fn repositories(tree: &Tree) -> HashSet<AbsPath> {
    let roots = tree.folders.iter().filter_map(|found| match &found.belongs {
        Belongs::Repository(root) => Some(root.clone()),
        _ => None,
    });
    roots.collect()
}
