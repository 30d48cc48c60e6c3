//! Proof that the target shows what the source showed.

use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use memchr::memmem;

use super::{LowerBundle, Placement, PortPlace, Target, View};
use crate::error::Error;
use crate::model::{Bundle, SourceFile};
use crate::path::AbsPath;
use crate::report::{Loss, LossKind};
use crate::world::World;

/// What the proof finds wanting.
#[derive(Default)]
pub(super) struct Findings {
    pub(super) losses: Vec<Loss>,
    pub(super) unaccounted: Vec<AbsPath>,
}

/// Looks at the world after the port with the target's own eyes.
pub(super) struct Proof<'a> {
    pub(super) world: World<'a>,
    pub(super) place: &'a PortPlace,
    pub(super) target: &'a dyn LowerBundle,
    /// The losses known so far.
    pub(super) losses: &'a [Loss],
    views: BTreeMap<AbsPath, View>,
    shown: HashMap<(AbsPath, AbsPath), Shown>,
}

/// What a session is given of one file.
#[derive(Default)]
struct Shown {
    texts: Vec<String>,
    /// Its visible lines, and how often each is shown.
    lines: HashMap<String, usize>,
}

impl<'a> Proof<'a> {
    pub(super) fn new(
        world: World<'a>,
        place: &'a PortPlace,
        target: &'a dyn LowerBundle,
        losses: &'a [Loss],
    ) -> Self {
        Self { world, place, target, losses, views: BTreeMap::new(), shown: HashMap::new() }
    }

    /// Accounts for every piece of a bundle.
    ///
    /// Errors when the target cannot be asked.
    pub(super) fn account(
        mut self,
        bundle: &Bundle,
        placements: &[Placement],
    ) -> Result<Findings, Error> {
        let mut findings = Findings::default();
        let placed: HashSet<&AbsPath> = placements
            .iter()
            .flat_map(|placement| &placement.from)
            .map(|file| &file.path)
            .collect();
        let lost: HashSet<&AbsPath> = self.losses.iter().map(|loss| &loss.path).collect();
        let mut missing: BTreeSet<AbsPath> = BTreeSet::new();
        for path in files_of(bundle) {
            if !placed.contains(&path) && !lost.contains(&path) {
                missing.insert(path);
            }
        }
        findings.unaccounted = missing.into_iter().collect();
        for placement in placements {
            let Some(source) = placement.from.first() else { continue };
            match &placement.to {
                Target::Section { file, text, .. } => {
                    let folder = self.folder_of(file);
                    self.texts(source, file, text, &folder, &mut findings)?;
                }
                Target::InPlace => {
                    let text = text_of(bundle, &source.path);
                    if let Some(text) = text {
                        let folder = self.folder_of(&source.path);
                        self.texts(source, &source.path, text, &folder, &mut findings)?;
                    }
                }
                Target::Whole { .. } | Target::Setting { .. } => {}
            }
        }
        for skill in &bundle.skills {
            let main = skill.place_of(&skill.main);
            let Some(to) = placements.iter().find_map(|placement| match &placement.to {
                Target::Whole { path, .. }
                    if placement.from.first().is_some_and(|file| file.path == main) =>
                {
                    Some(path.clone())
                }
                _ => None,
            }) else {
                continue;
            };
            let folder = self.folder_of(&to);
            if !self.view(&folder)?.skills.contains(&to) && !lost.contains(&main) {
                let message = format!(
                    "{} does not list it: there is no room for it, or something hides it",
                    self.target.name()
                );
                let what = format!("skill `{}`", skill.name);
                let unlisted = Loss::new(what, &main, LossKind::Dropped, message);
                findings.losses.push(unlisted.kept_in(&to));
            }
        }
        Ok(findings)
    }

    fn view(&mut self, folder: &AbsPath) -> Result<&View, Error> {
        match self.views.entry(folder.clone()) {
            Entry::Occupied(known) => Ok(known.into_mut()),
            Entry::Vacant(new) => Ok(new.insert(self.target.view(self.world, self.place, folder)?)),
        }
    }

    /// What a session in a folder is given of a file.
    fn shown(&mut self, folder: &AbsPath, file: &AbsPath) -> Result<&Shown, Error> {
        let key = (folder.clone(), file.clone());
        if !self.shown.contains_key(&key) {
            let texts = self.view(folder)?.texts.iter().filter(|(path, _)| path == file);
            let texts: Vec<String> = texts.map(|(_, text)| text.clone()).collect();
            let mut lines: HashMap<String, usize> = HashMap::new();
            for line in texts.iter().flat_map(|text| visible_lines(text)) {
                *lines.entry(line.to_owned()).or_default() += 1;
            }
            self.shown.insert(key.clone(), Shown { texts, lines });
        }
        Ok(self.shown.entry(key).or_default())
    }

