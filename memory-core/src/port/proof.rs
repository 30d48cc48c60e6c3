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
    views: BTreeMap<AbsPath, Seen>,
    skills: BTreeMap<AbsPath, HashSet<AbsPath>>,
    shown: HashMap<(AbsPath, AbsPath), Shown>,
}

/// What a session is given, by the real paths of its files.
#[derive(Default)]
struct Seen {
    texts: HashMap<AbsPath, Vec<String>>,
}

impl Seen {
    fn of(world: World<'_>, view: View) -> Self {
        let mut seen = Self::default();
        for (path, text) in view.texts {
            let texts = seen.texts.entry(real(world, &path)).or_default();
            // A file under two names is one file.
            if !texts.contains(&text) {
                texts.push(text);
            }
        }
        seen
    }
}

fn real(world: World<'_>, path: &AbsPath) -> AbsPath {
    world.fs.canonicalize(path).unwrap_or_else(|_| path.clone())
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
        Self {
            world,
            place,
            target,
            losses,
            views: BTreeMap::new(),
            skills: BTreeMap::new(),
            shown: HashMap::new(),
        }
    }

    /// Accounts for every piece of a bundle.
    ///
    /// Errors when the target cannot be asked.
    pub(super) fn account(
        mut self,
        bundle: &Bundle,
        placements: &[Placement],
        sections: &HashMap<usize, String>,
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
        let texts = texts_of(bundle);
        let mut mains: HashMap<&AbsPath, &AbsPath> = HashMap::new();
        for (number, placement) in placements.iter().enumerate() {
            let Some(source) = placement.from.first() else { continue };
            if let Target::Whole { path, .. } = &placement.to {
                mains.entry(&source.path).or_insert(path);
            }
            match &placement.to {
                Target::Section { file, text, .. } => {
                    let text = sections.get(&number).unwrap_or(text);
                    self.texts(source, (file, file), text, &mut findings)?;
                }
                // What a line leads to is shown where the line stands.
                Target::Line { file, .. } => {
                    if let Some(text) = texts.get(&source.path) {
                        self.texts(source, (&source.path, file), text, &mut findings)?;
                    }
                }
                Target::InPlace => {
                    if let Some(text) = texts.get(&source.path) {
                        self.texts(source, (&source.path, &source.path), text, &mut findings)?;
                    }
                }
                Target::Whole { .. } | Target::Setting { .. } => {}
            }
        }
        for skill in &bundle.skills {
            let main = skill.place_of(&skill.main);
            let Some(to) = mains.get(&main).map(|to| (*to).clone()) else { continue };
            let folder = self.folder_of(&to);
            if !self.skills(&folder)?.contains(&to) && !lost.contains(&main) {
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

    fn view(&mut self, folder: &AbsPath) -> Result<&Seen, Error> {
        match self.views.entry(folder.clone()) {
            Entry::Occupied(known) => Ok(known.into_mut()),
            Entry::Vacant(new) => {
                let view = self.target.texts(self.world, self.place, folder)?;
                Ok(new.insert(Seen::of(self.world, view)))
            }
        }
    }

    /// The skills that a session in a folder can start.
    fn skills(&mut self, folder: &AbsPath) -> Result<&HashSet<AbsPath>, Error> {
        match self.skills.entry(folder.clone()) {
            Entry::Occupied(known) => Ok(known.into_mut()),
            Entry::Vacant(new) => {
                let view = self.target.view(self.world, self.place, folder)?;
                Ok(new.insert(view.skills.into_iter().collect()))
            }
        }
    }

    /// What a session in a folder is given of a file.
    fn shown(&mut self, folder: &AbsPath, file: &AbsPath) -> Result<&Shown, Error> {
        let key = (folder.clone(), file.clone());
        if !self.shown.contains_key(&key) {
            let real = real(self.world, file);
            let texts = self.view(folder)?.texts.get(&real).cloned().unwrap_or_default();
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
        (file, place): (&AbsPath, &AbsPath),
        text: &str,
        findings: &mut Findings,
    ) -> Result<(), Error> {
        let known = self.losses;
        let client = self.target.name();
        let mut folder = self.folder_of(place);
        let is_whole =
            |shown: &Shown| shown.texts.iter().any(|shown| shows_whole(shown, text.trim()));
        if is_whole(self.shown(&folder, file)?) {
            return Ok(());
        }
        // A folder with such a name may be one like any other.
        if let Some(parent) = place.parent()
            && parent != folder
            && parent.starts_with(&self.place.project)
            && self.world.fs.metadata(&parent).is_ok_and(|found| found.is_dir())
            && !self.shown(&parent, file)?.texts.is_empty()
        {
            folder = parent;
        }
        let shown = self.shown(&folder, file)?;
        if is_whole(shown) {
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

/// The text of each instruction by its file.
fn texts_of(bundle: &Bundle) -> HashMap<&AbsPath, &str> {
    let mut texts: HashMap<&AbsPath, &str> = HashMap::new();
    for rule in bundle.rules.iter().rev() {
        texts.insert(&rule.file.path, &rule.text);
    }
    for piece in bundle.instructions.iter().rev() {
        texts.insert(&piece.file.path, &piece.text);
    }
    texts
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
