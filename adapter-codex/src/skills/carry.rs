//! What another client's adapter needs to know of skills: all of each one, not
//! only what is listed.

use memory_core::fs::{Fs, MemFs};
use memory_core::{AbsPath, Diagnostic, Omission, Scope};

use super::namespace::Namespaces;
use super::policy;
use super::policy::Policy;
use super::root::{Root, real};
use super::rule::Rules;
use super::search::Search;
use super::skill;
use super::skill::{Skill, Unusable};
use super::walk::SKILL_FILE;
use super::{SkillRule, file, frontmatter};
use crate::profile::Profile;

/// A folder below which skills are looked for.
pub(crate) struct SkillRoot {
    /// The folder, links not resolved.
    pub(crate) path: AbsPath,
    /// Where its skills belong.
    pub(crate) scope: Scope,
    /// The project folder that it serves; `None` for every folder.
    pub(crate) folder: Option<AbsPath>,
}

/// One skill that the model or the person can start.
pub(crate) struct Found {
    /// Its name, with the plugin's in front where there is one.
    pub(crate) name: String,
    /// All of its description.
    pub(crate) description: String,
    /// Where it belongs.
    pub(crate) scope: Scope,
    /// The project folder in which it is listed; `None` for every folder.
    pub(crate) folder: Option<AbsPath>,
    /// Its file as the client names it.
    pub(crate) shown: AbsPath,
    /// Its file's real path.
    pub(crate) real: AbsPath,
    /// Whether only the person can start it.
    pub(crate) only_by_name: bool,
}

/// The skills below some roots.
#[derive(Default)]
pub(crate) struct Carried {
    /// Those that can be started, root by root.
    pub(crate) skills: Vec<Found>,
    /// Those that cannot, with the reason.
    pub(crate) hidden: Vec<(AbsPath, String)>,
    /// What is worth telling.
    pub(crate) diagnostics: Vec<Diagnostic>,
}

/// Reads the skills below these roots, in their order.
pub(crate) fn carried(
    fs: &dyn Fs,
    profile: &Profile,
    roots: &[SkillRoot],
    rules: &[SkillRule],
) -> Carried {
    let mut search = Search::new(fs, profile);
    let mut found: Carried = Carried::default();
    let rules = Rules::new(fs, rules);
    for root in roots {
        let first = search.skills.len();
        search.look_in(&Root { path: real(fs, &root.path), scope: root.scope });
        for skill in search.skills.get(first..).unwrap_or_default() {
            match why_hidden(skill, &rules) {
                Some(why) => found.hidden.push((skill.shown.clone(), why)),
                None => found.skills.push(Found {
                    name: skill.name.clone(),
                    description: description(fs, skill),
                    scope: skill.scope,
                    folder: root.folder.clone(),
                    shown: skill.shown.clone(),
                    real: skill.real.clone(),
                    only_by_name: skill.policy == Policy::OnlyByName,
                }),
            }
        }
    }
    found.diagnostics = search.diagnostics;
    found
}

fn why_hidden(skill: &Skill, rules: &Rules) -> Option<String> {
    if skill.policy == Policy::OtherProduct {
        return Some("its `agents/openai.yaml` is for other products".to_owned());
    }
    rules.disables(&skill.name, &skill.real).map(|setting| format!("{setting} turns it off"))
}

/// The description before it is cut to the longest one that is listed.
fn description(fs: &dyn Fs, skill: &Skill) -> String {
    let shown = || skill.description.text(skill.description.chars()).unwrap_or_default().to_owned();
    if skill.cut_chars == 0 {
        return shown();
    }
    let text = file::read(fs, &skill.real).ok();
    let keys = text.and_then(|text| frontmatter::read(&text.start).ok());
    keys.map_or_else(shown, |keys| keys.description)
}

/// Name and description that the client would read from a file of these bytes
/// in a folder of this name, or why it would read none.
pub(crate) fn read_front(
    profile: &Profile,
    folder: &str,
    bytes: &[u8],
) -> Result<(String, String), Omission> {
    let path = AbsPath::root().join(folder).join(SKILL_FILE);
    let fs = MemFs::from_files([(path.as_str(), bytes)]);
    match skill::read(&fs, &path, profile) {
        Ok(front) => Ok((front.name, front.description)),
        Err(Unusable { reason, .. }) => Err(reason),
    }
}

/// The plugin whose name stands before those of skills in a folder.
pub(crate) fn plugin_of(fs: &dyn Fs, folder: &AbsPath) -> Option<String> {
    Namespaces::new(fs).of(folder)
}

/// Whether an `agents/openai.yaml` of these bytes lets only the person start
/// the skill.
pub(crate) fn hides_from_model(bytes: &[u8]) -> bool {
    let fs = MemFs::from_files([("/agents/openai.yaml", bytes)]);
    policy::read(&fs, &AbsPath::root()) == Policy::OnlyByName
}
