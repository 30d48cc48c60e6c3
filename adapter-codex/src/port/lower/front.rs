//! The start of a `SKILL.md`, such that the client reads what the source shows.

use memory_core::doc::{Doc, Source, yaml_scalar};

use crate::profile::Profile;
use crate::skills::carry::read_front;

/// A file that the client reads as wanted.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Fitted {
    pub(super) bytes: Vec<u8>,
    /// Whether bytes that are no text were replaced.
    pub(super) was_invalid: bool,
    /// Whether the whole block at its start was replaced.
    pub(super) is_replaced: bool,
}

/// What the client shall read.
pub(super) struct Wanted<'a> {
    pub(super) profile: &'a Profile,
    /// The skill's folder.
    pub(super) folder: &'a str,
    pub(super) name: &'a str,
    /// White space in it collapsed.
    pub(super) description: &'a str,
}

impl Wanted<'_> {
    /// Whether the client reads it from these bytes.
    pub(super) fn is_in(&self, bytes: &[u8]) -> bool {
        let Ok((name, description)) = read_front(self.profile, self.folder, bytes) else {
            return false;
        };
        let limit = self.profile.skill_description_max_chars;
        let is_cut = self.description.chars().count() > limit;
        let shown = description.strip_suffix("...").filter(|_| is_cut);
        name == self.name
            && shown.map_or(description == self.description, |shown| {
                self.description.starts_with(shown)
            })
    }
}

/// Changes no more of a file than is needed.
pub(super) fn fit(bytes: &[u8], wanted: &Wanted<'_>) -> Fitted {
    let source = Source::new(bytes);
    let was_invalid = !source.is_utf8();
    let text = source.text();
    let text = text.strip_prefix('\u{feff}').unwrap_or(&text);
    let done = |bytes: Vec<u8>| Fitted { bytes, was_invalid, is_replaced: false };
    if wanted.is_in(text.as_bytes()) {
        return done(text.as_bytes().to_vec());
    }
    let doc = Doc::from(text.as_bytes());
    for keys in [&["description"][..], &["name"], &["name", "description"]] {
        let mut edit = doc.edit();
        for key in keys {
            edit.set(key, if *key == "name" { wanted.name } else { wanted.description });
        }
        if let Some(edited) = edit.finish().ok().filter(|edited| wanted.is_in(edited)) {
            return done(edited);
        }
    }
    let has_block = doc.frontmatter().is_some();
    let body = if has_block { doc.body() } else { text.to_owned() };
    let bytes = fresh(wanted.name, wanted.description, &body);
    Fitted { bytes, was_invalid, is_replaced: has_block }
}

/// A file with a block of its own before a text.
pub(super) fn fresh(name: &str, description: &str, body: &str) -> Vec<u8> {
    let [name, description] = [name, description].map(yaml_scalar);
    format!("---\nname: {name}\ndescription: {description}\n---\n{body}").into_bytes()
}

/// The line of a key in the block at the start, counted from 1.
pub(super) fn line_of(bytes: &[u8], key: &str) -> Option<u32> {
    let doc = Doc::from(bytes);
    let entry = doc.find(key)?;
    let before = bytes.get(..entry.span.start)?;
    u32::try_from(memchr::memchr_iter(b'\n', before).count() + 1).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fitted(text: impl AsRef<[u8]>, name: &str, description: &str) -> (String, Fitted) {
        let profile = Profile::default();
        let wanted = Wanted { profile: &profile, folder: "dir", name, description };
        let fitted = fit(text.as_ref(), &wanted);
        assert!(wanted.is_in(&fitted.bytes), "{fitted:?}");
        (String::from_utf8(fitted.bytes.clone()).unwrap(), fitted)
    }

    #[test]
    fn a_file_that_reads_right_is_not_touched() {
        for text in [
            "---\nname: a\ndescription: D: d\nallowed-tools: [x]\n---\r\nBody",
            "---\nname: a\ndescription: >\n  D:\n  d\n---\n",
        ] {
            assert_eq!(fitted(text, "a", "D: d").0, text);
        }
        assert_eq!(
            fitted("---\ndescription: D\n---\n", "dir", "D").0,
            "---\ndescription: D\n---\n"
        );
    }

    #[test]
    fn only_what_reads_otherwise_is_set() {
        assert_eq!(
            fitted("---\nname: b\ndescription: D\nx: 1\n---\nB", "dir", "D").0,
            "---\nname: dir\ndescription: D\nx: 1\n---\nB"
        );
        assert_eq!(
            fitted("---\nname: a\nx: 1\n---\nB", "a", "First line").0,
            "---\nname: a\nx: 1\ndescription: First line\n---\nB"
        );
        assert_eq!(
            fitted("Only text", "dir", "Only: text").0,
            "---\ndescription: \"Only: text\"\n---\nOnly text"
        );
        assert_eq!(
            fitted("\u{feff}---\nname: a\ndescription: D\n---\n", "a", "D").0,
            "---\nname: a\ndescription: D\n---\n"
        );
    }

    #[test]
    fn a_block_that_cannot_be_read_is_replaced() {
        let (text, fitted) = fitted("---\nname: a\nx: 'y\ndescription: *D*\n---\nB", "a", "*D*");
        assert_eq!(text, "---\nname: a\ndescription: \"*D*\"\n---\nB");
        assert!(fitted.is_replaced);
    }

    #[test]
    fn bytes_that_are_no_text_are_replaced() {
        let (text, fitted) = fitted(b"---\ndescription: D\n---\n\xff", "dir", "D");
        assert_eq!(text, "---\ndescription: D\n---\n\u{fffd}");
        assert!(fitted.was_invalid);
    }

    #[test]
    fn a_long_description_is_the_same_one_cut_or_not() {
        let long = "word ".repeat(300);
        let long = long.trim();
        let text = format!("---\ndescription: {long}\n---\n");
        assert_eq!(fitted(&text, "dir", long).0, text);
    }
}
