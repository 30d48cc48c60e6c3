//! Text files that hold parts of several origins.
//!
//! A mark is one comment line with the origin's name; the part ends at the next
//! one. What stands above the first mark is the person's own, or the first part
//! where the file is all of parts: a file of one origin has no mark at all.
//!
//! ```text
//! # App
//! <!-- docs/style.md -->
//! Use tabs.
//! <!-- CLAUDE.md -->
//! ## End
//! ```
//!
//! Here the text of `docs/style.md` stands inside of that of `CLAUDE.md`, where
//! that one imports it. In the text of the outer part the inner one's mark holds
//! its place.

use std::collections::{BTreeSet, HashMap, HashSet};
use std::fmt::Write as _;

use super::text::{ended, newline, normal, unix};

const OPEN: &str = "<!-- ";
const CLOSE: &str = " -->";

/// A file as parts.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Sheet {
    /// What stands above all parts and is the person's own.
    pub(super) own: Vec<u8>,
    segments: Vec<Segment>,
    newline: &'static str,
    has_bom: bool,
}

/// What stands between two marks.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Segment {
    name: String,
    /// Whether a mark stands above it.
    is_marked: bool,
    /// Blank lines before and behind, which belong to nobody.
    lead: String,
    body: String,
    trail: String,
}

impl Sheet {
    /// Takes a file apart.
    ///
    /// `is_name` says which comments are marks; `head` names the part that
    /// stands at the top without one, `None` where that is the person's own.
    pub(super) fn read(bytes: &[u8], is_name: impl Fn(&str) -> bool, head: Option<&str>) -> Self {
        let newline = newline(bytes);
        let has_bom = bytes.starts_with("\u{feff}".as_bytes());
        let mut sheet = Self { own: Vec::new(), segments: Vec::new(), newline, has_bom };
        let mut open: Option<(String, bool)> = head.map(|head| (head.to_owned(), false));
        let (mut start, mut at) = (0, 0);
        let close = |sheet: &mut Self, open: &Option<(String, bool)>, bytes: &[u8]| match open {
            None => sheet.own.extend_from_slice(bytes),
            // Above the first mark may be nothing at all.
            Some((_, false)) if bytes.trim_ascii().is_empty() => {}
            Some((name, is_marked)) => {
                sheet.segments.push(Segment::new(
                    name,
                    *is_marked,
                    &String::from_utf8_lossy(bytes),
                ));
            }
        };
        for line in bytes.split_inclusive(|byte| *byte == b'\n') {
            if line.starts_with(OPEN.as_bytes())
                && let Some(name) = std::str::from_utf8(line).ok().and_then(name_of)
                && is_name(&name)
            {
                close(&mut sheet, &open, bytes.get(start..at).unwrap_or_default());
                open = Some((name, true));
                start = at + line.len();
            }
            at += line.len();
        }
        close(&mut sheet, &open, bytes.get(start..).unwrap_or_default());
        sheet
    }

    /// The parts by name, in the order of the file, each text in its normal form
    /// with marks where other parts stand inside of it.
    ///
    /// What stands between two pieces of a part stands inside of it; of several
    /// parts there, none inside of another unless that one goes on behind it.
    pub(super) fn parts(&self) -> Vec<(String, String)> {
        let mut parts: Vec<(String, String)> = Vec::new();
        let mut places: HashMap<&str, usize> = HashMap::new();
        let mut last_of: HashMap<&str, usize> = HashMap::new();
        for (number, segment) in self.segments.iter().enumerate() {
            last_of.insert(&segment.name, number);
        }
        // The parts that go on behind what comes now, the innermost last.
        let mut open: Vec<usize> = Vec::new();
        for (number, segment) in self.segments.iter().enumerate() {
            let name = segment.name.as_str();
            let goes_on = |at: &usize| {
                parts.get(*at).is_some_and(|(known, _): &(String, String)| {
                    last_of.get(known.as_str()).is_some_and(|last| *last >= number)
                })
            };
            open.retain(goes_on);
            let at = match places.get(name) {
                Some(at) => *at,
                None => {
                    if let Some((_, outer)) = open.last().and_then(|at| parts.get_mut(*at)) {
                        outer.push_str(&mark(name));
                        outer.push('\n');
                    }
                    places.insert(name, parts.len());
                    parts.push((name.to_owned(), String::new()));
                    open.push(parts.len() - 1);
                    parts.len() - 1
                }
            };
            if let Some((_, text)) = parts.get_mut(at) {
                for piece in [&segment.lead, &segment.body, &segment.trail] {
                    text.push_str(&unix(piece));
                }
                if !text.is_empty() && !text.ends_with('\n') {
                    text.push('\n');
                }
            }
        }
        let names: HashSet<String> = parts.iter().map(|(name, _)| name.clone()).collect();
        for (_, text) in &mut parts {
            *text = trimmed(text, |name| names.contains(name));
        }
        parts
    }

