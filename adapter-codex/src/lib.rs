//! What Codex loads, why, and what it leaves out; and what it remembers.
//!
//! # A tour
//!
//! [`Codex::resolve`] answers what one start is given. It reads the
//! configuration as the client does, then the instruction files, the skills and
//! the memory, and returns a [`Resolution`]. What is left out stands in its place
//! in the chain, with the reason. A configuration that stops the client is an
//! answer too: [`Resolution::refusal`].
//!
//! [`MemoryTree`] is one of the two memory directories as data:
//! [`MemoryTree::read`] keeps every byte and says where each piece stands,
//! [`MemoryTree::lookup`] searches it on the client's own way,
//! [`MemoryTree::new_note`] is the one addition that the client sanctions, and
//! [`WriteVerdict::of`] says what would become of any other write.
//! [`Codex::inventory`], [`Codex::show`] and [`Codex::doctor`] look at everything
//! that is kept for a start.
//!
//! [`Codex`] also implements [`ReadBundle`](memory_core::port::ReadBundle) and
//! [`LowerBundle`](memory_core::port::LowerBundle): it can be the source and the target
//! of a port.
//!
//! The limits of a release are data, see [`Profile`]; its odd behaviours are
//! listed by [`quirks`], each with the recorded case that shows it.
//!
//! # Example
//!
//! ```
//! use adapter_codex::{Codex, Query};
//! use memory_core::{AbsPath, Env, World};
//! use memory_core::fs::MemFs;
//!
//! let fs = MemFs::from_files([
//!     ("/home/mio/.codex/AGENTS.md", "Answer in Japanese.\n"),
//!     ("/repo/.git/HEAD", "ref: refs/heads/main\n"),
//!     ("/repo/AGENTS.md", "Run the tests.\n"),
//! ]);
//! let env = Env::with_home(AbsPath::new("/home/mio")?);
//! let query = Query::new(AbsPath::new("/repo")?);
//! let resolution = Codex::default().resolve(World { fs: &fs, env: &env }, &query)?;
//! assert_eq!(
//!     resolution.instructions.unwrap(),
//!     "# AGENTS.md instructions for /repo\n\n<INSTRUCTIONS>\n\
//!      Answer in Japanese.\n\n--- project-doc ---\n\nRun the tests.\n\n</INSTRUCTIONS>",
//! );
//! # Ok::<(), memory_core::Error>(())
//! ```

mod agents;
mod codex;
mod config;
mod diagnose;
mod instructions;
mod later;
mod memory;
mod port;
mod profile;
mod quirks;
mod resolution;
mod skills;
mod store;

pub use agents::CustomAgent;
pub use codex::{Codex, Query};
pub use later::{LaterKind, LaterText};
pub use memory::{
    Bullet, CitedPassage, CitedReply, DetectedVersion, Extension, GeneratedFile, Handbook,
    HandbookSection, HandbookSectionKind, ImportedProject, MemoryMode, MemorySkill, MemoryTree,
    Note, OtherFile, Place, PlainFile, RawMemories, RawMemory, Rejection, Resource, RolloutStem,
    RolloutSummary, RolloutTask, SectionKind, SourceRef, Summary, SummarySection, Task, TaskGroup,
    TaskOutcome, ThreadHeader, ThreadRow, ThreadSelection, Topic, Unread, VersionSign,
};
pub use profile::{CLIENT, Profile};
pub use quirks::quirks;
pub use resolution::{MemoryInjection, MemoryVersion, MiddleCut, Resolution};
pub use store::{
    FoundBy, Lookup, MemoryView, NewNote, NoteRefusal, Passage, WriteRefusal, WriteVerdict,
};
