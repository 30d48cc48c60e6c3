use std::collections::HashSet;

use memory_core::{Budget, Limit, ListedSkill, Omission, OmittedSkill, SkillListing};
use serde_json::Value;

use super::Entry;
use super::read::cut;
use crate::context::Context;
use crate::frontmatter::is_space;
use crate::quirks;
use crate::rule::Scope;

/// What becomes of the entries that were found.
#[derive(Default)]
pub(super) struct Chosen {
    pub(super) listed: Vec<Shown>,
    /// Those that appear when a file is touched.
    pub(super) waiting: Vec<Entry>,
    pub(super) omitted: Vec<OmittedSkill>,
    /// Names that are taken.
    pub(super) seen: HashSet<String>,
}

/// An entry that is listed.
#[derive(Clone, Debug)]
pub(super) struct Shown {
    pub(super) entry: Entry,
    /// The name as shown.
    pub(super) name: String,
    /// Whether settings leave only the name.
    pub(super) name_only: bool,
    /// What is said after the description.
    pub(super) note: String,
}

/// What settings say about one skill.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Override {
    Off,
    UserOnly,
    NameOnly,
}

/// Decides which entries are listed: what is hidden takes no name away.
pub(super) fn choose(context: &Context<'_>, entries: Vec<Entry>) -> Chosen {
    let mut chosen = Chosen::default();
    let folders: Vec<String> = entries.iter().map(|entry| entry.name.clone()).collect();
    let mut shown_names: HashSet<String> = HashSet::new();
    for entry in entries {
        let rule = override_of(context, &entry.name);
        if let Some(reason) = hidden(&entry, rule) {
            chosen.omitted.push(omitted(&entry, reason, None));
            continue;
        }
        if let Scope::Files(patterns) = &entry.paths {
            let reason = Omission::PathsDoNotMatch(patterns.written.clone());
            chosen.omitted.push(omitted(&entry, reason, Some(&quirks::SKILL_WITH_PATHS_WAITS)));
            chosen.waiting.push(entry);
            continue;
        }
        if !chosen.seen.insert(entry.name.clone()) && context.profile.skills.unique_names {
            let by = chosen.listed.iter().find(|shown| shown.entry.name == entry.name);
            if let Some(by) = by.map(|shown| shown.entry.file.clone()) {
                let quirk = Some(&quirks::USER_SKILL_BEATS_PROJECT_SKILL);
                chosen.omitted.push(omitted(&entry, Omission::Shadowed { by }, quirk));
            }
            continue;
        }
        let own = entry.own_name.clone().filter(|own| {
            context.profile.skills.shows_own_name
                && is_showable(own)
                && !folders.contains(own)
                && !shown_names.contains(own)
        });
        let name = match own {
            Some(own) => {
                let both = format!("{} ({own})", entry.name);
                shown_names.insert(own);
                both
            }
            None => entry.name.clone(),
        };
        shown_names.insert(entry.name.clone());
        let name_only = rule == Some(Override::NameOnly);
        chosen.listed.push(Shown { entry, name, name_only, note: String::new() });
    }
    chosen
}

fn omitted(
    entry: &Entry,
    reason: Omission,
    quirk: Option<&'static memory_core::Quirk>,
) -> OmittedSkill {
    OmittedSkill { file: entry.file.clone(), scope: entry.scope, reason, quirk }
}

/// Why an entry is not listed, whatever else there is.
fn hidden(entry: &Entry, rule: Option<Override>) -> Option<Omission> {
    if entry.hidden_by_author {
        let why = "`disable-model-invocation` keeps it from the model".to_owned();
        return Some(Omission::NotListed { why });
    }
    matches!(rule, Some(Override::Off | Override::UserOnly))
        .then(|| Omission::Disabled { setting: "`skillOverrides`".to_owned() })
}

/// What the strongest layer of settings says about a skill.
fn override_of(context: &Context<'_>, name: &str) -> Option<Override> {
    let (_, value) = context
        .settings
        .find("skillOverrides", |value| value.get(name).is_some_and(Value::is_string))?;
    match value.get(name)?.as_str()? {
        "off" => Some(Override::Off),
        "user-invocable-only" => Some(Override::UserOnly),
        "name-only" => Some(Override::NameOnly),
        _ => None,
    }
}

/// Whether a name of its own is fit to be shown.
fn is_showable(name: &str) -> bool {
    !name.is_empty() && name.chars().all(|c| c.is_alphanumeric() || "_-.:".contains(c))
}

/// Writes the listing: descriptions as far as they fit, in order.
pub(super) fn render(context: &Context<'_>, shown: &[Shown]) -> SkillListing {
    let profile = &context.profile.skills;
    let limit = context.skill_budget();
    let bundled = context.bundled_skills();
    let texts: Vec<(String, u64)> = shown.iter().map(|one| description(one, profile)).collect();
    let units = |text: &str| text.encode_utf16().count();
    let whole = |one: &Shown, text: &str| {
        if one.name_only { 0 } else { units(": ") + units(text) + units(&one.note) }
    };
    let lines = shown.len() + usize::from(bundled > 0);
    let names: usize = shown.iter().map(|one| units("- ") + units(&one.name)).sum();
    let mut used = names + bundled + lines.saturating_sub(1);
    let wanted: usize =
        used + shown.iter().zip(&texts).map(|(one, (text, _))| whole(one, text)).sum::<usize>();
    let mut listing = SkillListing::default();
    let mut rendered = Vec::new();
    for (one, (text, lost)) in shown.iter().zip(texts) {
        let more = whole(one, &text);
        let fits = used + more <= limit && !one.name_only;
        if fits {
            used += more;
            rendered.push(format!("- {}: {text}{}", one.name, one.note));
        } else {
            rendered.push(format!("- {}", one.name));
        }
        let lost_chars = if fits || one.name_only { lost } else { text.chars().count() as u64 };
        listing.listed.push(ListedSkill {
            name: one.name.clone(),
            description: fits.then(|| format!("{text}{}", one.note)),
            shown_path: one.entry.file.to_string(),
            file: one.entry.file.clone(),
            scope: one.entry.scope,
            lost_chars,
        });
    }
    listing.rendered = rendered.join("\n");
    listing.budget = Some(Budget {
        limit: Limit::Utf16(limit as u64),
        used: used as u64,
        wanted: wanted as u64,
    });
    listing
}

/// The description as shown, and how many characters were cut off.
fn description(shown: &Shown, profile: &crate::SkillProfile) -> (String, u64) {
    let text = &shown.entry.description;
    let text = if profile.cleans_descriptions { clean(text) } else { text.clone() };
    let max = profile.max_description;
    let (mut text, lost) = if text.encode_utf16().count() > max {
        let kept = cut(&text, max - 1);
        let lost = text.chars().count() - kept.chars().count();
        (format!("{kept}…"), lost as u64)
    } else {
        (text, 0)
    };
    if profile.cleans_descriptions {
        text = text.replace('<', "&lt;").replace('>', "&gt;");
    }
    (text, lost)
}

/// Line breaks become one blank, each invisible character one too; ends are trimmed.
fn clean(text: &str) -> String {
    let mut cleaned = String::with_capacity(text.len());
    let mut in_break = false;
    for c in text.chars() {
        let is_break = c == '\n';
        if !(is_break && in_break) {
            cleaned.push(if is_break || shows_nothing(c) { ' ' } else { c });
        }
        in_break = is_break;
    }
    cleaned.trim_matches(is_space).to_owned()
}

/// Whether a character is a control or has no width.
fn shows_nothing(c: char) -> bool {
    c.is_control()
        || matches!(c, '\u{ad}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}')
}
