//! Fixtures of Codex: a project, a home, an extra folder and `/etc/codex`.

use std::collections::BTreeMap;

use adapter_codex::{Codex, CustomAgent, Profile, Query, Resolution};
use memory_core::fs::{Fs, OsFs};
use memory_core::{AbsPath, Env, World};
use serde::Deserialize;
use serde::de::IgnoredAny;
use serde_json::{Map, Value};

use crate::case::WorldKind;
use crate::content::{bytes_of, path};
use crate::jail::{Jail, native};
use crate::place::{run, temporary};
use crate::{Node, Result, Tree};

/// Where the client was told of its managed configuration.
const MANAGED: &str = "/etc/codex";
/// As long as the temporary folder of a recording.
const IN_MEMORY: &str = "/tmp/ciinmemory";

/// What sends the requests of a session to the recorder.
const PROVIDER: [&str; 4] = [
    "-c",
    "model_provider=\"stub\"",
    "-c",
    "model_providers.stub={name=\"stub\",base_url=\"http://127.0.0.1:8799/v1\",wire_api=\"responses\",supports_websockets=false}",
];

/// What makes a folder `.git` a repository.
const HEAD: &str = "ref: refs/heads/main\n";

/// One step of a session.
#[derive(Debug, Deserialize)]
#[serde(untagged)]
enum SessionCommand {
    /// A command line of the client.
    Client(Vec<String>),
    /// What a person does meanwhile.
    Shell { sh: String },
}

/// The start of an agent.
pub(crate) struct Spawned {
    /// What it is given without the history of the session that starts it.
    pub(crate) start: Resolution,
    /// Whether it gets that history.
    pub(crate) with_history: bool,
}

/// A recorded case of Codex.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
#[expect(clippy::struct_excessive_bools, reason = "the format has them")]
pub(crate) struct CodexCase {
    #[serde(rename = "name")]
    _name: Option<IgnoredAny>,
    #[serde(rename = "description")]
    _description: Option<IgnoredAny>,
    #[serde(rename = "want")]
    _want: Option<IgnoredAny>,
    #[serde(rename = "skills_chars")]
    _skills_chars: Option<IgnoredAny>,
    #[serde(rename = "keep_system", default)]
    pub(crate) keep_system: bool,
    #[serde(default = "yes")]
    git: bool,
    #[serde(default)]
    project: Map<String, Value>,
    #[serde(default)]
    home: Map<String, Value>,
    #[serde(default)]
    extra: Map<String, Value>,
    #[serde(default)]
    etc_codex: Map<String, Value>,
    #[serde(default)]
    setup: Vec<String>,
    #[serde(default)]
    cwd: String,
    #[serde(default)]
    env: BTreeMap<String, String>,
    #[serde(default)]
    global_args: Vec<String>,
    #[serde(default)]
    args: Vec<String>,
    #[serde(default)]
    no_prompt: bool,
    #[serde(default)]
    via: Option<String>,
    #[serde(default)]
    as_nobody: bool,
    /// Arguments of the client's own tool that starts an agent, one call or a list.
    #[serde(default)]
    spawn: Value,
    /// The commands of a session: the client's own, and lines for a shell between them.
    #[serde(default)]
    commands: Vec<SessionCommand>,
    #[serde(rename = "replies")]
    _replies: Option<IgnoredAny>,
    /// Whether the session is kept; where it is not said, one that starts agents is.
    persist: Option<bool>,
}

fn yes() -> bool {
    true
}

impl CodexCase {
    /// What the library makes of the case.
    pub(crate) fn resolve(
        &self,
        profile: &Profile,
        kind: WorldKind,
    ) -> Result<(Resolution, Places)> {
        self.in_world(kind, None, |fs, places| {
            let line = self.command_line(places);
            let query = Query::new(self.cwd(places)).with_args(line);
            Ok((self.ask(profile, places, fs, &query)?, places.clone()))
        })
    }

    /// What the library makes of a session that starts agents, and of the starts
    /// of these agents: `None` for no agent in particular.
    pub(crate) fn resolve_agents(
        &self,
        profile: &Profile,
        kind: WorldKind,
    ) -> Result<(Resolution, Vec<Spawned>, Places)> {
        self.in_world(kind, Some(HEAD), |fs, places| {
            let query = Query::new(self.cwd(places)).with_args(self.agents_command_line(places));
            let session = self.ask(profile, places, fs, &query)?;
            let mut spawned = Vec::new();
            for call in self.spawns() {
                let text = |key| call.get(key).and_then(Value::as_str).map(str::to_owned);
                let is_default = |agent: &CustomAgent| agent.name == "default";
                let replaced = session.custom_agents.iter().any(is_default);
                let agent = text("agent_type").or(replaced.then(|| "default".to_owned()));
                let query = query.clone().with_agent(agent);
                let start = self.ask(profile, places, fs, &query)?;
                let with_history = text("fork_turns").as_deref() != Some("none");
                spawned.push(Spawned { start, with_history });
            }
            Ok((session, spawned, places.clone()))
        })
    }

