//! Names of folders.

use std::collections::HashSet;

use memory_core::fs::name_to_bytes;
use unicode_normalization::UnicodeNormalization as _;

/// Letters and digits of ASCII, `-` between them; `otherwise` where there is none.
pub(super) fn slug(text: &str, otherwise: &str) -> String {
    let mut slug = String::new();
    for c in text.nfkc() {
        if c.is_ascii_alphanumeric() {
            slug.push(c.to_ascii_lowercase());
        } else if !slug.is_empty() && !slug.ends_with('-') {
            slug.push('-');
        }
    }
    slug.truncate(slug.trim_end_matches('-').len());
    if slug.is_empty() { otherwise.to_owned() } else { slug }
}

/// Whether the client finds a skill in a folder of this name.
pub(super) fn is_plain(name: &str) -> bool {
    !name.is_empty()
        && !name.starts_with('.')
        && !name.contains(['\t', '\n', '\r', '/'])
        && name_to_bytes(name) == name.as_bytes()
}

/// A name that none of `taken` is but for capitals; it is taken from then on.
pub(super) fn unique(name: &str, taken: &mut HashSet<String>) -> String {
    let mut found = name.to_owned();
    let mut number = 1;
    while !taken.insert(found.to_lowercase()) {
        number += 1;
        found = format!("{name}-{number}");
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slugs_are_ascii_and_never_empty() {
        for (text, want) in [
            ("frontend:Deploy Prod", "frontend-deploy-prod"),
            ("デプロイ", "command"),
            ("デプロイ-ＡＢＣ", "abc"),
            ("--a--", "a"),
        ] {
            assert_eq!(slug(text, "command"), want);
        }
    }

    #[test]
    fn names_differ_in_more_than_capitals() {
        let mut taken = HashSet::new();
        let names = ["Tests", "tests", "TESTS", "other"].map(|name| unique(name, &mut taken));
        assert_eq!(names, ["Tests", "tests-2", "TESTS-3", "other"]);
    }
}
