//! The words of a question.

use unicode_normalization::UnicodeNormalization as _;

/// Words of a question at most.
const MAX_WORDS: usize = 32;
/// Characters of a question that are looked at.
const MAX_CHARS: usize = 4_096;

/// What ends a word of Japanese, longer ones first.
const PARTICLES: &[&str] = &[
    "について",
    "ください",
    "された",
    "という",
    "ですか",
    "ますか",
    "から",
    "まで",
    "より",
    "です",
    "ます",
    "する",
    "した",
    "して",
    "とは",
    "には",
    "では",
    "への",
    "での",
    "か",
    "が",
    "で",
    "と",
    "に",
    "の",
    "は",
    "へ",
    "も",
    "や",
    "を",
];

/// The words of a question, folded; each once, in order.
pub(super) struct Terms(Vec<String>);

impl Terms {
    /// The words of a question, parted by white space and marks; where the
    /// script puts none between words, particles part them.
    pub(super) fn of(query: &str) -> Self {
        let query: String = query.chars().take(MAX_CHARS).collect();
        let query = fold(&query);
        let mut words: Vec<String> = Vec::new();
        for chunk in query.split(parts_words).filter(|chunk| !chunk.is_empty()) {
            for word in between_particles(chunk) {
                if words.len() < MAX_WORDS && !words.contains(&word) {
                    words.push(word);
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

/// The words of a text without blanks: what stands between particles, the
/// endings of verbs left on them. The whole text where nothing would be left.
fn between_particles(chunk: &str) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    let mut word = String::new();
    let mut hiragana = String::new();
    for c in chunk.chars().map(Some).chain([None]) {
        if let Some(c) = c.filter(|c| is_hiragana(*c)) {
            hiragana.push(c);
            continue;
        }
        let particle = PARTICLES.iter().find_map(|particle| hiragana.strip_suffix(particle));
        let ends = particle.is_some() || c.is_none();
        word.push_str(particle.unwrap_or(&hiragana));
        hiragana.clear();
        if ends {
            words.push(std::mem::take(&mut word));
        }
        word.extend(c);
    }
    words.retain(|word| !word.is_empty());
    if words.is_empty() { vec![chunk.to_owned()] } else { words }
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
        assert_eq!(words("文字コードの扱いは？"), ["文字コード", "扱い"]);
        assert_eq!(words("ＣＳＶ　取り込み"), ["csv", "取り込み"]);
        assert_eq!(words("先頭のゼロを落とさないで"), ["先頭", "ゼロ", "落とさない"]);
        assert_eq!(words("の"), ["の"]);
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
