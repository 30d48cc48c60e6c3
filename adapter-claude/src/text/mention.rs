//! How a text names a file to be imported: `@docs/style.md`.

use super::frontmatter::is_space;

/// A file named in a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Mention {
    /// The path as the client reads it: escapes resolved, no fragment.
    pub(crate) path: String,
    /// The byte of the `@`.
    pub(crate) at: usize,
}

/// The mentions in one run of text that starts at byte `start`.
pub(crate) fn mentions(run: &str, start: usize) -> Vec<Mention> {
    let mut found = Vec::new();
    let mut from = 0;
    while let Some(offset) = run.get(from..).and_then(|rest| rest.find('@')) {
        let at = from + offset;
        let free =
            run.get(..at).is_some_and(|before| before.chars().next_back().is_none_or(is_space));
        let after = run.get(at + 1..).unwrap_or_default();
        from = at + 1;
        if !free {
            continue;
        }
        let len = path_len(after);
        from += len;
        let written = after.get(..len).unwrap_or_default();
        if let Some(path) = path(written) {
            found.push(Mention { path, at: start + at });
        }
    }
    found
}

/// Length of the path: up to white space that no backslash precedes, or a
/// backslash that precedes something else.
fn path_len(after: &str) -> usize {
    let mut chars = after.char_indices().peekable();
    while let Some((at, c)) = chars.next() {
        if is_space(c) {
            return at;
        }
        if c == '\\' && chars.next_if(|(_, next)| *next == ' ').is_none() {
            return at;
        }
    }
    after.len()
}

fn path(written: &str) -> Option<String> {
    let path = written.split('#').next().unwrap_or_default().replace("\\ ", " ");
    let first = path.chars().next()?;
    let relative = path.starts_with("./") || path.starts_with("../") || path.starts_with("~/");
    let named = first.is_ascii_alphanumeric() || matches!(first, '.' | '_' | '-');
    // Two slashes name another computer.
    let absolute = path.starts_with('/') && path.len() > 1 && !path.starts_with("//");
    (relative || named || absolute).then_some(path)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn paths(run: &str) -> Vec<String> {
        mentions(run, 0).into_iter().map(|mention| mention.path).collect()
    }

    #[test]
    fn a_mention_stands_free_and_runs_to_white_space() {
        assert_eq!(paths("@a.md b@c.md (@d.md) \u{3000}@e.md\u{3000}x"), ["a.md", "e.md"]);
        assert_eq!(paths("@a\\ b.md @c.md. @d#sec @e?x"), ["a b.md", "c.md.", "d", "e?x"]);
    }

    #[test]
    fn a_bare_name_begins_with_an_ascii_letter_or_digit() {
        assert_eq!(paths("@メモ.md @é @(p) @$x @@x @\"a\" @/ @#x @//h/x"), [""; 0]);
        assert_eq!(
            paths("@./メモ.md @~/x @/メモ @_a @-b @.env @../c"),
            ["./メモ.md", "~/x", "/メモ", "_a", "-b", ".env", "../c"]
        );
    }
}
