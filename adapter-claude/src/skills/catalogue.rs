use std::collections::{HashMap, HashSet};

use memory_core::{AbsPath, Omission, OmittedSkill, Quirk, Scope};
use serde_json::Value;
use unicode_properties::{GeneralCategoryGroup, UnicodeGeneralCategory as _};

use super::collate::compare;
use super::visible::is_listable;
use super::{Entry, What};
use crate::context::Context;
use crate::quirks;
use crate::rules;

/// All that the client knows of skills, and how it names them.
#[derive(Clone, Default)]
pub(super) struct Catalogue {
    /// Names without a folder before them, and who has them.
    plain: HashMap<String, AbsPath>,
    /// Names of skills that the model may not use.
    hidden: HashSet<String>,
    /// Skills of one folder each, with that folder.
    of_folder: Vec<OfFolder>,
    /// Skills that wait for a file that their patterns match.
    waiting: Vec<Entry>,
    /// Names that some skill gives itself, and names of folders.
    own_names: HashSet<String>,
    /// Names under which the model knows a skill.
    announced: HashSet<String>,
    pub(super) omitted: Vec<OmittedSkill>,
}

/// A skill of one folder.
#[derive(Clone)]
struct OfFolder {
    /// How the folder is named.
    label: String,
    entry: Entry,
    /// Whether the model is told of it only in the next step.
    late: bool,
}

/// A skill that is listed.
#[derive(Clone, Debug)]
pub(super) struct Shown {
    pub(super) entry: Entry,
    /// The name, without the one that it gives itself.
    key: String,
    /// The name as shown.
    pub(super) name: String,
    /// Whether settings leave only the name.
    pub(super) name_only: bool,
    /// What is said after the description.
    pub(super) note: String,
}

impl Shown {
    fn rename(&mut self, name: String) {
        self.key.clone_from(&name);
        self.name = name;
    }
}

/// What settings say about one skill.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Override {
    Off,
    UserOnly,
    NameOnly,
}

impl Catalogue {
    /// Takes the skills that are found at start, strongest first, and says which are listed.
    ///
    /// What is hidden at start takes no name away from a weaker skill.
    pub(super) fn start(&mut self, context: &Context<'_>, entries: Vec<Entry>) -> Vec<Shown> {
        let unique = context.profile.skills.unique_names;
        let mut hidden_names = Vec::new();
        let mut shown = Vec::new();
        let mut of_added = Vec::new();
        // What waits for files takes no name away, what is hidden does.
        let is_waiting = |entry: &Entry| {
            matches!(entry.paths, rules::Scope::Files(_)) && hidden(context, entry).is_none()
        };
        let present = entries.iter().filter(|entry| !is_waiting(entry));
        self.own_names.extend(present.map(|entry| entry.name.clone()));
        for entry in entries {
            if let Some(reason) = hidden(context, &entry) {
                hidden_names.push((entry.name.clone(), entry.file.clone()));
                self.own_names.extend(entry.own_name.clone());
                self.omit(&entry, reason, None);
                continue;
            }
            if let rules::Scope::Files(patterns) = &entry.paths {
                let reason = Omission::PathsDoNotMatch(patterns.written.clone());
                self.omit(&entry, reason, Some(&quirks::SKILL_WITH_PATHS_WAITS));
                self.waiting.push(entry);
                continue;
            }
            match self.plain.get(&entry.name).filter(|_| unique) {
                None => {
                    self.plain.insert(entry.name.clone(), entry.file.clone());
                    shown.push(self.show(context, entry, None));
                }
                Some(_) if entry.scope == Scope::Session && entry.what == What::Skill => {
                    let label = context.label(&entry.base);
                    self.of_folder.push(OfFolder {
                        label: label.clone(),
                        entry: entry.clone(),
                        late: false,
                    });
                    let mut scoped = self.show(context, entry, Some(&label));
                    scoped.rename(format!("{label}:{}", scoped.entry.name));
                    of_added.push(scoped);
                }
                Some(by) => {
                    let by = by.clone();
                    let quirk = Some(&quirks::USER_SKILL_BEATS_PROJECT_SKILL);
                    self.omit(&entry, Omission::SameName { by }, quirk);
                }
            }
        }
        for (name, file) in hidden_names {
            if !self.plain.contains_key(&name) {
                self.hidden.insert(name.clone());
                self.plain.insert(name, file);
            }
        }
        shown.extend(of_added);
        self.announced.extend(shown.iter().map(|one| one.key.clone()));
        shown
    }

    /// Adds the skills of a folder that was entered.
    pub(super) fn enter(&mut self, context: &Context<'_>, label: &str, entries: Vec<Entry>) {
        for entry in entries {
            if let Some(reason) = hidden(context, &entry) {
                self.omit(&entry, reason, None);
                continue;
            }
            let label = label.to_owned();
            self.of_folder.push(OfFolder { label, entry, late: true });
        }
    }

    /// Wakes the skills whose patterns match a file.
    pub(super) fn wake(&mut self, context: &Context<'_>, file: &AbsPath) -> Vec<Shown> {
        let mut woken = Vec::new();
        for entry in std::mem::take(&mut self.waiting) {
            let matches = match (&entry.paths, file.strip_prefix(&context.layout.cwd)) {
                (rules::Scope::Files(patterns), Some(below)) => patterns.globs().matches(below),
                _ => false,
            };
            if !matches {
                self.waiting.push(entry);
            } else if entry.scope == Scope::Session && context.profile.skills.unique_names {
                let label = context.label(&entry.base);
                self.of_folder.push(OfFolder { label, entry, late: false });
            } else if !self.plain.contains_key(&entry.name) {
                self.plain.insert(entry.name.clone(), entry.file.clone());
                woken.push(self.show(context, entry, None));
            }
        }
        woken
    }

