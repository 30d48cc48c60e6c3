//! Skills: where they lie, how they are read, which are listed.

use memory_core::{AbsPath, Omission, OmittedSkill, Quirk, SkillListing, World};

use crate::profile::Profile;
use crate::quirks::skills as quirks;

pub(crate) mod carry;
mod file;
mod frontmatter;
mod limits;
mod line;
mod listing;
mod namespace;
mod notice;
mod policy;
mod root;
mod rule;
mod search;
mod skill;
mod walk;
mod yaml;

use policy::Policy;
use rule::Rules;
use search::Search;
use skill::Skill;

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
    /// The rules of an agent's file, which only take skills away.
    pub(crate) taken_away: Vec<SkillRule>,
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

/// Why a skill that a person can start is kept from the model.
pub(crate) const ONLY_BY_NAME: &str =
    "its `agents/openai.yaml` lets it start only when a person names it";

/// Lists the skills that the model is told of.
pub(crate) fn list(world: World<'_>, profile: &Profile, query: &SkillQuery) -> SkillListing {
    let mut search = Search::new(world.fs, profile);
    for root in root::roots(world.fs, query) {
        search.look_in(&root);
    }
    let Search { skills, roots, mut omitted, mut diagnostics, .. } = search;
    let rules = Rules::new(world.fs, &query.settings.rules);
    let taken_away = Rules::new(world.fs, &query.taken_away);
    let folders = rules.of_folders(world.fs);
    diagnostics.extend(folders.iter().map(notice::rule_for_folder));
    let mut visible = Vec::new();
    for skill in &skills {
        match hidden(skill, &query.settings, [&rules, &taken_away]) {
            None => visible.push(skill),
            Some((reason, quirk)) => omitted.push(OmittedSkill {
                file: skill.shown.clone(),
                scope: skill.scope,
                reason,
                quirk,
            }),
        }
    }
    if visible.is_empty() {
        return SkillListing { omitted, diagnostics, ..SkillListing::default() };
    }
    let listing = listing::list(&visible, &roots, &query.settings, profile);
    diagnostics.extend(visible.iter().flat_map(|skill| notice::of_skill(skill, profile)));
    diagnostics.extend(notice::of_names(&listing.listed));
    diagnostics.extend(notice::of_budget(&listing));
    let no_room =
        Omission::OverBudget { limit: listing.budget.limit, wanted: listing.budget.wanted };
    omitted.extend(listing.left_out.iter().map(|skill| OmittedSkill {
        file: skill.shown.clone(),
        scope: skill.scope,
        reason: no_room.clone(),
        quirk: Some(&quirks::SHORTER_SKILL_PASSES),
    }));
    SkillListing {
        roots: listing.roots,
        listed: listing.listed,
        rendered: listing.rendered,
        omitted,
        budget: Some(listing.budget),
        diagnostics,
    }
}

/// Why a skill that was read is kept from the model, `None` when it is not.
fn hidden(
    skill: &Skill,
    settings: &SkillSettings,
    rules: [&Rules; 2],
) -> Option<(Omission, Option<&'static Quirk>)> {
    let not_listed = |why: &str| (Omission::NotListed { why: why.to_owned() }, None);
    if !settings.include_instructions {
        let setting = "skills.include_instructions = false".to_owned();
        return Some((Omission::Disabled { setting }, None));
    }
    if skill.policy == Policy::OtherProduct {
        return Some(not_listed("its `agents/openai.yaml` is for other products"));
    }
    if let Some(setting) = rules.iter().find_map(|it| it.disables(&skill.name, &skill.real)) {
        return Some((Omission::Disabled { setting }, None));
    }
    (skill.policy == Policy::OnlyByName).then(|| not_listed(ONLY_BY_NAME))
}

#[cfg(test)]
mod tests;
