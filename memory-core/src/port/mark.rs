//! Parts of a text file that stand between marks.
//!
//! A part looks like this, in the file's own line ends:
//!
//! ```text
//! <!-- memport:begin docs/style.md -->
//! Use tabs.
//! <!-- memport:end docs/style.md -->
//! ```
//!
//! Clients that hide comments do not show the marks; the others show a comment
//! that says where the text comes from. Putting a part in and taking it out
//! again gives the file's bytes back: one empty line parts it from what stands
//! before, and `glued` notes that what stood before had no line end.

use std::collections::HashSet;
use std::fmt::Write as _;
use std::ops::Range;

use memchr::memmem;

const BEGIN: &str = "<!-- memport:begin ";
const END: &str = "<!-- memport:end ";
const CLOSE: &str = " -->";
const GLUED: &str = " glued";

/// A part that was found in a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Part {
    /// Its name.
    pub(super) name: String,
    /// The bytes between the marks, line end of the last line included.
    pub(super) inner: Range<usize>,
    /// Everything that goes when the part goes, the empty line before it included.
    outer: Range<usize>,
}

/// The parts of a file, in their order. What begins and does not end, or ends
/// under another name, is text like any other.
pub(super) fn parts(bytes: &[u8]) -> Vec<Part> {
    memmem::find(bytes, BEGIN.as_bytes())
        .map(|at| Parts { bytes, at: start_of_line(bytes, at) }.collect())
        .unwrap_or_default()
}

/// The part of this name; the first one where a file has several.
///
/// A file of many parts is asked for each of them, so only what begins with the
/// name is read.
pub(super) fn part(bytes: &[u8], name: &str) -> Option<Part> {
    let begin = format!("{BEGIN}{}", encoded(name));
    let whole = |at: &usize| {
        let rest = bytes.get(at + begin.len()..).unwrap_or_default();
        let rest = rest.strip_prefix(GLUED.as_bytes()).unwrap_or(rest);
        rest.starts_with(CLOSE.as_bytes()) && start_of_line(bytes, *at) == *at
    };
    memmem::find_iter(bytes, &begin)
        .filter(whole)
        .filter_map(|at| Parts { bytes, at }.next())
        .find(|part| part.name == name)
        // Somebody wrote the name in another way.
        .or_else(|| parts(bytes).into_iter().find(|part| part.name == name))
}

fn start_of_line(bytes: &[u8], at: usize) -> usize {
    let before = bytes.get(..at).unwrap_or_default();
    memchr::memrchr(b'\n', before).map_or(0, |newline| newline + 1)
}

/// The parts from the start of a line on.
struct Parts<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl Iterator for Parts<'_> {
    type Item = Part;

    fn next(&mut self) -> Option<Part> {
        let mut open: Option<(String, usize, usize, bool)> = None;
        let rest = self.bytes.get(self.at..).unwrap_or_default();
        for line in rest.split_inclusive(|byte| *byte == b'\n') {
            let start = self.at;
            self.at += line.len();
            let Some(text) =
                std::str::from_utf8(line).ok().map(|line| line.trim_end_matches(['\r', '\n']))
            else {
                continue;
            };
            if let Some(name) = mark(text, BEGIN) {
                let (name, glued) = match name.strip_suffix(GLUED) {
                    Some(name) => (name, true),
                    None => (name, false),
                };
                open = Some((name.to_owned(), start, self.at, glued));
            } else if let Some(name) = mark(text, END)
                && let Some((begun, outer, inner, glued)) = open.take()
                && begun == name
            {
                let before = self.bytes.get(..outer).unwrap_or_default();
                let newline: &[u8] = if line.ends_with(b"\r\n") { b"\r\n" } else { b"\n" };
                let outer = outer - separator(before, newline, glued);
                return Some(Part {
                    name: decoded(name),
                    inner: inner..start,
                    outer: outer..self.at,
                });
            }
        }
        None
    }
}

/// A part whose marks are gone: where its text stands as whole lines, outside
/// of all other parts.
pub(super) fn unmarked_part(bytes: &[u8], name: &str, text: &[u8]) -> Option<Part> {
    let text = text.strip_suffix(b"\n").unwrap_or(text);
    let text = text.strip_suffix(b"\r").unwrap_or(text);
    if text.trim_ascii().is_empty() {
        return None;
    }
    let others = parts(bytes);
    memmem::find_iter(bytes, text).find_map(|start| {
        let before = bytes.get(..start)?;
        let after = bytes.get(start + text.len()..)?;
        let newline = match after {
            [] => 0,
            [b'\n', ..] => 1,
            [b'\r', b'\n', ..] => 2,
            _ => return None,
        };
        let end = start + text.len() + newline;
        let is_line = before.is_empty() || before.ends_with(b"\n");
        let is_apart =
            others.iter().all(|other| end <= other.outer.start || other.outer.end <= start);
        (is_line && is_apart).then(|| {
            let ends = self::newline(bytes);
            let outer = start - separator(before, ends.as_bytes(), false);
            Part { name: name.to_owned(), inner: start..end, outer: outer..end }
        })
    })
}