    /// The skills of folders that the model does not know under their present name.
    pub(super) fn news(&mut self, context: &Context<'_>) -> Vec<Shown> {
        let mut count: HashMap<String, usize> = HashMap::new();
        for known in &self.of_folder {
            *count.entry(known.entry.name.clone()).or_default() += 1;
        }
        let mut news = Vec::new();
        for OfFolder { label, entry, late } in self.of_folder.clone() {
            let ambiguous = count.get(&entry.name).is_some_and(|count| *count > 1);
            let taken = self.plain.contains_key(&entry.name);
            let name = if taken || ambiguous {
                format!("{label}:{}", entry.name)
            } else {
                entry.name.clone()
            };
            if late || self.announced.contains(&name) {
                continue;
            }
            let mut shown = self.show(context, entry, Some(&label));
            if taken || ambiguous {
                shown.rename(name);
            }
            news.push(shown);
        }
        news
    }

    /// The file of the skill that the model uses by this name.
    pub(super) fn file(&self, name: &str) -> Option<&AbsPath> {
        if self.hidden.contains(name) {
            return None;
        }
        let is_named = |known: &&OfFolder| {
            let below = name.strip_prefix(known.label.as_str());
            let name = below.and_then(|below| below.strip_prefix(':')).unwrap_or(name);
            name == known.entry.name
        };
        let of_folder = || self.of_folder.iter().find(is_named).map(|known| &known.entry.file);
        self.plain.get(name).or_else(of_folder)
    }

    /// Lets the model be told of all that was found.
    pub(super) fn catch_up(&mut self) {
        for known in &mut self.of_folder {
            known.late = false;
        }
    }

    /// Notes what the model is told of, and puts it in order.
    pub(super) fn announce(&mut self, shown: &mut [Shown]) {
        self.announced.extend(shown.iter().map(|one| one.key.clone()));
        shown.sort_by(|a, b| {
            compare(&a.entry.name, &b.entry.name).then_with(|| compare(&a.key, &b.key))
        });
    }

    /// Gives a skill the name and the note that it is listed with.
    fn show(&mut self, context: &Context<'_>, entry: Entry, label: Option<&str>) -> Shown {
        let own = entry.own_name.clone().filter(|own| {
            context.profile.skills.shows_own_name
                && is_showable(own)
                && !self.own_names.contains(own)
        });
        let name = match own {
            Some(own) => {
                let both = format!("{} ({own})", entry.name);
                self.own_names.insert(own);
                both
            }
            None => entry.name.clone(),
        };
        self.own_names.insert(entry.name.clone());
        let name_only = override_of(context, &entry.name) == Some(Override::NameOnly);
        let note = label.map_or_else(String::new, |label| self.note(&entry, label));
        Shown { key: entry.name.clone(), entry, name, name_only, note }
    }

    fn note(&self, entry: &Entry, label: &str) -> String {
        if self.plain.contains_key(&entry.name) {
            let name = &entry.name;
            return format!(
                " (scoped to {label}/ — use this instead of the unscoped \"{name}\" skill when the files being changed are under {label}/)"
            );
        }
        format!(" (from {label}/.claude/skills — applies when working on files under {label}/)")
    }

    fn omit(&mut self, entry: &Entry, reason: Omission, quirk: Option<&'static Quirk>) {
        let file = entry.file.clone();
        self.omitted.push(OmittedSkill { file, scope: entry.scope, reason, quirk });
    }
}

/// Why a skill is not listed, whatever else there is.
fn hidden(context: &Context<'_>, entry: &Entry) -> Option<Omission> {
    if context.profile.skills.cleans_descriptions && !entry.is_verbatim && !is_listable(&entry.name)
    {
        let why = "its name has a character that shows nothing".to_owned();
        return Some(Omission::NotListed { why });
    }
    if entry.hidden_by_author {
        let why = "`disable-model-invocation` keeps it from the model".to_owned();
        return Some(Omission::NotListed { why });
    }
    if matches!(override_of(context, &entry.name), Some(Override::Off | Override::UserOnly)) {
        return Some(Omission::Disabled { setting: "`skillOverrides`".to_owned() });
    }
    None
}

/// What the strongest layer of settings says about a skill.
pub(crate) fn override_of(context: &Context<'_>, name: &str) -> Option<Override> {
    let says = |value: &Value| value.get(name).is_some_and(Value::is_string);
    let (_, value) = context.settings.find("skillOverrides", says)?;
    match value.get(name)?.as_str()? {
        "off" => Some(Override::Off),
        "user-invocable-only" => Some(Override::UserOnly),
        "name-only" => Some(Override::NameOnly),
        _ => None,
    }
}

/// The longest name of its own that is shown, in UTF-16 units.
const MAX_OWN_NAME: usize = 256;

/// Whether a name of its own is fit to be shown: letters with their marks, numbers and `_:.-`.
fn is_showable(name: &str) -> bool {
    let is_word = |c: char| {
        use GeneralCategoryGroup::{Letter, Mark, Number};
        matches!(c.general_category_group(), Letter | Mark | Number) || "_:.-".contains(c)
    };
    !name.is_empty() && name.encode_utf16().count() <= MAX_OWN_NAME && name.chars().all(is_word)
}
