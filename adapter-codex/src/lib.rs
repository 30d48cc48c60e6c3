//! What Codex loads, why, and what it leaves out.
//!
//! ```
//! use adapter_codex::{Codex, Query};
//! use memory_core::{AbsPath, Env, MemFs, World};
//!
//! let fs = MemFs::from_files([
//!     ("/home/mio/.codex/AGENTS.md", "Answer in Japanese.\n"),
//!     ("/repo/.git/HEAD", "ref: refs/heads/main\n"),
//!     ("/repo/AGENTS.md", "Run the tests.\n"),
//! ]);
//! let env = Env::with_home(AbsPath::new("/home/mio")?);
//! let query = Query { cwd: AbsPath::new("/repo")?, args: Vec::new() };
//! let resolution = Codex::default().resolve(World { fs: &fs, env: &env }, &query)?;
//! assert_eq!(
//!     resolution.instructions.unwrap(),
//!     "# AGENTS.md instructions for /repo\n\n<INSTRUCTIONS>\n\
//!      Answer in Japanese.\n\n--- project-doc ---\n\nRun the tests.\n\n</INSTRUCTIONS>",
//! );
//! # Ok::<(), memory_core::Error>(())
//! ```

mod arguments;
mod chain;
mod config;
mod diagnose;
mod git;
mod home;
mod inventory;
mod memory;
mod memory_tree;
mod port;
mod profile;
mod quirks;
mod refusal;
mod render;
mod resolution;
mod session;
mod skills;

pub use inventory::MemoryView;
pub use memory_tree::{
    Bullet, CitedPassage, CitedReply, DetectedVersion, Extension, FoundBy, GeneratedFile, Handbook,
    HandbookSection, HandbookSectionKind, ImportedProject, Lookup, MemoryMode, MemorySkill,
    MemoryTree, NewNote, Note, NoteRefusal, OtherFile, Passage, Place, PlainFile, RawMemories,
    RawMemory, Rejection, Resource, RolloutStem, RolloutSummary, RolloutTask, SectionKind,
    SourceRef, Summary, SummarySection, Task, TaskGroup, TaskOutcome, ThreadHeader, ThreadRow,
    ThreadSelection, Topic, Unread, VersionSign, WriteRefusal, WriteVerdict, count_citations,
    detect_version, generated_files, lookup, lookup_notes, new_note, pruned_summaries, rejections,
    rollout_stem, stored_rollout_summary, version_in_force, write_verdict,
};
pub use profile::Profile;
pub use quirks::quirks;
pub use resolution::{MemoryInjection, MemoryVersion, MiddleCut, Resolution};

use adapter_agents_md::{MarkerErrors, find_root};
use arguments::Arguments;
use chain::Chains;
use memory_core::{
    AbsPath, CachedFs, Client, ClientId, Error, InstructionChain, Recorder, ResolveInstructions,
    SkillListing, World,
};
use refusal::Refusal;
use session::Session;

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
        let start = config::Start { codex_home: &codex_home, process_cwd, cwd: &cwd };
        let config = match config::load(world, &self.profile, &start, args) {
            Ok(config) => config,
            Err(Refusal::NotRead(path)) => {
                return Err(Error::TooLarge { path, limit: config::FILE_LIMIT });
            }
            Err(refusal) => return Ok(self.refused(cwd, &refusal, args.session)),
        };
        let chains = chain::chains(world, &config, &codex_home, &cwd);
        let told = diagnose::chain(world, &config, &chains, &cwd);
        Ok(Resolution {
            profile: self.profile.name,
            refusal: None,
            instructions: render::instructions(&chains, &cwd),
            chain: joined(chains, told),
            skills: self.skills(world, &config, &codex_home, &cwd),
            memory: memory::injection(world, &self.profile, &config, &codex_home, args.session),
            diagnostics: diagnose::configuration(&config, args),
            cwd,
            probes: memory_core::Probes::default(),
        })
    }

    fn skills(
        &self,
        world: World<'_>,
        config: &config::Config,
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
        Resolution {
            profile: self.profile.name,
            cwd,
            refusal: Some(refusal.message(session)),
            chain: InstructionChain::default(),
            instructions: None,
            skills: SkillListing::default(),
            memory: MemoryInjection::default(),
            diagnostics: vec![refusal.diagnostic()],
            probes: memory_core::Probes::default(),
        }
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
fn process_cwd(world: World<'_>, cwd: &AbsPath) -> Result<AbsPath, Error> {
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
fn joined(chains: Chains, told: Vec<memory_core::Diagnostic>) -> InstructionChain {
    let Chains { global, project } = chains;
    let mut probes = global.probes;
    probes.extend(project.probes);
    InstructionChain {
        layers: global.layers.into_iter().chain(project.layers).collect(),
        budget: project.budget,
        probes,
        diagnostics: told,
    }
}