    /// What the library would give a new session at each of the client's commands.
    pub(crate) fn resolve_session(
        &self,
        profile: &Profile,
        kind: WorldKind,
    ) -> Result<(Vec<Resolution>, Places)> {
        let (_folder, base) = temporary("ci")?;
        let places = Places { base };
        self.lay_out(&places, Some(HEAD))?;
        let mut starts = Vec::new();
        for command in &self.commands {
            let words = match command {
                SessionCommand::Client(words) => words,
                SessionCommand::Shell { sh } => {
                    self.run_line(&places, sh)?;
                    continue;
                }
            };
            let query = Query::new(self.cwd(&places)).with_args(self.session_line(&places, words));
            let start = match kind {
                WorldKind::Disk => self.ask(profile, &places, &OsFs, &query)?,
                WorldKind::Memory => {
                    let tree = Tree::read(&places.base, &places.base)?;
                    self.ask(profile, &places, &tree.in_memory(), &query)?
                }
            };
            starts.push(start);
        }
        Ok((starts, places))
    }

    /// One command line of a session.
    fn session_line(&self, places: &Places, words: &[String]) -> Vec<String> {
        let filled = |args: &[String]| args.iter().map(|arg| places.fill(arg)).collect::<Vec<_>>();
        let (first, rest) = words.split_at(words.len().min(1));
        let mut line = filled(&self.global_args);
        line.extend(filled(first));
        line.extend(["--skip-git-repo-check", "--json"].map(str::to_owned));
        line.extend(PROVIDER.map(str::to_owned));
        line.extend(filled(&self.args));
        line.extend(filled(rest));
        line
    }

    /// Runs a line in the project, as a person would.
    fn run_line(&self, places: &Places, line: &str) -> Result<()> {
        let env = self.env(places);
        let env = env.iter().map(|(name, value)| (name.as_str(), value.as_str()));
        run("bash", &["-ec", &places.fill(line)], &native(&places.project()), env)
    }

    fn spawns(&self) -> Vec<&Value> {
        match &self.spawn {
            Value::Null => Vec::new(),
            Value::Array(calls) => calls.iter().collect(),
            call => vec![call],
        }
    }

    /// Lays the case out and asks something of it; `head` is what stands in the
    /// repository's `HEAD`.
    fn in_world<T>(
        &self,
        kind: WorldKind,
        head: Option<&str>,
        ask: impl FnOnce(&dyn Fs, &Places) -> Result<T>,
    ) -> Result<T> {
        match kind {
            WorldKind::Memory if self.setup.is_empty() => {
                let places = Places { base: path(IN_MEMORY)? };
                ask(&self.tree(&places, head)?.in_memory(), &places)
            }
            WorldKind::Memory => {
                let (_folder, base) = temporary("ci")?;
                let places = Places { base };
                let modes = self.lay_out(&places, head)?;
                let mut back = Tree::read(&places.base, &places.base)?;
                let managed = places.managed();
                if native(&managed).exists() {
                    back.extend(Tree::read(&managed, &path(MANAGED)?)?);
                }
                back.extend(modes);
                ask(&back.in_memory(), &places)
            }
            WorldKind::Disk => {
                let (_folder, base) = temporary("ci")?;
                let places = Places { base };
                let modes = self.lay_out(&places, head)?;
                let jail = places.jail()?.with_modes(modes.modes().clone());
                let plain = self.etc_codex.is_empty()
                    && modes.modes().is_empty()
                    && !native(&path(MANAGED)?).exists();
                let fs: &dyn Fs = if plain { &OsFs } else { &jail };
                ask(fs, &places)
            }
        }
    }

    /// Writes the tree to the disk, runs the set-up lines, and gives back what
    /// only a user other than root would notice: the permission bits.
    fn lay_out(&self, places: &Places, head: Option<&str>) -> Result<Tree> {
        let tree = self.tree(places, head)?;
        tree.on_disk(&places.jail()?)?;
        for line in &self.setup {
            self.run_line(places, line)?;
        }
        std::fs::create_dir_all(native(&self.cwd(places)))?;
        let mut modes = Tree::default();
        for (path, mode) in tree.modes() {
            modes.mode(path.clone(), *mode);
        }
        Ok(modes)
    }

    fn tree(&self, places: &Places, head: Option<&str>) -> Result<Tree> {
        let mut tree = Tree::default();
        for folder in [places.project(), places.home(), places.extra()] {
            tree.put(folder, Node::Dir);
        }
        if self.git {
            tree.put(places.project().join(".git"), Node::Dir);
            let at = places.project().join(".git/HEAD");
            if let Some(head) = head {
                tree.put(at, Node::File(head.into()));
            }
        }
        for (root, files) in [
            (places.project(), &self.project),
            (places.home(), &self.home),
            (places.extra(), &self.extra),
            (path(MANAGED)?, &self.etc_codex),
        ] {
            for (name, spec) in files {
                put(&mut tree, &path(&format!("{root}/{name}"))?, spec, places)?;
            }
        }
        if self.setup.is_empty() {
            tree.put(self.cwd(places), Node::Dir);
        }
        if !self.as_nobody {
            tree.without_modes();
        }
        Ok(tree)
    }

