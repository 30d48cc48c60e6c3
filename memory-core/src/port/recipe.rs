//! How a file's bytes come back out of what was made of them.

use std::fmt::Write as _;
use std::ops::Range;

use memchr::memmem;
use serde::{Deserialize, Serialize};
use similar::{Algorithm, DiffTag, capture_diff_slices};

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

/// The steps that make `source` out of `made`; none when both are the same.
pub(super) fn recipe(source: &[u8], made: &[u8]) -> Vec<Step> {
    if source == made {
        return Vec::new();
    }
    if source.is_empty() {
        return vec![Step::Text(String::new())];
    }
    if !made.is_empty()
        && let Some(at) = place_of(made, source)
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
    let texts = |lines: &[&[u8]]| -> Vec<Vec<u8>> {
        lines.iter().map(|line| content(line).to_vec()).collect()
    };
    let mut steps = Steps::default();
    for (tag, from, to) in compared(&texts(&old), &texts(&new)) {
        let lines = new.get(to).unwrap_or_default();
        if tag != DiffTag::Equal {
            for line in lines {
                steps.keep(line);
            }
            continue;
        }
        for (number, source) in from.zip(lines) {
            let (Some(start), Some(made)) = (starts.get(number), old.get(number)) else { continue };
            if made == source {
                steps.copy(*start, made.len());
            } else {
                // The same line with another end.
                let text = content(source);
                steps.copy(*start, text.len());
                steps.keep(source.get(text.len()..).unwrap_or_default());
            }
        }
    }
    steps.done()
}

/// What changed between two lists, in their order.
///
/// The library's own places of an insertion are not always those behind what
/// stands before it, so they are counted here.
fn compared<T: Ord + std::hash::Hash>(
    old: &[T],
    new: &[T],
) -> Vec<(DiffTag, Range<usize>, Range<usize>)> {
    let (mut before, mut after) = (0, 0);
    let operations = capture_diff_slices(Algorithm::Myers, old, new);
    let counted = operations.iter().map(|operation| {
        let (tag, old, new) = operation.as_tag_tuple();
        let (from, to) = (before..before + old.len(), after..after + new.len());
        (before, after) = (from.end, to.end);
        (tag, from, to)
    });
    counted.collect()
}

/// Steps as they come together: neighbours are one.
#[derive(Default)]
struct Steps {
    done: Vec<Step>,
    copy: Range<usize>,
    kept: Vec<u8>,
}

impl Steps {
    fn copy(&mut self, start: usize, len: usize) {
        if len == 0 {
            return;
        }
        if !self.kept.is_empty() || self.copy.end != start {
            self.close();
            self.copy = start..start;
        }
        self.copy.end = start + len;
    }

    fn keep(&mut self, bytes: &[u8]) {
        if !self.copy.is_empty() && !bytes.is_empty() {
            self.close();
        }
        self.kept.extend_from_slice(bytes);
    }

    fn close(&mut self) {
        let copy = std::mem::take(&mut self.copy);
        if !copy.is_empty() {
            self.done.push(Step::Copy(copy.start, copy.end));
        }
        self.done.extend(kept(&std::mem::take(&mut self.kept)));
    }

    fn done(mut self) -> Vec<Step> {
        self.close();
        self.done
    }
}

/// The source's bytes; `None` when the recipe does not fit what was made.
pub(super) fn follow(steps: &[Step], made: &[u8]) -> Option<Vec<u8>> {
    if steps.is_empty() {
        return Some(made.to_vec());
    }
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

/// An edited copy of a source, or of several: how it was made, and what it is now.
pub(super) struct Edited<'a> {
    /// The steps that made the copy out of the first source.
    pub(super) steps: &'a [Step],
    /// What it is now.
    pub(super) now: &'a [u8],
}

