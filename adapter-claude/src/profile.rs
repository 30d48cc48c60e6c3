//! What may differ between releases of the client, as data.

use memory_core::ClientId;

use crate::memory::MemoryProfile;

/// The client this crate speaks of.
pub const CLIENT: ClientId = ClientId("claude-code");

/// The sub-agents that come with both releases.
const BUILTIN_AGENTS: &[(&str, bool)] = &[
    ("general-purpose", true),
    ("claude", true),
    ("statusline-setup", true),
    ("Explore", false),
    ("Plan", false),
];

/// The limits and switches of one Claude Code release.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
#[expect(clippy::struct_excessive_bools, reason = "each is one independent behaviour of a release")]
pub struct Profile {
    /// Name of the release: `claude-code@2.1.332`.
    pub name: &'static str,
    /// Whether AGENTS.md is read where no CLAUDE.md is.
    pub reads_agents_md: bool,
    /// Whether Write, Edit and a Read that fails load what belongs to the file's
    /// folder; otherwise only a Read that succeeds does.
    pub every_file_tool_loads: bool,
    /// Whether a shell command that only reads files loads what a Read of them loads.
    pub shell_reads_load: bool,
    /// Whether rules of a main checkout wait for files that a worktree inside it touches.
    pub main_checkout_rules_load_on_touch: bool,
    /// Whether `permissions.deny` takes instruction files away that may not be read.
    pub denied_reads_hide: bool,
    /// Whether a byte order mark may stand before frontmatter.
    pub frontmatter_after_bom: bool,
    /// Whether `settings.local.json` in the repository's root counts in all its folders.
    pub local_settings_of_root: bool,
    /// Whether an import lies outside when its real path does; otherwise its name decides.
    pub imports_lie_where_they_lead: bool,
    /// Whether `claudeMdExcludes` looks at the link by which a rule is found.
    pub excludes_match_links: bool,
    /// Whether a linked rule that leads outside needs the approval that imports need.
    pub linked_rules_need_approval: bool,
    /// Sub-agents that come with the client, and whether they are given what the session was given.
    pub builtin_agents: &'static [(&'static str, bool)],
    /// Whether `omitClaudeMd` in an agent's definition counts.
    pub agents_may_omit_instructions: bool,
    /// How skills are read and listed.
    pub skills: SkillProfile,
    /// Auto memory.
    pub memory: MemoryProfile,
}

/// How one release reads and lists skills.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
#[expect(clippy::struct_excessive_bools, reason = "each is one independent behaviour of a release")]
pub struct SkillProfile {
    /// Whether a `name:` of its own is shown beside the folder's name.
    pub shows_own_name: bool,
    /// Whether line breaks of a description become blanks, and `<` and `>` are escaped.
    pub cleans_descriptions: bool,
    /// Whether `yes`, `on` and `1` count as true.
    pub accepts_yes: bool,
    /// Whether a worktree without skills of its own has those of the main checkout.
    pub uses_main_checkout: bool,
    /// Whether a step that loads instructions tells only in the next step which
    /// skills its folders have, unless something else changes the listing.
    pub late_beside_items: bool,
    /// Whether only one of several skills with the same name is listed.
    pub unique_names: bool,
    /// The longest description, in UTF-16 units.
    pub max_description: usize,
    /// Length of the listing's part for skills that come with the client, in UTF-16 units.
    pub bundled_units: usize,
    /// The same where the bundled skills are turned off and only a built-in plugin
    /// has one: its line up to the description, and the description.
    pub builtin_units: (usize, usize),
    /// How much text the model takes in when none is named, in UTF-16 units.
    pub default_window: u32,
    /// How much a model takes in that is named and of which nothing else is known.
    pub named_model_window: u32,
    /// How much models take in whose name holds one of these texts; the first one counts.
    pub model_windows: &'static [(&'static str, u32)],
    /// The part of it that the listing may fill where settings say nothing.
    pub budget_percent: u8,
    /// Whether workflows of the same name as a skill give way to it.
    pub skills_hide_workflows: bool,
}

