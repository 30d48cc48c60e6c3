//! What a change does to what clients load.

use std::fmt::Write as _;

use anstyle::Style;
use memory_core::{counted, grouped};
use memport_documents::{
    AgentChange, DiffDocument, FindingDocument, LayerChange, Pair, SkillChange, StateDocument,
};

use super::layout::palette;
use super::page::Page;
use super::visible;

/// One difference, as a mark, a name and what happened to it.
struct Line {
    mark: &'static str,
    style: Style,
    name: String,
    what: String,
}

/// The comparison for a terminal.
pub(crate) fn diff(diff: &DiffDocument, width: usize) -> String {
    let mut page = Page::without_place(width);
    page.line(0, &[(&title(diff), palette::TITLE)]);
    page.prose(0, &summary(diff), palette::PLAIN);
    for change in &diff.changes {
        page.heading(change.agent.title(), &place(change));
        for Line { mark, style, name, what } in lines(change) {
            page.hanging(2, (mark, style), &format!("{name}  {what}"));
        }
    }
    let findings = [("+ ", &diff.findings.added), ("- ", &diff.findings.removed)];
    if findings.iter().any(|(_, list)| !list.is_empty()) {
        page.heading("Findings", "");
        for (mark, list) in findings {
            for finding in list {
                page.hanging(2, (mark, palette::PLAIN), &finding_text(finding));
            }
        }
    }
    page.finish()
}

/// The comparison as a comment for a review.
pub(crate) fn diff_markdown(diff: &DiffDocument) -> String {
    let mut out = format!("### {}\n\n{}\n", escaped(&title(diff)), escaped(&summary(diff)));
    for change in &diff.changes {
        let _infallible = write!(
            out,
            "\n**{}** {}\n\n| | what | change |\n| --- | --- | --- |\n",
            change.agent.title(),
            escaped(&place(change))
        );
        for Line { mark, name, what, .. } in lines(change) {
            let mark = mark.trim_end();
            let _infallible = writeln!(out, "| `{mark}` | {} | {} |", code(&name), escaped(&what));
        }
    }
    for (name, list) in [("New", &diff.findings.added), ("Settled", &diff.findings.removed)] {
        if !list.is_empty() {
            let _infallible = write!(out, "\n**{name} findings**\n\n");
        }
        for finding in list {
            let _infallible = writeln!(out, "- {}", escaped(&finding_text(finding)));
        }
    }
    out
}

fn title(diff: &DiffDocument) -> String {
    let name = |state: &StateDocument| match (&state.rev, &state.commit) {
        (Some(rev), Some(commit)) => {
            let short: String = commit.chars().take(10).collect();
            if commit.starts_with(rev.as_str()) { short } else { format!("{rev} ({short})") }
        }
        _ => "the work tree".to_owned(),
    };
    format!("What clients load: {} to {}", name(&diff.from), name(&diff.to))
}

fn summary(diff: &DiffDocument) -> String {
    match (diff.changes.is_empty(), diff.losses) {
        (true, _) => "no client loads anything else".to_owned(),
        (false, 0) => "nothing is lost".to_owned(),
        (false, losses) => format!("{} lost or newly cut", counted(losses as u64, "text")),
    }
}

fn place(change: &AgentChange) -> String {
    let folder = if change.folder == "." { "the root" } else { change.folder.as_str() };
    let total = change.totals.tokens;
    format!("in {folder}, about {} tokens at start", numbers(total))
}

