//! What is said twice, contradicted or replaced, across all texts.

use std::collections::HashSet;

use memory_audit::{Check, Passage, Relation, pairings};

use super::finding::Finding;
use super::text::{Text, TextKind};

/// Compares the texts with each other.
pub(super) fn pairs(texts: &[Text]) -> Vec<Finding> {
    let mut passages = Vec::new();
    for (at, text) in texts.iter().enumerate() {
        // An index says what its memories say; a skill's steps are its own.
        if !matches!(text.kind, TextKind::Skill) {
            passages.extend(of_text(at, text));
        }
    }
    let shares_client = |a: usize, b: usize| {
        let clients =
            |at: usize| texts.get(at).map(|text| text.clients.as_slice()).unwrap_or_default();
        clients(a).iter().any(|client| clients(b).contains(client))
    };
    let mut told = HashSet::new();
    let mut found = Vec::new();
    for pairing in pairings(&passages, &|a, b| a.text == b.text) {
        let (Some(a), Some(b)) = (passages.get(pairing.first), passages.get(pairing.second)) else {
            continue;
        };
        let check = match pairing.relation {
            // What one client reads here and the other there is said once to each.
            Relation::Duplicate if !shares_client(a.text, b.text) => continue,
            Relation::Duplicate => Check::Duplicate,
            Relation::Contradiction => Check::Contradiction,
            Relation::FirstSuperseded | Relation::SecondSuperseded => Check::Superseded,
        };
        // Of two texts that say many things twice, each line is told once.
        if !told.insert((check, a.text, a.line)) {
            continue;
        }
        let (Some(first), Some(second)) = (texts.get(a.text), texts.get(b.text)) else { continue };
        let mut finding =
            Finding::of(check, &first.path).on(a.line, &first.shown_line(a.line)).until(a.end_line);
        finding.message = format!("{}: see `{}`, line {}", check.message(), second.path, b.line);
        finding.related.push((second.path.clone(), Some(b.line)));
        found.push(finding);
    }
    found
}

/// The sentences of a text that say something.
fn of_text(at: usize, text: &Text) -> Vec<Passage> {
    let mut found = Vec::new();
    let mut seen = HashSet::new();
    let mut is_code = false;
    let mut is_comment = false;
    for (line, said) in text.body_lines() {
        let said = said.trim();
        if said.starts_with("```") || said.starts_with("~~~") {
            is_code = !is_code;
            continue;
        }
        is_comment |= said.starts_with("<!--");
        let is_hidden = is_code || is_comment;
        is_comment &= !said.contains("-->");
        let is_other = said.starts_with(['#', '|', '@', '<', '!'])
            || said.contains("](") && text.kind == TextKind::Index;
        if is_hidden || is_other || said.chars().count() > 600 {
            continue;
        }
        let said = said.trim_start_matches(['-', '*', '+', '>', ' ']);
        // A line that stands there often is told of once.
        if said.chars().filter(|c| c.is_alphanumeric()).count() >= 8 && seen.insert(said.to_owned())
        {
            found.push(Passage { text: at, line, end_line: line, said: said.to_owned() });
        }
    }
    found
}
