//! The client's own notes on projects, `~/.claude.json`, of which only keys change.

use memory_core::doc::Span;

/// A key and its bytes, quotes included.
pub(super) type Key = (String, Span);

/// The keys below `projects`, with their bytes, quotes included; empty for a
/// text that is no such JSON.
pub(super) fn projects(text: &str) -> Vec<Key> {
    let mut reader = Reader { text, at: 0 };
    if text.starts_with('\u{feff}') {
        reader.at = '\u{feff}'.len_utf8();
    }
    let mut found = Vec::new();
    let is_whole = reader.object(&mut |key, _, reader| {
        if key != "projects" {
            return reader.skip();
        }
        // The last of several counts.
        found.clear();
        if reader.peek() != Some(b'{') {
            return reader.skip();
        }
        reader.object(&mut |key, span, reader| {
            found.push((key, span));
            reader.skip()
        })
    });
    is_whole.map(|()| found).unwrap_or_default()
}

/// Walks over JSON without building values. `None` stands for "this is no JSON".
struct Reader<'a> {
    text: &'a str,
    at: usize,
}

impl Reader<'_> {
    /// The next byte that is no white space.
    fn peek(&mut self) -> Option<u8> {
        loop {
            let byte = *self.text.as_bytes().get(self.at)?;
            if !matches!(byte, b' ' | b'\t' | b'\n' | b'\r') {
                return Some(byte);
            }
            self.at += 1;
        }
    }

    fn take(&mut self, wanted: u8) -> Option<()> {
        (self.peek()? == wanted).then(|| self.at += 1)
    }

    /// Calls `member` with each key, standing at its value.
    fn object(
        &mut self,
        member: &mut dyn FnMut(String, Span, &mut Self) -> Option<()>,
    ) -> Option<()> {
        self.take(b'{')?;
        if self.peek()? == b'}' {
            return self.take(b'}');
        }
        loop {
            self.peek()?;
            let start = self.at;
            self.string()?;
            let span = Span::new(start..self.at);
            let key = serde_json::from_str(self.text.get(span.range())?).ok()?;
            self.take(b':')?;
            member(key, span, self)?;
            match self.peek()? {
                b',' => self.at += 1,
                _ => return self.take(b'}'),
            }
        }
    }

    fn string(&mut self) -> Option<()> {
        self.take(b'"')?;
        loop {
            let rest = self.text.as_bytes().get(self.at..)?;
            let next = memchr::memchr2(b'"', b'\\', rest)?;
            self.at += next + 1;
            if rest.get(next) == Some(&b'"') {
                return Some(());
            }
            self.at += 1;
        }
    }

    /// Passes over a value, however deep.
    fn skip(&mut self) -> Option<()> {
        let mut depth = 0_u32;
        loop {
            match self.peek()? {
                b'"' => self.string()?,
                b'{' | b'[' => {
                    depth += 1;
                    self.at += 1;
                }
                b'}' | b']' => {
                    depth = depth.checked_sub(1)?;
                    self.at += 1;
                }
                b',' | b':' if depth > 0 => self.at += 1,
                b',' | b':' => return None,
                _ => self.word(),
            }
            if depth == 0 {
                return Some(());
            }
        }
    }

    /// Passes over a number, `true`, `false` or `null`.
    fn word(&mut self) {
        let rest = self.text.as_bytes().get(self.at..).unwrap_or_default();
        let ends = |byte: &u8| b" \t\r\n,:{}[]\"".contains(byte);
        self.at += rest.iter().position(ends).unwrap_or(rest.len());
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn keys_are_found_with_their_bytes_at_any_depth_of_nesting() {
        let deep = format!("{}1{}", "[".repeat(5000), "]".repeat(5000));
        let text = format!(
            r#"{{"a": {{"projects": {{"/no": 1}}}}, "x": {deep}, "s": "}}\"{{", "projects": {{ "/a\u0062" : {{"k": [1, {{}}]}},"/日本":null}}}}"#
        );
        let found = projects(&text);
        let shown: Vec<_> = found
            .iter()
            .map(|(key, span)| (key.as_str(), text.get(span.range()).unwrap()))
            .collect();
        assert_eq!(shown, [("/ab", r#""/a\u0062""#), ("/日本", "\"/日本\"")]);
        for broken in ["", "{", "[]", "{\"projects\": {\"/a\": 1", "{\"projects\": 5}", "{\"a\"}"] {
            assert_eq!(projects(broken), [], "{broken}");
        }
    }

    proptest! {
        #[test]
        fn any_text_is_walked_over(text in r#"[{}\[\]",:\\a1 é]{0,40}"#) {
            projects(&text);
        }
    }
}
