//! Parts, gathered file by file.

use std::collections::{BTreeMap, HashMap, HashSet};

use memory_core::fs::Content;
use memory_core::model::SourceFile;
use memory_core::port::Target;
use memory_core::{AbsPath, Code, Diagnostic, Severity};

use super::Lowering;
use super::part::{Home, Part};
use crate::instructions::NAMES;
use crate::port::folder::{READ_LIMIT, names, taken, taken_at_home, target, target_at_home};
use crate::port::ground::Ground;

/// What goes into which file.
pub(super) struct Placed {
    /// The files, the person's first, then by folder.
    pub(super) files: Vec<TargetFile>,
}

/// One file and what goes into it.
pub(super) struct TargetFile {
    /// The folder, `None` for the Codex home.
    pub(super) folder: Option<AbsPath>,
    /// The file.
    pub(super) path: AbsPath,
    /// The text that the client reads there today.
    pub(super) today: Option<(AbsPath, Vec<u8>)>,
    /// What is read where it is.
    in_place: Vec<Part>,
    /// What says nothing.
    blank: Vec<Part>,
    /// What is put into it.
    pub(super) parts: Vec<Part>,
}

impl Placed {
    /// Gathers the parts.
    pub(super) fn of(ground: &Ground<'_>, parts: Vec<Part>) -> Self {
        let mut by_home: BTreeMap<Home, Vec<Part>> = BTreeMap::new();
        for part in parts {
            by_home.entry(part.home.clone()).or_default().push(part);
        }
        let names = names(ground);
        let person = by_home.get(&Home::Person).into_iter().flatten();
        let person: Vec<_> =
            person.filter_map(|part| Some(ground.real(&part.from.first()?.path))).collect();
        let file = |(home, parts)| TargetFile::of(ground, &names, home, parts, &person);
        Self { files: by_home.into_iter().map(file).collect() }
    }

    /// Makes placements and losses of it.
    pub(super) fn finish(self, lowering: &mut Lowering<'_>) {
        for file in self.files {
            file.finish(lowering);
        }
    }
}

impl TargetFile {
    fn of(
        ground: &Ground<'_>,
        names: &[String],
        home: Home,
        parts: Vec<Part>,
        person: &[AbsPath],
    ) -> Self {
        let fs = ground.world.fs;
        let (folder, path, today) = match home {
            Home::Person => {
                let path = target_at_home(fs, &ground.codex_home);
                (None, path, taken_at_home(fs, &ground.codex_home))
            }
            Home::Folder(folder) => {
                let today = taken(fs, names, &folder).file().cloned();
                let today = today.and_then(|path| {
                    let bytes = fs.read_up_to(&path, READ_LIMIT).ok()?;
                    Some((path, bytes))
                });
                (Some(folder.clone()), target(fs, &folder), today)
            }
        };
        let mut file = Self {
            folder,
            path,
            today,
            in_place: Vec::new(),
            blank: Vec::new(),
            parts: Vec::new(),
        };
        file.sort(ground, parts, person);
        file
    }

    /// Parts what is read where it is from what has to be put.
    fn sort(&mut self, ground: &Ground<'_>, parts: Vec<Part>, person: &[AbsPath]) {
        let read_here = |part: &Part| {
            let Some((today, _)) = &self.today else { return false };
            part.preface.is_empty()
                && (is_it(ground, part, today) || only_points_to(ground, part, today))
        };
        let (here, parts): (Vec<Part>, Vec<Part>) = parts.into_iter().partition(read_here);
        let (blank, parts) = parts.into_iter().partition(|part| part.text.trim().is_empty());
        self.blank = blank;
        // A new file would hide one that stands in for it, so that the text of
        // that one has to go along.
        let hides = self.today.as_ref().filter(|(today, _)| !is_usual(today));
        match hides {
            Some((today, bytes)) if !parts.is_empty() => {
                // What is private goes to the person's file, and nowhere else.
                let is_carried = here.iter().any(|part| is_it(ground, part, today))
                    || person.iter().any(|path| ground.is_same(path, today));
                let other = (!is_carried).then(|| of_file(ground, today, bytes)).flatten();
                self.parts = other.into_iter().chain(here).chain(parts).collect();
            }
            _ => (self.in_place, self.parts) = (here, parts),
        }
        self.name_apart();
    }

