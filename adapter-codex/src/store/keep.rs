//! Codex as a client that keeps memory, asked as every other one.

use memory_core::doc::elision;
use memory_core::fs::FileKind;
use memory_core::plan::{Change, WritePlan};
use memory_core::store::{
    AddError, Addition, Fact, FoundBy, Item, KeepMemory, Lookup, MemoryView, Passage, Pointer,
    SessionStart, Similarity, StoreAnswer, SwitchedOff,
};
use memory_core::time::UtcTime;
use memory_core::{AbsPath, Code, Diagnostic, Error, World};

use super::note::NoteRefusal;
use super::write_rule::{WriteRefusal, WriteVerdict};
use crate::codex::{Codex, Query};
use crate::memory::tree::MemoryTree;

/// How many notes are looked at for one that says nearly the same.
const MAX_NOTES: usize = 200;

/// How much of a note is looked at, in bytes.
const MAX_NOTE: u64 = 16 * 1024;

/// How many notes that say nearly the same are given.
const MAX_SIMILAR: usize = 5;

/// What switches the memory on.
const SWITCH_ON: &str = "start with `--enable memories`, or set `features.memories = true` and not \
                         `memories.use_memories = false`";

impl KeepMemory for Codex {
    fn has_memory(&self, world: World<'_>, start: &SessionStart) -> Result<bool, Error> {
        let root = self.resolve(world, &query(start))?.memory.root;
        Ok(root.is_some_and(|root| is_dir(world, &root)))
    }

    fn inventory(
        &self,
        world: World<'_>,
        start: &SessionStart,
    ) -> Result<StoreAnswer<Vec<Item>>, Error> {
        let found = Self::inventory(self, world, &query(start))?;
        Ok(answer(found.value, found.diagnostics))
    }

    /// Both trees are looked at.
    fn show(
        &self,
        world: World<'_>,
        start: &SessionStart,
        wanted: &str,
    ) -> Result<Vec<MemoryView>, Error> {
        let found = Self::show(self, world, &query(start), wanted)?;
        let views = found.into_iter().map(|found| {
            let pointers = found.linked_from.into_iter().map(Pointer::to_file).collect();
            MemoryView::new(found.id, found.memory, found.path)
                .on_lines(found.lines)
                .linked_from(pointers)
        });
        Ok(views.collect())
    }

    /// Goes the way that the client's instructions describe, in the memory in
    /// force, and then through notes that the client has not worked in yet.
    fn lookup(
        &self,
        world: World<'_>,
        start: &SessionStart,
        words: &str,
    ) -> Result<StoreAnswer<Lookup>, Error> {
        let found = self.resolve(world, &query(start))?;
        let (mut passages, mut read) = (Vec::new(), Vec::new());
        let refused = found.refusal.as_ref().map(|_| found.diagnostics);
        let mut diagnostics = refused.unwrap_or_default();
        if let Some(root) = found.memory.root.filter(|root| is_dir(world, root)) {
            for look in [MemoryTree::lookup, MemoryTree::lookup_notes] {
                let found = look(world, &root, words)?;
                passages.extend(found.passages.into_iter().map(passage));
                read.extend(found.read);
                diagnostics.extend(found.diagnostics);
            }
        }
        Ok(answer(Lookup::new(passages, read), diagnostics))
    }

