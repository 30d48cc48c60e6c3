//! Frontmatter as this client reads it.

mod number;
mod repair;
mod simple;
mod yaml;

use std::ops::Range;

use memory_core::model::Fields;

/// The longest block that is read, in bytes; a longer one is cut off the text
/// like any other, and its keys count as unreadable.
const MAX_LEN: usize = 256 * 1024;

/// The frontmatter of a text and where the text goes on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Frontmatter {
    /// The bytes between the fences.
    pub(crate) inner: Range<usize>,
    /// Where the body starts.
    pub(crate) body: usize,
    /// The keys and values, or `None` when they cannot be read at all.
    pub(crate) fields: Option<Fields>,
    /// Whether the keys could be read only after a repair.
    pub(crate) repaired: bool,
}

/// Finds and reads the frontmatter of a text; `None` when it has none.
///
/// The block ends at the first `---` anywhere, even in the middle of a line.
pub(crate) fn parse(text: &str) -> Option<Frontmatter> {
    let (inner, body) = split(text)?;
    let source = text.get(inner.clone()).unwrap_or_default();
    let (fields, repaired) = read(source);
    Some(Frontmatter { inner, body, fields, repaired })
}

/// Where the block of a text lies between its fences, and where the body starts;
/// `None` when it has none.
pub(crate) fn split(text: &str) -> Option<(Range<usize>, usize)> {
    let inner = find(text)?;
    let after = text.get(inner.end + FENCE.len()..).unwrap_or_default();
    let body = text.len() - after.trim_start_matches(is_space).len();
    Some((inner, body))
}

/// Reads keys and values; the second part says whether a repair was needed.
pub(crate) fn read(source: &str) -> (Option<Fields>, bool) {
    if source.len() > MAX_LEN {
        return (None, false);
    }
    if let Some(fields) = simple::fields(source) {
        return (Some(fields), false);
    }
    let plain = yaml::fields(source).or_else(|_| yaml::fields(&repair::quote_commas(source)));
    if let Ok(fields) = plain {
        return (fields, false);
    }
    match yaml::fields(&repair::repair(source)) {
        Ok(fields) => (fields, true),
        Err(yaml::Invalid) => (None, false),
    }
}

const FENCE: &str = "---";

/// The bytes between the fences.
fn find(text: &str) -> Option<Range<usize>> {
    let unmarked = text.strip_prefix('\u{feff}').unwrap_or(text);
    let after = unmarked.strip_prefix(FENCE)?;
    // The opening line holds nothing else; blank lines after it belong to it.
    let content = after.trim_start_matches(is_space);
    let blank = after.get(..after.len() - content.len())?;
    let start = text.len() - after.len() + blank.rfind('\n')? + 1;
    let end = start + text.get(start..)?.find(FENCE)?;
    Some(start..end)
}

/// White space as the client's language sees it.
pub(crate) fn is_space(c: char) -> bool {
    matches!(
        c,
        '\t' | '\n' | '\u{b}' | '\u{c}' | '\r' | ' ' | '\u{a0}' | '\u{1680}' | '\u{2000}'
            ..='\u{200a}'
                | '\u{2028}'
                | '\u{2029}'
                | '\u{202f}'
                | '\u{205f}'
                | '\u{3000}'
                | '\u{feff}'
    )
}

#[cfg(test)]
mod tests {
    use memory_core::model::Value;
    use proptest::prelude::*;

    use super::*;

    fn body(text: &str) -> Option<&str> {
        parse(text).and_then(|found| text.get(found.body..))
    }

    #[test]
    fn the_block_ends_at_the_first_three_dashes_anywhere() {
        assert_eq!(body("---\na: b --- c\n---\nBody"), Some("c\n---\nBody"));
        assert_eq!(body("---\na: b\n----\nBody"), Some("-\nBody"));
        assert_eq!(body("---\n---\n\n  Body"), Some("Body"));
        assert_eq!(body("--- \r\n\na: b\n---"), Some(""));
        assert_eq!(body("\u{feff}---\na: b\n---\u{feff}\nBody"), Some("Body"));
    }

    #[test]
    fn other_beginnings_are_no_frontmatter() {
        for text in
            ["\n---\na: b\n---\n", "----\na\n----\n", "--- # c\na\n---\n", "---\na: b\n", "---"]
        {
            assert_eq!(body(text), None, "{text:?}");
        }
    }

    /// What a key's value is for the client; `None` when it has none.
    fn value(source: &str, key: &str) -> Option<Value> {
        read(source).0.and_then(|fields| fields.get(key).cloned())
    }

    #[test]
    fn unquoted_values_that_are_no_yaml_are_repaired() {
        for text in [
            "**/*.ts",
            "*.ts",
            "{src,lib}/**",
            "[x].ts",
            "`x`",
            "%x",
            "@x",
            "a: b: c",
            "> x",
            "!x *",
            "&a *.ts",
            "[*.ts]",
            ": x",
            "[a, b",
            ", x",
            ",",
            "!a!b y",
            "|0",
            "[a,b]x",
            "x: y  ",
        ] {
            let read = value(&format!("k: {text}"), "k");
            assert_eq!(read, Some(Value::Text(text.to_owned())), "{text}");
        }
    }

