//! A command of a single file, as a skill.

use memory_core::doc::Doc;

use super::front::fresh;

/// The `SKILL.md` that a command becomes: its text under the name by which it
/// is called.
pub(super) fn skill(bytes: &[u8], name: &str, description: &str) -> Vec<u8> {
    fresh(name, description, &Doc::from(bytes).body())
}
