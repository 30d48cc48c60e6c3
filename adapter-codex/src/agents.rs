//! Custom agents: which ones Codex offers to start, and what their files say.
//!
//! Each configuration layer may declare agents in `[agents.NAME]` and may have a
//! directory `agents` beside its file. A nearer layer wins by name; what it does
//! not say comes from the layers below it.

mod file;
mod search;

use std::collections::{BTreeMap, BTreeSet};

use memory_core::{
    AbsPath, Code, Diagnostic, Layer, LayerKind, Omission, Outcome, Provenance, Scope, Severity,
    Via, World,
};

use crate::config::layer::{LayerSource, SYSTEM_DIR};
use crate::config::refusal::Refusal;
use crate::config::settings::Config;
use crate::config::types::{AgentRoleToml, AgentsToml};
use crate::profile::CLIENT;
use file::{AgentFile, Unread};

/// A custom agent that Codex offers to start.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct CustomAgent {
    /// Its name.
    pub name: String,
    /// What it is for, trimmed.
    pub description: String,
    /// The TOML file whose text and settings it gets; `None` where it has none.
    pub path: Option<AbsPath>,
    /// The `config.toml` that declares or describes it; `None` where no file does.
    pub declared_in: Option<AbsPath>,
    /// Where the layer that decides belongs.
    pub scope: Scope,
    /// The model that its file sets; `None` where the caller decides.
    pub model: Option<String>,
    /// The reasoning effort that its file sets; `None` where the caller decides.
    pub effort: Option<String>,
}

impl CustomAgent {
    /// The description as the model is shown it: the client adds which settings
    /// cannot be changed.
    pub fn offered(&self) -> String {
        let fixed = match (&self.model, &self.effort) {
            (None, None) => return self.description.clone(),
            (Some(model), None) => {
                format!("This role's model is set to `{model}` and cannot be changed.")
            }
            (None, Some(effort)) => {
                format!("This role's reasoning effort is set to `{effort}` and cannot be changed.")
            }
            (Some(model), Some(effort)) => format!(
                "This role's model is set to `{model}` and its reasoning effort is set to `{effort}`. These settings cannot be changed."
            ),
        };
        format!("{}\n- {fixed}", self.description)
    }
}

/// The custom agents of a start.
#[derive(Debug, Default)]
pub(crate) struct Agents {
    /// Those that are offered, by name.
    pub(crate) offered: Vec<Agent>,
    /// What was looked at and does not count.
    pub(crate) omitted: Vec<Layer>,
    /// What is wrong with them.
    pub(crate) diagnostics: Vec<Diagnostic>,
}

/// A custom agent with what its file says.
#[derive(Clone, Debug)]
pub(crate) struct Agent {
    pub(crate) shown: CustomAgent,
    pub(crate) file: Option<AgentFile>,
}

/// Gathers the custom agents of all layers.
///
/// A directory of agents that is no directory stops the client.
pub(crate) fn load(world: World<'_>, config: &Config) -> Result<Agents, Refusal> {
    let mut gathering = Gathering { world, agents: BTreeMap::new(), found: Agents::default() };
    for place in places(config) {
        gathering.layer(&place)?;
    }
    for folder in &config.distrusted_folders {
        gathering.distrusted(&folder.join("agents"));
    }
    Ok(gathering.finish(config))
}

/// A configuration layer as far as agents go.
struct AgentLayer<'c> {
    scope: Scope,
    /// Its file; `None` for the command line.
    config: Option<AbsPath>,
    declared: Option<&'c toml::Value>,
    /// Its directory; `None` where it has none.
    folder: Option<AbsPath>,
}

/// The layers that may define agents, weakest first.
fn places(config: &Config) -> Vec<AgentLayer<'_>> {
    let of = |source: LayerSource| config.layers.iter().filter(move |it| it.source == source);
    let mut found = Vec::new();
    let mut push = |scope, source, folder: Option<AbsPath>, always: bool| {
        let mut layers = of(source).peekable();
        if layers.peek().is_none() && always {
            found.push(AgentLayer { scope, config: None, declared: None, folder: folder.clone() });
        }
        found.extend(layers.map(|layer| AgentLayer {
            scope,
            config: layer.path.clone(),
            declared: layer.values.get("agents"),
            folder: folder.clone(),
        }));
    };
    let system = AbsPath::root().join(SYSTEM_DIR);
    push(Scope::Managed, LayerSource::System, Some(system), true);
    push(Scope::User, LayerSource::User, Some(config.codex_home.clone()), true);
    push(Scope::User, LayerSource::Profile, Some(config.codex_home.clone()), false);
    for folder in &config.trusted_folders {
        let file = folder.join("config.toml");
        let layer = of(LayerSource::Project).find(|layer| layer.path.as_ref() == Some(&file));
        found.push(AgentLayer {
            scope: Scope::Project,
            config: layer.map(|_| file),
            declared: layer.and_then(|layer| layer.values.get("agents")),
            folder: Some(folder.clone()),
        });
    }
    let rest = [(Scope::Session, LayerSource::Session), (Scope::Managed, LayerSource::Managed)];
    for (scope, source) in rest {
        found.extend(of(source).map(|layer| AgentLayer {
            scope,
            config: layer.path.clone(),
            declared: layer.values.get("agents"),
            folder: None,
        }));
    }
    found
}

