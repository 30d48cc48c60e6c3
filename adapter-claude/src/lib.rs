//! What Claude Code loads, why, and what it leaves out.

mod arguments;
mod comments;
mod frontmatter;
mod git;
mod layout;
mod profile;
mod resolution;
mod settings;

pub use profile::Profile;
pub use resolution::{AgentMemory, IndexCut, MemoryIndex, RebuiltIndex, Resolution, Step};

use memory_core::{AbsPath, ClientId, Error, World};

/// The client this crate speaks of.
pub const CLIENT: ClientId = ClientId("claude-code");

/// Claude Code, in one release.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Claude {
    /// The release.
    pub profile: Profile,
}

/// How Claude Code would be started, and what it would do then.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Query {
    /// The folder in which it is started; links in it are resolved first.
    pub cwd: AbsPath,
    /// Its command line without the program name.
    pub args: Vec<String>,
    /// Scripted steps: the tool uses of each, those of one step in parallel.
    pub steps: Vec<Vec<ToolUse>>,
}

/// One use of a tool.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ToolUse {
    /// The tool: `Read`, `Write`, `Edit`, …
    pub tool: String,
    /// Its input, as JSON.
    pub input: serde_json::Value,
}

impl Claude {
    /// Resolves everything that Claude Code would be given.
    ///
    /// Errors when the start folder is not there or the home directory is not known.
    pub fn resolve(&self, world: World<'_>, query: &Query) -> Result<Resolution, Error> {
        let _ = world;
        Err(Error::NotFound { what: "start folder", path: query.cwd.clone() })
    }
}
