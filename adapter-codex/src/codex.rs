//! Resolving a start of Codex: configuration, then instructions, skills and memory.

use adapter_agents_md::{MarkerErrors, find_root};
use memory_core::fs::{CachedFs, Recorder};
use memory_core::{
    AbsPath, Client, ClientId, Diagnostic, Error, InstructionChain, PathRole, ResolveInstructions,
    SkillListing, World,
};

use crate::agents::{self, Agents};
use crate::config::arguments::{self, Arguments};
use crate::config::file::FILE_LIMIT;
use crate::config::home;
use crate::config::refusal::Refusal;
use crate::config::session::Session;
use crate::config::settings::{self, Config};
use crate::config::texts::ConfiguredText;
use crate::diagnose;
use crate::instructions::{self, Chains, TextLayers};
use crate::later;
use crate::memory::injection;
use crate::profile::{CLIENT, Profile};
use crate::resolution::Resolution;
use crate::skills::{self, SkillRule};

/// Codex, in one release.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Codex {
    /// The release.
    pub profile: Profile,
}

/// How Codex would be started.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Query {
    /// The directory in which it is started; symlinks in it are resolved first,
    /// as a shell's `cd` followed by the client does.
    pub cwd: AbsPath,
    /// Its command line without the program name.
    pub args: Vec<String>,
    /// The custom agent that the session starts at once, without its history;
    /// `None` for the session itself.
    pub agent: Option<String>,
}

impl Query {
    /// A start in `cwd` without arguments.
    pub fn new(cwd: AbsPath) -> Self {
        Self { cwd, args: Vec::new(), agent: None }
    }

    /// The same start with this command line, the program name left out.
    #[must_use]
    pub fn with_args(self, args: impl IntoIterator<Item = impl Into<String>>) -> Self {
        Self { args: args.into_iter().map(Into::into).collect(), ..self }
    }

    /// What this agent is given when the session starts it.
    #[must_use]
    pub fn with_agent(self, agent: Option<String>) -> Self {
        Self { agent, ..self }
    }
}

impl Codex {
    /// Resolves everything that Codex would be given.
    ///
    /// Errors when the start directory is not there, the home directory is
    /// neither known nor replaced by `CODEX_HOME`, or no agent has the name that
    /// is asked for.
    pub fn resolve(&self, world: World<'_>, query: &Query) -> Result<Resolution, Error> {
        let cached = CachedFs::new(world.fs);
        let seen = Recorder::new(&cached);
        let world = World { fs: &seen, env: world.env };
        let process_cwd = process_cwd(world, &query.cwd)?;
        let mut resolution = match arguments::parse(&query.args) {
            Ok(args) => self.start(world, &process_cwd, &args, query.agent.as_deref())?,
            Err(refusal) => self.refused(process_cwd, &refusal, session_of(&query.args)),
        };
        resolution.home.clone_from(&world.env.home);
        resolution.probes = seen.probes();
        Ok(resolution)
    }

    fn start(
        &self,
        world: World<'_>,
        process_cwd: &AbsPath,
        args: &Arguments,
        agent: Option<&str>,
    ) -> Result<Resolution, Error> {
        let cwd = match &args.cd {
            Some(dir) => home::expand(world, process_cwd, dir),
            None => process_cwd.clone(),
        };
        let codex_home = match home::codex_home(world, process_cwd)? {
            Ok(path) => path,
            Err(refusal) => return Ok(self.refused(cwd, &refusal, args.session)),
        };
        let start = settings::Start { codex_home: &codex_home, process_cwd, cwd: &cwd };
        let mut config = match settings::load(world, &self.profile, &start, args) {
            Ok(config) => config,
            Err(Refusal::NotRead(path)) => {
                return Err(Error::TooLarge { path, limit: FILE_LIMIT });
            }
            Err(refusal) => return Ok(self.refused(cwd, &refusal, args.session)),
        };
        let agents = match agents::load(world, &config) {
            Ok(agents) => agents,
            Err(refusal) => return Ok(self.refused(cwd, &refusal, args.session)),
        };
        let mut without_skills = Vec::new();
        if let Some(name) = agent {
            without_skills = self.become_agent(&mut config, &agents, name)?;
        }
        let chains = instructions::chains(world, &config, &codex_home, &cwd);
        let mut resolution = Resolution::new(self.profile.name, cwd.clone());
        let root = find_root(world, &config.markers, &cwd, MarkerErrors::Present);
        resolution.project = root.unwrap_or_else(|| cwd.clone());
        resolution.agent = agent.map(str::to_owned);
        resolution.instructions = instructions::rendered(&chains, &cwd);
        resolution.skills = self.skills(world, &config, &codex_home, &cwd, &without_skills);
        resolution.memory =
            injection::injection(world, &self.profile, &config, &codex_home, args.session);
        resolution.later = later::texts(world, &config);
        resolution.diagnostics = diagnose::configuration(&config, args);
        resolution.diagnostics.extend(later::diagnostics(&resolution.later));
        resolution.diagnostics.extend(agents.diagnostics);
        let diagnostics = diagnose::chain(world, &config, &chains, args, &cwd);
        resolution.chain = joined(chains, &config, diagnostics);
        resolution.custom_agents = agents.offered.into_iter().map(|agent| agent.shown).collect();
        resolution.omitted_agents = agents.omitted;
        Ok(resolution)
    }

