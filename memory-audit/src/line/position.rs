//! Positions in source code: they are wrong after the next edit.

use crate::pattern::patterns;

/// Endings of files with code or configuration.
const CODE: &str = r"(?:[cm]?[jt]sx?|py|pyi|rs|go|rb|java|kts?|swift|c|cc|cpp|cxx|h|hpp|cs|php|dart|scala|clj|exs?|erl|hs|ml|lua|pl|pm|r|jl|sh|bash|zsh|fish|ps1|sql|vue|svelte|astro|html?|s?css|less|sass|json5?|jsonc|ya?ml|toml|ini|cfg|conf|env|xml|gradle|tf|hcl|proto|graphql|arb|md|mdx|rst|txt|lock|mk|cmake|nix|zig|v|sol|erb|ejs|hbs|tpl|plist|service|bat|properties|po|strings|ipynb|tex)";

patterns! {
    /// A file with a line behind it, in one of the usual forms.
    IN_FILE = [
        &format!(r"[\w.@\-]*\w\.{CODE}[:：]\s?[lL]?[0-9]{{1,6}}(?:[:-][0-9]+)?(?:[^0-9.\w/]|\.\s|\.?$)"),
        &format!(r"[\w.@\-]*\w\.{CODE}\s*#L?[0-9]+"),
        &format!(r"[\w.@\-]*\w\.{CODE}\s*\([0-9]{{1,6}}(?:,\s?[0-9]+)?\)"),
        &format!(r"[\w.@\-]*\w\.{CODE}[\s,、(（]{{1,3}}(?:at\s+|on\s+)?(?:lines?|ll?\.|L)\s?[0-9]{{1,6}}"),
        r"\b(?:Makefile|Dockerfile|Justfile|Rakefile|Gemfile|Procfile|Jenkinsfile|Vagrantfile)[:#][lL]?[0-9]+",
        r"#L[0-9]+(?:-L?[0-9]+)?\b",
        r"\b(?-i:L)[0-9]{2,6}(?:\s?[-–~〜]\s?(?-i:L)?[0-9]{2,6})?\b(?:\s*(?:of|in|の|に|で|を|から|付近|あたり))",
        r"[\w/]+/[\w.\-]+:[0-9]{1,6}(?:[:-][0-9]+)?(?:[^0-9.\w/]|\.\s|\.?$)",
    ];
    /// A line number in words.
    NUMBERED = [
        r"\b(?:on|at|in|around|near|from|see|to|until|past|after|before)\s+lines?\s+[0-9][0-9,]*",
        r"\blines?\s+[0-9][0-9,]*\s*(?:[-–~]|to|through|and)\s*[0-9]+",
        r"\blines?\s+#?[0-9][0-9,]*\b",
        r"\blineno\.?\s*[:=]?\s*[0-9]+",
        r"(?:第\s?)?[0-9０-９][0-9０-９,，]*\s*(?:行目|行め|行付近|行あたり|行から|行を|行に|行の)",
        r"(?:[0-9０-９]+\s*[-–~〜～]\s*[0-9０-９]+)\s*行",
        r"行番号\s*[:：は]?\s*[0-9０-９]+",
    ];
    /// What makes such a number one of code.
    OF_CODE = [
        &format!(r"[\w\-]\.{CODE}\b"),
        r"[a-z]+_[a-z_]+\b", r"\b(?-i:[a-z]+[A-Z]\w+|[A-Z][a-z]+[A-Z]\w+)\b", r"\w\(\)", r"::\w",
        r"関数|メソッド|クラス|ソース|コード|実装|定義|変数|引数|分岐|処理|設定ファイル|スクリプト|テスト|モジュール|構造体|定数|判定|呼び出|読み込み",
        r"\b(?:function|method|class|source|code|file|script|module|struct|constant|parser|handler|branch|hack|defined|definition|logic|implementation|test|import|check|lives|starts|call|component|hook|config)\b",
        r"`[^`]+`",
    ];
    /// What makes it one of something else: tables, letters, lists.
    OF_DATA = [
        r"\.(?:csv|tsv|xlsx?|ods|pdf|docx?)\b|\bCSV\b|\bTSV\b|表計算|シート|見出し|伝票|明細|帳票|住所|宛名|本文|名簿|件名|ヘッダ|印字|レシート|納品書|請求書|発注書|題名|画面|スプレッド|列|欄|メール|文面|手紙|詩|曲",
        r"\b(?:spreadsheet|sheet|address|letter|receipt|invoice|header row|csv|tsv|column|columns|label|subject|poem|screen|title|body text|email|message|assembly|production|subway|train|bus|phone|credit)\b",
    ];
}

/// Where in the text a position in code is named.
pub(super) fn find(text: &str) -> Option<std::ops::Range<usize>> {
    if let Some(found) = IN_FILE.find_all(text).into_iter().find(|found| !is_address(text, found)) {
        return Some(found);
    }
    let found = NUMBERED.find(text)?;
    let named = text.get(found.clone()).unwrap_or_default();
    let number: String = named.chars().filter(char::is_ascii_digit).collect();
    // A limit of so many lines is no place: "300 行を超える", "at most 200 lines".
    (OF_CODE.is_in(text) && (!OF_DATA.is_in(text) || number.len() > 2)
        || number.len() > 2 && !OF_DATA.is_in(text))
    .then_some(found)
}

/// Whether what looks like a file is a host, an image or a version with a port or tag.
fn is_address(text: &str, found: &std::ops::Range<usize>) -> bool {
    let before = text.get(..found.start).unwrap_or_default();
    let named = text.get(found.clone()).unwrap_or_default();
    let is_url = before.rsplit(char::is_whitespace).next().is_some_and(|word| word.contains("://"))
        || named.contains("://")
        || named.starts_with("//");
    // A link to a line is a place, wherever the repository lies.
    if named.contains('#') {
        return false;
    }
    let host = named.split(['/', ':']).next().unwrap_or_default();
    let is_path = named.contains('/') && !host.is_empty();
    let first_part_is_host = is_path && host.contains('.') && !named.starts_with('.');
    let tail = named.rsplit('/').next().unwrap_or_default();
    let has_ending = tail.split(':').next().is_some_and(|file| file.contains('.'));
    // `registry/app:17` is an image; `src/shelf:12` would be one too.
    is_url || first_part_is_host || is_path && !has_ending
}
