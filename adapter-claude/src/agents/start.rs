use std::collections::{BTreeMap, HashSet};

use memory_core::{AbsPath, Layer, Omission, Outcome, Quirk};

use super::definition::{Definition, Given, defined};
use crate::context::Context;
use crate::instructions::load::{Documents, Item};
use crate::instructions::touch::Session;
use crate::quirks;
use crate::resolution::{AgentMemory, AgentStart, MemoryIndex, PreloadedSkill};
use crate::skills::SkillSession;

/// The sub-agents of a session: which there are, and those that it has started.
pub(crate) struct Agents<'a> {
    context: &'a Context<'a>,
    documents: &'a Documents,
    definitions: BTreeMap<String, Definition>,
    /// What the session was given when it started: its instructions, in order.
    layers: Vec<Layer>,
    given: HashSet<AbsPath>,
    nested_agents_md: bool,
    memory: MemoryIndex,
    own_memories: Vec<AgentMemory>,
    started: Vec<AgentStart>,
}

impl<'a> Agents<'a> {
    /// The sub-agents of a session that was given `items` at its start; files
    /// in `given` count as loaded.
    pub(crate) fn new(
        context: &'a Context<'a>,
        documents: &'a Documents,
        items: &[Item],
        given: HashSet<AbsPath>,
        agents_md: bool,
    ) -> Self {
        Self {
            context,
            documents,
            definitions: defined(context),
            layers: items.iter().map(|item| item.layer.clone()).collect(),
            given,
            nested_agents_md: agents_md,
            memory: MemoryIndex::default(),
            own_memories: Vec::new(),
            started: Vec::new(),
        }
    }

    /// Says which memories there are: the session's, and those of its sub-agents.
    pub(crate) fn remember(&mut self, session: &MemoryIndex, own: &[AgentMemory]) {
        self.memory = session.clone();
        self.own_memories = own.to_vec();
    }

    pub(crate) fn definitions(&self) -> &BTreeMap<String, Definition> {
        &self.definitions
    }

    pub(crate) fn named(&self, name: &str) -> Option<&Definition> {
        self.definitions.get(name)
    }

    /// Starts an agent; the number is its place among those that were started.
    pub(crate) fn start(
        &mut self,
        definition: &Definition,
        at: String,
        skills: &SkillSession<'_>,
        listing: memory_core::SkillListing,
    ) -> usize {
        let preloaded = definition.skills.iter().filter_map(|name| preloaded(skills, name));
        let own = self.own_memories.iter().find(|memory| memory.agent == definition.name);
        self.started.push(AgentStart {
            at,
            agent: definition.name.clone(),
            path: definition.path.clone(),
            prompt: definition.prompt.clone(),
            git_status: definition.given != Given::Nothing
                && self.context.layout.repository.is_some(),
            layers: self.layers_for(definition),
            memory: if definition.given == Given::All {
                self.memory.clone()
            } else {
                MemoryIndex::default()
            },
            own_memory: own.filter(|_| definition.memory.is_some()).cloned(),
            skills: listing,
            preloaded: preloaded.collect(),
            steps: Vec::new(),
        });
        self.started.len() - 1
    }

    /// What the session was given, as far as the agent is given it too.
    fn layers_for(&self, definition: &Definition) -> Vec<Layer> {
        if definition.given == Given::All {
            return self.layers.clone();
        }
        let (setting, quirk): (_, Option<&'static Quirk>) = match definition.given {
            Given::Repository => {
                (format!("`omitClaudeMd` of the agent `{}`", definition.name), None)
            }
            _ => (
                format!(
                    "the agent `{}`, which the client starts without instructions",
                    definition.name
                ),
                Some(&quirks::EXPLORE_GETS_NO_INSTRUCTIONS),
            ),
        };
        let mut layers = self.layers.clone();
        for layer in layers.iter_mut().filter(|it| matches!(it.outcome, Outcome::Loaded(_))) {
            let reason = Omission::Disabled { setting: setting.clone() };
            layer.outcome = Outcome::Omitted { reason, quirk };
        }
        layers
    }

    /// A conversation of its own: what the session loaded meanwhile is unknown to it.
    pub(crate) fn session(&self) -> Session<'a> {
        Session::new(self.context, self.documents, self.given.clone(), self.nested_agents_md)
    }

    /// The agent that was started at this place.
    pub(crate) fn get_mut(&mut self, place: usize) -> Option<&mut AgentStart> {
        self.started.get_mut(place)
    }

    /// All that were started, each before those that it started itself.
    pub(crate) fn into_started(self) -> Vec<AgentStart> {
        self.started
    }
}

/// The text of a skill that an agent names in its definition.
fn preloaded(skills: &SkillSession<'_>, name: &str) -> Option<PreloadedSkill> {
    let (name, file, text) = skills.preloaded(name)?;
    let content = text.trim_end_matches(['\n', '\r']).to_owned();
    Some(PreloadedSkill { name, path: file, content })
}

#[cfg(test)]
mod tests {
    use memory_core::fs::MemFs;
    use memory_core::{Env, Error, World};

    use super::*;
    use crate::claude::{Claude, Query, ToolUse};
    use crate::resolution::Resolution;

    fn resolve(agent: Option<&str>) -> Result<Resolution, Error> {
        let fs = MemFs::from_files([
            ("/w/.git/HEAD", "ref: refs/heads/main\n"),
            ("/w/CLAUDE.md", "root"),
            ("/w/s/CLAUDE.md", "nested"),
            ("/w/s/a.ts", ""),
            ("/w/.claude/agents/a.md", "---\nname: a\ndescription: d\n---\nDo it.\n"),
            (
                "/w/.claude/agents/o.md",
                "---\nname: o\ndescription: d\nomitClaudeMd: true\n---\nx\n",
            ),
        ]);
        let env = Env::with_home(AbsPath::new("/h")?);
        let read = ToolUse::new("Read", serde_json::json!({ "file_path": "/w/s/a.ts" }));
        let query = Query::new(AbsPath::new("/w")?).with_steps(vec![vec![read]]);
        let query = query.with_agent(agent.map(str::to_owned));
        Claude::default().resolve(World { fs: &fs, env: &env }, &query)
    }

    #[test]
    fn the_start_of_an_agent_stands_in_place_of_the_session_s() {
        let found = resolve(Some("a")).unwrap();
        assert_eq!(found.sub_agent.as_deref(), Some("a"));
        assert_eq!((found.chain.loaded().count(), found.steps[0].loads.len()), (1, 1));
        assert_eq!(found.agents[0].prompt.as_deref(), Some("Do it."));
        assert!(found.agents[0].git_status);
        assert_eq!(resolve(None).unwrap().agents, []);
    }

    #[test]
    fn agents_that_are_given_nothing_load_by_touch_all_the_same() {
        for (agent, git_status) in [("Explore", false), ("o", true)] {
            let found = resolve(Some(agent)).unwrap();
            assert_eq!((found.chain.loaded().count(), found.steps[0].loads.len()), (0, 1));
            assert_eq!(found.agents[0].git_status, git_status, "{agent}");
        }
    }

    #[test]
    fn an_unknown_name_is_told_with_those_that_there_are() {
        let Err(Error::UnknownAgent { known, .. }) = resolve(Some("none")) else {
            panic!("an error was expected");
        };
        assert!(known.iter().any(|name| name == "a"));
    }
}
