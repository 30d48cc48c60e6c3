//! Two versions of a text made one, by what both were before.

use std::ops::Range;

use similar::{Algorithm, DiffTag, capture_diff_slices};

/// Both versions cannot stand together: the text with both of them between
/// marks, as version control writes it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Unmerged {
    /// The text with the marks.
    pub(super) marked: String,
    /// The line of the base, counted from 1, at which they first differ.
    pub(super) line: u32,
}

/// What replaces lines of the base.
#[derive(Clone)]
struct Hunk<'a> {
    base: Range<usize>,
    lines: Vec<&'a str>,
}

/// The text with the changes of both.
///
/// Changes of neighbouring lines are two changes: only what changes the same
/// line, or puts something else at the same place, is in conflict. All texts
/// have line feeds and no blank lines around them.
pub(super) fn merge(base: &str, one: &str, other: &str) -> Result<String, Unmerged> {
    if one == other || other == base {
        return Ok(one.to_owned());
    }
    if one == base {
        return Ok(other.to_owned());
    }
    let old: Vec<&str> = base.lines().collect();
    let (one, other) = (hunks(&old, one), hunks(&old, other));
    let mut merged: Vec<&str> = Vec::new();
    let mut conflict = None;
    let (mut at, mut a, mut b) = (0, one.as_slice(), other.as_slice());
    loop {
        // What is put between two lines comes before what replaces the second one.
        let next = |hunk: &Hunk<'_>| (hunk.base.start, hunk.base.end);
        let next = [a.first(), b.first()].into_iter().flatten().map(next).min();
        let Some((start, end)) = next else { break };
        merged.extend(old.get(at..start).unwrap_or_default());
        // Everything that touches the same lines belongs together.
        let mut span = start..start;
        let (mut of_a, mut of_b) = (0, 0);
        loop {
            let joins = |hunk: &Hunk<'_>| {
                let is_first = of_a + of_b == 0;
                is_first && hunk.base == (start..end)
                    || hunk.base.start < span.end
                    || span.is_empty() && !is_first && hunk.base == span
            };
            if a.get(of_a).is_some_and(joins) {
                span.end = span.end.max(a.get(of_a).map_or(0, |hunk| hunk.base.end));
                of_a += 1;
            } else if b.get(of_b).is_some_and(joins) {
                span.end = span.end.max(b.get(of_b).map_or(0, |hunk| hunk.base.end));
                of_b += 1;
            } else {
                break;
            }
        }
        let (of_a, rest_of_a) = a.split_at_checked(of_a).unwrap_or((a, &[]));
        let (of_b, rest_of_b) = b.split_at_checked(of_b).unwrap_or((b, &[]));
        (a, b) = (rest_of_a, rest_of_b);
        let (said, answered) = (applied(&old, &span, of_a), applied(&old, &span, of_b));
        if of_b.is_empty() || said == answered {
            merged.extend(said);
        } else if of_a.is_empty() {
            merged.extend(answered);
        } else {
            conflict.get_or_insert(span.start + 1);
            merged.push("<<<<<<< from");
            merged.extend(said);
            merged.push("||||||| base");
            merged.extend(old.get(span.clone()).unwrap_or_default());
            merged.push("=======");
            merged.extend(answered);
            merged.push(">>>>>>> to");
        }
        at = span.end;
    }
    merged.extend(old.get(at..).unwrap_or_default());
    let text = merged.join("\n");
    match conflict {
        None => Ok(text),
        Some(line) => Err(Unmerged { marked: text, line: u32::try_from(line).unwrap_or(u32::MAX) }),
    }
}

/// Both versions whole, where it is not known what they were before.
pub(super) fn side_by_side(one: &str, other: &str) -> String {
    format!("<<<<<<< from\n{one}\n=======\n{other}\n>>>>>>> to")
}

/// Whether a text still has the marks of a conflict.
pub(super) fn has_marks(text: &str) -> bool {
    text.lines().any(|line| {
        line == "======="
            || ["<<<<<<< ", ">>>>>>> ", "||||||| "].iter().any(|m| line.starts_with(m))
    })
}

