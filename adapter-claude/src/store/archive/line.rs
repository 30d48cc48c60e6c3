//! Lines of an index that go and come back.

use super::ledger::Line;
use crate::store::index::{IndexFile, IndexPart};
use crate::store::link;

/// The index without what leads to a file: lines that lead nowhere else go,
/// others lose only that link. Says what stood there.
pub(super) fn without(index: &IndexFile, file: &str) -> (Vec<u8>, Vec<Line>) {
    let stem = file.rsplit('/').next().unwrap_or(file);
    let stem = stem.strip_suffix(".md").unwrap_or(stem);
    let leads_there =
        |target: &str| target == stem || link::local_file(target).as_deref() == Some(file);
    let mut kept = Vec::with_capacity(index.bytes().len());
    let mut gone = Vec::new();
    let mut goes_on = false;
    for line in &index.lines {
        let bytes = index.bytes().get(line.span.range()).unwrap_or_default();
        let text = String::from_utf8_lossy(bytes);
        // What goes on with a line goes with it.
        if goes_on && line.part == IndexPart::Continued {
            gone.push(Line { number: line.number, before: text.into_owned(), after: None });
            continue;
        }
        goes_on = false;
        if line.links.iter().any(|link| leads_there(&link.target))
            && std::str::from_utf8(bytes).is_ok()
        {
            let has_others = line.links.iter().any(|link| !leads_there(&link.target));
            let left = has_others.then(|| without_links(&text, &leads_there)).flatten();
            if let Some(left) = &left {
                kept.extend_from_slice(left.as_bytes());
            } else {
                goes_on = true;
            }
            gone.push(Line { number: line.number, before: text.into_owned(), after: left });
            continue;
        }
        kept.extend_from_slice(bytes);
    }
    (kept, gone)
}

/// The line without the links that lead there, and without the words that only
/// joined them to others; `None` where such a link is not found in its text.
fn without_links(text: &str, leads_there: &dyn Fn(&str) -> bool) -> Option<String> {
    let mut left = text.to_owned();
    let mut is_changed = false;
    let mut from = 0;
    while let Some(open) = left.get(from..).and_then(|rest| rest.find('[')).map(|at| at + from) {
        let Some(end) = link_end(&left, open, leads_there) else {
            from = open + 1;
            continue;
        };
        let (start, end) = joined(&left, open, end);
        left.replace_range(start..end, "");
        is_changed = true;
        from = start;
    }
    is_changed.then_some(left)
}

/// Where a link ends that begins here and leads there.
fn link_end(text: &str, open: usize, leads_there: &dyn Fn(&str) -> bool) -> Option<usize> {
    let rest = text.get(open..)?;
    if let Some(wiki) = rest.strip_prefix("[[") {
        let close = wiki.find("]]")?;
        let target = wiki.get(..close)?.split('|').next().unwrap_or_default();
        return leads_there(target).then_some(open + 2 + close + 2);
    }
    let middle = rest.find("](")?;
    // Another link may begin before this one ends.
    if rest.get(1..middle)?.contains('[') {
        return None;
    }
    let close = rest.get(middle..)?.find(')')? + middle;
    let target = rest.get(middle + 2..close)?.trim();
    leads_there(target).then_some(open + close + 1)
}

/// A link with the words that join it to its neighbour.
fn joined(text: &str, start: usize, end: usize) -> (usize, usize) {
    let behind = text.get(end..).unwrap_or_default();
    let rest = behind.trim_start_matches([' ', ',', '、', ';', '・', '/']);
    let rest = ["and ", "& ", "と", "および", "及び"]
        .iter()
        .find_map(|word| rest.strip_prefix(word))
        .unwrap_or(rest);
    let rest = rest.trim_start();
    if rest.starts_with('[') {
        return (start, text.len() - rest.len());
    }
    let before = text.get(..start).unwrap_or_default();
    let kept = before.trim_end();
    let kept = [" and", " &", "と", "および", "及び"]
        .iter()
        .find_map(|word| kept.strip_suffix(word))
        .unwrap_or(kept);
    let kept = kept.trim_end_matches([' ', ',', '、', ';', '・', '/']);
    if kept.ends_with([')', ']']) { (kept.len(), end) } else { (start, end) }
}

/// The index with lines brought back where they stood.
pub(super) fn brought_back(index: &[u8], lines: &[Line]) -> Vec<u8> {
    let mut all: Vec<Vec<u8>> =
        index.split_inclusive(|byte| *byte == b'\n').map(<[u8]>::to_vec).collect();
    for line in lines {
        let at = usize::try_from(line.number).unwrap_or(usize::MAX).saturating_sub(1);
        if let Some(after) = &line.after {
            let is_it = |found: &Vec<u8>| found == after.as_bytes();
            let place = all.get(at).filter(|found| is_it(found)).map(|_| at);
            if let Some(place) = place.or_else(|| all.iter().position(is_it))
                && let Some(found) = all.get_mut(place)
            {
                *found = line.before.clone().into_bytes();
            }
        } else {
            let at = at.min(all.len());
            // The last line of a file may have no end.
            if let Some(before) = at.checked_sub(1).and_then(|at| all.get_mut(at))
                && !before.ends_with(b"\n")
            {
                before.push(b'\n');
            }
            all.insert(at, line.before.clone().into_bytes());
        }
    }
    let last = all.len().saturating_sub(1);
    let ends = all.into_iter().enumerate().map(|(at, mut line)| {
        if at < last && !line.ends_with(b"\n") {
            line.push(b'\n');
        }
        line
    });
    ends.flatten().collect()
}
