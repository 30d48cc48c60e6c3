//! How a file's bytes come back out of what was made of them.

use std::fmt::Write as _;

use memchr::memmem;
use serde::{Deserialize, Serialize};
use similar::{Algorithm, capture_diff_slices};

/// Above this many lines, two texts that are not the same are not compared
/// line by line: the source is kept whole.
const MAX_LINES: usize = 20_000;

/// One step of a recipe.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum Step {
    /// These bytes of what was made, from the first to before the second.
    Copy(usize, usize),
    /// A text that was left out.
    Text(String),
    /// Bytes that are no text, as hexadecimal digits.
    Hex(String),
}

/// The steps that make `source` out of `made`.
pub(super) fn recipe(source: &[u8], made: &[u8]) -> Vec<Step> {
    if source == made {
        return vec![Step::Copy(0, made.len())];
    }
    if !made.is_empty()
        && let Some(at) = memmem::find(source, made)
    {
        let (before, rest) = source.split_at(at);
        let after = rest.get(made.len()..).unwrap_or_default();
        let copy = Step::Copy(0, made.len());
        return kept(before).into_iter().chain([copy]).chain(kept(after)).collect();
    }
    let old: Vec<_> = made.split_inclusive(|byte| *byte == b'\n').collect();
    let new: Vec<_> = source.split_inclusive(|byte| *byte == b'\n').collect();
    if old.len() + new.len() > MAX_LINES {
        return kept(source).into_iter().collect();
    }
    let starts = starts(&old);
    let mut steps: Vec<Step> = Vec::new();
    for operation in capture_diff_slices(Algorithm::Myers, &old, &new) {
        let (_, from, to) = operation.as_tag_tuple();
        if matches!(operation, similar::DiffOp::Equal { .. }) {
            let at = |line: usize| starts.get(line).copied().unwrap_or(made.len());
            steps.push(Step::Copy(at(from.start), at(from.end)));
        } else {
            steps.extend(kept(&new.get(to).unwrap_or_default().concat()));
        }
    }
    steps
}

/// The source's bytes; `None` when the recipe does not fit what was made.
pub(super) fn follow(steps: &[Step], made: &[u8]) -> Option<Vec<u8>> {
    let mut source = Vec::new();
    for step in steps {
        match step {
            Step::Copy(from, to) => source.extend_from_slice(made.get(*from..*to)?),
            Step::Text(text) => source.extend_from_slice(text.as_bytes()),
            Step::Hex(digits) => source.extend(bytes_of(digits)?),
        }
    }
    Some(source)
}

/// The source's new bytes after what was made of it was edited.
///
/// `source` are its bytes now, `None` when it is not there; then what was left
/// out at its beginning and end is kept. `None` when the edit cannot be told
/// apart from what was left out.
pub(super) fn carry_edit(steps: &[Step], source: Option<&[u8]>, edited: &[u8]) -> Option<Vec<u8>> {
    let Some(source) = source else { return around(steps, edited) };
    // What is carried of the source, line by line, and where it stands there.
    let mut carried: Vec<&[u8]> = Vec::new();
    let mut places: Vec<usize> = Vec::new();
    let mut at = 0;
    for step in steps {
        let len = match step {
            Step::Copy(from, to) => to.checked_sub(*from)?,
            Step::Text(text) => text.len(),
            Step::Hex(digits) => digits.len() / 2,
        };
        let piece = source.get(at..at + len)?;
        if matches!(step, Step::Copy(..)) {
            let mut start = at;
            for line in piece.split_inclusive(|byte| *byte == b'\n') {
                places.push(start);
                carried.push(line);
                start += line.len();
            }
        }
        at += len;
    }
    let now: Vec<_> = edited.split_inclusive(|byte| *byte == b'\n').collect();
    let mut result = Vec::new();
    let mut done = 0;
    for operation in capture_diff_slices(Algorithm::Myers, &carried, &now) {
        let (_, old, new) = operation.as_tag_tuple();
        if matches!(operation, similar::DiffOp::Equal { .. }) {
            continue;
        }
        let end_of = |line: usize| Some(places.get(line)? + carried.get(line)?.len());
        let from = match (old.start, places.get(old.start)) {
            // Behind the line before, so that what was left out stays below.
            (start, _) if old.is_empty() && start > 0 => end_of(start - 1)?,
            (_, Some(place)) => *place,
            (_, None) => done,
        };
        result.extend_from_slice(source.get(done..from)?);
        result.extend(new.clone().filter_map(|line| now.get(line)).copied().flatten());
        done = from;
        for line in old {
            // What was left out between two lines that go stays.
            result.extend_from_slice(source.get(done..*places.get(line)?)?);
            done = end_of(line)?;
        }
    }
    result.extend_from_slice(source.get(done..)?);
    Some(result)
}

