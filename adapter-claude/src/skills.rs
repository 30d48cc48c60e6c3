//! Skills and commands: where they lie, how they are read, which are listed.

mod catalogue;
mod collate;
mod command;
mod invoke;
mod listing;
mod read;
mod root;
mod touch;
mod usage;
mod visible;
mod workflow;

use memory_core::{AbsPath, Omission, OmittedSkill, Scope, SkillListing};

pub(crate) use catalogue::{Override, override_of};
pub(crate) use listing::described;
pub(crate) use read::{Text, parse as front};
pub(crate) use touch::{NewSkills, SkillSession, Wait};
pub(crate) use usage::Usage;

use crate::context::Context;
use crate::rules;

/// A skill or a command that was found.
#[derive(Clone, Debug)]
pub(crate) struct Entry {
    /// The name of its folder, or of its file with `:` for `/`.
    pub(crate) name: String,
    /// The name that it gives itself.
    pub(crate) own_name: Option<String>,
    /// What it is for, not yet shortened.
    pub(crate) description: String,
    /// When to use it, where it says so.
    pub(crate) when_to_use: Option<String>,
    pub(crate) scope: Scope,
    pub(crate) file: AbsPath,
    /// To which files it applies, and the folder that its patterns count from.
    pub(crate) paths: rules::Scope,
    pub(crate) base: AbsPath,
    /// Whether its author keeps it from the model.
    pub(crate) hidden_by_author: bool,
    /// Whether name and description are shown as they are written.
    pub(crate) is_verbatim: bool,
    pub(crate) what: What,
}

/// A skill or a command.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum What {
    Skill,
    Command,
}

/// All skills and commands that are found at start, listed or not.
pub(crate) fn found(context: &Context<'_>) -> Vec<Entry> {
    let mut entries = root::skills(context);
    entries.extend(command::commands(context));
    entries
}

/// All skills and commands that are found at start, and which of them the model
/// is not told of.
pub(crate) fn found_and_omitted(context: &Context<'_>) -> (Vec<Entry>, Vec<OmittedSkill>) {
    let entries = found(context);
    let mut catalogue = catalogue::Catalogue::default();
    catalogue.start(context, entries.clone());
    (entries, catalogue.omitted)
}

/// The skills of a folder below the start folder, and its commands: both are
/// there for sessions that are started in it.
pub(crate) fn of_folder(context: &Context<'_>, dir: &AbsPath) -> Vec<Entry> {
    let own = dir.join(".claude");
    let mut entries = root::in_folder(context, &own.join("skills"), dir, Scope::Directory);
    entries.extend(command::in_folder(context, &own.join("commands"), Scope::Directory));
    entries
}

/// The skills that the model is told of at start, and the session that may add to them.
pub(crate) fn resolve<'a>(context: &'a Context<'a>) -> (SkillListing, SkillSession<'a>) {
    let off = context.skills_off();
    let mut entries = found(context);
    entries.extend(root::of_plugins(context));
    entries.extend(workflow::workflows(context));
    let mut catalogue = catalogue::Catalogue::default();
    let shown = catalogue.start(context, entries);
    let mut listing = listing::render(context, context.bundled_skills(), &shown);
    listing.omitted = std::mem::take(&mut catalogue.omitted);
    if let Some(setting) = off {
        let listed = std::mem::take(&mut listing.listed);
        listing.rendered.clear();
        listing.omitted.extend(listed.into_iter().map(|skill| OmittedSkill {
            file: skill.file,
            scope: skill.scope,
            reason: Omission::Disabled { setting: setting.clone() },
            quirk: None,
        }));
        return (listing, SkillSession::off(context));
    }
    (listing, SkillSession::new(context, catalogue, shown))
}
