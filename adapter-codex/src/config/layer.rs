//! One source of configuration, and how sources merge.

use memory_core::{AbsPath, World};
use toml::{Table, Value};

use super::home::expand;

/// The machine's own folder.
pub(crate) const SYSTEM_DIR: &str = "/etc/codex";

/// Where a layer comes from; later ones win.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum LayerSource {
    /// `/etc/codex/config.toml`.
    System,
    /// `config.toml` in the Codex home.
    User,
    /// `NAME.config.toml` in the Codex home, chosen with `-p`.
    Profile,
    /// `.codex/config.toml` of a trusted project folder.
    Project,
    /// `-c`, `--enable` and `--disable`.
    Session,
    /// `/etc/codex/managed_config.toml`.
    Managed,
}

/// One source of configuration.
#[derive(Clone, Debug)]
pub(crate) struct Layer {
    pub(crate) source: LayerSource,
    /// The file, or `None` for the command line.
    pub(crate) path: Option<AbsPath>,
    /// The file's text, empty for the command line.
    pub(crate) text: String,
    /// The values, relative paths made absolute.
    pub(crate) values: Table,
}

/// Keys that have a value before any layer is read; a wrong value of one of
/// these is met before those of all other keys.
const PRESET: &[&str] = &[
    "allow_login_shell",
    "project_doc_max_bytes",
    "project_doc_fallback_filenames",
    "history",
    "hide_agent_reasoning",
];

/// Merges layers, weakest first: tables key by key, all else as a whole.
pub(crate) fn merge<'a>(layers: impl IntoIterator<Item = &'a Layer>) -> Table {
    let mut merged = Table::new();
    for layer in layers {
        merge_table(&mut merged, &layer.values);
    }
    let mut ordered = Table::new();
    for key in PRESET {
        if let Some(value) = merged.remove(*key) {
            ordered.insert((*key).to_owned(), value);
        }
    }
    ordered.extend(merged);
    ordered
}

fn merge_table(below: &mut Table, above: &Table) {
    for (key, value) in above {
        match (below.get_mut(key), value) {
            (Some(Value::Table(below)), Value::Table(above)) => merge_table(below, above),
            (Some(below), value) => *below = value.clone(),
            (None, value) => {
                below.insert(key.clone(), value.clone());
            }
        }
    }
}

/// Makes the relative paths of a layer absolute, before it is merged with
/// layers from elsewhere.
pub(crate) fn absolute_paths(world: World<'_>, base: &AbsPath, values: &mut Table) {
    let resolve = |value: &mut Value| {
        if let Value::String(path) = value {
            expand(world, base, path).as_str().clone_into(path);
        }
    };
    for key in ["model_instructions_file", "experimental_compact_prompt_file"] {
        if let Some(path) = values.get_mut(key) {
            resolve(path);
        }
    }
    let agents = values.get_mut("agents").and_then(Value::as_table_mut);
    for (_, agent) in agents.into_iter().flatten() {
        if let Some(path) = agent.get_mut("config_file") {
            resolve(path);
        }
    }
    let rules = values.get_mut("skills").and_then(|skills| skills.get_mut("config"));
    for rule in rules.and_then(Value::as_array_mut).into_iter().flatten() {
        if let Some(path) = rule.get_mut("path") {
            resolve(path);
        }
    }
}
