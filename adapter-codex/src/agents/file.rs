//! One file that defines an agent.

use std::collections::BTreeSet;

use memory_core::{AbsPath, World};
use serde::Deserialize as _;
use toml::{Table, Value};

use crate::config::file::{FILE_LIMIT, client_words};
use crate::config::layer::absolute_paths;
use crate::config::schema::AgentFileToml;
use crate::skills::SkillRule;

/// What a file says of an agent.
#[derive(Clone, Debug)]
pub(crate) struct AgentFile {
    pub(crate) path: AbsPath,
    pub(super) name: String,
    pub(super) description: Option<String>,
    /// `developer_instructions`, untrimmed; `None` where the parent's text stays.
    pub(crate) instructions: Option<String>,
    pub(crate) settings: AgentSettings,
}

/// The settings of the file that count for the agent. Skills and memory can only
/// be taken away by it.
#[derive(Clone, Debug, Default)]
pub(crate) struct AgentSettings {
    pub(super) model: Option<String>,
    pub(super) effort: Option<String>,
    /// `skills.include_instructions = false`.
    pub(crate) without_skills: bool,
    /// `[[skills.config]]`.
    pub(crate) skill_rules: Vec<SkillRule>,
    /// `features.memories = false`.
    pub(crate) without_memory: bool,
}

/// Why something defines no agent, in the client's own words.
pub(super) struct Unread {
    pub(super) why: String,
    /// The file, where it is another one than that at hand.
    pub(super) path: Option<AbsPath>,
    /// The line in the file, counted from 1.
    pub(super) line: Option<u32>,
    /// Set where the file is larger than the bytes that are read here.
    pub(super) limit: Option<u64>,
}

impl Unread {
    pub(super) fn new(why: impl Into<String>) -> Self {
        Self { why: why.into(), path: None, line: None, limit: None }
    }

    /// The first line of the reason, without the pictures that follow it.
    pub(super) fn first_line(&self) -> &str {
        self.why.lines().next().unwrap_or_default()
    }

    fn of_toml(what: &str, path: &AbsPath, text: &str, error: &toml::de::Error) -> Self {
        let line = error.span().and_then(|span| {
            let before = text.get(..span.start)?;
            u32::try_from(before.matches('\n').count() + 1).ok()
        });
        let why = format!("failed to {what} agent role file at {path}: {error}");
        Self { line, ..Self::new(why.trim_end()) }
    }
}

/// Reads the file of an agent. `declared` is its name in the configuration that
/// names the file; `None` where the file was found by itself, and has to say its
/// name and its text.
pub(super) fn read(
    world: World<'_>,
    path: &AbsPath,
    declared: Option<&str>,
) -> Result<AgentFile, Unread> {
    parse(world, path, declared).map_err(|unread| Unread { path: Some(path.clone()), ..unread })
}

fn parse(world: World<'_>, path: &AbsPath, declared: Option<&str>) -> Result<AgentFile, Unread> {
    let bytes = world.fs.read_up_to(path, FILE_LIMIT + 1);
    let bytes = bytes.map_err(|error| Unread::new(client_words(&error.to_string(), error.kind)))?;
    if bytes.len() as u64 > FILE_LIMIT {
        let why = "the file is larger than what is read here";
        return Err(Unread { limit: Some(FILE_LIMIT), ..Unread::new(why) });
    }
    let text = std::str::from_utf8(&bytes).map_err(|error| Unread::new(error.to_string()))?;
    let mut values =
        text.parse::<Table>().map_err(|error| Unread::of_toml("parse", path, text, &error))?;
    if let Some(folder) = path.parent() {
        absolute_paths(world, &folder, &mut values);
    }
    let read = AgentFileToml::deserialize(Value::Table(values))
        .map_err(|error| Unread::of_toml("deserialize", path, text, &error))?;
    let label = format!("agent role file {path}");
    let description = description(&label, read.description.as_deref())?;
    let config = read.config;
    match config.developer_instructions.as_deref().map(str::trim) {
        Some("") => {
            return Err(Unread::new(format!(
                "agent role file at {path}.developer_instructions cannot be blank"
            )));
        }
        None if declared.is_none() => {
            return Err(Unread::new(format!(
                "agent role file at {path} must define `developer_instructions`"
            )));
        }
        _ => {}
    }
    let name = read.name.as_deref().map(str::trim).filter(|name| !name.is_empty()).or(declared);
    let name = name.map(str::to_owned).ok_or_else(|| {
        Unread::new(format!("agent role file at {path} must define a non-empty `name`"))
    })?;
    check_nicknames(&label, read.nickname_candidates.as_deref())?;
    let features = config.features.map(|features| features.entries).unwrap_or_default();
    let skills = config.skills.unwrap_or_default();
    let memories = features.get("memory_tool").or_else(|| features.get("memories"));
    let settings = AgentSettings {
        model: config.model,
        effort: config.model_reasoning_effort.map(|effort| effort.0),
        without_skills: skills.include_instructions == Some(false),
        without_memory: memories == Some(&false),
        skill_rules: skills.rules(world),
    };
    let instructions = config.developer_instructions;
    Ok(AgentFile { path: path.clone(), name, description, instructions, settings })
}

/// The description as it counts: trimmed, and not blank where it is there.
pub(super) fn description(label: &str, text: Option<&str>) -> Result<Option<String>, Unread> {
    match text.map(str::trim) {
        Some("") => Err(Unread::new(format!("{label}.description cannot be blank"))),
        text => Ok(text.map(str::to_owned)),
    }
}

/// Whether the names that an agent may be called by are such as the client takes.
pub(super) fn check_nicknames(label: &str, names: Option<&[String]>) -> Result<(), Unread> {
    let Some(names) = names else { return Ok(()) };
    let refuse = |what: &str| Err(Unread::new(format!("{label}.nickname_candidates {what}")));
    if names.is_empty() {
        return refuse("must contain at least one name");
    }
    let mut seen = BTreeSet::new();
    for name in names.iter().map(|name| name.trim()) {
        let is_allowed = |c: char| c.is_ascii_alphanumeric() || matches!(c, ' ' | '-' | '_');
        if name.is_empty() {
            return refuse("cannot contain blank names");
        }
        if !seen.insert(name) {
            return refuse("cannot contain duplicates");
        }
        if !name.chars().all(is_allowed) {
            return refuse(
                "may only contain ASCII letters, digits, spaces, hyphens, and underscores",
            );
        }
    }
    Ok(())
}
