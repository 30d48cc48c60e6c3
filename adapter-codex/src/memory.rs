//! Codex's memory: the trees `memories/` (v1) and `memories_v2/` (v2) as data, and
//! what of them a new thread is given.
//!
//! Reading keeps every byte and says where each piece stands; nothing here writes.

pub(crate) mod bullet;
mod citation;
mod diagnostics;
pub(crate) mod extension;
mod generated;
pub(crate) mod handbook;
mod header;
pub(crate) mod injection;
pub(crate) mod line;
mod neutral;
mod raw;
mod rejection;
pub(crate) mod rollout_summary;
pub(crate) mod source_ref;
pub(crate) mod stem;
pub(crate) mod summary;
mod thread_row;
pub(crate) mod topic;
pub(crate) mod tree;
pub(crate) mod version;
pub(crate) mod walk;

#[cfg(test)]
mod tests;

pub use bullet::Bullet;
pub use citation::{CitedPassage, CitedReply};
pub use extension::{Extension, ImportedProject, Note, PlainFile, Resource};
pub use generated::GeneratedFile;
pub use handbook::{Handbook, HandbookSection, HandbookSectionKind, Task, TaskGroup, TaskOutcome};
pub use header::ThreadHeader;
pub use line::Place;
pub use raw::{RawMemories, RawMemory};
pub use rejection::Rejection;
pub use rollout_summary::{RolloutSummary, RolloutTask};
pub use source_ref::SourceRef;
pub use stem::RolloutStem;
pub use summary::{SectionKind, Summary, SummarySection};
pub use thread_row::{MemoryMode, ThreadRow, ThreadSelection};
pub use topic::Topic;
pub use tree::{MemorySkill, MemoryTree, OtherFile, Unread};
pub use version::{DetectedVersion, VersionSign};
