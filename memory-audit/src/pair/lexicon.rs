//! Words of one meaning, in Japanese and English.

use std::collections::HashMap;
use std::sync::LazyLock;

use super::meaning::{Kind, Meaning};
use crate::script::{is_japanese_char, is_kanji};

/// The list, a meaning a line.
const LIST: &str = include_str!("lexicon.txt");

/// A word of the list.
#[derive(Clone, Debug)]
struct Word {
    letters: Vec<char>,
    meaning: Meaning,
}

/// All words, by their first character, longest first.
static WORDS: LazyLock<HashMap<char, Vec<Word>>> = LazyLock::new(read);

fn read() -> HashMap<char, Vec<Word>> {
    let mut words: HashMap<char, Vec<Word>> = HashMap::new();
    let mut kind = Kind::Thing;
    let mut groups = 0_u16;
    let lines = LIST.lines().filter(|line| !line.is_empty() && !line.starts_with('#'));
    for (id, line) in (0_u16..).zip(lines) {
        if let Some(section) = line.strip_prefix('@') {
            groups += 1;
            let (name, group) = section.split_once(' ').unwrap_or((section, ""));
            kind = match name {
                "action" => Kind::Action,
                "idle" => Kind::Idle,
                // Where a thing is put is a choice; what it is for is a scope.
                "scope" if group == "place" => Kind::Value(groups),
                "scope" => Kind::Scope(groups),
                "value" => Kind::Value(groups),
                _ => Kind::Thing,
            };
            continue;
        }
        for word in line.split_whitespace().skip(1) {
            let letters: Vec<char> = super::meaning::folded(word).chars().collect();
            let Some(first) = letters.first() else { continue };
            words
                .entry(*first)
                .or_default()
                .push(Word { meaning: Meaning { id, kind }, letters: letters.clone() });
        }
    }
    for list in words.values_mut() {
        list.sort_by_key(|word| std::cmp::Reverse(word.letters.len()));
    }
    words
}

/// The meanings of the longest word that begins at a place, and its length in
/// characters.
pub(super) fn longest(text: &[char], at: usize) -> Option<(usize, Vec<Meaning>)> {
    let list = WORDS.get(text.get(at)?)?;
    let mut length = 0;
    let mut found = Vec::new();
    for word in list {
        if word.letters.len() < length {
            break;
        }
        let end = at + word.letters.len();
        if text.get(at..end) == Some(&word.letters) && is_whole(text, at, end) {
            length = word.letters.len();
            found.push(word.meaning);
        }
    }
    (length > 0).then_some((length, found))
}

/// Whether a word does not go on: Latin ones end where their letters end, one
/// kanji alone is a word only among other signs.
fn is_whole(text: &[char], start: usize, end: usize) -> bool {
    let before = start.checked_sub(1).and_then(|at| text.get(at)).copied();
    let after = text.get(end).copied();
    let is_latin =
        |c: Option<&char>| c.is_some_and(|c| c.is_alphanumeric() && !is_japanese_char(*c));
    let goes_on = |c: Option<char>| c.is_some_and(|c| c.is_alphanumeric() && !is_japanese_char(c));
    let first_latin = is_latin(text.get(start));
    let last_latin = is_latin(text.get(end - 1));
    if first_latin && goes_on(before) || last_latin && goes_on(after) {
        return false;
    }
    let is_lone_kanji = end - start == 1 && text.get(start).is_some_and(|c| is_kanji(*c));
    !(is_lone_kanji && (before.is_some_and(is_kanji) || after.is_some_and(is_kanji)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_longest_word_wins_and_one_kanji_stands_alone() {
        let found = |text: &str| {
            let text: Vec<char> = text.chars().collect();
            longest(&text, 0).map(|(length, _)| length)
        };
        assert_eq!(found("データベースを"), Some(6));
        assert_eq!(found("databases are"), Some(9));
        assert_eq!(found("databasement"), None);
        assert_eq!(found("客の"), Some(1));
        assert_eq!(found("客観的"), None);
    }
}