fn lines(change: &AgentChange) -> Vec<Line> {
    let layers = &change.layers;
    let groups = [
        ("- ", palette::LOST, &layers.removed),
        ("+ ", palette::GOOD, &layers.added),
        ("~ ", palette::SCOPE, &layers.changed),
        ("> ", palette::DIM, &layers.moved),
    ];
    let mut lines = Vec::new();
    for (mark, style, list) in groups {
        for layer in list {
            let name =
                layer.path.clone().unwrap_or_else(|| format!("text of a setting, {}", layer.kind));
            let style = if layer.newly_cut { palette::LOST } else { style };
            lines.push(Line { mark, style, name, what: layer_text(layer) });
        }
    }
    let skills = &change.skills;
    let groups = [
        ("- ", palette::LOST, &skills.removed),
        ("+ ", palette::GOOD, &skills.added),
        ("~ ", palette::SCOPE, &skills.changed),
    ];
    for (mark, style, list) in groups {
        for SkillChange { name, path, description } in list {
            let what = match (&description.from, &description.to) {
                (Some(from), Some(to)) => format!("is described as “{to}”, was “{from}”"),
                _ => format!("skill in {path}"),
            };
            lines.push(Line { mark, style, name: name.clone(), what });
        }
    }
    if let Some(memory) = change.memory {
        let cut = if memory.newly_cut { ", now cut" } else { "" };
        let what = format!("{} bytes{cut}", numbers(memory.bytes));
        lines.push(Line { mark: "~ ", style: palette::SCOPE, name: "memory".to_owned(), what });
    }
    lines
}

fn layer_text(layer: &LayerChange) -> String {
    let mut text = match (&layer.from_path, layer.position.from == layer.position.to) {
        (Some(from), _) => format!("was {from}, "),
        (None, false) if layer.position.from.is_some() && layer.position.to.is_some() => {
            format!("place {}, ", numbers(layer.position))
        }
        _ => String::new(),
    };
    let _infallible = write!(text, "{} bytes", numbers(layer.bytes));
    if layer.lost_bytes.to.unwrap_or(0) > 0 {
        let newly = if layer.newly_cut { "now cut" } else { "cut" };
        let lost = grouped(layer.lost_bytes.to.unwrap_or(0));
        let _infallible = write!(text, ", {newly}: {lost} bytes do not reach the model");
    }
    if let Some(reason) = &layer.reason {
        let by = reason.by.as_deref().map(|by| format!(" by {by}")).unwrap_or_default();
        let _infallible = write!(text, ", {}{by}", reason.code);
    }
    text
}

fn finding_text(finding: &FindingDocument) -> String {
    let line = finding.line.map(|line| format!(":{line}")).unwrap_or_default();
    let place = finding.path.as_deref().map(|path| format!("{path}{line}: ")).unwrap_or_default();
    format!("{place}{} [{}]", finding.message, finding.code)
}

/// `12`, or `12 to 30` where it changed.
fn numbers(pair: Pair) -> String {
    match (pair.from, pair.to) {
        (Some(from), Some(to)) if from != to => format!("{} to {}", grouped(from), grouped(to)),
        (from, to) => grouped(to.or(from).unwrap_or(0)),
    }
}

/// A name as code, whatever signs it holds.
fn code(text: &str) -> String {
    let text = visible(text).replace('|', "\\|");
    let longest = text.split(|sign| sign != '`').map(str::len).max().unwrap_or(0);
    let fence = "`".repeat(longest + 1);
    let space = if text.starts_with('`') || text.ends_with('`') { " " } else { "" };
    format!("{fence}{space}{text}{space}{fence}")
}

/// Text that Markdown and HTML take for nothing but text.
fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for sign in visible(text).chars() {
        match sign {
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '&' => out.push_str("&amp;"),
            '@' => out.push_str("&#64;"),
            '\\' | '`' | '*' | '_' | '[' | ']' | '|' | '#' | '!' => {
                out.push('\\');
                out.push(sign);
            }
            _ => out.push(sign),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_strangers_stay_text_in_a_comment() {
        assert_eq!(escaped("@org <b>*x*"), r"&#64;org &lt;b&gt;\*x\*");
        assert_eq!(code("a|b"), r"`a\|b`");
        assert_eq!(code("a``b`"), "``` a``b` ```");
    }

    #[test]
    fn a_number_that_stays_is_said_once() {
        assert_eq!(numbers(Pair { from: Some(1200), to: Some(1200) }), "1,200");
        assert_eq!(numbers(Pair { from: Some(1), to: Some(2) }), "1 to 2");
        assert_eq!(numbers(Pair { from: None, to: Some(2) }), "2");
    }
}