/// The sources' new bytes after copies of them were edited.
///
/// `None` when an edit touches what is no source's, when one change goes across
/// two sources, or two edits touch the same place.
pub(super) fn carry_edits(sources: &[&[u8]], copies: &[Edited<'_>]) -> Option<Vec<Vec<u8>>> {
    let mut edits: Vec<Vec<(Range<usize>, Vec<u8>)>> = vec![Vec::new(); sources.len()];
    for copy in copies {
        let made = follow(copy.steps, sources.first()?)?;
        let lines = lines_of_all(copy.steps, &made, sources)?;
        let old: Vec<_> = lines.iter().map(|line| line.text).collect();
        let now: Vec<_> = copy.now.split_inclusive(|byte| *byte == b'\n').collect();
        let new: Vec<_> = now.iter().map(|line| content(line)).collect();
        for (tag, old, new) in compared(&old, &new) {
            if tag == DiffTag::Equal {
                continue;
            }
            let text = now.get(new)?.concat();
            let gone: Option<Vec<_>> =
                lines.get(old.clone())?.iter().map(|line| line.origin.clone()).collect();
            let gone = gone?;
            if let Some(first) = gone.first() {
                let is_one = gone.iter().all(|line| line.source == first.source);
                if !is_one && !text.is_empty() {
                    return None;
                }
                let mut text = Some(text);
                for line in gone {
                    let text = text.take().unwrap_or_default();
                    edits.get_mut(line.source)?.push((line.span, text));
                }
            } else {
                let before = old.start.checked_sub(1).and_then(|line| lines.get(line));
                let before = before.and_then(|line| line.origin.as_ref());
                let after = lines.get(old.start).and_then(|line| line.origin.as_ref());
                let at = before.map(|line| (line.source, line.span.end));
                let (source, at) = at.or(after.map(|line| (line.source, line.span.start)))?;
                edits.get_mut(source)?.push((at..at, text));
            }
        }
    }
    sources.iter().zip(edits).map(|(source, edits)| edited(source, edits)).collect()
}

/// A source after edits of it.
fn edited(source: &[u8], mut edits: Vec<(Range<usize>, Vec<u8>)>) -> Option<Vec<u8>> {
    edits.sort_by_key(|(range, _)| (range.start, range.end));
    let mut result: Vec<u8> = Vec::new();
    let mut done = 0;
    let mut unended = false;
    for (range, text) in edits {
        result.extend_from_slice(source.get(done..range.start)?);
        if range.is_empty() && !text.is_empty() && !result.is_empty() && !result.ends_with(b"\n") {
            // A line behind a last one that has no end.
            result.push(b'\n');
        }
        unended |= !range.is_empty() && range.end == source.len() && !source.ends_with(b"\n");
        result.extend(text);
        done = range.end;
    }
    result.extend_from_slice(source.get(done..)?);
    if unended {
        result.truncate(content(&result).len());
    }
    Some(result)
}

/// A line of a copy.
struct Line<'a> {
    /// Without its end.
    text: &'a [u8],
    /// Where it comes from; `None` for what is no source's.
    origin: Option<Place>,
}

/// Where a line stands.
#[derive(Clone)]
struct Place {
    /// The number of the source.
    source: usize,
    /// Where in it, line end included.
    span: Range<usize>,
    /// The length of the piece that was copied with it.
    run: usize,
}

/// The lines of a copy of several sources, made by these steps of the first.
///
/// Lines that say the same stand in many files; each is that source's which has
/// most of its neighbours too.
fn lines_of_all<'a>(steps: &[Step], made: &'a [u8], sources: &[&[u8]]) -> Option<Vec<Line<'a>>> {
    let mut sources = sources.iter().enumerate();
    let (number, first) = sources.next()?;
    let mut all = lines(steps, made, number, first)?;
    for (number, source) in sources {
        let others = lines(&recipe(made, source), made, number, source)?;
        for (line, other) in all.iter_mut().zip(others) {
            let run = |line: &Line<'_>| line.origin.as_ref().map(|place| place.run);
            if run(&other) > run(line) {
                *line = other;
            }
        }
    }
    Some(all)
}

