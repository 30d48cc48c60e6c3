//! Whether two texts say nearly the same, by their words.

use std::ops::ControlFlow;

use unicode_normalization::UnicodeNormalization as _;

/// The words of a text, made ready to find other texts that say nearly the same.
///
/// Upper and lower case, wide and narrow characters, punctuation, articles and
/// the order of words do not count. Where a language writes no blanks, each two
/// neighbouring characters are a word. Nine words of ten must be the same, and
/// all that hold a digit: `port 8080` and `port 8081` say different things.
///
/// ```
/// use memory_core::store::Similarity;
///
/// let fact = Similarity::of("Use pnpm, not npm.");
/// assert!(fact.matches("use ＰＮＰＭ — not npm"));
/// assert!(!fact.matches("Use tabs, not spaces."));
/// assert!(Similarity::of("取引先コードは文字列").matches("取引先コードは、文字列。"));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Similarity {
    /// Each word once, in the order of their fingerprints.
    words: Vec<Word>,
}

/// A word by its fingerprint, and whether it holds a digit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Word {
    fingerprint: u64,
    is_number: bool,
}

/// How many of a hundred words must be the same.
const THRESHOLD_PERCENT: usize = 90;

/// How many words the beginning of a text must have to say anything about it.
const MIN_WORDS: usize = 6;

/// Words that change nothing.
const STOP_WORDS: [Word; 3] = [Word::of("a"), Word::of("an"), Word::of("the")];

impl Similarity {
    /// Reads the words of a text.
    pub fn of(text: &str) -> Self {
        let mut words = Vec::new();
        let mut keep = |word| {
            words.push(word);
            ControlFlow::Continue(())
        };
        // Nothing breaks this off.
        let (ControlFlow::Continue(()) | ControlFlow::Break(())) = read(text, &mut keep);
        words.sort_unstable();
        words.dedup();
        Self { words }
    }

