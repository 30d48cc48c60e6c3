//! What each text becomes: a part of which folder's file, with which words
//! before it.

use adapter_agents_md::{MarkerErrors, find_root};
use memory_core::model::{Applies, Bundle, PathPatterns, Reach, SourceFile};
use memory_core::port::{Loss, LossKind};
use memory_core::{AbsPath, Scope};

use crate::port::ground::Ground;

/// Whose file a part goes into.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Home {
    /// The person's own file, in the Codex home.
    Person,
    /// The file of a folder of the project.
    Folder(AbsPath),
}

/// A text that is a part of an instruction file.
#[derive(Clone, Debug)]
pub(super) struct Part {
    /// The files it comes from.
    pub(super) from: Vec<SourceFile>,
    /// What it is, for people.
    pub(super) what: String,
    pub(super) home: Home,
    pub(super) name: String,
    /// What is said before the text; empty for nothing.
    pub(super) preface: String,
    pub(super) text: String,
    /// What does not survive.
    pub(super) losses: Vec<Loss>,
}

/// Where rules go that are bound to paths.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Wide {
    /// Into the file of the folder in which they are in force.
    Base,
    /// Into that of the innermost folder that holds all they can match.
    Within,
}

/// One text of the source.
struct Piece<'a> {
    what: String,
    text: &'a str,
    reach: &'a Reach,
    applies: &'a Applies,
    file: &'a SourceFile,
}

/// The parts of a bundle, in the order in which its client shows them.
pub(super) fn parts(ground: &Ground<'_>, bundle: &Bundle, wide: Wide) -> Vec<Part> {
    let instructions = bundle.instructions.iter().map(|found| Piece {
        what: format!("instructions `{}`", ground.name(&found.file.path)),
        text: &found.text,
        reach: &found.reach,
        applies: &Applies::Always,
        file: &found.file,
    });
    let rules = bundle.rules.iter().map(|rule| Piece {
        what: format!("rule `{}`", ground.name(&rule.file.path)),
        text: &rule.text,
        reach: &rule.reach,
        applies: &rule.applies,
        file: &rule.file,
    });
    instructions.chain(rules).map(|text| part(ground, &text, wide)).collect()
}

fn part(ground: &Ground<'_>, text: &Piece<'_>, wide: Wide) -> Part {
    let mut losses = Vec::new();
    let mut lose =
        |how, why: String| losses.push(Loss::new(text.what.clone(), &text.file.path, how, why));
    let folder = text.reach.folder.as_ref().map(|folder| ground.real(folder));
    let is_shared = matches!(text.reach.scope, Scope::Project | Scope::Directory);
    let shared = folder.as_ref().filter(|folder| is_shared && folder.starts_with(&ground.project));
    let (mut home, mut only_in) = match (&folder, shared) {
        (_, Some(folder)) => (Home::Folder(folder.clone()), None),
        (folder, None) => (Home::Person, folder.clone()),
    };
    if text.reach.scope == Scope::Managed {
        lose(
            LossKind::Approximated,
            "it is no longer enforced by the organisation, and the person can change it".to_owned(),
        );
    }
    let mut when: Option<&PathPatterns> = None;
    if let Applies::Paths(patterns) = text.applies {
        let within = ground.real(&patterns.within);
        let exact = patterns.folder.as_ref().map(|folder| ground.real(folder));
        match (&home, exact) {
            (Home::Folder(_), Some(exact)) if is_own(ground, &exact) => {
                home = Home::Folder(exact);
            }
            (Home::Folder(base), _) => {
                if wide == Wide::Within && within.starts_with(base) && is_own(ground, &within) {
                    home = Home::Folder(within);
                }
                when = Some(patterns);
            }
            (Home::Person, _) => when = Some(patterns),
        }
    }
    if when.is_some() {
        lose(
            LossKind::NotEnforced,
            "it is always shown now and asks to be followed for these files only".to_owned(),
        );
    }
    if let Some(folder) = &only_in {
        lose(
            LossKind::ScopeWidened,
            format!(
                "it is private, so it goes into the person's own file, which is shown in every folder; it says that it is for `{folder}`"
            ),
        );
    }
    if let Home::Folder(folder) = &home
        && *folder != ground.project
    {
        lose(
            LossKind::ScopeNarrowed,
            format!("only sessions that are started in `{folder}` or below it are shown it"),
        );
    }
    let preface = preface(only_in.take().as_ref(), when);
    Part {
        from: vec![text.file.clone()],
        what: text.what.clone(),
        home,
        name: ground.name(&text.file.path),
        preface: preface.map(|preface| format!("{preface}\n\n")).unwrap_or_default(),
        text: text.text.to_owned(),
        losses,
    }
}

/// Whether a folder is the project's: no link leads out of it there, and no
/// other project begins on the way.
fn is_own(ground: &Ground<'_>, folder: &AbsPath) -> bool {
    let is_real = ground.world.fs.canonicalize(folder).map_or(true, |real| real == *folder);
    let root = || find_root(ground.world, &ground.config.markers, folder, MarkerErrors::Absent);
    folder.starts_with(&ground.project)
        && (*folder == ground.project || is_real && root().is_none_or(|root| root == ground.root))
}

/// The line that says where and for which files a text is.
fn preface(folder: Option<&AbsPath>, when: Option<&PathPatterns>) -> Option<String> {
    let files = when.map(|when| format!("files that match {}", listed(&when.patterns)));
    Some(match (folder, files) {
        (None, None) => return None,
        (Some(folder), None) => format!("Applies only to work in `{folder}`:"),
        (None, Some(files)) => format!("When you work on {files}, follow this:"),
        (Some(folder), Some(files)) => {
            format!("When you work in `{folder}` on {files}, follow this:")
        }
    })
}

/// Patterns as a sentence lists them.
fn listed(patterns: &[String]) -> String {
    let quoted: Vec<String> = patterns
        .iter()
        .map(|pattern| if pattern.contains('`') { pattern.clone() } else { format!("`{pattern}`") })
        .collect();
    match quoted.split_last() {
        None => String::new(),
        Some((last, [])) => last.clone(),
        Some((last, others)) => format!("{} or {last}", others.join(", ")),
    }
}
