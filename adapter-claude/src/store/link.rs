//! Pointers from one memory to another, as people and agents write them.

use std::ops::Range;

use memory_core::RelPath;
use memory_core::doc::{FenceLine, Fences};
use memory_core::model::Link;

/// How far a pointer or a code span may reach, in bytes.
const LONGEST: usize = 4096;

/// How deep brackets in a pointer may be nested.
const DEEPEST: u32 = 8;

/// How many pointers of one line are taken.
const MOST: usize = 4096;

/// A pointer with its bytes in the line.
pub(crate) type Pointer = (Range<usize>, Link);

/// The pointers of one line that stand outside code: `[[name]]` and `[title](file)`.
pub(crate) fn in_line(line: &str) -> Vec<Pointer> {
    let mut links = Vec::new();
    let mut rest = line;
    while let Some(at) = memchr::memchr3(b'`', b'\\', b'[', rest.as_bytes())
        && links.len() < MOST
    {
        let here = rest.get(at..).unwrap_or_default();
        rest = match here.as_bytes() {
            [b'`', ..] => after_code(here),
            [b'\\', ..] => {
                let mut chars = here.chars();
                chars.by_ref().take(2).for_each(drop);
                chars.as_str()
            }
            _ => match wiki(here).or_else(|| markdown(here)) {
                Some((found, after)) => {
                    let (start, end) = (line.len() - here.len(), line.len() - after.len());
                    links.push((start..end, found));
                    after
                }
                None => here.get(1..).unwrap_or_default(),
            },
        };
    }
    links
}

/// The pointers of a text, code blocks left out, with their lines counted from 1.
pub(crate) fn in_text(text: &str) -> Vec<(u32, Link)> {
    let mut found = Vec::new();
    if !text.contains("```") && !text.contains("~~~") {
        without_fences(text, &mut found);
        return found;
    }
    let mut fences = Fences::default();
    for (line, number) in text.split('\n').zip(1..) {
        if fences.next(line) == FenceLine::Text && line.contains('[') {
            found.extend(in_line(line).into_iter().map(|(_, link)| (number, link)));
        }
    }
    found
}

/// The same for a text without code blocks: only lines with a bracket are looked at.
fn without_fences(text: &str, found: &mut Vec<(u32, Link)>) {
    let (mut rest, mut number) = (text, 1_u32);
    while let Some(at) = memchr::memchr(b'[', rest.as_bytes()) {
        let before = rest.get(..at).unwrap_or_default().as_bytes();
        let lines = memchr::memchr_iter(b'\n', before).count();
        number = number.saturating_add(u32::try_from(lines).unwrap_or(u32::MAX));
        let start = memchr::memrchr(b'\n', before).map_or(0, |end| end + 1);
        let line = rest.get(start..).unwrap_or_default();
        let line = line.split('\n').next().unwrap_or_default();
        found.extend(in_line(line).into_iter().map(|(_, link)| (number, link)));
        rest = rest.get(start + line.len()..).unwrap_or_default();
    }
}

/// The names in pointers of the form `[[name]]` in one line, outside code.
pub(crate) fn wikis_in_line(line: &str) -> Vec<String> {
    if !line.contains("[[") {
        return Vec::new();
    }
    let is_wiki =
        |(range, _): &Pointer| line.get(range.start..).is_some_and(|text| text.starts_with("[["));
    let wikis = in_line(line).into_iter().filter(is_wiki);
    wikis.map(|(_, link)| link.target).collect()
}

/// The same of a text, code blocks left out, with their lines counted from 1.
pub(crate) fn wikis_in_text(text: &str) -> Vec<(u32, String)> {
    let mut fences = Fences::default();
    let lines = text.split('\n').zip(1..).filter(|(line, _)| fences.next(line) == FenceLine::Text);
    let found = lines.flat_map(|(line, number)| {
        wikis_in_line(line).into_iter().map(move |target| (number, target))
    });
    found.collect()
}

/// What follows the code span at the start of a text, or its backticks where none closes it.
fn after_code(text: &str) -> &str {
    let ticks = text.len() - text.trim_start_matches('`').len();
    let inside = text.get(ticks..).unwrap_or_default();
    let mut at = 0;
    while at < LONGEST
        && let Some(next) = inside.get(at..).and_then(|rest| rest.find('`'))
    {
        let run = inside.get(at + next..).unwrap_or_default();
        let count = run.len() - run.trim_start_matches('`').len();
        at += next + count;
        if count == ticks {
            return inside.get(at..).unwrap_or_default();
        }
    }
    inside
}

/// `[[name]]`, `[[name|title]]`.
fn wiki(text: &str) -> Option<(Link, &str)> {
    let text = text.strip_prefix("[[")?;
    let end = memchr::memchr2(b'[', b']', text.as_bytes())?;
    let (inside, after) = text.split_at_checked(end)?;
    let after = after.strip_prefix("]]").filter(|_| !inside.trim().is_empty())?;
    let (target, title) = match inside.split_once('|') {
        Some((target, title)) => (target, Some(title.trim().to_owned())),
        None => (inside, None),
    };
    Some((Link { target: target.trim().to_owned(), title }, after))
}

