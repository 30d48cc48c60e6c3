//! Text as terms: what a search compares.
//!
//! Japanese has no blanks, so runs of it become pairs of neighbouring characters;
//! everything else becomes words. Width, case, kana and the long mark at the end of a
//! loan word make no difference.

use std::ops::Range;

use unicode_normalization::UnicodeNormalization as _;
use unicode_normalization::char::compose;

/// What a term is made of; a ranking gives each kind a weight of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum TermKind {
    /// Two neighbouring characters of Japanese, Chinese or Korean, at least one of which
    /// is no hiragana.
    Pair,
    /// Two neighbouring hiragana: mostly grammar.
    Kana,
    /// One character that stands alone between blanks or signs.
    Single,
    /// A Chinese character for itself.
    Ideograph,
    /// A word without a stem: short, or with digits.
    Word,
    /// A word with a stem, in the form in which it stands there.
    Form,
    /// What a word of letters begins with, without its ending.
    Stem,
    /// Words and signs that belong together, such as `Idempotency-Key` or `C++`.
    Compound,
    /// An English word that says nothing by itself, such as `because`.
    Idle,
}

/// English words that say nothing by themselves.
const IDLE: [&str; 120] = [
    "a", "about", "after", "again", "all", "also", "am", "an", "and", "any", "are", "as", "at",
    "be", "because", "been", "before", "being", "both", "but", "by", "can", "could", "did", "do",
    "does", "doing", "done", "each", "for", "from", "get", "go", "got", "had", "has", "have",
    "having", "he", "her", "here", "him", "his", "how", "i", "if", "in", "into", "is", "it", "its",
    "just", "let", "me", "more", "most", "my", "no", "nor", "not", "now", "of", "off", "on",
    "once", "one", "only", "or", "other", "our", "ours", "out", "over", "own", "please", "really",
    "s", "same", "she", "should", "so", "some", "such", "t", "than", "that", "the", "their",
    "them", "then", "there", "these", "they", "this", "those", "through", "to", "too", "under",
    "until", "up", "us", "very", "was", "we", "were", "what", "when", "where", "which", "while",
    "who", "whom", "why", "will", "with", "would", "you", "your", "yours",
];

/// One term: a number that stands for its normalized text.
///
/// The number depends on the text alone, so that stores of all machines agree.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Term {
    /// The number.
    pub id: u64,
    /// What it is made of.
    pub kind: TermKind,
}

/// A term and the bytes of the text it was made from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Occurrence {
    /// The term.
    pub term: Term,
    /// The bytes.
    pub range: Range<usize>,
}

/// Longest word that is one term; what follows is cut off.
const MAX_WORD: usize = 64;

/// Shortest word that has a stem.
const MIN_STEM: usize = 4;

/// Calls `visit` for every term of a text, in order.
pub fn terms(text: &str, visit: &mut dyn FnMut(Term, Range<usize>)) {
    let letters = letters(text);
    let mut rest = letters.as_slice();
    while let Some(first) = rest.first() {
        let len = rest.iter().take_while(|letter| letter.class == first.class).count();
        let (run, after) = rest.split_at(len);
        match first.class {
            Class::Script => script(run, visit),
            Class::Word => {
                let len = rest.iter().take_while(|letter| letter.class != Class::Script).count();
                let (mixed, after) = rest.split_at(len);
                words(mixed, visit);
                rest = after;
                continue;
            }
            Class::Sign => {
                // `.NET`: a sign that begins a compound.
                if !first.is_blank && after.first().is_some_and(|next| next.class == Class::Word) {
                    let signs = run.iter().rev().take_while(|sign| !sign.is_blank).count();
                    let (_, tail) = rest.split_at(len - signs);
                    let len =
                        tail.iter().take_while(|letter| letter.class != Class::Script).count();
                    let (mixed, after) = tail.split_at(len);
                    words(mixed, visit);
                    rest = after;
                    continue;
                }
            }
        }
        rest = after;
    }
}

/// Every term of a text with its place.
pub fn occurrences(text: &str) -> Vec<Occurrence> {
    let mut found = Vec::new();
    terms(text, &mut |term, range| found.push(Occurrence { term, range }));
    found
}

