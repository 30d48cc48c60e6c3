//! The odd behaviours of auto memory.

use memory_core::Quirk;

const BOTH: &[&str] = &["2.1.332", "2.1.197"];
const LATER: &[&str] = &["2.1.332"];
const EARLIER: &[&str] = &["2.1.197"];

const fn quirk(
    id: &'static str,
    versions: &'static [&'static str],
    case: &'static str,
    summary: &'static str,
) -> Quirk {
    Quirk { id, summary, versions, case }
}

/// The quirks of auto memory, in the order of the documentation.
pub(crate) const ALL: &[Quirk] = &[
    quirk(
        "claude/memory-shared-by-worktrees",
        BOTH,
        "loc-git-worktree",
        "A linked worktree uses the memory folder of its main checkout, while its transcripts have a folder of their own.",
    ),
    quirk(
        "claude/memory-of-bare-repository",
        BOTH,
        "loc-bare-worktree",
        "A worktree of a bare repository uses the memory folder of the bare repository's own path.",
    ),
    quirk(
        "claude/memory-forged-worktree",
        BOTH,
        "worktree-forged",
        "A `.git` file that leads into another repository is not followed unless that repository leads back to it.",
    ),
    quirk(
        "claude/memory-long-path-hash",
        BOTH,
        "long-path",
        "A project path of more than 200 UTF-16 units becomes its first 200 units, each odd one a `-`, and a hash of the whole path.",
    ),
    quirk(
        "claude/memory-refused-folder-decides",
        BOTH,
        "folder-refused-in-stronger-layer",
        "The strongest autoMemoryDirectory that is a text decides: one that is refused, such as a relative path, leads to the usual folder and not to a weaker setting.",
    ),
    quirk(
        "claude/memory-folder-from-project",
        BOTH,
        "proj-abs",
        "A project's own settings may move the memory folder anywhere, whether the project is trusted or not.",
    ),
    quirk(
        "claude/memory-zero-turns-on",
        BOTH,
        "disable-zero-beats-setting",
        "CLAUDE_CODE_DISABLE_AUTO_MEMORY=0 turns memory on although a setting turns it off.",
    ),
    quirk(
        "claude/memory-counts-utf16",
        BOTH,
        "jp25001",
        "The size limit of an index is 25,000 UTF-16 units: Japanese text may take three times as many bytes.",
    ),
    quirk(
        "claude/memory-short-line-before-huge-line",
        BOTH,
        "first-line-huge",
        "Whole lines go until the index fits, so that a short first line before a huge second one is all that loads; only a first line that is too long itself is cut in its middle.",
    ),
    quirk(
        "claude/memory-invisible-removed",
        LATER,
        "invisible",
        "Control, format, private, unassigned and other invisible characters are taken out of the index after its size was counted; every kind of line end becomes a line feed.",
    ),
    quirk(
        "claude/memory-line-separators-uncounted",
        LATER,
        "line-separators",
        "U+2028, U+2029 and a lone carriage return are shown as line ends but do not count as such for the limit of lines.",
    ),
    quirk(
        "claude/memory-frontmatter-vanishes",
        BOTH,
        "frontm",
        "Frontmatter and comment blocks are taken out of the index, and left in that of a sub-agent.",
    ),
    quirk(
        "claude/memory-frontmatter-ends-anywhere",
        BOTH,
        "frontmatter-ends-anywhere",
        "The frontmatter of an index ends at the first three dashes, even in the middle of a line; the rest of it becomes text.",
    ),
    quirk(
        "claude/memory-index-rebuilt",
        LATER,
        "synth-missing",
        "A missing index is written anew from the topic files at start, newest first.",
    ),
    quirk(
        "claude/memory-empty-index-hides",
        LATER,
        "synth-empty",
        "An empty index is not written anew: it keeps every topic out of the session.",
    ),
    quirk(
        "claude/memory-rebuild-skips-names",
        LATER,
        "rebuild-names",
        "A rebuilt index leaves out links, names with brackets or invisible characters, and everything below a folder named `team` or `logs` at any depth and in any case.",
    ),
    quirk(
        "claude/memory-names-lost",
        BOTH,
        "write-names",
        "When the client lays frontmatter out, a name keeps its ASCII letters and digits only: one in Japanese becomes empty.",
    ),
    quirk(
        "claude/memory-keys-moved",
        BOTH,
        "write-keys",
        "When the client lays frontmatter out, every key but name and description moves into `metadata`, and a description that is no text is dropped.",
    ),
    quirk(
        "claude/memory-marks-are-text",
        LATER,
        "write-doubtful-lines",
        "` # x`, `&x` and `!x` in an unquoted top-level value count as text when the client writes; where that is not possible it only stamps the time.",
    ),
    quirk(
        "claude/memory-three-dashes-protect",
        LATER,
        "write-three-dashes",
        "A topic with three dashes anywhere inside its frontmatter is written as it is given, without a stamp.",
    ),
    quirk(
        "claude/memory-unreadable-frontmatter-lost",
        EARLIER,
        "write-no-frontmatter",
        "Frontmatter that cannot be read is replaced by an empty name when the client writes: its text is lost.",
    ),
    quirk(
        "claude/memory-escapes-decoded",
        BOTH,
        "write-escapes",
        "`\\u3042` in what the model writes becomes the character it stands for.",
    ),
    quirk(
        "claude/memory-team-only-stamped",
        LATER,
        "write-team",
        "In the folder `team` of a memory folder only the time is stamped.",
    ),
    quirk(
        "claude/agent-memory-of-start-folder",
        LATER,
        "agent-from-repository-root",
        "A sub-agent's project memory lies in the start folder, even when the agent is defined in a folder above it.",
    ),
    quirk(
        "claude/agent-memory-not-rebuilt",
        BOTH,
        "agent-synth",
        "A sub-agent's missing index is not written anew, and its topics are not laid out.",
    ),
];
