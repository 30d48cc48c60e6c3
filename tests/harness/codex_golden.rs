//! What was recorded of Codex, beside what the library computes.

use std::fmt::Write as _;

use adapter_codex::{LaterKind, Resolution};
use memory_core::{LayerKind, ListedSkill, Scope};
use serde_json::{Map, Value, json};

use crate::codex_case::Places;
use crate::difference::report;

/// The kinds of items that are modelled, in the order in which the client sends them.
const KINDS: [&str; 5] = [
    "developer:generic.developer_instructions",
    "developer:memories.instructions",
    "developer:host_skills.instructions",
    "user:agents_md.instructions",
    "developer:managed_config.developer_instructions",
];

/// The differences between a golden and an answer, or `None` without any.
pub(crate) fn compare(
    golden: &Value,
    resolution: &Resolution,
    places: &Places,
    keep_system: bool,
) -> Option<String> {
    let mut recorded = Map::new();
    let mut computed = Map::new();
    let mut field = |name: &str, want: Value, have: Value| {
        recorded.insert(name.to_owned(), want);
        computed.insert(name.to_owned(), have);
    };
    let starts = golden.get("exit") == Some(&json!(0));
    let refusal = resolution.refusal.as_deref().map(|text| error_lines(text, places));
    field("starts", starts.into(), refusal.is_none().into());
    let stderr = if starts { Value::Null } else { golden.get("stderr").cloned().into() };
    field("stderr", stderr, refusal.into());
    let text = resolution.instructions.as_deref().map(|text| places.mask(text));
    if let Some(want) = golden.get("agents_md") {
        field("agents_md", want.clone(), text.as_deref().map(|text| [shorten(text)]).into());
    }
    if let Some(want) = golden.get("agents_md_bytes") {
        field("agents_md_bytes", want.clone(), text.map(|text| [text.len()]).into());
    }
    if let Some(want) = golden.get("skills") {
        let lines = skill_lines(resolution, |skill| skill.scope != Scope::Builtin);
        field("skills.rendered", lines.into(), resolution.skills.rendered.clone().into());
        field("skills", recorded_skills(want), computed_skills(resolution, places, keep_system));
    }
    if let Some(want) = golden.get("memory") {
        let content = resolution.memory.content.as_deref().map(|text| places.mask(text));
        field("memory.summary", want.get("summary").cloned().into(), content.into());
    }
    if let Some(want) = golden.get("kinds").and_then(Value::as_array) {
        let modelled = |kind: &&Value| kind.as_str().is_some_and(|kind| KINDS.contains(&kind));
        // A running session does not say what kind a text of the configuration is.
        let is_said = |kind: &&str| !kind.ends_with(".developer_instructions");
        let says = want.iter().any(|kind| kind == "developer:model.base_instructions");
        let computed = kinds(resolution);
        let computed = computed.into_iter().filter(|kind| says || is_said(kind));
        field("kinds", want.iter().filter(modelled).cloned().collect(), computed.collect());
    }
    // Without a wish for them only the kinds of other items were recorded.
    let other_items = golden.get("other_items").and_then(Value::as_array);
    if let Some(want) = other_items.filter(|items| items.iter().all(Value::is_object)) {
        let sent = [LayerKind::DeveloperText, LayerKind::ManagedText];
        let computed: Vec<String> = sent
            .into_iter()
            .filter_map(|kind| text_of(resolution, kind))
            .map(|text| places.mask(&shorten(text)))
            .collect();
        let text = |item: &Value| item.get("text").and_then(Value::as_str).map(str::to_owned);
        let mut recorded: Vec<String> = want.iter().filter_map(text).collect();
        // What hooks print is not computed; each prints one text at most.
        let hooks = resolution.later.iter();
        let hooks = hooks.filter(|text| matches!(text.kind, LaterKind::Hook { .. })).count();
        let printed = recorded.len().saturating_sub(computed.len());
        if printed <= hooks {
            recorded.truncate(computed.len());
        }
        field("other_items", recorded.into(), computed.into());
    }
    if let Some(want) = golden.get("base_instructions").and_then(Value::as_array) {
        let own = |text: &&Value| !text.as_str().is_some_and(|text| text.starts_with("{built-in"));
        let computed = text_of(resolution, LayerKind::BaseText).map(|text| places.mask(text));
        let recorded: Vec<Value> = want.iter().filter(own).cloned().collect();
        field("base_instructions", recorded.into(), computed.into_iter().collect());
    }
    report(&recorded, &computed)
}

/// The lines of an error text as they were recorded: blank ones left out.
pub(crate) fn error_lines(text: &str, places: &Places) -> Vec<String> {
    let is_end = |c| {
        matches!(
            c,
            '\n' | '\r' | '\x0b' | '\x0c' | '\x1c'..='\x1e' | '\u{85}' | '\u{2028}' | '\u{2029}'
        )
    };
    text.split(is_end)
        .filter(|line| !line.trim().is_empty())
        .map(|line| places.mask(line))
        .collect()
}

/// The text of a kind that is sent once; `None` where there is none.
pub(crate) fn text_of(resolution: &Resolution, kind: LayerKind) -> Option<&str> {
    let mut loaded = resolution.chain.loaded().filter(|(layer, _)| layer.kind == kind);
    loaded.next().map(|(_, loaded)| &*loaded.text)
}

