//! Fixtures of Codex: a project, a home, an extra folder and `/etc/codex`.

use std::collections::BTreeMap;

use adapter_codex::{Codex, Profile, Query, Resolution};
use memory_core::{AbsPath, Env, Fs, OsFs, World};
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
}

fn yes() -> bool {
    true
}

impl CodexCase {
    /// What the library makes of the case.
    pub(crate) fn resolve(
        &self,
        profile: Profile,
        kind: WorldKind,
    ) -> Result<(Resolution, Places)> {
        match kind {
            WorldKind::Memory if self.setup.is_empty() => {
                let places = Places { base: path(IN_MEMORY)? };
                self.answer(profile, places.clone(), &self.tree(&places)?.in_memory())
            }
            WorldKind::Memory => {
                let (_folder, base) = temporary("ci")?;
                let places = Places { base };
                let modes = self.lay_out(&places)?;
                let mut back = Tree::read(&places.base, &places.base)?;
                let managed = places.managed();
                if native(&managed).exists() {
                    back.extend(Tree::read(&managed, &path(MANAGED)?)?);
                }
                back.extend(modes);
                self.answer(profile, places, &back.in_memory())
            }
            WorldKind::Disk => {
                let (_folder, base) = temporary("ci")?;
                let places = Places { base };
                let modes = self.lay_out(&places)?;
                let jail = places.jail()?.with_modes(modes.modes().clone());
                let plain = self.etc_codex.is_empty()
                    && modes.modes().is_empty()
                    && !native(&path(MANAGED)?).exists();
                let fs: &dyn Fs = if plain { &OsFs } else { &jail };
                self.answer(profile, places, fs)
            }
        }
    }

    /// Writes the tree to the disk, runs the set-up lines, and gives back what
    /// only a user other than root would notice: the permission bits.
    fn lay_out(&self, places: &Places) -> Result<Tree> {
        let tree = self.tree(places)?;
        tree.on_disk(&places.jail()?)?;
        let env = self.env(places);
        for line in &self.setup {
            let env = env.iter().map(|(name, value)| (name.as_str(), value.as_str()));
            run("bash", &["-ec", &places.fill(line)], &native(&places.project()), env)?;
        }
        std::fs::create_dir_all(native(&self.cwd(places)))?;
        let mut modes = Tree::default();
        for (path, mode) in tree.modes() {
            modes.mode(path.clone(), *mode);
        }
        Ok(modes)
    }

    fn tree(&self, places: &Places) -> Result<Tree> {
        let mut tree = Tree::default();
        for folder in [places.project(), places.home(), places.extra()] {
            tree.put(folder, Node::Dir);
        }
        if self.git {
            tree.put(places.project().join(".git"), Node::Dir);
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

    fn answer(
        &self,
        profile: Profile,
        places: Places,
        fs: &dyn Fs,
    ) -> Result<(Resolution, Places)> {
        let vars = self.env(&places);
        let home = vars.get("HOME").map(AbsPath::new).transpose()?;
        let env = Env { home, vars };
        let query = Query::new(self.cwd(&places)).with_args(self.command_line(&places));
        let resolution = Codex { profile }.resolve(World { fs, env: &env }, &query)?;
        Ok((resolution, places))
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
        const EXEC: [&str; 7] = [
            "exec",
            "--ephemeral",
            "--skip-git-repo-check",
            "-c",
            "model_provider=\"stub\"",
            "-c",
            "model_providers.stub={name=\"stub\",base_url=\"http://127.0.0.1:8799/v1\",wire_api=\"responses\",supports_websockets=false}",
        ];
        let command = if self.via.as_deref() == Some("exec") {
            EXEC.as_slice()
        } else {
            &["debug", "prompt-input"]
        };
        let prompt = if self.no_prompt { None } else { Some("hi".to_owned()) };
        let filled = |args: &[String]| args.iter().map(|arg| places.fill(arg)).collect::<Vec<_>>();
        let mut line = filled(&self.global_args);
        line.extend(command.iter().map(|&word| word.to_owned()));
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
