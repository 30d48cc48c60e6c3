//! What each scripted step adds.

use super::instructions::{omitted_table, row};
use super::layout::Table;
use super::layout::palette;
use super::page::Page;
use super::paths::Paths;
use super::skills::listed_table;
use super::visible::visible;
use memory_core::counted;
use memport_documents::{
    Agent, AgentExplanation, AgentStartDocument, StepDocument, ToolUseDocument,
};

pub(super) fn section(page: &mut Page, agent: &AgentExplanation) {
    for (step, number) in agent.steps.iter().zip(1_u64..) {
        added(page, agent, step, &format!("Step {number}"));
    }
    for started in &agent.agents {
        sub_agent(page, agent, started);
    }
}

/// What a sub-agent is given that a step starts.
fn sub_agent(page: &mut Page, agent: &AgentExplanation, started: &AgentStartDocument) {
    let name = visible(&started.agent).into_owned();
    let file = started.path.as_deref().map(|path| page.paths().file(path));
    let state = file.unwrap_or_else(|| "defined in no file".to_owned());
    page.heading(&format!("Sub-agent {name}"), &state);
    let index = started.memory.content.as_ref().map_or(0, |text| text.len() as u64);
    let given = format!(
        "given {}, {} of the memory index, {} of skills",
        counted(started.layers.len() as u64, "instruction item"),
        counted(index, "byte"),
        counted(started.skills.rendered.len() as u64, "byte"),
    );
    page.prose(2, &given, palette::PLAIN);
    for skill in &started.skills.preloaded {
        let path = page.paths().file(&skill.path);
        page.prose(
            2,
            &format!("the text of the skill {}, {path}", visible(&skill.name)),
            palette::PLAIN,
        );
    }
    for (step, number) in started.steps.iter().zip(1_u64..) {
        added(page, agent, step, &format!("Step {number} of {name}"));
    }
}

/// What one step adds.
fn added(page: &mut Page, agent: &AgentExplanation, step: &StepDocument, heading: &str) {
    let uses: Vec<_> = step.uses.iter().map(|tool| tool_words(page.paths(), tool)).collect();
    page.heading(heading, &uses.join(" + "));
    if step.loads.is_empty() && step.omitted.is_empty() && step.skills_added.is_empty() {
        page.prose(2, nothing(agent), palette::DIM);
    }
    let rows = step.loads.iter().map(|layer| row(layer, "+", page.paths())).collect();
    page.table(&Table { indent: 2, name: 2, rows });
    let left_out = omitted_table(page.paths(), &step.omitted);
    page.table(&left_out);
    if !step.skills_added.is_empty() {
        page.prose(2, "skills added to the listing:", palette::PLAIN);
        page.table(&listed_table(&step.skills_added));
    }
}

/// What there is to say of a step that adds nothing.
fn nothing(agent: &AgentExplanation) -> &'static str {
    match agent.agent {
        Agent::Codex => {
            "adds nothing: Codex reads instructions when it starts and never loads files below its start folder"
        }
        Agent::ClaudeCode => "adds nothing",
    }
}

/// `Read src/a.ts`
fn tool_words(paths: &Paths, tool: &ToolUseDocument) -> String {
    let name = visible(&tool.tool).into_owned();
    let file = ["file_path", "notebook_path", "path"]
        .iter()
        .find_map(|key| tool.input.get(key).and_then(serde_json::Value::as_str));
    match file {
        Some(file) => format!("{name} {}", paths.file(file)),
        None => match tool.input.get("subagent_type").and_then(serde_json::Value::as_str) {
            Some(agent) => format!("{name} {}", visible(agent)),
            None => name,
        },
    }
}
