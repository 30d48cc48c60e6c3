//! What is worth telling about skills, and what to do about it.

use std::collections::BTreeMap;

use memory_core::fs::{IoError, IoErrorKind};
use memory_core::{
    AbsPath, Code, Diagnostic, ListedSkill, Omission, Quirk, Severity, counted, grouped,
};

use super::listing::Listing;
use super::policy::Policy;
use super::skill::{Skill, Unusable};
use crate::profile::Profile;
use crate::quirks::skills as quirks;

/// A file that gives no skill.
pub(super) fn unusable(path: &AbsPath, unusable: &Unusable) -> Diagnostic {
    let Unusable { reason, line } = unusable;
    let (code, help) = match reason {
        Omission::NameTooLong { .. } => ("codex/skill-name-too-long", "give it a shorter `name`"),
        Omission::Unreadable(_) => ("codex/skill-unreadable", "let the client's user read it"),
        Omission::TooLarge { .. } | Omission::NotListed { .. } => {
            ("codex/skill-too-large", "keep to `name` and `description` between the `---` lines")
        }
        _ => (
            "codex/skill-frontmatter",
            "begin the file with `---`, `name: …`, `description: …`, `---`, and put values in double quotes",
        ),
    };
    let message = match reason {
        // Nobody knows whether the client lists what is not read here.
        Omission::TooLarge { .. } | Omission::NotListed { .. } => reason.to_string(),
        _ => format!("the skill is not listed: {reason}"),
    };
    let mut diagnostic =
        Diagnostic::new(Code(code), Severity::Warning, message).at(path).help(help);
    diagnostic.line = *line;
    diagnostic
}

/// The oddity behind a file that gives no skill.
pub(super) fn quirk_of(reason: &Omission) -> Option<&'static Quirk> {
    match reason {
        Omission::NameTooLong { .. } => Some(&quirks::LONG_NAME_DROPS_SKILL),
        Omission::FrontmatterInvalid { .. } => Some(&quirks::FRONTMATTER_DROPS_SKILL),
        _ => None,
    }
}

/// A `SKILL.md` that is a link.
pub(super) fn linked_file(path: &AbsPath) -> Diagnostic {
    let message = "the skill is not listed: its `SKILL.md` is a link to a file";
    Diagnostic::new(Code("codex/skill-file-linked"), Severity::Warning, message)
        .at(path)
        .help("link the folder instead, or copy the file")
}

/// A file whose name has other capitals.
pub(super) fn wrong_case(path: &AbsPath) -> Diagnostic {
    let message = "the skill is not listed: its file is not named `SKILL.md`";
    Diagnostic::new(Code("codex/skill-file-case"), Severity::Warning, message)
        .at(path)
        .help("rename it to `SKILL.md`")
}

/// A link among the skills that leads nowhere.
pub(super) fn broken_link(path: &AbsPath) -> Diagnostic {
    let message = "no skill is found here: the link leads nowhere";
    Diagnostic::new(Code("codex/skill-link-broken"), Severity::Warning, message)
        .at(path)
        .help("make what it leads to, or remove the link")
}

/// A file that would be a skill in a folder of its own.
pub(super) fn flat_file(path: &AbsPath) -> Diagnostic {
    let name = path.file_name().unwrap_or_default();
    let name = name.strip_suffix(".md").unwrap_or(name);
    let message = "the skill is not listed: a skill is a folder with a `SKILL.md`";
    Diagnostic::new(Code("codex/skill-flat-file"), Severity::Warning, message)
        .at(path)
        .help(format!("move it to `{name}/SKILL.md`"))
}

/// A folder that cannot be listed.
pub(super) fn unreadable_folder(folder: &AbsPath, error: &IoError) -> Diagnostic {
    let message = match error.kind {
        IoErrorKind::PermissionDenied => "the folder may not be listed".to_owned(),
        _ => format!("the folder cannot be listed: {error}"),
    };
    Diagnostic::new(Code("codex/skill-folder-unreadable"), Severity::Warning, message)
        .at(folder)
        .help("skills in it are not found; let the client's user read it")
}