/// What is known of an agent before all layers are seen.
#[derive(Clone)]
struct Draft {
    description: Option<String>,
    file: Option<AgentFile>,
    declared_in: Option<AbsPath>,
    scope: Scope,
}

impl Draft {
    /// The file that stands for it to people.
    fn place(&self) -> Option<&AbsPath> {
        self.file.as_ref().map(|file| &file.path).or(self.declared_in.as_ref())
    }

    /// Takes what is missing from a weaker layer.
    fn complete(&mut self, below: &Self) {
        self.description = self.description.take().or_else(|| below.description.clone());
        self.file = self.file.take().or_else(|| below.file.clone());
        self.declared_in = self.declared_in.take().or_else(|| below.declared_in.clone());
    }
}

struct Gathering<'a> {
    world: World<'a>,
    agents: BTreeMap<String, Draft>,
    found: Agents,
}

impl Gathering<'_> {
    fn layer(&mut self, layer: &AgentLayer<'_>) -> Result<(), Refusal> {
        let mut own: BTreeMap<String, Draft> = BTreeMap::new();
        let mut declared_files = BTreeSet::new();
        for (name, declared) in declared(layer) {
            match self.declared(layer, &name, &declared) {
                Ok((name, draft)) => {
                    declared_files.extend(draft.file.as_ref().map(|file| file.path.clone()));
                    self.add(&mut own, name, draft);
                }
                Err(unread) => {
                    let place = unread.path.clone().or_else(|| layer.config.clone());
                    self.invalid(layer.scope, place, unread);
                }
            }
        }
        if let Some(folder) = &layer.folder {
            for (name, draft) in self.discovered(layer.scope, folder, &declared_files)? {
                self.add(&mut own, name, draft);
            }
        }
        for (name, mut draft) in own {
            let below = self.agents.get(&name);
            if let Some(below) = below {
                draft.complete(below);
            }
            if draft.description.is_none() {
                let unread = Unread::new(format!("agent role `{name}` must define a description"));
                self.invalid(draft.scope, draft.place().cloned(), unread);
                continue;
            }
            if let Some(below) = self.agents.insert(name.clone(), draft.clone())
                && let (Some(path), Some(by)) = (below.place(), draft.place())
                && path != by
                && draft.declared_in.as_ref() != Some(path)
            {
                let what = format!("the agent `{name}`");
                let reason = Omission::Replaced { what, by: Some(by.clone()) };
                self.omit(below.scope, Some(path.clone()), reason);
            }
        }
        Ok(())
    }

    /// An agent of `[agents.NAME]`, under the name that its file may give it.
    fn declared(
        &self,
        layer: &AgentLayer<'_>,
        name: &str,
        declared: &AgentRoleToml,
    ) -> Result<(String, Draft), Unread> {
        let path = declared.config_file.as_ref().map(|path| path.to_string_lossy());
        let path = path.map(|path| AbsPath::root().join(&path));
        if let Some(path) = &path {
            match self.world.fs.metadata(path) {
                Ok(found) if found.is_file() => {}
                Ok(_) => {
                    return Err(Unread::new(format!(
                        "agents.{name}.config_file must point to a file: {path}"
                    )));
                }
                Err(error) => {
                    return Err(Unread::new(format!(
                        "agents.{name}.config_file must point to an existing file at {path}: {error}"
                    )));
                }
            }
        }
        let label = format!("agents.{name}");
        let description = file::description(&label, declared.description.as_deref())?;
        file::check_nicknames(&label, declared.nickname_candidates.as_deref())?;
        let file = path.map(|path| file::read(self.world, &path, Some(name))).transpose()?;
        let own_name = file.as_ref().map(|file| file.name.clone());
        let own_description = file.as_ref().and_then(|file| file.description.clone());
        let draft = Draft {
            description: own_description.or(description),
            file,
            declared_in: layer.config.clone(),
            scope: layer.scope,
        };
        Ok((own_name.unwrap_or_else(|| name.to_owned()), draft))
    }

    /// The agents whose files lie in a layer's directory, the first of each name.
    fn discovered(
        &mut self,
        scope: Scope,
        folder: &AbsPath,
        declared: &BTreeSet<AbsPath>,
    ) -> Result<BTreeMap<String, Draft>, Refusal> {
        let folder = folder.join("agents");
        let listing = search::files(self.world.fs, &folder).map_err(Refusal::Plain)?;
        self.found.diagnostics.extend(listing.diagnostics);
        let mut found: BTreeMap<String, Draft> = BTreeMap::new();
        for path in listing.value.into_iter().filter(|path| !declared.contains(path)) {
            match file::read(self.world, &path, None) {
                Ok(file) => match found.get(&file.name) {
                    None => {
                        let description = file.description.clone();
                        let name = file.name.clone();
                        let draft =
                            Draft { description, file: Some(file), declared_in: None, scope };
                        found.insert(name, draft);
                    }
                    Some(first) => {
                        let name = &file.name;
                        let why =
                            format!("duplicate agent role name `{name}` discovered in {folder}");
                        let first = first.place().cloned();
                        self.duplicate(scope, &path, first, why);
                    }
                },
                Err(unread) => self.invalid(scope, Some(path), unread),
            }
        }
        Ok(found)
    }

    fn add(&mut self, own: &mut BTreeMap<String, Draft>, name: String, draft: Draft) {
        match own.get(&name) {
            None => {
                own.insert(name, draft);
            }
            Some(first) => {
                let why =
                    format!("duplicate agent role name `{name}` declared in the same config layer");
                if let Some(path) = draft.place() {
                    self.duplicate(draft.scope, path, first.place().cloned(), why);
                }
            }
        }
    }

    /// Names what a directory without trust holds.
    fn distrusted(&mut self, folder: &AbsPath) {
        for path in search::files(self.world.fs, folder).map(|it| it.value).unwrap_or_default() {
            let setting = "no entry of `[projects]` trusts it".to_owned();
            self.omit(Scope::Project, Some(path), Omission::Untrusted { setting });
        }
    }

    fn invalid(&mut self, scope: Scope, path: Option<AbsPath>, unread: Unread) {
        let mut diagnostic = Diagnostic::new(
            Code("codex/agent-invalid"),
            Severity::Warning,
            format!("this defines no agent: {}", unread.first_line()),
        )
        .help("correct the file; Codex passes it over and only says so at start");
        diagnostic.path.clone_from(&path);
        diagnostic.line = unread.line;
        self.found.diagnostics.push(diagnostic);
        let reason = match unread.limit {
            Some(limit) => Omission::TooLarge { limit },
            None => Omission::AgentInvalid { why: unread.why },
        };
        self.omit(scope, path, reason);
    }

    fn duplicate(&mut self, scope: Scope, path: &AbsPath, of: Option<AbsPath>, why: String) {
        let diagnostic = Diagnostic::new(
            Code("codex/agent-duplicate"),
            Severity::Warning,
            "another agent of this name comes first; this one is passed over",
        );
        let help = "give each agent of a layer a name of its own";
        self.found.diagnostics.push(diagnostic.at(path).help(help));
        self.omit(scope, Some(path.clone()), Omission::AgentDuplicate { why, of });
    }

    fn omit(&mut self, scope: Scope, path: Option<AbsPath>, reason: Omission) {
        let layer = Layer {
            kind: LayerKind::Agent,
            provenance: Provenance { client: CLIENT, scope, path, via: Via::Discovered },
            outcome: Outcome::Omitted { reason, quirk: None },
        };
        // The same directory may belong to two layers.
        if !self.found.omitted.contains(&layer) {
            self.found.omitted.push(layer);
        }
    }

    fn finish(mut self, config: &Config) -> Agents {
        for (name, draft) in std::mem::take(&mut self.agents) {
            if !config.agents_enabled {
                let setting = "agents.enabled = false".to_owned();
                let place = draft.place().cloned();
                self.omit(draft.scope, place, Omission::Disabled { setting });
                continue;
            }
            let settings = draft.file.as_ref().map(|file| &file.settings);
            let shown = CustomAgent {
                name,
                description: draft.description.unwrap_or_default(),
                path: draft.file.as_ref().map(|file| file.path.clone()),
                declared_in: draft.declared_in,
                scope: draft.scope,
                model: settings.and_then(|settings| settings.model.clone()),
                effort: settings.and_then(|settings| settings.effort.clone()),
            };
            self.found.offered.push(Agent { shown, file: draft.file });
        }
        let mut seen = Vec::new();
        self.found.diagnostics.retain(|diagnostic| {
            let is_new = !seen.contains(diagnostic);
            if is_new {
                seen.push(diagnostic.clone());
            }
            is_new
        });
        self.found
    }
}

/// What a layer declares; nothing where it is of the wrong type, which the
/// client notices only once all layers are merged.
fn declared(layer: &AgentLayer<'_>) -> BTreeMap<String, AgentRoleToml> {
    use serde::Deserialize as _;
    let table = layer.declared.cloned().map(AgentsToml::deserialize);
    table.and_then(Result::ok).unwrap_or_default().roles
}
