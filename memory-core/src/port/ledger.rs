//! What earlier ports carried, looked up by either end.

use std::collections::{BTreeMap, HashMap, HashSet};

use super::PortPlace;
use super::manifest::{Companion, Entry, ManifestFile, Names, PartEntry, is_between};
use super::mark::{self, Part};
use super::recipe::follow;
use crate::client::ClientId;
use crate::digest::Digest;
use crate::error::Error;
use crate::fs::{Content, Fs, Overlay};
use crate::path::AbsPath;
use crate::plan::{Change, WritePlan};

/// The manifests of a person and a project, for two clients.
pub(super) struct Ledger<'a> {
    place: &'a PortPlace,
    project: ManifestFile,
    home: Option<ManifestFile>,
    /// What was carried between the two clients, in either direction.
    pub(super) records: Vec<Record>,
    by_part: HashMap<(AbsPath, Option<String>), usize>,
    /// The names of the parts that earlier ports wrote, by the file they stand in.
    sections: HashMap<AbsPath, HashSet<String>>,
    /// What such parts say whose marks somebody took away, by file and name.
    unmarked: HashMap<AbsPath, BTreeMap<String, Vec<u8>>>,
}

/// One file that was carried, with its paths read.
pub(super) struct Record {
    pub(super) entry: Entry,
    pub(super) from: AbsPath,
    /// The parts whose paths can be used, the first being the first one.
    pub(super) parts: Vec<(AbsPath, PartEntry)>,
    /// Other files that went the same way.
    pub(super) companions: Vec<(AbsPath, Companion)>,
    /// Whether it comes from the manifest of a project, which may be anybody's.
    is_foreign: bool,
    /// Whether another project's port noted it: what it speaks of is that one's
    /// to bring back, to follow and to clear away.
    pub(super) is_elsewhere: bool,
}

impl<'a> Ledger<'a> {
    pub(super) fn read(
        fs: &dyn Fs,
        place: &'a PortPlace,
        clients: [ClientId; 2],
    ) -> Result<Self, Error> {
        let project = ManifestFile::read(fs, &place.project)?;
        let home = (place.home != place.project)
            .then(|| ManifestFile::read(fs, &place.home))
            .transpose()?;
        let [one, other] = clients;
        let mut records = Vec::new();
        let all = project.entries.iter().map(|entry| (entry, home.is_some()));
        let homes = home.iter().flat_map(|file| &file.entries).map(|entry| (entry, false));
        for (entry, own) in all.chain(homes) {
            if !is_between(entry, one, other) && !is_between(entry, other, one) {
                continue;
            }
            let names = Names { place };
            let here = if own { Some(place.project.clone()) } else { names.project_of(entry) };
            let Some(top) = here else { continue };
            // Of a project that is gone, what it left is looked after from everywhere.
            let is_elsewhere = top != place.project && fs.symlink_metadata(&top).is_ok();
            let place = &PortPlace { project: top, home: place.home.clone() };
            let names = Names { place };
            let parts = entry.parts.iter();
            let parts: Option<Vec<_>> =
                parts.map(|part| Some((names.path(&part.file, own)?, part.clone()))).collect();
            let companions = entry.with.iter().filter_map(|companion| {
                Some((names.path(&companion.from, own)?, companion.clone()))
            });
            if let (Some(from), Some(parts)) = (names.path(&entry.from, own), parts) {
                let companions = companions.collect();
                records.push(Record {
                    entry: entry.clone(),
                    from,
                    parts,
                    companions,
                    is_foreign: own,
                    is_elsewhere,
                });
            }
        }
        let mut ledger = Self {
            place,
            project,
            home,
            records,
            by_part: HashMap::new(),
            sections: HashMap::new(),
            unmarked: HashMap::new(),
        };
        ledger.index();
        Ok(ledger)
    }

    fn index(&mut self) {
        self.by_part.clear();
        self.sections.clear();
        for (number, record) in self.records.iter().enumerate() {
            for (file, part) in &record.parts {
                self.by_part.insert((file.clone(), part.section.clone()), number);
                if let Some(name) = &part.section {
                    self.sections.entry(file.clone()).or_default().insert(name.clone());
                }
            }
        }
    }