    #[test]
    fn some_lines_lose_all_keys() {
        for text in [
            "k: - x",
            "k: ? x",
            "k: \"a\" b",
            "k: \"a",
            "k:\n- *x",
            "k: *x\r\nl: m",
            "text",
            "k: 1\n l: 2",
            "k:\"x\" ",
            "k1: a: b",
            "k: x:",
            "k: \"\\q\"",
            "k: [a,\nb]",
            "k: \"a\nb\"",
            "k: \"\\uD83D\"",
            "%YAML 1.2\nk: v",
            "k: |\n  x\n y",
            "k: a\n...\nl: *x",
            "k: -",
            "k: \"x\"y",
        ] {
            assert_eq!(value(text, "k").filter(|v| *v != Value::Null), None, "{text:?}");
        }
    }

    #[test]
    fn a_repair_quotes_every_doubtful_line_and_keeps_lists() {
        let source = "d: a: b\nl: [a, b]\nm: {c: d}\nn: a # b\no: \"x\" # c\np: 5\nt:\n\t- u";
        let fields = read(source).0.unwrap();
        let text = |key: &str| fields.get(key).and_then(Value::as_text).map(str::to_owned);
        assert_eq!(text("m").as_deref(), Some("{c: d}"));
        assert_eq!(text("n").as_deref(), Some("a # b"));
        assert_eq!(text("o").as_deref(), Some("\"x\" # c"));
        assert_eq!(fields.get("p"), Some(&Value::Number("5".to_owned())));
        assert!(matches!(fields.get("l"), Some(Value::List(items)) if items.len() == 2));
        assert!(matches!(fields.get("t"), Some(Value::List(items)) if items.len() == 1));
    }

    #[test]
    fn scalars_are_those_of_yaml_1_2() {
        for (text, want) in [
            ("0x1F", "31"),
            ("0o17", "15"),
            ("007", "7"),
            ("+1", "1"),
            ("1e3", "1000"),
            (".5", "0.5"),
            ("1.50", "1.5"),
            ("-0", "0"),
            ("1.", "1"),
            ("12345678901234567890", "12345678901234567000"),
            ("1e400", "Infinity"),
            (".nan", "NaN"),
            ("1e21", "1e+21"),
            ("1e-7", "1e-7"),
        ] {
            assert_eq!(
                value(&format!("k: {text}"), "k"),
                Some(Value::Number(want.to_owned())),
                "{text}"
            );
        }
        for text in
            ["yes", "on", "1_000", "2026-01-01", "1:30", "0b11", "0x", ":x", "?x", "-x", "a\\"]
        {
            assert_eq!(
                value(&format!("k: {text}"), "k"),
                Some(Value::Text(text.to_owned())),
                "{text}"
            );
        }
        assert_eq!(value("k: TRUE", "k"), Some(Value::Bool(true)));
        for text in ["~", "null", "NULL", "", "&a", "!src", "#x", "|", ">+"] {
            let read = value(&format!("k: {text}"), "k").unwrap();
            assert!(matches!(&read, Value::Null) || read.as_text() == Some(""), "{text}");
        }
    }

    #[test]
    fn anchors_and_merges_are_resolved() {
        assert_eq!(value("z: &z x y\nk: *z", "k"), Some(Value::Text("x y".to_owned())));
        assert_eq!(value("<<: {k: x}", "k"), Some(Value::Text("x".to_owned())));
        assert_eq!(value("k: a\nk: b", "k"), Some(Value::Text("b".to_owned())));
        assert_eq!(value("k: a\u{7}b", "k"), Some(Value::Text("a\u{7}b".to_owned())));
        assert_eq!(value("k: a\nl: \0", "k"), None);
        assert_eq!(value("k: a # b\nl: ,x", "k"), Some(Value::Text("a".to_owned())));
        assert_eq!(value("k: a\nl: &a [*a]", "k"), Some(Value::Text("a".to_owned())));
    }

    #[test]
    fn hostile_blocks_answer_fast() {
        let aliases: Vec<String> = ('b'..='z')
            .zip('a'..='y')
            .map(|(name, of)| format!("{name}: &{name} [*{of},*{of},*{of},*{of},*{of}]"))
            .collect();
        for text in [
            "[".repeat(200_000),
            "{".repeat(20_000),
            "? ".repeat(20_000),
            "- ".repeat(50_000),
            "k: &a [x]\n".repeat(20_000),
            "\t".repeat(200_000),
            "a\n...\n".repeat(30_000),
            format!("a: &a [x,x,x,x,x]\n{}", aliases.join("\n")),
        ] {
            assert!(read(&text).0.is_none_or(|fields| fields.0.len() < 30));
        }
    }

    proptest! {
        #[test]
        fn any_text_is_read_without_panic(text in "(?s)(---\n)?[a-c:\\-\\[\\]{}\"'*&!|># \t\n\r,é]{0,60}(---)?.{0,9}") {
            if let Some(found) = parse(&text) {
                prop_assert!(text.get(found.inner).is_some() && text.get(found.body..).is_some());
            }
        }
    }
}
