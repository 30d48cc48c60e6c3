//! Texts as sentences.

use crate::pattern::patterns;

patterns! {
    /// What a text only speaks of: words in quotation marks, code.
    QUOTED = [
        r"「[^」]{0,60}」", r"『[^』]{0,60}』", r"`[^`]{0,120}`", "\"[^\"\n]{0,60}\"", r"“[^”\n]{0,60}”",
        r"《[^》]{0,60}》",
    ];
}

/// The text with what it only speaks of blanked: words of a product in
/// quotation marks are not said of the work.
pub(crate) fn without_quoted(text: &str) -> String {
    QUOTED.replace(text, "□")
}

/// The sentences of a text, without their end marks.
///
/// A full stop ends a sentence only before a blank or the end: `22.11` does not.
pub(crate) fn sentences(text: &str) -> Vec<&str> {
    let mut found = Vec::new();
    let mut start = 0;
    let mut chars = text.char_indices().peekable();
    while let Some((at, c)) = chars.next() {
        let next = chars.peek().map(|(_, next)| *next);
        let ends = match c {
            '。' | '！' | '？' | '\n' => true,
            '.' | '!' | '?' => {
                next.is_none_or(char::is_whitespace) && !is_short_form(text, start, at)
            }
            _ => false,
        };
        if ends {
            found.push(text.get(start..at).unwrap_or_default().trim());
            start = at + c.len_utf8();
        }
    }
    found.push(text.get(start..).unwrap_or_default().trim());
    found.retain(|sentence| sentence.chars().any(char::is_alphanumeric));
    found
}

/// Whether the full stop belongs to a short form such as `e.g.`.
fn is_short_form(text: &str, start: usize, at: usize) -> bool {
    let before = text.get(start..at).unwrap_or_default();
    let word = before.rsplit([' ', '(', '\t']).next().unwrap_or_default().to_ascii_lowercase();
    matches!(
        word.as_str(),
        "e.g" | "i.e" | "etc" | "vs" | "no" | "approx" | "incl" | "dr" | "mr" | "ms" | "st"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_full_stop_in_a_number_ends_nothing() {
        assert_eq!(
            sentences(
                "Node is 22.11. The VPN uses tags, e.g. names. 本番は17.2、検証は17.3。あと8443で"
            ),
            [
                "Node is 22.11",
                "The VPN uses tags, e.g. names",
                "本番は17.2、検証は17.3",
                "あと8443で"
            ]
        );
    }
}
