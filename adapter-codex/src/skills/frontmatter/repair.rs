//! The client's second try: values that are prose are put into quotes.

use super::yaml;

/// A block in which some values were quoted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Repaired {
    /// The block.
    pub(super) text: String,
    /// The lines that were changed, counted from 1.
    pub(super) lines: Vec<usize>,
}

/// Quotes the values that look like prose; `None` when there are none.
///
/// Works line by line: block scalars and what is quoted already stay as they
/// are, and a comment stays a comment.
pub(super) fn repair(block: &str) -> Option<Repaired> {
    let mut repaired =
        Repaired { text: String::with_capacity(block.len() + 16), lines: Vec::new() };
    let mut scalar_indent = None;
    for (number, line) in block.lines().enumerate() {
        if number > 0 {
            repaired.text.push('\n');
        }
        let indent = line.bytes().take_while(|byte| *byte == b' ').count();
        if scalar_indent.is_some_and(|outer| indent > outer || line.trim().is_empty()) {
            repaired.text.push_str(line);
            continue;
        }
        scalar_indent = None;
        match value_of(line) {
            Some(value) if value.text.starts_with(['|', '>']) => scalar_indent = Some(indent),
            Some(value) if is_prose(value.text) => {
                let Value { before, text, comment } = value;
                repaired.text.push_str(before);
                repaired.text.push('\'');
                repaired.text.push_str(&text.replace('\'', "''"));
                repaired.text.push('\'');
                repaired.text.push_str(comment);
                repaired.lines.push(number + 1);
                continue;
            }
            _ => {}
        }
        repaired.text.push_str(line);
    }
    (!repaired.lines.is_empty()).then_some(repaired)
}

/// A line that gives a key a value.
struct Value<'a> {
    /// The key, the colon and the blanks after it.
    before: &'a str,
    /// The value without blanks around it.
    text: &'a str,
    /// The blanks after the value and the comment.
    comment: &'a str,
}

fn value_of(line: &str) -> Option<Value<'_>> {
    let (key, rest) = line.split_once(':')?;
    if key.trim().is_empty() || !rest.starts_with(char::is_whitespace) {
        return None;
    }
    let rest = rest.trim_start();
    let before = line.get(..line.len() - rest.len())?;
    let (text, comment) = match comment_start(rest) {
        Some(start) => {
            let text = rest.get(..start)?.trim_end();
            (text, rest.get(text.len()..)?)
        }
        // Blanks at the end are dropped, not kept as an empty comment.
        None => (rest.trim_end(), ""),
    };
    (!text.is_empty()).then_some(Value { before, text, comment })
}

/// Where a `#` at the start or after a blank begins a comment.
fn comment_start(text: &str) -> Option<usize> {
    let mut after_blank = true;
    text.char_indices().find_map(|(at, c)| {
        let starts = c == '#' && after_blank;
        after_blank = c.is_whitespace();
        starts.then_some(at)
    })
}

fn is_prose(value: &str) -> bool {
    if value.starts_with(['\'', '"']) {
        return false;
    }
    has_separator(value) || (value.starts_with(['[', '{', '@', '`']) && !yaml::is_yaml(value))
}

/// Whether a colon with a blank behind it stands in the value.
fn has_separator(value: &str) -> bool {
    value.split(':').skip(1).any(|rest| rest.starts_with(char::is_whitespace))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_prose_is_quoted() {
        let block = "a: b: it's # c\nb: x\nc: |\n  d: e: f\n\n  g: h: i\nj: 'k': l\n  m: [n] o";
        let repaired = repair(block).unwrap();
        let want = "a: 'b: it''s' # c\nb: x\nc: |\n  d: e: f\n\n  g: h: i\nj: 'k': l\n  m: '[n] o'";
        assert_eq!(repaired.text, want);
        assert_eq!(repaired.lines, [1, 8]);
    }

    #[test]
    fn nothing_to_quote_is_no_repair() {
        for block in ["a: b", "a: [b]", "a:b: c", ": a: b", "a: '[b'", "a:", "a: #b: c", "a: b:"] {
            assert_eq!(repair(block), None, "{block}");
        }
    }
}
