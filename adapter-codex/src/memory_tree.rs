//! Codex's memory trees as data: `memories/` (v1) and `memories_v2/` (v2).
//!
//! Reading keeps every byte and says where each piece stands; nothing here
//! writes. What the client puts into a new thread is another matter: see
//! `memory.rs`.

mod acceptance;
mod bullet;
mod citation;
mod civil;
mod extension;
mod generated;
mod handbook;
mod header;
mod keyword;
mod line;
mod lookup;
mod neutral;
mod note;
mod place;
mod raw;
mod rollout;
mod source_ref;
mod stem;
mod summary;
mod thread_row;
mod told;
mod topic;
mod tree;
mod uuid;
mod version;
mod walk;
mod write_rule;

pub use acceptance::{Rejection, rejections};
pub use bullet::Bullet;
pub use citation::{CitedPassage, CitedReply, count_citations};
pub use extension::{Extension, ImportedProject, Note, PlainFile, Resource};
pub use generated::{GeneratedFile, generated_files, pruned_summaries, stored_rollout_summary};
pub use handbook::{Handbook, HandbookSection, HandbookSectionKind, Task, TaskGroup, TaskOutcome};
pub use header::ThreadHeader;
pub use lookup::{FoundBy, Lookup, Passage, lookup, lookup_notes};
pub use note::{NewNote, NoteRefusal, new_note};
pub use place::Place;
pub use raw::{RawMemories, RawMemory};
pub use rollout::{RolloutSummary, RolloutTask};
pub use source_ref::SourceRef;
pub use stem::{RolloutStem, rollout_stem};
pub use summary::{SectionKind, Summary, SummarySection};
pub use thread_row::{MemoryMode, ThreadRow, ThreadSelection};
pub use topic::Topic;
pub use tree::{MemorySkill, MemoryTree, OtherFile, Unread};
pub use version::{DetectedVersion, VersionSign, detect_version};
pub use write_rule::{WriteRefusal, WriteVerdict, version_in_force, write_verdict};

use civil::Civil;

#[cfg(test)]
mod tests;
