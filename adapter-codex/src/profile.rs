//! What may differ between releases of the client, as data.

mod features;

use memory_core::ClientId;

/// The client this crate speaks of.
pub const CLIENT: ClientId = ClientId("codex");

/// The limits and switches of one Codex release.
///
/// Every field was seen on the release's own binary; [`Profile::default`] is
/// the newest known one.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Profile {
    /// Name of the release: `codex@0.171.0`.
    pub name: &'static str,
    /// Bytes of project instructions when `project_doc_max_bytes` is not set.
    pub project_doc_max_bytes: u64,
    /// Longest skill name in characters.
    pub skill_name_max_chars: usize,
    /// Longest skill description in characters; a longer one is cut.
    pub skill_description_max_chars: usize,
    /// How many folders below a root a skill may lie.
    pub skill_max_depth: usize,
    /// Directories looked at below one root, at most.
    pub skill_max_dirs: usize,
    /// Entries looked at below one root, at most.
    pub skill_max_entries: usize,
    /// Bytes of the paths looked at below one root, at most, as `file:` URIs.
    pub skill_walk_max_bytes: usize,
    /// Bytes that each of these paths counts beside its own.
    pub skill_walk_entry_bytes: usize,
    /// Longest skill name in characters with the plugin's name in front.
    pub skill_qualified_name_max_chars: usize,
    /// The skills that come with the client and are listed: folder name, which
    /// is the skill's name too, and characters of its description, all ASCII.
    pub bundled_skills: &'static [(&'static str, u64)],
    /// Tokens of the skill listing when neither a limit nor a context window is set.
    pub skill_listing_tokens: u64,
    /// Largest value of `skills.max_context_tokens` that has an effect.
    pub skill_listing_tokens_cap: u64,
    /// Share of the context window that the skill listing may take, in percent.
    pub skill_listing_window_percent: u64,
    /// Length in bytes of the listing's introduction when roots have short names.
    pub skill_intro_aliased_bytes: u64,
    /// Length in bytes of the listing's introduction when paths are absolute.
    pub skill_intro_absolute_bytes: u64,
    /// Tokens of the text that the machine's requirements may add.
    pub managed_text_max_tokens: u64,
    /// Bytes that the client counts beside that text for the item it makes of it.
    pub managed_text_item_bytes: u64,
    /// Agents that the client brings along; they have no text of their own.
    pub builtin_agents: &'static [&'static str],
    /// Bytes of a memory summary that are injected whole.
    pub memory_summary_max_bytes: usize,
    /// Bytes of a thread's summary that are stored whole for a v2 tree.
    pub rollout_summary_v2_max_bytes: usize,
    /// Bytes from which the client rejects a v2 memory summary of its own making.
    pub memory_summary_v2_rejected_bytes: usize,
    /// Threads that a memory is made of, when `max_raw_memories_for_consolidation`
    /// is not set.
    pub memory_threads: u64,
    /// Largest value of `max_raw_memories_for_consolidation` that has an effect.
    pub memory_threads_cap: u64,
    /// Days after which an unused thread is left out, when `max_unused_days` is not set.
    pub memory_unused_days: u64,
    /// Largest value of `max_unused_days` that has an effect.
    pub memory_unused_days_cap: u64,
    /// Bytes to a token in the client's own count.
    pub bytes_per_token: u64,
    /// Names that `--enable` and `--disable` take.
    pub features: &'static [&'static str],
}

impl Profile {
    /// Codex 0.171.0.
    pub const CODEX_0_171_0: Self = Self {
        name: "codex@0.171.0",
        project_doc_max_bytes: 32_768,
        skill_name_max_chars: 64,
        skill_description_max_chars: 1024,
        skill_max_depth: 6,
        skill_max_dirs: 2_000,
        skill_max_entries: 20_000,
        skill_walk_max_bytes: 4 << 20,
        skill_walk_entry_bytes: 64,
        skill_qualified_name_max_chars: 129,
        bundled_skills: &[
            ("imagegen", 570),
            ("openai-docs", 624),
            ("skill-creator", 106),
            ("skill-installer", 225),
        ],
        skill_listing_tokens: 10_000,
        skill_listing_tokens_cap: 10_000,
        skill_listing_window_percent: 2,
        skill_intro_aliased_bytes: 261,
        skill_intro_absolute_bytes: 418,
        managed_text_max_tokens: 10_000,
        managed_text_item_bytes: 169,
        builtin_agents: &["default", "explorer", "worker"],
        memory_summary_max_bytes: 10_000,
        rollout_summary_v2_max_bytes: 9_000,
        memory_summary_v2_rejected_bytes: 10_000,
        memory_threads: 256,
        memory_threads_cap: 4_096,
        memory_unused_days: 30,
        memory_unused_days_cap: 365,
        bytes_per_token: 4,
        features: features::CODEX_0_171_0,
    };

    /// The known releases, newest first.
    pub const ALL: &'static [Self] = &[Self::CODEX_0_171_0];

    /// The release of this name, or `None` when it is not known.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.iter().find(|profile| profile.name == name).cloned()
    }
}

impl Default for Profile {
    fn default() -> Self {
        Self::CODEX_0_171_0
    }
}
