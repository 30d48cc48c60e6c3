//! Names that the client keeps, made of texts that it would not keep.

use memory_core::Digest;
use unicode_normalization::UnicodeNormalization as _;

/// Longest name, in bytes.
const LONGEST: usize = 60;

/// How many words of a text become a name.
const WORDS: usize = 7;

/// What ends the frontmatter for the client wherever it stands in it.
const FENCE: &str = "---";

/// Names whose files mean something else, on some systems in any case.
const TAKEN: &[&str] = &["memory", "memory_archived", "readme", "claude", "agents", "team", "logs"];

/// A name of ASCII letters, digits, `_` and `-` for a text.
///
/// The client keeps nothing else of a name, so one that would lose letters ends
/// in a fingerprint of the whole text instead: the same text has the same name.
pub(crate) fn name_of(text: &str, type_name: &str) -> String {
    let is_kept = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_' || c == '-';
    let is_fit = text.chars().all(is_kept) && has_letter(text) && !text.contains(FENCE);
    if text.len() <= LONGEST && is_fit {
        return unless_taken(text.to_owned());
    }
    let folded: String = text.nfkd().flat_map(char::to_lowercase).collect();
    let is_lost = folded.chars().any(|c| c.is_alphanumeric() && !c.is_ascii());
    let is_part = |c: char| c.is_ascii_alphanumeric() || c == '_';
    // Marks above letters go; an apostrophe joins what it stands between.
    let joined: String =
        folded.chars().filter(|c| !matches!(c, '\u{300}'..='\u{36f}' | '\'' | '’')).collect();
    let words = joined.split(|c| !is_part(c)).filter(|word| !word.is_empty());
    let mut name = String::new();
    let most = if is_lost { 3 } else { WORDS };
    for word in words.take(most) {
        let dash = usize::from(!name.is_empty());
        if name.len() + dash + word.len() > LONGEST - 10 {
            break;
        }
        if dash > 0 {
            name.push('-');
        }
        name.push_str(word);
    }
    if is_lost || !has_letter(&name) {
        let start = if has_letter(&name) { name } else { name_of_type(type_name) };
        name = format!("{start}-{}", fingerprint(text));
    }
    unless_taken(name)
}

fn has_letter(name: &str) -> bool {
    name.bytes().any(|byte| byte.is_ascii_lowercase())
}

fn name_of_type(type_name: &str) -> String {
    let known = ["user", "feedback", "project", "reference"];
    known.into_iter().find(|known| *known == type_name).unwrap_or("note").to_owned()
}

fn unless_taken(name: String) -> String {
    if TAKEN.contains(&name.as_str()) { format!("{name}-note") } else { name }
}

/// Eight hexadecimal digits that stand for a text.
pub(crate) fn fingerprint(text: &str) -> String {
    let digest = Digest::of(text.as_bytes()).to_string();
    digest.rsplit(':').next().and_then(|digits| digits.get(..8)).unwrap_or_default().to_owned()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn words_of_the_text_make_the_name() {
        for (text, want) in [
            ("Use pnpm, not npm.", "use-pnpm-not-npm"),
            ("feedback_tests", "feedback_tests"),
            ("Café Crème — don't", "cafe-creme-dont"),
            ("Ｆｕｌｌ　Ｗｉｄｔｈ", "full-width"),
            ("MEMORY", "memory-note"),
            ("--a--", "--a--"),
            ("---a", "a"),
            ("a---b", "a-b"),
        ] {
            assert_eq!(name_of(text, "user"), want);
        }
    }

    #[test]
    fn a_name_that_would_lose_letters_ends_in_a_fingerprint() {
        let (a, b) = (name_of("テスト方針", "feedback"), name_of("試験方針", "feedback"));
        assert!(a.starts_with("feedback-") && a.len() == 17 && a != b, "{a} {b}");
        assert!(name_of("pnpm を使う", "user").starts_with("pnpm-"));
        assert!(name_of("2026", "own").starts_with("note-"));
        assert!(name_of("", "own").starts_with("note-"));
    }

    proptest! {
        #[test]
        fn any_text_has_a_name_that_a_file_can_have(text in "(?s).{0,80}") {
            let name = name_of(&text, "project");
            prop_assert!(name.len() <= LONGEST + 10 && has_letter(&name));
            prop_assert!(name.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b"_-".contains(&b)));
        }
    }
}
