//! What the client sees in Markdown: mentions of files, and comments.

pub(crate) mod comments;
mod scanner;

use std::ops::Range;

use super::mention::Mention;
use scanner::{Stop, scan_part};

/// What was found in a text.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Scan {
    /// The mentions of files, in the order of the text.
    pub(crate) mentions: Vec<Mention>,
    /// The comments that are blocks of their own, in the order of the text.
    pub(crate) comments: Vec<CommentBlock>,
}

/// A block that begins with a comment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct CommentBlock {
    /// The bytes of the block, the blank lines after it included.
    pub(crate) range: Range<usize>,
    /// What stays of it.
    pub(crate) rest: String,
}

/// How much is parsed at once, in bytes: the parser needs many times as much memory.
const CHUNK: usize = 1024 * 1024;

/// How many bytes of one text may be parsed again because the client ends a
/// list earlier than the parser.
const MAX_REPEATED: usize = 32 * CHUNK;

/// Finds the mentions and the comment blocks of a text.
pub(crate) fn scan(text: &str) -> Scan {
    // Most texts hold neither: they need no parser.
    if !text.contains('@') && !text.contains("<!--") {
        return Scan::default();
    }
    let mut found = Scan::default();
    let (mut start, mut chunk, mut repeated) = (0, CHUNK, 0);
    while start < text.len() {
        let rest = text.get(start..).unwrap_or_default();
        let part = rest.get(..line_end(rest, chunk)).unwrap_or(rest);
        let is_last = part.len() == rest.len();
        let (scan, stop) = scan_part(part, is_last, repeated < MAX_REPEATED);
        let len = match stop {
            Stop::End => part.len(),
            // The line before is complete for the client: what follows is read anew.
            Stop::ListLeft { at } => {
                repeated += part.len();
                let before = part.get(..at).unwrap_or_default();
                found.append(scan_part(before, true, false).0, start);
                start += at;
                continue;
            }
            Stop::BlockGoesOn { from } => from,
            Stop::OneBlock => {
                chunk *= 2;
                continue;
            }
        };
        found.append(scan, start);
        start += len.max(1);
        chunk = CHUNK;
    }
    found
}

/// The end of the line in which byte `at` lies; somewhere in it when it is very long.
fn line_end(text: &str, at: usize) -> usize {
    let limit = text.len().min(at.saturating_add(CHUNK));
    let window = text.as_bytes().get(at..limit).unwrap_or_default();
    match memchr::memchr(b'\n', window) {
        Some(newline) => at + newline + 1,
        None => (limit..=text.len()).find(|end| text.is_char_boundary(*end)).unwrap_or(text.len()),
    }
}

impl Scan {
    /// Adds what was found in a part that starts at this byte.
    fn append(&mut self, part: Self, start: usize) {
        let mentions = part.mentions.into_iter();
        self.mentions.extend(mentions.map(|found| Mention { at: start + found.at, ..found }));
        let comments = part.comments.into_iter();
        self.comments.extend(comments.map(|block| CommentBlock {
            range: start + block.range.start..start + block.range.end,
            ..block
        }));
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn mentioned(text: &str) -> Vec<String> {
        scan(text).mentions.into_iter().map(|mention| mention.path).collect()
    }

    #[test]
    fn mentions_are_seen_at_the_start_of_a_piece_of_text() {
        for text in [
            "*@n.md*",
            "**b**@n.md",
            "`x`@n.md",
            "[x](y)@n.md",
            "\\*@n.md",
            "[@n.md](u)",
            "<b>@n.md</b>",
            "# @n.md",
            "> @n.md",
            "- @n.md",
            "| @n.md |",
            "a\\\n@n.md",
            "p\n    @n.md",
            "` @n.md",
            "a_@n.md",
            "<details>\n\n@n.md\n\n</details>",
            "<!-- x --> @n.md",
            "- a\n<b> @n.md",
        ] {
            let want = if text == "a_@n.md" { vec![] } else { vec!["n.md"] };
            assert_eq!(mentioned(text), want, "{text:?}");
        }
    }

    #[test]
    fn mentions_in_code_html_and_definitions_are_none() {
        for text in [
            "`@n.md`",
            "```\n@n.md",
            "    @n.md",
            "<!-- @n.md -->",
            "<div>\n@n.md\n</div>",
            "![@n.md](u)",
            "[x](@n.md)",
            "[r]: @n.md",
            "[^1]: @n.md",
            "<@n.md>",
            "&amp;@n.md",
            "\\@n.md",
            "~~@n.md~~",
        ] {
            assert_eq!(mentioned(text), [""; 0], "{text:?}");
        }
    }

    #[test]
    fn long_texts_are_read_in_pieces_that_give_the_same() {
        let block = "p @a.md\n<!-- c -->\n\n- l @b.md\n\n```\n@no.md\n```\n\n";
        let text = block.repeat(3 * CHUNK / block.len());
        let found = scan(&text);
        assert_eq!(found.mentions.len(), 2 * (text.len() / block.len()));
        assert_eq!(found.comments.len(), text.len() / block.len());
    }

    proptest! {
        #[test]
        fn any_text_is_scanned_without_panic(text in "(?s)[-a>*_`@.\\[\\]()!<b/\\\\ \n\té#1]{0,80}(<!-- x -->)?.{0,9}") {
            let found = scan(&text);
            for mention in &found.mentions {
                prop_assert!(text.get(mention.at..).is_some());
            }
            let kept = comments::remove(&text, &found.comments);
            prop_assert!(kept.len() <= text.len());
        }
    }
}
