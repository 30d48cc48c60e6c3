use std::cmp::Ordering;

/// Punctuation in the order of the Unicode collation, before digits and letters.
const PUNCTUATION: &str = "\t \u{3000}_-,;:!?./'\"()[]{}@*\\&#%`^+<=>|~$";

/// Compares names as a person sorts them: punctuation, digits, letters without
/// regard to case, then lower case first.
pub(super) fn compare(a: &str, b: &str) -> Ordering {
    let primary = |text: &str| text.chars().map(weight).collect::<Vec<_>>();
    primary(a).cmp(&primary(b)).then_with(|| case(a).cmp(&case(b))).then_with(|| a.cmp(b))
}

/// The group of a character and its place in the group.
fn weight(c: char) -> (u8, u32) {
    if let Some(place) = PUNCTUATION.chars().position(|known| known == c) {
        return (0, u32::try_from(place).unwrap_or(u32::MAX));
    }
    let lower = c.to_lowercase().next().unwrap_or(c);
    match lower {
        _ if lower.is_ascii_digit() => (2, lower.into()),
        _ if lower.is_ascii() => (3, u32::from(lower) * 16),
        // Katakana sorts with hiragana.
        '\u{30a1}'..='\u{30f6}' => (3, (u32::from(lower) - 0x60) * 16),
        _ if lower.is_alphanumeric() => match base_letter(lower) {
            Some(base) => (3, u32::from(base) * 16 + 1),
            None => (3, u32::from(lower) * 16),
        },
        _ => (1, lower.into()),
    }
}

/// The letter under the accent, for the letters of Western Europe.
fn base_letter(c: char) -> Option<char> {
    const FAMILIES: [(char, &str); 8] = [
        ('a', "àáâãäå"),
        ('c', "ç"),
        ('e', "èéêë"),
        ('i', "ìíîï"),
        ('n', "ñ"),
        ('o', "òóôõö"),
        ('u', "ùúûü"),
        ('y', "ýÿ"),
    ];
    FAMILIES.iter().find(|(_, family)| family.contains(c)).map(|(base, _)| *base)
}

fn case(text: &str) -> Vec<bool> {
    text.chars().map(char::is_uppercase).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_sort_like_in_a_dictionary() {
        let mut names =
            vec!["Z", "b", "a", "10", "9", ".dots", "A", "a b", "x:y", "メモ", "ab", "日本", "z-1"];
        names.sort_by(|a, b| compare(a, b));
        assert_eq!(
            names,
            [".dots", "10", "9", "a", "A", "a b", "ab", "b", "x:y", "Z", "z-1", "メモ", "日本"]
        );
    }
}