fn hunks<'a>(old: &[&'a str], new: &'a str) -> Vec<Hunk<'a>> {
    let new: Vec<&str> = new.lines().collect();
    let (mut before, mut after) = (0, 0);
    let mut hunks = Vec::new();
    for operation in capture_diff_slices(Algorithm::Myers, old, &new) {
        let (tag, from, to) = operation.as_tag_tuple();
        // The library's own place of an insertion is not always the one behind
        // what stands before it.
        let (base, made) = (before..before + from.len(), after..after + to.len());
        (before, after) = (base.end, made.end);
        if tag != DiffTag::Equal {
            hunks.push(Hunk { base, lines: new.get(made).unwrap_or_default().to_vec() });
        }
    }
    hunks
}

/// The lines of a span after some changes in it.
fn applied<'a>(old: &[&'a str], span: &Range<usize>, hunks: &[Hunk<'a>]) -> Vec<&'a str> {
    let mut lines = Vec::new();
    let mut at = span.start;
    for hunk in hunks {
        lines.extend(old.get(at..hunk.base.start).unwrap_or_default());
        lines.extend(&hunk.lines);
        at = hunk.base.end;
    }
    lines.extend(old.get(at..span.end).unwrap_or_default());
    lines
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn edits_of_different_lines_stand_together() {
        let base = "# App\n- a\n- b\n- c\n- d";
        assert_eq!(
            merge(base, "# App\n- A\n- b\n- c\n- d", "# App\n- a\n- b\n- c\n- D"),
            Ok("# App\n- A\n- b\n- c\n- D".to_owned())
        );
        // Neighbours too, and a line that was put before one that was changed.
        assert_eq!(merge("a\nb", "A\nb", "a\nB"), Ok("A\nB".to_owned()));
        assert_eq!(merge("a\nb\nc", "a\nc", "a\nb\nc\nd"), Ok("a\nc\nd".to_owned()));
        assert_eq!(merge("a\nb", "a\nx\nb", "a\nx\nb"), Ok("a\nx\nb".to_owned()));
    }

    #[test]
    fn edits_of_one_line_are_a_conflict_with_its_base() {
        let found = merge("a\nb\nc", "a\nB1\nc", "a\nB2\nc").unwrap_err();
        assert_eq!(found.line, 2);
        assert_eq!(
            found.marked,
            "a\n<<<<<<< from\nB1\n||||||| base\nb\n=======\nB2\n>>>>>>> to\nc"
        );
        assert!(has_marks(&found.marked) && !has_marks("a\n==\n"));
        assert!(merge("a", "a\nx", "a\ny").is_err());
        assert!(merge("a\nb\nc", "a\nc", "a\nB\nc").is_err());
    }

    proptest! {
        #[test]
        fn one_side_alone_is_taken_whole(base in "([abc]\n){0,6}", new in "([abc]\n){0,6}") {
            prop_assert_eq!(merge(base.trim_end(), new.trim_end(), base.trim_end()), Ok(new.trim_end().to_owned()));
            prop_assert_eq!(merge(base.trim_end(), base.trim_end(), new.trim_end()), Ok(new.trim_end().to_owned()));
        }

        #[test]
        fn the_order_of_the_sides_does_not_matter(
            base in "([abc]\n){0,6}", one in "([abcx]\n){0,6}", other in "([abcy]\n){0,6}",
        ) {
            let merge = |one: &str, other: &str| merge(base.trim_end(), one.trim_end(), other.trim_end()).ok();
            prop_assert_eq!(merge(&one, &other), merge(&other, &one));
        }

        #[test]
        fn every_new_line_stands_in_what_is_merged(
            base in "([abc]\n){1,6}", one in "([abcx]\n){1,6}", other in "([abcy]\n){1,6}",
        ) {
            if let Ok(merged) = merge(base.trim_end(), one.trim_end(), other.trim_end()) {
                prop_assert!(merged.matches('x').count() >= one.matches('x').count());
                prop_assert!(merged.matches('y').count() >= other.matches('y').count());
            }
        }
    }
}
