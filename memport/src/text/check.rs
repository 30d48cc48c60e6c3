//! Findings for people, for GitHub, and as SARIF.

use memory_core::{counted, grouped};
use memport_documents::{CheckDocument, FindingDocument, Severity};
use serde_json::{Value, json};

use super::layout::palette;
use super::len;
use super::page::Page;
use super::visible;

/// Most places of one kind that are shown.
const SHOWN: usize = 8;

/// The findings, worst first, those of one kind together.
pub(crate) fn check(document: &CheckDocument, width: usize) -> String {
    let mut page = Page::without_place(width);
    if document.findings.is_empty() {
        page.prose(0, "Nothing is wrong here.", palette::GOOD);
    } else {
        page.line(0, &[(&counted(len(&document.findings), "finding"), palette::TITLE)]);
    }
    let mut groups: Vec<Vec<&FindingDocument>> = Vec::new();
    for finding in &document.findings {
        let same = |group: &&mut Vec<&FindingDocument>| {
            group.first().is_some_and(|first| {
                first.code == finding.code && first.severity == finding.severity
            })
        };
        match groups.iter_mut().find(same) {
            Some(group) => group.push(finding),
            None => groups.push(vec![finding]),
        }
    }
    groups.sort_by_key(|group| group.first().map(|first| rank(first.severity)));
    for group in &groups {
        kind(&mut page, group);
    }
    inventory(&mut page, document);
    page.finish()
}

fn path_of(found: &FindingDocument) -> &str {
    found.path.as_deref().unwrap_or(".")
}

fn rank(severity: Severity) -> u8 {
    match severity {
        Severity::Error => 0,
        Severity::Warning => 1,
        Severity::Hint => 2,
    }
}

fn kind(page: &mut Page, group: &[&FindingDocument]) {
    let Some(first) = group.first() else { return };
    let style = match first.severity {
        Severity::Error => palette::ERROR,
        Severity::Warning => palette::WARNING,
        Severity::Hint => palette::HINT,
    };
    page.line(0, &[]);
    let is_one = group.iter().all(|found| found.message == first.message);
    let said = match (is_one, group.len()) {
        (true, 1) => first.message.clone(),
        (true, _) => format!("{} ({})", first.message, grouped(len(group))),
        (false, _) => format!("{} of this kind", grouped(len(group))),
    };
    page.labelled(
        &format!("{}[{}]:", first.severity, visible(&first.code)),
        style,
        &visible(&said),
    );
    for found in group.iter().take(SHOWN) {
        let line = found.line.map(|line| format!(":{line}")).unwrap_or_default();
        let also: Vec<_> = found
            .related
            .iter()
            .map(|place| {
                place.path.clone() + &place.line.map(|line| format!(":{line}")).unwrap_or_default()
            })
            .collect();
        let also =
            if also.is_empty() { String::new() } else { format!(" and {}", also.join(", ")) };
        let said =
            if is_one { found.excerpt.clone().unwrap_or_default() } else { found.message.clone() };
        let said: String = if said.is_empty() { said } else { format!("  {said}") };
        page.hanging(
            2,
            ("--> ", palette::DIM),
            &visible(&format!("{}{line}{also}{said}", path_of(found))),
        );
    }
    if group.len() > SHOWN {
        let more = group.len() - SHOWN;
        page.line(2, &[(&format!("… and {} more", grouped(more as u64)), palette::DIM)]);
    }
    if let Some(help) = &first.help {
        page.labelled("  hint:", palette::HINT, &visible(help));
    }
}

fn inventory(page: &mut Page, document: &CheckDocument) {
    let counts = document.counts;
    if counts.entries > 0 {
        page.line(0, &[]);
        let said = format!(
            "{}: {} dated, {} too long, {} with line numbers, {} with progress words",
            if counts.entries == 1 {
                "1 entry".to_owned()
            } else {
                format!("{} entries", grouped(counts.entries))
            },
            grouped(counts.dated),
            grouped(counts.too_long),
            grouped(counts.with_line_numbers),
            grouped(counts.with_progress_words),
        );
        page.prose(0, &said, palette::DIM);
    }
    if document.known + document.ignored > 0 {
        let said =
            format!("{} known, {} ignored", grouped(document.known), grouped(document.ignored));
        page.prose(0, &said, palette::DIM);
    }
    if let Some(plan) = &document.plan {
        let said = match (&document.applied, plan.changes.len()) {
            (Some(applied), _) => {
                format!("The safe fixes are made; `{}` takes them back.", applied.undo)
            }
            (None, 0) => "There is nothing that can be fixed safely.".to_owned(),
            (None, _) => "`--write` makes these fixes:".to_owned(),
        };
        page.line(0, &[]);
        page.prose(0, &said, palette::PLAIN);
        if document.applied.is_none() {
            for diff in plan.changes.iter().filter_map(|change| change.diff.as_deref()) {
                for line in diff.lines() {
                    page.line(2, &[(&visible(line), palette::PLAIN)]);
                }
            }
        }
    }
}

