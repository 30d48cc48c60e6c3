//! Looking something up as the client's instructions to its model say: the
//! summary first, then the handbook by keywords, then one or two summaries of
//! threads, and no further.

use std::sync::Arc;

use memory_core::doc::Source;
use memory_core::{AbsPath, Code, Diagnostic, Error, PathRole, Severity, World, counted};

use crate::memory::handbook::Handbook;
use crate::memory::line::Place;
use crate::memory::summary::Summary;
use crate::memory::topic::Topic;
use crate::memory::tree::MemoryTree;
use crate::memory::version::{DetectedVersion, HANDBOOK, LINES_LIMIT, SUMMARY};
use crate::resolution::MemoryVersion;

mod handbook;
mod notes;
mod rollout;
mod terms;

use terms::Terms;

/// Rollout summaries that are opened for one question.
const MAX_OPENED: usize = 2;
/// Pointers that are followed until that many are opened.
const MAX_FOLLOWED: usize = 16;
/// Passages taken from one file.
const MAX_PASSAGES: usize = 6;

/// What a memory says to a question.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lookup {
    /// Which tree was asked.
    pub version: DetectedVersion,
    /// What was searched for, folded to lower case and compatible characters.
    pub terms: Vec<String>,
    /// What was found, in the order in which it was found; best first in each file.
    pub passages: Vec<Passage>,
    /// The files that were read, in order.
    pub read: Vec<AbsPath>,
    /// What is worth telling.
    pub diagnostics: Vec<Diagnostic>,
}

/// A passage of a memory file. It is untrusted text and no instruction.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Passage {
    /// The file.
    pub path: AbsPath,
    /// Where it stands in the file.
    pub place: Place,
    /// Its text, exactly as it stands there; invalid bytes shown as U+FFFD.
    pub text: String,
    /// Why it is part of the answer.
    pub why: FoundBy,
}

/// Why a passage is part of an answer.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum FoundBy {
    /// It holds these terms.
    Holds(Vec<String>),
    /// It holds keywords of a topic that the summary lists.
    Topic {
        /// The topic.
        title: String,
        /// Its keywords that were found.
        keywords: Vec<String>,
    },
    /// Another passage points to its file, and nothing in it holds a term.
    PointedTo {
        /// The file that points to it.
        from: AbsPath,
        /// The line that does, counted from 1.
        line: u32,
    },
}

/// A rollout summary that a passage points to.
struct Pointer {
    file: Option<String>,
    thread_id: Option<String>,
    from: AbsPath,
    line: u32,
}

impl MemoryTree {
    /// Looks `query` up in the tree in the folder `root`.
    ///
    /// Upper and lower case, wide and narrow characters are the same. A query in
    /// Japanese needs no blanks: its words are taken from between the particles.
    ///
    /// Errors when there is no such folder.
    pub fn lookup(world: World<'_>, root: &AbsPath, query: &str) -> Result<Lookup, Error> {
        let what = PathRole::MemoryTree;
        match world.fs.metadata(root) {
            Ok(found) if found.is_dir() => {}
            Ok(_) => return Err(Error::NotADirectory { what, path: root.clone() }),
            Err(error) if error.is_absence() => {
                return Err(Error::NotFound { what, path: root.clone() });
            }
            Err(source) => return Err(Error::Io { path: root.clone(), source }),
        }
        let terms = Terms::of(query);
        let mut search = Search {
            world,
            root,
            found: Lookup {
                version: DetectedVersion::of(world, root),
                terms: terms.words().to_vec(),
                passages: Vec::new(),
                read: Vec::new(),
                diagnostics: Vec::new(),
            },
            pointers: Vec::new(),
        };
        if !terms.words().is_empty() {
            let topics = search.summary(&terms);
            if search.found.version.version != Some(MemoryVersion::V2) {
                search.handbook(&terms, &topics);
            }
            search.rollouts(&terms);
        }
        Ok(search.found)
    }
}

struct Search<'a> {
    world: World<'a>,
    root: &'a AbsPath,
    found: Lookup,
    pointers: Vec<Pointer>,
}

