//! Resolving a start of Codex: configuration, then instructions, skills and memory.

use adapter_agents_md::{MarkerErrors, find_root};
use memory_core::{
    AbsPath, CachedFs, Client, ClientId, Diagnostic, Error, InstructionChain, Probes, Recorder,
    ResolveInstructions, SkillListing, World,
};

use crate::config::arguments::{self, Arguments};
use crate::config::file::FILE_LIMIT;
use crate::config::home;
use crate::config::refusal::Refusal;
use crate::config::session::Session;
use crate::config::settings::{self, Config};
use crate::diagnose;
use crate::instructions::{self, Chains};
use crate::memory::injection;
use crate::profile::{CLIENT, Profile};
use crate::resolution::Resolution;
use crate::skills;

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
}

impl Query {
    /// A start in `cwd` without arguments.
    pub fn new(cwd: AbsPath) -> Self {
        Self { cwd, args: Vec::new() }
    }

    /// The same start with this command line, the program name left out.
    #[must_use]
    pub fn with_args(self, args: impl IntoIterator<Item = impl Into<String>>) -> Self {
        Self { args: args.into_iter().map(Into::into).collect(), ..self }
    }
}

impl Codex {
    /// Resolves everything that Codex would be given.
    ///
    /// Errors when the start folder is not there, or the home directory is
    /// neither known nor replaced by `CODEX_HOME`.
    pub fn resolve(&self, world: World<'_>, query: &Query) -> Result<Resolution, Error> {
        let cached = CachedFs::new(world.fs);
        let seen = Recorder::new(&cached);
        let world = World { fs: &seen, env: world.env };
        let process_cwd = process_cwd(world, &query.cwd)?;
        let mut resolution = match arguments::parse(&query.args) {
            Ok(args) => self.start(world, &process_cwd, &args)?,
            Err(refusal) => self.refused(process_cwd, &refusal, session_of(&query.args)),
        };
        resolution.probes = seen.probes();
        Ok(resolution)
    }

    fn start(
        &self,
        world: World<'_>,
        process_cwd: &AbsPath,
        args: &Arguments,
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
        let config = match settings::load(world, &self.profile, &start, args) {
            Ok(config) => config,
            Err(Refusal::NotRead(path)) => {
                return Err(Error::TooLarge { path, limit: FILE_LIMIT });
            }
            Err(refusal) => return Ok(self.refused(cwd, &refusal, args.session)),
        };
        let chains = instructions::chains(world, &config, &codex_home, &cwd);
        let diagnostics = diagnose::chain(world, &config, &chains, &cwd);
        Ok(Resolution {
            profile: self.profile.name,
            refusal: None,
            instructions: instructions::rendered(&chains, &cwd),
            chain: joined(chains, diagnostics),
            skills: self.skills(world, &config, &codex_home, &cwd),
            memory: injection::injection(world, &self.profile, &config, &codex_home, args.session),
            diagnostics: diagnose::configuration(&config, args),
            cwd,
            probes: Probes::default(),
        })
    }

    fn skills(
        &self,
        world: World<'_>,
        config: &Config,
        codex_home: &AbsPath,
        cwd: &AbsPath,
    ) -> SkillListing {
        let root = find_root(world, &config.markers, cwd, MarkerErrors::Present);
        let query = skills::SkillQuery {
            codex_home: codex_home.clone(),
            home: world.env.home.clone(),
            layer_dirs: config.layer_dirs.clone(),
            chain_dirs: cwd.from_top(root.as_ref().unwrap_or(cwd)),
            settings: config.skills.clone(),
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
    let what = "start folder";
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

/// The two halves of the chain as one.
fn joined(chains: Chains, diagnostics: Vec<Diagnostic>) -> InstructionChain {
    let Chains { global, project } = chains;
    let mut probes = global.probes;
    probes.extend(project.probes);
    InstructionChain {
        layers: global.layers.into_iter().chain(project.layers).collect(),
        budget: project.budget,
        probes,
        diagnostics,
    }
}