/// How many of the last bytes before a part belong to it, when its lines end so.
fn separator(before: &[u8], newline: &[u8], glued: bool) -> usize {
    let Some(rest) = before.strip_suffix(newline) else { return 0 };
    if glued && rest.ends_with(newline) {
        return 2 * newline.len();
    }
    // Only an empty line is the part's own; the end of a line is not.
    let is_empty_line = rest.is_empty() || rest.ends_with(b"\n");
    if glued || is_empty_line { newline.len() } else { 0 }
}

fn mark<'a>(line: &'a str, sign: &str) -> Option<&'a str> {
    line.strip_prefix(sign)?.strip_suffix(CLOSE)
}

/// A text without lines that are marks: among other marks they would not be the
/// text's any more.
pub(super) fn unmarked(text: String) -> String {
    if !text.contains("<!-- memport:") {
        return text;
    }
    let is_mark = |line: &&str| {
        let line = line.trim_end_matches(['\r', '\n']);
        mark(line, BEGIN).or_else(|| mark(line, END)).is_some()
    };
    text.split_inclusive('\n').filter(|line| !is_mark(line)).collect()
}

/// The file's bytes without these parts.
pub(super) fn without(bytes: &[u8], names: &HashSet<&str>) -> Vec<u8> {
    let mut left = Vec::with_capacity(bytes.len());
    let mut at = 0;
    for part in parts(bytes).iter().filter(|part| names.contains(part.name.as_str())) {
        left.extend_from_slice(bytes.get(at..part.outer.start).unwrap_or_default());
        at = part.outer.end;
    }
    left.extend_from_slice(bytes.get(at..).unwrap_or_default());
    left
}

/// The file's bytes without one part.
pub(super) fn without_part(bytes: &[u8], part: &Part) -> Vec<u8> {
    let (before, after) = (bytes.get(..part.outer.start), bytes.get(part.outer.end..));
    [before.unwrap_or_default(), after.unwrap_or_default()].concat()
}

/// The file's bytes with another text in a part.
pub(super) fn with_text(bytes: &[u8], part: &Part, text: &str) -> Vec<u8> {
    let mut all = bytes.get(..part.inner.start).unwrap_or_default().to_vec();
    all.extend_from_slice(ended(text, newline(bytes)).as_bytes());
    all.extend_from_slice(bytes.get(part.inner.end..).unwrap_or_default());
    all
}

/// The file's bytes with marks around a part that has none, and its text in it.
pub(super) fn marked(bytes: &[u8], part: &Part, text: &str) -> Vec<u8> {
    let mut all = bytes.get(..part.inner.start).unwrap_or_default().to_vec();
    all.extend_from_slice(with_marks(&part.name, "", text, newline(bytes)).as_bytes());
    all.extend_from_slice(bytes.get(part.inner.end..).unwrap_or_default());
    all
}

/// Adds a part at the end of a file.
pub(super) fn append(bytes: &mut Vec<u8>, name: &str, text: &str) {
    let newline = newline(bytes);
    let mut glued = "";
    if !bytes.is_empty() {
        if !bytes.ends_with(b"\n") {
            bytes.extend_from_slice(newline.as_bytes());
            glued = GLUED;
        }
        bytes.extend_from_slice(newline.as_bytes());
    }
    bytes.extend_from_slice(with_marks(name, glued, text, newline).as_bytes());
}

fn with_marks(name: &str, glued: &str, text: &str, newline: &str) -> String {
    let (name, text) = (encoded(name), ended(text, newline));
    format!("{BEGIN}{name}{glued}{CLOSE}{newline}{text}{END}{name}{CLOSE}{newline}")
}

/// Other text of people's own, with the parts of a file that `kept` names behind it.
pub(super) fn rebuilt(own: &[u8], file: &[u8], kept: impl Fn(&str) -> bool) -> Vec<u8> {
    let mut all = own.to_vec();
    for part in parts(file).into_iter().filter(|part| kept(&part.name)) {
        let text = file.get(part.inner).unwrap_or_default();
        append(&mut all, &part.name, &String::from_utf8_lossy(text));
    }
    all
}

/// A text as it stands between marks: its last line has an end.
pub(super) fn ended(text: &str, newline: &str) -> String {
    let end = if text.is_empty() || text.ends_with('\n') { "" } else { newline };
    format!("{text}{end}")
}

