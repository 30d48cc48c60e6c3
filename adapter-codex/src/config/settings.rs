//! The settings in force, out of all layers.

use std::collections::BTreeMap;

use memory_core::{AbsPath, IoErrorKind, World};
use serde::Deserialize as _;
use toml::{Table, Value};

use super::file::{FILE_LIMIT, Wording, place, read};
use super::layer::{Layer, LayerSource, merge};
use super::schema::ConfigToml;
use super::trust::{Decision, Projects, decide};
use super::types::{FeaturesToml, ProjectConfig, SkillsConfig, TrustLevel};
use super::{overrides, project};
use crate::arguments::{Arguments, Session};
use crate::home::expand;
use crate::refusal::{Place, Refusal};
use crate::skills::{SkillRule, SkillSettings};
use crate::{MemoryVersion, Profile, git};

/// The machine's own folder.
const SYSTEM_DIR: &str = "/etc/codex";

/// The settings that decide what is loaded.
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
    /// All layers, weakest first.
    pub(crate) layers: Vec<Layer>,
    /// Folders with a `.codex` of their own, nearest the start folder first.
    pub(crate) layer_dirs: Vec<AbsPath>,
    /// Project configuration that is ignored for want of trust.
    pub(crate) untrusted_files: Vec<AbsPath>,
    /// Keys that the client does not know, with their file.
    pub(crate) unknown_keys: Vec<(AbsPath, String)>,
}

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
    refuse_requirements(world)?;
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
    let markers = markers(&early).ok_or_else(|| match first_place(&layers) {
        Some(place) => Refusal::Located { place, cause: None },
        None => Refusal::Load("project_root_markers must be an array of strings".to_owned()),
    })?;
    let mut projects = projects(&early).map_err(|error| type_refusal(&layers, &error))?;
    if args.trust {
        trust_for_session(world, start.cwd, &mut projects);
    }
    let of_project = project::layers(world, start.codex_home, start.cwd, &markers, &projects)?;
    layers.extend(of_project.layers);
    layers.sort_by_key(|layer| layer.source);

    if args.strict_config {
        refuse_unknown_keys(&layers)?;
    }
    let merged = merge(&layers);
    let config = ConfigToml::deserialize(Value::Table(merged))
        .map_err(|error| type_refusal(&layers, &error))?;
    refuse_legacy(args, start.codex_home, &layers, &config)?;
    if let Some(path) = &config.model_instructions_file {
        refuse_instructions_file(world, &start.cwd.join(path.to_string_lossy()))?;
    }
    let mut final_projects = config.projects.unwrap_or_default();
    if args.trust {
        final_projects = projects;
    }
    let features = config.features.map(|features| features.entries).unwrap_or_default();
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
        unknown_keys: unknown_keys(&layers),
        layers,
        layer_dirs: of_project.dirs,
        untrusted_files: of_project.untrusted,
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

/// Makes the relative paths of a layer absolute, before it is merged with
/// layers from elsewhere.
pub(super) fn absolute_paths(world: World<'_>, base: &AbsPath, values: &mut Table) {
    let resolve = |value: &mut Value| {
        if let Value::String(path) = value {
            expand(world, base, path).as_str().clone_into(path);
        }
    };
    if let Some(path) = values.get_mut("model_instructions_file") {
        resolve(path);
    }
    let rules = values.get_mut("skills").and_then(|skills| skills.get_mut("config"));
    for rule in rules.and_then(Value::as_array_mut).into_iter().flatten() {
        if let Some(path) = rule.get_mut("path") {
            resolve(path);
        }
    }
}

