//! Files whose names no document can hold.

use std::str::Utf8Chunk;

use memory_core::{AbsPath, Code, Diagnostic, Severity};

/// Tells a file whose path is not UTF-8: JSON can only show it.
pub(crate) fn foreign_name(path: &AbsPath) -> Option<Diagnostic> {
    if path.as_str().is_ascii() {
        return None;
    }
    let bytes = path.to_bytes();
    std::str::from_utf8(&bytes).err()?;
    let shown = path.to_string();
    let name = shown.rsplit('/').next().unwrap_or_default().replace('\u{fffd}', "_");
    let folder = path.parent().map(|folder| folder.to_bytes()).unwrap_or_default();
    // The folder may be the one whose name is odd.
    let rename = match std::str::from_utf8(&folder) {
        Ok(_) => {
            let target = [&*folder, b"/", name.as_bytes()].concat();
            format!("rename it, for example: mv {} {}", word(&bytes), word(&target))
        }
        Err(_) => format!("rename the folder {}", word(&folder)),
    };
    let message = "the path is not UTF-8: where it shows U+FFFD stands another byte on the disk, \
                   and no program finds the file by what is shown";
    let told = Diagnostic::new(Code("memport/path-not-utf8"), Severity::Warning, message);
    Some(told.at(path).help(rename))
}

/// A path as the usual shells take it, whatever its bytes.
fn word(path: &[u8]) -> String {
    let part = |chunk: Utf8Chunk<'_>| {
        let text: String = chunk.valid().chars().map(character).collect();
        let bytes = chunk.invalid().iter().map(|byte| format!("\\x{byte:02x}"));
        text + &bytes.collect::<String>()
    };
    let inside: String = path.utf8_chunks().map(part).collect();
    format!("$'{inside}'")
}

fn character(c: char) -> String {
    match c {
        '\'' | '\\' => format!("\\{c}"),
        c if c.is_ascii_control() => format!("\\x{:02x}", u32::from(c)),
        c => c.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_names_that_are_no_utf8_are_told_and_how_to_rename_them() {
        let tell = |bytes: &[u8]| foreign_name(&AbsPath::from_bytes(bytes).unwrap());
        assert_eq!(tell(b"/m/a.md"), None);
        assert_eq!(tell("/m/日本 \u{ef80}.md".as_bytes()), None);
        let help = |bytes: &[u8]| tell(bytes).unwrap().help.unwrap();
        assert_eq!(
            help(b"/m/it's \xe9\n.md"),
            r"rename it, for example: mv $'/m/it\'s \xe9\x0a.md' $'/m/it\'s _\x0a.md'"
        );
        assert_eq!(help(b"/m\xff/a.md"), r"rename the folder $'/m\xff'");
    }
}
