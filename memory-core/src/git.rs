//! What a repository says of its files, read without the program.

use std::collections::HashSet;

use crate::fs::Fs;
use crate::path::{AbsPath, name_from_bytes};

/// The largest index that is read, in bytes.
const MAX_LEN: u64 = 512 << 20;
/// Bytes of an entry before its name, in its usual form.
const FIXED_LEN: usize = 62;

/// The files below a folder's own repository that are under version control,
/// relative to it; empty where there is none, or none that can be read.
pub(crate) fn tracked(fs: &dyn Fs, top: &AbsPath) -> HashSet<String> {
    let git = top.join(".git");
    let folder = match fs.read_up_to(&git, 64 * 1024) {
        // A worktree or a submodule has a file that says where its folder is.
        Ok(bytes) => {
            let text = String::from_utf8_lossy(&bytes).into_owned();
            match text.trim().strip_prefix("gitdir:") {
                Some(folder) => top.join(folder.trim()),
                None => return HashSet::new(),
            }
        }
        Err(_) => git,
    };
    let index = fs.read_up_to(&folder.join("index"), MAX_LEN).unwrap_or_default();
    names(&index).unwrap_or_default()
}

fn names(bytes: &[u8]) -> Option<HashSet<String>> {
    let head = bytes.get(..12)?;
    let number = |at: usize| head.get(at..at + 4)?.try_into().ok().map(u32::from_be_bytes);
    let (version, count) = (number(4)?, number(8)?);
    if head.get(..4)? != b"DIRC" || !(2..=4).contains(&version) {
        return None;
    }
    let mut names = HashSet::new();
    let mut at = 12;
    let mut last: Vec<u8> = Vec::new();
    for _ in 0..count {
        let flags = bytes.get(at + FIXED_LEN - 2..at + FIXED_LEN)?;
        let is_extended = flags.first()? & 0x40 != 0;
        let mut start = at + FIXED_LEN + if is_extended { 2 } else { 0 };
        let mut name = Vec::new();
        if version == 4 {
            let (cut, len) = offset(bytes.get(start..)?)?;
            start += len;
            name.extend_from_slice(last.get(..last.len().checked_sub(cut)?)?);
        }
        let rest = bytes.get(start..)?;
        let end = memchr::memchr(0, rest)?;
        name.extend_from_slice(rest.get(..end)?);
        at = if version == 4 { start + end + 1 } else { at + (start + end - at) / 8 * 8 + 8 };
        names.insert(name_from_bytes(&name));
        last = name;
    }
    Some(names)
}

/// A number in the form in which the index keeps how much of a name is shared.
fn offset(bytes: &[u8]) -> Option<(usize, usize)> {
    let mut value = 0_usize;
    for (number, byte) in bytes.iter().enumerate().take(9) {
        if number > 0 {
            value = value.checked_add(1)?;
        }
        value = value.checked_mul(128)?.checked_add(usize::from(byte & 0x7f))?;
        if byte & 0x80 == 0 {
            return Some((value, number + 1));
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fs::MemFs;

    fn index(version: u32, names: &[(&str, usize)]) -> Vec<u8> {
        let mut bytes = b"DIRC".to_vec();
        bytes.extend(version.to_be_bytes());
        bytes.extend(u32::try_from(names.len()).unwrap().to_be_bytes());
        for (name, cut) in names {
            let start = bytes.len();
            bytes.extend([0; FIXED_LEN]);
            if version == 4 {
                bytes.push(u8::try_from(*cut).unwrap());
            }
            bytes.extend(name.as_bytes());
            bytes.push(0);
            while version != 4 && (bytes.len() - start) % 8 != 0 {
                bytes.push(0);
            }
        }
        bytes
    }

    #[test]
    fn the_names_of_an_index_are_read_in_every_version() {
        let found = |bytes: &[u8]| {
            let mut names: Vec<String> = names(bytes).unwrap().into_iter().collect();
            names.sort();
            names
        };
        let plain = index(2, &[("CLAUDE.md", 0), ("docs/日本.md", 0), ("x", 0)]);
        assert_eq!(found(&plain), ["CLAUDE.md", "docs/日本.md", "x"]);
        let short = index(4, &[("docs/a.md", 0), ("b.md", 4), ("x", 9)]);
        assert_eq!(found(&short), ["docs/a.md", "docs/b.md", "x"]);
        assert!(names(b"DIRC").is_none() && names(b"nonsense, and more").is_none());
    }

    #[test]
    fn a_worktree_says_where_its_index_is() {
        let mut fs = MemFs::new();
        fs.file("/r/.git/worktrees/w/index", index(2, &[("a", 0)]))
            .file("/w/.git", "gitdir: /r/.git/worktrees/w\n");
        assert!(tracked(&fs, &AbsPath::new("/w").unwrap()).contains("a"));
        assert!(tracked(&fs, &AbsPath::new("/r").unwrap()).is_empty());
    }
}