/// The markers, or `None` when they are no list of texts.
fn markers(values: &Table) -> Option<Vec<String>> {
    match values.get("project_root_markers") {
        None => Some(vec![".git".to_owned()]),
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

fn type_refusal(layers: &[Layer], error: &toml::de::Error) -> Refusal {
    Refusal::Type { merged: error.to_string().trim_end().to_owned(), place: first_place(layers) }
}

/// The first wrong place of the first file that is wrong by itself.
fn first_place(layers: &[Layer]) -> Option<Place> {
    layers.iter().find_map(|layer| {
        let error = toml::from_str::<ConfigToml>(&layer.text).err()?;
        let span = error.span().filter(|span| span.start > 0);
        let span = span.or_else(|| wrong_feature(&layer.text)).unwrap_or_default();
        Some(place(layer.path.as_ref()?, &layer.text, span, error.message()))
    })
}

/// Where the first feature stands that is no boolean and may be nothing else:
/// the general reading of the table does not say.
fn wrong_feature(text: &str) -> Option<std::ops::Range<usize>> {
    #[derive(serde::Deserialize)]
    struct Features {
        features: BTreeMap<String, toml::Spanned<Value>>,
    }
    let features = toml::from_str::<Features>(text).ok()?.features;
    features
        .into_iter()
        .filter(|(name, value)| {
            !value.get_ref().is_bool() && !FeaturesToml::TABLES.contains(&name.as_str())
        })
        .map(|(_, value)| value.span())
        .min_by_key(|span| span.start)
}

/// `requirements.toml` sets nothing that matters here, but it stops the client
/// when it is no TOML.
fn refuse_requirements(world: World<'_>) -> Result<(), Refusal> {
    let path = AbsPath::root().join(SYSTEM_DIR).join("requirements.toml");
    let bytes = match world.fs.read_up_to(&path, FILE_LIMIT) {
        Ok(bytes) => bytes,
        Err(error) if error.kind == IoErrorKind::NotFound => return Ok(()),
        Err(error) => {
            return Err(Refusal::Load(format!("Failed to read requirements file {path}: {error}")));
        }
    };
    match String::from_utf8_lossy(&bytes).parse::<Table>() {
        Ok(_) => Ok(()),
        Err(error) => {
            Err(Refusal::Load(format!("failed to parse requirements layer {path}: {error}")))
        }
    }
}

fn refuse_legacy(
    args: &Arguments,
    codex_home: &AbsPath,
    layers: &[Layer],
    config: &ConfigToml,
) -> Result<(), Refusal> {
    let user = layers.iter().find(|layer| layer.source == LayerSource::User);
    if let (Some(name), Some(user)) = (&args.profile, user) {
        let selects = user.values.get("profile").and_then(Value::as_str) == Some(name);
        let table = user.values.get("profiles").and_then(|profiles| profiles.get(name));
        if selects || table.is_some() {
            return Err(Refusal::Load(format!(
                "--profile `{name}` cannot be used while {codex_home}/config.toml contains legacy `profile = \"{name}\"` or `[profiles.{name}]` config; move those settings into {codex_home}/{name}.config.toml and remove the legacy profile selector/table. See https://developers.openai.com/codex/config-advanced#profiles for more information."
            )));
        }
    }
    if let Some(name) = &config.profile {
        return Err(Refusal::Plain(format!(
            "legacy `profile = \"{name}\"` config is no longer supported; use `--profile {name}` with `{name}.config.toml` instead"
        )));
    }
    if config.experimental_thread_store_endpoint.is_some() {
        return Err(Refusal::Plain(
            "`experimental_thread_store_endpoint` is no longer supported; remove it from config.toml"
                .to_owned(),
        ));
    }
    Ok(())
}

fn refuse_instructions_file(world: World<'_>, path: &AbsPath) -> Result<(), Refusal> {
    let failed = |what: String| {
        Err(Refusal::Plain(format!("failed to read model instructions file {path}: {what}")))
    };
    match world.fs.metadata(path) {
        Err(error) => return failed(error.message),
        Ok(found) if !found.is_file() => return failed(format!("path `{path}` is not a file")),
        Ok(_) => {}
    }
    let bytes = match world.fs.read_up_to(path, adapter_agents_md::READ_LIMIT) {
        Err(error) => return failed(error.message),
        Ok(bytes) => bytes,
    };
    match std::str::from_utf8(&bytes) {
        Err(error) => failed(error.to_string()),
        Ok(text) if text.trim().is_empty() => {
            Err(Refusal::Plain(format!("model instructions file is empty: {path}")))
        }
        Ok(_) => Ok(()),
    }
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
        rules.extend(own.unwrap_or_default().config.into_iter().map(|rule| SkillRule {
            name: rule.name,
            path: rule.path.map(|path| expand(world, &AbsPath::root(), &path.to_string_lossy())),
            enabled: rule.enabled,
        }));
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

/// Top-level keys of the layers' files that the client does not know.
fn unknown_keys(layers: &[Layer]) -> Vec<(AbsPath, String)> {
    let mut unknown = Vec::new();
    for layer in layers {
        let Some(path) = &layer.path else { continue };
        let values = Value::Table(layer.values.clone());
        let mut note = |key: serde_ignored::Path<'_>| {
            let key = key.to_string();
            if !key.contains('.') {
                unknown.push((path.clone(), key));
            }
        };
        // What does not fit is told elsewhere; here only the names matter.
        drop(serde_ignored::deserialize::<_, _, ConfigToml>(values, &mut note));
    }
    unknown
}

/// `--strict-config`: an unknown key stops the client.
fn refuse_unknown_keys(layers: &[Layer]) -> Result<(), Refusal> {
    let unknown: BTreeMap<_, _> = unknown_keys(layers).into_iter().collect();
    for layer in layers {
        let Some((path, key)) = layer.path.as_ref().and_then(|path| unknown.get_key_value(path))
        else {
            continue;
        };
        let line = layer.text.lines().position(|line| {
            let line = line.trim_start().trim_start_matches('[');
            line.trim_start_matches(['"', '\'']).starts_with(key.as_str())
        });
        let source = line.and_then(|line| layer.text.lines().nth(line)).unwrap_or_default();
        let column = source.find(key.as_str()).unwrap_or_default() + 1;
        return Err(Refusal::Located {
            place: Place {
                file: path.to_string(),
                line: line.unwrap_or_default() + 1,
                column,
                width: key.chars().count(),
                source: source.to_owned(),
                message: format!("unknown configuration field `{key}`"),
            },
            cause: None,
        });
    }
    Ok(())
}

/// Whether memory is given in this kind of session at all.
pub(crate) fn session_has_memory(session: Session) -> bool {
    matches!(session, Session::Interactive | Session::Exec)
}
