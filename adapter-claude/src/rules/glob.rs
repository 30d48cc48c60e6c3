use super::wildcard::{LastFolders, Segment, Token, matches_name, matches_path};

/// Patterns with the meaning they have in a `.gitignore`, upper and lower case alike.
///
/// The last pattern that matches decides; below a folder that matches
/// everything matches.
#[derive(Clone, Debug, Default)]
pub(crate) struct Globs {
    list: Vec<Glob>,
}

/// One pattern.
#[derive(Clone, Debug)]
struct Glob {
    negated: bool,
    /// Only folders match.
    folders_only: bool,
    /// It may begin in any folder.
    floats: bool,
    segments: Vec<Segment>,
}

impl Globs {
    /// Reads patterns; those that can match nothing are left out.
    pub(crate) fn new(patterns: &[String]) -> Self {
        Self { list: patterns.iter().filter_map(|pattern| Glob::new(pattern)).collect() }
    }

    /// Whether no pattern is left.
    pub(crate) fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// Whether a file matches; `path` is relative, `/` between its parts.
    pub(crate) fn matches(&self, path: &str) -> bool {
        let names: Vec<Vec<char>> =
            path.split('/').map(|name| name.chars().map(fold).collect()).collect();
        // Most patterns fail at the first name, whatever follows it.
        if !self.list.iter().any(|glob| !glob.negated && glob.may_match_below(&names)) {
            return false;
        }
        (1..=names.len()).any(|len| {
            let is_folder = len < names.len();
            self.decides(names.get(..len).unwrap_or_default(), is_folder)
        })
    }

    /// Whether this folder or file itself is matched, whatever holds it.
    fn decides(&self, names: &[Vec<char>], is_folder: bool) -> bool {
        self.list
            .iter()
            .rev()
            .find(|glob| glob.matches(names, is_folder))
            .is_some_and(|glob| !glob.negated)
    }
}

impl Glob {
    fn new(pattern: &str) -> Option<Self> {
        let pattern = pattern.strip_prefix('\u{feff}').unwrap_or(pattern);
        if pattern.starts_with('#') || ends_in_open_escape(pattern) {
            return None;
        }
        let (negated, pattern) = match pattern.strip_prefix('!') {
            Some(rest) => (true, rest),
            None => (false, pattern),
        };
        let pattern = without_trailing_space(pattern);
        let (folders_only, body) = match pattern.strip_suffix('/') {
            Some(body) => (true, body),
            None => (false, pattern),
        };
        let (rooted, body) = match body.strip_prefix('/') {
            Some(body) => (true, body),
            None => (false, body),
        };
        if body.is_empty() {
            return None;
        }
        let mut segments: Vec<Segment> = body.split('/').map(segment).collect();
        // Only the first of two at the beginning may stand for no folder.
        if let [Segment::Folders, second @ Segment::Folders, ..] = segments.as_mut_slice() {
            *second = Segment::Name(vec![Token::Many]);
        }
        let floats = !rooted && segments.len() == 1;
        Some(Self { negated, folders_only, floats, segments })
    }

    /// Whether something may match that begins with the first of these names.
    fn may_match_below(&self, names: &[Vec<char>]) -> bool {
        match (self.segments.first(), names.first()) {
            (Some(Segment::Name(tokens)), Some(first)) if !self.floats => {
                matches_name(tokens, first)
            }
            _ => true,
        }
    }

    fn matches(&self, names: &[Vec<char>], is_folder: bool) -> bool {
        if self.folders_only && !is_folder {
            return false;
        }
        if self.floats {
            // Folders above were looked at by themselves.
            let (Some(segment), Some(last)) = (self.segments.first(), names.last()) else {
                return false;
            };
            return match segment {
                Segment::Folders => true,
                Segment::Name(tokens) => matches_name(tokens, last),
            };
        }
        let last = if self.folders_only { LastFolders::Any } else { LastFolders::NotEmpty };
        matches_path(&self.segments, names, last)
    }
}

fn segment(text: &str) -> Segment {
    if text == "**" { Segment::Folders } else { Segment::Name(tokens(text)) }
}

fn tokens(text: &str) -> Vec<Token> {
    let mut tokens = Vec::new();
    let mut chars = text.chars();
    // Where one bracket is not closed, no later one is.
    let mut closes = true;
    while let Some(c) = chars.next() {
        tokens.push(match c {
            '\\' => escaped(chars.next().unwrap_or(c)),
            '?' => Token::One,
            '*' if tokens.last() == Some(&Token::Many) => continue,
            '*' => Token::Many,
            '[' => {
                if let Some((ranges, rest)) = closes.then(|| class(chars.as_str())).flatten() {
                    chars = rest.chars();
                    Token::Class(ranges)
                } else {
                    closes = false;
                    Token::Never
                }
            }
            other => Token::Char(fold(other)),
        });
    }
    tokens
}

/// A character behind a backslash.
///
/// Patterns end up as regular expressions: some letters mean a class there.
fn escaped(c: char) -> Token {
    let digits = vec![('0', '9')];
    let word = vec![('0', '9'), ('a', 'z'), ('_', '_')];
    match c {
        'd' => Token::Class(digits),
        'D' => Token::NotClass(digits),
        'w' => Token::Class(word),
        'W' => Token::NotClass(word),
        's' => Token::Class(vec![(' ', ' '), ('\t', '\r')]),
        'S' => Token::NotClass(vec![(' ', ' '), ('\t', '\r')]),
        'b' | 'B' | 'n' | 'r' | 't' | 'v' | 'f' | '0' => Token::Never,
        other => Token::Char(fold(other)),
    }
}

