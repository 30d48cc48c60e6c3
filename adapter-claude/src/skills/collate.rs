use unicode_normalization::UnicodeNormalization as _;
use unicode_normalization::char::is_combining_mark;

/// Punctuation in the order of the Unicode collation, before digits and letters.
const PUNCTUATION: &str = "\t \u{3000}_-,;:!?./'\"()[]{}@*\\&#%`^+<=>|~$";

/// What a name sorts by, as a person sorts: punctuation, digits, letters; then by
/// their accents, then by case, width and kind of kana.
///
/// This comes close to the Unicode collation without its tables: letters of one
/// script that are not built on each other sort by their code.
#[derive(Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct SortKey {
    letters: Vec<(u8, u32)>,
    /// The marks over each letter; 0 begins a letter.
    accents: Vec<u32>,
    shapes: Vec<u8>,
    name: String,
}

impl SortKey {
    pub(super) fn of(name: &str) -> Self {
        let mut keys = Self { name: name.to_owned(), ..Self::default() };
        for written in name.chars() {
            for part in std::iter::once(written).nfkd() {
                if is_combining_mark(part) {
                    keys.accents.push(part.into());
                } else {
                    keys.letter(written, part);
                }
            }
        }
        keys
    }

    /// Adds a letter that is a part of a written character.
    fn letter(&mut self, written: char, part: char) {
        for c in part.to_lowercase() {
            let spelled = spelled(c);
            for c in spelled.unwrap_or_default().chars().chain(spelled.is_none().then_some(c)) {
                self.letters.push(weight(c));
                self.accents.push(0);
                self.shapes.push(shape(written, part) + u8::from(spelled.is_some()));
            }
        }
    }
}

/// Letters that sort like others, one after the other.
fn spelled(c: char) -> Option<&'static str> {
    match c {
        'ß' => Some("ss"),
        'æ' => Some("ae"),
        'œ' => Some("oe"),
        _ => None,
    }
}

/// The group of a character and its place in the group.
fn weight(c: char) -> (u8, u32) {
    if let Some(place) = PUNCTUATION.chars().position(|known| known == c) {
        return (0, u32::try_from(place).unwrap_or(u32::MAX));
    }
    match hiragana(c) {
        c if c.is_ascii_digit() => (2, c.into()),
        c if c.is_alphanumeric() => (3, c.into()),
        c => (1, c.into()),
    }
}

/// The full-sized hiragana of a kana.
fn hiragana(c: char) -> char {
    let code = match c {
        '\u{30a1}'..='\u{30f6}' => u32::from(c) - 0x60,
        _ => c.into(),
    };
    let is_small = matches!(code, 0x3041..=0x3049 | 0x3083..=0x3087) && code % 2 == 1
        || matches!(code, 0x3063 | 0x308e);
    char::from_u32(code + u32::from(is_small)).unwrap_or(c)
}

/// How a letter is written: small before capital, hiragana before katakana, the
/// ordinary width before others.
fn shape(written: char, part: char) -> u8 {
    let base = match part {
        '\u{3041}'..='\u{3096}' => 12,
        '\u{30a1}'..='\u{30f6}' => 16,
        _ if part.is_uppercase() => 6,
        _ => 0,
    };
    let canonical = std::iter::once(written).nfd().any(|c| c == part);
    match written {
        _ if canonical => base,
        '\u{ff01}'..='\u{ff9f}' => base + 1,
        _ => base + 2,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn sorts(want: &[&str]) {
        let mut names = want.to_vec();
        names.reverse();
        names.sort_by_cached_key(|name| SortKey::of(name));
        assert_eq!(names, want);
    }

    #[test]
    fn names_sort_like_in_a_dictionary() {
        sorts(&[".dots", "10", "9", "a", "A", "a b", "ab", "b", "x:y", "Z", "z-1", "メモ", "日本"]);
    }

    #[test]
    fn accents_count_after_letters_and_case_and_width_after_accents() {
        sorts(&[
            "a", "ａ", "Ä", "ab", "aB", "AB", "äb", "ac", "é", "ef", "ss", "ß", "st", "z", "Ω",
        ]);
        sorts(&["01", "1", "１", "²", "あ", "ア", "ｱ", "が", "亜"]);
    }
}
