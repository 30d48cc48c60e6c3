//! Putting a memory away so that it can come back: out of the client's sight,
//! with its reason, and with every byte that need not change.

mod ledger;
mod line;

use memory_core::doc::{Doc, Source};
use memory_core::fs::Fs;
use memory_core::plan::{Change, WritePlan};
use memory_core::{AbsPath, Error, World};

use super::add::real_root;
use super::index::IndexFile;
use super::read::whole;
use super::topic::TopicFile;
use crate::claude::Claude;
use crate::memory::INDEX;
use ledger::{Ledger, Put};

pub use ledger::{HistoryEvent, HistoryKind};

/// The folder for what is put away. The client lists no folder whose name
/// begins with a dot, not even when it makes a missing index anew.
pub(super) const FOLDER: &str = ".archive";

/// The file in it that says what was put away, and why.
pub(super) const LEDGER: &str = "MEMORY_ARCHIVED.md";

/// Why a memory is put away.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ArchiveReason {
    /// In words.
    pub reason: String,
    /// The memory that says it now, as a path below the memory folder.
    pub covered_by: Option<String>,
    /// Whether that one replaces it.
    pub is_superseded: bool,
    /// The day, `YYYY-MM-DD`.
    pub day: String,
}

impl ArchiveReason {
    /// A reason in words, on a day, `YYYY-MM-DD`.
    pub fn new(reason: impl Into<String>, day: impl Into<String>) -> Self {
        Self { reason: reason.into(), covered_by: None, is_superseded: false, day: day.into() }
    }

    /// Names the memory that says it now, as a path below the memory folder.
    #[must_use]
    pub fn covered_by(mut self, below: Option<String>) -> Self {
        self.covered_by = below;
        self
    }
}

/// A memory folder with its links resolved.
struct Place<'a> {
    fs: &'a dyn Fs,
    root: AbsPath,
    writable: AbsPath,
}

impl<'a> Place<'a> {
    fn open(world: World<'a>, root: &AbsPath) -> Result<Self, Error> {
        let (root, writable) = real_root(world.fs, root)?;
        Ok(Self { fs: world.fs, root, writable })
    }

    fn read(&self, path: &AbsPath) -> Result<Vec<u8>, Error> {
        whole(self.fs, path).map_err(|source| Error::Io { path: path.clone(), source })
    }

    /// A file that need not be there.
    fn read_if_there(&self, path: &AbsPath) -> Result<Option<Vec<u8>>, Error> {
        match whole(self.fs, path) {
            Ok(bytes) => Ok(Some(bytes)),
            Err(error) if error.is_absence() => Ok(None),
            Err(source) => Err(Error::Io { path: path.clone(), source }),
        }
    }

    fn ledger(&self) -> Result<(AbsPath, Option<Vec<u8>>, Ledger), Error> {
        let path = self.root.join(FOLDER).join(LEDGER);
        let bytes = self.read_if_there(&path)?;
        let ledger = Ledger::parse(bytes.as_deref().unwrap_or_default());
        Ok((path, bytes, ledger))
    }

    fn plan(&self) -> WritePlan {
        WritePlan::new([self.writable.clone()])
    }

    fn is_free(&self, path: &AbsPath) -> bool {
        self.fs.symlink_metadata(path).is_err_and(|error| error.is_absence())
    }
}

/// Adds what stands in a file to a plan, where it is another than before.
fn put(
    plan: &mut WritePlan,
    path: AbsPath,
    before: Option<&[u8]>,
    after: &[u8],
) -> Result<(), Error> {
    match before {
        Some(before) if before == after => Ok(()),
        Some(before) => plan.add(Change::replace(path, before, after)),
        None => plan.add(Change::create(path, after)),
    }
}

