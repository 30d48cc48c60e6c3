//! Texts of the configuration that reach the model as they stand.

use memory_core::{AbsPath, FileSize, LayerKind, Measure, Scope, World};
use serde::Deserialize;
use toml::{Table, Value};

use super::file::FILE_LIMIT;
use super::layer::{Layer, LayerSource, SYSTEM_DIR};
use super::refusal::Refusal;
use super::schema::ConfigToml;
use crate::profile::Profile;

/// A text of the configuration.
#[derive(Clone, Debug)]
pub(crate) struct ConfiguredText {
    pub(crate) kind: LayerKind,
    /// The key that holds it, or names its file.
    pub(crate) key: &'static str,
    pub(crate) scope: Scope,
    /// The file with the text; `None` for the command line.
    pub(crate) path: Option<AbsPath>,
    /// The file with the setting; `None` for the command line.
    pub(crate) from: Option<AbsPath>,
    /// The text as it is sent.
    pub(crate) text: String,
    /// Its size where it stands.
    pub(crate) size: FileSize,
    /// Weaker layers that set the same.
    pub(crate) replaced: Vec<Replaced>,
}

impl ConfiguredText {
    /// The text of an agent's file, in place of that of the session.
    pub(crate) fn of_agent(
        scope: Scope,
        path: &AbsPath,
        text: String,
        below: Option<Self>,
    ) -> Self {
        let session = below.map(|text| {
            let own = Replaced { key: text.key, scope: text.scope, path: text.path };
            std::iter::once(own).chain(text.replaced).collect()
        });
        Self {
            kind: LayerKind::DeveloperText,
            key: "developer_instructions",
            scope,
            path: Some(path.clone()),
            from: Some(path.clone()),
            size: measured(&text),
            text,
            replaced: session.unwrap_or_default(),
        }
    }
}

/// A text that another layer replaces.
#[derive(Clone, Debug)]
pub(crate) struct Replaced {
    pub(crate) key: &'static str,
    pub(crate) scope: Scope,
    pub(crate) path: Option<AbsPath>,
}

/// The texts of the configuration.
#[derive(Clone, Debug, Default)]
pub(crate) struct Texts {
    /// In place of the client's own instructions.
    pub(crate) base: Option<ConfiguredText>,
    /// `developer_instructions`; empty ones take away those of weaker layers.
    pub(crate) developer: Option<ConfiguredText>,
    /// `additional_developer_instructions` of the machine.
    pub(crate) managed: Option<ConfiguredText>,
    /// The prompt that asks for a summary when a session is compacted.
    pub(crate) compact: Option<CompactPrompt>,
}

/// Where the prompt for a summary stands.
#[derive(Clone, Debug)]
pub(crate) struct CompactPrompt {
    /// The file; `None` for the command line.
    pub(crate) path: Option<AbsPath>,
}

/// Gathers the texts of the merged configuration, reading the files it names.
pub(super) fn texts(
    world: World<'_>,
    cwd: &AbsPath,
    layers: &[Layer],
    config: &ConfigToml,
    managed: Option<ConfiguredText>,
) -> Result<Texts, Refusal> {
    let file = |path: &std::path::Path| cwd.join(path.to_string_lossy());
    let base = match (&config.model_instructions_file, &config.instructions) {
        (Some(path), instructions) => {
            let path = file(path);
            let (text, size) = read(world, &path, "model instructions file")?;
            let mut base = of_key(layers, LayerKind::BaseText, "model_instructions_file", text);
            base.path = Some(path);
            base.size = size;
            if instructions.is_some() {
                let hidden = of_key(layers, LayerKind::BaseText, "instructions", String::new());
                let ConfiguredText { key, scope, path, .. } = hidden;
                base.replaced.push(Replaced { key, scope, path });
            }
            Some(base)
        }
        (None, Some(text)) => {
            Some(of_key(layers, LayerKind::BaseText, "instructions", text.clone()))
        }
        (None, None) => None,
    };
    let developer = config.developer_instructions.clone();
    let developer = developer
        .map(|text| of_key(layers, LayerKind::DeveloperText, "developer_instructions", text));
    // The file must have text even where the key wins.
    let compact_file = config.experimental_compact_prompt_file.as_deref().map(file);
    if let Some(path) = &compact_file {
        read(world, path, "experimental compact prompt file")?;
    }
    let prompt = config.compact_prompt.as_deref().filter(|text| !text.trim().is_empty());
    let compact = match prompt {
        Some(_) => {
            let key = "compact_prompt";
            let of_key = of_key(layers, LayerKind::DeveloperText, key, String::new());
            Some(CompactPrompt { path: of_key.path })
        }
        None => compact_file.map(|path| CompactPrompt { path: Some(path) }),
    };
    Ok(Texts { base, developer, managed, compact })
}

