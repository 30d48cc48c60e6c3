//! Matching of names and paths against wildcards, in bounded time.

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Segment {
    /// `**`: any number of folders.
    Folders,
    /// One name.
    Name(Vec<Token>),
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Token {
    Char(char),
    /// `?`
    One,
    /// `*`
    Many,
    /// `[…]`: characters and ranges.
    Class(Vec<(char, char)>),
    /// `[!…]`: any character but these.
    NotClass(Vec<(char, char)>),
    /// Matches nothing: a bracket that is never closed.
    Never,
}

/// What `**` at the end of a pattern stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum LastFolders {
    /// Any number of names, none too.
    Any,
    /// One name at least.
    NotEmpty,
}

fn holds(ranges: &[(char, char)], c: char) -> bool {
    ranges.iter().any(|(first, last)| (*first..=*last).contains(&c))
}

/// Matches folder by folder; like `*` among characters, `**` is tried again
/// from where it stood last, so that the time is bounded by both lengths.
pub(crate) fn matches_path(segments: &[Segment], names: &[Vec<char>], last: LastFolders) -> bool {
    let needs_more = last == LastFolders::NotEmpty && segments.last() == Some(&Segment::Folders);
    let (mut s, mut n) = (0, 0);
    let mut retry: Option<(usize, usize)> = None;
    loop {
        match (segments.get(s), names.get(n)) {
            (Some(Segment::Folders), _) if !(needs_more && s + 1 == segments.len()) => {
                retry = Some((s + 1, n));
                s += 1;
                continue;
            }
            (Some(Segment::Name(tokens)), Some(name)) if matches_name(tokens, name) => {
                s += 1;
                n += 1;
                continue;
            }
            (Some(Segment::Folders), Some(_)) | (None, None) => return true,
            _ => {}
        }
        match retry {
            Some((from, at)) if at < names.len() => {
                retry = Some((from, at + 1));
                s = from;
                n = at + 1;
            }
            _ => return false,
        }
    }
}

pub(crate) fn matches_name(tokens: &[Token], name: &[char]) -> bool {
    let (mut t, mut n) = (0, 0);
    let mut retry: Option<(usize, usize)> = None;
    // A name of stars alone still needs a character.
    if name.is_empty() {
        return false;
    }
    loop {
        match (tokens.get(t), name.get(n)) {
            (Some(Token::Many), _) => {
                retry = Some((t + 1, n));
                t += 1;
                continue;
            }
            (Some(token), Some(c)) if token.matches(*c) => {
                t += 1;
                n += 1;
                continue;
            }
            (None, None) => return true,
            _ => {}
        }
        match retry {
            Some((from, at)) if at < name.len() => {
                retry = Some((from, at + 1));
                t = from;
                n = at + 1;
            }
            _ => return false,
        }
    }
}

impl Token {
    fn matches(&self, c: char) -> bool {
        match self {
            Self::Char(own) => *own == c,
            Self::One => true,
            Self::Class(ranges) => holds(ranges, c),
            Self::NotClass(ranges) => !holds(ranges, c),
            Self::Many | Self::Never => false,
        }
    }
}
