//! Files that the prompt mentions: `@src/main.rs`.

use super::frontmatter::is_space;

/// The paths that a prompt mentions, as they are written: those in quotes first.
pub(crate) fn mentioned(prompt: &str) -> Vec<String> {
    let mut quoted = Vec::new();
    let mut plain = Vec::new();
    let mut before = None;
    for (at, c) in prompt.char_indices() {
        let free = before.is_none_or(is_space);
        before = Some(c);
        if c != '@' || !free {
            continue;
        }
        let after = prompt.get(at + 1..).unwrap_or_default();
        match after.strip_prefix('"').and_then(|inside| inside.split_once('"')) {
            Some((path, _)) if !path.is_empty() => quoted.push(without_lines(path)),
            _ => {
                let word = after.split(is_space).next().unwrap_or_default();
                plain.extend(up_to_word_end(word).map(without_lines));
            }
        }
    }
    quoted.extend(plain);
    quoted
}

/// The longest beginning that ends where a word ends or begins: closing
/// punctuation is no part of a path.
fn up_to_word_end(text: &str) -> Option<&str> {
    let is_word = |c: Option<char>| c.is_some_and(|c| c.is_ascii_alphanumeric() || c == '_');
    let ends = text.char_indices().rev().find_map(|(at, c)| {
        let end = at + c.len_utf8();
        let next = text.get(end..).and_then(|rest| rest.chars().next());
        (is_word(Some(c)) != is_word(next)).then_some(end)
    });
    text.get(..ends?)
}

/// Cuts off `#L1-20`.
fn without_lines(path: &str) -> String {
    path.split('#').next().unwrap_or_default().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mentions_stand_free_and_end_with_a_word() {
        assert_eq!(
            mentioned("see @a/b.ts, x@no.ts (@no.ts) @c.ts#L1-2\n@d.ts。"),
            ["a/b.ts", "c.ts", "d.ts"]
        );
        assert_eq!(mentioned("@x.ts @\"a b.ts\" @メモ"), ["a b.ts", "x.ts"]);
    }
}
