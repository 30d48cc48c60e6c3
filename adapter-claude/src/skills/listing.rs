use memory_core::{Budget, Limit, ListedSkill, SkillListing};
use unicode_width::UnicodeWidthStr as _;

use super::catalogue::Shown;
use super::read::cut;
use super::visible::clean;
use crate::context::Context;
use crate::profile::SkillProfile;
use crate::text::frontmatter::is_space;

/// Writes the listing: descriptions as far as they fit, those of what is used most first.
///
/// `bundled` is the width of the lines for skills that come with the client.
pub(super) fn render(context: &Context<'_>, bundled: usize, shown: &[Shown]) -> SkillListing {
    let (profile, limit) = (&context.profile.skills, context.skill_budget());
    let max = context.max_description();
    let texts: Vec<(String, u64)> =
        shown.iter().map(|one| description(one, profile, max)).collect();
    let whole = |one: &Shown, text: &str| {
        if one.name_only { 0 } else { ": ".len() + text.width() }
    };
    let lines = shown.len() + usize::from(bundled > 0);
    let names: usize = shown.iter().map(|one| "- ".len() + one.name.width()).sum();
    let mut used = names + bundled + lines.saturating_sub(1);
    let wanted: usize =
        used + shown.iter().zip(&texts).map(|(one, (text, _))| whole(one, text)).sum::<usize>();
    let mut listing = SkillListing::default();
    let mut rendered = Vec::new();
    // What is used most is described first, as far as there is room.
    let mut by_use: Vec<usize> = (0..shown.len()).collect();
    let weight = |at: usize| shown.get(at).map_or(0.0, |one| context.usage().of(&one.entry.name));
    by_use.sort_by(|a, b| weight(*b).total_cmp(&weight(*a)));
    let mut described = vec![false; shown.len()];
    for at in by_use {
        let (Some(one), Some((text, _)), Some(described)) =
            (shown.get(at), texts.get(at), described.get_mut(at))
        else {
            continue;
        };
        let more = whole(one, text);
        *described = used + more <= limit && !one.name_only;
        used += if *described { more } else { 0 };
    }
    for ((one, (text, lost)), fits) in shown.iter().zip(texts).zip(described) {
        let lost_chars = if fits || one.name_only { lost } else { text.chars().count() as u64 };
        if fits {
            rendered.push(format!("- {}: {text}", one.name));
        } else {
            rendered.push(format!("- {}", one.name));
        }
        listing.listed.push(ListedSkill {
            name: one.name.clone(),
            description: fits.then_some(text),
            shown_path: one.entry.file.to_string(),
            file: one.entry.file.clone(),
            scope: one.entry.scope,
            lost_chars,
        });
    }
    listing.rendered = rendered.join("\n");
    listing.budget = Some(Budget {
        limit: Limit::Columns(limit as u64),
        used: used as u64,
        wanted: wanted as u64,
    });
    listing
}

/// What a skill is for, on one line where the release shows it so, and as long as it is.
pub(crate) fn described(description: &str, when: Option<&str>, profile: &SkillProfile) -> String {
    let prepared = |text: &str| {
        if profile.cleans_descriptions { clean(text) } else { text.to_owned() }
    };
    let mut text = prepared(description.trim_matches(is_space));
    if let Some(when) = when {
        text.push_str(" - ");
        text.push_str(&prepared(when));
    }
    text
}

/// The description as shown, and how many characters were cut off.
fn description(shown: &Shown, profile: &SkillProfile, max: usize) -> (String, u64) {
    let prepared = |text: &str| {
        if profile.cleans_descriptions && !shown.entry.is_verbatim {
            clean(text).replace('<', "&lt;").replace('>', "&gt;")
        } else {
            text.to_owned()
        }
    };
    let entry = &shown.entry;
    let mut text = prepared(entry.description.trim_matches(is_space));
    text.push_str(&shown.note);
    if let Some(when) = &entry.when_to_use {
        text.push_str(" - ");
        text.push_str(&prepared(when));
    }
    if text.encode_utf16().count() <= max {
        return (text, 0);
    }
    let (kept, half) = cut(&text, max.saturating_sub(1));
    let lost = text.chars().count() - kept.chars().count();
    // Half of a pair is no character; the client writes it as one that is unknown.
    let half = if half { "\u{fffd}" } else { "" };
    (format!("{kept}{half}…"), lost as u64)
}
