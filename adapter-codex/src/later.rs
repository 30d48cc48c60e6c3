//! Texts that reach the model later than at start, or that a command prints.
//!
//! No command is run here: what is known is that there is one, and where.

use std::collections::BTreeMap;

use memory_core::{AbsPath, Code, Diagnostic, Severity, World};
use serde::Deserialize;

use crate::config::file::FILE_LIMIT;
use crate::config::layer::LayerSource;
use crate::config::settings::Config;

/// A text that a session may get and that stands in no file as such.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct LaterText {
    /// What kind of text it is.
    pub kind: LaterKind,
    /// The file in which it is set; `None` for the command line.
    pub path: Option<AbsPath>,
    /// The line in that file, counted from 1; `None` where it is not known.
    pub line: Option<u32>,
}

/// What kind of later text it is.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum LaterKind {
    /// What a command prints when something happens; the client runs it only
    /// once a person trusted it.
    Hook {
        /// What makes the client run it: `SessionStart`, …
        event: String,
        /// The command.
        command: String,
    },
    /// The prompt that asks the model for a summary when a session is compacted.
    CompactPrompt,
}

/// The events whose hooks add text to what the model is given.
const EVENTS: [&str; 3] = ["SessionStart", "UserPromptSubmit", "SubagentStart"];

/// What a hooks file or table holds.
#[derive(Deserialize)]
struct HooksFile {
    #[serde(default)]
    hooks: BTreeMap<String, serde_json::Value>,
}

#[derive(Deserialize)]
struct Group {
    #[serde(default)]
    hooks: Vec<Hook>,
}

#[derive(Deserialize)]
struct Hook {
    #[serde(rename = "type")]
    kind: String,
    command: Option<String>,
}

/// The later texts of a start, in the order in which the client looks at them.
pub(crate) fn texts(world: World<'_>, config: &Config) -> Vec<LaterText> {
    let mut found = Vec::new();
    if config.hooks {
        of_folder(world, config, &config.codex_home, LayerSource::User, &mut found);
        for folder in &config.trusted_folders {
            of_folder(world, config, folder, LayerSource::Project, &mut found);
        }
    }
    found.extend(config.texts.compact.iter().map(|prompt| LaterText {
        kind: LaterKind::CompactPrompt,
        path: prompt.path.clone(),
        line: None,
    }));
    found
}

/// What to say of them unasked.
pub(crate) fn diagnostics(texts: &[LaterText]) -> Vec<Diagnostic> {
    let hooks = texts.iter().filter_map(|text| match &text.kind {
        LaterKind::Hook { event, command } => {
            let message =
                format!("a hook for {event} adds what `{command}` prints; it is not run here");
            let mut diagnostic =
                Diagnostic::new(Code("codex/hook-adds-text"), Severity::Hint, message)
                    .help("run the command to see the text; Codex runs it only when it is trusted");
            diagnostic.path.clone_from(&text.path);
            diagnostic.line = text.line;
            Some(diagnostic)
        }
        LaterKind::CompactPrompt => None,
    });
    hooks.collect()
}

/// The hooks of one directory: of its `hooks.json`, then of its configuration.
fn of_folder(
    world: World<'_>,
    config: &Config,
    folder: &AbsPath,
    source: LayerSource,
    found: &mut Vec<LaterText>,
) {
    let path = folder.join("hooks.json");
    if let Some(text) = text_of(world, &path)
        && let Ok(file) = serde_json::from_str::<HooksFile>(&text)
    {
        hooks(&path, &text, &file.hooks, found);
    }
    let layers = config.layers.iter().filter(|layer| layer.source == source);
    for layer in layers {
        let Some(path) = layer.path.as_ref().filter(|path| path.parent().as_ref() == Some(folder))
        else {
            continue;
        };
        let table = layer.values.get("hooks").and_then(|table| serde_json::to_value(table).ok());
        if let Some(Ok(events)) = table.map(serde_json::from_value) {
            hooks(path, &layer.text, &events, found);
        }
    }
}

fn hooks(
    path: &AbsPath,
    text: &str,
    events: &BTreeMap<String, serde_json::Value>,
    found: &mut Vec<LaterText>,
) {
    for event in EVENTS {
        let Some(groups) = events.get(event) else { continue };
        let groups = Vec::<Group>::deserialize(groups).unwrap_or_default();
        let line = text.lines().position(|line| line.contains(event));
        let line = line.and_then(|line| u32::try_from(line + 1).ok());
        let hooks = groups.into_iter().flat_map(|group| group.hooks);
        let commands = hooks.filter(|hook| hook.kind == "command").filter_map(|hook| hook.command);
        found.extend(commands.map(|command| LaterText {
            kind: LaterKind::Hook { event: event.to_owned(), command },
            path: Some(path.clone()),
            line,
        }));
    }
}

fn text_of(world: World<'_>, path: &AbsPath) -> Option<String> {
    let found = world.fs.metadata(path).ok()?;
    if !found.is_file() || found.len > FILE_LIMIT {
        return None;
    }
    String::from_utf8(world.fs.read_up_to(path, FILE_LIMIT).ok()?).ok()
}
