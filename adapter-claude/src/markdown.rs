//! What the client sees in Markdown: mentions of files, and comments.

use std::ops::Range;

use pulldown_cmark::{Event, Options, Parser, Tag, TagEnd};

use crate::mention::{Mention, mentions};

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

/// Finds the mentions and the comment blocks of a text.
pub(crate) fn scan(text: &str) -> Scan {
    // Most texts hold neither: they need no parser.
    if !text.contains('@') && !text.contains("<!--") {
        return Scan::default();
    }
    let mut found = Scan::default();
    let mut start = 0;
    let mut parts = 0;
    while let Some(rest) = text.get(start..) {
        parts += 1;
        let splits = parts < MAX_PARTS && rest.len() <= MAX_SPLIT_LEN;
        match scan_part(rest, splits) {
            Part::Whole(part) => {
                found.append(part, start);
                break;
            }
            Part::ListLeftAt(at) => {
                if let Part::Whole(part) = scan_part(rest.get(..at).unwrap_or_default(), false) {
                    found.append(part, start);
                }
                start += at.max(1);
            }
        }
    }
    found
}

/// How often a text is split where the client ends a list earlier than the parser.
const MAX_PARTS: usize = 64;

/// Longer texts are not split, in bytes.
const MAX_SPLIT_LEN: usize = 1024 * 1024;

enum Part {
    Whole(Scan),
    /// The client ends a list before this byte.
    ListLeftAt(usize),
}

fn scan_part(text: &str, splits: bool) -> Part {
    let mut scanner = Scanner { text, ..Scanner::default() };
    for (event, range) in Parser::new_ext(text, Options::empty()).into_offset_iter() {
        if splits && event == Event::SoftBreak && scanner.leaves_list_at(range.end) {
            return Part::ListLeftAt(range.end);
        }
        scanner.take(&event, range);
    }
    scanner.end_run();
    Part::Whole(scanner.found)
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

#[derive(Default)]
struct Scanner<'a> {
    text: &'a str,
    found: Scan,
    /// The text run that is being put together; the parser gives it in pieces.
    run: Range<usize>,
    /// How many blocks are open.
    depth: usize,
    /// How many open parts hold text that the client does not look at.
    muted: usize,
    /// Where the last paragraph outside of any other block ended.
    paragraph_end: Option<usize>,
    /// Where the last item of a list began that lies in no other block.
    item: usize,
    /// Whether that list is still open.
    in_list: bool,
}

impl Scanner<'_> {
    fn take(&mut self, event: &Event<'_>, range: Range<usize>) {
        match event {
            Event::Text(_) => self.piece(range),
            Event::Start(Tag::HtmlBlock) => {
                self.end_run();
                self.html_block(range);
                self.depth += 1;
                self.muted += 1;
            }
            Event::Start(tag) => {
                self.end_run();
                if matches!(tag, Tag::Item) && self.depth == 1 {
                    self.item = range.start;
                    self.in_list = true;
                }
                self.depth += 1;
                self.muted += usize::from(is_muted(tag));
            }
            Event::End(tag) => {
                self.end_run();
                self.depth -= 1;
                if self.depth == 0 {
                    self.in_list = false;
                }
                self.muted = match tag {
                    TagEnd::HtmlBlock | TagEnd::CodeBlock | TagEnd::Image => self.muted - 1,
                    _ => self.muted,
                };
                if *tag == TagEnd::Paragraph && self.depth == 0 {
                    self.paragraph_end = Some(range.end);
                }
            }
            _ => self.end_run(),
        }
    }

    /// Adds a piece to the run when it follows directly, or begins a new run.
    fn piece(&mut self, range: Range<usize>) {
        if self.muted > 0 {
            return;
        }
        let escaped = self.text.get(..range.start).is_some_and(|before| before.ends_with('\\'));
        if range.start == self.run.end && !escaped && !self.run.is_empty() {
            self.run.end = range.end;
            return;
        }
        self.end_run();
        // An escaped character is a piece of its own; the text begins after it.
        let skipped = match self.text.get(range.clone()).and_then(|piece| piece.chars().next()) {
            Some(first) if escaped => first.len_utf8(),
            _ => 0,
        };
        self.run = range.start + skipped..range.end;
    }

    fn end_run(&mut self) {
        let run = std::mem::take(&mut self.run);
        let text = self.text.get(run.clone()).unwrap_or_default();
        self.found.mentions.extend(mentions(text, run.start));
    }

    /// A comment that is a block of its own goes; what stands after it on its line stays.
    fn html_block(&mut self, range: Range<usize>) {
        let block = self.text.get(range.clone()).unwrap_or_default();
        if self.depth > 0 || !block.starts_with("<!--") {
            return;
        }
        let before = self.text.get(..range.start).unwrap_or_default();
        let indent = before.len() - before.trim_end_matches(' ').len();
        let start = range.start - indent;
        let continues_paragraph = indent > 0 && self.paragraph_end == Some(start);
        let mut rest = match without_inline_comments(block) {
            // Its place in the block is lost; the line is that of the block's end at the latest.
            Some(rest) => {
                let at = range.start + (block.len() - rest.len());
                self.found.mentions.extend(mentions(&rest, at));
                rest
            }
            None => block.to_owned(),
        };
        if continues_paragraph {
            self.paragraph_end = Some(range.end);
            return;
        }
        let after = self.text.get(range.end..).unwrap_or_default();
        let blank = after.len() - after.trim_start_matches('\n').len();
        rest.insert_str(0, before.get(start..).unwrap_or_default());
        rest.push_str(after.get(..blank).unwrap_or_default());
        if rest.trim().is_empty() {
            rest.clear();
        }
        self.found.comments.push(CommentBlock { range: start..range.end + blank, rest });
    }
}

impl Scanner<'_> {
    /// Whether the client ends the list before the line at this byte: a line that
    /// is not indented as the item is, and that begins with HTML or comes after a
    /// blank line in the item. The parser takes it for more of the item's text.
    fn leaves_list_at(&self, line: usize) -> bool {
        let (Some(above), Some(rest)) = (self.text.get(self.item..line), self.text.get(line..))
        else {
            return false;
        };
        if !self.in_list {
            return false;
        }
        let digits = above.trim_start_matches(|c: char| c.is_ascii_digit());
        let content =
            above.len() - digits.get(1..).unwrap_or_default().trim_start_matches(' ').len();
        let line = rest.lines().next().unwrap_or_default();
        let body = line.trim_start_matches(' ');
        let indent = line.len() - body.len();
        let html = body.strip_prefix('<').is_some_and(|tag| {
            tag.starts_with("!--")
                || tag.starts_with(|c: char| c.is_ascii_alphabetic()) && tag.contains('>')
        });
        let blank = || above.lines().any(|line| line.trim().is_empty());
        indent < content && (html || blank())
    }
}

fn is_muted(tag: &Tag<'_>) -> bool {
    matches!(tag, Tag::CodeBlock(_) | Tag::Image { .. })
}

/// The text without its comments, or `None` when it has no complete one.
fn without_inline_comments(block: &str) -> Option<String> {
    let mut kept = String::new();
    let mut rest = block;
    let mut any = false;
    while let Some((before, comment)) = rest.split_once("<!--") {
        let Some((_, after)) = comment.split_once("-->") else { break };
        kept.push_str(before);
        rest = after;
        any = true;
    }
    kept.push_str(rest);
    any.then_some(kept)
}
