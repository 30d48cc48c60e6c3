//! Copies of skills that drifted apart.

use std::collections::BTreeMap;

use memory_audit::Check;
use memory_core::AbsPath;
use memory_core::fs::Fs;

use super::finding::Finding;
use super::text::{Text, TextKind};

/// Tells skills of one name, side by side in the folders of two clients, whose
/// texts differ.
pub(super) fn drifted(fs: &dyn Fs, texts: &[Text]) -> Vec<Finding> {
    let mut by_name: BTreeMap<(AbsPath, String), Vec<&Text>> = BTreeMap::new();
    for text in texts.iter().filter(|text| text.kind == TextKind::Skill) {
        if let Some(key) = place_and_name(&text.path) {
            by_name.entry(key).or_default().push(text);
        }
    }
    let mut found = Vec::new();
    for copies in by_name.into_values() {
        let mut real: Vec<(AbsPath, &Text)> = copies
            .into_iter()
            .filter_map(|text| Some((fs.canonicalize(&text.path).ok()?, text)))
            .collect();
        real.sort_by(|a, b| a.1.path.cmp(&b.1.path));
        real.dedup_by(|a, b| a.0 == b.0);
        let Some((_, first)) = real.first() else { continue };
        let Some((_, other)) = real.iter().find(|(_, other)| body(other) != body(first)) else {
            continue;
        };
        let line = first_difference(first, other);
        let mut finding =
            Finding::of(Check::SkillDrifted, &first.path).on(line, &first.shown_line(line));
        finding.related.push((other.path.clone(), Some(line)));
        found.push(finding);
    }
    found
}

/// The folder that holds the client's folder, and the name of the skill:
/// `/p/.claude/skills/x/SKILL.md` is `x` of `/p`.
fn place_and_name(path: &AbsPath) -> Option<(AbsPath, String)> {
    let skill = path.parent()?;
    let skills = skill.parent()?;
    if skills.file_name() != Some("skills") {
        return None;
    }
    let home = skills.parent()?.parent()?;
    Some((home, skill.file_name()?.to_owned()))
}

/// What a skill says, whatever keys its client wants.
fn body(text: &Text) -> Vec<&str> {
    let body = text.content.get(text.body..).unwrap_or_default();
    body.lines().map(str::trim_end).filter(|line| !line.is_empty()).collect()
}

fn first_difference(a: &Text, b: &Text) -> u32 {
    let others: Vec<&str> = b.body_lines().map(|(_, line)| line).collect();
    let mut own = a.body_lines().enumerate();
    let differs = own.find(|(at, (_, line))| others.get(*at) != Some(line));
    differs.map_or_else(|| a.line_of(a.body), |(_, (line, _))| line)
}
