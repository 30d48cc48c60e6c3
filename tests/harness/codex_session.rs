//! What was recorded of Codex's sessions that are resumed, beside what the
//! library computes for the moment of each command.
//!
//! A session sends instructions once and later only what replaces them. What is
//! sent at each command follows from the state of the files at that moment and
//! from what was sent before; compactions and tools, which happen within a
//! command, end the comparison.

use adapter_codex::Resolution;
use memory_core::{LayerKind, Scope};
use serde_json::{Map, Value, json};

use crate::codex_case::Places;
use crate::codex_golden::{shorten, text_of};
use crate::difference::report;

/// The kinds of items that are computed, as they are recorded.
const KINDS: [&str; 4] = ["developer", "memories", "host_skills", "agents_md"];

/// The differences between a golden and the answers at the commands of a
/// session, or `None` without any.
pub(crate) fn compare(golden: &Value, starts: &[Resolution], places: &Places) -> Option<String> {
    let (mut recorded, mut computed) = (Map::new(), Map::new());
    let requests = golden.get("requests").and_then(Value::as_array);
    let turns = requests.into_iter().flatten().take_while(|request| is_plain(request));
    let mut sent = Sent::default();
    for (at, (request, start)) in turns.zip(starts).enumerate() {
        let now = sent.next(start, places);
        recorded.insert(format!("command {at}"), modelled(request).into());
        computed.insert(format!("command {at}"), now.into());
    }
    // A case of which nothing can be compared proves nothing.
    if recorded.is_empty() {
        return Some("no request of this session is computed".to_owned());
    }
    report(&recorded, &computed)
}

/// Whether a request is the first one of a command, and no compaction.
fn is_plain(request: &Value) -> bool {
    let items = request.get("items").and_then(Value::as_array);
    let mut kinds = items.into_iter().flatten().filter_map(|item| item.get(1)?.as_str());
    request.get("kind") == Some(&json!("turn"))
        && kinds.all(|kind| !matches!(kind, "function_call" | "compact-prompt" | "summary"))
}

/// The items of a request that are computed, each with its kind and text. What
/// hooks print has the kind of a text of the configuration; that one is sent only
/// at the start, and before the environment.
fn modelled(request: &Value) -> Vec<Value> {
    let mut may_be_configured = request.get("same") == Some(&json!(0));
    let mut found = Vec::new();
    for item in request.get("items").and_then(Value::as_array).into_iter().flatten() {
        let text = |at| item.get(at).and_then(Value::as_str);
        let (Some(kind), Some(text)) = (text(1), text(2)) else { continue };
        may_be_configured &= kind != "environments";
        if KINDS.contains(&kind) && (kind != "developer" || may_be_configured) {
            found.push(json!([kind, text]));
        }
    }
    found
}

/// What a session has been sent so far.
#[derive(Default)]
struct Sent {
    started: bool,
    agents: Option<String>,
    skills: Option<String>,
}

impl Sent {
    /// The items of the next command, given what a new session would be sent.
    fn next(&mut self, start: &Resolution, places: &Places) -> Vec<Value> {
        let mut items = Vec::new();
        let mut push = |kind: &str, text: String| items.push(json!([kind, text]));
        let agents = start.instructions.as_deref().map(|text| places.mask(&shorten(text)));
        let skills = start.skills.budget.is_some().then(|| names(start));
        if self.started {
            // A text of the configuration and the memory stay as they were.
            match (&self.agents, &agents) {
                (Some(before), Some(now)) if before != now => push("agents_md", replacing(now)),
                (Some(_), None) => push("agents_md", gone()),
                (None, Some(now)) => push("agents_md", now.clone()),
                _ => {}
            }
            if self.skills != skills {
                push("host_skills", skills.clone().unwrap_or_default());
            }
        } else {
            if let Some(text) = text_of(start, LayerKind::DeveloperText) {
                push("developer", places.mask(&shorten(text)));
            }
            if let Some(text) = &start.memory.content {
                push("memories", text.to_string());
            }
            if let Some(names) = &skills {
                push("host_skills", names.clone());
            }
            if let Some(text) = &agents {
                push("agents_md", text.clone());
            }
        }
        (self.started, self.agents, self.skills) = (true, agents, skills);
        items
    }
}

/// Names of the listed skills that do not come with the client.
fn names(start: &Resolution) -> String {
    let own = start.skills.listed.iter().filter(|skill| skill.scope != Scope::Builtin);
    own.map(|skill| skill.name.as_str()).collect::<Vec<_>>().join(" ")
}

/// An instruction item that replaces an earlier one.
fn replacing(text: &str) -> String {
    const SENTENCE: &str =
        "These AGENTS.md instructions replace all previously provided AGENTS.md instructions.";
    text.replacen("<INSTRUCTIONS>\n", &format!("<INSTRUCTIONS>\n{SENTENCE}\n\n"), 1)
}

/// The item that says that there are no instructions any more.
fn gone() -> String {
    "# AGENTS.md instructions\n\n<INSTRUCTIONS>\nThe previously provided AGENTS.md instructions no longer apply.\n</INSTRUCTIONS>".to_owned()
}
