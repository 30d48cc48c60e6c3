//! Which files a shell command reads, as the client judges it by its text.

mod command;
mod words;

use memory_core::AbsPath;

pub(crate) use command::ReadFile;
use words::{Token, Word, tokens};

/// Commands that change nothing in the judgement of those beside them.
const NEUTRAL: [&str; 3] = ["echo", "printf", "true"];

/// Words that open a compound command, with the word that closes it.
const COMPOUND: [(&str, &str); 7] = [
    ("if", "fi"),
    ("for", "done"),
    ("while", "done"),
    ("until", "done"),
    ("select", "done"),
    ("case", "esac"),
    ("{", "}"),
];

/// Words behind which a command may begin.
const BEFORE_COMMAND: [&str; 6] = ["then", "else", "elif", "do", "!", "{"];

/// The files that a command reads, in order; none when any part of it is something else.
///
/// `cwd` is the present directory of the shell, as the client writes it.
pub(crate) fn reads(text: &str, cwd: &AbsPath) -> Vec<ReadFile> {
    if text.contains(['|', '<', '>']) {
        return Vec::new();
    }
    let there = format!("cd {cwd} && ");
    let text = text.strip_prefix(there.as_str()).unwrap_or(text);
    let Some(parts) = tokens(text).and_then(|tokens| parts(&tokens)) else { return Vec::new() };
    let is_alone = parts.len() == 1;
    let mut files = Vec::new();
    for part in &parts {
        match part {
            Part::Simple(words) if is_neutral(words) => {}
            Part::Simple(words) | Part::Compound(Some(words)) => {
                match command::read(words, is_alone) {
                    Some(file) => files.push(file),
                    None => return Vec::new(),
                }
            }
            Part::Compound(None) => return Vec::new(),
        }
    }
    files
}

/// The directories that a command goes to, in order; `None` stands for the home.
pub(crate) fn changes(text: &str) -> Vec<Option<String>> {
    let Some(parts) = tokens(text).and_then(|tokens| parts(&tokens)) else { return Vec::new() };
    let mut dirs = Vec::new();
    for part in &parts {
        if let Part::Simple(words) = part
            && let [name, rest @ ..] = words.as_slice()
            && name.value == "cd"
        {
            match rest {
                [] => dirs.push(None),
                [dir] => dirs.push(Some(dir.value.clone())),
                _ => {}
            }
        }
    }
    dirs
}

fn is_neutral(words: &[Word]) -> bool {
    words.first().is_some_and(|first| NEUTRAL.contains(&first.written.as_str()))
}

/// One part of a command between `&&`, `;` and line ends.
enum Part {
    /// A command of its own.
    Simple(Vec<Word>),
    /// A group, a loop or a condition, with the first command in it that is no test.
    Compound(Option<Vec<Word>>),
}

/// Splits a command into its parts; `None` where it goes on in the background or
/// is not closed.
fn parts(tokens: &[Token]) -> Option<Vec<Part>> {
    let mut parts = Vec::new();
    let mut rest = tokens;
    while let [first, behind @ ..] = rest {
        match first {
            Token::Separator => rest = behind,
            Token::Background => return None,
            _ => {
                let end = part_end(rest)?;
                let (part, behind) = rest.split_at_checked(end)?;
                parts.push(one_part(part));
                rest = behind;
            }
        }
    }
    Some(parts)
}

/// How many tokens belong to the part that begins here; `None` when it is not closed.
fn part_end(tokens: &[Token]) -> Option<usize> {
    let mut open: Vec<&str> = Vec::new();
    let mut may_begin = true;
    for (at, token) in tokens.iter().enumerate() {
        match token {
            Token::Separator | Token::Background if open.is_empty() => return Some(at),
            Token::Separator | Token::Background => may_begin = true,
            Token::Open => {
                open.push(")");
                may_begin = true;
            }
            // A pattern of `case` is closed without being opened.
            Token::Close => {
                if open.last() == Some(&")") {
                    open.pop();
                }
                may_begin = true;
            }
            Token::Word(word) => {
                let written = word.written.as_str();
                let closes = COMPOUND.iter().find(|(opens, _)| *opens == written);
                if may_begin && open.last() == Some(&written) {
                    open.pop();
                } else if may_begin && let Some((_, closes)) = closes {
                    open.push(closes);
                    may_begin = BEFORE_COMMAND.contains(&written);
                } else {
                    may_begin = may_begin && BEFORE_COMMAND.contains(&written);
                }
            }
        }
    }
    open.is_empty().then_some(tokens.len())
}

