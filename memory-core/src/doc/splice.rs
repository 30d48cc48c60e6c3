//! Bytes in which some spans are replaced.

use crate::text::Span;

/// Why an edit would change other bytes than those it was made for.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum EditError {
    /// A section was taken from another text than the one that is edited: from
    /// another document, or from this one before it changed.
    #[error("the section `{title}` is not one of this text; take it from the text that is edited")]
    StaleSection {
        /// The title of the section.
        title: String,
    },
    /// No section has this title.
    #[error("there is no section `{title}`; name one that is there")]
    NoSuchSection {
        /// The title.
        title: String,
    },
    /// A key below another one is to be set, and that one holds no keys.
    #[error("`{key}` holds a value and no keys; remove it first, or set it as a whole")]
    NotAMap {
        /// The outer key.
        key: String,
    },
    /// A span does not lie in the text.
    #[error("bytes {} to {} do not lie in a text of {len} bytes; read the text again", span.start, span.end)]
    OutOfRange {
        /// The span.
        span: Span,
        /// How many bytes the text has.
        len: usize,
    },
    /// Two spans that are replaced share bytes.
    #[error("bytes {} to {} are changed twice", span.start, span.end)]
    Overlap {
        /// The span that begins later.
        span: Span,
    },
}

/// The bytes with each span replaced by its text; all others stay.
///
/// The order of the edits does not matter, but for insertions at one place,
/// which follow each other as they are given.
///
/// Errors when a span does not lie in `bytes` or two of them share a byte:
/// spans are of the bytes in which they were found, and of no others.
///
/// ```
/// use memory_core::doc::{Span, splice};
///
/// let edited = splice(b"a b c", [(Span::new(2..3), "x"), (Span::new(0..0), "> ")])?;
/// assert_eq!(edited, b"> a x c");
/// assert!(splice(b"a", [(Span::new(0..2), "")]).is_err());
/// # Ok::<(), memory_core::doc::EditError>(())
/// ```
pub fn splice<T: AsRef<[u8]>>(
    bytes: &[u8],
    edits: impl IntoIterator<Item = (Span, T)>,
) -> Result<Vec<u8>, EditError> {
    let mut edits: Vec<(Span, T)> = edits.into_iter().collect();
    edits.sort_by_key(|(span, _)| (span.start, span.end));
    let mut edited = Vec::with_capacity(bytes.len());
    let mut at = 0;
    for (span, text) in edits {
        if span.start > span.end || span.end > bytes.len() {
            return Err(EditError::OutOfRange { span, len: bytes.len() });
        }
        edited.extend_from_slice(bytes.get(at..span.start).ok_or(EditError::Overlap { span })?);
        edited.extend_from_slice(text.as_ref());
        at = span.end;
    }
    edited.extend(bytes.iter().skip(at));
    Ok(edited)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn spans_that_share_bytes_or_lie_outside_are_refused() {
        let refused = |spans: &[(usize, usize)]| {
            let edits = spans.iter().map(|(start, end)| (Span { start: *start, end: *end }, "x"));
            splice(b"abcdef", edits).unwrap_err()
        };
        let span = Span::new(2..4);
        assert_eq!(refused(&[(2, 4), (1, 3)]), EditError::Overlap { span });
        let span = Span::new(5..7);
        assert_eq!(refused(&[(0, 1), (5, 7)]), EditError::OutOfRange { span, len: 6 });
        let span = Span { start: 3, end: 2 };
        assert_eq!(refused(&[(3, 2)]), EditError::OutOfRange { span, len: 6 });
    }

    proptest! {
        #[test]
        fn bytes_outside_the_spans_stay(
            bytes in proptest::collection::vec(any::<u8>(), 0..60),
            cuts in proptest::collection::vec(0..80_usize, 0..6),
        ) {
            let spans: Vec<Span> = cuts.chunks_exact(2).map(|cut| Span { start: cut[0], end: cut[1] }).collect();
            let edits = spans.iter().map(|span| (*span, "\u{1}new\u{1}"));
            if let Ok(edited) = splice(&bytes, edits) {
                let gone: usize = spans.iter().map(|span| span.len()).sum();
                prop_assert_eq!(edited.len(), bytes.len() - gone + spans.len() * 5);
                let is_kept = |at: &usize| !spans.iter().any(|span| span.range().contains(at));
                let kept: Vec<u8> = (0..bytes.len()).filter(is_kept).map(|at| bytes[at]).collect();
                let mut rest = edited.iter();
                prop_assert!(kept.iter().all(|byte| rest.any(|other| other == byte)));
            } else {
                let is_inside = |span: &Span| span.start <= span.end && span.end <= bytes.len();
                let apart = spans.iter().enumerate().all(|(at, a)| {
                    spans.iter().skip(at + 1).all(|b| a.end <= b.start || b.end <= a.start)
                });
                prop_assert!(!(spans.iter().all(is_inside) && apart));
            }
        }
    }
}