    /// The text of one part.
    pub(super) fn part(&self, name: &str) -> Option<String> {
        if !self.has(name) {
            return None;
        }
        self.parts().into_iter().find(|(known, _)| known == name).map(|(_, text)| text)
    }

    pub(super) fn has(&self, name: &str) -> bool {
        self.segments.iter().any(|segment| segment.name == name)
    }

    /// The part that stands at the top without a mark.
    pub(super) fn top(&self) -> Option<&str> {
        let first = self.segments.first().filter(|first| !first.is_marked)?;
        Some(&first.name)
    }

    /// The parts that begin twice, as after a merge by hand: nobody but the
    /// person knows which one counts.
    pub(super) fn torn(&self) -> BTreeSet<&str> {
        let pairs = self.segments.iter().zip(self.segments.iter().skip(1));
        let twice = pairs.filter(|(one, next)| one.name == next.name);
        twice.map(|(one, _)| one.name.as_str()).collect()
    }

    /// The file with these texts for its parts.
    ///
    /// `order` says where a new part goes: behind the one before it there. A
    /// part without a text goes. The first part needs no mark where nothing of
    /// the person stands above it, unless `marked` names it; the answer names the
    /// part that has none.
    pub(super) fn with(
        &self,
        texts: &HashMap<String, Option<String>>,
        order: &[String],
        marked: &HashSet<String>,
    ) -> (Vec<u8>, Option<String>) {
        let parts = self.parts();
        let mut names: Vec<String> = parts.iter().map(|(name, _)| name.clone()).collect();
        let mut all: HashMap<String, String> = parts.into_iter().collect();
        let mut rest: Vec<&String> = {
            let order: HashSet<&String> = order.iter().collect();
            texts.keys().filter(|name| !order.contains(name)).collect()
        };
        rest.sort();
        let mut new: Vec<&String> = Vec::new();
        for name in order.iter().chain(rest) {
            match texts.get(name) {
                None => {}
                Some(None) => {
                    all.remove(name);
                }
                Some(Some(text)) => {
                    if all.insert(name.clone(), text.clone()).is_none() {
                        new.push(name);
                    }
                }
            }
        }
        names = placed(&names, &new, order, self.own.is_empty());
        let inner: HashSet<String> = all
            .iter()
            .flat_map(|(name, text)| {
                let marks = text.lines().filter(|line| line.starts_with(OPEN)).filter_map(name_of);
                marks.filter(move |inner| inner != name)
            })
            .collect();
        let outer = |name: &str| inner.contains(name);
        let mut segments: Vec<Segment> = Vec::new();
        let mut done: HashSet<String> = HashSet::new();
        for name in names.iter().filter(|name| !outer(name)).chain(&names) {
            self.spell(name, &all, &mut done, &mut segments);
        }
        self.bytes(&segments, marked)
    }

