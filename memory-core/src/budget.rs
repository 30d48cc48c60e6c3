//! Sizes and limits.

use std::fmt;

use crate::words::counted;

/// How much text may be loaded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Limit {
    /// UTF-8 bytes.
    Bytes(u64),
    /// UTF-16 code units.
    Utf16(u64),
    /// Lines.
    Lines(u64),
    /// Tokens, counted as the client counts them.
    Tokens(u64),
    /// Columns on a screen: a wide character takes two.
    Columns(u64),
}

impl Limit {
    /// The number alone.
    pub fn count(self) -> u64 {
        match self {
            Self::Bytes(count)
            | Self::Utf16(count)
            | Self::Lines(count)
            | Self::Tokens(count)
            | Self::Columns(count) => count,
        }
    }

    /// The stable name of the unit: `bytes`, `utf16`, `lines`, `tokens`, `columns`.
    pub fn unit(self) -> &'static str {
        match self {
            Self::Bytes(_) => "bytes",
            Self::Utf16(_) => "utf16",
            Self::Lines(_) => "lines",
            Self::Tokens(_) => "tokens",
            Self::Columns(_) => "columns",
        }
    }
}

impl fmt::Display for Limit {
    /// Writes the limit for people: `1 byte`, `32,768 bytes`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Bytes(count) => f.write_str(&counted(*count, "byte")),
            Self::Utf16(count) => f.write_str(&counted(*count, "UTF-16 unit")),
            Self::Lines(count) => f.write_str(&counted(*count, "line")),
            Self::Tokens(count) => f.write_str(&counted(*count, "token")),
            Self::Columns(count) => f.write_str(&counted(*count, "column")),
        }
    }
}

/// A limit and how much of it is used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Budget {
    /// The limit in force.
    pub limit: Limit,
    /// How much of it is used, in the limit's unit.
    pub used: u64,
    /// How much there would be without the limit, in the limit's unit.
    pub wanted: u64,
}

/// The exact size of a text in every unit that some client counts in.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Measure {
    /// UTF-8 bytes on disk.
    pub bytes: u64,
    /// Unicode scalar values; an invalid sequence counts as one U+FFFD.
    pub chars: u64,
    /// UTF-16 code units.
    pub utf16: u64,
    /// Line feeds, and one more when the last line is not empty.
    pub lines: u64,
}

impl Measure {
    /// Measures a text.
    ///
    /// ```
    /// use memory_core::Measure;
    ///
    /// let size = Measure::of("日本\n😀".as_bytes());
    /// assert_eq!((size.bytes, size.chars, size.utf16, size.lines), (11, 4, 5, 2));
    /// ```
    pub fn of(bytes: &[u8]) -> Self {
        let mut meter = Meter::default();
        meter.add(bytes);
        meter.finish()
    }
}

/// Measures a text that arrives in pieces.
///
/// Needs no more memory than one piece; a character may lie across two pieces.
#[derive(Clone, Debug, Default)]
pub struct Meter {
    size: Measure,
    /// Bytes of a character that may go on in the next piece.
    pending: Vec<u8>,
    line_open: bool,
}

impl Meter {
    /// Counts the next piece.
    pub fn add(&mut self, piece: &[u8]) {
        self.size.bytes += piece.len() as u64;
        let Some(last) = piece.last() else { return };
        self.line_open = *last != b'\n';
        self.size.lines += memchr::memchr_iter(b'\n', piece).count() as u64;
        let mut rest = piece;
        while let (false, Some((byte, after))) = (self.pending.is_empty(), rest.split_first()) {
            self.pending.push(*byte);
            rest = after;
            let joined = std::mem::take(&mut self.pending);
            self.scan(&joined);
        }
        self.scan(rest);
    }

    /// The size of all that was added.
    pub fn finish(mut self) -> Measure {
        if !self.pending.is_empty() {
            self.replacement();
        }
        self.size.lines += u64::from(self.line_open);
        self.size
    }

    fn scan(&mut self, bytes: &[u8]) {
        let mut left = bytes.len();
        for chunk in bytes.utf8_chunks() {
            left -= chunk.valid().len() + chunk.invalid().len();
            if chunk.valid().is_ascii() {
                self.size.chars += chunk.valid().len() as u64;
                self.size.utf16 += chunk.valid().len() as u64;
            } else {
                self.size.chars += chunk.valid().chars().count() as u64;
                self.size.utf16 += chunk.valid().encode_utf16().count() as u64;
            }
            match chunk.invalid() {
                [] => {}
                bytes if left == 0 && may_go_on(bytes) => self.pending = bytes.to_vec(),
                _ => self.replacement(),
            }
        }
    }

    fn replacement(&mut self) {
        self.size.chars += 1;
        self.size.utf16 += 1;
    }
}

/// Whether these bytes are the beginning of a character rather than an error.
fn may_go_on(bytes: &[u8]) -> bool {
    std::str::from_utf8(bytes).is_err_and(|error| error.error_len().is_none())
}

/// Estimates how many tokens a text costs.
pub trait TokenEstimate {
    /// The estimate for a text of this size.
    fn estimate(&self, size: &Measure) -> u64;

    /// How it is made, for people: `bytes/4`.
    fn method(&self) -> &'static str;
}

/// Four bytes to a token, rounded up: exact for clients that count so, an
/// estimate for all others.
#[derive(Clone, Copy, Debug, Default)]
pub struct BytesPerToken;

impl TokenEstimate for BytesPerToken {
    fn estimate(&self, size: &Measure) -> u64 {
        size.bytes.div_ceil(4)
    }

    fn method(&self) -> &'static str {
        "bytes/4"
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn a_limit_has_a_number_and_a_unit() {
        let limit = Limit::Utf16(25_000);
        assert_eq!((limit.count(), limit.unit()), (25_000, "utf16"));
        assert_eq!(limit.to_string(), "25,000 UTF-16 units");
        assert_eq!(Limit::Bytes(1).to_string(), "1 byte");
    }

    proptest! {
        #[test]
        fn pieces_measure_like_the_whole(
            bytes in proptest::collection::vec(prop_oneof![any::<u8>(), Just(b'\n'), Just(0xe3), Just(0x81)], 0..60),
            cut in 0..60usize,
        ) {
            let (head, tail) = bytes.split_at(cut.min(bytes.len()));
            let mut meter = Meter::default();
            meter.add(head);
            meter.add(tail);
            let text = String::from_utf8_lossy(&bytes);
            let newlines = memchr::memchr_iter(b'\n', &bytes).count();
            let open = bytes.last().is_some_and(|byte| *byte != b'\n');
            prop_assert_eq!(meter.finish(), Measure {
                bytes: bytes.len() as u64,
                chars: text.chars().count() as u64,
                utf16: text.encode_utf16().count() as u64,
                lines: (newlines + usize::from(open)) as u64,
            });
        }
    }
}
