//! Skills: where they lie, how they are read, which are listed.

use memory_core::{AbsPath, SkillListing, World};

use crate::Profile;

/// What the listing of skills depends on beside the files.
#[derive(Clone, Debug)]
pub(crate) struct SkillQuery {
    /// `CODEX_HOME`.
    pub(crate) codex_home: AbsPath,
    /// `HOME`, or `None` where it is not known.
    pub(crate) home: Option<AbsPath>,
    /// Folders whose `.codex` is a project layer, nearest the start folder first.
    pub(crate) layer_dirs: Vec<AbsPath>,
    /// Folders from the project root down to the start folder.
    pub(crate) chain_dirs: Vec<AbsPath>,
    /// The settings that matter.
    pub(crate) settings: SkillSettings,
}

/// The part of the configuration that decides about skills.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct SkillSettings {
    /// `skills.bundled.enabled`.
    pub(crate) bundled: bool,
    /// `skills.include_instructions`.
    pub(crate) include_instructions: bool,
    /// `skills.max_context_tokens`.
    pub(crate) max_context_tokens: Option<u64>,
    /// `model_context_window`.
    pub(crate) context_window: Option<u64>,
    /// `features.omit_skill_descriptions`.
    pub(crate) omit_descriptions: bool,
    /// `[[skills.config]]` of all layers that may hold it, weakest first.
    pub(crate) rules: Vec<SkillRule>,
}

impl Default for SkillSettings {
    fn default() -> Self {
        Self {
            bundled: true,
            include_instructions: true,
            max_context_tokens: None,
            context_window: None,
            omit_descriptions: false,
            rules: Vec::new(),
        }
    }
}

/// One `[[skills.config]]` entry.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct SkillRule {
    /// `name`.
    pub(crate) name: Option<String>,
    /// `path`, made absolute: `~` and paths relative to the config file resolved.
    pub(crate) path: Option<AbsPath>,
    /// `enabled`.
    pub(crate) enabled: bool,
}

/// Lists the skills that the model is told of.
pub(crate) fn list(world: World<'_>, profile: &Profile, query: &SkillQuery) -> SkillListing {
    let _ = (world, profile, query);
    SkillListing::default()
}
