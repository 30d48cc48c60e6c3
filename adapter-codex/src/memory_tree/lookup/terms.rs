//! The words of a question.

use unicode_normalization::UnicodeNormalization as _;

/// Words of a question at most.
const MAX_WORDS: usize = 32;
/// Characters of a question that are looked at.
const MAX_CHARS: usize = 4_096;

/// The words of a question, folded; each once, in order.
pub(super) struct Terms(Vec<String>);

impl Terms {
    /// The words of a question, parted by white space and marks; where the
    /// script puts none between words, hiragana part them.
    pub(super) fn of(query: &str) -> Self {
        let query: String = query.chars().take(MAX_CHARS).collect();
        let query = fold(&query);
        let mut words: Vec<String> = Vec::new();
        for chunk in query.split(parts_words).filter(|chunk| !chunk.is_empty()) {
            let inner: Vec<&str> =
                chunk.split(is_hiragana).filter(|word| !word.is_empty()).collect();
            let chunk_words = if inner.is_empty() { vec![chunk] } else { inner };
            for word in chunk_words {
                if words.len() < MAX_WORDS && !words.iter().any(|known| known == word) {
                    words.push(word.to_owned());
                }
            }
        }
        Self(words)
    }

    pub(super) fn words(&self) -> &[String] {
        &self.0
    }

    /// The words that are in one of two lists, in order.
    pub(super) fn joined(&self, some: &[String], more: &[String]) -> Vec<String> {
        let is_in_one = |word: &&String| some.contains(word) || more.contains(word);
        self.0.iter().filter(is_in_one).cloned().collect()
    }

    /// The words that occur in one of the texts.
    pub(super) fn held_by(&self, texts: &[&str]) -> Vec<String> {
        let texts: Vec<String> = texts.iter().map(|text| fold(text)).collect();
        let occurs = |word: &&String| texts.iter().any(|text| text.contains(word.as_str()));
        self.0.iter().filter(occurs).cloned().collect()
    }
}

/// A text in lower case, compatible characters made one.
pub(super) fn fold(text: &str) -> String {
    if text.is_ascii() {
        return text.to_ascii_lowercase();
    }
    text.nfkc().flat_map(char::to_lowercase).collect()
}

fn parts_words(c: char) -> bool {
    let joins = matches!(c, '_' | '-' | '.' | '/' | '\\' | '+' | '#' | '@' | ':');
    c.is_whitespace() || !(c.is_alphanumeric() || joins || c == 'ー')
}

fn is_hiragana(c: char) -> bool {
    matches!(c, '\u{3041}'..='\u{309f}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn japanese_needs_no_blanks() {
        let words = |query: &str| Terms::of(query).0;
        assert_eq!(words("文字コードの扱いは？"), ["文字コード", "扱"]);
        assert_eq!(words("ＣＳＶ　取り込み"), ["csv", "取", "込"]);
        assert_eq!(words("ひらがな"), ["ひらがな"]);
        assert_eq!(
            words("ROUND_HALF_EVEN, tests/test_totals.py!"),
            ["round_half_even", "tests/test_totals.py"]
        );
        assert_eq!(words(" ?! "), Vec::<String>::new());
    }

    #[test]
    fn wide_and_narrow_are_the_same() {
        assert_eq!(Terms::of("ｼﾌﾄ").held_by(&["シフト JIS"]), ["シフト"]);
    }
}
