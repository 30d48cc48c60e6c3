//! Values as YAML text, byte for byte as the client writes them.

use memory_core::model::{Fields, Value};

use crate::memory::MemoryProfile;

/// Writes a mapping, two columns to a level, without a final line end.
pub(crate) fn emit(profile: &MemoryProfile, fields: &Fields) -> String {
    let mut writer = Writer { text: String::new(), profile };
    writer.map(fields, 0);
    writer.text
}

struct Writer<'a> {
    text: String,
    profile: &'a MemoryProfile,
}

impl Writer<'_> {
    fn map(&mut self, fields: &Fields, depth: usize) {
        for (at, (key, value)) in fields.0.iter().enumerate() {
            if at > 0 {
                self.new_line(depth);
            }
            self.scalar(key);
            self.text.push(':');
            if self.joins(value) {
                self.text.push(' ');
            } else {
                self.text.push_str(self.profile.after_colon);
                self.new_line(depth + 1);
            }
            self.value(value, depth + 1);
        }
    }

    fn list(&mut self, items: &[Value], depth: usize) {
        for (at, item) in items.iter().enumerate() {
            if at > 0 {
                self.new_line(depth);
            }
            self.text.push_str("- ");
            self.value(item, depth + 1);
        }
    }

    fn value(&mut self, value: &Value, depth: usize) {
        match value {
            Value::Null => self.text.push_str("null"),
            Value::Bool(value) => self.text.push_str(if *value { "true" } else { "false" }),
            Value::Number(number) => self.text.push_str(match number.as_str() {
                "Infinity" => ".inf",
                "-Infinity" => "-.inf",
                "NaN" => ".nan",
                number => number,
            }),
            Value::Text(text) => self.scalar(text),
            Value::List(items) if items.is_empty() => self.text.push_str("[]"),
            Value::List(items) => self.list(items, depth),
            Value::Map(fields) if fields.0.is_empty() => self.text.push_str("{}"),
            Value::Map(fields) => self.map(fields, depth),
        }
    }

    /// Whether a value stands on its key's line.
    fn joins(&self, value: &Value) -> bool {
        match value {
            Value::List(items) => items.is_empty() && self.profile.joins_empty_collections,
            Value::Map(fields) => fields.0.is_empty() && self.profile.joins_empty_collections,
            _ => true,
        }
    }

    fn new_line(&mut self, depth: usize) {
        self.text.push('\n');
        self.text.extend(std::iter::repeat_n("  ", depth));
    }

    fn scalar(&mut self, text: &str) {
        let has_mark = self.profile.quotes_byte_order_mark && text.starts_with('\u{feff}');
        if !has_mark && !needs_quotes(text) {
            self.text.push_str(text);
            return;
        }
        self.text.push('"');
        for c in text.chars() {
            self.quoted_char(c);
        }
        self.text.push('"');
    }

    fn quoted_char(&mut self, c: char) {
        let letter = match c {
            '\0' => '0',
            '\u{7}' => 'a',
            '\u{8}' => 'b',
            '\t' => 't',
            '\n' => 'n',
            '\u{b}' => 'v',
            '\u{c}' => 'f',
            '\r' => 'r',
            '\u{1b}' => 'e',
            '"' | '\\' => c,
            '\u{85}' => 'N',
            '\u{a0}' => '_',
            '\u{2028}' => 'L',
            '\u{2029}' => 'P',
            c if c < ' ' || c == '\u{7f}' => {
                self.text.push_str("\\x");
                let digits = [u32::from(c) >> 4, u32::from(c) & 0xf];
                self.text.extend(digits.iter().filter_map(|digit| char::from_digit(*digit, 16)));
                return;
            }
            c => {
                self.text.push(c);
                return;
            }
        };
        self.text.push('\\');
        self.text.push(letter);
    }
}

/// Words that other readers take for something else than a text.
const WORDS: &[&str] = &[
    "true", "True", "TRUE", "false", "False", "FALSE", "yes", "Yes", "YES", "no", "No", "NO", "on",
    "On", "ON", "off", "Off", "OFF", "n", "N", "y", "Y", "null", "Null", "NULL", "~", ".inf",
    ".Inf", ".INF", "+.inf", "+.Inf", "+.INF", ".nan", ".NaN", ".NAN",
];

