use memory_core::AbsPath;
use memory_core::fs::{FileKind, Fs};

/// How many names are looked at.
const MAX_ENTRIES: usize = 5000;

/// Folders that hold nothing that a person edits.
const SKIPPED: &[&str] = &[".git", "node_modules", "target"];

/// The files below a folder, or `None` when there are too many to look at.
pub(super) fn files(fs: &dyn Fs, top: &AbsPath) -> Option<Vec<AbsPath>> {
    let mut files = Vec::new();
    let mut open = vec![top.clone()];
    let mut seen = 0;
    while let Some(dir) = open.pop() {
        let Ok(entries) = fs.read_dir(&dir) else { continue };
        for entry in entries.filter_map(Result::ok) {
            seen += 1;
            if seen > MAX_ENTRIES {
                return None;
            }
            let path = dir.join(&entry.name);
            match entry.kind {
                FileKind::Dir if SKIPPED.contains(&entry.name.as_str()) => {}
                FileKind::Dir => open.push(path),
                _ => files.push(path),
            }
        }
    }
    Some(files)
}
