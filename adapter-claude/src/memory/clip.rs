//! Texts shortened to a number of UTF-16 units.

use crate::text::frontmatter::is_space;

/// The byte offset after at most `limit` UTF-16 units; half an emoji is none.
pub(crate) fn units_to_bytes(text: &str, limit: usize) -> usize {
    let mut units = 0;
    for (at, c) in text.char_indices() {
        units += c.len_utf16();
        if units > limit {
            return at;
        }
    }
    text.len()
}

/// The beginning of a text with a `…`, together `longest` units at most; a text that fits stays.
///
/// Words stay whole unless that costs more than half of the text.
pub(crate) fn clipped(text: &str, longest: usize) -> String {
    if units(text) <= longest {
        return text.to_owned();
    }
    let head = text.get(..units_to_bytes(text, longest.saturating_sub(1))).unwrap_or_default();
    let words = head.rfind(' ').and_then(|at| head.get(..at));
    let words = words.filter(|words| units(words) > longest / 2);
    format!("{}…", words.unwrap_or(head).trim_end_matches(is_space))
}

/// Length in UTF-16 units.
pub(crate) fn units(text: &str) -> usize {
    text.encode_utf16().count()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_stay_whole_in_the_second_half() {
        let words = |count: usize| format!("{} {}", "w".repeat(count), "z".repeat(60));
        assert_eq!(clipped(&words(41), 80), format!("{}…", "w".repeat(41)));
        assert_eq!(clipped(&words(40), 80), format!("{} {}…", "w".repeat(40), "z".repeat(38)));
        assert_eq!(clipped("short", 80), "short");
        assert_eq!(clipped(&"😀".repeat(41), 80), format!("{}…", "😀".repeat(39)));
    }
}
