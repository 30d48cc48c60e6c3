//! The odd behaviours of Codex, each with the recorded case that shows it.

pub(crate) mod memory;
pub(crate) mod skills;

use memory_core::Quirk;

/// The releases in which the quirks below were seen.
const SEEN: &[&str] = &["0.171.0"];

/// Declares quirks and their list.
macro_rules! quirks {
    ($($name:ident = $id:literal, $case:literal, $summary:literal;)*) => {
        $(
            pub(crate) const $name: Quirk =
                Quirk { id: $id, summary: $summary, versions: SEEN, case: $case };
        )*
        const OWN: &[Quirk] = &[$($name),*];
    };
}

quirks! {
    GLOBAL_FALLS_THROUGH = "codex/global-file-falls-through", "global-override-empty",
        "In the Codex home an empty or unreadable AGENTS.override.md is passed over and AGENTS.md is read; in a project folder the same file hides AGENTS.md.";
    EMPTY_FILE_HIDES = "codex/empty-file-hides", "override-whitespace-hides",
        "In a project folder existence decides, not content: an empty AGENTS.override.md hides AGENTS.md, an empty AGENTS.md hides the fallback names.";
    UNREADABLE_DROPS_CHAIN = "codex/unreadable-drops-chain", "unreadable-leaf",
        "One chosen project file that cannot be read drops all project files, those already read included, without a word.";
    LINK_LOOP_DROPS_CHAIN = "codex/link-loop-drops-chain", "x-l-loop-beyond-budget",
        "A chosen project file whose links go round in a circle drops all project files, even when the budget ended before it.";
    BUDGET_FAVOURS_ROOT = "codex/budget-favours-root", "budget-second-truncated",
        "The byte budget is spent from the root down, so the nearest and most specific files are cut or lost first.";
    CUT_INSIDE_CHARACTER = "codex/cut-inside-character", "budget-mid-char-3byte",
        "The budget cuts raw bytes; a character cut in two becomes one U+FFFD, so the text can be longer than the budget.";
    BLANK_AFTER_CUT_IS_FREE = "codex/blank-after-cut-is-free", "budget-cut-to-whitespace",
        "A file of which only white space fits into the budget is skipped and costs nothing.";
    UNTRUSTED_DROPS_INSTRUCTIONS = "codex/untrusted-drops-instructions", "cfg-untrusted-agents",
        "trust_level = \"untrusted\" removes every project AGENTS.md; a project without an entry is read in full.";
    UNTRUSTED_KEEPS_SKILLS = "codex/untrusted-keeps-skills", "skills-roots-realgit-untrusted",
        "Skills of an untrusted project are listed all the same.";
    CONFIG_NEEDS_TRUST = "codex/project-config-needs-trust", "cfg-project-unspecified",
        "A project's .codex/config.toml is ignored in silence until an entry in the user's configuration trusts the project.";
    EMPTY_GIT_FOLDER_IS_ROOT = "codex/empty-git-folder-is-root", "x-n-two-git-empty-inner",
        "For AGENTS.md an empty folder named .git marks the project root; for trust and configuration layers it does not count as a repository.";
    NO_CWD_IN_HEADER = "codex/header-without-folder", "global-only",
        "The heading of the instruction item names the start folder only when a project file is loaded.";
    CD_KEEPS_LINKS = "codex/cd-keeps-links", "x-t-C-link-sub",
        "With -C the folders above a link are those of the link, while a shell's cd leads to the folders above its target.";
    MARKERS_IGNORED_IN_PROJECT = "codex/markers-ignored-in-project", "cfg-project-markers-ignored",
        "project_root_markers in a project's own configuration has no effect.";
    FALLBACK_PATHS_IGNORED = "codex/fallback-paths-ignored", "fallback-subpath",
        "An entry of project_doc_fallback_filenames that is more than a plain file name is ignored in silence.";
    TYPES_CHECKED_AFTER_MERGE = "codex/types-checked-after-merge", "x-v-bad-user-good-cli",
        "A value of the wrong type stops the client only when no higher layer sets the key well.";
    PROMPT_INPUT_HAS_NO_MEMORY = "codex/prompt-input-has-no-memory", "order-kinds",
        "`codex debug prompt-input` never shows memory, whatever is switched on.";
    DISABLE_WINS = "codex/disable-wins", "arg-disable-then-enable",
        "--enable and --disable come after every -c, and --disable wins whatever their order.";
    OLD_FEATURE_NAME_WINS = "codex/old-feature-name-wins", "feat-old-name-wins",
        "features.memory_tool, the older name, wins over features.memories in the same configuration.";
    DISK_SELECTS_MEMORY = "codex/disk-selects-memory", "mem-version-by-disk",
        "Without memories.version the mere existence of a folder `memories` selects memory v1; creating one hides memory v2.";
    SUMMARY_LOSES_MIDDLE = "codex/summary-loses-middle", "v1-09-huge-summary",
        "A memory summary over 10,000 bytes keeps its first and last 5,000 bytes; the middle, where recent topics stand, is lost.";
    WORKTREE_POINTS_BACK = "codex/worktree-must-point-back", "worktree-moved-trusted",
        "A linked worktree inherits the trust of its main checkout only while the repository's record of it points back to it; a moved, copied or forged one is a folder of its own.";
    DENIED_OPTION = "codex/unknown-option-stops", "arg-unknown-option",
        "An option the client does not know stops it before anything is read.";
}

/// All quirks of Codex, in the order of the documentation.
pub fn quirks() -> impl Iterator<Item = &'static Quirk> {
    OWN.iter().chain(skills::ALL.iter().copied()).chain(memory::ALL.iter().copied())
}
