//! Foreign text made safe for a terminal.

use std::borrow::Cow;

use memory_core::fs::{name_from_bytes, name_to_bytes};

/// The text with everything that a terminal would obey, reorder or hide shown
/// escaped: control characters, directional marks, invisible characters. A byte
/// of a name that is no UTF-8 is shown as U+FFFD.
pub(crate) fn visible(text: &str) -> Cow<'_, str> {
    if text.chars().all(|c| !is_unsafe(c) && !is_private(c)) {
        return text.into();
    }
    let mut shown = String::with_capacity(text.len());
    for c in decoded(text).chars() {
        match c {
            '\n' => shown.push_str("\\n"),
            '\r' => shown.push_str("\\r"),
            '\t' => shown.push_str("\\t"),
            c if is_unsafe(c) => shown.extend(c.escape_unicode()),
            c => shown.push(c),
        }
    }
    shown.into()
}

/// Foreign bytes of a file name as U+FFFD; other private-use characters stay.
fn decoded(text: &str) -> Cow<'_, str> {
    let bytes = name_to_bytes(text);
    if name_from_bytes(&bytes) == text {
        String::from_utf8_lossy(&bytes).into_owned().into()
    } else {
        text.into()
    }
}

fn is_private(c: char) -> bool {
    matches!(c, '\u{e000}'..='\u{f8ff}')
}

/// Whether a terminal would obey, reorder or hide the character.
pub(crate) fn is_unsafe(c: char) -> bool {
    c.is_control()
        || matches!(c,
            '\u{ad}' | '\u{61c}' | '\u{180e}' | '\u{feff}'
            | '\u{200b}' | '\u{200e}' | '\u{200f}'
            | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}'
            | '\u{fff9}'..='\u{fffb}' | '\u{e0000}'..='\u{e007f}')
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn no_text_keeps_a_control_character(text in any::<String>()) {
            prop_assert!(visible(&text).chars().all(|c| !is_unsafe(c)));
        }
    }

    #[test]
    fn nothing_reaches_the_terminal_as_a_command() {
        assert_eq!(visible("a\x1b[31mb\r\n\u{9b}2J\x7f"), "a\\u{1b}[31mb\\r\\n\\u{9b}2J\\u{7f}");
        assert_eq!(visible("a\u{202e}b\u{e0041}"), "a\\u{202e}b\\u{e0041}");
    }

    #[test]
    fn ordinary_text_stays_and_foreign_bytes_are_replaced() {
        assert!(matches!(visible("規則 é 👩‍💻.md"), Cow::Borrowed(_)));
        assert_eq!(visible(&name_from_bytes(b"a\xff.md")), "a\u{fffd}.md");
    }
}
