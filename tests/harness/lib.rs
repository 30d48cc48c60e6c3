//! Recorded cases of the real clients as tests.
//!
//! A case is a fixture (a small tree, a command line) and what a client made of
//! it, the golden. [`cases`] finds all cases of a folder, whatever their format;
//! [`Case::run`] lays one out in memory or on a real disk, resolves it and
//! compares everything in the golden that the libraries can compute.
//!
//! # What is not compared
//!
//! - The client's own prose: base and developer instructions, permissions, the
//!   introduction of a skill listing (and with it `skills_total_chars`), the
//!   frame around a memory summary (`memory.chars`, `memory.paths`,
//!   `content_item_bytes`), descriptions of skills that come with the client,
//!   `preamble`, `texts`.
//! - What tools answer (`tool_results`), what a Bash tool leaves on disk, and where
//!   transcripts go. Of other tools' writes, all files in the golden are compared;
//!   files larger than 3,000 bytes by their size, as they were recorded; folders
//!   that the client makes are not.
//! - What Codex writes into its memory folders (`codex-memory/writer`): nothing
//!   computes it yet.
//! - What Codex's own importer makes of another client's files (`codex-import`): a
//!   port goes ways of its own, and only the memory it writes for Codex is compared.
//! - What hooks print: nothing runs them. That there is a hook, and that its text
//!   comes after the texts of the configuration, is compared.
//! - What a session is sent after a compaction or a tool's answer (`codex-session`).
//! - The exact exit code: a client that stops is told by its message.
//! - The order of items of different kinds beyond those that are modelled:
//!   memory, skills, instructions.
//!
//! # Worlds
//!
//! A case runs in two worlds. In memory every place has its recorded name. On
//! disk the tree lies in a temporary folder; where the recorded place is outside
//! of it (`/etc/codex`, `/home/u`) or the recorded user was not the one who runs
//! the tests, a [`Jail`] stands between. Lines of the fixture that call git are
//! always run on disk; for the memory world the result is read back.

mod case;
mod chroot;
mod claude_case;
mod claude_golden;
mod claude_memory_case;
mod claude_memory_golden;
mod claude_memory_session;
mod claude_slugs;
mod codex_agents_golden;
mod codex_case;
mod codex_golden;
mod codex_memory_case;
mod codex_session;
mod content;
mod difference;
mod jail;
mod place;
mod problem;
mod quirk_page;
mod random;
mod tree;

pub use case::{Case, WorldKind, cases};
pub use jail::Jail;
pub use problem::{Problem, Result};
pub use quirk_page::quirk_page;
pub use random::{Canary, RandomProject, Sight, first_seeds, seeds};
pub use tree::{Node, Tree};