fn one_part(tokens: &[Token]) -> Part {
    let words: Vec<Word> = tokens
        .iter()
        .filter_map(|token| match token {
            Token::Word(word) => Some(word.clone()),
            _ => None,
        })
        .collect();
    let is_simple = words.len() == tokens.len()
        && words.first().is_some_and(|first| {
            let written = first.written.as_str();
            written != "!" && COMPOUND.iter().all(|(opens, _)| *opens != written)
        });
    if is_simple { Part::Simple(words) } else { Part::Compound(first_command(tokens)) }
}

/// The first command inside a compound one that is no test.
fn first_command(tokens: &[Token]) -> Option<Vec<Word>> {
    let mut words: Vec<Word> = Vec::new();
    // What stands behind `for` and `case` up to the body is no command.
    let mut is_head = false;
    for token in tokens.iter().chain(std::iter::once(&Token::Separator)) {
        match token {
            Token::Word(word) if words.is_empty() && !is_head => match word.written.as_str() {
                "for" | "select" | "case" | "function" => is_head = true,
                "if" | "while" | "until" => {}
                written if BEFORE_COMMAND.contains(&written) => {}
                _ => words.push(word.clone()),
            },
            Token::Word(word) if is_head => {
                if matches!(word.written.as_str(), "do" | "{") {
                    is_head = false;
                }
            }
            Token::Word(word) => words.push(word.clone()),
            // `name()` begins a function.
            Token::Open => words.clear(),
            Token::Close if is_head => is_head = false,
            Token::Close | Token::Separator | Token::Background => {
                let command = std::mem::take(&mut words);
                let is_test = command.first().is_some_and(|first| first.written == "[");
                if !command.is_empty() && !is_test {
                    return Some(command);
                }
            }
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn read(text: &str) -> Vec<String> {
        let cwd = AbsPath::new("/w").unwrap();
        reads(text, &cwd).into_iter().map(|file| file.name).collect()
    }

    #[test]
    fn one_part_that_is_no_read_spoils_the_whole() {
        assert_eq!(read("cat a; head -n 3 b && echo x\ntail -2 c"), ["a", "b", "c"]);
        for text in ["cat a b", "cat a; ls", "cat a &", "cat a > b", "FOO=1", "cd x && cat a", ""] {
            assert_eq!(read(text), [""; 0], "{text}");
        }
    }

    #[test]
    fn a_group_stands_for_its_first_command() {
        for text in [
            "(cat a; ls)",
            "{ cat a; }",
            "if [ -f a ]; then cat a; fi",
            "! cat a",
            "(cat a) && true",
        ] {
            assert_eq!(read(text), ["a"], "{text}");
        }
        for text in ["(true; cat a)", "(echo x)", "if true; then cat a; fi", "(cat a"] {
            assert_eq!(read(text), [""; 0], "{text}");
        }
    }

    #[test]
    fn going_to_the_present_directory_first_does_not_count() {
        assert_eq!(read("cd /w && cat a"), ["a"]);
        assert_eq!(read("cd /w/ && cat a"), [""; 0]);
        assert_eq!(
            changes("cd a && cd 'b c'; cd"),
            [Some("a".to_owned()), Some("b c".to_owned()), None]
        );
    }

    #[test]
    fn a_search_must_stand_alone() {
        assert_eq!(read("grep -n x a"), ["a"]);
        assert_eq!(read("(grep x a)"), ["a"]);
        assert_eq!(read("grep x a; cat b"), [""; 0]);
    }
}
