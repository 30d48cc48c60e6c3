//! How the client itself keeps another client's memory that it imported.
//!
//! All of this was recorded: `tests/cases/codex-import` holds what the client
//! wrote.

use memory_core::ClientId;

/// The client whose memory the import is of.
pub(super) const IMPORTED_FROM: ClientId = ClientId("claude-code");
/// The folder of the import below `extensions/` of a tree.
pub(super) const FOLDER: &str = "extensions/external_agent_import";
/// The file that says how the material is to be read, beside it.
pub(super) const INSTRUCTIONS_FILE: &str = "instructions.md";
/// What the client writes there.
pub(super) const INSTRUCTIONS: &str = include_str!("imported/instructions.md");
/// The file of a project's folder that says which project it is.
pub(super) const SCOPE_FILE: &str = "scope.json";

/// What the client writes into [`SCOPE_FILE`].
pub(super) fn scope(cwd: &str) -> String {
    serde_json::json!({ "cwd": cwd }).to_string()
}
