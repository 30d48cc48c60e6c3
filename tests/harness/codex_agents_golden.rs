//! What was recorded of Codex's custom agents, beside what the library computes.

use adapter_codex::{CustomAgent, Resolution};
use memory_core::{LayerKind, ListedSkill, Omission, Outcome, Scope};
use serde_json::{Map, Value, json};

use crate::codex_case::{Places, Spawned};
use crate::codex_golden::{error_lines, shorten, text_of};
use crate::difference::report;

/// How the client's warnings about agents begin.
const WARNING: &str = "Ignoring malformed agent role definition: ";

/// The kinds of items of an agent that are modelled, in the order of sending.
const KINDS: [&str; 4] = ["developer_instructions", "memories", "host_skills", "agents_md"];

/// The differences between a golden and an answer, or `None` without any.
pub(crate) fn compare(
    golden: &Value,
    session: &Resolution,
    spawned: &[Spawned],
    places: &Places,
) -> Option<String> {
    let mut recorded = Map::new();
    let mut computed = Map::new();
    let mut field = |name: &str, want: Value, have: Value| {
        recorded.insert(name.to_owned(), want);
        computed.insert(name.to_owned(), have);
    };
    let starts = golden.get("exit") == Some(&json!(0));
    let refusal = session.refusal.as_deref().map(|text| error_lines(text, places));
    let stderr = if starts { Value::Null } else { golden.get("stderr").cloned().into() };
    field("stderr", stderr, refusal.into());
    if starts {
        let warnings = golden.get("warnings").and_then(Value::as_array);
        let warnings = warnings.into_iter().flatten().filter_map(Value::as_str);
        let warnings = warnings.filter(|text| text.starts_with(WARNING)).map(str::trim_end);
        field("warnings", warnings.collect(), own_warnings(session, places));
        let roles = golden.get("roles").and_then(Value::as_object);
        let roles: Value =
            roles.into_iter().flatten().map(|(name, text)| json!([name, text])).collect();
        let offered = |agent: &CustomAgent| json!([agent.name, places.mask(&agent.offered())]);
        field("roles", roles, session.custom_agents.iter().map(offered).collect());
    }
    let children = golden.get("spawned").and_then(Value::as_array);
    for (at, (child, spawned)) in children.into_iter().flatten().zip(spawned).enumerate() {
        let Some(child) = child.get("child").filter(|child| child.is_object()) else { continue };
        let computed = if spawned.with_history {
            with_history(session, &spawned.start, places)
        } else {
            without_history(&spawned.start, places)
        };
        field(&format!("spawned {at}"), of_child(child, &computed), computed);
    }
    report(&recorded, &computed)
}

fn own_warnings(session: &Resolution, places: &Places) -> Value {
    let mut seen = Vec::new();
    for layer in &session.omitted_agents {
        if let Outcome::Omitted { reason, .. } = &layer.outcome
            && matches!(reason, Omission::AgentInvalid { .. } | Omission::AgentDuplicate { .. })
        {
            let text = format!("{WARNING}{}", places.mask(&reason.to_string()));
            if !seen.contains(&text) {
                seen.push(text);
            }
        }
    }
    seen.into_iter().collect()
}

/// The part of a recorded start that is computed.
fn of_child(child: &Value, computed: &Value) -> Value {
    let mut fields = Map::new();
    for key in computed.as_object().into_iter().flat_map(Map::keys) {
        let value = child.get(key).cloned().unwrap_or_default();
        let value = match (key.as_str(), &value) {
            ("items", Value::Array(kinds)) => {
                let modelled = |kind: &&Value| kind.as_str().is_some_and(|it| KINDS.contains(&it));
                kinds.iter().filter(modelled).cloned().collect()
            }
            _ => value,
        };
        fields.insert(key.clone(), value);
    }
    Value::Object(fields)
}

/// A start without history, in the form in which it is recorded.
fn without_history(start: &Resolution, places: &Places) -> Value {
    let developer = text_of(start, LayerKind::DeveloperText);
    let present = [
        developer.is_some(),
        start.memory.content.is_some(),
        start.skills.budget.is_some(),
        start.instructions.is_some(),
    ];
    let items = KINDS.iter().zip(present).filter(|(_, present)| *present).map(|(kind, _)| *kind);
    let base = text_of(start, LayerKind::BaseText).map(|text| places.mask(text));
    let mut value = json!({
        "base": base.unwrap_or_else(|| "{built-in}".to_owned()),
        "items": items.collect::<Value>(),
        "developer": developer.map(|text| [places.mask(&shorten(text))]),
        "agents_md": start.instructions.as_deref().map(|text| [places.mask(&shorten(text))]),
        "skills": skills(start),
        "memory": start.memory.content.is_some(),
    });
    let agent = start.custom_agents.iter().find(|agent| Some(&agent.name) == start.agent.as_ref());
    if let (Some(agent), Some(fields)) = (agent, value.as_object_mut()) {
        let fixed = [("model", &agent.model), ("effort", &agent.effort)];
        let fixed = fixed.into_iter().filter_map(|(key, value)| Some((key, value.clone()?)));
        fields.extend(fixed.map(|(key, value)| (key.to_owned(), value.into())));
    }
    value
}

/// A start with the whole history: the session's own start, then the agent's text.
fn with_history(session: &Resolution, start: &Resolution, places: &Places) -> Value {
    let text = |start| text_of(start, LayerKind::DeveloperText).map(|text| places.mask(text));
    let own = text(start).filter(|_| start.agent.is_some());
    let developer: Vec<String> = text(session).into_iter().chain(own).collect();
    json!({
        "developer": (!developer.is_empty()).then_some(developer),
        "agents_md": session.instructions.as_deref().map(|text| [places.mask(text)]),
        "skills": skills(session),
        "memory": session.memory.content.is_some(),
    })
}

/// Names of the listed skills that do not come with the client; null without a listing.
fn skills(start: &Resolution) -> Value {
    let own = |skill: &&ListedSkill| skill.scope != Scope::Builtin;
    let names = start.skills.listed.iter().filter(own).map(|skill| skill.name.clone());
    if start.skills.budget.is_some() { names.collect() } else { Value::Null }
}
