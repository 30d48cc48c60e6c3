//! Texts as YAML values.

/// A text as a YAML value that every client reads the same: plain where that is
/// safe, in double quotes else.
///
/// ```
/// use memory_core::doc::yaml_scalar;
///
/// assert_eq!(yaml_scalar("use tabs"), "use tabs");
/// assert_eq!(yaml_scalar("yes"), "\"yes\"");
/// assert_eq!(yaml_scalar("a: b"), "\"a: b\"");
/// ```
pub fn yaml_scalar(text: &str) -> String {
    let is_plain = text.starts_with(|c: char| c.is_ascii_alphabetic())
        && text.chars().all(|c| c.is_ascii_alphanumeric() || " ,._/()-".contains(c))
        && !text.ends_with(' ')
        && !WORDS.contains(&text.to_ascii_lowercase().as_str());
    if is_plain { text.to_owned() } else { yaml_quoted(text) }
}

/// Words that some readers take for something else than a text.
const WORDS: [&str; 9] = ["y", "n", "yes", "no", "on", "off", "true", "false", "null"];

/// A text as a YAML value in double quotes, on one line.
pub fn yaml_quoted(text: &str) -> String {
    let mut quoted = String::with_capacity(text.len() + 2);
    quoted.push('"');
    for c in text.chars() {
        match c {
            '"' => quoted.push_str("\\\""),
            '\\' => quoted.push_str("\\\\"),
            '\n' => quoted.push_str("\\n"),
            '\r' => quoted.push_str("\\r"),
            '\t' => quoted.push_str("\\t"),
            // Readers take these two for line ends as well.
            c if c.is_control() || matches!(c, '\u{2028}' | '\u{2029}') => {
                quoted.extend(format!("\\u{:04x}", u32::from(c)).chars());
            }
            c => quoted.push(c),
        }
    }
    quoted.push('"');
    quoted
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_no_plain_text_is_quoted() {
        for (text, want) in [
            ("", r#""""#),
            ("# a", r##""# a""##),
            ("a \"b\" \\", r#""a \"b\" \\""#),
            ("a\nb\u{7f}\u{85}\u{2028}", r#""a\nb\u007f\u0085\u2028""#),
            ("日本", r#""日本""#),
        ] {
            assert_eq!(yaml_scalar(text), want);
        }
    }
}