/// The line end of a file's first line; that of Unix where it has none.
pub(super) fn newline(bytes: &[u8]) -> &'static str {
    let first = memchr::memchr(b'\n', bytes);
    let before = first.and_then(|at| bytes.get(at.checked_sub(1)?));
    if before == Some(&b'\r') { "\r\n" } else { "\n" }
}

/// A name as it stands in a mark: on one line, and unable to close the comment.
fn encoded(name: &str) -> String {
    let mut out = String::with_capacity(name.len());
    for sign in name.chars() {
        if sign.is_control() || matches!(sign, '%' | '>' | '<') {
            let mut buffer = [0; 4];
            for byte in sign.encode_utf8(&mut buffer).bytes() {
                let _ = write!(out, "%{byte:02X}");
            }
        } else {
            out.push(sign);
        }
    }
    out
}

fn decoded(name: &str) -> String {
    let mut bytes = Vec::with_capacity(name.len());
    let mut rest = name.as_bytes();
    while let [first, tail @ ..] = rest {
        let digits = tail.get(..2).and_then(|two| std::str::from_utf8(two).ok());
        match digits.and_then(|two| u8::from_str_radix(two, 16).ok()) {
            Some(byte) if *first == b'%' => {
                bytes.push(byte);
                rest = tail.get(2..).unwrap_or_default();
            }
            _ => {
                bytes.push(*first);
                rest = tail;
            }
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn names(bytes: &[u8]) -> Vec<String> {
        parts(bytes).into_iter().map(|part| part.name).collect()
    }

    #[test]
    fn a_part_is_found_changed_and_taken_out() {
        let mut file = b"# Mine\n".to_vec();
        append(&mut file, "a.md", "one");
        append(&mut file, "b --> %.md", "two\n");
        let text = String::from_utf8(file.clone()).unwrap();
        assert_eq!(
            text,
            "# Mine\n\n<!-- memport:begin a.md -->\none\n<!-- memport:end a.md -->\n\n\
             <!-- memport:begin b --%3E %25.md -->\ntwo\n<!-- memport:end b --%3E %25.md -->\n"
        );
        assert_eq!(names(&file), ["a.md", "b --> %.md"]);
        let changed = with_text(&file, &parts(&file)[0], "three\nfour");
        let part = &parts(&changed)[0];
        assert_eq!(&changed[part.inner.clone()], b"three\nfour\n");
        assert_eq!(without(&file, &HashSet::from(["a.md", "b --> %.md"])), b"# Mine\n");
    }

    #[test]
    fn marks_that_do_not_pair_are_text() {
        for text in [
            "<!-- memport:begin a -->\nx\n",
            "<!-- memport:end a -->\n",
            "<!-- memport:begin a -->\nx\n<!-- memport:end b -->\n",
            " <!-- memport:begin a -->\nx\n<!-- memport:end a -->\n",
        ] {
            assert!(names(text.as_bytes()).is_empty(), "{text}");
        }
        let twice =
            "<!-- memport:begin a -->\n<!-- memport:begin b -->\nx\n<!-- memport:end b -->\n";
        assert_eq!(names(twice.as_bytes()), ["b"]);
    }

    #[test]
    fn a_part_is_found_by_its_name_however_that_is_written() {
        let text = "<!-- memport:begin a -->\n<!-- memport:begin a.md -->\nx\n\
                    <!-- memport:end a.md -->\n <!-- memport:begin b -->\n\
                    <!-- memport:begin %62 -->\ny\n<!-- memport:end %62 -->\n\
                    <!-- memport:begin a glued -->\nz\n<!-- memport:end a -->\n";
        let inner = |name| part(text.as_bytes(), name).map(|part| &text.as_bytes()[part.inner]);
        assert_eq!(inner("a.md"), Some(&b"x\n"[..]));
        assert_eq!(inner("b"), Some(&b"y\n"[..]));
        assert_eq!(inner("a"), Some(&b"z\n"[..]));
        assert_eq!(inner("c"), None);
    }

    proptest! {
        #[test]
        fn putting_in_and_taking_out_gives_the_bytes_back(
            file in "[a\r\n<!> é-]{0,12}", name in "[a-z%>/ é]{1,6}", text in "[ab\n]{0,6}",
        ) {
            let name = name.trim_end().to_owned() + "x";
            let mut all = file.clone().into_bytes();
            append(&mut all, &name, &text);
            append(&mut all, "other", &text);
            prop_assert_eq!(names(&all), [name.clone(), "other".to_owned()]);
            for found in parts(&all) {
                prop_assert_eq!(part(&all, &found.name), Some(found));
            }
            let first = without(&all, &HashSet::from(["other", &name]));
            prop_assert_eq!(String::from_utf8(first).unwrap(), file);
        }
    }
}