impl SkillProfile {
    /// How long the listing may be for a model, in UTF-16 units; without a model
    /// the client chooses one, without a fraction the release has its own.
    pub fn budget(&self, model: Option<&str>, fraction: Option<f64>) -> f64 {
        let window = match model {
            None => self.default_window,
            Some(model) => {
                let known = self.model_windows.iter().find(|(part, _)| model.contains(part));
                known.map_or(self.named_model_window, |(_, window)| *window)
            }
        };
        match fraction {
            Some(fraction) => f64::from(window) * fraction,
            None => f64::from(window) * f64::from(self.budget_percent) / 100.0,
        }
    }
}

impl Profile {
    /// Claude Code 2.1.332.
    pub const CLAUDE_2_1_332: Self = Self {
        name: "claude-code@2.1.332",
        reads_agents_md: true,
        every_file_tool_loads: true,
        shell_reads_load: true,
        denied_reads_hide: true,
        main_checkout_rules_load_on_touch: false,
        frontmatter_after_bom: true,
        local_settings_of_root: true,
        imports_lie_where_they_lead: true,
        excludes_match_links: true,
        linked_rules_need_approval: true,
        builtin_agents: BUILTIN_AGENTS,
        agents_may_omit_instructions: true,
        skills: SkillProfile {
            shows_own_name: true,
            cleans_descriptions: true,
            accepts_yes: true,
            uses_main_checkout: true,
            late_beside_items: false,
            unique_names: true,
            max_description: 1536,
            bundled_units: 6210,
            builtin_units: (20, 255),
            default_window: 3_000_000,
            named_model_window: 3_000_000,
            model_windows: &[
                ("[1m]", 4_000_000),
                ("haiku-4-5", 800_000),
                ("sonnet-4-5", 800_000),
                ("sonnet-4-6", 800_000),
                ("opus-4-5", 800_000),
                ("opus-4-6", 800_000),
                ("3-5-haiku", 800_000),
            ],
            budget_percent: 1,
            skills_hide_workflows: true,
        },
        memory: MemoryProfile::CLAUDE_2_1_332,
    };

    /// Claude Code 2.1.197.
    pub const CLAUDE_2_1_197: Self = Self {
        name: "claude-code@2.1.197",
        reads_agents_md: false,
        every_file_tool_loads: false,
        shell_reads_load: false,
        denied_reads_hide: false,
        main_checkout_rules_load_on_touch: true,
        frontmatter_after_bom: false,
        local_settings_of_root: false,
        imports_lie_where_they_lead: false,
        excludes_match_links: false,
        linked_rules_need_approval: false,
        builtin_agents: BUILTIN_AGENTS,
        agents_may_omit_instructions: false,
        skills: SkillProfile {
            shows_own_name: false,
            cleans_descriptions: false,
            accepts_yes: false,
            uses_main_checkout: false,
            late_beside_items: true,
            unique_names: false,
            max_description: 1536,
            bundled_units: 4453,
            builtin_units: (0, 0),
            default_window: 3_000_000,
            named_model_window: 600_000,
            model_windows: &[
                ("[1m]", 4_000_000),
                ("haiku", 800_000),
                ("sonnet-4-5", 800_000),
                ("sonnet-4-6", 800_000),
                ("opus-4-5", 800_000),
            ],
            budget_percent: 1,
            skills_hide_workflows: false,
        },
        memory: MemoryProfile::CLAUDE_2_1_197,
    };

    /// The known releases, newest first.
    pub const ALL: &'static [Self] = &[Self::CLAUDE_2_1_332, Self::CLAUDE_2_1_197];

    /// The release of this name, or `None` when it is not known.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.iter().find(|profile| profile.name == name).cloned()
    }
}

impl Default for Profile {
    fn default() -> Self {
        Self::CLAUDE_2_1_332
    }
}