/// `[title](target)`.
fn markdown(text: &str) -> Option<(Link, &str)> {
    let title_end = closing(text, b'[', b']')?;
    let title = text.get(1..title_end)?;
    let behind = text.get(title_end + 1..)?;
    if !behind.starts_with('(') {
        return None;
    }
    let end = closing(behind, b'(', b')')?;
    let target = behind.get(1..end)?.trim();
    let target = match target.strip_prefix('<') {
        Some(inside) => inside.split_once('>').map_or(inside, |(inside, _)| inside),
        None => [" \"", " '"]
            .iter()
            .find_map(|mark| target.split_once(mark))
            .map_or(target, |(target, _)| target),
    };
    let link = Link { target: target.trim().to_owned(), title: Some(plain(title)) };
    Some((link, behind.get(end + 1..)?))
}

/// Where the bracket that opens a text is closed.
fn closing(text: &str, open: u8, close: u8) -> Option<usize> {
    let mut depth = 0_u32;
    let near = text.as_bytes().get(..LONGEST).unwrap_or(text.as_bytes());
    for at in memchr::memchr2_iter(open, close, near) {
        if near.get(at) == Some(&open) {
            depth += 1;
            if depth > DEEPEST {
                return None;
            }
        } else {
            depth = depth.checked_sub(1)?;
            if depth == 0 {
                return Some(at);
            }
        }
    }
    None
}

/// A text without the marks of bold, italics and code around it.
pub(crate) fn plain(text: &str) -> String {
    text.trim_matches(|c: char| c.is_whitespace() || "*_`".contains(c)).to_owned()
}

/// The file below the folder of the pointing file that a target names, `.md`
/// files only; `None` for an address, a heading, or a path that leads out.
pub(crate) fn local_file(target: &str) -> Option<String> {
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b' ');
    let stem = target.strip_suffix(".md").unwrap_or_default();
    if !stem.is_empty() && stem.bytes().all(is_plain) {
        return Some(target.to_owned());
    }
    if target.contains("://") || target.starts_with(['#', '~', '/']) {
        return None;
    }
    let file = target.split(['#', '?']).next().unwrap_or_default();
    let file = RelPath::new(&percent_decoded(file))?;
    file.as_str().strip_suffix(".md")?;
    Some(file.as_str().to_owned())
}

/// A text with `%20` and its like as the characters they stand for.
pub(crate) fn percent_decoded(text: &str) -> String {
    if !text.contains('%') {
        return text.to_owned();
    }
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('%') {
        bytes.extend_from_slice(before.as_bytes());
        let digits = after.get(..2).filter(|two| two.bytes().all(|byte| byte.is_ascii_hexdigit()));
        let byte = digits.and_then(|digits| u8::from_str_radix(digits, 16).ok());
        bytes.push(byte.unwrap_or(b'%'));
        rest = if byte.is_some() { after.get(2..).unwrap_or_default() } else { after };
    }
    bytes.extend_from_slice(rest.as_bytes());
    String::from_utf8(bytes).unwrap_or_else(|_| text.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn targets(line: &str) -> Vec<String> {
        in_line(line).into_iter().map(|(_, link)| link.target).collect()
    }

    #[test]
    fn both_forms_are_found_and_code_is_not() {
        let line = "- **[A [b]](a.md)** see [[other|O]], `[x](no.md)`, ``[[`no`]]`` \\[n](no.md) [c](<c c.md> \"t\")";
        assert_eq!(targets(line), ["a.md", "other", "c c.md"]);
        assert_eq!(targets("[a](b(1).md) ` [[x]]"), ["b(1).md", "x"]);
        assert_eq!(targets("[[]] [] [a] (b) [[a"), [""; 0]);
        assert_eq!(in_text("[[a]]\n```\n[[b]]\n```\n[[c]]").len(), 2);
    }

    #[test]
    fn hostile_lines_are_read_in_one_go() {
        for unit in [
            "[",
            "[[",
            "[a](",
            "[a[",
            "`",
            "`a``b```c",
            "[a](b)",
            "[[a]]",
            "[a]((",
            "\\",
            "[[a|",
            "a](",
        ] {
            let text = unit.repeat(200_000);
            assert!(in_line(&text).len() <= MOST);
            in_text(&text);
        }
    }

    #[test]
    fn only_files_of_the_folder_are_local() {
        for (target, want) in [
            ("a.md", Some("a.md")),
            ("./sub/a.md#part", Some("sub/a.md")),
            ("%E6%97%A5.md", Some("日.md")),
            ("100%.md", Some("100%.md")),
            ("../a.md", None),
            ("https://x/a.md", None),
            ("a.txt", None),
            ("#part", None),
        ] {
            assert_eq!(local_file(target).as_deref(), want, "{target}");
        }
    }
}