    /// The folder in which a session is given a file: the innermost one of the
    /// project above it that is no folder of a client's own.
    fn folder_of(&self, file: &AbsPath) -> AbsPath {
        let project = &self.place.project;
        let Some(rest) = file.strip_prefix(project) else { return project.clone() };
        let mut folder = project.clone();
        for part in rest.split('/').rev().skip(1).collect::<Vec<_>>().into_iter().rev() {
            if part.starts_with('.') {
                break;
            }
            folder = folder.join(part);
        }
        folder
    }

    /// Checks line by line that a text is shown.
    fn texts(
        &mut self,
        source: &SourceFile,
        file: &AbsPath,
        text: &str,
        folder: &AbsPath,
        findings: &mut Findings,
    ) -> Result<(), Error> {
        let known = self.losses;
        let client = self.target.name();
        let shown = self.shown(folder, file)?;
        if shown.texts.iter().any(|shown| shows_whole(shown, text.trim())) {
            return Ok(());
        }
        // A text that is not shown as a whole may be shown in pieces.
        let lines = &shown.lines;
        // A line that stands there twice is to be shown twice.
        let mut met: HashMap<&str, usize> = HashMap::new();
        let first = visible_lines(text).find(|line| {
            let met = met.entry(line).or_default();
            *met += 1;
            lines.get(*line).is_none_or(|shown| *shown < *met)
        });
        let Some(first) = first else { return Ok(()) };
        let is_told = known.iter().any(|loss| {
            loss.path == source.path && matches!(loss.how, LossKind::Dropped | LossKind::Truncated)
        });
        if is_told {
            return Ok(());
        }
        let nothing = !visible_lines(text).any(|line| lines.contains_key(line));
        let (how, message) = if nothing {
            let why = "does not show it: it lies behind a limit or something hides it";
            (LossKind::Dropped, format!("{client} {why}"))
        } else {
            (LossKind::Truncated, format!("{client} shows it only up to here"))
        };
        let line = source.content.bytes().and_then(|bytes| line_of(bytes, first));
        let loss = Loss::new("text", &source.path, how, message).kept_in(file);
        findings.losses.push(Loss { line, ..loss });
        Ok(())
    }
}

/// The lines of a text that hold something to see, without what clients take
/// away or write anew: white space around them, a byte order mark, the kind of
/// line end.
fn visible_lines(text: &str) -> impl Iterator<Item = &str> {
    let is_blank = |sign: char| sign.is_whitespace() || sign == '\u{feff}';
    text.split(['\n', '\r'])
        .map(move |line| line.trim_matches(is_blank))
        .filter(|line| !line.is_empty())
}

/// All files of a bundle's pieces.
fn files_of(bundle: &Bundle) -> Vec<AbsPath> {
    let mut files: Vec<AbsPath> = Vec::new();
    files.extend(bundle.instructions.iter().map(|piece| piece.file.path.clone()));
    files.extend(bundle.rules.iter().map(|piece| piece.file.path.clone()));
    for skill in &bundle.skills {
        files.extend(skill.files.iter().map(|file| skill.place_of(&file.path)));
    }
    for store in &bundle.stores {
        files.extend(store.files.iter().map(|file| store.root.join(file.path.as_str())));
    }
    files
}

/// The text of an instruction that stands in a file.
fn text_of<'b>(bundle: &'b Bundle, path: &AbsPath) -> Option<&'b str> {
    let piece = bundle.instructions.iter().find(|piece| piece.file.path == *path);
    let rule = || bundle.rules.iter().find(|rule| rule.file.path == *path);
    piece.map(|piece| piece.text.as_str()).or_else(|| rule().map(|rule| rule.text.as_str()))
}

/// Whether a text is found in another at one of the first places that begin like it.
///
/// A search of the whole text would first prepare for every byte of it.
fn shows_whole(shown: &str, text: &str) -> bool {
    const PLACES: usize = 16;
    let first = text.lines().next().unwrap_or_default().as_bytes();
    let mut places = memmem::find_iter(shown.as_bytes(), first).take(PLACES);
    places.any(|at| shown.get(at..).is_some_and(|rest| rest.starts_with(text)))
}

/// The line of a file, counted from 1, that holds a text.
fn line_of(bytes: &[u8], text: &str) -> Option<u32> {
    let at = memmem::find(bytes, text.as_bytes())?;
    let before = memchr::memchr_iter(b'\n', bytes.get(..at)?).count();
    u32::try_from(before + 1).ok()
}
