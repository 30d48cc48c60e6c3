//! The odd behaviours of Claude Code, each with the recorded case that shows it.

pub(crate) mod memory;

use memory_core::Quirk;

/// The releases in which most quirks were seen.
const BOTH: &[&str] = &["2.1.332", "2.1.197"];
const LATER: &[&str] = &["2.1.332"];

/// Declares quirks and their list.
macro_rules! quirks {
    ($($name:ident = $id:literal, $versions:expr, $case:literal, $summary:literal;)*) => {
        $(
            pub(crate) const $name: Quirk =
                Quirk { id: $id, summary: $summary, versions: $versions, case: $case };
        )*
        const OWN: &[Quirk] = &[$($name),*];
    };
}

quirks! {
    ROOT_IS_NOT_READ = "claude/root-is-not-read", BOTH, "a01-full-chain",
        "Every folder above the start folder is looked at, beyond the repository too, but not the root of the file system.";
    RULES_BEFORE_LOCAL = "claude/rules-before-local", BOTH, "d10-local-only-nested",
        "At start a folder's rules come before its CLAUDE.local.md, on touch after it.";
    RULE_ORDER_OF_FILE_SYSTEM = "claude/rule-order-of-file-system", BOTH, "c03-ancestor-rules",
        "Rules load in the order in which the file system lists them, not sorted by name.";
    EXTERNAL_IMPORT_DROPPED = "claude/external-import-dropped", BOTH, "g45-external-import-of-subfolder",
        "An import that leads out of the start folder, not out of the repository, is dropped without a word unless it was approved; the approval is noted for the repository's root.";
    NUL_IMPORT_DROPS_FILE = "claude/nul-import-drops-file", LATER, "g50-nul-import",
        "An import whose path holds a NUL makes the whole file vanish that names it, with all its other imports.";
    MANAGED_IMPORTS_NEED_APPROVAL = "claude/managed-imports-need-approval", BOTH, "g01-managed-external",
        "Managed files import nothing from outside the start folder, not even the file beside them; a person's own files import anything.";
    NO_APPROVAL_ON_TOUCH = "claude/no-approval-on-touch", BOTH, "g03-approval-on-touch",
        "The approval of imports from outside has no effect on what loads when a file is touched.";
    LINKED_RULE_NEEDS_APPROVAL = "claude/linked-rule-needs-approval", LATER, "g44-linked-rule-outside",
        "A rule that is a link to outside the start folder is dropped like an external import, while a linked CLAUDE.md is not.";
    IMPORT_ONCE_BY_DEPTH = "claude/import-once-by-depth", BOTH, "g46-four-hops",
        "A file is imported where the walk meets it first; met at the fourth hop it loses its own imports, even when the first file imports it too.";
    IMPORT_PUNCTUATION = "claude/import-punctuation", BOTH, "g48-import-punctuation",
        "Punctuation straight after an imported path is taken for a part of it, so that nothing is imported.";
    HIDDEN_RULE_IMPORTS = "claude/hidden-rule-imports", BOTH, "g47-hidden-rule-imports",
        "A rule whose paths do not match hides its text, but its imports load all the same.";
    IMPORT_WAITS_FOR_ITS_PATHS = "claude/import-waits-for-its-paths", LATER, "h50-imports-follow-their-own-paths",
        "A file that a rule imports waits for its own `paths`, whatever those of the rule are; one that CLAUDE.md imports loads at once.";
    TWO_SLASHES_ARE_NO_IMPORT = "claude/two-slashes-are-no-import", LATER, "h54-import-slashes",
        "A path that begins with two slashes is not imported; two slashes further on count as one.";
    FRONTMATTER_ENDS_ANYWHERE = "claude/frontmatter-ends-anywhere", BOTH, "c62-frontmatter-close",
        "Frontmatter ends at the first `---` anywhere, even in the middle of a line, which can turn a rule for some files into one for all.";
    FRONTMATTER_REPAIRED = "claude/frontmatter-repaired", BOTH, "g41-frontmatter-values-repaired",
        "Frontmatter that is no YAML is read again with doubtful values of `key: value` lines in quotes; keys with digits and lines that end in CRLF are not repaired.";
    LOST_PATHS_MAKE_GLOBAL = "claude/lost-paths-make-global", BOTH, "c60-frontmatter-leniency",
        "A rule whose frontmatter cannot be read, for one unquoted `- *.ts`, loads always.";
    PATTERN_FLOATS = "claude/pattern-floats", BOTH, "g49-floating-pattern",
        "`src/**` loses its end and then matches below every folder `src`, however deep.";
    GLOBS_ARE_GITIGNORE = "claude/globs-are-gitignore", BOTH, "c10-glob-00",
        "Patterns of rules mean what they mean in a .gitignore, without regard to case; `[!a]` is no negation.";
    SECOND_GLOBSTAR_IS_A_STAR = "claude/second-globstar-is-a-star", LATER, "h53-repeated-globstars",
        "Of `**/**/` at the beginning of a pattern only the first part may stand for no folder: the second is one folder.";
    BRACES_ARE_TEXTUAL = "claude/braces-are-textual", BOTH, "c50-glob2-01",
        "Braces in patterns are written out from the first `{` to the first `}`, nested or escaped ones too.";
    COMMENT_BLOCKS_VANISH = "claude/comment-blocks-vanish", BOTH, "b18-html-comments",
        "Comments that are blocks of their own vanish; those inside a line, a list, a quote or code stay.";
    COMMENTS_CHANGE_LINE_ENDS = "claude/comments-change-line-ends", BOTH, "b40-md-fm-comment-order",
        "A file with a comment block loses its CRLF line ends, any other keeps them.";
    BYTE_ORDER_MARK_KEEPS_COMMENT = "claude/byte-order-mark-keeps-comment", BOTH, "g05-byte-order-mark",
        "A byte order mark before a comment makes it a paragraph, which keeps it.";
    HTML_ENDS_LIST = "claude/html-ends-list", BOTH, "g16-html-after-list",
        "A line that begins with HTML ends a list, where CommonMark takes it for more of the item.";
    WORKTREE_SKIPS_MAIN_CHECKOUT = "claude/worktree-skips-main-checkout", BOTH, "a20-worktree-nested-untracked",
        "In a worktree inside its main checkout the main checkout's CLAUDE.md and rules are skipped, and its CLAUDE.local.md is not.";
    EXCLUDES_WANT_ABSOLUTE_PATHS = "claude/excludes-want-absolute-paths", BOTH, "a58-exclude-glob-forms",
        "`claudeMdExcludes` matches absolute paths only: relative patterns, `~` and bare folders do nothing, and managed files are immune.";
    EXCLUDES_MATCH_LINKS = "claude/excludes-match-links", LATER, "g12-excludes-rule-links",
        "An excluded link is excluded although the file is named by its real path.";
    ONE_CLAUDE_MD_BLOCKS_AGENTS_MD = "claude/one-claude-md-blocks-agents-md", LATER, "a36-agents-md-root-claude",
        "A CLAUDE.md or CLAUDE.local.md anywhere above the start folder turns off every AGENTS.md.";
    UNREAD_FILE_BLOCKS_AGENTS_MD = "claude/unread-file-blocks-agents-md", LATER, "g26-agents-md-blocked-by-unread",
        "A CLAUDE.local.md turns off AGENTS.md even where `--setting-sources` keeps it from being read.";
    MANAGED_ONLY_LOADS_ON_TOUCH = "claude/managed-only-loads-on-touch", LATER, "g29-managed-only-touch",
        "With `managed-only` files below the start folder still load on touch, but not what would have loaded at start.";
    LOCAL_SETTINGS_OF_ROOT = "claude/local-settings-of-root", LATER, "g30-local-settings-of-root",
        "settings.local.json is read in the repository's root too, settings.json in the start folder only.";
    ONE_WRONG_SETTING_DROPS_FILE = "claude/one-wrong-setting-drops-file", LATER, "g31-wrong-setting",
        "One value of the wrong kind drops a whole settings file; the managed one loses only that key.";
    BARE_DROPS_MANAGED = "claude/bare-drops-managed", BOTH, "a27-bare",
        "`--bare` loads nothing at all: not the organisation's files, not added folders.";
    ADDED_FOLDER_IGNORES_SOURCES = "claude/added-folder-ignores-sources", LATER, "a16-add-dir-env",
        "CLAUDE.md of an added folder loads whatever `--setting-sources` says.";
    ADDED_FOLDER_TRIGGERS_RULES = "claude/added-folder-triggers-rules", LATER, "g06-add-dir-rules",
        "A file of an added folder loads the rules of folders above the start folder, never its own.";
    TOUCH_NEEDS_BOTH_PATHS = "claude/touch-needs-both-paths", LATER, "g27-touch-through-links",
        "A touched file loads something only when it lies inside by its name and by its real path.";
    FAILED_READ_LOADS = "claude/failed-read-loads", LATER, "g04-failed-tools",
        "A Read that fails loads what belongs to the folder, an Edit that fails does not.";
    TOUCH_IS_NOT_TRIMMED = "claude/touch-is-not-trimmed", BOTH, "a11-leading-trailing-blank",
        "What loads at start is trimmed at both ends, what loads on touch is not.";
    SKILL_WITH_PATHS_WAITS = "claude/skill-with-paths-waits", BOTH, "e13-nested-skill-dyn",
        "A skill with `paths` is not listed until a file that they match is touched.";
    NESTED_SKILL_IGNORES_PATHS = "claude/nested-skill-ignores-paths", LATER, "g22-skills-of-folders",
        "A skill of a folder further down is listed as soon as the folder is touched, whatever its `paths` say.";
    USER_SKILL_BEATS_PROJECT_SKILL = "claude/user-skill-beats-project-skill", LATER, "e06-conflict",
        "Of two skills with one name the person's is listed and the project's is not, although a project's instructions come after the person's.";
    SKILL_OWN_NAME_BESIDE = "claude/skill-own-name-beside", LATER, "g17-skill-own-names",
        "A skill is listed under its folder's name; a `name` of its own stands in brackets, when no other skill has it.";
    PLUGIN_SWITCH_OF_PROJECT = "claude/plugin-switch-of-project", LATER, "h31-agents-plugin-off-in-project",
        "A project's settings can turn AGENTS.md off by `enabledPlugins`, although they have no say in how it is read.";
    APPROVAL_IS_TRUTHY = "claude/approval-is-truthy", LATER, "h36-approval-of-false-in-quotes",
        "Imports from outside are approved by any value that is true in the client's language, the text \"false\" too.";
    ADDED_TILDE_HIDES_SKILLS = "claude/added-tilde-hides-skills", LATER, "h40-added-home-folder",
        "Of a folder added as `~/d`, with the `~` left for the client, CLAUDE.md loads and skills do not.";
    SKILL_MENTIONS_TOUCH = "claude/skill-mentions-touch", LATER, "h61-skill-mentions-and-rules",
        "A skill that is used touches the files that its text mentions with `@`, in code and comments too, arguments filled in.";
    EXPLORE_GETS_NO_INSTRUCTIONS = "claude/explore-gets-no-instructions", BOTH, "h29-agents-parallel",
        "The agents Explore and Plan are given neither instructions nor the memory index; every other agent is given what the session had at its start.";
    AGENT_SKILLS_LEFT_OUT = "claude/agent-skills-left-out", LATER, "h07-agent-skills-which",
        "A skill that an agent's definition names is left out without a word when it is missing, waits for `paths` or is kept from the model.";
    SHELL_READS_LOAD = "claude/shell-reads-load", LATER, "f12-shell-sequences",
        "A shell command that only reads files loads what belongs to their folders, as the Read tool does; one part that the client does not know spoils the whole command.";
    DENIED_READ_HIDES = "claude/denied-read-hides", LATER, "h-deny-dr4",
        "`permissions.deny` with `Read(…)` takes a project's instruction files, rules and imports away, and never the person's or the organisation's.";
    COMMAND_FOLDER_IS_ONE_SKILL = "claude/command-folder-is-one-skill", LATER, "h-x-cmd4",
        "A SKILL.md below `commands/` makes its folder one skill and hides the other files of the folder, even where the skill itself is hidden.";
    HIDDEN_SKILL_KEEPS_ITS_NAME = "claude/hidden-skill-keeps-its-name", LATER, "h-x-names",
        "A hidden skill keeps others from showing the name that it gives itself; one that waits for files does not.";
    USE_DECIDES_WHO_IS_DESCRIBED = "claude/use-decides-who-is-described", BOTH, "g29-usage-many",
        "Where descriptions of skills do not all fit, those of the skills that were used most are shown, whatever the order of the listing.";
    BUDGET_IS_A_JAVASCRIPT_NUMBER = "claude/budget-is-a-javascript-number", BOTH, "h-skill-budget-odd",
        "`SLASH_COMMAND_TOOL_CHAR_BUDGET` is read as JavaScript reads a number, `0x64` and `1e2` too; a negative one leaves names only.";
    HALF_A_PAIR_IS_SHOWN = "claude/half-a-pair-is-shown", BOTH, "h-commands-more",
        "A description that is cut inside of a surrogate pair keeps half of it.";
    WIDE_CHARACTERS_COUNT_TWICE = "claude/wide-characters-count-twice", LATER, "g24-skill-budget-columns",
        "The listing of skills is measured in columns of a screen, so that Japanese descriptions cost twice as much.";
}

/// All quirks of Claude Code, in the order of the documentation.
pub fn quirks() -> impl Iterator<Item = &'static Quirk> {
    OWN.iter().chain(memory::ALL)
}
