//! Which skills the model is told of.

use memory_core::grouped;

use super::layout::palette;
use super::layout::{Cell, Row, Table};
use super::len;
use super::page::Page;
use super::visible::visible;
use memport_documents::{ListedSkillDocument, SkillScope, SkillsDocument};

pub(super) fn section(page: &mut Page, skills: &SkillsDocument) {
    if skills.listed.is_empty() && skills.omitted.is_empty() {
        return;
    }
    let listed = match len(&skills.listed) {
        0 => "none listed".to_owned(),
        listed => format!("{} listed", grouped(listed)),
    };
    let summary = match len(&skills.omitted) {
        0 => listed,
        omitted => format!("{listed}, {} not listed", grouped(omitted)),
    };
    page.heading("Skills", &summary);
    page.table(&listed_table(&skills.listed));
    page.budget(skills.budget);
    let rows = skills.omitted.iter().map(|skill| Row {
        cells: vec![
            Cell::left("-", palette::DIM),
            Cell::left(skill.scope.as_str(), palette::SCOPE),
            Cell::left(page.paths().file(&skill.path), palette::PLAIN),
        ],
        tail: Cell::left(
            match skill.quirk {
                Some(quirk) => format!("{} [{quirk}]", page.paths().in_prose(&skill.message)),
                None => page.paths().in_prose(&skill.message),
            },
            palette::PLAIN,
        ),
        below: Vec::new(),
    });
    let table = Table { indent: 2, name: 2, rows: rows.collect() };
    page.table(&table);
}

/// The names of the listed skills, one row per scope, in the order of the listing.
pub(super) fn listed_table(listed: &[ListedSkillDocument]) -> Table {
    let mut groups: Vec<(SkillScope, Vec<String>)> = Vec::new();
    for skill in listed {
        let mut name = visible(&skill.name).into_owned();
        if skill.lost_chars > 0 {
            name.push_str(" (description cut)");
        }
        match groups.iter_mut().find(|(scope, _)| *scope == skill.scope) {
            Some((_, names)) => names.push(name),
            None => groups.push((skill.scope, vec![name])),
        }
    }
    let rows = groups.into_iter().map(|(scope, names)| Row {
        cells: vec![Cell::left(scope.as_str(), palette::SCOPE)],
        tail: Cell::left(names.join(", "), palette::PLAIN),
        below: Vec::new(),
    });
    Table { indent: 2, name: 0, rows: rows.collect() }
}
