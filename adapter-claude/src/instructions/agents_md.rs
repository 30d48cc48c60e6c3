//! When AGENTS.md is read in place of CLAUDE.md, or beside it.

use serde_json::Value;

use crate::profile::Profile;
use crate::settings::{Settings, SettingsSource};

/// Which of a project's own files are read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Mode {
    /// CLAUDE.md only.
    ClaudeMd,
    /// AGENTS.md where there is no CLAUDE.md in the whole chain.
    Fallback,
    /// Both.
    Both,
    /// Neither, at start: only the organisation's files.
    ManagedOnly,
}

/// The part of the client that reads AGENTS.md; settings configure it by this name.
const PLUGIN: &str = "cc-plugin-agents-md@builtin";

impl Mode {
    /// The mode that settings choose.
    pub(crate) fn of(profile: &Profile, settings: &Settings) -> Self {
        if !profile.reads_agents_md {
            return Self::ClaudeMd;
        }
        // Any layer may turn the plugin off, a project's too; the strongest that speaks of it counts.
        let switch = settings.find("enabledPlugins", |plugins| plugins.get(PLUGIN).is_some());
        if switch.is_some_and(|(_, plugins)| plugins.get(PLUGIN) != Some(&Value::Bool(true))) {
            return Self::ClaudeMd;
        }
        let options = |value: &Value| Some(value.get(PLUGIN)?.get("options")?.clone());
        // What is checked in with a project, or lies beside it, has no say.
        let trusted = settings.layers.iter().rev().filter(|layer| {
            !matches!(layer.source, SettingsSource::Project | SettingsSource::Local)
        });
        trusted
            .filter_map(|layer| options(layer.values.get("pluginConfigs")?))
            .find_map(|options| Self::named(&options))
            .unwrap_or(Self::Fallback)
    }

    /// The mode that the options name, by the present name or else by the older one.
    fn named(options: &Value) -> Option<Self> {
        let text = |key| options.get(key).and_then(Value::as_str);
        let present = match text("instructionFiles") {
            Some("claude-md") => Some(Self::ClaudeMd),
            Some("claude-md-or-agents-md") => Some(Self::Fallback),
            Some("claude-md-and-agents-md") => Some(Self::Both),
            Some("managed-only") => Some(Self::ManagedOnly),
            _ => None,
        };
        present.or_else(|| match text("projectInstructions") {
            Some("claude") => Some(Self::ClaudeMd),
            Some("agents-fallback") => Some(Self::Fallback),
            Some("both") => Some(Self::Both),
            Some("none") => Some(Self::ManagedOnly),
            _ => None,
        })
    }
}
