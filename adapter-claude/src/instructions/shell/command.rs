//! Which single commands are reads of one file.

use super::words::Word;

/// A file that a command reads.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ReadFile {
    /// Its name, as it is written without quotes.
    pub(crate) name: String,
    /// Whether the name begins with `~/`, and means the home.
    pub(crate) is_in_home: bool,
    /// The first line that the command shows, counted from 1; `None` where it
    /// shows the end.
    pub(crate) first_line: Option<u64>,
}

/// The file that a command reads; `None` when it is no read, or does more.
///
/// A search counts only as the whole of a command line.
pub(super) fn read(words: &[Word], is_alone: bool) -> Option<ReadFile> {
    let words =
        words.get(words.iter().take_while(|word| is_assignment(&word.written)).count()..)?;
    let (name, rest) = words.split_first()?;
    let operands = match name.value.as_str() {
        "cat" => operands(rest, |option, _| matches!(option, "-n" | "--number").then_some(0))?,
        "nl" => operands(rest, |_, _| None)?,
        "head" | "tail" => operands(rest, line_count)?,
        "sed" => return sed(rest),
        "grep" | "egrep" | "fgrep" if is_alone => return searched(&operands(rest, grep)?),
        "rg" if is_alone => return searched(&operands(rest, rg)?),
        _ => return None,
    };
    let [file] = operands.as_slice() else { return None };
    Some(file_of(file, (name.value != "tail").then_some(1)))
}

fn file_of(word: &Word, first_line: Option<u64>) -> ReadFile {
    ReadFile { name: word.value.clone(), is_in_home: word.is_in_home, first_line }
}

/// `NAME=value`.
fn is_assignment(word: &str) -> bool {
    let name = word.split_once('=').map(|(name, _)| name.strip_suffix('+').unwrap_or(name));
    name.is_some_and(|name| {
        name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
            && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
    })
}

/// The words that are no options; `None` when an option is not known.
///
/// `known` says how many of the next words belong to an option, given it and the
/// word behind it.
fn operands(
    words: &[Word],
    known: impl Fn(&str, Option<&str>) -> Option<usize>,
) -> Option<Vec<&Word>> {
    let mut operands = Vec::new();
    let mut rest = words.iter();
    while let Some(word) = rest.next() {
        if !word.value.starts_with('-') {
            operands.push(word);
            continue;
        }
        let next = rest.as_slice().first().map(|word| word.value.as_str());
        if known(&word.value, next)? == 1 {
            rest.next();
        }
    }
    Some(operands)
}

fn is_number(text: &str) -> bool {
    !text.is_empty() && text.chars().all(|c| c.is_ascii_digit())
}

fn is_count(text: &str) -> bool {
    is_number(text) && text.chars().any(|c| c != '0')
}

/// How many lines `head` and `tail` show.
fn line_count(option: &str, next: Option<&str>) -> Option<usize> {
    if matches!(option, "-n" | "--lines") {
        return next.is_some_and(is_count).then_some(1);
    }
    let inline = option
        .strip_prefix("--lines=")
        .or_else(|| option.strip_prefix("-n"))
        .or_else(|| option.strip_prefix('-'))?;
    is_count(inline).then_some(0)
}

/// Lines around what `-A`, `-B` and `-C` find.
fn lines_around(option: &str, next: Option<&str>) -> Option<usize> {
    let inline = ["-A", "-B", "-C"].iter().find_map(|name| option.strip_prefix(name))?;
    match inline {
        "" => next.is_some_and(is_number).then_some(1),
        _ => is_number(inline).then_some(0),
    }
}

/// What stands behind one of the long names for the same: nothing, or `=` and a number.
fn long_lines_around(option: &str) -> Option<&str> {
    let names = ["--after-context", "--before-context", "--context"];
    names.iter().find_map(|name| option.strip_prefix(name))
}

fn is_inline_number(rest: &str) -> bool {
    rest.strip_prefix('=').is_some_and(is_number)
}

fn is_cluster(option: &str, letters: &str) -> bool {
    let given = option.strip_prefix('-').unwrap_or_default();
    !given.is_empty() && given.chars().all(|c| letters.contains(c))
}

