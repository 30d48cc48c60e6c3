//! `agents/openai.yaml`: that only the person starts a skill.

use memory_core::doc::Source;

use crate::skills::carry::hides_from_model;

const KEY: &str = "allow_implicit_invocation";

/// The file that lets only the person start the skill, made of the one that is
/// there; `true` beside it when that one could not be kept.
pub(super) fn only_by_name(today: Option<&[u8]>) -> (Vec<u8>, bool) {
    let fresh = format!("policy:\n  {KEY}: false\n").into_bytes();
    let Some(today) = today else { return (fresh, false) };
    if hides_from_model(today) {
        return (today.to_vec(), false);
    }
    let merged = merged(&Source::new(today).text()).into_bytes();
    if hides_from_model(&merged) { (merged, false) } else { (fresh, true) }
}

/// Sets the key in the text of the file, line by line.
fn merged(text: &str) -> String {
    let newline = if text.contains("\r\n") { "\r\n" } else { "\n" };
    let is_key = |line: &str| line.trim_start().starts_with(&format!("{KEY}:"));
    let is_policy = |line: &str| line.trim_end() == "policy:";
    let has_key = text.lines().any(is_key);
    let mut lines = text.lines().peekable();
    let mut merged = String::new();
    let mut is_set = false;
    while let Some(line) = lines.next() {
        let indent = |line: &str| line.len() - line.trim_start().len();
        if is_key(line) {
            merged.push_str(&" ".repeat(indent(line)));
            merged.extend([KEY, ": false"]);
            is_set = true;
        } else {
            merged.push_str(line);
            if is_policy(line) && !has_key {
                let depth = lines.peek().map_or(0, |next| indent(next)).max(1);
                let depth = if depth == 1 { 2 } else { depth };
                merged.extend([newline, &" ".repeat(depth), KEY, ": false"]);
                is_set = true;
            }
        }
        merged.push_str(newline);
    }
    if !is_set {
        merged.extend(["policy:", newline, "  ", KEY, ": false", newline]);
    }
    merged
}

#[cfg(test)]
mod tests {
    use super::*;

    fn set(text: &str) -> (String, bool) {
        let (bytes, replaced) = only_by_name(Some(text.as_bytes()));
        assert!(hides_from_model(&bytes), "{text}");
        (String::from_utf8(bytes).unwrap(), replaced)
    }

    #[test]
    fn the_rest_of_the_file_stays() {
        let hide = "policy:\n  allow_implicit_invocation: false\n";
        assert_eq!(only_by_name(None).0, hide.as_bytes());
        for (text, want) in [
            ("", hide.to_owned()),
            ("interface:\n  display_name: X\n", format!("interface:\n  display_name: X\n{hide}")),
            (
                "policy:\n    products: [codex]\n",
                "policy:\n    allow_implicit_invocation: false\n    products: [codex]\n".to_owned(),
            ),
            ("policy:\n  allow_implicit_invocation: true # x\n", hide.to_owned()),
            (hide, hide.to_owned()),
        ] {
            assert_eq!(set(text), (want, false));
        }
    }

    #[test]
    fn a_file_that_counts_for_nothing_is_replaced() {
        assert!(set("interface: text\n").1);
        assert!(set("policy: {products: [codex]}\n").1);
    }
}
