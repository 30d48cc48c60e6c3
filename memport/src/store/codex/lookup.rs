use adapter_codex::{CLIENT, FoundBy, MemoryTree, Passage, lookup};
use memory_core::{AbsPath, Error};
use unicode_normalization::UnicodeNormalization as _;

use super::CodexStore;
use crate::{DiagnosticDocument, LookupDocument, PassageDocument};

impl CodexStore<'_> {
    /// Adds what the memory in force says to a question, on the way that Codex
    /// itself goes, and then what notes say that it has not worked in yet.
    pub(crate) fn look_up(&self, answer: &mut LookupDocument) -> Result<(), Error> {
        answer.diagnostics.extend(self.told_not_started().map(DiagnosticDocument::from));
        let root = self.found.memory.root.as_ref().filter(|root| self.is_dir(root));
        let Some(root) = root else { return Ok(()) };
        let found = lookup(self.world, root, &answer.query)?;
        answer.passages.extend(found.passages.into_iter().map(passage));
        answer.read.extend(found.read.iter().map(AbsPath::to_string));
        let mut told = found.diagnostics;
        if !found.terms.is_empty() {
            let tree = MemoryTree::read(self.world, root)?;
            notes(&tree.value, &found.terms, answer);
            told.extend(tree.diagnostics);
        }
        answer.diagnostics.extend(told.into_iter().map(DiagnosticDocument::from));
        Ok(())
    }
}

/// Notes that hold one of the terms, those with most of them first.
fn notes(tree: &MemoryTree, terms: &[String], answer: &mut LookupDocument) {
    let notes = tree.extensions.iter().flat_map(|extension| &extension.notes);
    let mut hits: Vec<_> = notes
        .filter_map(|note| {
            let text = note.file.source.text().into_owned();
            let folded: String = text.nfkc().flat_map(char::to_lowercase).collect();
            let held: Vec<_> = terms.iter().filter(|term| folded.contains(*term)).collect();
            (!held.is_empty()).then_some((held, &note.file.path, text))
        })
        .collect();
    hits.sort_by_key(|(held, ..)| std::cmp::Reverse(held.len()));
    for (held, path, text) in hits {
        let lines = u32::try_from(text.lines().count()).unwrap_or(u32::MAX);
        let held: Vec<_> = held.into_iter().cloned().collect();
        answer.read.push(path.to_string());
        answer.passages.push(PassageDocument {
            agent: CLIENT.0,
            path: path.to_string(),
            first_line: 1,
            last_line: lines.max(1),
            why: holds(&held),
            text,
        });
    }
}

fn passage(found: Passage) -> PassageDocument {
    let why = match &found.why {
        FoundBy::Holds(terms) => holds(terms),
        FoundBy::Topic { title, keywords } => {
            format!("holds {} of the topic `{title}`", quoted(keywords))
        }
        FoundBy::PointedTo { from, line } => format!("`{from}` points to it in line {line}"),
        _ => String::new(),
    };
    PassageDocument {
        agent: CLIENT.0,
        path: found.path.to_string(),
        first_line: found.place.first_line,
        last_line: found.place.last_line,
        text: found.text,
        why,
    }
}

fn holds(terms: &[String]) -> String {
    format!("holds {}", quoted(terms))
}

fn quoted(words: &[String]) -> String {
    let words: Vec<_> = words.iter().map(|word| format!("`{word}`")).collect();
    words.join(", ")
}
