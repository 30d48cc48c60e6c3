//! The line of a text that says what it is about.

use memory_core::doc::{FenceLine, Fences};

use super::index::marker;
use crate::memory::visible;

/// The first line that says something, without the marks of lists and quotes:
/// plain text before headings, those before code and frontmatter. `None` where
/// nothing is there to be read.
pub(super) fn headline(text: &str) -> Option<String> {
    let text = visible(text);
    let skipped = header_lines(&text);
    let (mut prose, mut heading, mut rest) = (None, None, None);
    let mut fences = Fences::default();
    for (number, line) in text.lines().enumerate() {
        let is_text = number >= skipped && fences.next(line) == FenceLine::Text;
        let said = unmarked(line);
        if !says_something(said) || said.starts_with("```") || said.starts_with("~~~") {
            continue;
        }
        let title = said.trim_start_matches('#');
        let is_heading = title.len() < said.len() && title.starts_with(char::is_whitespace);
        let slot = match (is_text, is_heading) {
            (false, _) => &mut rest,
            (true, true) => &mut heading,
            (true, false) => &mut prose,
        };
        let said = if is_heading { title.trim() } else { said };
        slot.get_or_insert_with(|| said.to_owned());
        if prose.is_some() {
            break;
        }
    }
    prose.or(heading).or(rest)
}

/// Whether there is a letter or a digit in it.
pub(super) fn says_something(text: &str) -> bool {
    text.chars().any(char::is_alphanumeric)
}

/// How many lines at the start are frontmatter.
fn header_lines(text: &str) -> usize {
    let mut lines = text.lines().map(str::trim_end);
    if lines.next() != Some("---") {
        return 0;
    }
    lines.position(|line| line == "---").map_or(0, |end| end + 2)
}

/// A line without the signs of a list, a quote or a comment.
fn unmarked(line: &str) -> &str {
    let line = line.get(marker(line).map_or(0, str::len)..).unwrap_or(line).trim();
    let line = line.trim_start_matches(['>', ' ']);
    line.strip_prefix("<!--").map_or(line, |inside| inside.trim_end_matches("-->").trim())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plain_text_comes_before_headings_and_those_before_code() {
        for (text, want) in [
            ("Use tabs.\nAlways.", Some("Use tabs.")),
            ("---\nUse tabs.", Some("Use tabs.")),
            ("---\nname: x\n---\n\n# Title\n\n- 　タブを使う\n", Some("タブを使う")),
            ("# Title\n\n```sh\nmake\n```\n", Some("Title")),
            ("```sh\nmake all\n```", Some("make all")),
            ("~~~\nmake all\n~~~", Some("make all")),
            ("---\nname: x\n---\n", Some("name: x")),
            ("***\n> quoted", Some("quoted")),
            ("1. one\n2. two", Some("one")),
            ("#123 is fixed", Some("#123 is fixed")),
            ("---\n---\n\u{3164}\u{200b} …", None),
            ("```\n```\n##", None),
        ] {
            assert_eq!(headline(text).as_deref(), want, "{text:?}");
        }
    }
}
