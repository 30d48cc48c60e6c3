//! The memory that is injected.

use memory_core::{counted, grouped};

use super::layout::palette;
use super::of_unit;
use super::page::Page;
use super::visible::visible;
use memport_documents::{AgentExplanation, IndexCutDocument, MemoryCut, MiddleCutDocument, Unit};

pub(super) fn section(page: &mut Page, agent: &AgentExplanation) {
    let memory = &agent.memory;
    if memory.content.is_none() && !agent.client.starts {
        return;
    }
    let version = memory.version.map(|version| format!("{version}, ")).unwrap_or_default();
    let state = match &memory.content {
        _ if !memory.enabled => "off".to_owned(),
        None => format!("{version}nothing is injected"),
        Some(text) => format!("{version}{}", counted(text.len() as u64, "byte")),
    };
    page.heading("Memory", &state);
    if let Some(path) = memory.path.as_deref().filter(|_| memory.enabled) {
        let path = page.paths().file(path);
        page.line(2, &[(&path, palette::PLAIN)]);
    }
    if let Some(topics) = memory.topics {
        let all = counted(topics.all, "topic");
        let text = format!(
            "the index lists {} of {all}; a topic is read when it is needed",
            grouped(topics.listed)
        );
        let style = if topics.listed < topics.all { palette::LOST } else { palette::DIM };
        page.prose(2, &text, style);
    }
    if let Some(cut) = &memory.cut {
        page.prose(2, &cut_words(cut), palette::LOST);
    }
    if let Some(index) = &memory.would_create {
        let size = counted(index.content.len() as u64, "byte");
        let text = format!("the client would write a new index of {size} to `{}`", index.path);
        page.prose(2, &text, palette::LOST);
    }
    for own in &agent.agent_memory {
        let (name, scope) = (visible(&own.agent), visible(&own.scope));
        let size = own.content.as_ref().map_or_else(
            || "nothing is injected".to_owned(),
            |text| counted(text.len() as u64, "byte"),
        );
        let dir = page.paths().file(&own.dir);
        let text = format!("sub-agent {name} ({scope}): {size}, {dir}");
        page.prose(2, &text, palette::PLAIN);
        if let Some(cut) = &own.cut {
            page.prose(4, &index_words(cut), palette::LOST);
        }
    }
}

fn cut_words(cut: &MemoryCut) -> String {
    match cut {
        MemoryCut::Middle(cut) => middle_words(*cut),
        MemoryCut::Index(cut) => index_words(cut),
    }
}

fn middle_words(cut: MiddleCutDocument) -> String {
    let (first, last) = (grouped(cut.first_lost_line), grouped(cut.last_lost_line));
    let lines =
        if first == last { format!("line {first}") } else { format!("lines {first} to {last}") };
    format!(
        "cut in the middle, {lines}: {} lost (the client says {})",
        counted(cut.lost_bytes, "byte"),
        counted(cut.lost_tokens, "token"),
    )
}

fn index_words(cut: &IndexCutDocument) -> String {
    let lost = match (cut.cut_lines, cut.total_lines) {
        (Some(lost), Some(all)) => {
            format!("cut: {} of {} lost", grouped(lost), counted(all, "line"))
        }
        (Some(lost), None) => format!("cut: {} lost", counted(lost, "line")),
        (None, _) => "cut".to_owned(),
    };
    let more = [
        cut.lines
            .filter(|lines| cut.total_lines != Some(*lines))
            .map(|lines| format!("the index has {}", counted(lines, "line"))),
        cut.kb.as_ref().map(|kb| format!("{kb} KB")),
        cut.cut_inside_line_1_after
            .map(|units| format!("inside line 1 after {}", of_unit(units, Unit::Utf16))),
        cut.first_cut_line.map(|line| format!("from line {} on", grouped(line))),
    ];
    let text = std::iter::once(lost).chain(more.into_iter().flatten()).collect::<Vec<_>>();
    let quote = cut.first_cut_text.as_ref().map(|first| format!(": {first}")).unwrap_or_default();
    text.join(", ") + &quote
}
