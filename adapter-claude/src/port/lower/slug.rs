//! Names that files and folders can have, unlike all others.

use std::collections::HashSet;

use crate::store::fingerprint;

/// Longest name, in bytes.
const LONGEST: usize = 100;

/// Whether a name can stay as it is as the name of a folder or a file: one plain
/// part of a path, of letters of any script, digits, `.`, `_` and `-`.
pub(super) fn is_plain(name: &str) -> bool {
    let is_part = |c: char| c.is_alphanumeric() || ".-_".contains(c);
    !name.is_empty()
        && name.len() <= LONGEST
        && !name.starts_with('.')
        && !name.ends_with('.')
        && name.chars().all(is_part)
}

/// A plain name made of a text; `usual` with a fingerprint where nothing is left of it.
pub(super) fn slug(text: &str, usual: &str) -> String {
    if is_plain(text) {
        return text.to_owned();
    }
    let mut name = String::new();
    for part in text.split(|c: char| !(c.is_alphanumeric() || ".-_".contains(c))) {
        let part = part.trim_matches(['.', '-']);
        if part.is_empty() || name.len() + part.len() > LONGEST - 12 {
            continue;
        }
        if !name.is_empty() {
            name.push('-');
        }
        name.push_str(part);
    }
    if name.is_empty() { format!("{usual}-{}", fingerprint(text)) } else { name }
}

/// The name with a number, where another has it already in any case.
pub(super) fn unique(name: &str, taken: &mut HashSet<String>) -> String {
    if taken.insert(name.to_lowercase()) {
        return name.to_owned();
    }
    let mut numbered = (2..).map(|number: u64| format!("{name}-{number}"));
    numbered.find(|name| taken.insert(name.to_lowercase())).unwrap_or_else(|| name.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_fit_stay_and_others_become_one_part_of_a_path() {
        for (text, want) in [
            ("deploy", "deploy"),
            ("デプロイ", "デプロイ"),
            ("a_b.c-1", "a_b.c-1"),
            ("sub:cmd", "sub-cmd"),
            ("../../etc/x", "etc-x"),
            (".hidden", "hidden"),
            ("a b", "a-b"),
        ] {
            assert_eq!(slug(text, "skill"), want, "{text}");
        }
        assert!(slug("...", "skill").starts_with("skill-"));
        assert!(is_plain(&slug(&"長い".repeat(100), "skill")));
    }

    #[test]
    fn names_differ_in_more_than_their_case() {
        let mut taken = HashSet::new();
        let names: Vec<_> = ["a", "A", "a-2", "a"].map(|name| unique(name, &mut taken)).into();
        assert_eq!(names, ["a", "A-2", "a-2-2", "a-3"]);
    }
}