fn needs_quotes(text: &str) -> bool {
    text.is_empty()
        || text.starts_with(|c| "&*?|-<>!%@:,[]{}#'\"` \t\n\r".contains(c))
        || text.ends_with([' ', '\t', '\n', '\r', ':'])
        || WORDS.contains(&text)
        || looks_like_number(text)
        || has_mark(text)
        || text.contains(|c: char| {
            "{}[],#`'\"".contains(c)
                || c < ' '
                || matches!(c, '\u{7f}' | '\u{85}' | '\u{a0}' | '\u{2028}' | '\u{2029}')
        })
}

/// Whether a colon could be taken for that of a key, or a mark for that of a document.
fn has_mark(text: &str) -> bool {
    let ends = |rest: &[u8]| rest.first().is_none_or(|byte| b" \t\r\n[]{},".contains(byte));
    let marks = |at: usize| {
        let rest = text.as_bytes().get(at..).unwrap_or_default();
        matches!(rest, [b'-', b'-', b'-', after @ ..] | [b'.', b'.', b'.', after @ ..] if ends(after))
    };
    text.split(':').skip(1).any(|rest| rest.starts_with([' ', '\t', '\n', '\r']))
        || (0..text.len()).any(marks)
}

/// Whether another reader could take the text for a number.
fn looks_like_number(text: &str) -> bool {
    let unsigned = text.strip_prefix('+').unwrap_or(text);
    let most_once = |digits: &str, mark: char| {
        digits.chars().filter(|c| c.eq_ignore_ascii_case(&mark)).count() <= 1
    };
    if let Some(digits) =
        ["0x", "0X", "0o", "0O"].iter().find_map(|mark| unsigned.strip_prefix(mark))
    {
        let is_digit = |c: char| c.is_ascii_hexdigit() || c == '-';
        return !digits.is_empty() && digits.chars().all(is_digit) && most_once(digits, '-');
    }
    text != "+"
        && text.starts_with(|c: char| c.is_ascii_digit() || c == '.' || c == '+')
        && text.chars().all(|c| c.is_ascii_digit() || ".eE+-".contains(c))
        && ['.', 'e', '-'].into_iter().all(|mark| most_once(text, mark))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(text: &str) -> String {
        emit(
            &MemoryProfile::CLAUDE_2_1_332,
            &Fields(vec![("k".to_owned(), Value::Text(text.to_owned()))]),
        )
    }

    #[test]
    fn texts_are_quoted_where_the_client_quotes_them() {
        for text in [
            "",
            "a:",
            "a: b",
            "x#y",
            "a,b",
            "it's",
            "yes",
            "y",
            "1-2",
            "1e",
            "+1",
            "0x1",
            "0o7e",
            ".",
            "a... b",
            "\u{feff}b",
            " a",
            "a ",
            "- a",
            "[a",
            "<<",
            "+.inf",
            "a`b",
            "~",
        ] {
            assert_eq!(written(text), format!("k: \"{text}\""));
        }
        for text in [
            "a:b",
            "= x",
            "0x",
            "0b1",
            "1.2.3",
            "2026-01-02",
            "1_000",
            "12:30:45",
            "+a",
            "..",
            "a...b",
            "tRue",
            "a -- b",
            "日本語",
            "a|b",
            "~a",
            "a\u{200b}b",
            "©",
        ] {
            assert_eq!(written(text), format!("k: {text}"));
        }
        assert_eq!(written("a\n\t\"\\\u{a0}\u{1}"), r#"k: "a\n\t\"\\\_\x01""#);
    }

    #[test]
    fn collections_go_two_columns_deeper() {
        let list = |items: Vec<Value>| Value::List(items);
        let text = |text: &str| Value::Text(text.to_owned());
        let fields = Fields(vec![
            ("a".to_owned(), list(vec![list(vec![text("b"), Value::Null]), list(Vec::new())])),
            ("y".to_owned(), Value::Map(Fields(vec![("c".to_owned(), Value::Bool(true))]))),
            ("d".to_owned(), Value::Number("Infinity".to_owned())),
        ]);
        let want = "a:\n  - - b\n    - null\n  - []\n\"y\":\n  c: true\nd: .inf";
        assert_eq!(emit(&MemoryProfile::CLAUDE_2_1_332, &fields), want);
        let earlier = want.replace("a:", "a: ").replace("\"y\":", "\"y\": ");
        assert_eq!(emit(&MemoryProfile::CLAUDE_2_1_197, &fields), earlier);
    }
}
