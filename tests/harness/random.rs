//! Random projects with a marked word in every place where a client reads.
//!
//! A project is made from a seed, in memory or for a real folder; what a client
//! would show of it is computed by that client's adapter ([`Sight`]), so that a
//! test can ask of every marked word what became of it.

mod chance;
mod claude;
mod codex;
mod draft;
mod in_the_way;
mod seeds;
mod sight;
mod skills;

use std::path::PathBuf;

use memory_core::fs::MemFs;
use memory_core::port::PortPlace;
use memory_core::{AbsPath, ClientId, Env, World};

pub use draft::Canary;
use draft::Draft;
pub use seeds::{first_seeds, seeds};
pub use sight::Sight;

use crate::jail::Jail;
use crate::{Result, Tree};

/// A random project of one client.
#[derive(Clone, Debug)]
pub struct RandomProject {
    /// What it was made from.
    pub seed: u64,
    /// The client it is a project of.
    pub client: ClientId,
    /// The project and the home.
    pub place: PortPlace,
    /// The environment of a session.
    pub env: Env,
    /// Every marked word, in the order in which they were made.
    pub canaries: Vec<Canary>,
    tree: Tree,
}

impl RandomProject {
    /// A project of Claude Code below `base`; the managed folder is filled only
    /// when that is the root.
    pub fn claude(seed: u64, base: &AbsPath) -> Result<Self> {
        let mut draft = Draft::new(seed, base);
        claude::project(&mut draft)?;
        let names = ["AGENTS.md", "AGENTS.override.md"];
        in_the_way::put(&mut draft, &names, ".codex", &["../.agents/skills", ".agents/skills"]);
        Ok(Self::of(seed, adapter_claude::CLIENT, &draft))
    }

    /// A project of Codex below `base`; the folder of the administrator is
    /// filled only when that is the root.
    pub fn codex(seed: u64, base: &AbsPath) -> Self {
        let mut draft = Draft::new(seed, base);
        codex::project(&mut draft);
        let names = ["CLAUDE.md", "CLAUDE.local.md", ".claude/CLAUDE.md"];
        in_the_way::put(&mut draft, &names, ".claude", &["../.claude/skills", ".claude/skills"]);
        Self::of(seed, adapter_codex::CLIENT, &draft)
    }

    fn of(seed: u64, client: ClientId, draft: &Draft) -> Self {
        let place = PortPlace { project: draft.project.clone(), home: draft.home.clone() };
        let env = Env::with_home(draft.home.clone());
        Self { seed, client, place, env, canaries: draft.canaries(), tree: draft.tree() }
    }

    /// The project in memory.
    pub fn in_memory(&self) -> MemFs {
        self.tree.in_memory()
    }

    /// Writes the project to the disk, below the `base` it was made for.
    pub fn on_disk(&self) -> Result<()> {
        self.tree.on_disk(&Jail::new([]))?;
        for (path, mode) in self.tree.modes() {
            use std::os::unix::fs::PermissionsExt as _;
            let file = PathBuf::from(path.as_str());
            std::fs::set_permissions(file, std::fs::Permissions::from_mode(*mode))?;
        }
        Ok(())
    }

    /// What the project's client shows of it in this world.
    pub fn source_sight(&self, world: World<'_>) -> Result<Sight> {
        if self.client == adapter_claude::CLIENT {
            Sight::claude(world, &self.place)
        } else {
            Sight::codex(world, &self.place)
        }
    }

    /// What the other client shows of it in this world.
    pub fn target_sight(&self, world: World<'_>) -> Result<Sight> {
        if self.client == adapter_claude::CLIENT {
            Sight::codex(world, &self.place)
        } else {
            Sight::claude_everywhere(world, &self.place)
        }
    }
}

#[cfg(test)]
mod tests;