    /// Puts the text of a part down, with what stands inside of it.
    fn spell(
        &self,
        name: &str,
        all: &HashMap<String, String>,
        done: &mut HashSet<String>,
        segments: &mut Vec<Segment>,
    ) {
        let Some(text) = all.get(name).filter(|_| done.insert(name.to_owned())) else { return };
        let mut old = self.segments.iter().filter(|segment| segment.name == name);
        let mut push = |body: &mut String, segments: &mut Vec<Segment>, is_first: bool| {
            let text = normal(body);
            body.clear();
            if text.is_empty() && !is_first {
                return;
            }
            let known = old.next();
            let blank = |of: fn(&Segment) -> &String| known.map(|old| unix(of(old)).into_owned());
            let (lead, trail) = (blank(|old| &old.lead), blank(|old| &old.trail));
            segments.push(Segment {
                name: name.to_owned(),
                is_marked: known.is_none_or(|old| old.is_marked),
                lead: lead.unwrap_or_default(),
                body: text,
                trail: trail.unwrap_or_default(),
            });
        };
        let (mut body, mut is_first) = (String::new(), true);
        for line in text.lines() {
            let inner =
                name_of(line).filter(|inner| all.contains_key(inner) && !done.contains(inner));
            let Some(inner) = inner else {
                body.push_str(line);
                body.push('\n');
                continue;
            };
            push(&mut body, segments, is_first);
            is_first = false;
            self.spell(&inner, all, done, segments);
        }
        push(&mut body, segments, is_first);
    }

    fn bytes(&self, segments: &[Segment], marked: &HashSet<String>) -> (Vec<u8>, Option<String>) {
        let mut text = String::new();
        let mut top = None;
        let is_own = !self.own.trim_ascii().is_empty();
        for (number, segment) in segments.iter().enumerate() {
            let needs_no_mark = number == 0
                && !is_own
                && !marked.contains(&segment.name)
                && !segment.body.is_empty();
            let was_marked = segment.is_marked && self.has(&segment.name);
            if !needs_no_mark || was_marked {
                text.push_str(&mark(&segment.name));
                text.push('\n');
            } else {
                top = Some(segment.name.clone());
            }
            text.push_str(&segment.lead);
            text.push_str(&segment.body);
            if !segment.body.is_empty() {
                text.push('\n');
            }
            text.push_str(segment.trail.strip_prefix('\n').unwrap_or(&segment.trail));
        }
        let end = if self.newline.is_empty() { "\n" } else { self.newline };
        let mut bytes = self.own.clone();
        if !is_own {
            bytes.clear();
            if self.has_bom && !text.is_empty() {
                bytes.extend_from_slice("\u{feff}".as_bytes());
            }
        } else if !text.is_empty() {
            if !bytes.ends_with(b"\n") {
                bytes.extend_from_slice(end.as_bytes());
            }
            if !bytes.ends_with(b"\n\n") && !bytes.ends_with(b"\n\r\n") {
                bytes.extend_from_slice(end.as_bytes());
            }
        }
        bytes.extend_from_slice(ended(&text, end).as_bytes());
        (bytes, top)
    }

    /// The person's own text without the blank line that parts it from the parts.
    pub(super) fn own_text(&self) -> &[u8] {
        if self.segments.is_empty() {
            return &self.own;
        }
        let own = self.own.strip_suffix(b"\r\n").or_else(|| self.own.strip_suffix(b"\n"));
        own.filter(|own| own.ends_with(b"\n")).unwrap_or(&self.own)
    }
}

impl Segment {
    fn new(name: &str, is_marked: bool, text: &str) -> Self {
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        let mut lead = 0;
        for line in text.split_inclusive('\n').take_while(|line| line.trim().is_empty()) {
            lead += line.len();
        }
        let (lead, rest) = text.split_at_checked(lead).unwrap_or((text, ""));
        let body = rest.trim_end();
        let trail = rest.get(body.len()..).unwrap_or_default();
        Self {
            name: name.to_owned(),
            is_marked,
            lead: lead.to_owned(),
            body: body.to_owned(),
            trail: trail.to_owned(),
        }
    }
}