    /// Forgets what the manifest of a project says of files that no port reads
    /// or writes: what lies elsewhere behind a link, version control, and hidden
    /// files that the client, given by its name, does not keep as copies. Of the
    /// rest, finds what stands without its marks.
    pub(super) fn trust_only(&mut self, fs: &dyn Fs, keeps: impl Fn(&str, &AbsPath) -> bool) {
        let top = &self.place.project;
        let real_top = fs.canonicalize(top).unwrap_or_else(|_| top.clone());
        let mut folders: HashMap<AbsPath, bool> = HashMap::new();
        let mut is_near = |path: &AbsPath| {
            let Some(dir) = path.parent() else { return false };
            let is_inside = *folders.entry(dir).or_insert_with_key(|dir| {
                let there = dir.ancestors().find_map(|dir| fs.canonicalize(&dir).ok());
                there.is_some_and(|real| {
                    real.strip_prefix(&real_top).is_some_and(|below| !below.split('/').any(is_git))
                })
            });
            let below = path.strip_prefix(top).unwrap_or_default();
            is_inside && !below.split('/').any(is_git)
        };
        let is_hidden = |path: &AbsPath| {
            path.strip_prefix(top).unwrap_or_default().split('/').any(|part| part.starts_with('.'))
        };
        self.records.retain(|record| {
            let copy = |path: &AbsPath| !is_hidden(path) || keeps(&record.entry.target, path);
            !record.is_foreign
                || is_near(&record.from)
                    && record.companions.iter().all(|(path, _)| is_near(path))
                    && record.parts.iter().all(|(path, _)| is_near(path) && copy(path))
        });
        self.index();
        self.unmarked = self.find_unmarked(fs);
    }

    /// The texts that stand in their files without marks. Each is known by its
    /// fingerprint while the file that it was made of is as it was.
    fn find_unmarked(&self, fs: &dyn Fs) -> HashMap<AbsPath, BTreeMap<String, Vec<u8>>> {
        let mut files: HashMap<&AbsPath, Option<_>> = HashMap::new();
        let mut found: HashMap<AbsPath, BTreeMap<String, Vec<u8>>> = HashMap::new();
        for record in &self.records {
            for (file, part) in &record.parts {
                let Some(name) = &part.section else { continue };
                let there = files.entry(file).or_insert_with(|| {
                    let bytes = fs.read_up_to(file, u64::MAX).ok()?;
                    let names = mark::parts(&bytes).into_iter().map(|part| part.name);
                    let names: HashSet<String> = names.collect();
                    Some((bytes, names))
                });
                let Some((bytes, names)) = there else { continue };
                if names.contains(name) {
                    continue;
                }
                let text = self.written(fs, record, part);
                let is_there = |text: &Vec<u8>| mark::unmarked_part(bytes, name, text).is_some();
                if let Some(text) = text.filter(is_there) {
                    found.entry(file.clone()).or_default().insert(name.clone(), text);
                }
            }
        }
        found
    }

    /// What was written as a part, made again of the file that it comes from.
    fn written(&self, fs: &dyn Fs, record: &Record, part: &PartEntry) -> Option<Vec<u8>> {
        let source = fs.read_up_to(&record.from, u64::MAX).ok()?;
        let source = mark::without(&source, &self.sections_of(&record.from));
        let text = follow(&part.made, &source)?;
        (Digest::of(&text).to_string() == part.digest).then_some(text)
    }

    /// What a part of a file says whose marks are gone.
    pub(super) fn unmarked_text(&self, file: &AbsPath, name: &str) -> Option<&[u8]> {
        Some(self.unmarked.get(file)?.get(name)?)
    }

    /// The part of a file that earlier ports wrote, if its marks are gone.
    pub(super) fn unmarked_part(&self, file: &AbsPath, name: &str, bytes: &[u8]) -> Option<Part> {
        mark::unmarked_part(bytes, name, self.unmarked_text(file, name)?)
    }

    /// A file's bytes without these parts of earlier ports, marked or not.
    pub(super) fn without(&self, file: &AbsPath, bytes: &[u8], names: &HashSet<&str>) -> Vec<u8> {
        let mut left = mark::without(bytes, names);
        for (name, text) in self.unmarked.get(file).into_iter().flatten() {
            let part = mark::unmarked_part(&left, name, text);
            if let Some(part) = part.filter(|_| names.contains(name.as_str())) {
                left = mark::without_part(&left, &part);
            }
        }
        left
    }

    /// What was carried to this file, or this part of it.
    pub(super) fn carried_to(
        &self,
        file: &AbsPath,
        section: Option<&str>,
    ) -> Option<(&Record, &PartEntry)> {
        let key = (file.clone(), section.map(str::to_owned));
        let record = self.records.get(*self.by_part.get(&key)?)?;
        let (_, part) =
            record.parts.iter().find(|(path, part)| *path == key.0 && part.section == key.1)?;
        Some((record, part))
    }

    /// The names of the parts of a file that earlier ports wrote.
    pub(super) fn sections_of(&self, file: &AbsPath) -> HashSet<&str> {
        self.sections.get(file).into_iter().flatten().map(String::as_str).collect()
    }

