//! Files of which each line counts for itself.

use super::text::{Value, newline};

/// A file as lines.
pub(super) struct Lines<'a> {
    bytes: &'a [u8],
    /// Each line with its key.
    lines: Vec<(&'a [u8], String)>,
}

impl<'a> Lines<'a> {
    pub(super) fn new(bytes: &'a [u8]) -> Self {
        let lines = bytes.split_inclusive(|byte| *byte == b'\n');
        Self { bytes, lines: lines.map(|line| (line, Value::of_bytes(line).key)).collect() }
    }

    pub(super) fn has(&self, key: &str) -> bool {
        self.lines.iter().any(|(_, known)| known == key)
    }

    /// The first line with one of these keys.
    pub(super) fn first_of(&self, keys: &[String]) -> Option<Value> {
        let (line, _) = self.lines.iter().find(|(_, key)| keys.contains(key))?;
        Some(Value::of_bytes(line))
    }

    /// The file with a line in place of an old one, else at its top or its end.
    pub(super) fn with(&self, text: &str, old: Option<&Value>, is_first: bool) -> Vec<u8> {
        let end = newline(self.bytes);
        let line = format!("{text}{end}");
        let mut all = Vec::with_capacity(self.bytes.len() + line.len() + 2);
        if let Some(old) = old {
            let mut is_open = true;
            for (known, key) in &self.lines {
                let is_it = is_open && *key == old.key;
                is_open &= !is_it;
                all.extend_from_slice(if is_it { line.as_bytes() } else { known });
            }
            return all;
        }
        if !is_first {
            all.extend_from_slice(self.bytes);
            if !all.is_empty() && !all.ends_with(b"\n") {
                all.extend_from_slice(end.as_bytes());
            }
            all.extend_from_slice(line.as_bytes());
            return all;
        }
        // What a client reads before the text stays there.
        let top = self.front();
        let (front, rest) = self.lines.split_at_checked(top).unwrap_or((&[], &self.lines));
        all.extend(front.iter().flat_map(|(line, _)| line.iter().copied()));
        all.extend_from_slice(line.as_bytes());
        if rest.iter().any(|(line, _)| !line.trim_ascii().is_empty()) {
            all.extend_from_slice(end.as_bytes());
        }
        all.extend(rest.iter().flat_map(|(line, _)| line.iter().copied()));
        all
    }

    /// The file without a line, and without the blank line that parted it.
    pub(super) fn without(&self, old: &Value) -> Vec<u8> {
        let at = self.lines.iter().position(|(_, key)| *key == old.key);
        let Some(at) = at else { return self.bytes.to_vec() };
        let is_first = self.lines.get(..at).is_none_or(<[_]>::is_empty);
        let next = self.lines.get(at + 1);
        let parts = is_first && next.is_some_and(|(line, _)| line.trim_ascii().is_empty());
        let gone = at..at + 1 + usize::from(parts);
        let left = self.lines.iter().enumerate().filter(|(number, _)| !gone.contains(number));
        left.flat_map(|(_, (line, _))| line.iter().copied()).collect()
    }

    /// Lines of a block of keys at the top, its fences included.
    fn front(&self) -> usize {
        let is_fence = |line: &[u8]| line.trim_ascii() == b"---";
        if !self.lines.first().is_some_and(|(line, _)| is_fence(line)) {
            return 0;
        }
        let end = self.lines.iter().skip(1).position(|(line, _)| is_fence(line));
        end.map_or(0, |end| end + 2)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn with(file: &str, line: &str, old: Option<&str>, is_first: bool) -> String {
        let old = old.map(Value::of);
        let bytes = Lines::new(file.as_bytes()).with(line, old.as_ref(), is_first);
        String::from_utf8(bytes).unwrap()
    }

    #[test]
    fn a_line_goes_to_the_top_to_the_end_or_in_the_place_of_another() {
        assert_eq!(with("", "@A.md", None, true), "@A.md\n");
        assert_eq!(with("Mine.\r\n", "@A.md", None, true), "@A.md\r\n\r\nMine.\r\n");
        assert_eq!(
            with("---\nx: 1\n---\nMine.\n", "@A.md", None, true),
            "---\nx: 1\n---\n@A.md\n\nMine.\n"
        );
        assert_eq!(with("- a", "- b", None, false), "- a\n- b\n");
        assert_eq!(with("- a\n- b\n", "- c", Some("- a"), false), "- c\n- b\n");
    }

    #[test]
    fn taking_a_line_away_leaves_the_others() {
        let without = |file: &str, line: &str| {
            String::from_utf8(Lines::new(file.as_bytes()).without(&Value::of(line))).unwrap()
        };
        assert_eq!(without("@A.md\n\nMine.\n", "@A.md"), "Mine.\n");
        assert_eq!(without("- a\n- b\n- c\n", "- b"), "- a\n- c\n");
        assert!(Lines::new(b"- a\r\n").has(&Value::of("- a").key));
    }
}