/// The lines of a copy that was made by these steps out of the source of this
/// number.
fn lines<'a>(
    steps: &[Step],
    made: &'a [u8],
    number: usize,
    source: &[u8],
) -> Option<Vec<Line<'a>>> {
    // The pieces of the copy that are the source's: where, and from where.
    let mut pieces: Vec<(Range<usize>, usize)> = Vec::new();
    if steps.is_empty() {
        pieces.push((0..made.len(), 0));
    }
    let mut at = 0;
    for step in steps {
        let len = match step {
            Step::Copy(from, to) => {
                let len = to.checked_sub(*from)?;
                pieces.push((at..at + len, *from));
                len
            }
            Step::Text(text) => text.len(),
            Step::Hex(digits) => digits.len() / 2,
        };
        at += len;
    }
    let mut pieces = pieces.into_iter().peekable();
    let mut at = 0;
    let mut found = Vec::new();
    for line in made.split_inclusive(|byte| *byte == b'\n') {
        let text = content(line);
        let (start, end) = (at, at + text.len());
        at += line.len();
        while pieces
            .peek()
            .is_some_and(|(piece, _)| piece.end < end || (piece.end <= start && start < end))
        {
            pieces.next();
        }
        let origin = pieces.peek().filter(|(piece, _)| piece.start <= start && end <= piece.end);
        let origin = origin.map(|(piece, from)| {
            let start = from + (start - piece.start);
            let rest = source.get(start + text.len()..).unwrap_or_default();
            let newline = match rest {
                [b'\r', b'\n', ..] => 2,
                [b'\n', ..] => 1,
                _ => 0,
            };
            Place { source: number, span: start..start + text.len() + newline, run: piece.len() }
        });
        found.push(Line { text, origin });
    }
    Some(found)
}

/// Where a text stands in another; most stand at its end, behind a head of their own.
fn place_of(text: &[u8], whole: &[u8]) -> Option<usize> {
    let last = whole.len().checked_sub(text.len())?;
    if whole.ends_with(text) { Some(last) } else { memmem::find(whole, text) }
}

/// A line without its end.
fn content(line: &[u8]) -> &[u8] {
    let line = line.strip_suffix(b"\n").unwrap_or(line);
    line.strip_suffix(b"\r").unwrap_or(line)
}

/// What was left out before and behind an edited text, around it; `None` when
/// the copy was not all of one piece of the source.
pub(super) fn around(steps: &[Step], len: usize, edited: &[u8]) -> Option<Vec<u8>> {
    if steps.is_empty() {
        return Some(edited.to_vec());
    }
    let whole = Step::Copy(0, len);
    let at = steps.iter().position(|step| *step == whole)?;
    let rest = [steps.get(..at)?, steps.get(at + 1..)?];
    if rest.iter().any(|steps| steps.iter().any(|step| matches!(step, Step::Copy(..)))) {
        return None;
    }
    let [before, after] = rest.map(literal);
    Some([before?.as_slice(), edited, after?.as_slice()].concat())
}

