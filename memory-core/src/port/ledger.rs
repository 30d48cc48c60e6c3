//! What earlier ports carried, looked up by either end.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use super::PortPlace;
use super::manifest::{Accepted, At, Entry, ManifestFile, Names, is_between};
use super::mark::Sheet;
use crate::client::ClientId;
use crate::error::Error;
use crate::fs::{Content, Fs, Overlay};
use crate::path::AbsPath;
use crate::plan::{Change, WritePlan};
use crate::report::{Code, Diagnostic, Severity};

/// The manifests of a person and a project, for two clients.
pub(super) struct Ledger<'a> {
    place: &'a PortPlace,
    project: ManifestFile,
    home: Option<ManifestFile>,
    /// What was carried between the two clients, in either direction.
    pub(super) records: Vec<Record>,
    /// The names of the parts that stand in each file.
    names: HashMap<AbsPath, HashSet<String>>,
    /// The part at the top of each file that has one without a mark.
    tops: HashMap<AbsPath, String>,
    by_file: HashMap<AbsPath, Vec<usize>>,
}

/// One part that was carried, with its paths read.
#[derive(Clone, Debug)]
pub(super) struct Record {
    pub(super) entry: Entry,
    pub(super) from: AbsPath,
    pub(super) to: AbsPath,
    /// Other files that went the same way.
    pub(super) with: Vec<AbsPath>,
    /// The keys of what both were when they were the same last: several after a
    /// merge of two manifests; none where that is not known.
    pub(super) bases: Vec<String>,
    /// Whether it comes from the manifest of a project, which may be anybody's.
    pub(super) is_foreign: bool,
    /// Whether another project's port noted it: what it speaks of is that one's
    /// to bring back, to follow and to clear away.
    pub(super) is_elsewhere: bool,
}

impl Record {
    /// Whether it stands for a line that leads to its origin, not for its text.
    pub(super) fn is_pointer(&self) -> bool {
        let is_text = matches!(self.entry.kind.as_str(), "instruction" | "rule");
        is_text && (self.entry.at == Some(At::Line) || self.entry.base.starts_with("link:"))
    }

    /// Whether a manifest names it.
    fn from_manifest(&self) -> bool {
        !self.entry.base.is_empty()
    }

    pub(super) fn is_of(&self, client: ClientId) -> bool {
        self.entry.client == client.0
    }
}

