use memory_core::model::{Fields, Value};

use super::yaml::plain_scalar;

/// The longest block that is looked at, in bytes.
const MAX_LEN: usize = 16 * 1024;

/// Reads a block as clients and careful people write it, without a parser:
/// words, texts in double quotes without escapes, and one level below a key.
///
/// `None` for a block with anything else in it; a folder may hold thousands of
/// files, and nearly all of their blocks are as simple as this.
pub(super) fn fields(source: &str) -> Option<Fields> {
    if source.len() > MAX_LEN || source.is_empty() {
        return None;
    }
    let mut top: Vec<(String, Value)> = Vec::new();
    let mut nested: Option<Vec<(String, Value)>> = None;
    for line in source.strip_suffix('\n').unwrap_or(source).split('\n') {
        if let Some(inside) = line.strip_prefix("  ") {
            let (key, text) = key_and_text(inside)?;
            add(nested.as_mut()?, key, scalar(text)?)?;
            continue;
        }
        close(&mut top, nested.take())?;
        let (key, text) = key_and_text(line)?;
        if text.is_empty() {
            add(&mut top, key, Value::Null)?;
            nested = Some(Vec::new());
        } else {
            add(&mut top, key, scalar(text)?)?;
        }
    }
    close(&mut top, nested)?;
    Some(Fields(top))
}

/// Puts the keys below the last key into it; there must be some.
fn close(top: &mut [(String, Value)], nested: Option<Vec<(String, Value)>>) -> Option<()> {
    let Some(nested) = nested else { return Some(()) };
    let (_, value) = top.last_mut().filter(|_| !nested.is_empty())?;
    *value = Value::Map(Fields(nested));
    Some(())
}

/// Adds a key that is not there yet.
fn add(fields: &mut Vec<(String, Value)>, key: &str, value: Value) -> Option<()> {
    let is_new = fields.iter().all(|(known, _)| known != key);
    is_new.then(|| fields.push((key.to_owned(), value)))
}

fn key_and_text(line: &str) -> Option<(&str, &str)> {
    let (key, rest) = line.split_once(':')?;
    let is_key = key.starts_with(|c: char| c.is_ascii_alphabetic())
        && key.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
    let text = rest.trim_matches(' ');
    (is_key && (text.is_empty() || rest.starts_with(' '))).then_some((key, text))
}

fn scalar(text: &str) -> Option<Value> {
    if let Some(inside) = text.strip_prefix('"') {
        let inside = inside.strip_suffix('"')?;
        let is_plain = |c: char| matches!(c, ' '..='~') && c != '"' && c != '\\' || is_letter(c);
        return inside.chars().all(is_plain).then(|| Value::Text(inside.to_owned()));
    }
    let mut chars = text.chars().peekable();
    if !chars.peek().is_some_and(|c| c.is_ascii_alphanumeric() || is_letter(*c)) {
        return None;
    }
    while let Some(c) = chars.next() {
        let is_plain = match c {
            ':' => chars.peek().is_some_and(char::is_ascii_alphanumeric),
            ' ' | '.' | ',' | '_' | '/' | '(' | ')' | '-' | '+' | ';' => true,
            c => c.is_ascii_alphanumeric() || is_letter(c),
        };
        if !is_plain {
            return None;
        }
    }
    Some(plain_scalar(text))
}

/// Letters of other scripts and their punctuation, none of which means anything in YAML.
fn is_letter(c: char) -> bool {
    !c.is_ascii() && (c.is_alphanumeric() || "—–…、。・「」『』（）：！？".contains(c))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::text::frontmatter::yaml;

    #[test]
    fn blocks_that_the_client_writes_need_no_parser() {
        let text = "name: a-b\ndescription: \"x: y #1 — 日本\"\nmetadata: \n  node_type: memory\n  n: 1.50\n  t: 2026-01-02T03:04:05.678Z\n";
        let found = fields(text).unwrap();
        assert_eq!(found.get("description").and_then(Value::as_text), Some("x: y #1 — 日本"));
        assert_eq!(Some(found), yaml::fields(text).unwrap());
        for other in [
            "a: *b",
            "a: b: c",
            "a: b #c",
            "a:\nb: c",
            "a: b\n c",
            "a: [b]",
            "# a\nb: c",
            "a: b\na: c",
        ] {
            assert_eq!(fields(other), None, "{other}");
        }
    }

    proptest! {
        #[test]
        fn what_is_read_so_is_what_the_parser_reads(
            text in "((  )?[a-d]: ?([a-zA-Z0-9 .,:_/()+;\"日：—-]{0,9}|true|null|0x1f|1e3|\"[a-z:# ]{0,6}\")\n){1,5}",
        ) {
            if let Some(found) = fields(&text) {
                prop_assert_eq!(Some(found), yaml::fields(&text).unwrap(), "{}", text);
            }
        }
    }
}
