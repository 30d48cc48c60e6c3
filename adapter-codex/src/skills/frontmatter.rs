//! A skill's frontmatter as the client reads it, its repairs included.

use serde::Deserialize;

use super::yaml;
use super::yaml::Error;

mod place;
mod repair;
mod shrink;

/// What the client takes from a skill's frontmatter.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Frontmatter {
    /// The name, white space collapsed; empty when there is none.
    pub(super) name: String,
    /// The description, white space collapsed; empty when there is none.
    pub(super) description: String,
    /// Lines of the file that the client had to quote to read them, counted from 1.
    pub(super) repaired: Vec<u32>,
}

/// Why a frontmatter has no value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Unread {
    /// The file does not begin with a fence.
    Missing,
    /// There is no second fence.
    NeverEnds,
    /// There is nothing between the fences.
    Empty,
    /// Its YAML is wrong, in the client's words.
    Invalid {
        /// What is wrong.
        why: String,
        /// The line of the file, counted from 1, where it is known.
        line: Option<u32>,
    },
    /// It is larger than what is read here, in bytes.
    TooLarge(u64),
    /// More brackets are open at once than what is read here.
    TooDeep(u64),
}

#[derive(Deserialize)]
struct Keys {
    #[serde(default)]
    name: Option<String>,
    #[serde(default)]
    description: Option<String>,
    #[serde(default, rename = "metadata")]
    _metadata: Metadata,
}

/// Read although nothing in it is shown: what is wrong here is fatal too.
#[derive(Default, Deserialize)]
struct Metadata {
    #[serde(default, rename = "short-description")]
    _short_description: Option<String>,
}

/// Reads the frontmatter at the start of a file.
pub(super) fn read(text: &str) -> Result<Frontmatter, Unread> {
    let block = block(text)?;
    let (keys, repaired) = read_keys(&block).map_err(|error| match error {
        Error::TooLarge => Unread::TooLarge(yaml::MAX_BYTES as u64),
        Error::TooDeep => Unread::TooDeep(yaml::MAX_OPEN as u64),
        Error::Invalid { why, line: Some(line) } => {
            Unread::Invalid { why: place::in_file(&why), line: u32::try_from(line + 1).ok() }
        }
        Error::Invalid { why, line: None } => Unread::Invalid { why, line: None },
    })?;
    Ok(Frontmatter {
        name: one_line(keys.name.as_deref()),
        description: one_line(keys.description.as_deref()),
        repaired: repaired.into_iter().filter_map(|line| u32::try_from(line + 1).ok()).collect(),
    })
}

/// Reads the keys and says which lines of the block needed a repair, counted from 1.
fn read_keys(block: &str) -> Result<(Keys, Vec<usize>), Error> {
    if block.len() <= yaml::MAX_BYTES {
        return read_repaired(block);
    }
    // What is left has other line numbers than the file.
    match read_repaired(&shrink::shrink(block)) {
        Ok((keys, _)) => Ok((keys, Vec::new())),
        Err(Error::Invalid { why, .. }) => {
            Err(Error::Invalid { why: place::nowhere(&why), line: None })
        }
        Err(error) => Err(error),
    }
}

/// Reads the block as it is, and with the client's repairs when that fails.
fn read_repaired(block: &str) -> Result<(Keys, Vec<usize>), Error> {
    let error = match yaml::read(block) {
        Ok(keys) => return Ok((keys, Vec::new())),
        Err(error) => error,
    };
    if error == Error::TooLarge {
        return Err(error);
    }
    let Some(repaired) = repair::repair(block) else { return Err(error) };
    match yaml::read(&repaired.text) {
        Ok(keys) => Ok((keys, repaired.lines)),
        Err(Error::TooDeep) => Err(Error::TooDeep),
        Err(_) => Err(error),
    }
}

/// The lines between the fences, of which there is at least one.
fn block(text: &str) -> Result<String, Unread> {
    let is_fence = |line: &str| line.trim() == "---";
    let mut lines = text.lines();
    if !lines.next().is_some_and(is_fence) {
        return Err(Unread::Missing);
    }
    let mut block: Option<String> = None;
    for line in lines {
        if is_fence(line) {
            return block.ok_or(Unread::Empty);
        }
        match &mut block {
            None => block = Some(line.to_owned()),
            Some(block) => {
                block.push('\n');
                block.push_str(line);
            }
        }
    }
    Err(Unread::NeverEnds)
}

