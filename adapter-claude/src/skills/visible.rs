use unicode_properties::{GeneralCategory, UnicodeGeneralCategory as _};

use crate::text::frontmatter::is_space;

/// A description as the listing shows it: terminal sequences go, and what shows
/// nothing becomes a blank, a run of it one.
pub(super) fn clean(text: &str) -> String {
    let mut line = String::with_capacity(text.len());
    let mut hidden_before = false;
    for c in without_terminal_sequences(text).chars() {
        let hidden = shows_nothing(c);
        match (hidden, hidden_before) {
            (false, _) => line.push(c),
            (true, false) => line.push(' '),
            (true, true) => {}
        }
        hidden_before = hidden;
    }
    line
}

/// Whether the client lists a skill whose folder has this name.
pub(super) fn is_listable(name: &str) -> bool {
    !name.chars().any(|c| shows_nothing(c) || is_space(c) && c != ' ')
}

/// Whether a character is a control, has no width, or means nothing to all.
fn shows_nothing(c: char) -> bool {
    matches!(c, '\u{34f}' | '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}' | '\u{3164}')
        || matches!(c, '\u{fe00}'..='\u{fe0f}' | '\u{ffa0}' | '\u{e0100}'..='\u{e01ef}')
        || matches!(
            c.general_category(),
            GeneralCategory::Control
                | GeneralCategory::Format
                | GeneralCategory::PrivateUse
                | GeneralCategory::Unassigned
                | GeneralCategory::LineSeparator
                | GeneralCategory::ParagraphSeparator
        )
}

/// The text without the sequences that colour a terminal or set its title.
fn without_terminal_sequences(text: &str) -> String {
    let mut kept = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) =
        rest.find(['\u{1b}', '\u{90}', '\u{98}', '\u{9b}', '\u{9d}', '\u{9e}', '\u{9f}'])
    {
        let (before, from) = rest.split_at_checked(at).unwrap_or((rest, ""));
        kept.push_str(before);
        rest = sequence(from).unwrap_or_else(|| {
            let mut chars = from.chars();
            kept.extend(chars.next());
            chars.as_str()
        });
    }
    kept.push_str(rest);
    kept
}

/// What follows the sequence at the start of a text; `None` where none is.
fn sequence(text: &str) -> Option<&str> {
    let mut chars = text.chars();
    match chars.next()? {
        '\u{1b}' => {
            let body = chars.as_str();
            match chars.next()? {
                '[' => parameters(chars.as_str()),
                ']' | 'P' | 'X' | '^' | '_' => Some(string(chars.as_str())),
                ' '..='/' => {
                    let rest = body.trim_start_matches(|c| matches!(c, ' '..='/'));
                    last_of(rest, '0'..='~')
                }
                '0'..='~' => Some(chars.as_str()),
                _ => None,
            }
        }
        '\u{9b}' => parameters(chars.as_str()),
        _ => Some(string(chars.as_str())),
    }
}

/// Parameters and the letter that ends them.
fn parameters(text: &str) -> Option<&str> {
    let rest = text.trim_start_matches(|c| matches!(c, '0'..='?'));
    last_of(rest.trim_start_matches(|c| matches!(c, ' '..='/')), '@'..='~')
}

fn last_of(text: &str, ends: std::ops::RangeInclusive<char>) -> Option<&str> {
    let mut chars = text.chars();
    chars.next().filter(|c| ends.contains(c)).map(|_| chars.as_str())
}

/// A string of a terminal, up to its terminator.
fn string(text: &str) -> &str {
    let ends = [text.split_once('\u{7}'), text.split_once("\u{1b}\\"), text.split_once('\u{9c}')];
    let first = ends.into_iter().flatten().min_by_key(|(inside, _)| inside.len());
    first.map_or("", |(_, after)| after)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn runs_of_what_shows_nothing_become_one_blank() {
        assert_eq!(clean("a\u{200b}\u{200b} \u{200b}b\n\nc"), "a   b c");
        assert_eq!(clean("a\u{3000}b\u{a0}c\u{301}"), "a\u{3000}b\u{a0}c\u{301}");
    }

    #[test]
    fn terminal_sequences_go() {
        for text in ["a\u{1b}[31mb", "a\u{1b}]0;t\u{7}b", "a\u{9b}31mb", "a\u{1b}xb", "a\u{1b}-nb"]
        {
            assert_eq!(clean(text), "ab", "{text:?}");
        }
        assert_eq!(clean("a\u{1b}"), "a ");
    }
}
