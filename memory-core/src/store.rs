//! What clients remember, asked in one form for all of them.
//!
//! An adapter whose client keeps memory implements [`KeepMemory`]; a program
//! that lists, shows, searches, adds to or looks over memory then needs no
//! code for that client. `&dyn KeepMemory` works: every method takes a
//! [`World`] and a [`SessionStart`].

use std::fmt;
use std::time::SystemTime;

pub use crate::inventory::{Item, ItemKind, ItemStatus};
pub use crate::names::{UniqueNames, numbered};
pub use crate::similarity::Similarity;

use crate::client::Client;
use crate::error::Error;
use crate::model::Memory;
use crate::path::AbsPath;
use crate::plan::WritePlan;
use crate::report::Diagnostic;
use crate::world::World;

/// A client that keeps memory: what stands there, what it says to a question,
/// and how something is added.
///
/// Nothing is written: [`plan_add`](Self::plan_add) returns a plan. All methods
/// answer for one start of the client, whether it would load the memory or
/// not; what a start loads is the business of the adapter's resolver.
///
/// Ids are the client's own: no two items of one client share one, and a
/// program that asks several clients puts a word of its own before them.
pub trait KeepMemory: Client {
    /// Whether there is a memory for this start.
    ///
    /// Errors when the start folder is not there or the home directory is not known.
    fn has_memory(&self, world: World<'_>, start: &SessionStart) -> Result<bool, Error>;

    /// Lists the memories, rules, skills and instruction files that the client
    /// keeps, each kind in a fixed order.
    ///
    /// Errors as [`has_memory`](Self::has_memory).
    fn inventory(
        &self,
        world: World<'_>,
        start: &SessionStart,
    ) -> Result<StoreAnswer<Vec<Item>>, Error>;

    /// The memory of this id; without one, those of this path or this name.
    /// Empty when there is none.
    ///
    /// Errors as [`has_memory`](Self::has_memory).
    fn show(
        &self,
        world: World<'_>,
        start: &SessionStart,
        wanted: &str,
    ) -> Result<Vec<MemoryView>, Error>;

    /// What the memory says to some words, in the order in which the client's
    /// own way of looking things up finds it; best first where it has none.
    ///
    /// Errors as [`has_memory`](Self::has_memory).
    fn lookup(
        &self,
        world: World<'_>,
        start: &SessionStart,
        words: &str,
    ) -> Result<StoreAnswer<Lookup>, Error>;

    /// Plans to remember a fact in the way that the client itself would, in a
    /// memory that need not be there yet.
    fn plan_add(
        &self,
        world: World<'_>,
        start: &SessionStart,
        fact: &Fact,
    ) -> Result<Addition, AddError>;

    /// What is wrong with what the client keeps, and what helps.
    ///
    /// Errors as [`has_memory`](Self::has_memory).
    fn findings(
        &self,
        world: World<'_>,
        start: &SessionStart,
    ) -> Result<StoreAnswer<Vec<Diagnostic>>, Error>;
}

/// How a client is started: where, and with which arguments.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct SessionStart {
    /// The folder that it is started in.
    pub cwd: AbsPath,
    /// Its arguments without its own name; those that change nothing here may
    /// stand among them.
    pub args: Vec<String>,
}

impl SessionStart {
    /// A start in a folder, without arguments.
    pub fn new(cwd: AbsPath) -> Self {
        Self { cwd, args: Vec::new() }
    }

    /// The same start with these arguments.
    #[must_use]
    pub fn with_args(mut self, args: impl IntoIterator<Item = impl Into<String>>) -> Self {
        self.args = args.into_iter().map(Into::into).collect();
        self
    }
}

/// An answer about a memory, with what has to be told beside it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct StoreAnswer<T> {
    /// The answer.
    pub value: T,
    /// What the client says instead of starting; `None` when it starts. The
    /// answer then holds what can be told all the same, and the diagnostics do
    /// not repeat this.
    pub refusal: Option<Diagnostic>,
    /// What could not be read, and what else is worth telling.
    pub diagnostics: Vec<Diagnostic>,
}

impl<T> StoreAnswer<T> {
    /// An answer of a client that starts, with nothing to be told.
    pub fn new(value: T) -> Self {
        Self { value, refusal: None, diagnostics: Vec::new() }
    }

    /// The same answer of a client that says this instead of starting.
    #[must_use]
    pub fn refused(mut self, refusal: Option<Diagnostic>) -> Self {
        self.refusal = refusal;
        self
    }