/// A root with more in it than the client looks at.
pub(super) fn walk_cut_short(root: &AbsPath, profile: &Profile) -> Diagnostic {
    let entries = counted(profile.skill_max_entries as u64, "file");
    let dirs = counted(profile.skill_max_dirs as u64, "folder");
    let message = format!(
        "the client stops looking for skills here after {entries}, {dirs} or very long paths"
    );
    Diagnostic::new(Code("codex/skill-walk-limit"), Severity::Warning, message)
        .at(root)
        .help("keep large folders out of the folder of skills")
}

/// What is worth telling about a skill that may be listed.
pub(super) fn of_skill(skill: &Skill, profile: &Profile) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    for line in &skill.repaired {
        let message = "this line is no YAML; this client takes its value as plain text";
        found.push(
            Diagnostic::new(Code("codex/skill-frontmatter-repaired"), Severity::Hint, message)
                .at(&skill.shown)
                .on_line(*line)
                .help("put the value in double quotes, so that every client reads the same"),
        );
    }
    if skill.cut_chars > 0 {
        let limit = counted(profile.skill_description_max_chars as u64, "character");
        let last = match skill.cut_chars {
            1 => "last one is".to_owned(),
            lost => format!("last {} are", grouped(lost)),
        };
        let message = format!("the description is longer than {limit}; the {last} not shown");
        found.push(
            Diagnostic::new(Code("codex/skill-description-long"), Severity::Warning, message)
                .at(&skill.shown)
                .help("say first when the skill is of use, and say it shorter"),
        );
    }
    if let Policy::Ignored { path, why } = &skill.policy {
        let message = format!("nothing in this file counts, the skill is listed: {why}");
        found.push(
            Diagnostic::new(Code("codex/skill-policy-ignored"), Severity::Warning, message)
                .at(path)
                .help("correct the file; one wrong value makes the client ignore all of it"),
        );
    }
    found
}

/// A rule of the configuration that names a folder.
pub(super) fn rule_for_folder(folder: &AbsPath) -> Diagnostic {
    let message = "`path` in `[[skills.config]]` names a folder, which has no effect";
    Diagnostic::new(Code("codex/skill-config-path"), Severity::Warning, message)
        .at(folder)
        .help("name the `SKILL.md` in it")
}

/// Skills that are listed under one name.
pub(super) fn of_names(listed: &[ListedSkill]) -> Vec<Diagnostic> {
    let mut by_name: BTreeMap<&str, Vec<&ListedSkill>> = BTreeMap::new();
    for skill in listed {
        by_name.entry(&skill.name).or_default().push(skill);
    }
    let diagnostic = |(name, skills): (&str, Vec<&ListedSkill>)| {
        let [first, .., last] = skills.as_slice() else { return None };
        let message = format!(
            "{} are listed as `{name}`, the first is `{}`",
            counted(skills.len() as u64, "skill"),
            first.file
        );
        Some(
            Diagnostic::new(Code("codex/skill-same-name"), Severity::Hint, message)
                .at(&last.file)
                .help("the model sees them all; rename or turn off those that it should not see"),
        )
    };
    by_name.into_iter().filter_map(diagnostic).collect()
}

/// What the budget cost.
pub(super) fn of_budget(listing: &Listing<'_>) -> Option<Diagnostic> {
    let lost = |number: usize, noun: &str, what: &str| {
        let verb = if number == 1 { "is" } else { "are" };
        (number > 0).then(|| format!("{} {verb} {what}", counted(number as u64, noun)))
    };
    let losses = [
        lost(listing.cut_by_budget, "description", "cut"),
        lost(listing.left_out.len(), "skill", "left out"),
    ];
    let losses: Vec<String> = losses.into_iter().flatten().collect();
    if losses.is_empty() {
        return None;
    }
    let budget = &listing.budget;
    let message = format!(
        "the list of skills may cost {} and would cost {}: {}",
        budget.limit,
        grouped(budget.wanted),
        losses.join(", ")
    );
    Some(
        Diagnostic::new(Code("codex/skill-budget"), Severity::Warning, message).help(
            "shorten descriptions, turn skills off with `[[skills.config]]`, or raise `skills.max_context_tokens`",
        ),
    )
}
