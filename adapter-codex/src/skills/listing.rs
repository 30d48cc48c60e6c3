//! The listing: its order, its short paths, and what the budget leaves of it.

use memory_core::{AbsPath, Budget, Limit, ListedSkill, Scope};

use super::SkillSettings;
use super::line::{Description, Fit, Line, fit};
use super::skill::Skill;
use crate::profile::Profile;

/// The listing as the model gets it.
#[derive(Debug)]
pub(super) struct Listing<'a> {
    /// Short names of the roots; empty where whole paths are shown.
    pub(super) roots: Vec<(String, AbsPath)>,
    /// The skills that are shown.
    pub(super) listed: Vec<ListedSkill>,
    /// Those for which there is no room.
    pub(super) left_out: Vec<&'a Skill>,
    /// Skills that are shown with less of their description than allowed.
    pub(super) cut_by_budget: usize,
    /// The lines but those of bundled skills, joined by line feeds.
    pub(super) rendered: String,
    /// What the lines may cost and do cost.
    pub(super) budget: Budget,
}

/// Lists these skills, which are none too few: there is at least one.
pub(super) fn list<'a>(
    skills: &[&'a Skill],
    roots: &[AbsPath],
    settings: &SkillSettings,
    profile: &Profile,
) -> Listing<'a> {
    let mut ordered = skills.to_vec();
    ordered.sort_by(|a, b| {
        let key = |skill: &'a Skill| (rank(skill.scope), &skill.name, &skill.real);
        key(a).cmp(&key(b))
    });
    let limit = limit(settings, profile);
    let bare = Description::Ascii(0);
    let lines: Vec<Line<'_>> = ordered
        .iter()
        .map(|skill| Line {
            name: &skill.name,
            description: if settings.omit_descriptions { &bare } else { &skill.description },
            path: as_shown(&skill.shown.to_string()),
        })
        .collect();
    let whole = Form::whole(lines.clone(), limit, profile);
    let form = match Form::short(&ordered, lines, roots, limit, profile) {
        Some(short) if short.is_better_than(&whole) => short,
        _ => whole,
    };
    let (mut listed, mut left_out, mut rendered) = (Vec::new(), Vec::new(), Vec::new());
    let mut cut_by_budget = 0;
    for ((skill, line), share) in ordered.iter().zip(&form.lines).zip(&form.fit.shares) {
        let Some(share) = *share else {
            left_out.push(*skill);
            continue;
        };
        cut_by_budget += usize::from(share < line.description.chars());
        let text = line.description.text(share).filter(|text| !text.is_empty());
        if skill.scope != Scope::Builtin {
            rendered.push(line.render(text));
        }
        listed.push(ListedSkill {
            name: skill.name.clone(),
            description: text.map(str::to_owned),
            shown_path: line.path.clone(),
            file: skill.shown.clone(),
            scope: skill.scope,
            lost_chars: skill.lost_chars(share),
        });
    }
    Listing {
        roots: form.roots,
        listed,
        left_out,
        cut_by_budget,
        rendered: rendered.join("\n"),
        budget: Budget {
            limit: Limit::Tokens(limit),
            used: form.fit.used + form.table,
            wanted: form.fit.wanted + form.table,
        },
    }
}

/// The order of the listing: bundled, the machine's, the project's, the person's.
fn rank(scope: Scope) -> u8 {
    match scope {
        Scope::Builtin => 0,
        Scope::Managed => 1,
        Scope::Project => 2,
        _ => 3,
    }
}

/// The tokens that the lines may cost.
fn limit(settings: &SkillSettings, profile: &Profile) -> u64 {
    match (settings.max_context_tokens, settings.context_window) {
        (Some(tokens), _) => tokens.min(profile.skill_listing_tokens_cap),
        (None, Some(window)) if window > 0 => {
            (window.saturating_mul(profile.skill_listing_window_percent) / 100).max(1)
        }
        (None, _) => profile.skill_listing_tokens,
    }
}

/// One way to write the listing, fitted into the limit.
struct Form<'a> {
    roots: Vec<(String, AbsPath)>,
    lines: Vec<Line<'a>>,
    fit: Fit,
    /// What the table of roots costs, in tokens.
    table: u64,
}

impl<'a> Form<'a> {
    /// With whole paths.
    fn whole(lines: Vec<Line<'a>>, limit: u64, profile: &Profile) -> Self {
        let fit = fit(&lines, limit, profile.bytes_per_token);
        Self { roots: Vec::new(), lines, fit, table: 0 }
    }

    /// With short names for the roots; `None` when their table leaves no room.
    fn short(
        skills: &[&Skill],
        mut lines: Vec<Line<'a>>,
        roots: &[AbsPath],
        limit: u64,
        profile: &Profile,
    ) -> Option<Self> {
        let used = |root: &&AbsPath| skills.iter().any(|skill| skill.root == **root);
        let roots: Vec<(String, AbsPath)> = roots
            .iter()
            .filter(used)
            .enumerate()
            .map(|(number, root)| (format!("r{number}"), root.clone()))
            .collect();
        let table = table_cost(&roots, profile);
        let room = limit.checked_sub(table).filter(|room| *room > 0)?;
        for (line, skill) in lines.iter_mut().zip(skills) {
            line.path = as_shown(&shorten(&roots, &skill.shown));
        }
        let fit = fit(&lines, room, profile.bytes_per_token);
        Some(Self { roots, lines, fit, table })
    }

    /// More skills are better, then less cut off, then a lower cost.
    fn is_better_than(&self, other: &Self) -> bool {
        let merit = |form: &Self| {
            let cut = form.fit.cut_chars(&form.lines);
            (form.fit.shown(), std::cmp::Reverse((cut, form.fit.used + form.table)))
        };
        merit(self) > merit(other)
    }
}

/// A path as the client shows it: a backslash in a name looks like a slash.
fn as_shown(path: &str) -> String {
    path.replace('\\', "/")
}

/// The path with the short name of the longest root above it.
fn shorten(roots: &[(String, AbsPath)], path: &AbsPath) -> String {
    roots
        .iter()
        .filter_map(|(name, root)| Some((name, root, path.strip_prefix(root)?)))
        .max_by_key(|(_, root, _)| root.as_str().len())
        .map_or_else(
            || path.to_string(),
            |(name, root, _)| {
                let (path, root) = (path.to_string(), root.to_string());
                let rest = path.strip_prefix(&root).unwrap_or(&path).trim_start_matches('/');
                format!("{name}/{rest}")
            },
        )
}

/// What naming the roots costs more than not naming them, in tokens.
fn table_cost(roots: &[(String, AbsPath)], profile: &Profile) -> u64 {
    let tokens = |bytes: u64| bytes.div_ceil(profile.bytes_per_token);
    let heading = "\n## Skills\n".len() as u64;
    let skills = "### Available skills\n".len() as u64;
    let table: usize = roots
        .iter()
        .map(|(name, root)| "- `` = ``\n".len() + name.len() + root.to_string().len())
        .sum();
    let table = "\n### Skill roots\n".len() as u64 + table as u64;
    let short = tokens(heading + profile.skill_intro_aliased_bytes + table + skills);
    // The introduction ends its own line; with a table the heading does.
    let whole = tokens(heading + profile.skill_intro_absolute_bytes + 1 + skills);
    short.saturating_sub(whole)
}