/// The first bytes of a text, at most so many, and no half character.
pub(crate) fn cut(text: &str, max_len: usize) -> &str {
    let mut end = max_len.min(text.len());
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    text.get(..end).unwrap_or(text)
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Class {
    /// Written without blanks between words.
    Script,
    /// Letters and digits of words.
    Word,
    /// Everything else.
    Sign,
}

/// A normalized character and where it comes from.
#[derive(Clone, Copy, Debug)]
struct Letter {
    char: char,
    class: Class,
    start: usize,
    end: usize,
    /// Katakana before it was made hiragana.
    is_katakana: bool,
    is_blank: bool,
    /// Upper case before it was made lower case.
    is_upper: bool,
}

fn letters(text: &str) -> Vec<Letter> {
    let mut letters: Vec<Letter> = Vec::with_capacity(text.len() / 2);
    for (start, char) in text.char_indices() {
        let end = start + char.len_utf8();
        if char.is_ascii() {
            letters.push(letter(char, start, end));
        } else if matches!(char, '\u{3041}'..='\u{3096}' | '\u{30a1}'..='\u{30fa}' | '\u{30fc}' | '\u{4e00}'..='\u{9fff}')
        {
            push(&mut letters, letter(char, start, end));
        } else if let Some(mark) = voicing(char)
            && let Some(last) = letters.last_mut()
            && let Some(voiced) = compose(unfolded(last), mark)
        {
            *last = Letter { end, ..letter(voiced, last.start, end) };
        } else {
            for normal in std::iter::once(char).nfkc() {
                push(&mut letters, letter(normal, start, end));
            }
        }
    }
    trim_long_mark(&mut letters);
    letters
}

fn push(letters: &mut Vec<Letter>, next: Letter) {
    trim_long_mark_before(letters, next);
    letters.push(next);
}

/// A voicing mark that joins the kana before it.
fn voicing(char: char) -> Option<char> {
    match char {
        '\u{3099}' | '\u{ff9e}' => Some('\u{3099}'),
        '\u{309a}' | '\u{ff9f}' => Some('\u{309a}'),
        _ => None,
    }
}

/// The katakana that a folded letter came from, so that a voicing mark can join it.
fn unfolded(letter: &Letter) -> char {
    if letter.is_katakana {
        char::from_u32(u32::from(letter.char) + 0x60).unwrap_or(letter.char)
    } else {
        letter.char
    }
}

/// `サーバー` and `サーバ` are one word: the mark at the end of a loan word goes.
fn trim_long_mark_before(letters: &mut Vec<Letter>, next: Letter) {
    let goes_on = next.is_katakana || next.char == LONG_MARK;
    if !goes_on {
        trim_long_mark(letters);
    }
}

fn trim_long_mark(letters: &mut Vec<Letter>) {
    let mut from_end = letters.iter().rev();
    if from_end.next().is_some_and(|last| last.char == LONG_MARK)
        && from_end.next().is_some_and(|letter| letter.is_katakana)
        && from_end.next().is_some_and(|letter| letter.is_katakana || letter.char == LONG_MARK)
    {
        letters.pop();
    }
}

const LONG_MARK: char = 'ー';

fn letter(char: char, start: usize, end: usize) -> Letter {
    let mut is_katakana = false;
    let mut is_upper = false;
    let (char, class) = match char {
        'a'..='z' | '0'..='9' => (char, Class::Word),
        'A'..='Z' => {
            is_upper = true;
            (char.to_ascii_lowercase(), Class::Word)
        }
        '\0'..='\x7f' => (char, Class::Sign),
        '\u{3041}'..='\u{3096}' => (large(char), Class::Script),
        '\u{30a1}'..='\u{30f6}' => {
            is_katakana = true;
            let hiragana = char::from_u32(u32::from(char) - 0x60).unwrap_or(char);
            (large(hiragana), Class::Script)
        }
        LONG_MARK
        | '々'
        | '〆'
        | '\u{30f7}'..='\u{30fa}'
        | '\u{3400}'..='\u{9fff}'
        | '\u{f900}'..='\u{faff}'
        | '\u{ac00}'..='\u{d7a3}'
        | '\u{20000}'..='\u{3134f}' => (char, Class::Script),
        _ if char.is_alphanumeric() => {
            is_upper = char.is_uppercase();
            (char.to_lowercase().next().unwrap_or(char), Class::Word)
        }
        _ => (char, Class::Sign),
    };
    let is_blank = class == Class::Sign && (char.is_whitespace() || char.is_control());
    Letter { char, class, start, end, is_katakana, is_blank, is_upper }
}

/// The large form of a small kana: `ァ` and `ア` are often mixed up.
fn large(kana: char) -> char {
    match kana {
        'ぁ' => 'あ',
        'ぃ' => 'い',
        'ぅ' => 'う',
        'ぇ' => 'え',
        'ぉ' => 'お',
        'っ' => 'つ',
        'ゃ' => 'や',
        'ゅ' => 'ゆ',
        'ょ' => 'よ',
        'ゎ' => 'わ',
        'ゕ' => 'か',
        'ゖ' => 'け',
        // `ヴァ` and `バ`.
        'ゔ' => 'ぶ',
        kana => kana,
    }
}

fn script(run: &[Letter], visit: &mut dyn FnMut(Term, Range<usize>)) {
    if let [only] = run {
        visit(term(TermKind::Single, [only.char]), only.start..only.end);
    }
    for letter in run {
        if is_ideograph(letter.char) {
            visit(term(TermKind::Ideograph, [letter.char]), letter.start..letter.end);
        }
    }
    for pair in run.windows(2) {
        let [one, other] = pair else { continue };
        let is_kana =
            |letter: &Letter| !letter.is_katakana && matches!(letter.char, '\u{3041}'..='\u{3096}');
        let kind = if is_kana(one) && is_kana(other) { TermKind::Kana } else { TermKind::Pair };
        // One number for both kinds: `ネコ` finds `ねこ`.
        let id = term(TermKind::Pair, [one.char, other.char]).id;
        visit(Term { id, kind }, one.start..other.end);
    }
}

fn is_ideograph(char: char) -> bool {
    matches!(char, '\u{3400}'..='\u{9fff}' | '\u{f900}'..='\u{faff}' | '\u{20000}'..='\u{3134f}')
}

/// The words of a run without Japanese, and what they make together.
fn words(run: &[Letter], visit: &mut dyn FnMut(Term, Range<usize>)) {
    let joins = |letter: &Letter| letter.class == Class::Word || "_-.+#$@".contains(letter.char);
    for group in run.split(|letter| !joins(letter)) {
        let parts = group.split(|letter| letter.class != Class::Word);
        for part in parts.filter(|part| !part.is_empty()) {
            word(part, visit);
        }
        let joined = compound(group);
        if let (Some(first), Some(last)) = (joined.first(), joined.last())
            && joined.iter().any(|letter| letter.class == Class::Sign)
        {
            let chars = joined.iter().take(MAX_WORD).map(|letter| letter.char);
            visit(term(TermKind::Compound, chars), first.start..last.end);
        }
    }
}

/// A group without the signs of the sentence around it: `(C++),` is `C++`.
fn compound(group: &[Letter]) -> &[Letter] {
    let keeps_front = |letter: &Letter| {
        letter.class == Class::Word || matches!(letter.char, '.' | '-' | '_' | '$' | '@' | '#')
    };
    let keeps_back =
        |letter: &Letter| letter.class == Class::Word || matches!(letter.char, '+' | '#' | '_');
    let front = group.iter().position(keeps_front).unwrap_or(group.len());
    let (_, tail) = group.split_at(front);
    let back = tail.iter().rposition(keeps_back).map_or(0, |at| at + 1);
    let (middle, _) = tail.split_at(back);
    if middle.iter().any(|letter| letter.class == Class::Word) { middle } else { &[] }
}

fn word(part: &[Letter], visit: &mut dyn FnMut(Term, Range<usize>)) {
    plain_word(part, visit);
    // `getUserName`: the words inside.
    for piece in humps(part) {
        plain_word(piece, visit);
    }
}

fn plain_word(part: &[Letter], visit: &mut dyn FnMut(Term, Range<usize>)) {
    let (Some(first), Some(last)) = (part.first(), part.last()) else { return };
    let range = first.start..last.end;
    let text: String = part.iter().take(MAX_WORD).map(|letter| letter.char).collect();
    let id = term(TermKind::Word, text.chars()).id;
    if IDLE.binary_search(&text.as_str()).is_ok() {
        visit(Term { id, kind: TermKind::Idle }, range);
        return;
    }
    if text.len() >= MIN_STEM && text.bytes().all(|byte| byte.is_ascii_alphabetic()) {
        visit(term(TermKind::Stem, stem(&text).chars()), range.clone());
        visit(Term { id, kind: TermKind::Form }, range);
    } else {
        visit(Term { id, kind: TermKind::Word }, range);
    }
}

/// The parts of a word in camel case; empty when it is in one piece.
fn humps(part: &[Letter]) -> Vec<&[Letter]> {
    let mut cuts = Vec::new();
    for (at, pair) in part.windows(2).enumerate() {
        let [one, other] = pair else { continue };
        if !one.is_upper && one.char.is_alphabetic() && other.is_upper {
            cuts.push(at + 1);
        }
    }
    if cuts.is_empty() {
        return Vec::new();
    }
    let mut pieces = Vec::with_capacity(cuts.len() + 1);
    let mut rest = part;
    let mut taken = 0;
    for cut in cuts {
        let (piece, after) = rest.split_at(cut - taken);
        pieces.push(piece);
        rest = after;
        taken = cut;
    }
    pieces.push(rest);
    pieces
}

/// An English word without its ending: `charged`, `charges` and `charging` are one.
fn stem(word: &str) -> &str {
    const ENDINGS: [&str; 22] = [
        "ations", "ation", "ments", "ment", "nesses", "ness", "ingly", "ings", "ing", "edly",
        "ies", "ied", "ers", "er", "ed", "es", "ly", "s", "e", "y", "or", "ion",
    ];
    let cut = ENDINGS.iter().find_map(|ending| {
        word.strip_suffix(ending).filter(|rest| rest.len() >= 3 && has_vowel(rest))
    });
    let rest = cut.unwrap_or(word);
    // `stopped`: the doubled letter goes with its ending.
    let mut from_end = rest.chars().rev();
    match (from_end.next(), from_end.next()) {
        (Some(last), Some(before))
            if cut.is_some() && last == before && rest.len() > 3 && !"lsz".contains(last) =>
        {
            rest.strip_suffix(last).unwrap_or(rest)
        }
        _ => rest,
    }
}

fn has_vowel(text: &str) -> bool {
    text.contains(['a', 'e', 'i', 'o', 'u', 'y'])
}

/// The number of a normalized text: FNV-1a with its bits stirred, which never changes.
fn term(kind: TermKind, chars: impl IntoIterator<Item = char>) -> Term {
    let mut id: u64 = 0xcbf2_9ce4_8422_2325 ^ (kind as u64);
    for char in chars {
        id = (id ^ u64::from(u32::from(char))).wrapping_mul(0x0000_0100_0000_01b3);
    }
    id ^= id >> 33;
    id = id.wrapping_mul(0xff51_afd7_ed55_8ccd);
    id ^= id >> 33;
    Term { id, kind }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use proptest::prelude::*;

    use super::*;

    fn ids(text: &str) -> BTreeSet<u64> {
        occurrences(text).into_iter().map(|found| found.term.id).collect()
    }

    fn finds(query: &str, text: &str) -> bool {
        let all = ids(text);
        let wanted = ids(query);
        !wanted.is_empty() && wanted.iter().all(|id| all.contains(id))
    }

    #[test]
    fn two_characters_in_the_middle_of_a_run_are_found() {
        assert!(finds("停電", "計画停電に備える"));
        assert!(finds("再計", "在庫の再計算はいつ？"));
        assert!(!finds("停電", "電停"));
    }

    #[test]
    fn width_case_and_kana_make_no_difference() {
        for (query, text) in [
            ("ＡＰＩ", "api"),
            ("ﾃﾞｨｽｸ", "ディスク"),
            ("ﾊﾟｰﾃｨ", "パーティ"),
            ("サーバ", "サーバーの名前"),
            ("サーバー", "サーバの名前"),
            ("キヤッシユ", "キャッシュ"),
            ("ﾒﾓﾘ", "メモリーを増やす"),
            ("ねこ", "ネコ"),
            ("が", "が"),
            ("①", "1"),
        ] {
            assert!(finds(query, text), "{query} in {text}: {:?}", occurrences(query));
        }
    }

    #[test]
    fn words_glued_to_japanese_are_found() {
        assert!(finds("Webhook", "StripeのWebhookが届かない"));
        assert!(finds("E1027", "またE1027が出た"));
    }

    #[test]
    fn identifiers_are_one_term_and_their_parts() {
        assert!(finds("Idempotency-Key", "the Idempotency-Key header"));
        assert!(finds("idempotency key", "the Idempotency-Key header"));
        assert!(finds("C++ .NET", "use C++, or .NET."));
        assert!(!finds("C++", "use C"));
        assert!(finds("HARBOR_THREADS", "set HARBOR_THREADS=4"));
        assert!(finds("user", "getUserName()"));
    }

    #[test]
    fn an_english_word_is_found_in_its_forms() {
        let stems = |text: &str| -> BTreeSet<u64> {
            let found = occurrences(text).into_iter();
            found.filter(|o| o.term.kind == TermKind::Stem).map(|o| o.term.id).collect()
        };
        for (one, other) in [
            ("charged", "charges"),
            ("stopped", "stopping"),
            ("releases", "release"),
            ("interrupting", "interrupted"),
            ("retries", "retry"),
            ("installation", "install"),
        ] {
            assert_eq!(stems(one), stems(other), "{one}, {other}");
        }
        assert_ne!(stems("string"), stems("strange"));
    }

    proptest! {
        #[test]
        fn any_text_has_terms_within_it(text in "\\PC{0,60}") {
            for found in occurrences(&text) {
                prop_assert!(text.get(found.range).is_some());
            }
        }
    }
}