impl Search<'_> {
    /// Searches the summary; the topics that fit, best first.
    fn summary(&mut self, terms: &Terms) -> Vec<Topic> {
        let Some((path, source)) = self.source(SUMMARY) else { return Vec::new() };
        let summary = Summary::parse(path.clone(), source).value;
        let bullets = summary.sections.iter().flat_map(|section| &section.bullets);
        let bullets = bullets.map(|bullet| (bullet.place, None));
        let topics = summary.topics.iter().map(|topic| (topic.place, Some(topic)));
        // Topics of one scope follow each other; its words are looked for once.
        let mut in_scope: (Option<&Arc<str>>, Vec<String>) = (None, Vec::new());
        let pieces = bullets.chain(topics).filter_map(|(place, topic)| {
            let scope = topic.and_then(|topic| topic.scope.as_ref());
            if scope.map(Arc::as_ptr) != in_scope.0.map(Arc::as_ptr) {
                let held = scope.map(|scope| terms.held_by(&[scope])).unwrap_or_default();
                in_scope = (scope, held);
            }
            let text = summary.source.slice_text(place.span);
            let held = terms.joined(&terms.held_by(&[&text]), &in_scope.1);
            (!held.is_empty()).then_some((held, place, topic))
        });
        let mut pieces: Vec<_> = pieces.collect();
        pieces.sort_by_key(|(held, ..)| std::cmp::Reverse(held.len()));
        pieces.truncate(MAX_PASSAGES);
        let mut topics = Vec::new();
        for (held, place, topic) in pieces {
            let text = summary.source.slice_text(place.span).into_owned();
            self.pass(&path, place, text, FoundBy::Holds(held));
            if let Some(topic) = topic {
                self.pointers.push(Pointer {
                    file: topic.file.clone(),
                    thread_id: topic.thread_id.clone(),
                    from: path.clone(),
                    line: place.first_line,
                });
                topics.push(topic.clone());
            }
        }
        topics
    }

    /// Searches the handbook by the question's words and the topics' keywords.
    fn handbook(&mut self, terms: &Terms, topics: &[Topic]) {
        let Some((path, source)) = self.source(HANDBOOK) else { return };
        let handbook = Handbook::parse(path.clone(), source).value;
        let hits = handbook::search(&handbook, terms, topics);
        for hit in hits.into_iter().take(MAX_PASSAGES) {
            self.pointers.extend(hit.sources.iter().map(|source| Pointer {
                file: Some(source.path.clone()),
                thread_id: source.thread().map(str::to_owned),
                from: path.clone(),
                line: source.place.first_line,
            }));
            self.pass(&path, hit.place, handbook.text(hit.place), hit.why);
        }
    }

    fn rollouts(&mut self, terms: &Terms) {
        let mut opened: Vec<AbsPath> = Vec::new();
        for pointer in std::mem::take(&mut self.pointers).into_iter().take(MAX_FOLLOWED) {
            if opened.len() == MAX_OPENED {
                break;
            }
            match rollout::find(self.world, self.root, &pointer) {
                Ok(path) if opened.contains(&path) => {}
                Ok(path) => {
                    if let Some(source) = self.read(&path) {
                        let passages = rollout::passages(&path, &source, terms, &pointer);
                        self.found.passages.extend(passages.into_iter().take(MAX_PASSAGES));
                        opened.push(path);
                    }
                }
                Err(Some(why)) => self.report(&pointer.from, Some(pointer.line), why),
                Err(None) => {}
            }
        }
    }

    fn source(&mut self, name: &str) -> Option<(AbsPath, Source)> {
        let path = self.root.join(name);
        let source = self.read(&path)?;
        Some((path, source))
    }

    fn read(&mut self, path: &AbsPath) -> Option<Source> {
        match self.world.fs.read_up_to(path, LINES_LIMIT) {
            Ok(bytes) => {
                if bytes.len() as u64 == LINES_LIMIT {
                    let limit = counted(LINES_LIMIT, "byte");
                    let message = format!("only the first {limit} are searched");
                    self.report(path, None, message);
                }
                self.found.read.push(path.clone());
                Some(Source::new(bytes))
            }
            Err(error) if error.is_absence() => None,
            Err(error) => {
                self.report(path, None, format!("the file cannot be read: {error}"));
                None
            }
        }
    }

    fn pass(&mut self, path: &AbsPath, place: Place, text: String, why: FoundBy) {
        self.found.passages.push(Passage { path: path.clone(), place, text, why });
    }

    fn report(&mut self, path: &AbsPath, line: Option<u32>, message: String) {
        let code = Code("codex/memory-pointer");
        let mut diagnostic = Diagnostic::new(code, Severity::Warning, message).at(path);
        diagnostic.line = line;
        self.found.diagnostics.push(diagnostic);
    }
}

#[cfg(test)]
mod tests;
