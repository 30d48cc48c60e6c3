//! Comments that the client takes out of a text.

use std::borrow::Cow;

use crate::text::markdown;

/// Takes out the comments that are blocks of their own.
pub(crate) fn without_comments(text: &str) -> Cow<'_, str> {
    match markdown::scan(text).comments.as_slice() {
        [] => Cow::Borrowed(text),
        blocks => Cow::Owned(remove(text, blocks)),
    }
}

/// Takes out comment blocks that were found before.
pub(crate) fn remove(text: &str, blocks: &[markdown::CommentBlock]) -> String {
    let mut kept = String::with_capacity(text.len());
    let mut at = 0;
    for block in blocks {
        kept.push_str(text.get(at..block.range.start).unwrap_or_default());
        kept.push_str(&block.rest);
        at = block.range.end;
    }
    kept.push_str(text.get(at..).unwrap_or_default());
    kept
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_comment_block_goes_with_the_blank_lines_after_it() {
        for (text, want) in [
            ("a\n\n<!-- x -->\n\nb", "a\n\nb"),
            ("b\n<!-- y -->\nc", "b\nc"),
            ("<!---->\nc", "c"),
            ("<!-- a\n\nb -->\n\n\nc", "c"),
            ("> q\n   <!-- c -->\nd", "> q\nd"),
            ("- a\n<!-- c -->\nd", "- a\nd"),
        ] {
            assert_eq!(without_comments(text), want, "{text:?}");
        }
    }

    #[test]
    fn what_follows_a_comment_on_its_line_stays() {
        assert_eq!(without_comments("<!-- z --> t"), " t");
        assert_eq!(without_comments("<!-- a --> <!-- b --> tail\n\nc"), "  tail\n\nc");
    }

    #[test]
    fn comments_inside_something_else_stay() {
        for text in [
            "a <!-- x --> b",
            "- <!-- x -->",
            "> <!-- x -->",
            "# <!-- x -->",
            "<div>\n<!-- x -->\n</div>",
            "```\n<!-- x -->\n```",
            "    <!-- x -->",
            "<!-- open",
            "a\n  <!-- indented after a paragraph -->",
            "\u{feff}<!-- c -->\nC",
        ] {
            assert_eq!(without_comments(text), text, "{text:?}");
        }
    }
}
