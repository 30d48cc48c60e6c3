use std::collections::HashSet;

use memory_core::AbsPath;
use memory_core::fs::{FileKind, Fs, name_to_bytes};

/// A rule file that was found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct RuleFile {
    /// The file, links resolved: so the client names it.
    pub(crate) path: AbsPath,
    /// The path on which it was found.
    pub(crate) found_as: AbsPath,
}

/// Folders that wait for their turn, for each level; deeper trees are not looked at.
const MAX_DEPTH: usize = 512;

/// The rule files below a folder, in the order in which the file system lists
/// them: files and folders as they come, a folder's files in its place.
pub(crate) fn discover(fs: &dyn Fs, folder: &AbsPath) -> Vec<RuleFile> {
    let mut found = Vec::new();
    let mut entered: HashSet<AbsPath> = HashSet::new();
    let mut open = Vec::new();
    enter(fs, folder, &mut entered, &mut open);
    while let Some(level) = open.last_mut() {
        let Some((path, kind)) = level.pop() else {
            open.pop();
            continue;
        };
        let is_rule = path.file_name().is_some_and(|name| name.strip_suffix(".md").is_some());
        match kind {
            FileKind::Dir if open.len() < MAX_DEPTH => enter(fs, &path, &mut entered, &mut open),
            FileKind::File | FileKind::Special if is_rule => {
                let real = fs.canonicalize(&path).unwrap_or_else(|_| path.clone());
                found.push(RuleFile { path: real, found_as: path });
            }
            _ => {}
        }
    }
    found
}

type Level = Vec<(AbsPath, FileKind)>;

/// Lists a folder that was not listed before; last entry first, so that the first can be popped.
fn enter(fs: &dyn Fs, folder: &AbsPath, entered: &mut HashSet<AbsPath>, open: &mut Vec<Level>) {
    let Ok(real) = fs.canonicalize(folder) else { return };
    if !entered.insert(real) {
        return;
    }
    let Ok(entries) = fs.read_dir(folder) else { return };
    let mut level: Level = entries
        .filter_map(Result::ok)
        .filter(|entry| is_reachable(&entry.name))
        .filter_map(|entry| {
            let path = folder.join(&entry.name);
            let kind = match entry.kind {
                FileKind::Symlink => fs.metadata(&path).ok()?.kind,
                kind => kind,
            };
            Some((path, kind))
        })
        .collect();
    level.reverse();
    open.push(level);
}

/// Whether the client finds a file again by the name that it listed: it reads
/// names as UTF-8, and an invalid byte is lost.
pub(crate) fn is_reachable(name: &str) -> bool {
    name.is_ascii() || name_to_bytes(name) == name.as_bytes()
}

#[cfg(test)]
mod tests {
    use memory_core::fs::MemFs;

    use super::*;

    fn names(fs: &MemFs) -> Vec<String> {
        let found = discover(fs, &AbsPath::new("/p/rules").unwrap());
        found.iter().map(|rule| rule.path.to_string()).collect()
    }

    #[test]
    fn files_and_folders_come_in_the_order_of_the_file_system() {
        let fs = MemFs::from_files([
            ("/p/rules/b.md", ""),
            ("/p/rules/a/z.md", ""),
            ("/p/rules/.h/x.md", ""),
            ("/p/rules/A.MD", ""),
            ("/p/rules/c.mdc", ""),
        ]);
        assert_eq!(names(&fs), ["/p/rules/.h/x.md", "/p/rules/a/z.md", "/p/rules/b.md"]);
    }

    #[test]
    fn links_are_followed_and_loops_end() {
        let mut fs = MemFs::from_files([("/p/rules/a.md", ""), ("/out/o.md", "")]);
        fs.link("/p/rules/b", ".").link("/p/rules/c", "/out").link("/p/rules/d.md", "nowhere");
        assert_eq!(names(&fs), ["/p/rules/a.md", "/out/o.md"]);
    }

    #[test]
    fn names_that_are_no_utf_8_are_lost() {
        let foreign = memory_core::fs::name_from_bytes(b"/p/rules/x\xff.md");
        assert_eq!(names(&MemFs::from_files([(foreign, "x")])), [""; 0]);
    }

    #[test]
    fn what_is_no_folder_holds_no_rules() {
        assert_eq!(names(&MemFs::from_files([("/p/rules", "x")])), [""; 0]);
    }
}
