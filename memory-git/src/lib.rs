//! A git revision as a file system, without checking anything out.
//!
//! [`Repository`] finds the repository around a directory and names its
//! [`Revision`]s. [`RevisionFs`] is an [`Fs`](memory_core::fs::Fs) that shows the
//! work tree as one revision has it: files that git keeps come from the
//! revision, everything else (ignored files, the home, directories above) is as
//! it is on the disk. A resolver that is given it says what a client would load
//! after a checkout of that revision. Work tree, index and refs are only read.
//!
//! ```no_run
//! use memory_core::AbsPath;
//! use memory_core::fs::{Fs, OsFs};
//! use memory_git::{Repository, RevisionFs};
//!
//! let repository = Repository::around(&AbsPath::new("/repo/web")?, &OsFs)?;
//! let before = repository.revision("HEAD~1")?;
//! let fs = RevisionFs::new(&repository, &before, &OsFs)?;
//! let text = fs.read_up_to(&repository.root().join("AGENTS.md"), 32 * 1024);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! This crate and `OsFs` are the two doors to the disk. It starts no program,
//! runs no filter and no hook, and fetches nothing.

mod ignored;
mod repository;
mod revision_fs;
mod tree;

pub use repository::{GitError, Repository, Revision};
pub use revision_fs::RevisionFs;