/// White space collapsed, as the client shows names and descriptions.
pub(super) fn one_line(text: Option<&str>) -> String {
    text.unwrap_or_default().split_whitespace().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn description(value: &str) -> Option<String> {
        let read = read(&format!("---\nname: n\ndescription: {value}\n---\n"));
        read.ok().map(|read| read.description)
    }

    #[test]
    fn fences_may_have_blanks_but_nothing_before_them() {
        let body = "description: d\n";
        for (text, found) in [
            (format!(" ---\t\r\n{body}--- \r\n"), true),
            (format!("---\u{85}\n{body}\u{3000}---\u{a0}"), true),
            (format!("\u{feff}---\n{body}---\n"), false),
            (format!("\n---\n{body}---\n"), false),
            (format!("----\n{body}---\n"), false),
            (format!("---\n{body}...\n"), false),
            ("---\n---\n".to_owned(), false),
        ] {
            assert_eq!(read(&text).is_ok(), found, "{text:?}");
        }
    }

    #[test]
    fn values_are_kept_as_they_are_written() {
        for value in ["007", "0x1F", "1_000", "1.50", "yes", ".nan", "1e3", "true"] {
            assert_eq!(description(value).as_deref(), Some(value));
        }
        assert_eq!(description("~").as_deref(), Some(""));
        assert_eq!(description("!x text").as_deref(), Some("text"));
        assert_eq!(description("\"a\\nb\\tc\"").as_deref(), Some("a b c"));
    }

    #[test]
    fn prose_that_is_no_yaml_is_read_as_prose() {
        for value in ["Use this: it works", "[x] text", "{x text", "@team a", "`cmd` a", "{a: b}"] {
            assert_eq!(description(value).as_deref(), Some(value));
        }
        for value in ["*important*", "%percent", "\"Foo\" bar", "'a' b", "> a", "- a", "a:", "{x}"]
        {
            assert_eq!(description(value), None, "{value}");
        }
    }

    #[test]
    fn a_repaired_line_is_named() {
        let read = read("---\nname: n\ndescription: a: b # c\n---\n").unwrap();
        assert_eq!((read.description.as_str(), read.repaired), ("a: b", vec![3]));
    }

    #[test]
    fn an_error_names_the_line_of_the_file() {
        let read = read("---\nname: n\ndescription: [a, b]\n---\n");
        let Err(Unread::Invalid { why, line }) = read else { panic!("{read:?}") };
        assert_eq!(line, Some(3));
        assert!(why.contains("description"), "{why}");
        assert!(why.contains("at line 3 column"), "{why}");
    }

    #[test]
    fn what_is_missing_is_told_apart() {
        let unread = |text: &str| read(text).unwrap_err();
        assert_eq!(unread("description: d\n---\n"), Unread::Missing);
        assert_eq!(unread("---\ndescription: d\n"), Unread::NeverEnds);
        assert_eq!(unread("---\n---\ndescription: d\n"), Unread::Empty);
    }

    #[test]
    fn what_is_nested_deeper_than_is_read_here_is_no_error_of_the_file() {
        let open = "[".repeat(100);
        let text = format!("---\ndescription: d\nx:\n  {open}\n---\n");
        assert_eq!(read(&text), Err(Unread::TooDeep(64)));
    }

    #[test]
    fn only_known_keys_may_not_be_given_twice() {
        assert!(read("---\ndescription: d\nx: 1\nx: 2\n---\n").is_ok());
        assert!(read("---\ndescription: d\ndescription: e\n---\n").is_err());
        assert!(read("---\ndescription: d\nmetadata: text\n---\n").is_err());
    }

    #[test]
    fn deep_nesting_is_read_as_the_client_reads_it() {
        let open = "[".repeat(5_000);
        let closed = format!("{open}{}", "]".repeat(5_000));
        for value in [&open, &closed] {
            let read = read(&format!("---\ndescription: d\nx: {value}\n---\n")).unwrap();
            assert_eq!(read.description, "d");
        }
        assert_eq!(description(&open), Some(open));
        let dashes = format!("---\ndescription: d\nx:\n  {}a\n---\n", "- ".repeat(5_000));
        assert!(read(&dashes).is_ok());
    }

    #[test]
    fn megabytes_of_plain_lines_are_read() {
        let long = "z".repeat(4 << 20);
        let many = "key: some plain words\n".repeat(50_000);
        let words = "word ".repeat(1 << 19);
        let block = |text: &str| format!("---\nname: x\n{text}\n---\n");
        let described = |text: &str| read(&block(text)).unwrap().description;
        assert_eq!(described(&format!("zzz: {long}\ndescription: d")), "d");
        assert_eq!(described(&format!("{many}description: d")), "d");
        let description = described(&format!("description: {words}"));
        assert!(description.starts_with("word word") && description.chars().count() > 1024);
        let odd = read(&block(&"  - odd: [\n".repeat(1 << 18)));
        assert!(matches!(odd, Err(Unread::TooLarge(_))));
    }

    proptest! {
        #[test]
        fn any_text_is_read_or_refused(text in "(?s)(---\n)?[a-c:\\-\\[{}\\]'\"#|> \n\t&*!%@`é]{0,80}(\n---)?") {
            if let Ok(keys) = read(&text) {
                prop_assert_eq!(one_line(Some(&keys.description)), keys.description);
            }
        }
    }
}
