//! The words of a shell command.

/// A piece of a command.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Token {
    Word(Word),
    /// `&&`, `;`, `;;` or a line end.
    Separator,
    /// `&`.
    Background,
    /// `(`.
    Open,
    /// `)`.
    Close,
}

/// A word of a command.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Word {
    /// As it is written.
    pub(super) written: String,
    /// Without its quotes; what the shell would put in place of variables and
    /// patterns is not known, so that these stay as they are written.
    pub(super) value: String,
    /// Whether it begins with `~/`, and means the home.
    pub(super) is_in_home: bool,
}

/// Splits a command into pieces; `None` when a quote is not closed. Words that
/// are nothing but a variable or a command's output are left out.
pub(super) fn tokens(text: &str) -> Option<Vec<Token>> {
    let mut tokens = Vec::new();
    let mut rest = text;
    loop {
        rest = rest.trim_start_matches([' ', '\t']);
        let mut chars = rest.chars();
        let Some(c) = chars.next() else { return Some(tokens) };
        let behind = chars.as_str();
        match c {
            '\n' | ';' => {
                tokens.push(Token::Separator);
                rest = behind;
            }
            '&' => {
                let joined = behind.strip_prefix('&');
                tokens.push(if joined.is_some() { Token::Separator } else { Token::Background });
                rest = joined.unwrap_or(behind);
            }
            '(' => {
                tokens.push(Token::Open);
                rest = behind;
            }
            ')' => {
                tokens.push(Token::Close);
                rest = behind;
            }
            '#' => rest = behind.find('\n').and_then(|end| behind.get(end..)).unwrap_or_default(),
            '\\' if behind.starts_with('\n') => rest = behind.get(1..)?,
            _ => {
                let (word, behind) = word(rest)?;
                tokens.extend(word.map(Token::Word));
                rest = behind;
            }
        }
    }
}

/// The word at the start of a text and what follows it; no word where it is
/// nothing but expansions.
fn word(text: &str) -> Option<(Option<Word>, &str)> {
    let mut word = Word { is_in_home: text.starts_with("~/"), ..Word::default() };
    let mut only_expansions = true;
    let mut rest = text;
    loop {
        let mut chars = rest.chars();
        let Some(c) = chars.next() else { break };
        let behind = chars.as_str();
        let end = match c {
            ' ' | '\t' | '\n' | ';' | '&' | '(' | ')' => break,
            '\\' => {
                let next = behind.chars().next();
                // A line end behind a backslash is no character.
                word.value.extend(next.filter(|next| *next != '\n'));
                only_expansions = false;
                behind.get(next.map_or(0, char::len_utf8)..)?
            }
            '\'' => {
                let (inside, behind) = behind.split_once('\'')?;
                word.value.push_str(inside);
                only_expansions = false;
                behind
            }
            '"' => {
                let (inside, is_plain, behind) = double_quoted(behind)?;
                // With a variable in them the quotes are not resolved.
                if is_plain {
                    word.value.push_str(&inside);
                } else {
                    word.value.push('"');
                    word.value.push_str(&inside);
                    word.value.push('"');
                }
                only_expansions = false;
                behind
            }
            '$' | '`' => {
                let behind = expansion(rest)?;
                let written = rest.strip_suffix(behind)?;
                only_expansions &= written.len() > 1;
                word.value.push_str(written);
                behind
            }
            c => {
                word.value.push(c);
                only_expansions = false;
                behind
            }
        };
        word.written.push_str(rest.strip_suffix(end)?);
        rest = end;
    }
    Some(((!only_expansions).then_some(word), rest))
}

/// What stands in double quotes, whether no variable is in it, and what follows.
fn double_quoted(text: &str) -> Option<(String, bool, &str)> {
    let mut inside = String::new();
    let mut is_plain = true;
    let mut rest = text;
    loop {
        let mut chars = rest.chars();
        let c = chars.next()?;
        let behind = chars.as_str();
        rest = match c {
            '"' => return Some((inside, is_plain, behind)),
            '\\' => {
                let next = behind.chars().next()?;
                if !matches!(next, '"' | '\\' | '$' | '`' | '\n') {
                    inside.push('\\');
                }
                if next != '\n' {
                    inside.push(next);
                }
                behind.get(next.len_utf8()..)?
            }
            '$' | '`' => {
                let behind = expansion(rest)?;
                let written = rest.strip_suffix(behind)?;
                is_plain &= written.len() == 1;
                inside.push_str(written);
                behind
            }
            c => {
                inside.push(c);
                behind
            }
        };
    }
}

/// What follows the expansion at the start of a text; a `$` that begins none is
/// only itself.
fn expansion(text: &str) -> Option<&str> {
    if let Some(inside) = text.strip_prefix('`') {
        return inside.split_once('`').map(|(_, behind)| behind);
    }
    let inside = text.strip_prefix('$')?;
    match inside.chars().next() {
        Some('{') => inside.split_once('}').map(|(_, behind)| behind),
        Some('(') => closed(inside),
        Some('\'') => inside.get(1..)?.split_once('\'').map(|(_, behind)| behind),
        Some(c) if c.is_ascii_alphabetic() || c == '_' => {
            Some(inside.trim_start_matches(|c: char| c.is_ascii_alphanumeric() || c == '_'))
        }
        Some(c) if c.is_ascii_digit() || "?!#@*$-".contains(c) => inside.get(1..),
        _ => Some(inside),
    }
}

/// What follows the parentheses at the start of a text.
fn closed(text: &str) -> Option<&str> {
    let mut depth = 0_usize;
    for (at, c) in text.char_indices() {
        match c {
            '(' => depth += 1,
            ')' if depth == 1 => return text.get(at + 1..),
            ')' => depth -= 1,
            _ => {}
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn values(text: &str) -> Vec<String> {
        let tokens = tokens(text).unwrap();
        let values = tokens.into_iter().filter_map(|token| match token {
            Token::Word(word) => Some(word.value),
            _ => None,
        });
        values.collect()
    }

    #[test]
    fn quotes_are_resolved_and_variables_are_not() {
        assert_eq!(values(r#"'a b' "c d"e f\ g h\$i"#), ["a b", "c de", "f g", "h$i"]);
        assert_eq!(
            values(r#"x$y ${F} $F $(a b) q?.txt {a,b} "a$b""#),
            ["x$y", "q?.txt", "{a,b}", "\"a$b\""]
        );
        assert_eq!(tokens("a 'b"), None);
    }

    #[test]
    fn comments_and_continued_lines_are_nothing() {
        assert_eq!(values("# a\ncat x \\\n y # z"), ["cat", "x", "y"]);
    }
}
