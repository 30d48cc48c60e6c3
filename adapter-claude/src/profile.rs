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
    /// The same where the bundled skills are turned off and only built-in plugins have some.
    pub builtin_units: usize,
    /// How long the listing may be, in UTF-16 units, when no model is named.
    pub default_budget: usize,
    /// How long the listing may be for a model that is named and of which nothing else is known.
    pub named_model_budget: usize,
    /// How long it may be for models whose name holds one of these texts; the first one counts.
    pub model_budgets: &'static [(&'static str, usize)],
}

impl SkillProfile {
    /// How long the listing may be for a model, in UTF-16 units; `None` is the client's own choice.
    pub fn budget(&self, model: Option<&str>) -> usize {
        let Some(model) = model else { return self.default_budget };
        let known = self.model_budgets.iter().find(|(part, _)| model.contains(part));
        known.map_or(self.named_model_budget, |(_, budget)| *budget)
    }
}

impl Profile {
    /// Claude Code 2.1.332.
    pub const CLAUDE_2_1_332: Self = Self {
        name: "claude-code@2.1.332",
        reads_agents_md: true,
        every_file_tool_loads: true,
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
            builtin_units: 275,
            default_budget: 30_000,
            named_model_budget: 30_000,
            model_budgets: &[
                ("[1m]", 40_000),
                ("haiku-4-5", 8000),
                ("sonnet-4-5", 8000),
                ("sonnet-4-6", 8000),
                ("opus-4-5", 8000),
                ("3-5-haiku", 8000),
            ],
        },
        memory: MemoryProfile::CLAUDE_2_1_332,
    };

    /// Claude Code 2.1.197.
    pub const CLAUDE_2_1_197: Self = Self {
        name: "claude-code@2.1.197",
        reads_agents_md: false,
        every_file_tool_loads: false,
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
            builtin_units: 0,
            default_budget: 30_000,
            named_model_budget: 6000,
            model_budgets: &[
                ("[1m]", 40_000),
                ("haiku", 8000),
                ("sonnet-4-5", 8000),
                ("sonnet-4-6", 8000),
                ("opus-4-5", 8000),
            ],
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
