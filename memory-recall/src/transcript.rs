//! Session files of the clients, cut into questions with their answers.
//!
//! Neither client's file is a list of messages: the text of a person is a small part
//! of the lines that say `user`, and most text stands there several times. A reader
//! goes by the type of a record, keeps what it knows to be conversation, passes over
//! the rest, and never fails on a line.

use serde::{Deserialize, Serialize};

pub(crate) mod claude;
pub(crate) mod codex;
pub(crate) mod line;

use line::LinePlace;

/// The client that wrote a transcript.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Agent {
    /// Claude Code.
    ClaudeCode,
    /// Codex.
    Codex,
}

impl Agent {
    /// The name in documents: `claude-code`, `codex`.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::ClaudeCode => "claude-code",
            Self::Codex => "codex",
        }
    }

    /// The agent with this name; `claude` is short for `claude-code`.
    pub fn from_name(name: &str) -> Option<Self> {
        match name {
            "claude-code" | "claude" => Some(Self::ClaudeCode),
            "codex" => Some(Self::Codex),
            _ => None,
        }
    }
}

/// What a question is, whichever file of whichever machine it is read from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct TurnKey(pub i64);

impl TurnKey {
    /// The key of what these parts name.
    pub(crate) fn of(parts: &[&str]) -> Self {
        let mut hash: u64 = 0xcbf2_9ce4_8422_2325;
        for part in parts {
            for byte in part.bytes().chain([0xff]) {
                hash = (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3);
            }
        }
        hash ^= hash >> 32;
        hash = hash.wrapping_mul(0xff51_afd7_ed55_8ccd);
        hash ^= hash >> 32;
        Self(i64::from_ne_bytes(hash.to_ne_bytes()))
    }
}

/// Milliseconds since 1970, UTC.
pub type Time = i64;

/// A question and everything that was answered to it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Turn {
    /// What question it is.
    pub key: TurnKey,
    /// When it was asked, or `None` where the file does not say.
    pub time: Option<Time>,
    /// The line of the question, from 1.
    pub line: u64,
    /// What was asked, later additions to the same question after blank lines.
    pub question: String,
    /// The answer's texts in order; the last one is final.
    pub answers: Vec<String>,
}

/// What is known of a whole conversation.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Header {
    /// The client's id of it; empty while it is not known.
    pub(crate) session: String,
    /// The directory it was held in.
    pub(crate) project: String,
    /// When the file itself was begun, which a copied head does not tell.
    pub(crate) begun: Option<Time>,
    /// The conversation whose head is copied here, with new ids and times.
    pub(crate) copied_from: Option<String>,
    /// Not a conversation of a person: nothing of it is kept.
    pub(crate) is_sub_agent: bool,
}

/// What a reader says of a line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Event {
    /// A question is complete, as far as it was answered.
    Turn(Turn),
    /// A question was taken back, with what was answered to it.
    Abandoned(TurnKey),
    /// The conversation goes on at a place before where the reading began: only
    /// reading the whole file tells what is left of it.
    NeedsWhole,
}

/// Where a later reading goes on, and what it has to know.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Resume {
    pub(crate) offset: u64,
    pub(crate) line: u64,
    pub(crate) header: Header,
    /// Questions before this place.
    pub(crate) asked: u64,
    /// Whether the head of a copy may still go on.
    pub(crate) in_copy: bool,
}

/// Reads one client's transcript line by line.
pub(crate) trait Reader {
    /// Takes a line.
    fn line(&mut self, place: LinePlace, line: &[u8], events: &mut Vec<Event>);

    /// The question that is still being answered, as far as it is.
    fn open_turn(&self) -> Option<Turn>;

    /// Where to go on when the file has grown; `next` is where the next line begins.
    fn resume(&self, next: LinePlace) -> Resume;

    /// What is known of the conversation.
    fn header(&self) -> &Header;
}

/// A question that is being answered.
#[derive(Clone, Debug)]
struct OpenTurn {
    turn: Turn,
    place: LinePlace,
    /// Questions before this one.
    asked: u64,
}

impl OpenTurn {
    fn is_answered(&self) -> bool {
        !self.turn.answers.is_empty()
    }

    fn finish(self) -> Option<Turn> {
        self.is_answered().then_some(self.turn)
    }
}

/// The milliseconds of an RFC 3339 time.
pub(crate) fn time(text: &str) -> Option<Time> {
    text.parse::<jiff::Timestamp>().ok().map(jiff::Timestamp::as_millisecond)
}

/// A line as JSON: half a character of UTF-16, which clients leave where they cut a
/// text, is replaced.
fn parse<'a, T: Deserialize<'a>>(line: &'a [u8]) -> Option<T> {
    serde_json::from_slice(line).ok()
}

/// A copy of a line without halves of UTF-16 characters, or `None` when there are none.
fn without_lone_surrogates(line: &[u8]) -> Option<Vec<u8>> {
    let mut out = Vec::new();
    let mut rest = line;
    let mut changed = false;
    while let Some(at) = memchr::memchr(b'\\', rest) {
        let (before, from) = rest.split_at(at);
        out.extend_from_slice(before);
        let Some(code) = escape(from) else {
            let (pair, after) = from.split_at(from.len().min(2));
            out.extend_from_slice(pair);
            rest = after;
            continue;
        };
        let (this, after) = from.split_at(6);
        let is_high = (0xd800..0xdc00).contains(&code);
        let low = escape(after).filter(|low| (0xdc00..0xe000).contains(low));
        if is_high && low.is_some() {
            let (low, behind) = after.split_at(6);
            out.extend_from_slice(this);
            out.extend_from_slice(low);
            rest = behind;
        } else if (0xd800..0xe000).contains(&code) {
            out.extend_from_slice(b"\\ufffd");
            changed = true;
            rest = after;
        } else {
            out.extend_from_slice(this);
            rest = after;
        }
    }
    out.extend_from_slice(rest);
    changed.then_some(out)
}

/// The code of `\uXXXX` at the start.
fn escape(text: &[u8]) -> Option<u16> {
    let digits = text.strip_prefix(b"\\u")?.get(..4)?;
    u16::from_str_radix(std::str::from_utf8(digits).ok()?, 16).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn half_a_character_is_replaced_and_nothing_else() {
        let line = br#"{"a":"\ud83d\ude00 \ud83d x\\ud83d \u0041"}"#;
        let mended = without_lone_surrogates(line).unwrap();
        assert_eq!(mended, br#"{"a":"\ud83d\ude00 \ufffd x\\ud83d \u0041"}"#.to_vec());
        assert_eq!(without_lone_surrogates(br#"{"a":"\n\ud83d\ude00"}"#), None);
    }

    #[test]
    fn a_key_depends_on_where_its_parts_end() {
        assert_ne!(TurnKey::of(&["ab", "c"]), TurnKey::of(&["a", "bc"]));
    }
}
