//! The settings in force, out of all layers.

use memory_core::{AbsPath, World};
use serde::Deserialize as _;
use toml::{Table, Value};

use super::arguments::Arguments;
use super::file::{Wording, read};
use super::git;
use super::layer::{Layer, LayerSource, SYSTEM_DIR, absolute_paths, merge};
use super::refusal::Refusal;
use super::schema::ConfigToml;
use super::texts::{self, Texts};
use super::trust::{Decision, Projects, decide};
use super::types::{FeatureToml, ProjectConfig, SkillsConfig, TrustLevel};
use super::{check, overrides, project};
use crate::profile::Profile;
use crate::resolution::MemoryVersion;
use crate::skills::SkillSettings;

/// The settings that decide what is loaded.
#[expect(clippy::struct_excessive_bools, reason = "one field for each switch of the client")]
#[derive(Debug)]
pub(crate) struct Config {
    /// `project_doc_max_bytes`.
    pub(crate) max_bytes: u64,
    /// `project_doc_fallback_filenames`.
    pub(crate) fallbacks: Vec<String>,
    /// `project_root_markers`.
    pub(crate) markers: Vec<String>,
    /// The entry that decides whether the start folder's project is trusted.
    pub(crate) trust: Option<Decision>,
    /// Skills.
    pub(crate) skills: SkillSettings,
    /// Whether memory is switched on.
    pub(crate) memories: bool,
    /// `memories.use_memories`.
    pub(crate) use_memories: bool,
    /// `memories.version`, or `None` when the disk decides.
    pub(crate) memory_version: Option<MemoryVersion>,
    /// Texts that reach the model.
    pub(crate) texts: Texts,
    /// Whether agents can be started at all.
    pub(crate) agents_enabled: bool,
    /// `features.hooks`.
    pub(crate) hooks: bool,
    /// The Codex home.
    pub(crate) codex_home: AbsPath,
    /// All layers, weakest first.
    pub(crate) layers: Vec<Layer>,
    /// The `.codex` of trusted folders of the project, root first.
    pub(crate) trusted_folders: Vec<AbsPath>,
    /// The `.codex` of its other folders, root first.
    pub(crate) distrusted_folders: Vec<AbsPath>,
    /// Folders with a `.codex` of their own, nearest the start folder first.
    pub(crate) layer_dirs: Vec<AbsPath>,
    /// Project configuration that is ignored for want of trust.
    pub(crate) untrusted_files: Vec<AbsPath>,
    /// Keys that the client does not know, with their file.
    pub(crate) unknown_keys: Vec<(AbsPath, String)>,
}

impl Config {
    /// The settings where nothing is set.
    pub(crate) fn unset(profile: &Profile, codex_home: &AbsPath) -> Self {
        Self {
            max_bytes: profile.project_doc_max_bytes,
            fallbacks: Vec::new(),
            markers: vec![DEFAULT_MARKER.to_owned()],
            trust: None,
            skills: SkillSettings::default(),
            memories: false,
            use_memories: true,
            memory_version: None,
            texts: Texts::default(),
            agents_enabled: true,
            hooks: true,
            codex_home: codex_home.clone(),
            trusted_folders: Vec::new(),
            distrusted_folders: Vec::new(),
            layers: Vec::new(),
            layer_dirs: Vec::new(),
            untrusted_files: Vec::new(),
            unknown_keys: Vec::new(),
        }
    }
}

impl Config {
    /// The file to write a setting to: the one that decides about it now, else
    /// the person's own.
    pub(crate) fn setting_file(&self, key: &[&str]) -> SettingFile {
        let sets = |layer: &&Layer| {
            let mut table = Some(&layer.values);
            let mut value = None;
            for part in key {
                value = table.and_then(|table| table.get(*part));
                table = value.and_then(Value::as_table);
            }
            value.is_some()
        };
        let setting = self.layers.iter().rev().find(sets);
        let path = match setting {
            Some(layer) => layer.path.clone(),
            None => Some(self.codex_home.join("config.toml")),
        };
        SettingFile { path, sets: setting.is_some() }
    }
}