fn kinds(resolution: &Resolution) -> Vec<&'static str> {
    let present = [
        text_of(resolution, LayerKind::DeveloperText).is_some(),
        resolution.memory.content.is_some(),
        resolution.skills.budget.is_some(),
        resolution.instructions.is_some(),
        text_of(resolution, LayerKind::ManagedText).is_some(),
    ];
    KINDS.iter().zip(present).filter(|(_, present)| *present).map(|(kind, _)| *kind).collect()
}

fn skill_lines(resolution: &Resolution, keep: impl Fn(&ListedSkill) -> bool) -> String {
    let lines = resolution.skills.listed.iter().filter(|skill| keep(skill)).map(|skill| {
        let ListedSkill { name, shown_path, .. } = skill;
        match &skill.description {
            Some(description) => format!("- {name}: {description} (file: {shown_path})"),
            None => format!("- {name}: (file: {shown_path})"),
        }
    });
    lines.collect::<Vec<_>>().join("\n")
}

/// The recorded listing without the parts that are the client's own prose.
fn recorded_skills(golden: &Value) -> Value {
    let mut golden = golden.clone();
    if let Some(skills) = golden.as_object_mut() {
        let roots = skills.get("roots").cloned().unwrap_or_default();
        for skill in skills.get_mut("skills").and_then(Value::as_array_mut).into_iter().flatten() {
            if is_system(&roots, skill) {
                forget_description(skill);
            }
        }
    }
    golden
}

/// The listing in the form in which listings are recorded.
fn computed_skills(resolution: &Resolution, places: &Places, keep_system: bool) -> Value {
    let listing = &resolution.skills;
    if listing.budget.is_none() {
        return Value::Null;
    }
    let roots: Map<String, Value> = listing
        .roots
        .iter()
        .map(|(name, folder)| (name.clone(), places.mask(folder.as_str()).into()))
        .collect();
    let roots = Value::Object(roots);
    let (mut skills, mut other_lines, mut hidden) = (Vec::new(), Vec::new(), 0);
    for line in places.mask(&skill_lines(resolution, |_| true)).split('\n') {
        match skill_of_line(line) {
            _ if line.is_empty() || line.starts_with("## ") => {}
            None => other_lines.push(line.to_owned()),
            Some(skill) if is_system(&roots, &skill) && !keep_system => hidden += 1,
            Some(mut skill) => {
                if is_system(&roots, &skill) {
                    forget_description(&mut skill);
                }
                skills.push(skill);
            }
        }
    }
    let variant = if listing.roots.is_empty() { "absolute" } else { "aliased" };
    let mut value = json!({
        "roots": roots, "skills": skills, "other_lines": other_lines, "intro_variant": variant,
    });
    if let (false, Some(fields)) = (keep_system, value.as_object_mut()) {
        fields.insert("system_skills_hidden".to_owned(), hidden.into());
    }
    value
}

/// Reads a line of the listing as the recording did: name and description part
/// at the first `: `, whatever the name holds.
fn skill_of_line(line: &str) -> Option<Value> {
    let (name, rest) = line.strip_prefix("- ")?.strip_suffix(')')?.split_once(": ")?;
    let (description, path) = match rest.split_once(" (file: ") {
        Some((description, path)) => (Some(description), path),
        None => (None, rest.strip_prefix("(file: ")?),
    };
    let mut skill = json!({ "name": name, "description": description.map(shorten), "path": path });
    if let (Some(text), Some(fields)) = (description, skill.as_object_mut())
        && !text.is_empty()
    {
        fields.insert("description_chars".to_owned(), text.chars().count().into());
    }
    Some(skill)
}

/// Whether a listed skill comes with the client.
fn is_system(roots: &Value, skill: &Value) -> bool {
    let path = skill.get("path").and_then(Value::as_str).unwrap_or_default();
    let root = path.split('/').next().unwrap_or_default();
    let root = roots.get(root).and_then(Value::as_str).unwrap_or_default();
    format!("{root}/{path}").contains("/.system/")
}

fn forget_description(skill: &mut Value) {
    if let Some(fields) = skill.as_object_mut() {
        fields.insert("description".to_owned(), Value::Null);
        fields.remove("description_chars");
    }
}

/// Writes runs of 200 and more equal characters as `{c*n}`, as the recording did.
pub(crate) fn shorten(text: &str) -> String {
    let mut short = String::with_capacity(text.len());
    let mut rest = text.chars().peekable();
    while let Some(c) = rest.next() {
        let mut count = 1;
        while rest.next_if_eq(&c).is_some() {
            count += 1;
        }
        if count >= 200 {
            let _ = write!(short, "{{{c}*{count}}}");
        } else {
            short.extend(std::iter::repeat_n(c, count));
        }
    }
    short
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_runs_are_shortened_and_others_are_not() {
        let run = "日".repeat(200);
        assert_eq!(shorten(&format!("a{run}bb")), "a{日*200}bb");
        assert_eq!(shorten(&"x".repeat(199)), "x".repeat(199));
    }

    #[test]
    fn a_line_parts_at_the_first_colon() {
        let skill = skill_of_line("- a: b: c (file: r0/x/SKILL.md)").unwrap();
        assert_eq!(
            skill,
            json!({"name": "a", "description": "b: c", "path": "r0/x/SKILL.md", "description_chars": 4})
        );
        let bare = skill_of_line("- a: (file: r0/x/SKILL.md)").unwrap();
        assert_eq!(bare.get("description"), Some(&Value::Null));
    }
}
