//! The AGENTS.md convention: which files of a repository a tool reads as
//! instructions, in which order, and what it cuts.
//!
//! Many tools follow it with small differences; each difference is a plain
//! field of [`Convention`].
//!
//! ```
//! use adapter_agents_md::{Convention, resolve};
//! use memory_core::{AbsPath, Env, World};
//! use memory_core::fs::MemFs;
//!
//! let fs = MemFs::from_files([
//!     ("/repo/.git/HEAD", "ref: refs/heads/main\n"),
//!     ("/repo/AGENTS.md", "Run the tests.\n"),
//!     ("/repo/api/AGENTS.md", "Keep the schema stable.\n"),
//! ]);
//! let env = Env::default();
//! let world = World { fs: &fs, env: &env };
//! let chain = resolve(world, &Convention::default(), &AbsPath::new("/repo/api")?);
//! let texts: Vec<_> = chain.loaded().map(|(_, loaded)| &*loaded.text).collect();
//! assert_eq!(texts, ["Run the tests.\n", "Keep the schema stable.\n"]);
//! # Ok::<(), memory_core::Error>(())
//! ```

mod candidate;
mod chain;
mod convention;
mod read;
mod root;

pub use chain::{resolve, resolve_dir};
pub use convention::{BlankFiles, Convention, Trim, UnreadableFiles, plain_name};
pub use root::{MarkerErrors, find_root};