/// Where a setting stands, or would stand.
pub(crate) struct SettingFile {
    /// The file; `None` for the command line.
    path: Option<AbsPath>,
    /// Whether it is set there now.
    pub(crate) sets: bool,
}

impl SettingFile {
    /// The place, for people.
    pub(crate) fn words(&self) -> String {
        match &self.path {
            Some(path) => format!("`{path}`"),
            None => "the command line".to_owned(),
        }
    }
}

/// What marks the root of a project when nothing is set.
pub(crate) const DEFAULT_MARKER: &str = ".git";

/// Where the client is started.
pub(crate) struct Start<'a> {
    /// The Codex home.
    pub(crate) codex_home: &'a AbsPath,
    /// The folder the process is in.
    pub(crate) process_cwd: &'a AbsPath,
    /// The folder the session works in: `-C` applied.
    pub(crate) cwd: &'a AbsPath,
}

/// Loads and checks all layers as the client does.
pub(crate) fn load(
    world: World<'_>,
    profile: &Profile,
    start: &Start<'_>,
    args: &Arguments,
) -> Result<Config, Refusal> {
    let mut session = overrides::values(args, profile.features)?;
    let managed = texts::managed(world, profile)?;
    absolute_paths(world, start.process_cwd, &mut session);
    let mut layers = own_layers(world, start, args)?;
    layers.push(Layer {
        source: LayerSource::Session,
        path: None,
        text: String::new(),
        values: session,
    });
    layers.sort_by_key(|layer| layer.source);

    let early = merge(&layers);
    let markers = markers(&early).ok_or_else(|| match check::first_place(&layers) {
        Some(place) => Refusal::Located { place, cause: None },
        None => Refusal::Load("project_root_markers must be an array of strings".to_owned()),
    })?;
    let mut projects = projects(&early).map_err(|error| check::type_refusal(&layers, &error))?;
    if args.trust {
        trust_for_session(world, start.cwd, &mut projects);
    }
    let of_project = project::layers(world, start.codex_home, start.cwd, &markers, &projects)?;
    layers.extend(of_project.layers);
    layers.sort_by_key(|layer| layer.source);

    if args.strict_config {
        check::refuse_unknown_keys(&layers)?;
    }
    let merged = merge(&layers);
    let config = ConfigToml::deserialize(Value::Table(merged))
        .map_err(|error| check::type_refusal(&layers, &error))?;
    check::legacy(args, start.codex_home, &layers, &config)?;
    let texts = texts::texts(world, start.cwd, &layers, &config, managed)?;
    let mut final_projects = config.projects.unwrap_or_default();
    if args.trust {
        final_projects = projects;
    }
    let features = config.features.unwrap_or_default();
    let second_agents = features.multi_agent_v2.as_ref().is_some_and(FeatureToml::is_on);
    let features = features.entries;
    let on = |name: &str| features.get(name).copied();
    let memories = config.memories.as_ref();
    let repository = git::trust_root(world, start.cwd);
    let deciding = [Some(start.cwd), repository.as_ref()];
    Ok(Config {
        max_bytes: config
            .project_doc_max_bytes
            .map_or(profile.project_doc_max_bytes, |bytes| bytes as u64),
        fallbacks: config.project_doc_fallback_filenames.unwrap_or_default(),
        markers,
        trust: decide(world, &final_projects, deciding.into_iter().flatten()),
        skills: skill_settings(
            world,
            &layers,
            config.skills.unwrap_or_default(),
            config.model_context_window,
            on("omit_skill_descriptions").unwrap_or_default(),
        ),
        // Features apply in the order of their names, so that an older name
        // sorting later wins over the current one.
        memories: on("memory_tool").or(on("memories")).unwrap_or_default(),
        use_memories: memories.and_then(|table| table.use_memories).unwrap_or(true),
        memory_version: memories.and_then(|table| table.version).map(Into::into),
        texts,
        agents_enabled: config.agents.and_then(|agents| agents.enabled) != Some(false)
            || second_agents,
        hooks: on("hooks").or(on("codex_hooks")) != Some(false),
        codex_home: start.codex_home.clone(),
        trusted_folders: of_project.trusted,
        distrusted_folders: of_project.distrusted,
        unknown_keys: check::unknown_keys(&layers),
        layers,
        layer_dirs: of_project.dirs,
        untrusted_files: of_project.ignored,
    })
}

