//! Placeholders that a model leaves where it left text out.

use std::ops::Range;

use crate::pattern::patterns;

/// Words for text that was left out.
const LEFT_OUT: &str = r"(?:(?:the )?(?:rest|remaining|remainder|existing|previous|other|unchanged|omitted|truncated|elided|snipped|snip|same|as before|unmodified|continues|continued|lines|sections?|content|rules|items|entries|for brevity|more lines|above|keep)\b|以下|省略|略|中略|後略|前略|残り|変更なし|変更無し|そのまま|同じ|同様|既存|続く|続き)";

/// Three dots, in any writing.
const DOTS: &str = r"(?:\.{3,}|…+|‥+|・・・+)";

patterns! {
    PLACEHOLDER = [
        // In brackets, with dots and a word for it.
        &format!(r"[\[［【〔<＜({{（]\s?{DOTS}(?:\s|[^\x00-\x7f])[^\]］】〕>＞)}}）\n]{{0,80}}{LEFT_OUT}[^\]］】〕>＞)}}）\n]{{0,60}}[\]］】〕>＞)}}）]"),
        &format!(r"[\[［【〔<＜({{（]\s?{DOTS}\s?{LEFT_OUT}[^\]］】〕>＞)}}）\n]{{0,60}}{DOTS}\s?[\]］】〕>＞)}}）]"),
        &format!(r"[\[［【〔<＜({{（][^\[\]］】〕>＞(){{}}（）\n]{{0,60}}{LEFT_OUT}[^\]］】〕>＞)}}）\n]{{0,40}}{DOTS}\s?[\]］】〕>＞)}}）]"),
        // In brackets, nothing but the word.
        r"[\[［【〔<＜]\s?(?:以下|中|後|前|一部)?(?:省略|略)(?:します|する)?\s?[\]］】〕>＞]", "[(（]\\s?(?:以下|中|後|前)(?:省略|略)\\s?[)）]", "[(（]\\s?省略\\s?[)）]",
        r"[\[［<＜]\s?(?:snip(?:ped)?|omitted|elided|truncated|redacted for brevity|(?:the )?(?:rest|remainder|remaining \w+|other \w+|content|existing \w+) (?:is |are |of [^\]\n]{1,40} )?(?:unchanged|omitted|truncated|elided|the same|as before)|unchanged|no changes?|same as (?:before|above)|[0-9]+ (?:more )?lines (?:omitted|elided|truncated|hidden|unchanged)|残りは?変更なし|変更なし|以下同様|以下同じ|以下変更なし)\s?[\]］>＞]",
        r"[(（]\s?(?:(?:the )?(?:rest|remainder|remaining \w+|existing \w+) (?:is |are |of [^)\n]{1,40} )?(?:unchanged|omitted|truncated|the same|as before)|omitted for brevity|[0-9]+ (?:more )?lines (?:omitted|elided|truncated|hidden)|残りは?変更なし|以下変更なし|以下同様)\s?[)）]",
        // In a comment.
        &format!(r"<!--\s*(?:{DOTS}[^>\n]{{0,60}}{LEFT_OUT}|{LEFT_OUT}[^>\n]{{0,40}}{DOTS})[^>\n]{{0,60}}-->"), r"<!--\s*(?:(?:the )?(?:rest|remainder|existing \w+)[^>\n]{0,40}(?:unchanged|omitted|the same|here)|以下省略|省略|中略|変更なし)[^>\n]{0,30}-->",
        &format!(r"^\s*(?:#+|//+|--|;+|%+|/\*+|\*|>)?\s*{DOTS}\s?(?:\(|（)?(?:the |and )?{LEFT_OUT}[^\n]{{0,80}}$"),
        &format!(r"^\s*(?:#+|//+|--|;+|/\*+)\s*(?:the )?{LEFT_OUT}[^\n]{{0,60}}{DOTS}\s*(?:\*/)?\s*$"),
        // What tools print.
        r"[\[(<]?(?:…|\.\.\.)\s?\+?[0-9]+ (?:more |other )?(?:lines|tokens|characters|chars|bytes|items|rows|sections)(?: (?:omitted|truncated|hidden|elided|unchanged))?[\])>]?", r"…\s?[0-9]+ tokens truncated\s?…",
    ];
}

/// The placeholders of a line, in bytes.
pub fn elisions(line: &str) -> Vec<Range<usize>> {
    PLACEHOLDER.find_all(line)
}