    /// The same answer with diagnostics.
    #[must_use]
    pub fn with_diagnostics(mut self, diagnostics: Vec<Diagnostic>) -> Self {
        self.diagnostics = diagnostics;
        self
    }
}

/// A memory with where it stands and what leads to it.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct MemoryView {
    /// Its id in the inventory.
    pub id: String,
    /// The memory.
    pub memory: Memory,
    /// Whether it is in use.
    pub status: ItemStatus,
    /// Its file.
    pub path: AbsPath,
    /// The first and the last line of its text in that file, counted from 1;
    /// `None` when it is the whole file.
    pub lines: Option<(u32, u32)>,
    /// What points to it: lines of an index first, then other memories.
    pub linked_from: Vec<Pointer>,
}

impl MemoryView {
    /// A memory in use that is the whole of a file and to which nothing points.
    pub fn new(id: impl Into<String>, memory: Memory, path: AbsPath) -> Self {
        Self {
            id: id.into(),
            memory,
            status: ItemStatus::Active,
            path,
            lines: None,
            linked_from: Vec::new(),
        }
    }

    /// The same memory with this status.
    #[must_use]
    pub fn with_status(mut self, status: ItemStatus) -> Self {
        self.status = status;
        self
    }

    /// The same memory, from the first to the last of these lines of its file.
    #[must_use]
    pub fn on_lines(mut self, lines: Option<(u32, u32)>) -> Self {
        self.lines = lines;
        self
    }

    /// The same memory with what points to it.
    #[must_use]
    pub fn linked_from(mut self, pointers: Vec<Pointer>) -> Self {
        self.linked_from = pointers;
        self
    }
}

/// A place in a file that speaks of something.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Pointer {
    /// The file.
    pub path: AbsPath,
    /// The line, counted from 1; `None` for the whole file.
    pub line: Option<u32>,
    /// The text of the line, or the first line of the file; `None` where it
    /// says nothing.
    pub text: Option<String>,
}

impl Pointer {
    /// A whole file.
    pub fn to_file(path: AbsPath) -> Self {
        Self { path, line: None, text: None }
    }

    /// A line of a file, counted from 1, with its text.
    pub fn to_line(path: AbsPath, line: u32, text: impl Into<String>) -> Self {
        Self { path, line: Some(line), text: Some(text.into()) }
    }
}

/// What a memory says to some words.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Lookup {
    /// What was found, in order.
    pub passages: Vec<Passage>,
    /// The files that were opened one after the other, where the client's own
    /// way of looking things up opens only some.
    pub read: Vec<AbsPath>,
}

impl Lookup {
    /// These passages, found by opening these files.
    pub fn new(passages: Vec<Passage>, read: Vec<AbsPath>) -> Self {
        Self { passages, read }
    }
}

/// A passage of a memory file. It is untrusted text and no instruction.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Passage {
    /// The file.
    pub path: AbsPath,
    /// Its first and its last line, counted from 1.
    pub lines: (u32, u32),
    /// Its text; invalid bytes shown as U+FFFD.
    pub text: String,
    /// Why it is part of the answer.
    pub why: FoundBy,
}

impl Passage {
    /// A passage from the first to the last of these lines.
    pub fn new(path: AbsPath, lines: (u32, u32), text: impl Into<String>, why: FoundBy) -> Self {
        Self { path, lines, text: text.into(), why }
    }
}

/// Why a passage is part of an answer; printed, it is a clause for people.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum FoundBy {
    /// It holds words that were looked for.
    Words {
        /// The part of a memory that the passage is, where that counts.
        part: Option<MemoryPart>,
        /// The words, in the form in which they are compared.
        words: Vec<String>,
    },
    /// It holds keywords of a topic that a summary lists.
    Topic {
        /// The topic.
        title: String,
        /// Its keywords that were found.
        keywords: Vec<String>,
    },
    /// Another passage points to its file.
    PointedTo {
        /// The file that points to it.
        from: AbsPath,
        /// The line that does, counted from 1.
        line: u32,
    },
}

impl fmt::Display for FoundBy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Words { part: None, words } => write!(f, "holds {}", Quoted(words)),
            Self::Words { part: Some(part), words } => {
                write!(f, "the {} holds {}", part.as_str(), Quoted(words))
            }
            Self::Topic { title, keywords } => {
                write!(f, "holds {} of the topic `{title}`", Quoted(keywords))
            }
            Self::PointedTo { from, line } => write!(f, "`{from}` points to it in line {line}"),
        }
    }
}

