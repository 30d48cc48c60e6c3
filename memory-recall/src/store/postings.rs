//! Which chunks have a term, in few bytes.
//!
//! Chunks are numbered one after the other; 4,096 of them are a block. The terms of a
//! block lie in 1,024 buckets by the first ten bits of their numbers, one row each:
//!
//! ```text
//! bucket = entry*                     by term
//! entry  = term: 24 bits, len: varint, posting*
//! posting = gap << 1 | counted: varint, count: u8 when counted
//! ```
//!
//! A row is small enough to be written anew when a chunk comes or goes, and a search
//! reads a row per term and block. 34 bits tell terms apart; two that share them are
//! told apart by the texts, which a ranking reads in the end.

use super::{ChunkId, Fact, Posting};

/// Bits of a chunk's number within its block.
const WITHIN_BITS: u32 = 12;

/// Bits of a term's number that name its bucket.
const BUCKET_BITS: u32 = 10;

/// Bits of a term's number that tell it apart within a bucket.
const TERM_BITS: u32 = 24;

/// Bytes of a fact.
const FACT_LEN: usize = 10;

/// A posting in one number that sorts as it is written: bucket, term, chunk, count.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Packed(u64);

impl Packed {
    pub(super) fn new(term: u64, within: u16, count: u8) -> Self {
        let (bucket, rest) = split(term);
        let term = u64::from(bucket) << TERM_BITS | u64::from(rest);
        Self((term << WITHIN_BITS | u64::from(within)) << 8 | u64::from(count))
    }

    pub(super) fn bucket(self) -> u16 {
        low_u16(self.0 >> (8 + WITHIN_BITS + TERM_BITS))
    }

    fn term(self) -> u32 {
        low_u32((self.0 >> (8 + WITHIN_BITS)) & ((1 << TERM_BITS) - 1))
    }

    pub(super) fn within(self) -> u16 {
        low_u16((self.0 >> 8) & ((1 << WITHIN_BITS) - 1))
    }

    fn count(self) -> u8 {
        low_u8(self.0)
    }

    /// Without its count: one chunk has a term once.
    pub(super) fn place(self) -> u64 {
        self.0 >> 8
    }
}

/// The bucket of a term, and what tells it apart there.
pub(super) fn split(term: u64) -> (u16, u32) {
    let bucket = low_u16(term >> (64 - BUCKET_BITS));
    let rest = low_u32((term >> (64 - BUCKET_BITS - TERM_BITS)) & ((1 << TERM_BITS) - 1));
    (bucket, rest)
}

/// The block of a chunk and its place there.
pub(super) fn place(chunk: ChunkId) -> (u32, u16) {
    (chunk >> WITHIN_BITS, low_u16(u64::from(chunk) & ((1 << WITHIN_BITS) - 1)))
}

/// The number of a chunk by its place.
pub(super) fn chunk(block: u32, within: u16) -> ChunkId {
    block << WITHIN_BITS | u32::from(within)
}

/// The number after the last chunk of a block.
pub(super) fn end(block: u32) -> ChunkId {
    (block + 1) << WITHIN_BITS
}

/// The row of a bucket: those of one bucket lie side by side.
pub(super) fn row(bucket: u16, block: u32) -> i64 {
    i64::from(bucket) << 32 | i64::from(block)
}

/// Writes a bucket; `sorted` holds its postings.
pub(super) fn encode(sorted: &[Packed], out: &mut Vec<u8>) {
    let mut postings = Vec::new();
    for entry in sorted.chunk_by(|one, other| one.term() == other.term()) {
        postings.clear();
        let mut next = 0;
        for posting in entry {
            let gap = u64::from(posting.within()) - next;
            next = u64::from(posting.within()) + 1;
            let is_counted = posting.count() > 1;
            write_varint(gap << 1 | u64::from(is_counted), &mut postings);
            if is_counted {
                postings.push(posting.count());
            }
        }
        if let Some(first) = entry.first() {
            out.extend_from_slice(first.term().to_be_bytes().get(1..).unwrap_or_default());
            write_varint(postings.len() as u64, out);
            out.extend_from_slice(&postings);
        }
    }
}

/// Reads a whole bucket; `None` when it is damaged.
pub(super) fn decode(bucket: u16, data: &[u8], out: &mut Vec<Packed>) -> Option<()> {
    let mut rest = data;
    while !rest.is_empty() {
        let (term, postings, after) = entry(rest)?;
        let id =
            (u64::from(bucket) << TERM_BITS | u64::from(term)) << (64 - BUCKET_BITS - TERM_BITS);
        each(postings, &mut |within, count| out.push(Packed::new(id, within, count)))?;
        rest = after;
    }
    Some(())
}

/// Adds the postings of a term in this bucket; `None` when it is damaged.
pub(super) fn find(data: &[u8], wanted: u32, block: u32, out: &mut Vec<Posting>) -> Option<()> {
    let mut rest = data;
    while !rest.is_empty() {
        let (term, postings, after) = entry(rest)?;
        if term == wanted {
            return each(postings, &mut |within, count| {
                out.push(Posting { chunk: chunk(block, within), count });
            });
        }
        if term > wanted {
            return Some(());
        }
        rest = after;
    }
    Some(())
}

