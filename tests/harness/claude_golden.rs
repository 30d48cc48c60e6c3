//! What was recorded of Claude Code's instructions, beside what the library computes.

use std::collections::HashSet;

use adapter_claude::{AgentStart, MemoryIndex, Resolution};
use memory_core::{AbsPath, Layer, LayerKind, Loaded, Outcome, Via};
use serde_json::{Map, Value, json};

use crate::claude_case::mask;
use crate::difference::report;

/// Characters of a start-up text that a stripped recording keeps.
const STRIPPED: usize = 200;
/// What the client prints for text that stands in a managed setting.
const MANAGED_TEXT: &str = "<managed-settings>";

/// How the client labels the memory index.
const INDEX_LABEL: &str = "user's auto-memory, persists across conversations";

/// How words begin that the client puts behind texts when it likes, about its manners.
const REMINDER: &str = "\n\nThe user hasn't heard from you in a while.";

/// Releases that send what a step loads without a frame around it.
const BARE_RELEASES: [&str; 1] = ["claude-code@2.1.197"];

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
    let items = items.chain(index_item(&resolution.memory));
    field("instructions", want.collect(), items.collect());
    field("skills", text(golden, "skills"), mask(&resolution.skills.rendered).into());
    let want = array(golden, "steps").map(|step| {
        let loads = array(step, "loads")
            .map(|item| without_reminder(only(item, &["path", "content", "where"])));
        json!({ "loads": loads.collect::<Value>(), "skills": text(step, "skills_delta") })
    });
    let have = resolution.steps.iter().map(|step| {
        let loads = loads(&step.loads, BARE_RELEASES.contains(&resolution.profile));
        json!({ "loads": loads, "skills": mask(&step.skills_rendered) })
    });
    field("steps", want.collect(), have.collect());
    let want = array(golden, "agents").map(recorded_agent);
    let bare = BARE_RELEASES.contains(&resolution.profile);
    let have = resolution.agents.iter().map(|agent| computed_agent(agent, bare));
    field("agents", want.collect(), have.collect());
    report(&recorded, &computed)
}

/// The memory index as a recording shows it: the last of the instructions.
fn index_item(memory: &MemoryIndex) -> Option<Value> {
    let (path, content) = (memory.path.as_ref()?, memory.content.as_ref()?);
    let (path, content) = (mask(path.as_str()), mask(content));
    Some(json!({ "path": path, "label": INDEX_LABEL, "content": content }))
}

fn recorded_agent(agent: &Value) -> Value {
    let mut fields = agent.as_object().cloned().unwrap_or_default();
    for key in ["prompt", "skills"] {
        fields.insert(key.to_owned(), text(agent, key));
    }
    let steps = array(agent, "steps").map(|step| {
        let loads = array(step, "loads").map(|item| only(item, &["path", "content", "where"]));
        json!({ "loads": loads.collect::<Value>(), "skills": text(step, "skills_delta") })
    });
    fields.insert("steps".to_owned(), steps.collect());
    fields.into()
}

fn computed_agent(agent: &AgentStart, bare: bool) -> Value {
    let loaded = agent.layers.iter().filter_map(loaded);
    let items = loaded.map(|(layer, loaded)| {
        json!({ "path": shown_path(layer), "label": loaded.label, "content": mask(&loaded.text) })
    });
    let memory = agent.own_memory.as_ref().map(|memory| {
        let dir = format!("{}/", mask(memory.dir.as_str()));
        json!({ "dir": dir, "index": memory.content.as_ref().map(|text| mask(text)) })
    });
    let preloaded = agent.preloaded.iter().map(|skill| {
        let dir = skill.path.parent().map(|dir| mask(dir.as_str()));
        json!({ "dir": dir, "content": mask(&skill.content) })
    });
    let steps = agent.steps.iter().map(
        |step| json!({ "loads": loads(&step.loads, bare), "skills": mask(&step.skills_rendered) }),
    );
    json!({
        "at": agent.at,
        "agent": agent.agent,
        "prompt": mask(agent.prompt.as_deref().unwrap_or_default()),
        "memory": memory,
        "instructions": items.chain(index_item(&agent.memory)).collect::<Value>(),
        "git_status": agent.git_status,
        "skills": mask(&agent.skills.rendered),
        "preloaded": preloaded.collect::<Value>(),
        "steps": steps.collect::<Value>(),
    })
}

/// An item without the words that the client sometimes puts behind it for the model.
fn without_reminder(mut item: Value) -> Value {
    if let Some(Value::String(content)) = item.get_mut("content")
        && let Some(at) = content.find(REMINDER)
    {
        content.truncate(at);
    }
    item
}

fn shown_path(layer: &Layer) -> String {
    match &layer.provenance.path {
        Some(path) => mask(&path.to_string()),
        None => MANAGED_TEXT.to_owned(),
    }
}

/// What a step loads, with the place in the conversation where the client puts it.
fn loads(layers: &[Layer], all_bare: bool) -> Value {
    let mut items: Vec<Value> = Vec::new();
    let mut layers = layers.iter().filter_map(loaded).peekable();
    // The text of an AGENTS.md holds what it imports too.
    let mut shared: HashSet<AbsPath> = HashSet::new();
    let has_shared_text = |layer: &Layer, shared: &HashSet<AbsPath>| match &layer.provenance.via {
        Via::Imported { from, .. } => shared.contains(from),
        _ => layer.kind == LayerKind::AgentsMd,
    };
    while let Some((layer, loaded)) = layers.next() {
        let shares_text = has_shared_text(layer, &shared);
        if shares_text {
            shared.extend(layer.provenance.path.clone());
        }
        let bare = shares_text || all_bare;
        let followed = layers.peek().is_some_and(|(next, _)| {
            let is_one_touch = match (&next.provenance.via, &layer.provenance.via) {
                (Via::Nested { touched }, Via::Nested { touched: before }) => touched == before,
                _ => true,
            };
            is_one_touch && has_shared_text(next, &shared)
        });
        let mut content = mask(&loaded.text);
        if shares_text && followed {
            content = as_parted(content);
        }
        let place = if bare { "system/text/hook" } else { "user/text" };
        items.push(json!({ "path": shown_path(layer), "content": content, "where": place }));
    }
    items.into()
}

fn loaded(layer: &Layer) -> Option<(&Layer, &Loaded)> {
    match &layer.outcome {
        Outcome::Loaded(loaded) => Some((layer, loaded)),
        Outcome::Omitted { .. } => None,
    }
}

/// A text as it was recorded where another one follows in the same message.
///
/// The client puts one line end between them, whatever the first ends in; the
/// recording took it for an empty line where it could.
fn as_parted(text: String) -> String {
    let joined = text + "\n";
    joined.strip_suffix("\n\n").map(str::to_owned).unwrap_or(joined)
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
