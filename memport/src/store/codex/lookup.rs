use adapter_codex::{FoundBy, MemoryTree, Passage};
use memory_core::{AbsPath, Error};
use memport_documents::{Agent, DiagnosticDocument, LookupDocument, PassageDocument};

use super::{CodexStore, in_own_words};

impl CodexStore<'_> {
    /// Adds what the memory in force says to a question, on the way that Codex
    /// itself goes, and then what notes say that it has not worked in yet.
    pub(crate) fn look_up(&self, answer: &mut LookupDocument) -> Result<(), Error> {
        let found = self.resolve()?;
        let mut told = Vec::new();
        if found.refusal.is_some() {
            told.extend(in_own_words(found.diagnostics));
        }
        if let Some(root) = found.memory.root.filter(|root| self.is_dir(root)) {
            for look in [MemoryTree::lookup, MemoryTree::lookup_notes] {
                let found = look(self.world, &root, &answer.query)?;
                answer.passages.extend(found.passages.into_iter().map(passage));
                answer.read.extend(found.read.iter().map(AbsPath::to_string));
                told.extend(found.diagnostics);
            }
        }
        answer.diagnostics.extend(told.into_iter().map(DiagnosticDocument::from));
        Ok(())
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
        agent: Agent::Codex,
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
