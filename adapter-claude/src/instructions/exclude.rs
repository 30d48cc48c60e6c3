//! `claudeMdExcludes`: files that settings keep from loading.

use memory_core::AbsPath;

use crate::rules::wildcard::{LastFolders, Segment, Token, matches_path};
use crate::settings::Settings;

/// The key of the settings.
const KEY: &str = "claudeMdExcludes";

/// How many patterns one entry may stand for once its braces are written out.
const MAX_PATTERNS: usize = 1024;

/// All patterns of all settings.
#[derive(Clone, Debug, Default)]
pub(crate) struct Excludes {
    list: Vec<Exclude>,
}

#[derive(Clone, Debug)]
struct Exclude {
    /// The entry and where it stands, for people.
    name: String,
    negated: bool,
    patterns: Vec<Vec<Segment>>,
}

impl Excludes {
    /// Reads the patterns of all settings.
    pub(crate) fn read(settings: &Settings) -> Self {
        let list = settings.texts(KEY).map(|(layer, text)| {
            let (negated, text) = match text.strip_prefix('!') {
                Some(rest) => (true, rest),
                None => (false, text),
            };
            let name = format!("`{text}` of {}", layer.name(KEY));
            Exclude {
                name,
                negated,
                patterns: braces(text).iter().filter_map(|one| pattern(one)).collect(),
            }
        });
        Self { list: list.collect() }
    }

    /// The entry that excludes a file, or `None` when it may load.
    pub(crate) fn by(&self, path: &AbsPath) -> Option<&str> {
        if self.list.is_empty() {
            return None;
        }
        let names: Vec<Vec<char>> = path.parts().map(|name| name.chars().collect()).collect();
        let matches = |exclude: &&Exclude| {
            let any =
                exclude.patterns.iter().any(|one| matches_path(one, &names, LastFolders::Any));
            any != exclude.negated
        };
        self.list.iter().find(matches).map(|exclude| exclude.name.as_str())
    }
}

/// Reads an absolute pattern; `None` for one that can match no absolute path.
fn pattern(text: &str) -> Option<Vec<Segment>> {
    let (rooted, body) = match text.strip_prefix('/') {
        Some(body) => (true, body),
        None => (false, text),
    };
    let mut segments: Vec<Segment> = Vec::new();
    for part in body.split('/') {
        match part {
            "" => return None,
            "." => {}
            ".." => {
                segments.pop();
            }
            "**" => segments.push(Segment::Folders),
            name => segments.push(Segment::Name(tokens(name))),
        }
    }
    (rooted || segments.first() == Some(&Segment::Folders)).then_some(segments)
}

fn tokens(text: &str) -> Vec<Token> {
    let mut tokens = Vec::new();
    let mut chars = text.chars();
    while let Some(c) = chars.next() {
        tokens.push(match c {
            '\\' => Token::Char(chars.next().unwrap_or(c)),
            '?' => Token::One,
            '*' if tokens.last() == Some(&Token::Many) => continue,
            '*' => Token::Many,
            '[' => match class(chars.as_str()) {
                Some((token, rest)) => {
                    chars = rest.chars();
                    token
                }
                None => Token::Char('['),
            },
            other => Token::Char(other),
        });
    }
    tokens
}

/// The characters of a bracket and what follows it; `None` when it is not closed.
fn class(text: &str) -> Option<(Token, &str)> {
    let (inside, rest) = text.split_once(']')?;
    let (negated, members) = match inside.strip_prefix(['!', '^']) {
        Some(members) => (true, members),
        None => (false, inside),
    };
    let mut ranges = Vec::new();
    let mut chars = members.chars().peekable();
    while let Some(first) = chars.next() {
        let mut ahead = chars.clone();
        match (ahead.next(), ahead.next()) {
            (Some('-'), Some(last)) => {
                chars = ahead;
                ranges.push((first, last));
            }
            _ => ranges.push((first, first)),
        }
    }
    let token = if negated { Token::NotClass(ranges) } else { Token::Class(ranges) };
    Some((token, rest))
}

/// Writes out `{a,b}`, nested ones too.
fn braces(text: &str) -> Vec<String> {
    let mut done = Vec::new();
    let mut open = vec![text.to_owned()];
    while let Some(text) = open.pop() {
        match innermost(&text) {
            Some((before, items, after)) if done.len() + open.len() < MAX_PATTERNS => {
                open.extend(items.split(',').rev().map(|item| format!("{before}{item}{after}")));
            }
            _ => done.push(text),
        }
    }
    done
}

/// The first pair of braces that holds no other and has a comma in it.
fn innermost(text: &str) -> Option<(&str, &str, &str)> {
    let mut from = 0;
    while let Some(close) = text.get(from..)?.find('}').map(|at| from + at) {
        if let Some((before, items)) = text.get(..close)?.rsplit_once('{')
            && items.contains(',')
        {
            return Some((before, items, text.get(close + 1..)?));
        }
        from = close + 1;
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    fn excludes(entry: &str, path: &str) -> bool {
        let (negated, text) = entry.strip_prefix('!').map_or((false, entry), |rest| (true, rest));
        let patterns = braces(text).iter().filter_map(|one| pattern(one)).collect();
        let list = vec![Exclude { name: entry.to_owned(), negated, patterns }];
        Excludes { list }.by(&AbsPath::new(path).unwrap()).is_some()
    }

    #[test]
    fn absolute_and_floating_patterns_exclude() {
        for entry in [
            "/w/p/CLAUDE.md",
            "**/CLAUDE.md",
            "/w/**",
            "/w/p/*",
            "/w/p/CLAUDE.{md,txt}",
            "/w/./p/CLAUDE.md",
            "/w/{p,{q,r}}/CLAUDE.md",
            "**/[C]LAUDE.md",
            "**/C*",
            "/w/p/?LAUDE.md",
            "!/x",
            "/w/p/CLAUDE.md/**",
        ] {
            assert!(excludes(entry, "/w/p/CLAUDE.md"), "{entry}");
        }
    }

    #[test]
    fn other_patterns_do_nothing() {
        for entry in
            ["CLAUDE.md", "./CLAUDE.md", "/w/p", "~/CLAUDE.md", "/w/p/claude.md", "p/*", "/w/*"]
        {
            assert!(!excludes(entry, "/w/p/CLAUDE.md"), "{entry}");
        }
    }

    #[test]
    fn exploding_patterns_answer_fast() {
        assert!(!excludes(&format!("/{}x", "{a,b}".repeat(60)), "/w"));
        assert!(!excludes(&format!("/{}{}", "**/a/".repeat(200), "x"), &"/a".repeat(1000)));
    }
}
