use std::collections::BTreeSet;

use memory_core::fs::{Content, Fs, Overlay};
use memory_core::{AbsPath, Env, World};
use memport_documents::{Agent, AgentExplanation, from_claude, from_codex};

use crate::client::Clients;
use crate::failure::Failure;

/// A directory that is nowhere else: what a client looks for in it, it looks for
/// in every directory.
const PROBED: &str = ".memport-looks-here";

/// The home that is named when none is to be looked at.
pub(crate) const NO_HOME: &str = "/.no-home";

/// Who is asked, and what they see.
pub(crate) struct Ask<'a> {
    pub(crate) clients: &'a Clients,
    pub(crate) env: &'a Env,
    pub(crate) fs: &'a dyn Fs,
}

impl Ask<'_> {
    /// What a client would load if it were started in `cwd`.
    pub(crate) fn explain(&self, agent: Agent, cwd: &AbsPath) -> Result<AgentExplanation, Failure> {
        let world = World { fs: self.fs, env: self.env };
        let home = self.env.home.as_ref();
        match agent {
            Agent::Codex => {
                let query = adapter_codex::Query::new(cwd.clone());
                let found = self.clients.codex.resolve(world, &query)?;
                Ok(from_codex(found, home, Vec::new()))
            }
            Agent::ClaudeCode => {
                let query = adapter_claude::Query::new(cwd.clone());
                let found = self.clients.claude.resolve(world, &query)?;
                Ok(from_claude(found, home, Vec::new()))
            }
        }
    }

    /// The directory itself, or the nearest above it that is there: whoever
    /// starts there gets what holds for both.
    pub(crate) fn existing(&self, dir: &AbsPath, root: &AbsPath) -> AbsPath {
        let is_there = |dir: &AbsPath| self.fs.metadata(dir).is_ok_and(|found| found.is_dir());
        dir.ancestors().find(|dir| dir == root || is_there(dir)).unwrap_or_else(|| root.clone())
    }
}

/// The names that clients look for in every directory, learnt from what they
/// look for in an empty one.
pub(crate) fn looked_for(ask: &Ask<'_>, root: &AbsPath) -> Result<BTreeSet<String>, Failure> {
    let empty = root.join(PROBED);
    let mut fs = Overlay::new(ask.fs);
    fs.put(empty.join("empty"), Content::file(""));
    let ask = Ask { fs: &fs, ..*ask };
    let mut names = BTreeSet::new();
    for agent in [Agent::ClaudeCode, Agent::Codex] {
        let probes = ask.explain(agent, &empty)?.probes;
        for path in probes.read.iter().chain(&probes.missing) {
            let below = path.strip_prefix(empty.as_str()).and_then(|rest| rest.strip_prefix('/'));
            let name = below.and_then(|rest| rest.split('/').next());
            names.extend(name.filter(|name| *name != ".git").map(str::to_owned));
        }
    }
    Ok(names)
}
