//! Searching notes that the client has not worked in yet.

use memory_core::doc::Span;
use memory_core::{AbsPath, Error, Parsed, World};

use super::terms::Terms;
use super::{FoundBy, Lookup, Passage};
use crate::memory::extension::Note;
use crate::memory::line::Place;
use crate::memory::tree::MemoryTree;
use crate::memory::version::DetectedVersion;

impl MemoryTree {
    /// Looks `query` up in the notes of the tree in the folder `root`; those with
    /// most of its words come first, each as a whole.
    ///
    /// The client's model reads notes only when it next works on the memory, so
    /// [`MemoryTree::lookup`], which goes the model's way, does not find what
    /// stands in them alone.
    ///
    /// Errors when there is no such folder.
    pub fn lookup_notes(world: World<'_>, root: &AbsPath, query: &str) -> Result<Lookup, Error> {
        let terms = Terms::of(query);
        let mut found = Lookup {
            version: DetectedVersion::of(world, root),
            terms: terms.words().to_vec(),
            passages: Vec::new(),
            read: Vec::new(),
            diagnostics: Vec::new(),
        };
        let Parsed { value: tree, diagnostics } = Self::read(world, root)?;
        if found.terms.is_empty() {
            return Ok(found);
        }
        found.diagnostics = diagnostics;
        let notes = tree.extensions.iter().flat_map(|extension| &extension.notes);
        let mut hits: Vec<(Vec<String>, Passage)> = Vec::new();
        for note in notes {
            found.read.push(note.file.path.clone());
            let text = note.file.source.text();
            let held = terms.held_by(&[&text]);
            if !held.is_empty() {
                hits.push((held.clone(), passage(note, text.into_owned(), held)));
            }
        }
        hits.sort_by_key(|(held, _)| std::cmp::Reverse(held.len()));
        found.passages = hits.into_iter().map(|(_, passage)| passage).collect();
        Ok(found)
    }
}

fn passage(note: &Note, text: String, held: Vec<String>) -> Passage {
    let last_line = u32::try_from(text.lines().count()).unwrap_or(u32::MAX).max(1);
    let span = Span::new(0..note.file.source.bytes().len());
    Passage {
        path: note.file.path.clone(),
        place: Place { span, first_line: 1, last_line },
        text,
        why: FoundBy::Holds(held),
    }
}