fn grep(option: &str, next: Option<&str>) -> Option<usize> {
    const LONG: [&str; 12] = [
        "--line-number",
        "--ignore-case",
        "--word-regexp",
        "--line-regexp",
        "--extended-regexp",
        "--fixed-strings",
        "--perl-regexp",
        "--basic-regexp",
        "--no-filename",
        "--with-filename",
        "--color=never",
        "--color=auto",
    ];
    if is_cluster(option, "nihHwxEFPG") || LONG.contains(&option) {
        return Some(0);
    }
    match long_lines_around(option) {
        Some(rest) => is_inline_number(rest).then_some(0),
        None => lines_around(option, next),
    }
}

fn rg(option: &str, next: Option<&str>) -> Option<usize> {
    const LONG: [&str; 12] = [
        "--line-number",
        "--no-line-number",
        "--ignore-case",
        "--case-sensitive",
        "--smart-case",
        "--word-regexp",
        "--line-regexp",
        "--fixed-strings",
        "--pcre2",
        "--multiline",
        "--with-filename",
        "--no-filename",
    ];
    if is_cluster(option, "nNiSswxFPUH") || LONG.contains(&option) {
        return Some(0);
    }
    match long_lines_around(option) {
        Some("") => next.is_some_and(is_number).then_some(1),
        Some(rest) => is_inline_number(rest).then_some(0),
        None => lines_around(option, next),
    }
}

/// What a search reads: of a pattern and a file, the file.
fn searched(operands: &[&Word]) -> Option<ReadFile> {
    let [_, file] = operands else { return None };
    Some(file_of(file, Some(1)))
}

/// `sed -n 1,5p FILE`.
fn sed(words: &[Word]) -> Option<ReadFile> {
    let mut is_quiet = false;
    let mut are_options_over = false;
    let mut operands = Vec::new();
    for word in words {
        let value = word.value.as_str();
        if are_options_over || !value.starts_with('-') {
            operands.push(word);
        } else if value == "--" {
            are_options_over = true;
        } else if let Some(long) = value.strip_prefix("--") {
            is_quiet |= matches!(long, "quiet" | "silent");
            let name = long.split('=').next().unwrap_or(long);
            if matches!(name, "in-place" | "expression" | "help") {
                return None;
            }
        } else {
            let letters = value.strip_prefix('-').unwrap_or(value);
            is_quiet |= letters.contains('n');
            if letters == "e" || letters.contains(['i', 'f']) {
                return None;
            }
        }
    }
    let [script, file] = operands.as_slice() else { return None };
    let lines = script.value.strip_suffix('p')?;
    let (first, last) = lines.split_once(',').map_or((lines, lines), |lines| lines);
    let first_line = first.parse().ok().filter(|first| *first > 0)?;
    (is_quiet && is_number(first) && is_number(last)).then(|| file_of(file, Some(first_line)))
}

#[cfg(test)]
mod tests {
    use super::super::words::{Token, tokens};
    use super::*;

    fn is_read(line: &str) -> bool {
        let tokens = tokens(line).unwrap();
        let words: Vec<Word> = tokens
            .into_iter()
            .filter_map(|token| match token {
                Token::Word(word) => Some(word),
                _ => None,
            })
            .collect();
        read(&words, true).is_some()
    }

    #[test]
    fn only_known_options_make_a_read() {
        for line in [
            "cat -n a",
            "cat a -n",
            "head -5 a",
            "head -n5 a",
            "tail --lines 5 a",
            "nl a",
            "sed -n 1,5p a",
            "sed --quiet -E 1p a",
            "sed -ne 1p a",
            "sed -n -- 1p a",
            "grep -nA2 x a; ".trim_end_matches("; "),
            "grep -in -A 2 x a",
            "grep --context=2 x a",
            "rg -n x a",
            "rg --context 2 x a",
            "FOO=1 cat a",
        ] {
            assert_eq!(is_read(line), line != "grep -nA2 x a", "{line}");
        }
        for line in [
            "cat -A a",
            "cat -- a",
            "cat a b",
            "head -c 5 a",
            "head -n -5 a",
            "head -0 a",
            "tail +5 a",
            "nl -ba a",
            "sed 1p a",
            "sed -n p a",
            "sed -ni 1p a",
            "sed -n -e 1p a",
            "sed -n 0p a",
            "grep -r x a",
            "grep x",
            "rg -e x a",
            "/bin/cat a",
            "command cat a",
        ] {
            assert!(!is_read(line), "{line}");
        }
    }
}
