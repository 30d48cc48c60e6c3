//! Resolving a start of Claude Code: settings, then instructions, skills and memory.

use std::borrow::Cow;
use std::time::SystemTime;

use memory_core::fs::{CachedFs, Recorder};
use memory_core::{AbsPath, Client, ClientId, Error, InstructionChain, ResolveInstructions, World};

use crate::agents::Agents;
use crate::context::Context;
use crate::diagnose;
use crate::instructions::load::Documents;
use crate::instructions::start;
use crate::instructions::step::Tools;
use crate::instructions::touch::Session;
use crate::memory;
use crate::profile::{CLIENT, Profile};
use crate::resolution::Resolution;
use crate::settings::Settings;
use crate::settings::arguments::Arguments;
use crate::settings::layout::Layout;
use crate::settings::refusal;
use crate::skills;
use crate::store;

/// Claude Code, in one release.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Claude {
    /// The release.
    pub profile: Profile,
}

/// How Claude Code would be started, and what it would do then.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Query {
    /// The folder in which it is started; links in it are resolved first.
    pub cwd: AbsPath,
    /// Its command line without the program name.
    pub args: Vec<String>,
    /// Scripted steps: the tool uses of each, those of one step in parallel.
    pub steps: Vec<Vec<ToolUse>>,
    /// The sub-agent whose start is asked for, in place of the session's own; its
    /// steps are then the scripted ones.
    pub agent: Option<String>,
    /// When it is started, which decides how much the uses of skills count;
    /// without it, at the last of these uses.
    pub now: Option<SystemTime>,
}

impl Query {
    /// A start in `cwd` without arguments, of which nothing more is asked.
    pub fn new(cwd: AbsPath) -> Self {
        Self { cwd, args: Vec::new(), steps: Vec::new(), agent: None, now: None }
    }

    /// The same start with this command line, the program name left out.
    #[must_use]
    pub fn with_args(self, args: impl IntoIterator<Item = impl Into<String>>) -> Self {
        Self { args: args.into_iter().map(Into::into).collect(), ..self }
    }

    /// The same start, followed by these steps: the tool uses of each.
    #[must_use]
    pub fn with_steps(self, steps: Vec<Vec<ToolUse>>) -> Self {
        Self { steps, ..self }
    }

    /// What a sub-agent is given that is started from there; `None` for the session itself.
    #[must_use]
    pub fn with_agent(self, agent: Option<String>) -> Self {
        Self { agent, ..self }
    }

    /// The same start at this time.
    #[must_use]
    pub fn at(self, now: SystemTime) -> Self {
        Self { now: Some(now), ..self }
    }
}

/// One use of a tool.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ToolUse {
    /// The tool: `Read`, `Write`, `Edit`, …
    pub tool: String,
    /// Its input, as JSON.
    pub input: serde_json::Value,
    /// Whether it ended with an error, or a search found nothing.
    pub failed: bool,
    /// What the sub-agent that it starts does: the tool uses of each of its steps.
    pub agent_steps: Vec<Vec<Self>>,
}

impl ToolUse {
    /// The use of a tool with its input; it succeeds.
    pub fn new(tool: impl Into<String>, input: serde_json::Value) -> Self {
        Self { tool: tool.into(), input, failed: false, agent_steps: Vec::new() }
    }

    /// The start of the sub-agent of this name, which then goes through these steps.
    pub fn agent(name: &str, agent_steps: Vec<Vec<Self>>) -> Self {
        let input = serde_json::json!({ "subagent_type": name });
        Self::new("Agent", input).with_agent_steps(agent_steps)
    }

    /// The same use, ending with an error or finding nothing.
    #[must_use]
    pub fn with_failure(self, failed: bool) -> Self {
        Self { failed, ..self }
    }

    /// The same use, with the steps of the sub-agent that it starts.
    #[must_use]
    pub fn with_agent_steps(self, agent_steps: Vec<Vec<Self>>) -> Self {
        Self { agent_steps, ..self }
    }
}

