//! Where the client looks.

use memory_core::{AbsPath, Error, PathRole, World};

use super::git::Repository;

/// The folders from which everything else follows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Layout {
    /// The start folder, links resolved.
    pub(crate) cwd: AbsPath,
    /// The start folder as it was given.
    pub(crate) given_cwd: AbsPath,
    /// The home directory.
    pub(crate) home: AbsPath,
    /// The person's own configuration: `~/.claude`.
    pub(crate) config: AbsPath,
    /// The file with the client's own notes on projects: `~/.claude.json`.
    pub(crate) state: AbsPath,
    /// The organisation's configuration.
    pub(crate) managed: AbsPath,
    /// The repository of the start folder.
    pub(crate) repository: Option<Repository>,
    /// A folder whose `settings.local.json` counts beside that of the start folder.
    pub(crate) local_settings: Option<AbsPath>,
}

impl Layout {
    /// Finds the folders for a start in `cwd`.
    pub(crate) fn find(world: World<'_>, cwd: &AbsPath) -> Result<Self, Error> {
        let home = world.env.home.clone().ok_or(Error::HomeUnknown)?;
        let real = world.fs.canonicalize(cwd).map_err(|source| {
            if source.is_absence() {
                Error::NotFound { what: PathRole::StartFolder, path: cwd.clone() }
            } else {
                Error::Io { path: cwd.clone(), source }
            }
        })?;
        let is_dir = world.fs.metadata(&real).is_ok_and(|found| found.is_dir());
        if !is_dir {
            return Err(Error::NotADirectory { what: PathRole::StartFolder, path: cwd.clone() });
        }
        let (config, state) = match world.env.var("CLAUDE_CONFIG_DIR") {
            // A relative folder counts from the start folder; `~` is a name like any other.
            Some(dir) => (real.join(dir), real.join(dir).join(".claude.json")),
            None => (home.join(".claude"), home.join(".claude.json")),
        };
        let repository = Repository::find(world.fs, &real);
        let managed = AbsPath::root().join("etc/claude-code");
        let local_settings = repository.as_ref().map(|found| found.main_root().join(".claude"));
        Ok(Self {
            cwd: real,
            given_cwd: cwd.clone(),
            home,
            config,
            state,
            managed,
            repository,
            local_settings,
        })
    }

    /// The path that a person names: relative to the start folder, `~` for the home.
    pub(crate) fn named(&self, named: &str) -> AbsPath {
        match named.strip_prefix("~/") {
            Some(below) => self.home.join(below),
            None => self.cwd.join(named),
        }
    }

    /// The file that a tool names: relative to the start folder, and below its
    /// real path where it is given below the path that led there.
    pub(crate) fn file(&self, named: &str) -> AbsPath {
        let path = self.named(named);
        match path.strip_prefix(&self.given_cwd) {
            Some(below) => self.cwd.join(below),
            None => path,
        }
    }

    /// Whether a folder belongs to the main checkout in which the start folder's worktree lies.
    pub(crate) fn is_skipped_main_checkout(&self, dir: &AbsPath) -> bool {
        let Some(repository) = &self.repository else { return false };
        repository.main_checkout().is_some_and(|main| {
            let root = &repository.root;
            root.starts_with(main) && dir.starts_with(main) && !dir.starts_with(root)
        })
    }

    /// The root of the main checkout, or the start folder outside any repository.
    pub(crate) fn main_root(&self) -> &AbsPath {
        self.repository.as_ref().map_or(&self.cwd, Repository::main_root)
    }
}