/// The parts that are there with new ones among them, each behind the one
/// before it in `order`.
fn placed(names: &[String], new: &[&String], order: &[String], may_be_first: bool) -> Vec<String> {
    let known: HashSet<&String> = names.iter().collect();
    let is_new: HashSet<&String> = new.iter().copied().collect();
    let mut behind: HashMap<&String, Vec<&String>> = HashMap::new();
    let mut before: HashMap<&String, Vec<&String>> = HashMap::new();
    let mut unplaced: Vec<&String> = Vec::new();
    let mut last: Option<&String> = None;
    for name in order {
        if known.contains(name) {
            let is_first = names.first() == Some(name);
            if last.is_none() && !unplaced.is_empty() && (may_be_first || !is_first) {
                before.entry(name).or_default().append(&mut unplaced);
            }
            last = Some(name);
        } else if is_new.contains(name) {
            match last {
                Some(last) => behind.entry(last).or_default().push(name),
                None => unplaced.push(name),
            }
        }
    }
    let ordered: HashSet<&String> = order.iter().collect();
    let rest = new.iter().copied().filter(|name| !ordered.contains(name));
    let mut all: Vec<String> = Vec::with_capacity(names.len() + new.len());
    for name in names {
        all.extend(before.remove(name).unwrap_or_default().into_iter().cloned());
        all.push(name.clone());
        all.extend(behind.remove(name).unwrap_or_default().into_iter().cloned());
    }
    all.extend(unplaced.into_iter().chain(rest).cloned());
    all
}

/// A text in its normal form, without blank lines around its marks, and without
/// marks at its end: what follows there stands behind it, not inside of it.
pub(super) fn trimmed(text: &str, is_name: impl Fn(&str) -> bool) -> String {
    let text = normal(text);
    if !text.contains(OPEN) {
        return text;
    }
    let mut kept: Vec<&str> = Vec::new();
    let mut is_behind_mark = false;
    for line in text.lines() {
        let is_mark = name_of(line).is_some_and(|name| is_name(&name));
        if is_mark {
            while kept.last().is_some_and(|line| line.trim().is_empty()) {
                kept.pop();
            }
            if let Some(last) = kept.last_mut() {
                *last = last.trim_end();
            }
        }
        if !(is_behind_mark && line.trim().is_empty()) {
            kept.push(line);
            is_behind_mark = is_mark;
        }
    }
    while let Some(last) = kept.last() {
        let is_mark = name_of(last).is_some_and(|name| is_name(&name));
        if !is_mark && !last.trim().is_empty() {
            break;
        }
        kept.pop();
    }
    normal(&kept.join("\n"))
}

/// The line that marks a part.
pub(super) fn mark(name: &str) -> String {
    format!("{OPEN}{}{CLOSE}", encoded(name))
}

/// The name in a line that may be a mark.
pub(super) fn name_of(line: &str) -> Option<String> {
    let name = line.trim_end().strip_prefix(OPEN)?.strip_suffix(CLOSE)?;
    (!name.is_empty() && !name.starts_with(' ')).then(|| decoded(name))
}

