//! Odd things that the client does with its memory trees.

use memory_core::Quirk;

const VERSIONS: &[&str] = &["0.171.0"];

/// The first line says nothing of the version.
pub(crate) const MARKER_IS_NO_VERSION: Quirk = Quirk {
    id: "codex/summary-marker-no-version",
    summary: "The summary of either tree begins with the line `v1`; a v2 summary that begins with `v2` is injected all the same, though the client would write it anew.",
    versions: VERSIONS,
    case: "v2-05-marker-v2",
};

/// Rollout summaries of nobody are deleted.
pub(crate) const FOREIGN_SUMMARIES_DELETED: Quirk = Quirk {
    id: "codex/foreign-summaries-deleted",
    summary: "Whenever the client works on a memory, it deletes every `.md` in `rollout_summaries` that belongs to none of the threads it has taken; files with another ending stay.",
    versions: VERSIONS,
    case: "v1-12-binary-written",
};

/// The name of a rollout summary hangs on the thread, not on its last change.
pub(crate) const SUMMARY_NAMED_BY_THREAD: Quirk = Quirk {
    id: "codex/summary-named-by-thread",
    summary: "A rollout summary is named by the time inside its thread's id, not by its last change, and its slug loses every character that is not ASCII: one in Japanese alone disappears.",
    versions: VERSIONS,
    case: "writer/all",
};

/// An old use evicts a fresh thread.
pub(crate) const OLD_USE_EVICTS: Quirk = Quirk {
    id: "codex/old-use-evicts",
    summary: "A thread that was cited once, longer ago than max_unused_days, is left out of the memory however lately it changed; one that was never cited counts by its last change.",
    versions: VERSIONS,
    case: "writer/top2",
};

/// Nothing is unused for no day.
pub(crate) const NO_DAYS_FORGET_ALL: Quirk = Quirk {
    id: "codex/no-days-forget-all",
    summary: "max_unused_days = 0 forgets everything.",
    versions: VERSIONS,
    case: "writer/unused0",
};

/// A line feed is text.
pub(crate) const LINE_FEED_IS_TEXT: Quirk = Quirk {
    id: "codex/line-feed-is-text",
    summary: "A thread whose summary is a single line feed is taken as one that has something to say; only blanks count as nothing.",
    versions: VERSIONS,
    case: "writer/all",
};

/// The cut happens before the row is stored.
pub(crate) const CUT_WHEN_STORED: Quirk = Quirk {
    id: "codex/v2-summary-cut-when-stored",
    summary: "A thread's summary for memory v2 is cut to 9,000 bytes when it is stored, not when its file is written: a longer row that is already there gives a longer file.",
    versions: VERSIONS,
    case: "writer/v2-long-summaries",
};

/// Ids are compared as they are written.
pub(crate) const IDS_AS_WRITTEN: Quirk = Quirk {
    id: "codex/thread-id-as-written",
    summary: "A row whose thread id is a UUID written otherwise than the client writes it (in upper case, say) is left out in silence; one whose id is no UUID stops the whole work.",
    versions: VERSIONS,
    case: "writer/odd-rows",
};

/// The client's own import of another client's memory switches a fresh home to v1.
pub(crate) const IMPORT_SWITCHES_VERSION: Quirk = Quirk {
    id: "codex/import-switches-version",
    summary: "Importing another client's memory writes it into both trees, unless `memories.version` is `v2` and there is no folder `memories`; in a fresh home without that setting this makes the folder, and with it switches the client to memory v1.",
    versions: VERSIONS,
    case: "codex-import/no-tree",
};

/// All of this page, in its order.
pub(crate) const ALL: &[&Quirk] = &[
    &MARKER_IS_NO_VERSION,
    &FOREIGN_SUMMARIES_DELETED,
    &SUMMARY_NAMED_BY_THREAD,
    &OLD_USE_EVICTS,
    &NO_DAYS_FORGET_ALL,
    &LINE_FEED_IS_TEXT,
    &CUT_WHEN_STORED,
    &IDS_AS_WRITTEN,
    &IMPORT_SWITCHES_VERSION,
];
