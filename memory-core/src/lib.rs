//! The neutral model of what coding agents remember and are told.
//!
//! A client reads instruction files, rules, skills and memories by rules of its
//! own. This crate holds what all of them have in common and knows none of
//! them: documents that come back byte for byte ([`Doc`]), the world a resolver
//! may look at ([`World`]), the chain of what is loaded and what is left out,
//! with the reason ([`InstructionChain`]), and the model types that adapters
//! read into ([`Bundle`]).
//!
//! ```
//! use memory_core::{AbsPath, Env, Fs, MemFs, Recorder, World};
//!
//! // A whole world in one literal; `OsFs` is the real one.
//! let fs = MemFs::from_files([("/repo/AGENTS.md", "Run the tests.\n")]);
//! let seen = Recorder::new(&fs);
//! let env = Env::with_home(AbsPath::new("/home/mio")?);
//! let world = World { fs: &seen, env: &env };
//!
//! let path = AbsPath::new("/repo/AGENTS.md")?;
//! assert_eq!(world.fs.read_up_to(&path, 64 * 1024).unwrap(), b"Run the tests.\n");
//! assert!(seen.probes().read.contains(&path));
//! # Ok::<(), memory_core::Error>(())
//! ```
//!
//! # Errors
//!
//! Reading answers with an [`Error`] only when there is no useful answer.
//! Everything that is odd about content is a [`Diagnostic`] with a stable code.

mod adapter;
mod budget;
mod chain;
mod digest;
mod doc;
mod error;
mod fs;
mod inventory;
mod likeness;
mod model;
mod omission;
mod path;
mod plan;
mod port;
mod quirk;
mod report;
mod skill_listing;
mod snapshot;
pub mod store;
mod text;
pub mod time;
mod words;
mod world;

pub use adapter::{Client, ResolveInstructions};
pub use budget::{Budget, BytesPerToken, Limit, Measure, Meter, TokenEstimate};
pub use chain::{
    ClientId, Cut, FileSize, InstructionChain, Layer, LayerKind, Loaded, Outcome, Provenance,
    Scope, Via, Why,
};
pub use digest::{Digest, NotADigest};
pub use doc::{Doc, DocEdit, Entry, Frontmatter, Section};
pub use error::{Error, IoError, IoErrorKind};
#[cfg(feature = "os")]
pub use fs::OsFs;
pub use fs::{
    CachedFs, DirEntries, DirEntry, FileKind, Fs, FsMut, Lock, LockWait, MAX_READ, MemFs, Metadata,
    NewFile, Overlay, Owner, Ownership, Probes, Recorder,
};
pub use inventory::{Item, ItemKind, ItemStatus};
pub use likeness::Likeness;
pub use model::{
    Applies, Bundle, Content, Dates, Fields, Instruction, Invocation, Link, Memory, MemoryKind,
    MemoryStore, Origin, PathPatterns, Reach, Rule, Skill, SkillExtra, SkillFile, SkillForm,
    SourceFile, StoreFile, Value,
};
pub use omission::Omission;
pub use path::{AbsPath, RelPath, name_from_bytes, name_to_bytes};
pub use plan::{
    Applied, Change, Journal, Recovered, Reversal, RunId, WritePlan, apply, apply_until_done,
    elision, reversals, undo,
};
pub use port::{
    Changed, Conflict, LowerBundle, LowerOptions, Lowered, MemoryAs, OverBudget, Placement, Port,
    PortPlace, PortRequest, ReadBundle, Side, Target, View, port,
};
pub use quirk::Quirk;
pub use report::{Code, Diagnostic, Loss, LossKind, LossReport, Parsed, Severity};
pub use skill_listing::{ListedSkill, OmittedSkill, SkillListing};
pub use snapshot::Snapshot;
pub use text::{LineIndex, Newline, Source, Span};
pub use words::{counted, grouped};
pub use world::{Env, World};
