//! Where a new line of an index belongs.

use memory_core::doc::{Newline, Span};

use super::index::{IndexLine, marker};
use super::{IndexFile, IndexPart};

/// The index with a new line: at the end of the list to which it belongs, all
/// other bytes as they were.
///
/// That is the list below a heading that names the type; else the one in which
/// most files are named after the type; else the last one that points to files;
/// else the last one at all. Without a list the line goes to the end.
pub(super) fn inserted(index: &IndexFile, type_name: &str, line: &str) -> Vec<u8> {
    let lists = lists(index);
    let headed = headed(index, type_name);
    let in_section = headed.and_then(|(start, end)| {
        let inside = |list: &&List| list.last >= start && list.last < end;
        lists.iter().rfind(inside)
    });
    let named = |list: &&List| list.named(index, type_name) > 0;
    let chosen = match headed {
        Some(_) => in_section,
        None => lists
            .iter()
            .filter(named)
            .max_by_key(|list| list.named(index, type_name))
            .or_else(|| lists.iter().rfind(|list| list.has_files))
            .or_else(|| lists.last()),
    };
    match (chosen, headed) {
        (Some(list), _) => {
            let marker = list.next_marker(index);
            splice(index, list.last, &[&format!("{marker}{line}")])
        }
        (None, Some((start, end))) => {
            let section = index.lines.get(start..end).unwrap_or_default();
            let last = section.iter().rposition(|line| line.part != IndexPart::Blank);
            splice(index, start + last.unwrap_or_default(), &["", &format!("- {line}")])
        }
        (None, None) => appended(index, &format!("- {line}")),
    }
}

/// Entries that follow each other; blank lines between them do not count.
struct List {
    /// The place of its first line among all lines.
    first: usize,
    /// The place of its last line.
    last: usize,
    has_files: bool,
}

impl List {
    /// How many of its files are named after a type.
    fn named(&self, index: &IndexFile, type_name: &str) -> usize {
        let lines = index.lines.get(self.first..=self.last).unwrap_or_default();
        let is_named = |file: &&String| {
            let name = file.rsplit('/').next().unwrap_or_default();
            name.strip_prefix(type_name).is_some_and(|rest| rest.starts_with(['_', '-']))
        };
        lines
            .iter()
            .filter_map(|line| match &line.part {
                IndexPart::Entry(entry) => Some(entry.files.iter().filter(is_named).count()),
                _ => None,
            })
            .sum()
    }

    /// The marker that goes on with the list: that of its last entry on the
    /// outermost level, with the next number where it is numbered.
    fn next_marker(&self, index: &IndexFile) -> String {
        let lines = index.lines.get(self.first..=self.last).unwrap_or_default();
        let markers = lines.iter().filter_map(|line| match &line.part {
            IndexPart::Entry(entry) if !entry.marker.is_empty() => Some(entry.marker.as_str()),
            _ => None,
        });
        let indent = |marker: &str| marker.len() - marker.trim_start().len();
        let outermost = markers.clone().map(indent).min().unwrap_or_default();
        let last = markers.rev().find(|marker| indent(marker) == outermost).unwrap_or("- ");
        let last = ["[ ] ", "[x] ", "[X] "]
            .iter()
            .find_map(|check| last.strip_suffix(check))
            .unwrap_or(last);
        let digits = |c: char| c.is_ascii_digit();
        let number = last.trim().trim_start_matches(['>', ' ']).trim_end_matches(['.', ')']);
        match number.parse::<u32>() {
            Ok(count) if number.chars().all(digits) => {
                last.replacen(number, &count.saturating_add(1).to_string(), 1)
            }
            _ => last.to_owned(),
        }
    }
}

fn lists(index: &IndexFile) -> Vec<List> {
    let mut lists: Vec<List> = Vec::new();
    let mut goes_on = false;
    for (at, line) in index.lines.iter().enumerate() {
        match &line.part {
            IndexPart::Entry(entry) if !entry.marker.is_empty() => {
                let has_files = !entry.files.is_empty() || !line.links.is_empty();
                match lists.last_mut().filter(|_| goes_on) {
                    Some(list) => {
                        list.last = at;
                        list.has_files |= has_files;
                    }
                    None => lists.push(List { first: at, last: at, has_files }),
                }
                goes_on = true;
            }
            IndexPart::Continued => {
                if let Some(list) = lists.last_mut().filter(|_| goes_on) {
                    list.last = at;
                }
            }
            IndexPart::Blank => {}
            _ => goes_on = false,
        }
    }
    lists
}

/// The lines of the section whose heading names a type: from the heading to the
/// next one of its level, that excluded.
fn headed(index: &IndexFile, type_name: &str) -> Option<(usize, usize)> {
    let (start, level) =
        index.lines.iter().enumerate().find_map(|(at, line)| match &line.part {
            // The first level is the title of the whole.
            IndexPart::Heading { level, title } if *level > 1 && names(title, type_name) => {
                Some((at, *level))
            }
            _ => None,
        })?;
    let is_next = |line: &IndexLine| matches!(&line.part, IndexPart::Heading { level: other, .. } if *other <= level);
    let rest = index.lines.get(start + 1..).unwrap_or_default();
    let end = rest.iter().position(is_next).map_or(index.lines.len(), |at| start + 1 + at);
    Some((start, end))
}

fn names(title: &str, type_name: &str) -> bool {
    let own = match type_name {
        "user" => "ユーザー",
        "feedback" => "フィードバック",
        "project" => "プロジェクト",
        "reference" => "参照",
        _ => "",
    };
    let lower = title.to_lowercase();
    let mut words = lower.split(|c: char| !c.is_alphanumeric());
    words.any(|word| word == type_name || word.strip_suffix('s') == Some(type_name))
        || !own.is_empty() && title.contains(own)
}

