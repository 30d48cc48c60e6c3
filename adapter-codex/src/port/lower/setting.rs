//! One setting in the client's configuration, all else as it is.

use std::sync::Arc;

use memory_core::AbsPath;
use toml_edit::{DocumentMut, Item, value};

use crate::config::file::FILE_LIMIT;
use crate::port::ground::Ground;

/// The bytes of a file before and after.
type Change = (Option<Arc<[u8]>>, Arc<[u8]>);

/// Sets a number at the top of a file; `None` when the file is no such file.
pub(super) fn set(ground: &Ground<'_>, file: &AbsPath, key: &str, number: u64) -> Option<Change> {
    let fs = ground.world.fs;
    let before = match fs.metadata(file) {
        Err(error) if error.is_absence() => None,
        _ => Some(fs.read_up_to(file, FILE_LIMIT).ok()?),
    };
    let text = std::str::from_utf8(before.as_deref().unwrap_or_default()).ok()?;
    let after = edited(text, key, i64::try_from(number).ok()?)?;
    Some((before.map(Arc::from), after.into_bytes().into()))
}

fn edited(text: &str, key: &str, number: i64) -> Option<String> {
    let (mark, plain) = match text.strip_prefix('\u{feff}') {
        Some(rest) => ("\u{feff}", rest),
        None => ("", text),
    };
    let mut document: DocumentMut = plain.parse().ok()?;
    let mut new = value(number);
    // A comment behind the old value stays behind the new one.
    if let Some(Item::Value(old)) = document.get(key)
        && let Item::Value(new) = &mut new
    {
        *new.decor_mut() = old.decor().clone();
    }
    match document.get_mut(key) {
        Some(item) => *item = new,
        None => {
            document.insert(key, new);
        }
    }
    let edited = document.to_string();
    let has_windows_lines = plain.contains("\r\n") && !plain.replace("\r\n", "").contains('\n');
    let edited =
        if has_windows_lines { edited.replace("\r\n", "\n").replace('\n', "\r\n") } else { edited };
    Some(format!("{mark}{edited}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_number_changes_and_nothing_else() {
        let set = |text: &str| edited(text, "bytes", 8).unwrap();
        assert_eq!(set(""), "bytes = 8\n");
        assert_eq!(set("# a\nbytes = 1 # b\n\n[x]\ny = 1\n"), "# a\nbytes = 8 # b\n\n[x]\ny = 1\n");
        assert_eq!(set("# a\n[x] # b\ny = 1\n"), "bytes = 8\n# a\n[x] # b\ny = 1\n");
        assert_eq!(set("a = 1\n\n[x]\ny = 1"), "a = 1\nbytes = 8\n\n[x]\ny = 1\n");
        assert_eq!(set("\u{feff}a = 1\r\n"), "\u{feff}a = 1\r\nbytes = 8\r\n");
        assert_eq!(edited("a = = 1", "bytes", 8), None);
    }
}
