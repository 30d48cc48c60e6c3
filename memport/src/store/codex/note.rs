use adapter_codex::{NoteRefusal, WriteRefusal, WriteVerdict, new_note, write_verdict};
use memory_core::{AbsPath, Change, Error, WritePlan};

use super::{CodexStore, root};
use crate::failure::Failure;
use crate::store::{Addition, NewFact};

impl CodexStore<'_> {
    /// A note that says the fact, at `now` in seconds since 1970.
    pub(crate) fn plan_note(&self, fact: &NewFact, now: i64) -> Result<Addition, Failure> {
        let found = self.resolve()?;
        let root = root(&found)?;
        let home = root.parent().unwrap_or_else(AbsPath::root);
        let text = fact.note();
        let note = new_note(self.world, root, &text, now).map_err(refused)?;
        NewFact::refuse_elision(&note.path, &text)?;
        // What the configuration or the disk decided for is no accident.
        let set = Some(found.memory.version);
        let verdict = write_verdict(self.world, &home, set, &note.path);
        if verdict != WriteVerdict::Safe {
            return Err(unsafe_note(&note.path, &verdict));
        }
        let known_in = self.equal_notes(&note.path, &note.bytes);
        let mut plan = WritePlan::new([home]);
        plan.add(Change::create(note.path, note.bytes))?;
        let is_doubled = !known_in.is_empty();
        let diagnostics = found.memory.diagnostics;
        Ok(Addition { plan, known_in, is_doubled, diagnostics })
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
        NoteRefusal::Blank => Error::Unknown { what: "the fact" }.into(),
        _ => Failure::impossible(
            "every name for the note is taken",
            "use other words, or wait for a second",
        ),
    }
}

fn unsafe_note(path: &AbsPath, verdict: &WriteVerdict) -> Failure {
    let why = match verdict {
        WriteVerdict::Refused(WriteRefusal::Link) => {
            return Error::ThroughLink { path: path.clone(), link: path.clone() }.into();
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