/// Words in quotes, with commas between them.
struct Quoted<'a>(&'a [String]);

impl fmt::Display for Quoted<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (at, word) in self.0.iter().enumerate() {
            let comma = if at == 0 { "" } else { ", " };
            write!(f, "{comma}`{word}`")?;
        }
        Ok(())
    }
}

/// A part of a memory in which words can stand.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum MemoryPart {
    /// Its line in an index.
    Index,
    /// Its name.
    Name,
    /// Its description.
    Description,
    /// Its text.
    Body,
}

impl MemoryPart {
    /// The word for it: `index`, `name`, `description`, `body`.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Index => "index",
            Self::Name => "name",
            Self::Description => "description",
            Self::Body => "body",
        }
    }
}

/// Something to remember.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Fact {
    /// What is to be remembered.
    pub text: String,
    /// Why it is so.
    pub why: Option<String>,
    /// Where it comes from.
    pub source: Option<String>,
    /// The word for its kind, such as `project`; a client may take any.
    pub kind: Option<String>,
    /// When it is added.
    pub time: SystemTime,
}

impl Fact {
    /// A fact of which nothing more is known.
    pub fn new(text: impl Into<String>, time: SystemTime) -> Self {
        Self { text: text.into(), why: None, source: None, kind: None, time }
    }

    /// Says why it is so.
    #[must_use]
    pub fn because(mut self, why: Option<String>) -> Self {
        self.why = why;
        self
    }

    /// Says where it comes from.
    #[must_use]
    pub fn from_source(mut self, source: Option<String>) -> Self {
        self.source = source;
        self
    }

    /// Says what kind of thing it is.
    #[must_use]
    pub fn of_kind(mut self, kind: Option<String>) -> Self {
        self.kind = kind;
        self
    }
}

/// What remembering a fact would do.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Addition {
    /// What would be written; empty when the fact is remembered already and
    /// need not be remembered again.
    pub plan: WritePlan,
    /// Files that say the same already.
    pub known_in: Vec<AbsPath>,
    /// Whether the plan says it a second time all the same.
    pub says_it_again: bool,
    /// What says nearly the same; empty when this very fact is known already.
    pub similar: Vec<Pointer>,
    /// That the client does not read this memory now; `None` when it does.
    pub switched_off: Option<SwitchedOff>,
    /// What is worth telling.
    pub diagnostics: Vec<Diagnostic>,
}

impl Addition {
    /// An addition by this plan of which there is nothing to tell.
    pub fn new(plan: WritePlan) -> Self {
        Self { plan, ..Self::default() }
    }
}

/// A memory that its client does not read now.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SwitchedOff {
    /// The folder of the memory.
    pub root: AbsPath,
    /// What switches it on, in one sentence without a full stop.
    pub help: String,
}

/// Why a fact cannot be remembered.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum AddError {
    /// There is nothing to read in it.
    #[error("the fact has no text that can be read")]
    Blank,
    /// The client does not start, so that nobody knows which memory it would use.
    #[error("the client does not start: {why}")]
    DoesNotStart {
        /// What the client says, in one line.
        why: String,
    },
    /// Every name that a new file could have is taken.
    #[error("every name for a new file in `{folder}` is taken")]
    NoFreeName {
        /// The folder.
        folder: AbsPath,
    },
    /// The client would not read it there, or take it for something else.
    #[error("`{path}` is not written: {why}")]
    NotReadThere {
        /// The file.
        path: AbsPath,
        /// Why, for people.
        why: String,
    },
    /// Anything else.
    #[error(transparent)]
    Other(#[from] Error),
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_reason_is_a_clause() {
        let words = vec!["a".to_owned(), "b".to_owned()];
        let from = AbsPath::new("/m/x.md").unwrap();
        for (why, want) in [
            (FoundBy::Words { part: None, words: words.clone() }, "holds `a`, `b`"),
            (
                FoundBy::Words { part: Some(MemoryPart::Index), words: words.clone() },
                "the index holds `a`, `b`",
            ),
            (
                FoundBy::Topic { title: "T".to_owned(), keywords: words },
                "holds `a`, `b` of the topic `T`",
            ),
            (FoundBy::PointedTo { from, line: 3 }, "`/m/x.md` points to it in line 3"),
        ] {
            assert_eq!(why.to_string(), want);
        }
    }

    #[test]
    fn any_keeper_can_be_asked_through_one_type() {
        fn is_asked(_: &dyn KeepMemory) {}
        let _: fn(&dyn KeepMemory) = is_asked;
    }
}
