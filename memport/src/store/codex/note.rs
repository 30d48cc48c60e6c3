use adapter_codex::{MemoryTree, NoteRefusal, WriteRefusal, WriteVerdict};
use memory_core::fs::FileKind;
use memory_core::plan::{Change, WritePlan};
use memory_core::store::Similarity;
use memory_core::{AbsPath, Code, Error};
use memport_documents::PointerDocument;

use super::{CodexStore, root};
use crate::failure::Failure;
use crate::store::{Addition, NewFact, not_read};

/// How many notes are looked at for one that says nearly the same.
const MOST_NOTES: usize = 200;

/// How much of a note is looked at, in bytes.
const LONGEST_NOTE: u64 = 16 * 1024;

/// How many notes that say nearly the same are given.
const MOST_SIMILAR: usize = 5;

impl CodexStore<'_> {
    /// A note that says the fact, at `now` in seconds since 1970.
    pub(crate) fn plan_note(&self, fact: &NewFact, now: i64) -> Result<Addition, Failure> {
        let found = self.resolve()?;
        let root = root(&found)?;
        let home = root.parent().unwrap_or_else(AbsPath::root);
        let text = fact.note();
        let note = MemoryTree::new_note(self.world, root, &text, now).map_err(refused)?;
        fact.refuse_elision(&note.path)?;
        // What the configuration or the disk decided for is no accident.
        let set = Some(found.memory.version);
        let verdict = WriteVerdict::of(self.world, &home, set, &note.path);
        if verdict != WriteVerdict::Safe {
            return Err(self.unsafe_note(&note.path, &home, &verdict));
        }
        let known_in = self.equal_notes(&note.path, &note.bytes);
        let similar =
            if known_in.is_empty() { self.similar_notes(&note.path, fact) } else { Vec::new() };
        let mut plan = WritePlan::new([home]);
        plan.add(Change::create(note.path, note.bytes))?;
        let is_doubled = !known_in.is_empty();
        let mut diagnostics = found.memory.diagnostics.clone();
        if !found.memory.enabled {
            let help = "start with `--enable memories`, or set `features.memories = true` and not \
                        `memories.use_memories = false`";
            diagnostics.retain(|told| told.code != Code("codex/memory-disabled"));
            diagnostics.push(not_read("Codex", root, help));
        }
        Ok(Addition { plan, known_in, is_doubled, similar, diagnostics })
    }

    /// Why a note is not written to a place that is not safe.
    fn unsafe_note(&self, path: &AbsPath, home: &AbsPath, verdict: &WriteVerdict) -> Failure {
        let is_link = |part: &AbsPath| {
            self.world.fs.symlink_metadata(part).is_ok_and(|found| found.kind == FileKind::Symlink)
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
        Failure::impossible(
            format!("`{path}` is not written: {why}"),
            "`memport explain codex` shows which memory is in force",
        )
    }

    /// The newest notes beside a new one that say nearly the same.
    fn similar_notes(&self, note: &AbsPath, fact: &NewFact) -> Vec<PointerDocument> {
        let said = [Similarity::of(&fact.fact), Similarity::of(&fact.note())];
        let fits = |text: &str| said.iter().any(|said| said.matches(text));
        let Some(folder) = note.parent() else { return Vec::new() };
        let Ok(entries) = self.world.fs.read_dir(&folder) else { return Vec::new() };
        let files = entries.flatten().filter(|entry| entry.kind == FileKind::File);
        let mut names: Vec<_> = files.map(|entry| entry.name).collect();
        // Names begin with the time.
        names.sort_by(|a, b| b.cmp(a));
        let similar = names.into_iter().take(MOST_NOTES).filter_map(|name| {
            let path = folder.join(name);
            let bytes = self.world.fs.read_up_to(&path, LONGEST_NOTE).ok()?;
            let text = String::from_utf8_lossy(&bytes);
            let (first, _) = text.trim().split_once("\n\n").unwrap_or((text.trim(), ""));
            let line = first.lines().next().map(str::to_owned);
            let is_like = fits(first) || fits(&text);
            is_like.then(|| PointerDocument { path: path.to_string(), line: Some(1), text: line })
        });
        similar.take(MOST_SIMILAR).collect()
    }

    /// Notes beside a new one that say exactly the same.
    fn equal_notes(&self, note: &AbsPath, bytes: &[u8]) -> Vec<AbsPath> {
        let Some(folder) = note.parent() else { return Vec::new() };
        let Ok(entries) = self.world.fs.read_dir(&folder) else { return Vec::new() };
        let files = entries.filter_map(Result::ok).map(|entry| folder.join(entry.name));
        let has_its_size = |file: &AbsPath| {
            let found = self.world.fs.symlink_metadata(file);
            found.is_ok_and(|found| found.is_file() && found.len == bytes.len() as u64)
        };
        let says_the_same = |file: &AbsPath| {
            self.world.fs.read_up_to(file, bytes.len() as u64).is_ok_and(|found| found == bytes)
        };
        let mut equal: Vec<_> = files.filter(has_its_size).filter(says_the_same).collect();
        equal.sort();
        equal
    }
}

fn refused(why: NoteRefusal) -> Failure {
    match why {
        NoteRefusal::Blank => NewFact::says_nothing(),
        _ => Failure::impossible(
            "every name for the note is taken",
            "use other words, or wait for a second",
        ),
    }
}
