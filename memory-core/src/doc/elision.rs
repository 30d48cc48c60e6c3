/// Words that stand for text which somebody left out.
const WORDS: &[&str] = &[
    "rest unchanged",
    "rest of the file unchanged",
    "rest of file unchanged",
    "rest of the document unchanged",
    "remains unchanged",
    "remaining content unchanged",
    "existing content",
    "existing code",
    "unchanged content",
    "previous content",
    "content omitted",
    "same as before",
    "残りは変更なし",
    "残り変更なし",
    "以下変更なし",
    "以下省略",
    "以下同様",
    "中略",
    "変更なし",
];

/// The first line of `text` that stands for text somebody left out, counted
/// from 1, with its words; `None` when there is none.
///
/// A program that writes such a line destroys what it stands for.
///
/// ```
/// use memory_core::doc::elision;
///
/// assert_eq!(elision("# Notes\n[rest unchanged]\n"), Some((2, "[rest unchanged]")));
/// assert_eq!(elision("The rest unchanged by the user stays.\n"), None);
/// ```
pub fn elision(text: &str) -> Option<(u32, &str)> {
    let lines = text.lines().zip(1_u32..);
    lines.map(|(line, number)| (number, line.trim())).find(|(_, line)| is_elision(line))
}

/// Whether the whole line is such words in brackets, a comment or dots.
fn is_elision(line: &str) -> bool {
    let inner = line
        .trim_start_matches("<!--")
        .trim_end_matches("-->")
        .trim_start_matches("//")
        .trim_matches(|c: char| c.is_whitespace() || "[](){}（）［］【】〔〕#*.…-—・".contains(c));
    let framed = inner.len() < line.len();
    let words = inner.to_lowercase();
    let words = words.trim_start_matches("the ").trim_start_matches("...").trim();
    framed && WORDS.contains(&words)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn placeholders_are_known_in_every_frame() {
        for line in [
            "[rest unchanged]",
            "... existing content ...",
            "<!-- rest of file unchanged -->",
            "// ... existing code ...",
            "（以下省略）",
            "[...残りは変更なし...]",
            "(the rest of the file unchanged)",
        ] {
            assert!(elision(line).is_some(), "{line}");
        }
        for line in
            ["以下省略", "existing content", "- keep existing content in place", "[rest]", ""]
        {
            assert!(elision(line).is_none(), "{line}");
        }
    }
}
