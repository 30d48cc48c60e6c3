//! Characters that an index may carry but no model sees.

use unicode_properties::{GeneralCategory, UnicodeGeneralCategory as _};

/// Whether the client takes this character out of an index.
///
/// Controls, formats, private and unassigned code points go, and what shows
/// nothing by default; joiners and the emoji variation selectors stay.
pub(crate) fn is_invisible(c: char) -> bool {
    match c {
        ' '..='~' | '\n' | '\t' | '\u{200c}' | '\u{200d}' | '\u{fe0e}' | '\u{fe0f}' => false,
        '\u{34f}'
        | '\u{115f}'
        | '\u{1160}'
        | '\u{17b4}'
        | '\u{17b5}'
        | '\u{180b}'..='\u{180f}'
        | '\u{3164}'
        | '\u{fe00}'..='\u{fe0d}'
        | '\u{ffa0}'
        | '\u{e0100}'..='\u{e01ef}' => true,
        _ => matches!(
            c.general_category(),
            GeneralCategory::Control
                | GeneralCategory::Format
                | GeneralCategory::PrivateUse
                | GeneralCategory::Unassigned
        ),
    }
}

/// The text without invisible characters; every kind of line end becomes `\n`.
pub(crate) fn visible(text: &str) -> String {
    let mut shown = String::with_capacity(text.len());
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        match c {
            '\r' if chars.peek() == Some(&'\n') => {}
            '\r' | '\u{2028}' | '\u{2029}' => shown.push('\n'),
            c if is_invisible(c) => {}
            c => shown.push(c),
        }
    }
    shown
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_shows_nothing_goes_and_joiners_stay() {
        assert_eq!(visible("a\u{200b}b\u{ad}c\u{0}d\u{e000}e\u{feff}"), "abcde");
        assert_eq!(
            visible("👨\u{200d}👩☀\u{fe0f}か\u{3099}\u{3000}\u{a0}\t"),
            "👨\u{200d}👩☀\u{fe0f}か\u{3099}\u{3000}\u{a0}\t"
        );
    }

    #[test]
    fn characters_are_those_of_the_clients_edition_of_unicode() {
        assert_eq!(unicode_properties::UNICODE_VERSION, (17, 0, 0));
    }

    #[test]
    fn every_line_end_becomes_a_newline() {
        assert_eq!(visible("a\r\nb\rc\u{2028}d\u{2029}e\n"), "a\nb\nc\nd\ne\n");
    }
}