/// The layers of the machine and the person.
fn own_layers(
    world: World<'_>,
    start: &Start<'_>,
    args: &Arguments,
) -> Result<Vec<Layer>, Refusal> {
    let system = AbsPath::root().join(SYSTEM_DIR);
    let user = start.codex_home;
    let mut files = vec![(LayerSource::System, system.clone(), "config.toml".to_owned())];
    if !args.ignore_user_config {
        files.push((LayerSource::User, user.clone(), "config.toml".to_owned()));
    }
    if let Some(name) = &args.profile {
        files.push((LayerSource::Profile, user.clone(), format!("{name}.config.toml")));
    }
    files.push((LayerSource::Managed, system, "managed_config.toml".to_owned()));
    let mut layers = Vec::new();
    for (source, dir, name) in files {
        let path = dir.join(&name);
        if let Some((text, mut values)) = read(world, &path, Wording::Own)? {
            absolute_paths(world, &dir, &mut values);
            layers.push(Layer { source, path: Some(path), text, values });
        }
    }
    Ok(layers)
}

/// The markers, or `None` when they are no list of texts.
fn markers(values: &Table) -> Option<Vec<String>> {
    match values.get("project_root_markers") {
        None => Some(vec![DEFAULT_MARKER.to_owned()]),
        Some(value) => Vec::deserialize(value.clone()).ok(),
    }
}

fn projects(values: &Table) -> Result<Projects, toml::de::Error> {
    #[derive(serde::Deserialize)]
    struct ProjectTrust {
        projects: Option<Projects>,
    }
    let only: Table = values
        .get("projects")
        .map(|value| ("projects".to_owned(), value.clone()))
        .into_iter()
        .collect();
    Ok(ProjectTrust::deserialize(Value::Table(only))?.projects.unwrap_or_default())
}

/// `--trust`: the project counts as trusted unless an entry says otherwise.
fn trust_for_session(world: World<'_>, cwd: &AbsPath, projects: &mut Projects) {
    let key = git::trust_root(world, cwd).unwrap_or_else(|| cwd.clone());
    let trusted = ProjectConfig { trust_level: Some(TrustLevel::Trusted) };
    projects.entry(key.as_str().to_owned()).or_insert(trusted);
}

fn skill_settings(
    world: World<'_>,
    layers: &[Layer],
    skills: SkillsConfig,
    context_window: Option<i64>,
    omit_descriptions: bool,
) -> SkillSettings {
    // The merged list does not count: rules are gathered from the layers that
    // are the person's own, weakest first.
    let may_hold = [LayerSource::User, LayerSource::Profile, LayerSource::Session];
    let mut rules = Vec::new();
    for layer in layers.iter().filter(|layer| may_hold.contains(&layer.source)) {
        let table = layer.values.get("skills").cloned();
        let own = table.and_then(|table| SkillsConfig::deserialize(table).ok());
        rules.extend(own.unwrap_or_default().rules(world));
    }
    SkillSettings {
        bundled: skills.bundled.unwrap_or_default().enabled.unwrap_or(true),
        include_instructions: skills.include_instructions.unwrap_or(true),
        max_context_tokens: skills.max_context_tokens.map(|tokens| tokens.get() as u64),
        context_window: context_window.and_then(|tokens| u64::try_from(tokens).ok()),
        omit_descriptions,
        rules,
    }
}
