//! Changes of text in the form that `patch` reads.

use std::time::Duration;

use similar::TextDiff;

/// The longest that is spent on finding a short diff; a longer one serves too.
const PATIENCE: Duration = Duration::from_millis(200);

/// The unified diff from one text to another, `None` for a file that is not
/// there; `None` where one of them is no text.
pub(super) fn diff(path: &str, old: Option<&[u8]>, new: Option<&[u8]>) -> Option<String> {
    let text = |bytes: Option<&[u8]>| match bytes {
        Some(bytes) => std::str::from_utf8(bytes).map(str::to_owned).ok(),
        None => Some(String::new()),
    };
    let name = |bytes: Option<&[u8]>| if bytes.is_some() { path } else { "/dev/null" };
    let (old_text, new_text) = (text(old)?, text(new)?);
    let diff = TextDiff::configure().timeout(PATIENCE).diff_lines(&old_text, &new_text);
    Some(diff.unified_diff().header(name(old), name(new)).to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_new_file_is_all_additions_and_a_lost_line_end_is_seen() {
        insta::assert_snapshot!(diff("/a.md", None, Some("one\n二\n".as_bytes())).unwrap(), @r"
        --- /dev/null
        +++ /a.md
        @@ -0,0 +1,2 @@
        +one
        +二
        ");
        insta::assert_snapshot!(diff("/a.md", Some(b"one\ntwo\n"), Some(b"one\ntwo")).unwrap(), @r"
        --- /a.md
        +++ /a.md
        @@ -1,2 +1,2 @@
         one
        -two
        +two
        \ No newline at end of file
        ");
        assert_eq!(diff("/a", Some(b"\xff"), None), None);
    }
}
