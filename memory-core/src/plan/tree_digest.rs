//! What a move carries, so that an undo sees what changed in it since.

use serde::{Deserialize, Serialize};

use crate::digest::Digest;
use crate::fs::{FileKind, Fs, MAX_READ};
use crate::path::AbsPath;

/// Largest file in bytes that is known by its bytes; larger ones are known by
/// their size and the time of their last change.
const MAX_DIGESTED: u64 = 1024 * 1024;

/// How many bytes of one move are read for that at most.
const MAX_DIGESTED_IN_ALL: u64 = MAX_READ;

/// A file, a link or an empty folder in what is moved, or the moved file itself.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct TreeEntry {
    /// The path below what is moved; empty for itself.
    path: String,
    /// Its size in bytes.
    len: u64,
    /// Its last change in nanoseconds since 1970.
    modified: Option<u64>,
    /// The digest of its bytes or of its target.
    digest: Option<String>,
}

impl TreeEntry {
    /// Whether nothing happened to it; a new time alone is nothing where the
    /// bytes are known.
    fn is_unchanged(&self, now: &Self) -> bool {
        let same_bytes = match (&self.digest, &now.digest) {
            (Some(then), Some(now)) => then == now,
            _ => self.modified == now.modified,
        };
        self.path == now.path && self.len == now.len && same_bytes
    }
}

/// All entries in the order of their paths.
pub(super) fn tree_digest(fs: &dyn Fs, top: &AbsPath) -> Vec<TreeEntry> {
    let mut found = Vec::new();
    let mut todo = vec![top.clone()];
    while let Some(path) = todo.pop() {
        let Ok(metadata) = fs.symlink_metadata(&path) else { continue };
        let entries = match metadata.kind {
            FileKind::Dir => fs.read_dir(&path).ok(),
            _ => None,
        };
        let mut below: Vec<AbsPath> = entries
            .map(|entries| entries.flatten().map(|entry| path.join(entry.name)).collect())
            .unwrap_or_default();
        if metadata.is_dir() && !below.is_empty() {
            todo.append(&mut below);
            continue;
        }
        let since =
            metadata.modified.and_then(|time| time.duration_since(std::time::UNIX_EPOCH).ok());
        found.push((
            metadata.kind,
            TreeEntry {
                path: path.strip_prefix(top).unwrap_or_default().to_owned(),
                len: if metadata.is_dir() { 0 } else { metadata.len },
                modified: since
                    .filter(|_| !metadata.is_dir())
                    .and_then(|since| u64::try_from(since.as_nanos()).ok()),
                digest: None,
            },
        ));
    }
    found.sort_unstable_by(|(_, a), (_, b)| a.path.cmp(&b.path));
    let mut left = MAX_DIGESTED_IN_ALL;
    for (kind, entry) in &mut found {
        let path = if entry.path.is_empty() { top.clone() } else { top.join(&entry.path) };
        let digest = match kind {
            FileKind::Symlink => {
                fs.read_link(&path).ok().map(|target| Digest::of(target.as_bytes()))
            }
            FileKind::File if entry.len <= MAX_DIGESTED.min(left) => {
                left -= entry.len;
                fs.read_up_to(&path, MAX_DIGESTED).ok().map(|bytes| Digest::of(&bytes))
            }
            _ => None,
        };
        entry.digest = digest.map(|digest| digest.to_string());
    }
    found.into_iter().map(|(_, entry)| entry).collect()
}

/// The first path that is not as it was, in the order of the paths.
pub(super) fn first_change(
    then: &[TreeEntry],
    now: &[TreeEntry],
    top: &AbsPath,
) -> Option<AbsPath> {
    let (mut then, mut now) = (then.iter().peekable(), now.iter().peekable());
    loop {
        let changed = match (then.peek(), now.peek()) {
            (None, None) => return None,
            (Some(old), Some(new)) if old.is_unchanged(new) => {
                then.next();
                now.next();
                continue;
            }
            (Some(old), Some(new)) => (&old.path).min(&new.path),
            (Some(only), None) | (None, Some(only)) => &only.path,
        };
        return Some(if changed.is_empty() { top.clone() } else { top.join(changed) });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fs::MemFs;

    #[test]
    fn the_first_change_is_named_whatever_kind_it_is() {
        let top = AbsPath::new("/m").unwrap();
        let mut before = MemFs::from_files([("/m/a.md", "1"), ("/m/b/c.md", "2")]);
        before.link("/m/l", "a.md").dir("/m/empty");
        let then = tree_digest(&before, &top);
        let change = |edit: &dyn Fn(&mut MemFs)| {
            let mut fs = before.clone();
            edit(&mut fs);
            first_change(&then, &tree_digest(&fs, &top), &top).map(|path| path.to_string())
        };
        assert_eq!(change(&|_| {}), None);
        let changed = |edit: &dyn Fn(&mut MemFs)| change(edit).unwrap();
        assert_eq!(changed(&|fs| _ = fs.file("/m/a.md", "9")), "/m/a.md");
        assert_eq!(changed(&|fs| _ = fs.file("/m/b/c.md", "")), "/m/b/c.md");
        assert_eq!(changed(&|fs| _ = fs.file("/m/new.md", "")), "/m/new.md");
        assert_eq!(changed(&|fs| _ = fs.remove("/m/b")), "/m/b/c.md");
        assert_eq!(changed(&|fs| _ = fs.link("/m/l", "b.md")), "/m/l");
        assert_eq!(changed(&|fs| _ = fs.file("/m/empty/x", "")), "/m/empty");
    }

    #[test]
    fn a_large_file_is_known_by_its_time_and_a_small_one_by_its_bytes() {
        let top = AbsPath::new("/m").unwrap();
        let later = std::time::UNIX_EPOCH + std::time::Duration::from_secs(1);
        for (len, expected) in [(MAX_DIGESTED, None), (MAX_DIGESTED + 1, Some("/m/f"))] {
            let len = usize::try_from(len).unwrap();
            let mut fs = MemFs::from_files([("/m/f", vec![b'x'; len])]);
            let then = tree_digest(&fs, &top);
            fs.modified("/m/f", later);
            let found = first_change(&then, &tree_digest(&fs, &top), &top);
            assert_eq!(found.map(|path| path.to_string()).as_deref(), expected);
        }
    }
}