    /// A note, which is the one way to add to the memory that the client sanctions.
    fn plan_add(
        &self,
        world: World<'_>,
        start: &SessionStart,
        fact: &Fact,
    ) -> Result<Addition, AddError> {
        let found = self.resolve(world, &query(start))?;
        let Some(root) = &found.memory.root else {
            let why = found.refusal.as_deref().and_then(|why| why.lines().next());
            return Err(AddError::DoesNotStart { why: why.unwrap_or_default().to_owned() });
        };
        let home = root.parent().unwrap_or_else(AbsPath::root);
        let text = note(fact);
        let now = UtcTime::from(fact.time).unix();
        let new = MemoryTree::new_note(world, root, &text, now).map_err(|why| match why {
            NoteRefusal::Blank => AddError::Blank,
            NoteRefusal::NoFreeName => AddError::NoFreeName { folder: root.clone() },
        })?;
        refuse_elision(&new.path, fact)?;
        // What the configuration or the disk decided for is no accident.
        let verdict = WriteVerdict::of(world, &home, Some(found.memory.version), &new.path);
        if verdict != WriteVerdict::Safe {
            return Err(not_safe(world, &new.path, &home, &verdict));
        }
        let known_in = equal_notes(world, &new.path, &new.bytes);
        let similar = if known_in.is_empty() {
            similar_notes(world, &new.path, [&fact.text, &text])
        } else {
            Vec::new()
        };
        let mut plan = WritePlan::new([home]);
        plan.add(Change::create(new.path, new.bytes))?;
        let mut addition = Addition::new(plan);
        addition.says_it_again = !known_in.is_empty();
        addition.known_in = known_in;
        addition.similar = similar;
        addition.diagnostics.clone_from(&found.memory.diagnostics);
        if !found.memory.enabled {
            addition.diagnostics.retain(|one| one.code != Code("codex/memory-disabled"));
            addition.switched_off =
                Some(SwitchedOff { root: root.clone(), help: SWITCH_ON.to_owned() });
        }
        Ok(addition)
    }

    fn findings(
        &self,
        world: World<'_>,
        start: &SessionStart,
    ) -> Result<StoreAnswer<Vec<Diagnostic>>, Error> {
        let found = answer((), self.doctor(world, &query(start))?);
        Ok(StoreAnswer::new(found.diagnostics).refused(found.refusal))
    }
}

fn query(start: &SessionStart) -> Query {
    Query::new(start.cwd.clone()).with_args(start.args.iter().map(String::as_str))
}

fn is_dir(world: World<'_>, path: &AbsPath) -> bool {
    world.fs.metadata(path).is_ok_and(|found| found.is_dir())
}

/// An answer in which the diagnostic that Codex does not start is its refusal.
fn answer<T>(value: T, diagnostics: Vec<Diagnostic>) -> StoreAnswer<T> {
    let is_refusal = |one: &Diagnostic| one.code == Code("codex/does-not-start");
    let (refusals, rest): (Vec<_>, Vec<_>) = diagnostics.into_iter().partition(is_refusal);
    StoreAnswer::new(value).refused(refusals.into_iter().next()).with_diagnostics(rest)
}

fn passage(found: super::Passage) -> Passage {
    let why = match found.why {
        super::FoundBy::Holds(words) => FoundBy::Words { part: None, words },
        super::FoundBy::Topic { title, keywords } => FoundBy::Topic { title, keywords },
        super::FoundBy::PointedTo { from, line } => FoundBy::PointedTo { from, line },
    };
    Passage::new(found.path, (found.place.first_line, found.place.last_line), found.text, why)
}

/// The fact and what is known of it, as a plain note; empty without a fact.
fn note(fact: &Fact) -> String {
    let labelled = [("Why", &fact.why), ("Source", &fact.source), ("Type", &fact.kind)];
    let known: String = labelled
        .iter()
        .filter_map(|(label, value)| Some(format!("{label}: {}\n", value.as_ref()?.trim())))
        .collect();
    match (fact.text.trim(), known.as_str()) {
        ("", _) => String::new(),
        (text, "") => format!("{text}\n"),
        (text, known) => format!("{text}\n\n{known}"),
    }
}

/// Refuses texts that stand for something left out.
fn refuse_elision(path: &AbsPath, fact: &Fact) -> Result<(), Error> {
    let rest = [&fact.why, &fact.source, &fact.kind].into_iter().flatten();
    match std::iter::once(&fact.text).chain(rest).find_map(|text| elision(text)) {
        Some((line, words)) => {
            Err(Error::Elision { path: path.clone(), line, words: words.to_owned() })
        }
        None => Ok(()),
    }
}