/// A text that stands in the configuration itself: the last layer that sets it
/// decides.
fn of_key(layers: &[Layer], kind: LayerKind, key: &'static str, text: String) -> ConfiguredText {
    let mut setting = layers.iter().filter(|layer| layer.values.contains_key(key)).rev();
    let deciding = setting.next();
    let scope = |layer: &Layer| match layer.source {
        LayerSource::System | LayerSource::Managed => Scope::Managed,
        LayerSource::User | LayerSource::Profile => Scope::User,
        LayerSource::Project => Scope::Project,
        LayerSource::Session => Scope::Session,
    };
    let path = deciding.and_then(|layer| layer.path.clone());
    ConfiguredText {
        kind,
        key,
        scope: deciding.map_or(Scope::Session, scope),
        from: path.clone(),
        path,
        size: measured(&text),
        text,
        replaced: setting
            .map(|layer| Replaced { key, scope: scope(layer), path: layer.path.clone() })
            .collect(),
    }
}

fn measured(text: &str) -> FileSize {
    let size = Measure::of(text.as_bytes());
    FileSize { bytes: size.bytes, text: Some(size) }
}

/// The trimmed text of a file that the configuration names; it must have some.
fn read(world: World<'_>, path: &AbsPath, what: &str) -> Result<(String, FileSize), Refusal> {
    let failed = |why: String| Refusal::Plain(format!("failed to read {what} {path}: {why}"));
    match world.fs.metadata(path) {
        Err(error) => return Err(failed(error.to_string())),
        Ok(found) if !found.is_file() => {
            return Err(failed(format!("path `{path}` is not a file")));
        }
        Ok(found) if found.len > FILE_LIMIT => return Err(Refusal::NotRead(path.clone())),
        Ok(_) => {}
    }
    let bytes = world.fs.read_up_to(path, FILE_LIMIT).map_err(|error| failed(error.to_string()))?;
    let text = std::str::from_utf8(&bytes).map_err(|error| failed(error.to_string()))?;
    match text.trim() {
        "" => Err(Refusal::Plain(format!("{what} is empty: {path}"))),
        trimmed => Ok((trimmed.to_owned(), measured(text))),
    }
}

/// The text that the machine's `requirements.toml` adds; `None` where it adds none.
///
/// The file stops the client when it is no TOML, or when the text is of the
/// wrong type or too long.
pub(super) fn managed(
    world: World<'_>,
    profile: &Profile,
) -> Result<Option<ConfiguredText>, Refusal> {
    #[derive(Deserialize)]
    struct ConfigRequirementsToml {
        additional_developer_instructions: Option<String>,
    }
    let key = "additional_developer_instructions";
    let path = AbsPath::root().join(SYSTEM_DIR).join("requirements.toml");
    let bytes = match world.fs.read_up_to(&path, FILE_LIMIT) {
        Ok(bytes) => bytes,
        Err(error) if error.kind == memory_core::fs::IoErrorKind::NotFound => return Ok(None),
        Err(error) => {
            return Err(Refusal::Load(format!("Failed to read requirements file {path}: {error}")));
        }
    };
    let unparsed = |error: toml::de::Error| {
        Refusal::Load(format!("failed to parse requirements layer {path}: {error}"))
    };
    let values = String::from_utf8_lossy(&bytes).parse::<Table>().map_err(unparsed)?;
    let read = ConfigRequirementsToml::deserialize(Value::Table(values)).map_err(unparsed)?;
    let Some(given) = read.additional_developer_instructions else { return Ok(None) };
    let text =
        format!("<managed_developer_instructions>\n{given}\n</managed_developer_instructions>");
    let bytes = given.len() as u64 + profile.managed_text_item_bytes;
    let tokens = bytes.div_ceil(profile.bytes_per_token);
    let limit = profile.managed_text_max_tokens;
    if tokens > limit {
        return Err(Refusal::Plain(format!(
            "`{key}` from {path} exceeds the model-context limit of {limit} estimated tokens ({tokens} including context markers)"
        )));
    }
    Ok(Some(ConfiguredText {
        kind: LayerKind::ManagedText,
        key,
        scope: Scope::Managed,
        from: Some(path.clone()),
        path: Some(path),
        size: measured(&given),
        text,
        replaced: Vec::new(),
    }))
}
