use std::ops::Range;

use pulldown_cmark::{Event, Options, Parser, Tag, TagEnd};

use super::{CommentBlock, Scan};
use crate::text::mention::mentions;

/// Why the scan of a part ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Stop {
    /// The part is read.
    End,
    /// The client ends a list before this byte.
    ListLeft { at: usize },
    /// The last block, which starts at this byte, may go on after the part.
    BlockGoesOn { from: usize },
    /// The part is a piece of one block of code or HTML.
    OneBlock,
}

/// Scans a part of a text; `is_last` when nothing follows it.
pub(super) fn scan_part(text: &str, is_last: bool, splits_lists: bool) -> (Scan, Stop) {
    let mut scanner = Scanner { text, ..Scanner::default() };
    let mut last_block = LastBlock::default();
    for (event, range) in Parser::new_ext(text, Options::empty()).into_offset_iter() {
        if splits_lists && event == Event::SoftBreak && scanner.leaves_list_at(range.end) {
            return (Scan::default(), Stop::ListLeft { at: range.end });
        }
        if scanner.depth == 0
            && let Event::Start(tag) = &event
        {
            last_block.start = range.start;
            last_block.is_opaque = matches!(tag, Tag::CodeBlock(_) | Tag::HtmlBlock);
            last_block.mentions = scanner.found.mentions.len();
            last_block.comments = scanner.found.comments.len();
        }
        scanner.take(&event, range);
    }
    scanner.end_run();
    let mut found = scanner.found;
    if is_last || last_block.start == 0 && !last_block.is_opaque {
        return (found, Stop::End);
    }
    if last_block.start == 0 {
        return (Scan::default(), Stop::OneBlock);
    }
    found.mentions.truncate(last_block.mentions);
    found.comments.truncate(last_block.comments);
    (found, Stop::BlockGoesOn { from: last_block.start })
}

/// The last block that lies in no other, and what was found before it.
#[derive(Default)]
struct LastBlock {
    start: usize,
    /// Whether it is code or HTML, whose end cannot be guessed.
    is_opaque: bool,
    mentions: usize,
    comments: usize,
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