    /// Whether another text says nearly the same. One that ends in `…` is taken
    /// for the beginning of a text; a text without words is like no other.
    pub fn matches(&self, other: &str) -> bool {
        let other = other.trim_end();
        let is_cut = other.ends_with('…');
        let own = self.words.len();
        let mut seen = Vec::new();
        let (mut same, mut unmatched) = (0, Vec::new());
        // Beyond this nothing that follows can make up for it.
        let most = if is_cut {
            usize::MAX
        } else {
            own * 2 * (100 - THRESHOLD_PERCENT) / THRESHOLD_PERCENT
        };
        let read = read(other, &mut |word| {
            match self.words.binary_search(&word) {
                Ok(at) => {
                    seen.resize(own, false);
                    if let Some(seen) = seen.get_mut(at).filter(|seen| !**seen) {
                        *seen = true;
                        same += 1;
                    }
                }
                Err(_) if word.is_number && !is_cut => return ControlFlow::Break(()),
                Err(_) if !unmatched.contains(&word) => unmatched.push(word),
                Err(_) => {}
            }
            if unmatched.len() > most { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
        if own == 0 || read.is_break() {
            return false;
        }
        let others = same + unmatched.len();
        if is_cut {
            // The last word may be cut too.
            return others >= MIN_WORDS && same * 100 >= (others - 1) * THRESHOLD_PERCENT;
        }
        let is_seen = |at: usize| seen.get(at) == Some(&true);
        let mut numbers = self.words.iter().enumerate().filter(|(_, word)| word.is_number);
        let has_all_numbers = numbers.all(|(at, _)| is_seen(at));
        has_all_numbers && same * 200 >= (own + others) * THRESHOLD_PERCENT
    }
}

/// Hands over the words of a text in its order.
fn read(text: &str, each: &mut dyn FnMut(Word) -> ControlFlow<()>) -> ControlFlow<()> {
    let mut words = Words::default();
    let mut chars = text.char_indices().peekable();
    while let Some((at, c)) = chars.next() {
        // What follows a character can change it.
        if is_plain(c) && chars.peek().is_none_or(|(_, next)| is_plain(*next)) {
            words.take(c.to_ascii_lowercase(), each)?;
            continue;
        }
        let rest = text.get(at..).unwrap_or_default();
        for c in rest.nfkc().flat_map(char::to_lowercase) {
            words.take(c, each)?;
        }
        break;
    }
    words.end(each)
}

/// Puts characters together to words.
#[derive(Default)]
struct Words {
    /// The word that is not at its end yet.
    open: Option<Word>,
    /// The last character of a script without blanks, and whether it is its first.
    dense: Option<(char, bool)>,
}

impl Words {
    fn take(&mut self, c: char, each: &mut dyn FnMut(Word) -> ControlFlow<()>) -> ControlFlow<()> {
        if is_without_blanks(c) && c.is_alphanumeric() {
            self.close(each)?;
            if let Some((last, _)) = self.dense {
                each(Word::EMPTY.and(last).and(c))?;
            }
            self.dense = Some((c, self.dense.is_none()));
        } else if c.is_alphanumeric() {
            if let Some((only, true)) = self.dense.take() {
                each(Word::EMPTY.and(only))?;
            }
            self.open = Some(self.open.unwrap_or(Word::EMPTY).and(c));
        } else if !matches!(c, '\'' | '’') {
            self.close(each)?;
        }
        ControlFlow::Continue(())
    }

    /// Hands over a word that is at its end.
    fn close(&mut self, each: &mut dyn FnMut(Word) -> ControlFlow<()>) -> ControlFlow<()> {
        match self.open.take().filter(|word| !STOP_WORDS.contains(word)) {
            Some(word) => each(word),
            None => ControlFlow::Continue(()),
        }
    }

    fn end(mut self, each: &mut dyn FnMut(Word) -> ControlFlow<()>) -> ControlFlow<()> {
        self.close(each)?;
        match self.dense {
            Some((only, true)) => each(Word::EMPTY.and(only)),
            _ => ControlFlow::Continue(()),
        }
    }
}

impl Word {
    const EMPTY: Self = Self { fingerprint: 0xcbf2_9ce4_8422_2325, is_number: false };

    /// A word of ASCII letters.
    const fn of(letters: &str) -> Self {
        let mut word = Self::EMPTY;
        let mut rest = letters.as_bytes();
        while let [first, others @ ..] = rest {
            word.fingerprint = mixed(word.fingerprint, *first as u32);
            rest = others;
        }
        word
    }

    /// The word with one character more.
    fn and(self, c: char) -> Self {
        let is_number = self.is_number || c.is_numeric();
        Self { fingerprint: mixed(self.fingerprint, u32::from(c)), is_number }
    }
}

/// FNV-1a over characters.
const fn mixed(fingerprint: u64, c: u32) -> u64 {
    (fingerprint ^ c as u64).wrapping_mul(0x0100_0000_01b3)
}

/// Whether a character stays what it is beside others like it, but for the case
/// of ASCII letters; all this holds for is left out of the long way round.
fn is_plain(c: char) -> bool {
    let is_mark = matches!(c, '\u{3099}'..='\u{309f}' | '\u{30ff}');
    !is_mark
        && matches!(c, '\0'..='\x7f' | '\u{2010}'..='\u{2027}' | '\u{3001}'..='\u{3011}'
            | '\u{3041}'..='\u{30fe}' | '\u{4e00}'..='\u{9fff}')
}

/// Whether a character is of a script whose words stand together.
fn is_without_blanks(c: char) -> bool {
    c >= '\u{e00}'
        && matches!(c, '\u{e00}'..='\u{eff}' | '\u{1000}'..='\u{109f}' | '\u{1780}'..='\u{17ff}'
            | '\u{2e80}'..='\u{a4cf}' | '\u{f900}'..='\u{faff}' | '\u{20000}'..='\u{3ffff}')
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn case_width_marks_articles_and_order_do_not_count() {
        for (a, b) in [
            ("Use pnpm, not npm.", "USE **pnpm** — not `npm`"),
            ("Don't use the tabs", "don’t use tabs"),
            ("取引先コードは文字列として扱う", "取引先コードは、文字列として扱う。"),
            ("タブを使う", "タブを、使う。"),
            ("ＶＰＮは東京", "VPNは東京"),
            ("ﾃｽﾄを先に書く", "テストを先に書く"),
            (
                "one two three four five six seven eight nine ten",
                "ten two three four five six seven eight nine eleven one",
            ),
            (
                "The deploy runs at noon on every working day, by hand",
                "The deploy runs at noon on every working…",
            ),
        ] {
            assert!(Similarity::of(a).matches(b), "{a} / {b}");
        }
    }

    #[test]
    fn what_says_something_else_is_not_like_it() {
        for (a, b) in [
            ("Use tabs", "Never use tabs"),
            (
                "The port is 8080 here and there and everywhere else too",
                "The port is 8081 here and there and everywhere else too",
            ),
            ("Fact number 1 of the list", "Fact number 12 of the list"),
            ("取引先コードは文字列として扱う", "取引先名は文字列として扱う"),
            ("Use pnpm for project alpha", "Use pnpm for project beta"),
            ("a fact", "…"),
            ("", ""),
            ("…", "…"),
            ("Use tabs in all files", "Use tabs…"),
        ] {
            assert!(
                !Similarity::of(a).matches(b)
                    && !Similarity::of(b).matches(a.trim_end_matches('…')),
                "{a} / {b}"
            );
        }
    }

    proptest! {
        #[test]
        fn plain_characters_take_the_short_way_to_the_same_words(
            text in "([ -~]|[—…、。「」]|[あ-んー]|[ァ-ヾ]|[一-鿿]|[Ａ-ｚ０-９ｱ-ﾝﾞé\u{301}\u{3099}]){0,40}",
        ) {
            let folded: String = text.nfkc().flat_map(char::to_lowercase).collect();
            prop_assert_eq!(Similarity::of(&text), Similarity::of(&folded));
        }

        #[test]
        fn a_text_with_words_is_like_itself_and_likeness_goes_both_ways(
            a in "(?s)([a-c ]|[あ-う]|[０-２]){1,30}",
            b in "(?s)([A-C ]|[あ-う]|[0-2]){1,30}",
        ) {
            let (of_a, of_b) = (Similarity::of(&a), Similarity::of(&b));
            prop_assert_eq!(of_a.matches(&a), !of_a.words.is_empty());
            prop_assert_eq!(of_a.matches(&b), of_b.matches(&a));
        }
    }
}
