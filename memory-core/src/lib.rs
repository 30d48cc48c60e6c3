//! The neutral model of what coding agents remember and are told.
//!
//! A client reads instruction files, rules, skills and memories by rules of its
//! own. This crate holds what all of them have in common and knows none of
//! them.
//!
//! # A tour
//!
//! - A [`World`] is all that a resolver may look at: a file system
//!   ([`fs::Fs`]; [`fs::OsFs`] is the real one, [`fs::MemFs`] one in memory) and
//!   an [`Env`]. An [`AbsPath`] keeps any name of a file.
//! - An adapter answers with an [`InstructionChain`]: [`Layer`]s in the order in
//!   which the model sees them, those that are left out in their place with an
//!   [`Omission`], and [`Diagnostic`]s. A [`Snapshot`] pins an answer down.
//! - [`doc`] holds documents that come back byte for byte and change only where
//!   an edit says so; [`model`] what they mean, in no client's words.
//! - [`store`] is what a client that keeps memory must answer; [`plan`] is what
//!   would be written, and the one place that writes, undoes and recovers;
//!   [`port`] carries what one client keeps to another.
//!
//! ```
//! use memory_core::{AbsPath, Env, World};
//! use memory_core::fs::{Fs, MemFs, Recorder};
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

mod budget;
mod chain;
mod client;
mod digest;
pub mod doc;
mod error;
pub mod fs;
mod inventory;
pub mod model;
mod names;
mod omission;
mod path;
pub mod plan;
pub mod port;
mod report;
mod similarity;
mod skill_listing;
mod snapshot;
pub mod store;
mod text;
pub mod time;
mod words;
mod world;

pub use budget::{Budget, BytesPerToken, Limit, Measure, Meter, TokenEstimate};
pub use chain::{
    Cut, FileSize, InstructionChain, Layer, LayerKind, Loaded, Outcome, Provenance,
    ResolveInstructions, Scope, TakenOut, Via, Why,
};
pub use client::{Client, ClientId, Quirk};
pub use digest::{Digest, NotADigest};
pub use error::{Error, PathRole};
pub use omission::Omission;
pub use path::{AbsPath, NotAbsolute, RelPath};
pub use report::{Code, Diagnostic, Parsed, Severity};
pub use skill_listing::{ListedSkill, OmittedSkill, SkillListing};
pub use snapshot::{MemoryGiven, Redacted, Resolved, Snapshot};
pub use words::{counted, grouped};
pub use world::{Env, World};