fn entry(data: &[u8]) -> Option<(u32, &[u8], &[u8])> {
    let (&[one, two, three], rest) = data.split_first_chunk::<3>()?;
    let (len, rest) = read_varint(rest)?;
    let (postings, after) = rest.split_at_checked(usize::try_from(len).ok()?)?;
    Some((u32::from_be_bytes([0, one, two, three]), postings, after))
}

fn each(postings: &[u8], visit: &mut dyn FnMut(u16, u8)) -> Option<()> {
    let mut rest = postings;
    let mut next = 0;
    while !rest.is_empty() {
        let (value, after) = read_varint(rest)?;
        rest = after;
        let within = next + (value >> 1);
        let count = if value & 1 == 1 {
            let (&count, after) = rest.split_first()?;
            rest = after;
            count
        } else {
            1
        };
        if within >> WITHIN_BITS != 0 {
            return None;
        }
        visit(low_u16(within), count);
        next = within + 1;
    }
    Some(())
}

/// The fact at a place of a block's facts.
pub(super) fn fact(data: &[u8], within: u16) -> Fact {
    let at = usize::from(within) * FACT_LEN;
    let parts = data.get(at..at + FACT_LEN).and_then(|bytes| {
        let (conversation, rest) = bytes.split_first_chunk()?;
        let (seconds, rest) = rest.split_first_chunk()?;
        Some((conversation, seconds, rest.first_chunk()?))
    });
    parts.map_or_else(Fact::default, |(conversation, seconds, len)| Fact {
        conversation: u32::from_le_bytes(*conversation),
        seconds: u32::from_le_bytes(*seconds),
        len: u16::from_le_bytes(*len),
    })
}

/// The latest time of a block's facts.
pub(super) fn latest(data: &[u8]) -> Option<u32> {
    let facts = data.chunks_exact(FACT_LEN).filter_map(|bytes| bytes.get(4..)?.first_chunk());
    facts.map(|seconds| u32::from_le_bytes(*seconds)).filter(|seconds| *seconds > 0).max()
}

/// Notes a fact at its place.
pub(super) fn put_fact(data: &mut Vec<u8>, within: u16, fact: Fact) {
    let at = usize::from(within) * FACT_LEN;
    if data.len() < at + FACT_LEN {
        data.resize(at + FACT_LEN, 0);
    }
    let bytes = fact.conversation.to_le_bytes().into_iter();
    let bytes = bytes.chain(fact.seconds.to_le_bytes()).chain(fact.len.to_le_bytes());
    for (place, byte) in data.iter_mut().skip(at).zip(bytes) {
        *place = byte;
    }
}

fn write_varint(mut value: u64, out: &mut Vec<u8>) {
    while value >= 0x80 {
        out.push(low_u8(value) | 0x80);
        value >>= 7;
    }
    out.push(low_u8(value));
}

fn read_varint(data: &[u8]) -> Option<(u64, &[u8])> {
    let mut value = 0;
    let mut rest = data;
    for shift in [0, 7, 14, 21, 28] {
        let (&byte, after) = rest.split_first()?;
        rest = after;
        value |= u64::from(byte & 0x7f) << shift;
        if byte < 0x80 {
            return Some((value, rest));
        }
    }
    None
}

#[expect(clippy::cast_possible_truncation, reason = "the low bits are meant")]
fn low_u8(value: u64) -> u8 {
    value as u8
}

#[expect(clippy::cast_possible_truncation, reason = "the low bits are meant")]
fn low_u16(value: u64) -> u16 {
    value as u16
}

#[expect(clippy::cast_possible_truncation, reason = "the low bits are meant")]
fn low_u32(value: u64) -> u32 {
    value as u32
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn a_bucket_comes_back_as_it_was_written(
            terms in proptest::collection::btree_map((0u64..40, 0u16..4096), 1u8..=255, 0..200),
        ) {
            let spread = |term: u64| term.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 10;
            let mut all: Vec<Packed> = terms
                .iter()
                .map(|(&(term, within), &count)| Packed::new(spread(term), within, count))
                .collect();
            all.sort_unstable();
            let mut data = Vec::new();
            encode(&all, &mut data);
            let mut back = Vec::new();
            prop_assert_eq!(decode(0, &data, &mut back), Some(()));
            prop_assert_eq!(&back, &all);
            for term in 0..40 {
                let mut found = Vec::new();
                prop_assert_eq!(find(&data, split(spread(term)).1, 3, &mut found), Some(()));
                let wanted: Vec<Posting> = terms
                    .range((term, 0)..=(term, 4095))
                    .map(|(&(_, within), &count)| Posting { chunk: chunk(3, within), count })
                    .collect();
                prop_assert_eq!(found, wanted);
            }
        }

        #[test]
        fn damaged_bytes_are_no_answer_and_no_panic(data in proptest::collection::vec(any::<u8>(), 0..60)) {
            let mut out = Vec::new();
            let _ = decode(0, &data, &mut out);
            let _ = find(&data, 5, 0, &mut Vec::new());
        }
    }

    #[test]
    fn facts_have_their_places() {
        let mut data = Vec::new();
        let fact_of = |n: u32| Fact { conversation: n, seconds: n * 7, len: 9 };
        put_fact(&mut data, 3, fact_of(30));
        put_fact(&mut data, 1, fact_of(10));
        assert_eq!(fact(&data, 3), fact_of(30));
        assert_eq!(fact(&data, 1), fact_of(10));
        assert_eq!(fact(&data, 2), Fact::default());
        assert_eq!(fact(&data, 4000), Fact::default());
    }
}
