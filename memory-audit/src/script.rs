//! Which script a text is written in.

/// Whether a character belongs to Japanese writing.
pub(crate) fn is_japanese_char(c: char) -> bool {
    matches!(c, '\u{3005}'..='\u{3007}' | '\u{3041}'..='\u{309f}' | '\u{30a0}'..='\u{30ff}'
        | '\u{3400}'..='\u{9fff}' | '\u{ff66}'..='\u{ff9f}')
}

/// Whether a text is written in Japanese, foreign names in it or not.
pub(crate) fn is_japanese(text: &str) -> bool {
    text.chars().any(|c| matches!(c, '\u{3041}'..='\u{309f}' | '\u{30a1}'..='\u{30ff}'))
        || text.chars().filter(|c| is_japanese_char(*c)).count() > 1
}

/// Whether a character is a kanji.
pub(crate) fn is_kanji(c: char) -> bool {
    matches!(c, '\u{3005}' | '\u{3400}'..='\u{9fff}')
}

/// Whether a character is katakana, the long mark included.
pub(crate) fn is_katakana(c: char) -> bool {
    matches!(c, '\u{30a1}'..='\u{30fa}' | '\u{30fc}')
}