impl<'a> Ledger<'a> {
    pub(super) fn read(
        fs: &dyn Fs,
        place: &'a PortPlace,
        clients: [ClientId; 2],
    ) -> Result<Self, Error> {
        let is_home = place.home == place.project;
        let project = ManifestFile::read(fs, &place.project, is_home)?;
        let home = (!is_home).then(|| ManifestFile::read(fs, &place.home, true)).transpose()?;
        let [one, other] = clients;
        let mut records: Vec<Record> = Vec::new();
        let mut known: HashMap<(String, AbsPath, AbsPath, Option<At>), usize> = HashMap::new();
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
            let paths = names.path(&entry.from, own).zip(names.path(&entry.to, own));
            let Some((from, to)) = paths else { continue };
            let with = entry.with.iter().filter_map(|name| names.path(name, own)).collect();
            let at = entry.at.clone().map(|at| match at {
                At::Line => At::Line,
                At::Top(name) | At::Mark(name) => At::Mark(name),
            });
            // Every line of a list is one of its own.
            let line = entry.at.as_ref().filter(|at| **at == At::Line).map(|_| &entry.base);
            let client = format!("{} {}", entry.client, line.map_or("", String::as_str));
            let key = (client, from.clone(), to.clone(), at);
            if let Some(record) = known.get(&key).and_then(|at| records.get_mut(*at)) {
                if !record.bases.contains(&entry.base) {
                    record.bases.push(entry.base.clone());
                }
                continue;
            }
            known.insert(key, records.len());
            records.push(Record {
                bases: vec![entry.base.clone()],
                entry: entry.clone(),
                from,
                to,
                with,
                is_foreign: own,
                is_elsewhere,
            });
        }
        let mut ledger = Self {
            place,
            project,
            home,
            records,
            names: HashMap::new(),
            tops: HashMap::new(),
            by_file: HashMap::new(),
        };
        ledger.index();
        Ok(ledger)
    }

    fn index(&mut self) {
        self.names.clear();
        self.tops.clear();
        self.by_file.clear();
        for (number, record) in self.records.iter().enumerate() {
            self.by_file.entry(record.to.clone()).or_default().push(number);
            if let Some(name) = record.entry.at.as_ref().and_then(At::name) {
                self.names.entry(record.to.clone()).or_default().insert(name.to_owned());
            }
            if let Some(At::Top(name)) = &record.entry.at {
                self.tops.insert(record.to.clone(), name.clone());
            }
        }
    }

    /// Lines of manifests that could not be read.
    pub(super) fn diagnostics(&self) -> Vec<Diagnostic> {
        let files = [Some(&self.project), self.home.as_ref()].into_iter().flatten();
        files
            .filter(|file| file.unread > 0)
            .map(|file| {
                let message = "a part of what was noted here cannot be read; copies are known by their marks and their texts instead";
                Diagnostic::new(Code("port/manifest-unread"), Severity::Warning, message)
                    .at(&file.path)
                    .help("take it from version control again, or leave it to the next port that is written")
            })
            .collect()
    }

    /// Notes copies that no manifest names.
    pub(super) fn adopt(&mut self, records: Vec<Record>) {
        self.records.extend(records);
        self.index();
    }

    /// Forgets what the manifest of a project says of files that no port reads
    /// or writes: what lies elsewhere behind a link, version control, and what
    /// the clients, given by their names, do not keep.
    pub(super) fn trust_only(
        &mut self,
        fs: &dyn Fs,
        originals: impl Fn(&str, &AbsPath) -> bool,
        copies: impl Fn(&str, &AbsPath) -> bool,
    ) {
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
        self.records.retain(|record| {
            let Entry { client, target, .. } = &record.entry;
            !record.is_foreign
                || is_near(&record.from)
                    && is_near(&record.to)
                    && record.with.iter().all(&mut is_near)
                    && originals(client, &record.from)
                    && copies(target, &record.to)
        });
        self.index();
    }

    /// Takes a file apart at the marks of all parts that are known to stand in it.
    pub(super) fn sheet(&self, file: &AbsPath, bytes: &[u8], more: &HashSet<String>) -> Sheet {
        let names = self.names.get(file);
        let is_name =
            |name: &str| names.is_some_and(|names| names.contains(name)) || more.contains(name);
        Sheet::read(bytes, is_name, self.tops.get(file).map(String::as_str))
    }

    /// Whether parts of others are known to stand in a file.
    pub(super) fn has_parts(&self, file: &AbsPath) -> bool {
        self.names.contains_key(file)
    }

    /// The bytes of a file without the parts that earlier ports put there.
    pub(super) fn own_bytes(&self, file: &AbsPath, bytes: &[u8]) -> Vec<u8> {
        if !self.has_parts(file) {
            return bytes.to_vec();
        }
        self.sheet(file, bytes, &HashSet::new()).own_text().to_vec()
    }

    /// What was carried to a file.
    pub(super) fn carried_to(&self, file: &AbsPath) -> impl Iterator<Item = &Record> {
        let records = self.by_file.get(file).into_iter().flatten();
        records.filter_map(|number| self.records.get(*number))
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
    ) -> (Overlay<'f>, BTreeSet<AbsPath>) {
        let mut files: BTreeMap<&AbsPath, Hidden> = BTreeMap::new();
        let hidden = self.records.iter().filter(|record| !record.is_pointer());
        for record in hidden.filter(|record| !keep(record)) {
            let hidden = files.entry(&record.to).or_default();
            hidden.is_text |= matches!(record.entry.kind.as_str(), "instruction" | "rule");
            match &record.entry.at {
                None => hidden.is_whole = true,
                Some(At::Line) => hidden.lines.extend(record.bases.iter().cloned()),
                Some(At::Top(name) | At::Mark(name)) => {
                    hidden.parts.insert(name.clone());
                }
            }
        }
        let mut overlay = Overlay::new(fs);
        let mut mixed = BTreeSet::new();
        for (file, hidden) in files {
            let stand_in = stand_in.filter(|_| hidden.is_text);
            if hidden.is_whole {
                let is_there = fs.symlink_metadata(file).is_ok();
                match stand_in {
                    Some(text) if is_there => overlay.put(file.clone(), Content::file(text)),
                    None if is_there => overlay.hide(file.clone()),
                    _ => {}
                }
                continue;
            }
            let Ok(bytes) = fs.read_up_to(file, u64::MAX) else { continue };
            let left = self.left(file, &bytes, &hidden);
            // Whether the file was there before, blank, cannot be told: it stays.
            if left != bytes {
                if !left.trim_ascii().is_empty() {
                    mixed.insert(file.clone());
                }
                let left = match stand_in {
                    Some(text) if left.trim_ascii().is_empty() => text.into(),
                    _ => left,
                };
                let mode = fs.metadata(file).ok().and_then(|found| found.mode);
                overlay.put(file.clone(), Content::File { bytes: left.into(), mode });
            }
        }
        (overlay, mixed)
    }

    fn left(&self, file: &AbsPath, bytes: &[u8], hidden: &Hidden) -> Vec<u8> {
        let mut left = bytes.to_vec();
        if !hidden.parts.is_empty() {
            let sheet = self.sheet(file, bytes, &HashSet::new());
            let is_all = self.names.get(file).is_some_and(|names| names.is_subset(&hidden.parts));
            left = if is_all {
                sheet.own_text().to_vec()
            } else {
                let gone = hidden.parts.iter().map(|name| (name.clone(), None)).collect();
                sheet.with(&gone, &[], &HashSet::new()).0
            };
        }
        if !hidden.lines.is_empty() {
            let is_hidden =
                |line: &&[u8]| hidden.lines.contains(&super::text::Value::of_bytes(line).key);
            let lines = left.split_inclusive(|byte| *byte == b'\n');
            left = lines.filter(|line| !is_hidden(line)).collect::<Vec<_>>().concat();
        }
        left
    }

    /// The losses that somebody agreed to, with the names of their files.
    pub(super) fn has_accepted(&self, accepted: &Accepted) -> bool {
        self.project.accepted.contains(accepted)
            || self.home.as_ref().is_some_and(|home| home.accepted.contains(accepted))
    }

    /// Notes in the entries of a home directory which of them are of this project
    /// only: those that speak of its files, or of folders that the target keeps
    /// for it alone.
    pub(super) fn name_project(&self, entries: &mut [Entry], of_project: &[AbsPath]) {
        let names = Names { place: self.place };
        let in_project = |name: &&String| names.path(name, true).is_some();
        let of_project = |name: &&String| {
            let path = names.path(name, false);
            path.is_some_and(|path| of_project.iter().any(|folder| path.starts_with(folder)))
        };
        let known: HashMap<(&str, &str, &str), &Option<String>> = self
            .records
            .iter()
            .filter(|record| !record.is_elsewhere && record.from_manifest())
            .map(|record| &record.entry)
            .map(|it| ((it.client.as_str(), it.from.as_str(), it.to.as_str()), &it.project))
            .collect();
        for entry in entries.iter_mut().filter(|_| self.home.is_some()) {
            let key = (entry.client.as_str(), entry.from.as_str(), entry.to.as_str());
            if let Some(project) = known.get(&key) {
                entry.project.clone_from(project);
                continue;
            }
            let ends = [&entry.from, &entry.to];
            let is_ours = ends.iter().any(|name| in_project(name) || of_project(name));
            let is_home = !self.is_of_project(entry);
            entry.project = (is_home && is_ours).then(|| names.name_from_home(&self.place.project));
        }
    }

    /// Whether an entry belongs into the manifest of the project: both its ends
    /// lie there, and it says nothing that only its owner may read.
    fn is_of_project(&self, entry: &Entry) -> bool {
        let names = Names { place: self.place };
        let in_project = |name: &String| names.path(name, true).is_some();
        let mode = entry.mode.as_deref().and_then(|mode| u32::from_str_radix(mode, 8).ok());
        let is_private = mode.is_some_and(|mode| mode & 0o044 == 0) && !entry.rest.is_empty();
        in_project(&entry.from) && in_project(&entry.to) && !is_private
    }

    /// Says how the manifests change: these entries are what is carried between
    /// the two clients here from now on; those of other clients and projects stay.
    pub(super) fn changes(
        &self,
        fs: &dyn Fs,
        entries: Vec<Entry>,
        clients: [ClientId; 2],
        accepted: &BTreeSet<Accepted>,
        plan: &mut WritePlan,
    ) -> Result<(), Error> {
        let mut files: Vec<(&ManifestFile, Vec<Entry>, BTreeSet<Accepted>)> = Vec::new();
        let names = Names { place: self.place };
        let [one, other] = clients;
        for file in [Some(&self.project), self.home.as_ref()].into_iter().flatten() {
            let is_other = |entry: &&Entry| {
                !is_between(entry, one, other) && !is_between(entry, other, one)
                    || names.project_of(entry).as_ref() != Some(&self.place.project)
                        && self.records.iter().any(|it| it.is_elsewhere && it.entry == **entry)
            };
            let kept = file.entries.iter().filter(is_other).cloned().collect();
            files.push((file, kept, file.accepted.clone()));
        }
        let is_split = files.len() > 1;
        for entry in entries {
            let at = usize::from(is_split && !self.is_of_project(&entry));
            if let Some((_, kept, _)) =
                files.get_mut(at).filter(|(_, kept, _)| !kept.contains(&entry))
            {
                kept.push(entry);
            }
        }
        for loss in accepted {
            let at = usize::from(is_split && names.path(&loss.loss, true).is_none());
            if let Some((_, _, accepted)) = files.get_mut(at) {
                accepted.insert(loss.clone());
            }
        }
        for (file, entries, accepted) in files {
            // How a file comes back is noted along with the next change: what a
            // checkout makes of line ends is no reason to write.
            let same = |entries: &[Entry]| -> BTreeSet<Entry> {
                let bare = |entry: &Entry| Entry {
                    rest: Vec::new(),
                    crlf: false,
                    mode: None,
                    other: false,
                    ..entry.clone()
                };
                entries.iter().map(bare).collect()
            };
            if same(&entries) == same(&file.entries)
                && accepted == file.accepted
                && file.unread == 0
            {
                continue;
            }
            let mut after = file.like();
            (after.entries, after.accepted) = (entries, accepted);
            let change = match (&file.before, after.bytes()) {
                (before, Some(bytes)) if before.as_ref() != Some(&bytes) => file.change(fs, bytes),
                (Some(before), None) => Change::remove(file.path.clone(), before),
                _ => continue,
            };
            plan.add(change)?;
        }
        Ok(())
    }
}