impl Claude {
    /// Plans to put a memory away: its file goes into a folder that the client
    /// never lists, its lines go from the index, and both can be brought back.
    ///
    /// `file` is a path below the memory folder, such as `notes/a.md`. All bytes
    /// of the file stay, but for the keys that say that it is archived, when and
    /// why. Errors when the file cannot be read.
    pub fn plan_archive(
        &self,
        world: World<'_>,
        root: &AbsPath,
        file: &str,
        reason: &ArchiveReason,
    ) -> Result<WritePlan, Error> {
        let place = Place::open(world, root)?;
        let mut plan = place.plan();
        archive(&place, &mut plan, file, reason)?;
        Ok(plan)
    }

    /// Plans that one memory replaces another: the new one says what held before
    /// and until when, and the old one is put away.
    ///
    /// Errors when a file cannot be read.
    pub fn plan_supersede(
        &self,
        world: World<'_>,
        root: &AbsPath,
        old: &str,
        new: &str,
        day: &str,
    ) -> Result<WritePlan, Error> {
        let place = Place::open(world, root)?;
        let mut plan = place.plan();
        let path = place.root.join(new);
        let before = place.read(&path)?;
        let former = place.root.join(old);
        let topic = TopicFile::parse(former.clone(), old.to_owned(), place.read(&former)?);
        let body = topic.doc().body();
        let said = body.split_whitespace().collect::<Vec<_>>().join(" ");
        let said =
            if said.is_empty() { topic.description().unwrap_or_default().to_owned() } else { said };
        let doc = Doc::parse(Source::new(before.clone())).value;
        let mut edit = doc.edit();
        edit.append(&format!("旧：{said}（{day} まで）"));
        let after = edit.finish().map_err(|source| Error::Edit { path: path.clone(), source })?;
        put(&mut plan, path, Some(&before), &after)?;
        let reason = ArchiveReason {
            reason: format!("superseded by {}", new.strip_suffix(".md").unwrap_or(new)),
            covered_by: Some(new.to_owned()),
            is_superseded: true,
            day: day.to_owned(),
        };
        archive(&place, &mut plan, old, &reason)?;
        Ok(plan)
    }

    /// Plans to bring a memory back that was put away; `file` is the path below
    /// the memory folder that it had.
    ///
    /// Index and file are then as they were, where nobody changed them since.
    /// Errors when nothing of that name was put away, or the name is taken.
    pub fn plan_restore(
        &self,
        world: World<'_>,
        root: &AbsPath,
        file: &str,
        day: &str,
    ) -> Result<WritePlan, Error> {
        let place = Place::open(world, root)?;
        let mut plan = place.plan();
        let (ledger_path, ledger_before, mut ledger) = place.ledger()?;
        let from = place.root.join(FOLDER).join(file);
        let bytes = place.read(&from)?;
        let to = place.root.join(file);
        if !place.is_free(&to) {
            return Err(Error::AlreadyExists { path: to });
        }
        let known = ledger.take(file, day);
        plan.add(Change::remove(from.clone(), &bytes))?;
        plan.add(Change::create(to, unmarked(&from, &bytes, known.as_ref())?))?;
        if let Some(known) = &known {
            let index_path = place.root.join(INDEX);
            let before = place.read_if_there(&index_path)?;
            let after = line::brought_back(before.as_deref().unwrap_or_default(), &known.lines);
            put(&mut plan, index_path, before.as_deref(), &after)?;
        }
        put(&mut plan, ledger_path, ledger_before.as_deref(), ledger.to_text().as_bytes())?;
        Ok(plan)
    }

    /// Plans to remove a memory for good, with its lines in the index.
    ///
    /// Errors when the file cannot be read.
    pub fn plan_purge(
        &self,
        world: World<'_>,
        root: &AbsPath,
        file: &str,
    ) -> Result<WritePlan, Error> {
        let place = Place::open(world, root)?;
        let mut plan = place.plan();
        let path = place.root.join(file);
        let bytes = place.read(&path)?;
        from_index(&place, &mut plan, file)?;
        plan.add(Change::remove(path, &bytes))?;
        Ok(plan)
    }

