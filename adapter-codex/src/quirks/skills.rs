//! Odd things that the client does with skills.

use memory_core::Quirk;

const VERSIONS: &[&str] = &["0.171.0"];

/// A link named `SKILL.md` is no skill.
pub(crate) const LINKED_SKILL_FILE: Quirk = Quirk {
    id: "codex/skill-file-linked",
    summary: "A `SKILL.md` that is a link to a file is ignored, while a link to a skill's folder is followed.",
    versions: VERSIONS,
    case: "skills-symlink-file",
};

/// The name of the file is exact.
pub(crate) const SKILL_FILE_CASE: Quirk = Quirk {
    id: "codex/skill-file-case",
    summary: "Only the exact name `SKILL.md` counts; `skill.md` and `Skill.md` are ignored.",
    versions: VERSIONS,
    case: "skills-file-case",
};

/// A broken frontmatter loses the skill without a word.
pub(crate) const FRONTMATTER_DROPS_SKILL: Quirk = Quirk {
    id: "codex/skill-frontmatter-drops",
    summary: "A skill whose frontmatter is missing, has no description or is no YAML even after repairs is dropped in silence; so is one with an invalid byte anywhere in the file.",
    versions: VERSIONS,
    case: "skills-fm-invalid-utf8",
};

/// Prose in the frontmatter is read as prose.
pub(crate) const FRONTMATTER_REPAIRED: Quirk = Quirk {
    id: "codex/skill-frontmatter-repaired",
    summary: "When the frontmatter is no YAML, single-line values that hold a colon and a blank, or start like a list, a mapping, `@` or a backtick, are taken as plain text and the block is read again.",
    versions: VERSIONS,
    case: "skills-fm-desc-colon",
};

/// A long name is fatal.
pub(crate) const LONG_NAME_DROPS_SKILL: Quirk = Quirk {
    id: "codex/skill-name-too-long",
    summary: "A name of more than 64 characters drops the skill; the name of a plugin in front of it is not counted.",
    versions: VERSIONS,
    case: "skills-fm-name-65",
};

/// A long description is cut.
pub(crate) const LONG_DESCRIPTION_CUT: Quirk = Quirk {
    id: "codex/skill-description-long",
    summary: "A description of more than 1024 characters is shown as its first 1021 and three dots.",
    versions: VERSIONS,
    case: "skills-fm-desc-1025",
};

/// A broken policy file hides nothing.
pub(crate) const BROKEN_POLICY_SHOWS: Quirk = Quirk {
    id: "codex/skill-policy-ignored",
    summary: "One wrong value anywhere in `agents/openai.yaml` makes the whole file count for nothing, so that a skill it hides is listed.",
    versions: VERSIONS,
    case: "skills-yaml-bad-bool",
};

/// Names need not be unique.
pub(crate) const SAME_NAME_LISTED: Quirk = Quirk {
    id: "codex/skill-same-name",
    summary: "Skills with one name are all listed, a person's beside the bundled one too; only one real file found twice is listed once.",
    versions: VERSIONS,
    case: "skills-dup-name",
};

/// A path in the configuration names the file.
pub(crate) const CONFIG_NEEDS_FILE: Quirk = Quirk {
    id: "codex/skill-config-path",
    summary: "`path` in `[[skills.config]]` must name the `SKILL.md` itself; the path of the folder has no effect.",
    versions: VERSIONS,
    case: "skills-cfg-disable-dirpath",
};

/// Skills that do not fit are passed over.
pub(crate) const SHORTER_SKILL_PASSES: Quirk = Quirk {
    id: "codex/skill-shorter-passes",
    summary: "When not even the bare lines fit, a line that does not fit is passed over and later, shorter ones are still listed; the model is not told that any are missing.",
    versions: VERSIONS,
    case: "skills-budget-skip-long",
};

/// Names that a URI cannot carry.
pub(crate) const FOLDER_NAMES: Quirk = Quirk {
    id: "codex/skill-folder-names",
    summary: "A folder with a tab or a line break in its name is not found, and a backslash in a name is shown to the model as a slash.",
    versions: VERSIONS,
    case: "skills-folder-names",
};

/// Short paths are not always used.
pub(crate) const WHOLE_PATHS: Quirk = Quirk {
    id: "codex/skill-whole-paths",
    summary: "Where naming the roots costs more than it saves, the list shows whole paths and no table of roots, so that the answer depends on the length of the folder's own path.",
    versions: VERSIONS,
    case: "skills-many-roots",
};

/// The order of the list is not the order of the roots.
pub(crate) const LIST_ORDER: Quirk = Quirk {
    id: "codex/skill-order",
    summary: "The list goes bundled, machine, project, person, and by name within; the short names of the roots follow the order of the search instead.",
    versions: VERSIONS,
    case: "skills-system-and-others-order",
};

/// The walk ends at a limit.
pub(crate) const WALK_LIMITS: Quirk = Quirk {
    id: "codex/skill-walk-limit",
    summary: "Below one root the client looks six folders deep, into 2000 folders, at 20000 names and at 4 MiB of paths; what comes later in the order of names is not found.",
    versions: VERSIONS,
    case: "skills-walk-2000-dirs",
};

/// A plugin's manifest puts its name in front.
pub(crate) const PLUGIN_PREFIX: Quirk = Quirk {
    id: "codex/skill-plugin-prefix",
    summary: "The nearest folder above a skill with a readable `.codex-plugin`, `.claude-plugin` or `.cursor-plugin` manifest puts that plugin's name and a colon in front of the skill's.",
    versions: VERSIONS,
    case: "plugin-skill-local",
};

/// All of them.
pub(crate) const ALL: &[&Quirk] = &[
    &LINKED_SKILL_FILE,
    &SKILL_FILE_CASE,
    &FRONTMATTER_DROPS_SKILL,
    &FRONTMATTER_REPAIRED,
    &LONG_NAME_DROPS_SKILL,
    &LONG_DESCRIPTION_CUT,
    &BROKEN_POLICY_SHOWS,
    &SAME_NAME_LISTED,
    &CONFIG_NEEDS_FILE,
    &SHORTER_SKILL_PASSES,
    &WHOLE_PATHS,
    &LIST_ORDER,
    &WALK_LIMITS,
    &PLUGIN_PREFIX,
    &FOLDER_NAMES,
];