/// The characters of a bracket and what follows it; `None` when it is not closed.
///
/// `!` and `^` are members like any other; letters count in either case.
fn class(text: &str) -> Option<(Vec<(char, char)>, &str)> {
    let mut members: Vec<(char, bool)> = Vec::new();
    let mut chars = text.chars();
    loop {
        match chars.next()? {
            ']' => break,
            '\\' => members.push((chars.next()?, true)),
            other => members.push((other, false)),
        }
    }
    let mut ranges = Vec::new();
    let mut rest = members.as_slice();
    while let Some(((first, _), after)) = rest.split_first() {
        rest = after;
        if let [('-', false), (last, _), after @ ..] = rest {
            rest = after;
            if first <= last {
                ranges.push((*first, *last));
            }
        } else {
            ranges.push((*first, *first));
        }
    }
    ranges.extend(other_case(&ranges));
    Some((ranges, chars.as_str()))
}

/// The lower-case letters whose upper case lies in one of these ranges.
fn other_case(ranges: &[(char, char)]) -> Vec<(char, char)> {
    let capitals = |(first, last): &(char, char)| {
        let (first, last) = ((*first).max('A'), (*last).min('Z'));
        (first <= last).then(|| (first.to_ascii_lowercase(), last.to_ascii_lowercase()))
    };
    let beyond_ascii = |(first, last): &(char, char)| {
        (first == last && !first.is_ascii()).then(|| (fold(*first), fold(*first)))
    };
    ranges.iter().filter_map(capitals).chain(ranges.iter().filter_map(beyond_ascii)).collect()
}

/// A character in lower case, where that is one character.
pub(crate) fn fold(c: char) -> char {
    if c.is_ascii() {
        return c.to_ascii_lowercase();
    }
    let mut lower = c.to_lowercase();
    match (lower.next(), lower.next()) {
        (Some(one), None) => one,
        _ => c,
    }
}

/// Whether the last character is a backslash that escapes nothing.
fn ends_in_open_escape(pattern: &str) -> bool {
    let slashes = pattern.len() - pattern.trim_end_matches('\\').len();
    slashes % 2 == 1
}

/// Cuts white space at the end, save a blank that a backslash protects.
fn without_trailing_space(pattern: &str) -> &str {
    let cut = pattern.trim_end();
    if ends_in_open_escape(cut) && cut.len() < pattern.len() {
        let protected = pattern.get(cut.len()..).and_then(|rest| rest.chars().next());
        let len = cut.len() + protected.map_or(0, char::len_utf8);
        return pattern.get(..len).unwrap_or(cut);
    }
    cut
}

#[cfg(test)]
mod tests {
    use super::*;

    fn matches(patterns: &[&str], path: &str) -> bool {
        let patterns: Vec<String> = patterns.iter().map(|pattern| (*pattern).to_owned()).collect();
        Globs::new(&patterns).matches(path)
    }

    #[test]
    fn one_pattern() {
        for (pattern, path, want) in [
            ("*.ts", "src/a.ts", true),
            ("src", "lib/src/x.py", true),
            ("src/", "src/a/b", true),
            ("src/", "src", false),
            ("/src", "lib/src/x", false),
            ("src/*", "src/deep/a.ts", true),
            ("src/*", "lib/src/a.ts", false),
            ("src/**/", "src/a.ts", true),
            ("src/*.ts", "src/deep/a.ts", false),
            ("src/**.ts", "src/a.ts", true),
            ("/*.ts", "src/a.ts", false),
            ("src/**/deep/*.ts", "src/deep/a.ts", true),
            ("src/**/deep/*.ts", "src/x/y/deep/a.ts", true),
            ("**/a.ts", "a.ts", true),
            ("**/**/s", "s/a.ts", false),
            ("**/**/s/a.ts", "t/u/s/a.ts", true),
            ("/**/**/s", "s/a.ts", false),
            ("/**/**/s", "t/s/a.ts", true),
            ("**/**/**/a.ts", "s/a.ts", true),
            ("x/**/**/a.ts", "x/a.ts", true),
            ("**/**/", "s/a.ts", true),
            ("lib/**", "lib/x", true),
            ("lib/**", "lib", false),
            ("SRC/**/*.TS", "src/a.ts", true),
            ("[ab].ts", "a.ts", true),
            ("[!b].ts", "a.ts", false),
            ("[^b].ts", "b.ts", true),
            ("[A-C].ts", "b.ts", true),
            ("[a-c]x", "Bx", true),
            ("@(a|b)", "a", false),
            ("./src", "src/a", false),
            ("src//a.ts", "src/a.ts", false),
            ("\\!x.ts", "!x.ts", true),
            ("src/\\*.ts", "src/a.ts", false),
            ("/", "a", false),
            (".", "a", false),
            ("a\\ b", "a b/c", true),
            ("*.ts ", "a.ts", true),
            ("[x", "x", false),
            ("#x", "#x", false),
            ("*", ".hidden", true),
        ] {
            assert_eq!(matches(&[pattern], path), want, "{pattern} {path}");
        }
    }

    #[test]
    fn the_last_match_decides_but_a_matched_folder_holds() {
        assert!(!matches(&["**/*.ts", "!src/a.ts"], "src/a.ts"));
        assert!(matches(&["!src/a.ts", "**/*.ts"], "src/a.ts"));
        assert!(matches(&["src", "!src/a.ts"], "src/a.ts"));
        assert!(!matches(&["!src"], "src/a.ts"));
    }

    #[test]
    fn exploding_patterns_answer_fast() {
        let path = format!("{}b", "a/".repeat(2000));
        assert!(!matches(&["**/a/**/a/**/a/**/a/**/a/**/c"], &path));
        assert!(!matches(&[&format!("{}c", "*a".repeat(200))], &"a".repeat(2000)));
        assert!(!matches(&[&"[".repeat(200_000)], "a"));
    }
}