    /// The file system without what earlier ports wrote, but for the records
    /// that `keep` names: what people wrote themselves.
    ///
    /// With a `stand_in`, a text that is all of its file is replaced by it: to a
    /// client, a file that says something is not the same as one that is not
    /// there.
    pub(super) fn without_copies<'f>(
        &self,
        fs: &'f dyn Fs,
        keep: impl Fn(&Record) -> bool,
        stand_in: Option<&str>,
    ) -> Overlay<'f> {
        let mut texts: HashSet<&AbsPath> = HashSet::new();
        let mut files: BTreeMap<&AbsPath, (bool, HashSet<&str>)> = BTreeMap::new();
        for record in self.records.iter().filter(|record| !keep(record)) {
            for (file, part) in &record.parts {
                let (whole, sections) = files.entry(file).or_default();
                if matches!(record.entry.kind.as_str(), "instruction" | "rule") {
                    texts.insert(file);
                }
                match &part.section {
                    None => *whole = true,
                    Some(name) => {
                        sections.insert(name);
                    }
                }
            }
        }
        let mut overlay = Overlay::new(fs);
        for (file, (whole, sections)) in files {
            // A part that is all of its file shares it with nobody else's text.
            if whole {
                let is_there = fs.symlink_metadata(file).is_ok();
                match stand_in.filter(|_| texts.contains(file)) {
                    Some(text) if is_there => overlay.put(file.clone(), Content::file(text)),
                    None if is_there => overlay.hide(file.clone()),
                    _ => {}
                }
                continue;
            }
            let Ok(bytes) = fs.read_up_to(file, u64::MAX) else { continue };
            let left = self.without(file, &bytes, &sections);
            // Whether the file was there before, blank, cannot be told: it stays.
            if left != bytes {
                let left = match stand_in.filter(|_| texts.contains(file)) {
                    Some(text) if left.trim_ascii().is_empty() => text.into(),
                    _ => left,
                };
                let mode = fs.metadata(file).ok().and_then(|found| found.mode);
                overlay.put(file.clone(), Content::File { bytes: left.into(), mode });
            }
        }
        overlay
    }

    /// Notes in the entries of a home directory which of them are of this project
    /// only: those that speak of its files, or of folders that the target keeps
    /// for it alone.
    pub(super) fn name_project(&self, entries: &mut [Entry], of_project: &[AbsPath]) {
        let names = Names { place: self.place };
        let in_project = |name: &String| names.path(name, true).is_some();
        let of_project = |name: &String| {
            let path = names.path(name, false);
            path.is_some_and(|path| of_project.iter().any(|folder| path.starts_with(folder)))
        };
        for entry in entries.iter_mut().filter(|_| self.home.is_some()) {
            let is_home = !names_of(entry).all(in_project);
            let is_ours = names_of(entry).any(|name| in_project(name) || of_project(name));
            entry.project = (is_home && is_ours).then(|| names.name_from_home(&self.place.project));
        }
    }

    /// Puts the entries in place of those of the same file, and says how the
    /// manifests change.
    pub(super) fn changes(self, entries: Vec<Entry>, plan: &mut WritePlan) -> Result<(), Error> {
        let Self { place, mut project, mut home, .. } = self;
        let index: HashSet<_> = entries
            .iter()
            .map(|entry| (entry.client.clone(), entry.target.clone(), entry.from.clone()))
            .collect();
        let names = Names { place };
        let stays = |old: &Entry| {
            names.project_of(old).as_ref() != Some(&place.project)
                || !index.contains(&(old.client.clone(), old.target.clone(), old.from.clone()))
        };
        project.entries.retain(stays);
        if let Some(home) = &mut home {
            home.entries.retain(stays);
        }
        for entry in entries {
            let in_project = names_of(&entry).all(|name| names.path(name, true).is_some());
            match &mut home {
                Some(home) if !in_project => home.entries.push(entry),
                _ => project.entries.push(entry),
            }
        }
        for file in [Some(project), home].into_iter().flatten() {
            let bytes = file.bytes()?;
            let change = match (&file.before, bytes) {
                (None, Some(bytes)) => Change::create(file.path.clone(), bytes),
                (Some(before), Some(bytes)) if *before != bytes => {
                    Change::replace(file.path.clone(), before, bytes)
                }
                (Some(before), None) => Change::remove(file.path.clone(), before),
                _ => continue,
            };
            plan.add(change)?;
        }
        Ok(())
    }
}

/// The files that an entry speaks of.
fn names_of(entry: &Entry) -> impl Iterator<Item = &String> {
    entry.parts.iter().map(|part| &part.file).chain([&entry.from])
}

/// Whether a name is that of version control, in any case: on some systems it is
/// the same folder.
fn is_git(name: &str) -> bool {
    name.eq_ignore_ascii_case(".git")
}
