//! Whether a person approved imports from outside the start folder.

use memory_core::fs::{Fs, MAX_READ, Metadata};
use serde_json::Value;

use super::layout::Layout;
use crate::text::json;

/// The key in the client's own notes on a project.
pub(crate) const KEY: &str = "hasClaudeMdExternalIncludesApproved";

/// The largest file of notes that is read, in bytes.
const MAX_LEN: u64 = MAX_READ;

/// Whether the client's notes say so for this project.
pub(crate) fn is_given(fs: &dyn Fs, layout: &Layout) -> bool {
    if !fs.metadata(&layout.state).as_ref().is_ok_and(Metadata::is_file) {
        return false;
    }
    let Ok(bytes) = fs.read_up_to(&layout.state, MAX_LEN) else { return false };
    let Some(notes) = json::parse(&bytes).ok() else { return false };
    let project =
        notes.get("projects").and_then(|projects| projects.get(layout.main_root().as_str()));
    project.and_then(|project| project.get(KEY)).is_some_and(is_truthy)
}

/// Whether the client's language takes a value for true: `"false"` is, an empty text is not.
fn is_truthy(value: &Value) -> bool {
    match value {
        Value::Null => false,
        Value::Bool(yes) => *yes,
        Value::Number(number) => number.as_f64() != Some(0.0),
        Value::String(text) => !text.is_empty(),
        Value::Array(_) | Value::Object(_) => true,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn any_value_counts_that_is_true_in_the_client_s_language() {
        for given in [json!(true), json!("false"), json!(1), json!([]), json!({})] {
            assert!(is_truthy(&given), "{given}");
        }
        for refused in [json!(null), json!(false), json!(""), json!(0), json!(-0.0)] {
            assert!(!is_truthy(&refused), "{refused}");
        }
    }
}
