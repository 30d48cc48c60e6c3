//! Words of commands that people copy into a shell.

/// A word as a shell takes it.
pub(super) fn quoted(word: &str) -> String {
    let is_plain = |c: char| c.is_alphanumeric() || "/._-+,:@%".contains(c);
    if !word.is_empty() && word.chars().all(is_plain) {
        return word.to_owned();
    }
    format!("'{}'", word.replace('\'', r"'\''"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_odd_words_are_quoted() {
        assert_eq!(quoted("/w/日本-1"), "/w/日本-1");
        assert_eq!(quoted("/w/my proj"), "'/w/my proj'");
        assert_eq!(quoted("it's $x"), r"'it'\''s $x'");
    }
}
