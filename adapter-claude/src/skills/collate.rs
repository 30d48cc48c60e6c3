use std::cmp::Ordering;
use std::sync::LazyLock;

use icu_collator::options::CollatorOptions;
use icu_collator::{Collator, CollatorBorrowed, CollatorPreferences};

/// The order of names without regard to a language; `None` only where the data
/// that is built in would be damaged.
static COLLATOR: LazyLock<Option<CollatorBorrowed<'static>>> = LazyLock::new(|| {
    Collator::try_new(CollatorPreferences::default(), CollatorOptions::default()).ok()
});

/// Compares names as the client's language does, which uses the tables of ICU.
pub(super) fn compare(a: &str, b: &str) -> Ordering {
    COLLATOR.as_ref().map_or_else(|| a.cmp(b), |collator| collator.compare(a, b))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn sorts(want: &[&str]) {
        let mut names = want.to_vec();
        names.reverse();
        names.sort_by(|a, b| compare(a, b));
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
        sorts(&["ae", "aé", "æ", "b"]);
        sorts(&["i", "I", "İ", "ı", "n"]);
        sorts(&["01", "1", "１", "²", "あ", "ア", "ｱ", "が", "亜"]);
    }
}