/// One annotation a line, nothing else.
pub(crate) fn github(document: &CheckDocument) -> String {
    let mut out = String::new();
    for found in &document.findings {
        let level = match found.severity {
            Severity::Error => "error",
            Severity::Warning => "warning",
            Severity::Hint => "notice",
        };
        let mut properties = vec![format!("file={}", property(path_of(found)))];
        if let Some(line) = found.line {
            properties.push(format!("line={line}"));
            properties.push(format!("endLine={}", found.end_line.unwrap_or(line)));
        }
        properties.push(format!("title={}", property(&found.code)));
        let excerpt = found.excerpt.as_deref().filter(|excerpt| !excerpt.is_empty());
        let excerpt = excerpt.map(|excerpt| format!(": {excerpt}")).unwrap_or_default();
        let message = escaped(&visible(&format!("{}{excerpt}", found.message)));
        out += &[
            ["::", level, " "].concat(),
            properties.join(","),
            "::".to_owned(),
            message,
            "\n".to_owned(),
        ]
        .concat();
    }
    out
}

fn escaped(text: &str) -> String {
    text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

fn property(text: &str) -> String {
    escaped(&visible(text)).replace(':', "%3A").replace(',', "%2C")
}

/// The findings as a log of SARIF 2.1.0.
pub(crate) fn sarif(document: &CheckDocument) -> Value {
    let mut codes: Vec<&str> = document.findings.iter().map(|found| found.code.as_str()).collect();
    codes.sort_unstable();
    codes.dedup();
    let rule = |code: &&str| {
        let about = document.findings.iter().find(|found| found.code == *code);
        let help = about.and_then(|found| found.help.clone()).unwrap_or_default();
        let mut rule =
            json!({ "id": code, "shortDescription": { "text": description(code, about) } });
        if !help.is_empty()
            && let Some(rule) = rule.as_object_mut()
        {
            rule.insert("help".to_owned(), json!({ "text": visible(&help) }));
        }
        rule
    };
    let rules: Vec<_> = codes.iter().map(rule).collect();
    let results: Vec<_> = document.findings.iter().map(|found| result(found, &codes)).collect();
    json!({
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [{
            "tool": { "driver": { "name": "memport", "version": env!("CARGO_PKG_VERSION"), "rules": rules } },
            "columnKind": "unicodeCodePoints",
            "results": results,
        }],
    })
}

/// What a rule is about: the check's own sentence, which names no file.
fn description(code: &str, about: Option<&FindingDocument>) -> String {
    let own = memory_audit::Check::ALL.iter().find(|check| check.code().0 == code);
    match (own, about) {
        (Some(check), _) => check.message().to_owned(),
        (None, Some(found)) => visible(&found.message).into_owned(),
        (None, None) => code.to_owned(),
    }
}

fn result(found: &FindingDocument, codes: &[&str]) -> Value {
    let level = match found.severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Hint => "note",
    };
    let mut region = json!({});
    if let (Some(line), Some(region)) = (found.line, region.as_object_mut()) {
        region.insert("startLine".to_owned(), json!(line.max(1)));
        region.insert("endLine".to_owned(), json!(found.end_line.unwrap_or(line).max(line)));
        if let Some(excerpt) = &found.excerpt {
            region.insert("snippet".to_owned(), json!({ "text": visible(excerpt) }));
        }
    }
    let mut result = json!({
        "ruleId": found.code,
        "ruleIndex": codes.binary_search(&found.code.as_str()).unwrap_or_default(),
        "level": level,
        "message": { "text": visible(&found.message) },
        "locations": [location(path_of(found), (found.line.is_some()).then_some(region))],
    });
    if !found.related.is_empty()
        && let Some(result) = result.as_object_mut()
    {
        let related: Vec<_> = found
            .related
            .iter()
            .map(|place| {
                location(&place.path, place.line.map(|line| json!({ "startLine": line.max(1) })))
            })
            .collect();
        result.insert("relatedLocations".to_owned(), json!(related));
    }
    result
}

fn location(path: &str, region: Option<Value>) -> Value {
    let mut physical = json!({ "artifactLocation": { "uri": uri(path) } });
    if let (Some(region), Some(physical)) = (region, physical.as_object_mut()) {
        physical.insert("region".to_owned(), region);
    }
    json!({ "physicalLocation": physical })
}

/// A path as a reference: what is not plain is written in hexadecimal.
fn uri(path: &str) -> String {
    let mut uri = String::new();
    if path.starts_with('/') {
        uri.push_str("file://");
    }
    for byte in memory_core::fs::name_to_bytes(path) {
        if byte.is_ascii_alphanumeric() || b"/-._~!$&'()*+,;=@".contains(&byte) {
            uri.push(char::from(byte));
        } else {
            uri.push('%');
            uri.extend(format!("{byte:02X}").chars());
        }
    }
    uri
}
