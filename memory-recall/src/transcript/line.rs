//! Lines out of pieces, with their places in the file.

use memchr::memchr_iter;

/// Longest line that is looked at: images and tool output make some of them huge.
const MAX_LINE: usize = 64 << 20;

/// Where a line stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct LinePlace {
    /// Offset of its first byte.
    pub(crate) offset: u64,
    /// Its number, from 1.
    pub(crate) number: u64,
}

/// Puts lines together that come in pieces; a last line without its end is not given.
#[derive(Debug)]
pub(crate) struct Lines {
    partial: Vec<u8>,
    next: LinePlace,
    /// Bytes since the start of the line that is being read.
    taken: u64,
    is_too_long: bool,
}

impl Lines {
    /// Lines of a file from this place on.
    pub(crate) fn new(from: LinePlace) -> Self {
        Self { partial: Vec::new(), next: from, taken: 0, is_too_long: false }
    }

    /// Where the next line will begin that is not complete yet.
    pub(crate) fn next(&self) -> LinePlace {
        self.next
    }

    /// Takes a piece, and gives every line that is complete by it.
    pub(crate) fn feed(&mut self, piece: &[u8], visit: &mut dyn FnMut(LinePlace, &[u8])) {
        let mut start = 0;
        for end in memchr_iter(b'\n', piece) {
            let tail = piece.get(start..end).unwrap_or_default();
            self.taken += tail.len() as u64 + 1;
            if self.is_too_long {
                self.is_too_long = false;
            } else if self.partial.is_empty() {
                visit(self.next, tail);
            } else {
                self.partial.extend_from_slice(tail);
                visit(self.next, &self.partial);
            }
            self.partial.clear();
            self.next.offset += self.taken;
            self.next.number += 1;
            self.taken = 0;
            start = end + 1;
        }
        let rest = piece.get(start..).unwrap_or_default();
        self.taken += rest.len() as u64;
        if self.partial.len() + rest.len() > MAX_LINE {
            self.is_too_long = true;
            self.partial = Vec::new();
        } else if !self.is_too_long {
            self.partial.extend_from_slice(rest);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_whole_however_they_come() {
        let text = b"one\n\ntwo three\nhalf";
        for size in 1..text.len() {
            let mut lines = Lines::new(LinePlace { offset: 10, number: 5 });
            let mut found = Vec::new();
            for piece in text.chunks(size) {
                lines.feed(piece, &mut |place, line| {
                    found.push((place.offset, place.number, line.to_vec()));
                });
            }
            assert_eq!(
                found,
                [(10, 5, b"one".to_vec()), (14, 6, Vec::new()), (15, 7, b"two three".to_vec())]
            );
            assert_eq!(lines.next(), LinePlace { offset: 25, number: 8 });
        }
    }
}