/// A text of which no line can be taken for a mark.
pub(super) fn unmarked(text: &str, is_name: impl Fn(&str) -> bool) -> String {
    if !text.contains(OPEN) {
        return text.to_owned();
    }
    let mut safe = String::with_capacity(text.len());
    for line in text.split_inclusive('\n') {
        match name_of(line).filter(|name| is_name(name)) {
            Some(_) => safe.extend([OPEN, " ", line.strip_prefix(OPEN).unwrap_or_default()]),
            None => safe.push_str(line),
        }
    }
    safe
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

    fn read(text: &str, head: Option<&str>) -> Sheet {
        Sheet::read(text.as_bytes(), |name| name.ends_with(".md"), head)
    }

    fn parts(text: &str, head: Option<&str>) -> Vec<(String, String)> {
        read(text, head).parts()
    }

    fn with(
        text: &str,
        head: Option<&str>,
        texts: &[(&str, Option<&str>)],
        order: &[&str],
    ) -> String {
        let texts = texts.iter().map(|(name, text)| ((*name).to_owned(), text.map(str::to_owned)));
        let order: Vec<String> = order.iter().map(|name| (*name).to_owned()).collect();
        let (bytes, _) = read(text, head).with(&texts.collect(), &order, &HashSet::new());
        String::from_utf8(bytes).unwrap()
    }

    const PAGE: &str = "# App\n<!-- s.md -->\nTabs.\n<!-- c.md -->\n## End\n<!-- r.md -->\nRule.\n";

    #[test]
    fn a_part_ends_at_the_next_mark_and_may_stand_inside_of_another() {
        let want = [("c.md", "# App\n<!-- s.md -->\n## End"), ("s.md", "Tabs."), ("r.md", "Rule.")];
        let want = want.map(|(name, text)| (name.to_owned(), text.to_owned()));
        assert_eq!(parts(PAGE, Some("c.md")), want);
        // Blank lines that a formatter puts there, and other line ends, say nothing.
        let formatted = PAGE.replace("-->\n", "-->\n\n").replace("\n<!--", "\n\n<!--");
        assert_eq!(parts(&formatted, Some("c.md")), want);
        assert_eq!(parts(&PAGE.replace('\n', "\r\n"), Some("c.md")), want);
        let sheet = read(PAGE, None);
        assert_eq!(sheet.own, b"# App\n");
        assert!(!sheet.has("x.md") && sheet.has("c.md") && sheet.top().is_none());
    }

    #[test]
    fn what_is_put_in_reads_well() {
        let texts = [
            ("c.md", Some("# App\n<!-- s.md -->\n## End")),
            ("s.md", Some("Tabs.")),
            ("r.md", Some("Rule.")),
        ];
        assert_eq!(with("", None, &texts, &["c.md", "s.md", "r.md"]), PAGE);
        assert_eq!(with("Mine.", None, &texts[2..], &["r.md"]), "Mine.\n\n<!-- r.md -->\nRule.\n");
        // One origin alone needs no mark.
        assert_eq!(with("", None, &texts[1..2], &["s.md"]), "Tabs.\n");
    }

    #[test]
    fn a_change_leaves_all_else_as_it_is() {
        let formatted = PAGE.replace("-->\n", "-->\n\n");
        let texts = [("s.md", Some("Spaces.")), ("n.md", Some("New."))];
        assert_eq!(
            with(&formatted, Some("c.md"), &texts, &["c.md", "s.md", "n.md", "r.md"]),
            formatted
                .replace("Tabs", "Spaces")
                .replace("## End\n", "## End\n<!-- n.md -->\nNew.\n")
        );
        let gone = [("s.md", None), ("c.md", Some("# App\n## End"))];
        assert_eq!(with(PAGE, Some("c.md"), &gone, &[]), "# App\n## End\n<!-- r.md -->\nRule.\n");
        let crlf = with("Mine.\r\n", None, &[("r.md", Some("a\nb"))], &["r.md"]);
        assert_eq!(crlf, "Mine.\r\n\r\n<!-- r.md -->\r\na\r\nb\r\n");
    }

    #[test]
    fn a_part_that_begins_twice_is_torn() {
        assert!(read(PAGE, Some("c.md")).torn().is_empty());
        let twice = "<!-- a.md -->\nx\n<!-- a.md -->\ny\n";
        assert_eq!(read(twice, None).torn().into_iter().collect::<Vec<_>>(), ["a.md"]);
    }

    #[test]
    fn a_text_that_holds_marks_of_its_own_keeps_its_words() {
        let text = "a\n<!-- r.md -->\nb\n<!-- note -->\n";
        assert_eq!(unmarked(text, |name| name == "r.md"), "a\n<!--  r.md -->\nb\n<!-- note -->\n");
        assert_eq!(name_of("<!--  r.md -->"), None);
        assert_eq!(name_of(&mark("a --> %\n.md")).as_deref(), Some("a --> %\n.md"));
    }

    proptest! {
        #[test]
        fn what_was_put_in_is_read_again(
            own in "[ab\n]{0,8}",
            texts in proptest::collection::vec("[cd]([cd\n]{0,6}[cd])?", 1..5),
        ) {
            let names: Vec<String> = (0..texts.len()).map(|n| format!("{n}.md")).collect();
            let all = names.iter().cloned().zip(texts.iter().cloned().map(Some)).collect();
            let (bytes, top) = read(&own, None).with(&all, &names, &HashSet::new());
            let sheet = Sheet::read(&bytes, |name| name.ends_with(".md"), top.as_deref());
            let found: HashMap<_, _> = sheet.parts().into_iter().collect();
            for (name, text) in names.iter().zip(&texts) {
                prop_assert_eq!(found.get(name).map(String::as_str), Some(text.as_str()));
            }
            // Without its parts the file is what it was.
            let none = names.iter().cloned().map(|name| (name, None)).collect();
            let (left, _) = sheet.with(&none, &[], &HashSet::new());
            prop_assert_eq!(left.trim_ascii(), own.as_bytes().trim_ascii());
        }
    }
}
