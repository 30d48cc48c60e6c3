//! What two answers have different, for people.

use std::fmt::Write as _;

use serde_json::{Map, Value};

/// Lines shown around a difference.
const CONTEXT: usize = 3;
/// Longest table that is filled for a line-by-line comparison, in cells.
const MAX_CELLS: usize = 4_000_000;
/// Characters of a line that are shown.
const MAX_WIDTH: usize = 300;

/// The fields in which `have` is not what was recorded, or `None` when all are equal.
///
/// Lines with `-` are recorded, lines with `+` are computed.
pub(crate) fn report(recorded: &Map<String, Value>, have: &Map<String, Value>) -> Option<String> {
    let mut text = String::new();
    let fields = recorded.keys().chain(have.keys().filter(|key| !recorded.contains_key(*key)));
    for field in fields {
        let (want, have) = (recorded.get(field), have.get(field));
        if want == have {
            continue;
        }
        let _ = writeln!(text, "{field}: - recorded, + computed");
        unified(&mut text, &lines(want), &lines(have));
    }
    if text.is_empty() { None } else { Some(text) }
}

fn lines(value: Option<&Value>) -> Vec<String> {
    let mut lines = Vec::new();
    match value {
        None => lines.push("(nothing)".to_owned()),
        Some(value) => show(value, "", 0, &mut lines),
    }
    lines
}

/// Writes a value as lines; a text of several lines keeps them.
fn show(value: &Value, name: &str, depth: usize, out: &mut Vec<String>) {
    let indent = "  ".repeat(depth);
    match value {
        Value::Array(items) if !items.is_empty() => {
            out.push(format!("{indent}{name}["));
            for item in items {
                show(item, "", depth + 1, out);
            }
            out.push(format!("{indent}]"));
        }
        Value::Object(fields) if !fields.is_empty() => {
            out.push(format!("{indent}{name}{{"));
            for (key, item) in fields {
                show(item, &format!("{key}: "), depth + 1, out);
            }
            out.push(format!("{indent}}}"));
        }
        Value::String(text) if text.contains('\n') => {
            out.push(format!("{indent}{name}text"));
            for line in text.split_inclusive('\n') {
                let line =
                    line.escape_debug().to_string().replace("\\'", "'").replace("\\\"", "\"");
                out.push(format!("{indent}  | {line}"));
            }
        }
        other => out.push(format!("{indent}{name}{other}")),
    }
}

fn unified(out: &mut String, want: &[String], have: &[String]) {
    let start = want.iter().zip(have).take_while(|(a, b)| a == b).count();
    let (want_rest, have_rest) = (skip(want, start), skip(have, start));
    let end =
        want_rest.iter().rev().zip(have_rest.iter().rev()).take_while(|(a, b)| a == b).count();
    let want_middle = want_rest.get(..want_rest.len() - end).unwrap_or_default();
    let have_middle = have_rest.get(..have_rest.len() - end).unwrap_or_default();
    let before = want.get(start.saturating_sub(CONTEXT)..start).unwrap_or_default();
    let mut edits: Vec<(char, &String)> = before.iter().map(|line| (' ', line)).collect();
    edits.extend(middle(want_middle, have_middle));
    let after = skip(want_rest, want_middle.len());
    edits.extend(after.iter().take(CONTEXT).map(|line| (' ', line)));
    let near = |at: usize| {
        let from = at.saturating_sub(CONTEXT);
        edits.iter().skip(from).take(2 * CONTEXT + 1).any(|(sign, _)| *sign != ' ')
    };
    let mut gap = false;
    for (at, (sign, line)) in edits.iter().enumerate() {
        if near(at) {
            let shown: String = line.chars().take(MAX_WIDTH).collect();
            let more = if shown.len() < line.len() { "…" } else { "" };
            let _ = writeln!(out, "  {sign} {shown}{more}");
        } else if !gap {
            out.push_str("    …\n");
        }
        gap = !near(at);
    }
}

fn skip(lines: &[String], count: usize) -> &[String] {
    lines.get(count..).unwrap_or_default()
}

/// The lines of both sides, common ones once: the longest common subsequence.
fn middle<'a>(want: &'a [String], have: &'a [String]) -> Vec<(char, &'a String)> {
    let columns = have.len() + 1;
    if (want.len() + 1).saturating_mul(columns) > MAX_CELLS {
        let gone = want.iter().map(|line| ('-', line));
        return gone.chain(have.iter().map(|line| ('+', line))).collect();
    }
    let mut table = vec![0_usize; (want.len() + 1) * columns];
    let at = |table: &[usize], i: usize, j: usize| table.get(i * columns + j).copied().unwrap_or(0);
    for (i, a) in want.iter().enumerate().rev() {
        for (j, b) in have.iter().enumerate().rev() {
            let best = if a == b {
                at(&table, i + 1, j + 1) + 1
            } else {
                at(&table, i + 1, j).max(at(&table, i, j + 1))
            };
            if let Some(cell) = table.get_mut(i * columns + j) {
                *cell = best;
            }
        }
    }
    let (mut i, mut j, mut edits) = (0, 0, Vec::new());
    loop {
        match (want.get(i), have.get(j)) {
            (Some(a), Some(b)) if a == b => {
                edits.push((' ', a));
                (i, j) = (i + 1, j + 1);
            }
            (Some(a), Some(_)) if at(&table, i + 1, j) >= at(&table, i, j + 1) => {
                edits.push(('-', a));
                i += 1;
            }
            (_, Some(b)) => {
                edits.push(('+', b));
                j += 1;
            }
            (Some(a), None) => {
                edits.push(('-', a));
                i += 1;
            }
            (None, None) => return edits,
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn map(value: &Value) -> Map<String, Value> {
        value.as_object().unwrap().clone()
    }

    #[test]
    fn equal_answers_have_no_report() {
        let answer = map(&json!({"a": ["x\ny", null]}));
        assert_eq!(report(&answer, &answer), None);
    }

    #[test]
    fn a_difference_names_the_field_and_shows_the_lines() {
        let want = map(&json!({"same": 1, "text": "one\ntwo\nthree"}));
        let have = map(&json!({"same": 1, "text": "one\n2\nthree", "more": true}));
        assert_eq!(
            report(&want, &have).unwrap(),
            "text: - recorded, + computed\n    text\n      | one\\n\n  -   | two\\n\n  +   | 2\\n\n      | three\n\
             more: - recorded, + computed\n  - (nothing)\n  + true\n"
        );
    }
}