    fn ask(
        &self,
        profile: &Profile,
        places: &Places,
        fs: &dyn Fs,
        query: &Query,
    ) -> Result<Resolution> {
        let vars = self.env(places);
        let home = vars.get("HOME").map(AbsPath::new).transpose()?;
        let env = Env { home, vars };
        let codex = Codex { profile: profile.clone() };
        Ok(codex.resolve(World { fs, env: &env }, query)?)
    }

    /// The command line of a session that starts agents.
    fn agents_command_line(&self, places: &Places) -> Vec<String> {
        let filled = |args: &[String]| args.iter().map(|arg| places.fill(arg)).collect::<Vec<_>>();
        let persists = self.persist.unwrap_or(!self.spawn.is_null());
        let mut line = filled(&self.global_args);
        line.extend(["exec", "--skip-git-repo-check", "--json"].map(str::to_owned));
        line.extend(PROVIDER.map(str::to_owned));
        line.extend(filled(&self.args));
        line.extend((!persists).then(|| "--ephemeral".to_owned()));
        line.push("SPAWN-IT".to_owned());
        line
    }

    fn cwd(&self, places: &Places) -> AbsPath {
        places.project().join(places.fill(&self.cwd))
    }

    fn env(&self, places: &Places) -> BTreeMap<String, String> {
        let usual = [
            ("PATH", "/usr/local/bin:/usr/bin:/bin"),
            ("HOME", places.home().as_str()),
            ("OPENAI_API_KEY", "dummy"),
            ("TZ", "UTC"),
        ]
        .map(|(name, value)| (name.to_owned(), value.to_owned()));
        let own = self.env.iter().map(|(name, value)| (name.clone(), places.fill(value)));
        usual.into_iter().chain(own).collect()
    }

    /// The command line with which the case was recorded.
    fn command_line(&self, places: &Places) -> Vec<String> {
        let command = if self.via.as_deref() == Some("exec") {
            [["exec", "--ephemeral", "--skip-git-repo-check"].as_slice(), &PROVIDER].concat()
        } else {
            vec!["debug", "prompt-input"]
        };
        let prompt = if self.no_prompt { None } else { Some("hi".to_owned()) };
        let filled = |args: &[String]| args.iter().map(|arg| places.fill(arg)).collect::<Vec<_>>();
        let mut line = filled(&self.global_args);
        line.extend(command.into_iter().map(str::to_owned));
        line.extend(filled(&self.args));
        line.extend(prompt);
        line
    }
}

fn put(tree: &mut Tree, at: &AbsPath, spec: &Value, places: &Places) -> Result<()> {
    let flag = |key: &str| spec.get(key).and_then(Value::as_bool).unwrap_or_default();
    let node = if let Some(target) = spec.get("symlink").and_then(Value::as_str) {
        Node::Link(places.fill(target))
    } else if flag("dir") {
        Node::Dir
    } else if flag("fifo") {
        Node::Fifo
    } else if spec.is_string() || flag("subst") {
        Node::File(places.fill(&String::from_utf8(bytes_of(spec)?)?).into_bytes())
    } else {
        Node::File(bytes_of(spec)?)
    };
    tree.put(at.clone(), node);
    if let Some(mode) = spec.get("mode").and_then(Value::as_str) {
        let mode = u32::from_str_radix(mode, 8)?;
        // The files under /etc belong to root, so that the bits for others count.
        let mode = if at.starts_with(&path(MANAGED)?) { (mode & 7) << 6 } else { mode };
        tree.mode(at.clone(), mode);
    }
    Ok(())
}

/// The folders of one run: all below one, at paths of the recorded length.
#[derive(Clone, Debug)]
pub(crate) struct Places {
    base: AbsPath,
}

impl Places {
    fn project(&self) -> AbsPath {
        self.base.join("p")
    }

    fn home(&self) -> AbsPath {
        self.base.join("h")
    }

    fn extra(&self) -> AbsPath {
        self.base.join("x")
    }

    fn managed(&self) -> AbsPath {
        self.base.join("e")
    }

    /// The disk with `/etc/codex` kept in the temporary folder.
    fn jail(&self) -> Result<Jail> {
        let root = AbsPath::root();
        Ok(Jail::new([(root.clone(), root), (path(MANAGED)?, self.managed())]))
    }

    /// Puts paths for the placeholders.
    fn fill(&self, text: &str) -> String {
        text.replace("<PROJECT>", self.project().as_str())
            .replace("<HOME>", self.home().as_str())
            .replace("<EXTRA>", self.extra().as_str())
    }

    /// Puts placeholders for the paths, as the recording did.
    pub(crate) fn mask(&self, text: &str) -> String {
        text.replace(self.project().as_str(), "<PROJECT>")
            .replace(self.home().as_str(), "<HOME>")
            .replace(self.extra().as_str(), "<EXTRA>")
            .replace(self.base.as_str(), "<BASE>")
    }
}