/// What was left out before and behind an edited text, around it.
fn around(steps: &[Step], edited: &[u8]) -> Option<Vec<u8>> {
    let is_copy = |step: &Step| matches!(step, Step::Copy(..));
    let first = steps.iter().position(is_copy)?;
    let last = steps.iter().rposition(is_copy)?;
    let before = follow(steps.get(..first)?, &[])?;
    let after = follow(steps.get(last + 1..)?, &[])?;
    Some([before.as_slice(), edited, after.as_slice()].concat())
}

/// What was left out, if anything.
fn kept(bytes: &[u8]) -> Option<Step> {
    if bytes.is_empty() {
        return None;
    }
    Some(match std::str::from_utf8(bytes) {
        // A lone carriage return or another control character does not survive
        // in a TOML text as it is; the digits do.
        Ok(text) if !text.chars().any(|sign| sign.is_control() && sign != '\n' && sign != '\t') => {
            Step::Text(text.to_owned())
        }
        _ => {
            let mut digits = String::with_capacity(2 * bytes.len());
            for byte in bytes {
                let _ = write!(digits, "{byte:02x}");
            }
            Step::Hex(digits)
        }
    })
}

fn bytes_of(digits: &str) -> Option<Vec<u8>> {
    let pairs = digits.as_bytes().chunks(2);
    pairs.map(|pair| u8::from_str_radix(std::str::from_utf8(pair).ok()?, 16).ok()).collect()
}

fn starts(lines: &[&[u8]]) -> Vec<usize> {
    let next = |at: &mut usize, line: &&[u8]| {
        let start = *at;
        *at += line.len();
        Some(start)
    };
    lines.iter().scan(0, next).collect()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn a_recipe_holds_only_what_was_left_out() {
        let source = b"---\nowner: a\n---\n# Title\n\n<!-- note -->\nText\n";
        let steps = recipe(source, b"# Title\n\nText\n");
        assert_eq!(
            steps,
            [
                Step::Text("---\nowner: a\n---\n".to_owned()),
                Step::Copy(0, 9),
                Step::Text("<!-- note -->\n".to_owned()),
                Step::Copy(9, 14)
            ]
        );
        assert_eq!(recipe(b"a\r\nb", b"a\r\nb"), [Step::Copy(0, 4)]);
        assert_eq!(recipe(b"\r\nb", b"b"), [Step::Hex("0d0a".to_owned()), Step::Copy(0, 1)]);
    }

    #[test]
    fn an_edit_comes_back_into_the_source() {
        let source = b"---\nowner: a\n---\none\n<!-- note -->\ntwo\nthree\n";
        let made = b"one\ntwo\nthree\n";
        let steps = recipe(source, made);
        let back = |source: Option<&[u8]>, edited: &[u8]| {
            String::from_utf8(carry_edit(&steps, source, edited).unwrap()).unwrap()
        };
        assert_eq!(
            back(Some(source), b"one\nTWO\nthree\nfour\n"),
            "---\nowner: a\n---\none\n<!-- note -->\nTWO\nthree\nfour\n"
        );
        assert_eq!(
            back(Some(source), b"zero\none\nthree\n"),
            "---\nowner: a\n---\nzero\none\n<!-- note -->\nthree\n"
        );
        assert_eq!(back(Some(source), made).as_bytes(), source);
        assert_eq!(back(None, b"new\n"), "---\nowner: a\n---\nnew\n");
    }

    proptest! {
        #[test]
        fn following_a_recipe_gives_the_source_back(
            source in "[ab\r\n\u{0}é]{0,20}", made in "[ab\r\n]{0,20}",
        ) {
            let steps = recipe(source.as_bytes(), made.as_bytes());
            prop_assert_eq!(follow(&steps, made.as_bytes()), Some(source.clone().into_bytes()));
            // What was not edited carries nothing.
            let same = carry_edit(&steps, Some(source.as_bytes()), made.as_bytes());
            prop_assert!(same.is_some());
        }

        #[test]
        fn any_bytes_come_back(source in proptest::collection::vec(any::<u8>(), 0..40)) {
            prop_assert_eq!(follow(&recipe(&source, b"x\n"), b"x\n"), Some(source));
        }
    }
}
