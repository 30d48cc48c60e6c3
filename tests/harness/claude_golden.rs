//! What was recorded of Claude Code's instructions, beside what the library computes.

use adapter_claude::Resolution;
use memory_core::{Layer, LayerKind, Loaded, Outcome};
use serde_json::{Map, Value, json};

use crate::claude_case::mask;
use crate::difference::report;

/// Characters of a start-up text that a stripped recording keeps.
const STRIPPED: usize = 200;
/// What the client prints for text that stands in a managed setting.
const MANAGED_TEXT: &str = "<managed-settings>";

/// The differences between a golden and an answer, or `None` without any.
pub(crate) fn compare(golden: &Value, resolution: &Resolution, strip: bool) -> Option<String> {
    let mut recorded = Map::new();
    let mut computed = Map::new();
    let mut field = |name: &str, want: Value, have: Value| {
        recorded.insert(name.to_owned(), want);
        computed.insert(name.to_owned(), have);
    };
    let starts = golden.get("rc").is_none_or(|rc| *rc == json!(0));
    field("starts", starts.into(), resolution.refusal.is_none().into());
    field("stderr", Value::Null, resolution.refusal.clone().filter(|_| starts).into());
    let keep = if strip { STRIPPED } else { usize::MAX };
    let items = resolution.chain.loaded().map(|(layer, loaded)| {
        let content: String = mask(&loaded.text).chars().take(keep).collect();
        json!({ "path": shown_path(layer), "label": loaded.label, "content": content })
    });
    let want = array(golden, "instructions").map(|item| only(item, &["path", "label", "content"]));
    field("instructions", want.collect(), items.collect());
    field("skills", text(golden, "skills"), mask(&resolution.skills.rendered).into());
    let want = array(golden, "steps").map(|step| {
        let loads = array(step, "loads").map(|item| only(item, &["path", "content", "where"]));
        json!({ "loads": loads.collect::<Value>(), "skills": text(step, "skills_delta") })
    });
    let have = resolution.steps.iter().map(|step| {
        let loads: Value = step.loads.iter().filter_map(load).collect();
        json!({ "loads": loads, "skills": mask(&step.skills_rendered) })
    });
    field("steps", want.collect(), have.collect());
    report(&recorded, &computed)
}

fn shown_path(layer: &Layer) -> String {
    match &layer.provenance.path {
        Some(path) => mask(&path.to_string()),
        None => MANAGED_TEXT.to_owned(),
    }
}

/// What a step loads, with the place in the conversation where the client puts it.
fn load(layer: &Layer) -> Option<Value> {
    let Outcome::Loaded(Loaded { text, .. }) = &layer.outcome else { return None };
    let place = match layer.kind {
        LayerKind::AgentsMd => "system/text/hook",
        _ => "user/text",
    };
    Some(json!({ "path": shown_path(layer), "content": mask(text), "where": place }))
}

fn array<'a>(value: &'a Value, key: &str) -> impl Iterator<Item = &'a Value> {
    value.get(key).and_then(Value::as_array).into_iter().flatten()
}

/// A recorded listing; none at all and an empty one are the same.
fn text(value: &Value, key: &str) -> Value {
    value.get(key).and_then(Value::as_str).unwrap_or_default().into()
}

fn only(item: &Value, keys: &[&str]) -> Value {
    let fields = keys.iter().map(|key| ((*key).to_owned(), item.get(key).cloned().into()));
    Value::Object(fields.collect())
}
