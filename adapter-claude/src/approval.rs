//! Whether a person approved imports from outside the start folder.

use memory_core::{Fs, Metadata};
use serde_json::Value;

use crate::layout::Layout;

/// The key in the client's own notes on a project.
pub(crate) const KEY: &str = "hasClaudeMdExternalIncludesApproved";

/// The largest file of notes that is read, in bytes.
const MAX_LEN: u64 = 64 * 1024 * 1024;

/// Whether the client's notes say so for this project.
pub(crate) fn is_given(fs: &dyn Fs, layout: &Layout) -> bool {
    if !fs.metadata(&layout.state).as_ref().is_ok_and(Metadata::is_file) {
        return false;
    }
    let Ok(bytes) = fs.read_up_to(&layout.state, MAX_LEN) else { return false };
    let Ok(notes) = serde_json::from_slice::<Value>(&bytes) else { return false };
    let project =
        notes.get("projects").and_then(|projects| projects.get(layout.main_root().as_str()));
    project.and_then(|project| project.get(KEY)).and_then(Value::as_bool) == Some(true)
}
