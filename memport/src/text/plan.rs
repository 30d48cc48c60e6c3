//! What is written, as a diff.

use memory_core::{counted, grouped};

use anstyle::Style;

use super::diagnostics;
use super::layout::palette;
use super::len;
use super::page::Page;
use super::visible::visible;
use crate::place::Start;
use memport_documents::{
    AlikeDocument, AppliedDocument, ChangeDocument, HookDocument, MemoryChange, Op, PlanDocument,
    RelocateDocument, UndoDocument,
};

/// A memory that is added.
pub(crate) fn memory_change(change: &MemoryChange, start: &Start, width: usize) -> String {
    let mut page = Page::at(start, width);
    plan(&mut page, &change.plan, change.applied.as_ref());
    if change.applied.is_none() {
        for path in &change.known_in {
            let text = format!("`{path}` says the same already");
            page.labelled("warning:", palette::WARNING, &text);
        }
        for line in &change.similar {
            let text = format!("nearly the same is remembered already: {}", candidate(line));
            page.labelled("warning:", palette::WARNING, &text);
        }
        for line in &change.contradicts {
            let text = format!("something else is remembered already: {}", candidate(line));
            page.labelled("warning:", palette::WARNING, &text);
        }
        if !change.similar.is_empty() || !change.contradicts.is_empty() {
            page.labelled("hint:", palette::HINT, "`--yes` adds it anyway");
        }
    }
    diagnostics::section(&mut page, &change.diagnostics);
    page.finish()
}

/// A line that says nearly the same as a new fact.
pub(crate) fn candidate(line: &AlikeDocument) -> String {
    let number = line.line.map(|number| format!(":{number}")).unwrap_or_default();
    format!("`{}{number}` says “{}”", line.path, visible(line.excerpt.trim()))
}

/// A project's memory that follows its folder.
pub(crate) fn relocate(relocate: &RelocateDocument, start: &Start, width: usize) -> String {
    let mut page = Page::at(start, width);
    plan(&mut page, &relocate.plan, relocate.applied.as_ref());
    diagnostics::section(&mut page, &relocate.diagnostics);
    page.finish()
}

/// A hook that is added to what clients run.
pub(crate) fn hook(hook: &HookDocument, start: &Start, width: usize) -> String {
    let mut page = Page::at(start, width);
    plan(&mut page, &hook.plan, hook.applied.as_ref());
    let runs = format!("The clients run `{}` when a conversation ends.", hook.command);
    page.prose(0, &runs, palette::DIM);
    let trust = "Codex asks once whether it may run a new hook.";
    page.prose(0, trust, palette::DIM);
    page.finish()
}

/// A run that is taken back.
pub(crate) fn undo(undo: &UndoDocument, start: &Start, width: usize) -> String {
    let mut page = Page::at(start, width);
    let title = format!("Run {}", undo.run);
    let summary = counted(len(&undo.changes), "change");
    page.line(0, &[(&title, palette::TITLE), ("  ", palette::PLAIN), (&summary, palette::PLAIN)]);
    changes(&mut page, &undo.changes);
    page.line(0, &[]);
    if undo.applied.is_some() {
        page.prose(0, "Everything is as it was before.", palette::GOOD);
    } else {
        page.labelled("hint:", palette::HINT, "nothing is brought back yet; `--write` does it");
    }
    page.finish()
}

fn plan(page: &mut Page, plan: &PlanDocument, applied: Option<&AppliedDocument>) {
    if plan.changes.is_empty() {
        page.prose(0, "There is nothing to write: everything is as it is wanted.", palette::PLAIN);
        return;
    }
    let summary = counted(len(&plan.changes), "change");
    page.line(0, &[("Plan", palette::TITLE), ("  ", palette::PLAIN), (&summary, palette::PLAIN)]);
    changes(page, &plan.changes);
    page.line(0, &[]);
    outcome(page, plan, applied);
}

/// What was done, or how it is done.
pub(super) fn outcome(page: &mut Page, plan: &PlanDocument, applied: Option<&AppliedDocument>) {
    if let Some(AppliedDocument { run, undo }) = applied {
        page.prose(0, &format!("Written as run {run}."), palette::GOOD);
        page.labelled("hint:", palette::HINT, &format!("`{undo} --write` takes it back"));
    } else {
        page.line(0, &[(&plan.digest, palette::DIM)]);
        let text = "nothing is written yet; `--write` does it, and with `--plan` and the digest \
                    above only if it is still this plan";
        page.labelled("hint:", palette::HINT, text);
    }
}

fn changes(page: &mut Page, changes: &[ChangeDocument]) {
    for change in changes {
        page.line(0, &[]);
        header(page, change);
        body(page, change);
    }
}

/// What happens to which path.
pub(super) fn header(page: &mut Page, change: &ChangeDocument) {
    let path = page.paths().file(&change.path);
    let size = match (change.bytes, &change.mode) {
        (Some(bytes), Some(mode)) => format!("{} B, mode {mode}", grouped(bytes)),
        (Some(bytes), None) => format!("{} B", grouped(bytes)),
        (None, _) => String::new(),
    };
    let detail = match (change.op, change.from.as_slice()) {
        (Op::Link | Op::Unlink, [target]) => format!("-> {}", visible(target)),
        (Op::Remove, _) => String::new(),
        (Op::Create | Op::Replace | Op::Move | Op::Link | Op::Unlink, []) => size,
        (Op::Create | Op::Replace | Op::Move | Op::Link | Op::Unlink, [from, more @ ..]) => {
            let from = page.paths().file(from);
            let more = match more.len() {
                0 => String::new(),
                more => format!(" and {}", counted(more as u64, "other")),
            };
            let comma = if size.is_empty() { "" } else { ", " };
            format!("{size}{comma}from {from}{more}")
        }
    };
    let mut parts = vec![
        (change.op.as_str(), style(change.op)),
        (" ", palette::PLAIN),
        (&path, palette::TITLE),
    ];
    if !detail.is_empty() {
        parts.extend([("  ", palette::PLAIN), (detail.as_str(), palette::DIM)]);
    }
    page.line(0, &parts);
}

/// What becomes of the text.
pub(super) fn body(page: &mut Page, change: &ChangeDocument) {
    match &change.diff {
        Some(diff) => diff_lines(page, 2, diff),
        None => match change.op {
            Op::Move | Op::Link | Op::Unlink => {}
            Op::Create | Op::Replace | Op::Remove => page.prose(2, "(no text)", palette::DIM),
        },
    }
    if let Some(warning) = &change.warning {
        page.labelled("warning:", palette::WARNING, warning);
    }
}

/// A diff without the names of the files.
pub(super) fn diff_lines(page: &mut Page, indent: usize, diff: &str) {
    diff.lines().skip(NAMES).for_each(|line| diff_line(page, indent, line));
}

/// The first lines of a diff, which name the files.
const NAMES: usize = 2;

/// A line of a diff; it is never broken, so that it can be read as it is.
fn diff_line(page: &mut Page, indent: usize, line: &str) {
    let style = match line.as_bytes().first() {
        Some(b'+') => palette::GOOD,
        Some(b'-') => palette::LOST,
        Some(b'@' | b'\\') => palette::DIM,
        _ => palette::PLAIN,
    };
    let cells: Vec<_> = line.split('\t').map(visible).collect();
    page.line(indent, &[(&cells.join("\t"), style)]);
}

fn style(op: Op) -> Style {
    match op {
        Op::Create | Op::Link => palette::GOOD,
        Op::Remove | Op::Unlink => palette::LOST,
        Op::Replace | Op::Move => palette::SCOPE,
    }
}