    /// Gives each part a name of its own; the same text twice goes in once.
    fn name_apart(&mut self) {
        let mut named: Vec<Part> = Vec::new();
        let mut places: HashMap<(String, String), usize> = HashMap::new();
        let mut taken: HashSet<String> = HashSet::new();
        for mut part in std::mem::take(&mut self.parts) {
            let base = part.name.clone();
            let key = (base.clone(), part.text.clone());
            if let Some(known) = places.get(&key).and_then(|at| named.get_mut(*at)) {
                known.losses.append(&mut part.losses);
                continue;
            }
            let mut number = 1;
            while !taken.insert(part.name.clone()) {
                number += 1;
                part.name = format!("{base} ({number})");
            }
            places.insert(key, named.len());
            named.push(part);
        }
        self.parts = named;
    }

    fn finish(self, lowering: &mut Lowering<'_>) {
        if let Some(part) = self.in_place.first().filter(|_| !self.parts.is_empty()) {
            let message = format!(
                "{} are read by both clients from one file, so the client they come from sees what is added there twice",
                part.what
            );
            let told = Diagnostic::new(Code("codex/shared-file"), Severity::Warning, message)
                .at(&self.path)
                .help("move what is for one client only out of the shared file");
            lowering.lowered.diagnostics.push(told);
        }
        for part in self.blank {
            lowering.lowered.put(part.from, Target::InPlace);
        }
        for part in self.in_place {
            let Some((today, bytes)) = &self.today else { continue };
            lowering.lowered.lose(part.losses, Some(today));
            // The file that is read comes first, those that lead to it follow.
            let mut from = part.from;
            if from.first().is_none_or(|file| file.path != *today) {
                let content = Content::file(bytes);
                from.insert(0, SourceFile { path: today.clone(), content });
            }
            lowering.lowered.put(from, Target::InPlace);
        }
        for part in self.parts {
            lowering.lowered.lose(part.losses, Some(&self.path));
            let file = self.path.clone();
            let Part { name, preface, text, .. } = part;
            let to = Target::Section { file, name, preface, text, marked: false };
            lowering.lowered.put(part.from, to);
        }
    }
}

/// Whether the file that is read today is the part's own, or leads to it.
fn is_it(ground: &Ground<'_>, part: &Part, today: &AbsPath) -> bool {
    part.from.first().is_some_and(|file| ground.is_same(&ground.real(&file.path), today))
}

/// Whether a text does nothing but import the file that is read today.
fn only_points_to(ground: &Ground<'_>, part: &Part, today: &AbsPath) -> bool {
    let Some(folder) = part.from.first().and_then(|file| ground.real(&file.path).parent()) else {
        return false;
    };
    let mut lines = part.text.lines().map(str::trim).filter(|line| !line.is_empty()).peekable();
    lines.peek().is_some()
        && lines.all(|line| {
            line.strip_prefix('@').is_some_and(|target| {
                let target = match target.strip_prefix("~/") {
                    Some(below) => ground.home.join(below),
                    None => folder.join(target),
                };
                ground.is_same(&target, today)
            })
        })
}

/// Whether the client looks for a file of this name whatever is configured.
fn is_usual(path: &AbsPath) -> bool {
    path.file_name().is_some_and(|name| NAMES.contains(&name))
}

/// A file of the folder that is no part of the bundle, as a part.
fn of_file(ground: &Ground<'_>, path: &AbsPath, bytes: &[u8]) -> Option<Part> {
    let text = String::from_utf8_lossy(bytes).into_owned();
    let name = ground.name(path);
    (!text.trim().is_empty()).then(|| Part {
        from: vec![SourceFile { path: path.clone(), content: Content::file(bytes) }],
        what: format!("instructions `{name}`"),
        home: Home::Person,
        name,
        text,
        preface: String::new(),
        losses: Vec::new(),
    })
}
