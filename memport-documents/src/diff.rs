//! Changes of text in the form that `patch` reads.

use std::ops::Range;
use std::str::from_utf8;
use std::time::Duration;

use similar::TextDiff;

/// The longest that is spent on finding a short diff; a longer one serves too.
const PATIENCE: Duration = Duration::from_millis(200);

/// Lines that are shown around a change.
const CONTEXT: usize = 3;

/// The unified diff from one text to another, `None` for a file that is not
/// there; `None` where one of them is no text.
pub(crate) fn diff(path: &str, old: Option<&[u8]>, new: Option<&[u8]>) -> Option<String> {
    let name = |bytes: Option<&[u8]>| if bytes.is_some() { path } else { "/dev/null" };
    let mut text = format!("--- {}\n+++ {}\n", name(old), name(new));
    let old = from_utf8(old.unwrap_or_default()).ok()?;
    let new = from_utf8(new.unwrap_or_default()).ok()?;
    if old.is_empty() || new.is_empty() {
        // There is nothing to compare: the usual case is a new file.
        all(&mut text, "-", old);
        all(&mut text, "+", new);
        return Some(text);
    }
    let start = SameStart::of(old, new);
    let [old, new] = [old, new].map(|text| text.get(start.bytes..).unwrap_or_default());
    let [old, new] = [old, new].map(|text| text.split_inclusive('\n').collect::<Vec<_>>());
    let diff = TextDiff::configure().timeout(PATIENCE).diff_slices(&old, &new);
    for ops in diff.grouped_ops(CONTEXT) {
        let (Some(first), Some(last)) = (ops.first(), ops.last()) else { continue };
        let old_lines = first.old_range().start..last.old_range().end;
        let new_lines = first.new_range().start..last.new_range().end;
        let [old_lines, new_lines] = [old_lines, new_lines].map(|lines| start.number(&lines));
        text.extend(["@@ -", &old_lines, " +", &new_lines, " @@\n"]);
        for change in ops.iter().flat_map(|op| diff.iter_changes(op)) {
            line(&mut text, &change.tag().to_string(), change.value());
        }
    }
    Some(text)
}

/// A hunk of all lines of a text, where it has any.
fn all(text: &mut String, tag: &str, lines: &str) {
    if lines.is_empty() {
        return;
    }
    let all: Vec<&str> = lines.split_inclusive('\n').collect();
    let count = all.len();
    let range = SameStart::default().number(&(0..count));
    match tag {
        "-" => text.extend(["@@ -", &range, " +0,0 @@\n"]),
        _ => text.extend(["@@ -0,0 +", &range, " @@\n"]),
    }
    text.reserve(lines.len() + count);
    for one in all {
        line(text, tag, one);
    }
}

fn line(text: &mut String, tag: &str, line: &str) {
    text.extend([tag, line]);
    if !line.ends_with('\n') {
        text.push_str("\n\\ No newline at end of file\n");
    }
}

/// Whole lines with which both texts begin, but for those shown before a change.
///
/// A line added to the end of a long list is common; comparing all of the list
/// takes longer than everything else.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct SameStart {
    bytes: usize,
    lines: usize,
}

impl SameStart {
    fn of(old: &str, new: &str) -> Self {
        let pairs = old.bytes().zip(new.bytes()).enumerate();
        let same = pairs.take_while(|(_, (old, new))| old == new);
        let ends = same.filter(|(_, (byte, _))| *byte == b'\n').map(|(at, _)| at + 1);
        let ends: Vec<usize> = ends.collect();
        let lines = ends.len().saturating_sub(CONTEXT);
        let last = lines.checked_sub(1).and_then(|last| ends.get(last));
        Self { bytes: last.copied().unwrap_or_default(), lines }
    }

    /// `3,2`: the first of some later lines, counted from 1, and how many they
    /// are; no lines are named by the line before them.
    fn number(self, lines: &Range<usize>) -> String {
        let first = self.lines + lines.start + 1;
        match lines.len() {
            0 => format!("{},0", first - 1),
            1 => first.to_string(),
            count => format!("{first},{count}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn a_new_file_is_all_additions_and_a_lost_line_end_is_seen() {
        insta::assert_snapshot!(diff("/a.md", None, Some("one\n二\n".as_bytes())).unwrap(), @r"
        --- /dev/null
        +++ /a.md
        @@ -0,0 +1,2 @@
        +one
        +二
        ");
        insta::assert_snapshot!(diff("/a.md", Some(b"one\ntwo\n"), Some(b"one\ntwo")).unwrap(), @r"
        --- /a.md
        +++ /a.md
        @@ -1,2 +1,2 @@
         one
        -two
        +two
        \ No newline at end of file
        ");
        assert_eq!(diff("/a", Some(b"\xff"), None), None);
    }

    #[test]
    fn a_line_ends_where_patch_sees_its_end() {
        let of = |old: Option<&str>, new: &str| {
            diff("/a", old.map(str::as_bytes), Some(new.as_bytes())).unwrap()
        };
        let whole = "--- /dev/null\n+++ /a\n@@ -0,0 +1 @@\n+a\rb\n\\ No newline at end of file\n";
        assert_eq!(of(None, "a\rb"), whole);
        let one = "--- /a\n+++ /a\n@@ -1 +1 @@\n-a\rb\n+a\rc\n";
        assert_eq!(of(Some("a\rb\n"), "a\rc\n"), one);
    }

    #[test]
    fn lines_are_numbered_from_the_start_of_the_file() {
        let old = "1\n2\n3\n4\n5\n6\n7\n8\n9\n";
        let new = format!("{old}ten\n");
        insta::assert_snapshot!(diff("/a", Some(old.as_bytes()), Some(new.as_bytes())).unwrap(), @r"
        --- /a
        +++ /a
        @@ -7,3 +7,4 @@
         7
         8
         9
        +ten
        ");
    }

    proptest! {
        #[test]
        fn a_diff_is_the_one_of_the_whole_texts(old in "[ab\n日]{0,40}", new in "[ab\n日]{0,40}") {
            let whole = TextDiff::from_lines(&old, &new);
            let whole = whole.unified_diff().header("/a", "/a").to_string();
            let ours = diff("/a", Some(old.as_bytes()), Some(new.as_bytes())).unwrap();
            let count = |text: &str, tag| text.lines().filter(|line| line.starts_with(tag)).count();
            for tag in ['+', '-'] {
                let names = usize::from(whole.is_empty());
                prop_assert_eq!(count(&ours, tag), count(&whole, tag) + names, "{}{}", ours, whole);
            }
        }
    }
}