/// Why a note is not written to a place that is not safe.
fn not_safe(world: World<'_>, path: &AbsPath, home: &AbsPath, verdict: &WriteVerdict) -> AddError {
    let is_link = |part: &AbsPath| {
        world.fs.symlink_metadata(part).is_ok_and(|found| found.kind == FileKind::Symlink)
    };
    let why = match verdict {
        WriteVerdict::Refused(WriteRefusal::Link) => {
            let link = path.from_top(home).into_iter().skip(1).find(is_link);
            let link = link.unwrap_or_else(|| path.clone());
            return Error::ThroughLink { path: path.clone(), link }.into();
        }
        WriteVerdict::Refused(WriteRefusal::SwitchesVersion) => {
            "it would create the other memory and hide this one"
        }
        WriteVerdict::NotInForce => "Codex does not read that memory now",
        WriteVerdict::Temporary(why) => why,
        _ => "it is no place for a note",
    };
    AddError::NotReadThere { path: path.clone(), why: why.to_owned() }
}

/// The newest notes beside a new one that say nearly the same as one of the texts.
fn similar_notes(world: World<'_>, note: &AbsPath, texts: [&String; 2]) -> Vec<Pointer> {
    let said = texts.map(|text| Similarity::of(text));
    let matches = |text: &str| said.iter().any(|said| said.matches(text));
    let Some(folder) = note.parent() else { return Vec::new() };
    let Ok(entries) = world.fs.read_dir(&folder) else { return Vec::new() };
    let files = entries.flatten().filter(|entry| entry.kind == FileKind::File);
    let mut names: Vec<_> = files.map(|entry| entry.name).collect();
    // Names begin with the time.
    names.sort_by(|a, b| b.cmp(a));
    let similar = names.into_iter().take(MAX_NOTES).filter_map(|name| {
        let path = folder.join(name);
        let bytes = world.fs.read_up_to(&path, MAX_NOTE).ok()?;
        let text = String::from_utf8_lossy(&bytes);
        let (first, _) = text.trim().split_once("\n\n").unwrap_or((text.trim(), ""));
        let is_like = matches(first) || matches(&text);
        is_like.then(|| Pointer::to_line(path, 1, first.lines().next().unwrap_or_default()))
    });
    similar.take(MAX_SIMILAR).collect()
}

/// Notes beside a new one that say exactly the same, by path.
fn equal_notes(world: World<'_>, note: &AbsPath, bytes: &[u8]) -> Vec<AbsPath> {
    let Some(folder) = note.parent() else { return Vec::new() };
    let Ok(entries) = world.fs.read_dir(&folder) else { return Vec::new() };
    let mut equal = Vec::new();
    for file in entries.filter_map(Result::ok).map(|entry| folder.join(entry.name)) {
        let found = world.fs.symlink_metadata(&file);
        if found.is_ok_and(|found| found.is_file() && found.len == bytes.len() as u64)
            && world.fs.read_up_to(&file, bytes.len() as u64).is_ok_and(|found| found == bytes)
        {
            equal.push(file);
        }
    }
    equal.sort();
    equal
}

#[cfg(test)]
mod tests {
    use std::time::UNIX_EPOCH;

    use super::*;

    #[test]
    fn a_note_says_what_is_known_of_the_fact() {
        let fact = Fact::new(" 取引先コードは文字列 ", UNIX_EPOCH);
        assert_eq!(note(&fact), "取引先コードは文字列\n");
        let fact = fact.because(Some("zeros are lost".into())).of_kind(Some("project".into()));
        assert_eq!(note(&fact), "取引先コードは文字列\n\nWhy: zeros are lost\nType: project\n");
        assert_eq!(note(&Fact::new(" \n", UNIX_EPOCH)), "");
    }
}
