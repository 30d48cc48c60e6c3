//! Every key whose type is known, so that a wrong one is told as the client tells it.

use std::collections::BTreeMap;
use std::path::PathBuf;

use serde::Deserialize;
use toml::Table;

use super::trust::Projects;
use super::types::{AgentsToml, FeaturesToml, MemoriesToml, ReasoningEffort, SkillsConfig};

/// The configuration file.
#[expect(dead_code, reason = "what is not read still has to have its type")]
#[derive(Deserialize)]
pub(crate) struct ConfigToml {
    pub(crate) model: Option<String>,
    review_model: Option<String>,
    model_provider: Option<String>,
    pub(super) model_context_window: Option<i64>,
    model_auto_compact_token_limit: Option<i64>,
    model_auto_compact_token_limit_scope: Option<AutoCompactScope>,
    approval_policy: Option<ApprovalPolicy>,
    approvals_reviewer: Option<ApprovalsReviewer>,
    auto_review: Option<AutoReviewToml>,
    shell_environment_policy: Option<ShellEnvironmentPolicyTomlRaw>,
    allow_login_shell: Option<bool>,
    sandbox_mode: Option<SandboxMode>,
    sandbox_workspace_write: Option<SandboxWorkspaceWrite>,
    default_permissions: Option<String>,
    permissions: Option<PermissionsToml>,
    notify: Option<Vec<String>>,
    pub(super) instructions: Option<String>,
    pub(crate) developer_instructions: Option<String>,
    include_permissions_instructions: Option<bool>,
    include_apps_instructions: Option<bool>,
    include_collaboration_mode_instructions: Option<bool>,
    include_environment_context: Option<bool>,
    pub(super) model_instructions_file: Option<PathBuf>,
    pub(super) compact_prompt: Option<String>,
    forced_login_method: Option<ForcedLoginMethod>,
    cli_auth_credentials_store: Option<CliAuthCredentialsStore>,
    #[expect(clippy::zero_sized_map_values, reason = "only the type of each entry matters")]
    mcp_servers: Option<BTreeMap<String, RawMcpServerConfig>>,
    mcp_oauth_credentials_store: Option<McpOauthCredentialsStore>,
    mcp_oauth_callback_port: Option<u16>,
    mcp_oauth_callback_url: Option<String>,
    model_providers: Option<Table>,
    pub(super) project_doc_max_bytes: Option<usize>,
    pub(super) project_doc_fallback_filenames: Option<Vec<String>>,
    tool_output_token_limit: Option<usize>,
    background_terminal_max_timeout: Option<u64>,
    js_repl_node_path: Option<PathBuf>,
    js_repl_node_module_dirs: Option<Vec<PathBuf>>,
    pub(super) profile: Option<String>,
    pub(super) profiles: Option<BTreeMap<String, ConfigProfile>>,
    history: Option<History>,
    sqlite_home: Option<PathBuf>,
    log_dir: Option<PathBuf>,
    file_opener: Option<FileOpener>,
    tui: Option<Tui>,
    hide_agent_reasoning: Option<bool>,
    show_raw_agent_reasoning: Option<bool>,
    pub(crate) model_reasoning_effort: Option<ReasoningEffort>,
    plan_mode_reasoning_effort: Option<ReasoningEffort>,
    model_reasoning_summary: Option<ModelReasoningSummary>,
    model_verbosity: Option<ModelVerbosity>,
    model_catalog_json: Option<PathBuf>,
    personality: Option<Personality>,
    service_tier: Option<String>,
    chatgpt_base_url: Option<String>,
    apps_mcp_product_sku: Option<String>,
    openai_base_url: Option<String>,
    audio: Option<RealtimeAudioToml>,
    experimental_realtime_ws_base_url: Option<String>,
    experimental_realtime_ws_model: Option<String>,
    realtime: Option<RealtimeToml>,
    experimental_realtime_ws_backend_prompt: Option<String>,
    experimental_realtime_ws_startup_context: Option<String>,
    experimental_realtime_start_instructions: Option<String>,
    pub(super) experimental_thread_store_endpoint: Option<String>,
    pub(super) projects: Option<Projects>,
    web_search: Option<WebSearch>,
    tools: Option<ToolsToml>,
    tool_suggest: Option<ToolSuggestConfig>,
    pub(super) agents: Option<AgentsToml>,
    pub(super) memories: Option<MemoriesToml>,
    pub(crate) skills: Option<SkillsConfig>,
    hooks: Option<HooksToml>,
    plugins: Option<PluginsConfigToml>,
    marketplaces: Option<Table>,
    pub(crate) features: Option<FeaturesToml>,
    suppress_unstable_features_warning: Option<bool>,
    ghost_snapshot: Option<GhostSnapshotToml>,
    pub(super) project_root_markers: Option<Vec<String>>,
    check_for_update_on_startup: Option<bool>,
    disable_paste_burst: Option<bool>,
    analytics: Option<AnalyticsConfigToml>,
    feedback: Option<FeedbackConfigToml>,
    apps: Option<AppsConfigToml>,
    desktop: Option<Table>,
    otel: Option<OtelConfigToml>,
    windows: Option<WindowsToml>,
    notice: Option<Notice>,
    pub(super) experimental_compact_prompt_file: Option<PathBuf>,
    experimental_use_unified_exec_tool: Option<bool>,
    oss_provider: Option<String>,
}

