//! How much of an index loads, and what the client says of the rest.

use crate::profile::Profile;
use crate::resolution::IndexCut;

use super::clip::{clipped, units_to_bytes};
use super::visible::visible;
use crate::text::frontmatter::is_space;

/// The part of a trimmed index that loads, and what the client says of the rest.
///
/// Lines count first; of what is left, whole lines go until it fits. Only a
/// first line that is too long itself is cut in its middle.
pub(crate) fn cut<'a>(profile: &Profile, text: &'a str) -> (&'a str, Option<IndexCut>) {
    let lines = count_lines(text);
    let units = text.encode_utf16().count();
    let (too_many, too_long) =
        (lines > profile.memory.index_lines, units > profile.memory.index_units);
    if !too_many && !too_long {
        return (text, None);
    }
    let head = first_lines(text, profile.memory.index_lines);
    let kept = shorten(head, profile.memory.index_units);
    let mut cut = IndexCut {
        lines: too_many.then_some(lines as u64),
        kb: too_long.then(|| kilobytes(units)),
        ..IndexCut::default()
    };
    if profile.memory.tells_lost_lines {
        tell_lines(&mut cut, text, kept, profile.memory.index_units);
    }
    (kept, Some(cut))
}

fn tell_lines(cut: &mut IndexCut, text: &str, kept: &str, limit: usize) {
    let rest = text.strip_prefix(kept).unwrap_or_default();
    let Some(lost) = rest.strip_prefix('\n') else {
        cut.cut_inside_line_1_after = Some(limit as u64);
        return;
    };
    let (total, kept) = (count_lines(text), count_lines(kept));
    cut.total_lines = Some(total as u64);
    cut.cut_lines = Some((total - kept) as u64);
    cut.first_cut_line = Some(kept as u64 + 1);
    let line = lost.split('\n').next().unwrap_or_default().trim_matches(is_space);
    cut.first_cut_text = (!line.is_empty()).then(|| quote(line));
}

/// The first `limit` units at most, cut after a whole line where there is one.
fn shorten(text: &str, limit: usize) -> &str {
    let end = units_to_bytes(text, limit);
    if end == text.len() {
        return text;
    }
    let head = text.get(..end).unwrap_or_default();
    // A line that ends exactly at the limit is still whole.
    if text.get(end..).is_some_and(|rest| rest.starts_with('\n')) {
        return head;
    }
    head.rsplit_once('\n').map_or(head, |(whole, _)| whole)
}

fn first_lines(text: &str, limit: usize) -> &str {
    let end = memchr::memchr_iter(b'\n', text.as_bytes()).nth(limit.saturating_sub(1));
    end.and_then(|end| text.get(..end)).unwrap_or(text)
}

fn count_lines(text: &str) -> usize {
    memchr::memchr_iter(b'\n', text.as_bytes()).count() + 1
}

/// Kilobytes with one decimal, which is left out when it is zero.
fn kilobytes(units: usize) -> String {
    let tenths = (units * 10 + 512) / 1024;
    match tenths % 10 {
        0 => format!("{}", tenths / 10),
        decimal => format!("{}.{decimal}", tenths / 10),
    }
}

/// Longest quotation in UTF-16 units, its `…` included.
const QUOTE: usize = 80;

/// The beginning of a line as the warning quotes it.
fn quote(line: &str) -> String {
    visible(&clipped(line, QUOTE))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parts(text: &str) -> (usize, Option<IndexCut>) {
        let (kept, told) = cut(&Profile::CLAUDE_2_1_332, text);
        (kept.len(), told)
    }

    #[test]
    fn what_fits_stays_whole() {
        let lines = vec!["x"; 200].join("\n");
        assert_eq!(parts(&lines), (lines.len(), None));
        assert_eq!(parts(&"x".repeat(25_000)), (25_000, None));
        assert_eq!(parts(&"あ".repeat(25_000)), (75_000, None));
        assert_eq!(parts(""), (0, None));
    }

    #[test]
    fn lines_go_before_size() {
        let lines = vec!["y".repeat(255); 260].join("\n");
        let (kept, told) = parts(&lines);
        let told = told.unwrap();
        assert_eq!(kept, 97 * 256 - 1);
        assert_eq!((told.lines, told.kb.as_deref()), (Some(260), Some("65")));
        assert_eq!((told.cut_lines, told.first_cut_line), (Some(163), Some(98)));
    }

    #[test]
    fn only_the_first_line_is_cut_in_its_middle() {
        let (kept, told) = parts(&format!("{}\nb", "x".repeat(25_010)));
        assert_eq!((kept, told.unwrap().cut_inside_line_1_after), (25_000, Some(25_000)));
        let (kept, told) = parts(&format!("h\n{}", "x".repeat(30_000)));
        assert_eq!((kept, told.unwrap().first_cut_line), (1, Some(2)));
        // Half an emoji is no character.
        assert_eq!(parts(&format!("x{}", "😀".repeat(12_500))).0, 1 + 4 * 12_499);
    }

    #[test]
    fn a_blank_line_is_not_quoted() {
        let told = parts(&format!("{}\nz", "x\n".repeat(200))).1.unwrap();
        assert_eq!((told.first_cut_line, told.first_cut_text), (Some(201), None));
    }

    #[test]
    fn an_earlier_release_tells_no_lines() {
        let lines = vec!["x"; 201].join("\n");
        let told = cut(&Profile::CLAUDE_2_1_197, &lines).1;
        assert_eq!(told, Some(IndexCut { lines: Some(201), ..IndexCut::default() }));
    }
}
