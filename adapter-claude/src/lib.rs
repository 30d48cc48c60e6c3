//! What Claude Code loads, why, and what it leaves out; and what it remembers.
//!
//! # A tour
//!
//! [`Claude::resolve`] answers what one start is given. It reads settings and
//! arguments as the client does, then the instruction files with their imports,
//! the rules, the skills and the memory index, and returns a [`Resolution`]. What
//! is left out stands in its place in the chain, with the reason. What stops the
//! client is an answer too: [`Resolution::refusal`]. A [`Query`] may go on with
//! uses of tools; [`Resolution::steps`] then says what each step brings along.
//!
//! [`Store`] is a memory directory as data: [`Claude::store`] keeps every byte,
//! [`Claude::plan_add`] remembers a fact as the client itself would, and
//! [`Claude::plan_relocate`] keeps the memory of a project that moves.
//! [`Claude::inventory`], [`Claude::show`] and [`Claude::lookup`] look at what is
//! kept for a start, and [`Claude::doctor`] at what is wrong with it.
//!
//! [`Claude`] also implements [`ReadBundle`](memory_core::port::ReadBundle) and
//! [`LowerBundle`](memory_core::port::LowerBundle): it can be the source and the target
//! of a port.
//!
//! The limits of a release are data, see [`Profile`]; its odd behaviours are
//! listed by [`quirks`], each with the recorded case that shows it.
//!
//! # Example
//!
//! ```
//! use adapter_claude::{Claude, Query, ToolUse};
//! use memory_core::{AbsPath, Env, World};
//! use memory_core::fs::MemFs;
//!
//! let fs = MemFs::from_files([
//!     ("/home/mio/.claude/CLAUDE.md", "Answer in Japanese.\n"),
//!     ("/repo/.git/HEAD", "ref: refs/heads/main\n"),
//!     ("/repo/CLAUDE.md", "Run the tests.\n"),
//!     ("/repo/.claude/rules/api.md", "---\npaths: src/api/**\n---\nValidate input.\n"),
//!     ("/repo/src/api/user.ts", ""),
//! ]);
//! let env = Env::with_home(AbsPath::new("/home/mio")?);
//! let read = ToolUse::new("Read", serde_json::json!({ "file_path": "/repo/src/api/user.ts" }));
//! let query = Query::new(AbsPath::new("/repo")?).with_steps(vec![vec![read]]);
//! let resolution = Claude::default().resolve(World { fs: &fs, env: &env }, &query)?;
//! let loaded: Vec<_> = resolution.chain.loaded().map(|(_, loaded)| &*loaded.text).collect();
//! assert_eq!(loaded, ["Answer in Japanese.", "Run the tests."]);
//! let rule = resolution.steps[0].loads[0].provenance.path.as_ref().unwrap();
//! assert_eq!(rule.as_str(), "/repo/.claude/rules/api.md");
//! # Ok::<(), memory_core::Error>(())
//! ```

mod agents;
mod claude;
mod context;
mod diagnose;
mod instructions;
mod memory;
mod port;
mod profile;
mod quirks;
mod resolution;
mod rules;
mod settings;
mod skills;
mod store;
mod text;

pub use claude::{Claude, Query, ToolUse};
pub use memory::{MemoryProfile, Stamp, TopicEdit};
pub use profile::{CLIENT, Profile, SkillProfile};
pub use quirks::quirks;
pub use resolution::{
    AgentMemory, AgentStart, IndexCut, MemoryIndex, PreloadedSkill, RebuiltIndex, Resolution, Step,
    TopicCount,
};
pub use store::{
    Addition, ArchiveReason, HistoryEvent, HistoryKind, Hit, HitReason, IndexEntry, IndexFile,
    IndexLine, IndexPart, MemoryEdit, MemoryView, Mention, NewMemory, RelocateRefusal, Relocation,
    Similar, Store, StorePlace, TopicFile, TopicLayout,
};
