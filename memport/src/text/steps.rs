//! What each scripted step adds.

use super::instructions::{omitted_table, row};
use super::layout::Table;
use super::layout::palette;
use super::page::Page;
use super::paths::Paths;
use super::skills::listed_table;
use super::visible::visible;
use memport_documents::{Agent, AgentExplanation, ToolUseDocument};

pub(super) fn section(page: &mut Page, agent: &AgentExplanation) {
    for (step, number) in agent.steps.iter().zip(1_u64..) {
        let uses: Vec<_> = step.uses.iter().map(|tool| tool_words(page.paths(), tool)).collect();
        page.heading(&format!("Step {number}"), &uses.join(" + "));
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
        None => name,
    }
}