/// A plan in which the manifests note these losses as well.
pub(super) fn with_accepted(
    fs: &dyn Fs,
    place: &PortPlace,
    plan: &WritePlan,
    agreed: &BTreeSet<Accepted>,
) -> Result<WritePlan, Error> {
    let is_home = place.home == place.project;
    let names = Names { place };
    let in_project = |loss: &&Accepted| is_home || names.path(&loss.loss, true).is_some();
    let (project, home): (Vec<&Accepted>, Vec<&Accepted>) = agreed.iter().partition(in_project);
    let mut files = vec![(ManifestFile::read(fs, &place.project, is_home)?, project)];
    if !is_home {
        files.push((ManifestFile::read(fs, &place.home, true)?, home));
    }
    let roots = plan.roots().iter().cloned().chain([place.home.join(".memport")]);
    let mut all = WritePlan::new(roots);
    let of = |path: &AbsPath| plan.changes().iter().find(|change| change.path() == path);
    for change in plan.changes() {
        if files.iter().all(|(file, _)| file.path != *change.path()) {
            all.add(change.clone())?;
        }
    }
    for (file, losses) in files {
        let planned = of(&file.path);
        let mut after = match planned {
            Some(Change::Create { bytes, .. } | Change::Replace { bytes, .. }) => {
                file.parsed(bytes)?
            }
            Some(_) => file.like(),
            None => file.parsed(file.before.as_deref().unwrap_or_default())?,
        };
        let known = after.accepted.len();
        after.accepted.extend(losses.into_iter().cloned());
        if after.accepted.len() == known {
            all.extend(planned.cloned())?;
            continue;
        }
        let Some(bytes) = after.bytes() else { continue };
        all.add(file.change(fs, bytes))?;
    }
    Ok(all)
}

/// What of a file is hidden.
#[derive(Default)]
struct Hidden {
    is_text: bool,
    is_whole: bool,
    parts: HashSet<String>,
    lines: HashSet<String>,
}

fn is_git(part: &str) -> bool {
    part.eq_ignore_ascii_case(".git")
}