fn literal(steps: &[Step]) -> Option<Vec<u8>> {
    if steps.is_empty() { Some(Vec::new()) } else { follow(steps, &[]) }
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
        assert_eq!(recipe(b"a\r\nb", b"a\r\nb"), []);
        assert_eq!(recipe(b"\r\nb", b"b"), [Step::Hex("0d0a".to_owned()), Step::Copy(0, 1)]);
    }

    #[test]
    fn an_edit_comes_back_into_the_source() {
        let source = b"---\nowner: a\n---\none\n<!-- note -->\ntwo\nthree";
        let made = b"Only here:\none\ntwo\nthree\n";
        let steps = recipe(made, source);
        let back = |edited: &[u8]| {
            let edited = [Edited { steps: &steps, now: edited }];
            let carried = carry_edits(&[source], &edited)?;
            Some(String::from_utf8(carried.concat()).unwrap())
        };
        let expect = |text: &str| Some(format!("---\nowner: a\n---\n{text}"));
        assert_eq!(back(made), expect("one\n<!-- note -->\ntwo\nthree"));
        assert_eq!(
            back(b"Only here:\none\nTWO\nthree\nfour\n"),
            expect("one\n<!-- note -->\nTWO\nthree\nfour\n")
        );
        assert_eq!(
            back(b"Only here:\nzero\none\nTHREE\n"),
            expect("zero\none\n<!-- note -->\nTHREE")
        );
        // What the target says itself is not the source's to change.
        assert_eq!(back(b"Everywhere:\none\ntwo\nthree\n"), None);
    }

    #[test]
    fn edits_of_several_copies_come_back_together() {
        let source = b"a\nb\nc\nd\n";
        let (first, second) = (recipe(b"# One\na\nb\n", source), recipe(b"c\nd\n", source));
        let edited = [
            Edited { steps: &first, now: b"# One\nA\nb\n" },
            Edited { steps: &second, now: b"c\nD\n" },
        ];
        assert_eq!(carry_edits(&[source], &edited).unwrap(), [b"A\nb\nc\nD\n"]);
    }

    #[test]
    fn edits_of_a_copy_of_several_files_come_back_into_each() {
        let sources: [&[u8]; 2] =
            [b"- [a](a.md)\n\n- [b](b.md)\n", b"---\nname: a\n---\none\n\ntwo\n\nthree"];
        let made =
            b"For work in `/p`:\n\n- [a](a.md)\n\n- [b](b.md)\n\n# a\n\none\n\ntwo\n\nthree\n";
        let steps = recipe(made, sources[0]);
        let back = |from: &str, to: &str| {
            let now = String::from_utf8_lossy(made).replace(from, to);
            let carried = carry_edits(&sources, &[Edited { steps: &steps, now: now.as_bytes() }])?;
            Some(carried.into_iter().map(|bytes| String::from_utf8(bytes).unwrap()).collect())
        };
        let sources = sources.map(|bytes| String::from_utf8_lossy(bytes).into_owned());
        let expect = |from: &str, to: &str| -> Option<Vec<String>> {
            Some(sources.iter().map(|text| text.replace(from, to)).collect())
        };
        assert_eq!(back("two", "2\n2"), expect("two", "2\n2"));
        assert_eq!(back("two\n\n", ""), expect("two\n\n", ""));
        assert_eq!(back("three", "four"), expect("three", "four"));
        assert_eq!(back("(b.md)", "(b.md) — new"), expect("(b.md)", "(b.md) — new"));
        assert_eq!(back("# a", "# b"), None);
    }

    #[test]
    fn what_stood_around_an_edited_copy_stays_without_the_source() {
        let made = b"one\n";
        let steps = recipe(b"---\nowner: a\n---\none\n", made);
        assert_eq!(around(&steps, 4, b"two\n").unwrap(), b"---\nowner: a\n---\ntwo\n");
        let steps = recipe(b"one\n% note\ntwo\n", b"one\ntwo\n");
        assert_eq!(around(&steps, 8, b"three\n"), None);
    }

    proptest! {
        #[test]
        fn following_a_recipe_gives_the_source_back(
            source in "[ab\r\n\u{0}é]{0,20}", made in "[ab\r\n]{0,20}",
        ) {
            let back = recipe(source.as_bytes(), made.as_bytes());
            prop_assert_eq!(follow(&back, made.as_bytes()), Some(source.clone().into_bytes()));
            // What was not edited changes nothing.
            let steps = recipe(made.as_bytes(), source.as_bytes());
            let same = [Edited { steps: &steps, now: made.as_bytes() }];
            let carried = carry_edits(&[source.as_bytes()], &same);
            prop_assert_eq!(carried, Some(vec![source.into_bytes()]));
        }

        #[test]
        fn an_edit_of_a_true_copy_is_the_edit(
            source in "([abc]{0,2}\n){0,8}", edited in "([abc]{0,2}\n){1,8}",
        ) {
            let copy = [Edited { steps: &[], now: edited.as_bytes() }];
            let carried = carry_edits(&[source.as_bytes()], &copy);
            prop_assume!(!source.is_empty());
            prop_assert_eq!(carried, Some(vec![edited.into_bytes()]));
        }

        #[test]
        fn any_bytes_come_back(source in proptest::collection::vec(any::<u8>(), 0..40)) {
            prop_assert_eq!(follow(&recipe(&source, b"x\n"), b"x\n"), Some(source));
        }
    }
}