/// A file that defines an agent: a configuration with a name.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct AgentFileToml {
    pub(crate) name: Option<String>,
    pub(crate) description: Option<String>,
    pub(crate) nickname_candidates: Option<Vec<String>>,
    #[serde(flatten)]
    pub(crate) config: ConfigToml,
}

/// Declares tables whose keys do not matter here.
macro_rules! open_tables {
    ($($name:ident),* $(,)?) => {
        $(
            #[derive(Deserialize)]
            struct $name {}
        )*
    };
}

open_tables!(
    AnalyticsConfigToml,
    AppsConfigToml,
    AutoReviewToml,
    FeedbackConfigToml,
    GhostSnapshotToml,
    History,
    HooksToml,
    Notice,
    OtelConfigToml,
    PermissionsToml,
    PluginsConfigToml,
    RawMcpServerConfig,
    RealtimeAudioToml,
    RealtimeToml,
    SandboxWorkspaceWrite,
    ShellEnvironmentPolicyTomlRaw,
    ToolSuggestConfig,
    ToolsToml,
    Tui,
    WindowsToml,
);

/// One entry of the legacy `[profiles]`.
#[expect(dead_code, reason = "what is not read still has to have its type")]
#[derive(Deserialize)]
pub(super) struct ConfigProfile {
    model: Option<String>,
}

/// Declares settings that take one of a few words; the first list holds those
/// written with dashes, the second those with underscores.
macro_rules! words {
    ($case:literal: $($name:ident { $($word:ident),* }),* $(,)?) => {
        $(
            #[derive(Deserialize)]
            #[serde(rename_all = $case)]
            enum $name { $($word),* }
        )*
    };
}

words! { "kebab-case":
    ApprovalPolicy { Untrusted, OnFailure, OnRequest, Granular, Never },
    SandboxMode { ReadOnly, WorkspaceWrite, DangerFullAccess },
    FileOpener { Vscode, VscodeInsiders, Windsurf, Cursor, None },
}

words! { "snake_case":
    AutoCompactScope { Total, BodyAfterPrefix },
    ApprovalsReviewer { User, AutoReview, GuardianSubagent },
    ForcedLoginMethod { Chatgpt, Api },
    CliAuthCredentialsStore { File, Keyring, Auto, Ephemeral },
    McpOauthCredentialsStore { Auto, File, Keyring },
    ModelReasoningSummary { Auto, Concise, Detailed, None },
    ModelVerbosity { Low, Medium, High },
    Personality { None, Friendly, Pragmatic },
    WebSearch { Disabled, Cached, Indexed, Live },
}