impl Claude {
    /// Resolves everything that Claude Code would be given.
    ///
    /// Errors when the start folder is not there, the home directory is not known
    /// or no sub-agent has the name that is asked for.
    pub fn resolve(&self, world: World<'_>, query: &Query) -> Result<Resolution, Error> {
        let unrecorded = &CachedFs::new(world.fs);
        let fs = Recorder::new(unrecorded);
        let world = World { fs: &fs, env: world.env };
        let mut layout = Layout::find(world, &query.cwd)?;
        layout.local_settings =
            layout.local_settings.filter(|_| self.profile.local_settings_of_root);
        let arguments = Arguments::read(&query.args);
        if let Some(refusal) = refusal::refusal(world, &layout, &arguments) {
            return Ok(Resolution::refused(&self.profile, layout.cwd, refusal, fs.probes()));
        }
        let mut told: Vec<_> = arguments.worktree.then(diagnose::worktree).into_iter().collect();
        let settings = Settings::read(world, &layout, &arguments, &mut told);
        let mut context =
            Context::new(world, unrecorded, &self.profile, &layout, &settings, &arguments);
        context.now = query.now;
        let documents = Documents::default();
        let mut start = start::resolve(&context, &documents);
        diagnose::settle(&context, &mut start.items);
        let mut agents =
            Agents::new(&context, &documents, &start.items, start.given.clone(), start.agents_md);
        let mut memory = memory::resolve(&context);
        if memory.enabled {
            memory.diagnostics.extend(store::shared_with(&context));
        }
        let agent_memory = memory::agents(&context, agents.definitions().values(), &mut told);
        agents.remember(&memory, &agent_memory);
        let script = match &query.agent {
            None => Cow::Borrowed(&query.steps),
            Some(name) if agents.named(name).is_some() => {
                Cow::Owned(vec![vec![ToolUse::agent(name, query.steps.clone())]])
            }
            Some(name) => {
                let known = agents.definitions().keys().cloned().collect();
                return Err(Error::UnknownAgent { name: name.clone(), known });
            }
        };
        let mut session = Session::new(&context, &documents, start.given, start.agents_md);
        let (skills, mut skill_session) = skills::resolve(&context);
        let mut tools = Tools::new(&context, &documents, agents);
        let (before, after) = tools.mentions(&mut session);
        let steps = script
            .iter()
            // A session without tools takes no steps.
            .filter(|_| arguments.tools.as_ref().is_none_or(|tools| !tools.is_empty()))
            .zip(0_usize..)
            .map(|(uses, at)| tools.step(&mut session, &mut skill_session, uses, &at.to_string()))
            .collect();
        let agents = tools.into_started();
        let diagnostics = diagnose::diagnose(&context, &documents, &start.items);
        let layers = start.items.into_iter().map(|item| item.layer);
        let layers = before.into_iter().chain(layers).chain(after).collect();
        let probes = fs.probes();
        let repository = layout.repository.map(|found| found.root);
        let found = Resolution {
            profile: self.profile.name,
            home: world.env.home.clone(),
            project: repository.unwrap_or_else(|| layout.cwd.clone()),
            cwd: layout.cwd,
            refusal: None,
            chain: InstructionChain { layers, budget: None, probes: probes.clone(), diagnostics },
            steps,
            skills,
            memory,
            agent_memory,
            agents,
            sub_agent: None,
            diagnostics: told,
            probes,
        };
        Ok(match &query.agent {
            Some(name) => found.of_agent(name),
            None => found,
        })
    }
}

impl Client for Claude {
    fn client(&self) -> ClientId {
        CLIENT
    }

    fn name(&self) -> &'static str {
        "Claude Code"
    }
}

impl ResolveInstructions for Claude {
    type Query = Query;

    /// Resolves what loads at start; [`Claude::resolve`] also tells what each step adds.
    fn resolve(&self, world: World<'_>, query: &Query) -> Result<InstructionChain, Error> {
        Ok(Self::resolve(self, world, query)?.chain)
    }
}