    /// Turns the configuration of a session into that of an agent that it starts,
    /// and gives the rules that take skills away from it.
    fn become_agent(
        &self,
        config: &mut Config,
        agents: &Agents,
        name: &str,
    ) -> Result<Vec<SkillRule>, Error> {
        let Some(agent) = agents.offered.iter().find(|agent| agent.shown.name == name) else {
            if self.profile.builtin_agents.contains(&name) && config.agents_enabled {
                return Ok(Vec::new());
            }
            let known = agents.offered.iter().map(|agent| agent.shown.name.clone()).collect();
            return Err(Error::UnknownAgent { name: name.to_owned(), known });
        };
        let Some(file) = &agent.file else { return Ok(Vec::new()) };
        if let Some(text) = file.instructions.clone() {
            let below = config.texts.developer.take();
            let text = ConfiguredText::of_agent(agent.shown.scope, &file.path, text, below);
            config.texts.developer = Some(text);
        }
        config.memories &= !file.settings.without_memory;
        config.skills.include_instructions &= !file.settings.without_skills;
        Ok(file.settings.skill_rules.clone())
    }

    fn skills(
        &self,
        world: World<'_>,
        config: &Config,
        codex_home: &AbsPath,
        cwd: &AbsPath,
        taken_away: &[SkillRule],
    ) -> SkillListing {
        let root = find_root(world, &config.markers, cwd, MarkerErrors::Present);
        let query = skills::SkillQuery {
            codex_home: codex_home.clone(),
            home: world.env.home.clone(),
            layer_dirs: config.layer_dirs.clone(),
            chain_dirs: cwd.from_top(root.as_ref().unwrap_or(cwd)),
            settings: config.skills.clone(),
            taken_away: taken_away.to_vec(),
        };
        skills::list(world, &self.profile, &query)
    }

    fn refused(&self, cwd: AbsPath, refusal: &Refusal, session: Session) -> Resolution {
        let mut resolution = Resolution::new(self.profile.name, cwd);
        resolution.refusal = Some(refusal.message(session));
        resolution.diagnostics = vec![refusal.diagnostic()];
        resolution
    }
}

impl Client for Codex {
    fn client(&self) -> ClientId {
        CLIENT
    }

    fn name(&self) -> &'static str {
        "Codex"
    }
}

impl ResolveInstructions for Codex {
    type Query = Query;

    fn resolve(&self, world: World<'_>, query: &Query) -> Result<InstructionChain, Error> {
        Ok(Self::resolve(self, world, query)?.chain)
    }
}

/// The folder a process started in `cwd` is in: links resolved.
pub(crate) fn process_cwd(world: World<'_>, cwd: &AbsPath) -> Result<AbsPath, Error> {
    let what = PathRole::StartFolder;
    match world.fs.metadata(cwd) {
        Ok(found) if found.is_dir() => {}
        Ok(_) => return Err(Error::NotADirectory { what, path: cwd.clone() }),
        Err(error) if error.is_absence() => {
            return Err(Error::NotFound { what, path: cwd.clone() });
        }
        Err(source) => return Err(Error::Io { path: cwd.clone(), source }),
    }
    world.fs.canonicalize(cwd).map_err(|source| Error::Io { path: cwd.clone(), source })
}

/// In which words a command line that cannot be read is refused.
fn session_of(args: &[String]) -> Session {
    let prompt_input = args.iter().any(|arg| arg == "prompt-input");
    if prompt_input { Session::PromptInput } else { Session::Interactive }
}

/// The texts of the configuration and the two halves of the chain as one.
fn joined(chains: Chains, config: &Config, diagnostics: Vec<Diagnostic>) -> InstructionChain {
    let Chains { global, project } = chains;
    let mut probes = global.probes;
    probes.extend(project.probes);
    let TextLayers { before, after } = instructions::text_layers(&config.texts);
    let files = global.layers.into_iter().chain(project.layers);
    InstructionChain {
        layers: before.into_iter().chain(files).chain(after).collect(),
        budget: project.budget,
        probes,
        diagnostics,
    }
}