/// Puts lines behind a line.
fn splice(index: &IndexFile, at: usize, new: &[&str]) -> Vec<u8> {
    let Some(line) = index.lines.get(at) else { return index.bytes().to_vec() };
    let mut end = line_end(index, line.span);
    let ends = index.bytes().get(..line.span.end).is_some_and(|before| before.ends_with(b"\n"));
    if !ends && at > 0 {
        // The last line of the file has no end of its own.
        end = index.lines.get(at - 1).map_or(end, |line| line_end(index, line.span));
    }
    let text: String = new
        .iter()
        .map(|line| if ends { format!("{line}{end}") } else { format!("{end}{line}") })
        .collect();
    with(index.bytes(), line.span.end, &text)
}

/// Puts a line at the end, parted by a blank one from what is no list.
fn appended(index: &IndexFile, line: &str) -> Vec<u8> {
    let Some(last) = index.lines.iter().rposition(|line| line.part != IndexPart::Blank) else {
        let end = if index.source().newline() == Newline::CrLf { "\r\n" } else { "\n" };
        return with(index.bytes(), index.bytes().len(), &format!("{line}{end}"));
    };
    let is_item = index.lines.get(last).is_some_and(|line| marker(&index.text(line)).is_some());
    if is_item { splice(index, last, &[line]) } else { splice(index, last, &["", line]) }
}

fn line_end(index: &IndexFile, span: Span) -> &'static str {
    if index.source().slice(span).ends_with(b"\r\n") { "\r\n" } else { "\n" }
}

fn with(bytes: &[u8], at: usize, text: &str) -> Vec<u8> {
    let (before, after) = bytes.split_at_checked(at).unwrap_or((bytes, &[]));
    [before, text.as_bytes(), after].concat()
}

#[cfg(test)]
mod tests {
    use memory_core::AbsPath;
    use proptest::prelude::*;

    use super::*;

    fn insert(text: &str, type_name: &str) -> String {
        let index = IndexFile::parse(AbsPath::root().join("MEMORY.md"), text.as_bytes());
        String::from_utf8(inserted(&index, type_name, "[N](n.md)")).unwrap()
    }

    #[test]
    fn a_line_goes_to_the_end_of_its_list() {
        for (text, want) in [
            ("", "- [N](n.md)\n"),
            ("- [A](a.md)\n", "- [A](a.md)\n- [N](n.md)\n"),
            ("- [A](a.md)", "- [A](a.md)\n- [N](n.md)"),
            ("* [A](a.md)\r\n\r\n", "* [A](a.md)\r\n* [N](n.md)\r\n\r\n"),
            ("\u{feff}# M\n", "\u{feff}# M\n\n- [N](n.md)\n"),
            ("1. [A](a.md)\n   more\n\nend", "1. [A](a.md)\n   more\n2. [N](n.md)\n\nend"),
            ("- [A](a.md)\n  - [B](b.md)\n# X\n", "- [A](a.md)\n  - [B](b.md)\n- [N](n.md)\n# X\n"),
            (
                "- [A](a.md)\n\n# Notes\n- inline\n",
                "- [A](a.md)\n- [N](n.md)\n\n# Notes\n- inline\n",
            ),
            ("- [ ] [A](a.md)\n", "- [ ] [A](a.md)\n- [N](n.md)\n"),
        ] {
            assert_eq!(insert(text, "project"), want, "{text:?}");
        }
    }

    #[test]
    fn a_heading_or_the_names_of_files_choose_the_list() {
        let text = "# Project memory\n\n## Users\n- [A](a.md)\n\n## 📁 Projects\n- [B](b.md)\n\n## Feedback\n\n## Other\n- [C](c.md)\n";
        assert!(insert(text, "user").contains("- [A](a.md)\n- [N](n.md)\n"));
        assert!(insert(text, "project").contains("- [B](b.md)\n- [N](n.md)\n"));
        assert!(insert(text, "feedback").contains("## Feedback\n\n- [N](n.md)\n\n## Other"));
        assert!(insert(text, "reference").ends_with("- [C](c.md)\n- [N](n.md)\n"));
        let text = "- [A](user_a.md)\n\ntext\n\n- [B](feedback_b.md)\n";
        assert!(insert(text, "user").starts_with("- [A](user_a.md)\n- [N](n.md)\n"));
    }

    proptest! {
        #[test]
        fn all_other_bytes_stay(
            text in "(?s)(\u{feff})?(- \\[a\\]\\(a.md\\)\r?\n|# user\n|## user\r?\n|text\n|\r?\n|<!-- -->\n|```\n|  more\n|1. x\n){0,8}(- end)?",
            type_name in "(user|project)",
        ) {
            let after = insert(&text, &type_name);
            let at = after.find("[N](n.md)").unwrap();
            let gone: Vec<String> = after.get(..at).unwrap().char_indices().map(|(at, _)| at).chain([at])
                .flat_map(|start| {
                    let rest = after.get(at + "[N](n.md)".len()..).unwrap();
                    let head = after.get(..start).unwrap();
                    ["", "\n", "\r\n"].map(|end| rest.strip_prefix(end).map(|rest| format!("{head}{rest}")))
                })
                .flatten()
                .collect();
            prop_assert!(gone.contains(&text), "{after:?}");
            let index = IndexFile::parse(AbsPath::root().join("M"), after.as_bytes());
            let fences = text.matches("```").count();
            prop_assert!(fences > 0 || index.lines_naming("n.md", "n").len() == 1, "{after:?}");
        }
    }
}
