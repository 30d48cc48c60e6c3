//! The tables of the configuration that decide what is loaded.
//!
//! Names and shapes are those of the client, because its messages name them.

use std::collections::BTreeMap;
use std::num::NonZeroUsize;
use std::path::PathBuf;

use memory_core::{AbsPath, World};
use serde::Deserialize;

use super::home::expand;
use crate::resolution::MemoryVersion;
use crate::skills::SkillRule;

/// One entry of `[projects]`.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub(crate) struct ProjectConfig {
    #[serde(default)]
    pub(crate) trust_level: Option<TrustLevel>,
}

/// Whether a project is trusted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum TrustLevel {
    Trusted,
    Untrusted,
}

/// `[memories]`.
#[expect(dead_code, reason = "what is not read still has to have its type")]
#[derive(Deserialize)]
pub(crate) struct MemoriesToml {
    pub(crate) version: Option<VersionToml>,
    dual_write: Option<bool>,
    #[serde(alias = "no_memories_if_mcp_or_web_search")]
    disable_on_external_context: Option<bool>,
    generate_memories: Option<bool>,
    pub(crate) use_memories: Option<bool>,
    dedicated_tools: Option<bool>,
    max_raw_memories_for_consolidation: Option<usize>,
    max_unused_days: Option<i64>,
    max_rollout_age_days: Option<i64>,
    max_rollouts_per_startup: Option<usize>,
    min_rollout_idle_hours: Option<i64>,
    min_rate_limit_remaining_percent: Option<i64>,
    extract_model: Option<String>,
    consolidation_model: Option<String>,
    consolidation_service_tier: Option<String>,
}

/// `memories.version`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum VersionToml {
    V1,
    V2,
}

impl From<VersionToml> for MemoryVersion {
    fn from(version: VersionToml) -> Self {
        match version {
            VersionToml::V1 => Self::V1,
            VersionToml::V2 => Self::V2,
        }
    }
}

/// `[skills]`.
#[derive(Default, Deserialize)]
#[serde(default)]
pub(crate) struct SkillsConfig {
    pub(crate) bundled: Option<BundledSkillsConfig>,
    pub(crate) include_instructions: Option<bool>,
    pub(crate) max_context_tokens: Option<NonZeroUsize>,
    pub(crate) config: Vec<SkillConfig>,
}

impl SkillsConfig {
    /// The entries of `[[skills.config]]`.
    pub(crate) fn rules(self, world: World<'_>) -> Vec<SkillRule> {
        let path = |path: PathBuf| expand(world, &AbsPath::root(), &path.to_string_lossy());
        let rules = self.config.into_iter().map(|rule| SkillRule {
            name: rule.name,
            path: rule.path.map(path),
            enabled: rule.enabled,
        });
        rules.collect()
    }
}

/// `[agents]`: settings, and the agents that are declared.
#[derive(Default, Deserialize)]
#[serde(default)]
pub(crate) struct AgentsToml {
    pub(crate) enabled: Option<bool>,
    max_threads: Option<usize>,
    max_concurrent_threads_per_session: Option<usize>,
    max_depth: Option<i32>,
    default_subagent_model: Option<String>,
    default_subagent_reasoning_effort: Option<ReasoningEffort>,
    job_max_runtime_seconds: Option<u64>,
    interrupt_message: Option<bool>,
    #[serde(flatten)]
    pub(crate) roles: BTreeMap<String, AgentRoleToml>,
}

/// One `[agents.NAME]`.
#[derive(Default, Deserialize)]
#[serde(default)]
pub(crate) struct AgentRoleToml {
    pub(crate) description: Option<String>,
    pub(crate) config_file: Option<PathBuf>,
    pub(crate) nickname_candidates: Option<Vec<String>>,
}

/// A reasoning effort: any text but an empty one.
#[derive(Deserialize)]
#[serde(try_from = "String")]
pub(crate) struct ReasoningEffort(pub(crate) String);

impl TryFrom<String> for ReasoningEffort {
    type Error = &'static str;

    fn try_from(text: String) -> Result<Self, Self::Error> {
        if text.is_empty() { Err("reasoning_effort must not be empty") } else { Ok(Self(text)) }
    }
}

/// `[skills.bundled]`.
#[derive(Default, Deserialize)]
#[serde(default)]
pub(crate) struct BundledSkillsConfig {
    pub(crate) enabled: Option<bool>,
}

/// One entry of `[[skills.config]]`.
#[derive(Deserialize)]
pub(crate) struct SkillConfig {
    #[serde(default)]
    pub(crate) path: Option<PathBuf>,
    #[serde(default)]
    pub(crate) name: Option<String>,
    pub(crate) enabled: bool,
}

/// `[features]`: some features may also be tables.
#[derive(Default, Deserialize)]
#[serde(default)]
pub(crate) struct FeaturesToml {
    apps_mcp_path_override: Option<FeatureToml>,
    async_compaction: Option<FeatureToml>,
    code_mode: Option<FeatureToml>,
    code_mode_host: Option<FeatureToml>,
    context_management: Option<FeatureToml>,
    current_time_reminder: Option<FeatureToml>,
    guardianv2: Option<FeatureToml>,
    guardianv3: Option<FeatureToml>,
    pub(super) multi_agent_v2: Option<FeatureToml>,
    network_proxy: Option<FeatureToml>,
    non_prefixed_mcp_tool_names: Option<FeatureToml>,
    rollout_budget: Option<FeatureToml>,
    runtime_agent_instances: Option<FeatureToml>,
    sleep_tool: Option<FeatureToml>,
    token_budget: Option<FeatureToml>,
    #[serde(flatten)]
    pub(crate) entries: BTreeMap<String, bool>,
}

impl FeaturesToml {
    /// Features that may be tables.
    pub(super) const TABLES: &[&str] = &[
        "apps_mcp_path_override",
        "async_compaction",
        "code_mode",
        "code_mode_host",
        "context_management",
        "current_time_reminder",
        "guardianv2",
        "guardianv3",
        "multi_agent_v2",
        "network_proxy",
        "non_prefixed_mcp_tool_names",
        "rollout_budget",
        "runtime_agent_instances",
        "sleep_tool",
        "token_budget",
    ];
}

/// A feature that may be a table.
#[derive(Deserialize)]
#[serde(untagged)]
pub(super) enum FeatureToml {
    Enabled(bool),
    Config(toml::Table),
}

impl FeatureToml {
    /// Whether it is switched on.
    pub(super) fn is_on(&self) -> bool {
        match self {
            Self::Enabled(on) => *on,
            Self::Config(table) => {
                table.get("enabled").and_then(toml::Value::as_bool) == Some(true)
            }
        }
    }
}