    /// What happened to a memory, oldest first, as the archive and the memory
    /// itself tell; `file` is a path below the memory folder.
    ///
    /// Errors when the archive cannot be read.
    pub fn history(
        &self,
        world: World<'_>,
        root: &AbsPath,
        file: &str,
    ) -> Result<Vec<HistoryEvent>, Error> {
        let place = Place::open(world, root)?;
        let (_, _, ledger) = place.ledger()?;
        let here = [place.root.join(file), place.root.join(FOLDER).join(file)];
        let bytes = here.iter().find_map(|path| whole(place.fs, path).ok());
        let mut events = Vec::new();
        if let Some(bytes) = bytes {
            let topic = TopicFile::parse(place.root.join(file), file.to_owned(), bytes);
            events.push(HistoryEvent::added(&topic));
        }
        events.extend(ledger.history(file));
        events.sort_by(|a, b| a.day.cmp(&b.day));
        Ok(events)
    }
}

/// Takes a memory out of sight.
fn archive(
    place: &Place<'_>,
    plan: &mut WritePlan,
    file: &str,
    reason: &ArchiveReason,
) -> Result<(), Error> {
    let path = place.root.join(file);
    let to = place.root.join(FOLDER).join(file);
    let bytes = place.read(&path)?;
    if !place.is_free(&to) {
        return Err(Error::AlreadyExists { path: to });
    }
    let lines = from_index(place, plan, file)?;
    let doc = Doc::parse(Source::new(bytes.clone())).value;
    let had_header = doc.frontmatter().is_some();
    let status = doc.find("status").map(|entry| doc.value(entry));
    let mut edit = doc.edit();
    edit.set("status", "archived")
        .set("archived_at", &reason.day)
        .set("archived_reason", &reason.reason);
    if let Some(covered_by) = &reason.covered_by {
        edit.set("covered_by", covered_by.strip_suffix(".md").unwrap_or(covered_by));
    }
    let marked = edit.finish().map_err(|source| Error::Edit { path: path.clone(), source })?;
    plan.add(Change::remove(path, &bytes))?;
    plan.add(Change::create(to, marked))?;
    let (ledger_path, before, mut ledger) = place.ledger()?;
    let topic = TopicFile::parse(place.root.join(file), file.to_owned(), bytes);
    ledger.add(Put {
        file: file.to_owned(),
        title: topic.own_name().unwrap_or(topic.stem()).to_owned(),
        day: reason.day.clone(),
        reason: reason.reason.clone(),
        covered_by: reason.covered_by.clone(),
        is_superseded: reason.is_superseded,
        had_header,
        status,
        lines,
        restored: None,
    });
    put(plan, ledger_path, before.as_deref(), ledger.to_text().as_bytes())
}

/// Takes the lines of a memory out of the index; says what stood there.
fn from_index(
    place: &Place<'_>,
    plan: &mut WritePlan,
    file: &str,
) -> Result<Vec<ledger::Line>, Error> {
    let path = place.root.join(INDEX);
    let Some(before) = place.read_if_there(&path)? else { return Ok(Vec::new()) };
    let index = IndexFile::parse(path.clone(), before.clone());
    let (after, lines) = line::without(&index, file);
    put(plan, path, Some(&before), &after)?;
    Ok(lines)
}

/// The bytes that a memory had before it was put away.
fn unmarked(path: &AbsPath, bytes: &[u8], known: Option<&Put>) -> Result<Vec<u8>, Error> {
    let doc = Doc::parse(Source::new(bytes.to_vec())).value;
    if known.is_some_and(|known| !known.had_header) {
        return Ok(doc.source().slice(doc.body_span()).to_vec());
    }
    let mut edit = doc.edit();
    match known.and_then(|known| known.status.as_deref()) {
        Some(status) => edit.set("status", status),
        None => edit.remove("status"),
    };
    edit.remove("archived_at").remove("archived_reason").remove("covered_by");
    edit.finish().map_err(|source| Error::Edit { path: path.clone(), source })
}

#[cfg(test)]
mod tests;
