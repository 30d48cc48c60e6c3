//! What each text becomes: a part of which folder's file, below which heading.

use std::collections::{HashMap, HashSet};

use adapter_agents_md::{MarkerErrors, find_root};
use memory_core::model::{Applies, Bundle, Import, PathPatterns, Reach, SourceFile};
use memory_core::port::Imports;
use memory_core::port::{Loss, LossKind};
use memory_core::{AbsPath, Scope};

use super::data::is_data;
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
    /// The heading above the text; empty for none.
    pub(super) preface: String,
    pub(super) text: String,
    /// Where another text imports it.
    pub(super) within: Option<Import>,
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
    imported: Option<&'a Import>,
}

/// The parts of a bundle, in the order in which its client shows them, and the
/// losses of what is only named where it is imported.
pub(super) fn parts(
    ground: &Ground<'_>,
    bundle: &Bundle,
    wide: Wide,
    imports: Imports,
) -> (Vec<Part>, Vec<Loss>) {
    let instructions = bundle.instructions.iter().map(|found| Piece {
        what: format!("instructions `{}`", ground.name(&found.file.path)),
        text: &found.text,
        reach: &found.reach,
        applies: &Applies::Always,
        file: &found.file,
        imported: found.imported.as_ref(),
    });
    let rules = bundle.rules.iter().map(|rule| Piece {
        what: format!("rule `{}`", ground.name(&rule.file.path)),
        text: &rule.text,
        reach: &rule.reach,
        applies: &rule.applies,
        file: &rule.file,
        imported: None,
    });
    let named = match imports {
        Imports::Inline => HashMap::new(),
        Imports::Reference => named(ground, bundle),
    };
    let instructed: HashSet<AbsPath> = bundle
        .instructions
        .iter()
        .filter(|found| found.imported.is_none())
        .filter_map(|found| found.reach.folder.as_ref().map(|folder| ground.real(folder)))
        .collect();
    let (mut parts, mut losses) = (Vec::new(), Vec::new());
    for piece in instructions.chain(rules) {
        if piece.imported.is_some() && imports == Imports::Reference {
            let why = "it is not shown at the start of a session; its file is named where it was imported, and read when it is needed";
            losses.push(Loss::new(
                piece.what.clone(),
                &piece.file.path,
                LossKind::Approximated,
                why,
            ));
            continue;
        }
        let mut part = part(ground, &piece, wide, &instructed);
        if let Some(lines) = named.get(&piece.file.path) {
            part.text = with_names(&part.text, lines);
        }
        parts.push(part);
    }
    (parts, losses)
}

/// The lines of each file that import others, with what is said instead.
fn named(ground: &Ground<'_>, bundle: &Bundle) -> HashMap<AbsPath, Vec<(String, String)>> {
    let mut named: HashMap<AbsPath, Vec<(String, String)>> = HashMap::new();
    for found in &bundle.instructions {
        let Some(import) = found.imported.as_ref().filter(|import| import.is_alone) else {
            continue;
        };
        let outer = bundle.instructions.iter().find(|outer| outer.file.path == import.from);
        let bytes = outer.and_then(|outer| outer.file.content.bytes()).unwrap_or_default();
        let text = String::from_utf8_lossy(bytes);
        let at = usize::try_from(import.line).unwrap_or_default();
        let Some(line) = at.checked_sub(1).and_then(|at| text.lines().nth(at)) else { continue };
        let said = format!("Read `{}` when it is needed.", ground.name(&found.file.path));
        named.entry(import.from.clone()).or_default().push((line.trim().to_owned(), said));
    }
    named
}

fn with_names(text: &str, lines: &[(String, String)]) -> String {
    let said = |line: &str| lines.iter().find(|(import, _)| import == line.trim());
    let lines = text.lines().map(|line| said(line).map_or(line, |(_, said)| said));
    lines.collect::<Vec<_>>().join("\n")
}

fn part(ground: &Ground<'_>, text: &Piece<'_>, wide: Wide, instructed: &HashSet<AbsPath>) -> Part {
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
            (Home::Folder(base), Some(exact)) if is_own(ground, &exact) => {
                // What other tools read file by file gets no further file.
                let mut above = exact.ancestors().take_while(|dir| dir.starts_with(base));
                let place = above.find(|dir| instructed.contains(dir) || !is_data(ground, dir));
                let place = place.unwrap_or_else(|| base.clone());
                when = (place != exact).then_some(patterns);
                home = Home::Folder(place);
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
    let heading = heading(only_in.take().as_ref(), when);
    Part {
        from: vec![text.file.clone()],
        what: text.what.clone(),
        home,
        name: ground.name(&text.file.path),
        preface: heading.map(|heading| format!("{heading}\n\n")).unwrap_or_default(),
        text: text.text.to_owned(),
        within: text.imported.cloned(),
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

/// The heading that says where and for which files a text is.
fn heading(folder: Option<&AbsPath>, when: Option<&PathPatterns>) -> Option<String> {
    let files = when.map(|when| format!("that match {}", listed(&when.patterns)));
    Some(match (folder, files) {
        (None, None) => return None,
        (Some(folder), None) => format!("## Work in `{folder}`"),
        (None, Some(files)) => format!("## Files {files}"),
        (Some(folder), Some(files)) => format!("## Files in `{folder}` {files}"),
    })
}

/// Patterns as a sentence lists them.
fn listed(patterns: &[String]) -> String {
    let quoted: Vec<String> = patterns
        .iter()
        .map(|pattern| {
            let line = pattern.replace(['\n', '\r'], " ");
            if line.contains('`') { line } else { format!("`{line}`") }
        })
        .collect();
    match quoted.split_last() {
        None => String::new(),
        Some((last, [])) => last.clone(),
        Some((last, others)) => format!("{} or {last}", others.join(", ")),
    }
}
