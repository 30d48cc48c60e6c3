//! The topic files of a memory folder.

use std::cmp::Reverse;
use std::time::SystemTime;

use memory_core::AbsPath;
use memory_core::fs::{FileKind, Fs};

use super::visible::is_invisible;

/// One topic file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Topic {
    /// Its path below the memory folder, `/` between the parts.
    pub(crate) path: String,
    /// When it was last changed.
    pub(crate) modified: Option<SystemTime>,
}

impl Topic {
    /// The file's name without `.md`.
    pub(crate) fn stem(&self) -> &str {
        let name = self.path.rsplit('/').next().unwrap_or_default();
        name.strip_suffix(".md").unwrap_or(name)
    }
}

/// How many folders may lie in each other.
const DEEPEST: usize = 64;

/// At most `limit` topic files that an index can list, in no particular order.
pub(crate) fn topics(fs: &dyn Fs, root: &AbsPath, limit: usize) -> Vec<Topic> {
    let mut found = Vec::new();
    let mut folders = vec![(root.clone(), 0)];
    while let Some((folder, depth)) = folders.pop() {
        let Ok(entries) = fs.read_dir(&folder) else { continue };
        for entry in entries.flatten() {
            let path = folder.join(&entry.name);
            match entry.kind {
                FileKind::Dir if depth < DEEPEST && is_listed_folder(&entry.name) => {
                    folders.push((path, depth + 1));
                }
                FileKind::File if is_listed_file(&entry.name) => {
                    let modified = fs.metadata(&path).ok().and_then(|found| found.modified);
                    let below = path.strip_prefix(root).unwrap_or_default().to_owned();
                    found.push(Topic { path: below, modified });
                }
                _ => {}
            }
            if found.len() >= limit {
                return found;
            }
        }
    }
    found
}

/// Sorts topics as a rebuilt index lists them: the last changed one first, those of
/// the same time in the order of the file system.
pub(crate) fn sort_newest_first(topics: &mut [Topic]) {
    topics.sort_by_key(|topic| Reverse(topic.modified));
}

/// Folders that an index leaves out, in any case.
const LEFT_OUT: &[&str] = &["team", "logs"];

fn is_listed_folder(name: &str) -> bool {
    !LEFT_OUT.iter().any(|left_out| name.eq_ignore_ascii_case(left_out)) && is_listed_name(name)
}

fn is_listed_file(name: &str) -> bool {
    is_markdown(name) && name != INDEX && is_listed_name(name)
}

/// Whether a name ends in `.md`; in capitals the ending is another one.
pub(crate) fn is_markdown(name: &str) -> bool {
    name.strip_suffix(".md").is_some()
}

/// The index file of a memory folder.
pub(crate) const INDEX: &str = "MEMORY.md";

/// Names that could break a link, or that look like another name, are left out.
fn is_listed_name(name: &str) -> bool {
    !name.starts_with('.')
        && !name.contains(['(', ')', '[', ']', '\n', '\r', '\t'])
        && !name.chars().any(is_invisible)
}

#[cfg(test)]
mod tests {
    use memory_core::fs::MemFs;

    use super::*;

    fn listed(names: &[&str]) -> Vec<String> {
        let mut fs = MemFs::from_files(names.iter().map(|name| (format!("/m/{name}"), "x")));
        fs.link("/m/link.md", "a.md");
        let mut found = topics(&fs, &AbsPath::new("/m").unwrap(), usize::MAX);
        found.sort_by(|a, b| a.path.cmp(&b.path));
        found.into_iter().map(|topic| topic.path).collect()
    }

    #[test]
    fn team_and_logs_are_left_out_at_any_depth_and_in_any_case() {
        let names = [
            "TEAM/a.md",
            "x/Team/a.md",
            "x/logs/a.md",
            "teams/a.md",
            "log/a.md",
            "team.md",
            "x/b.md",
        ];
        assert_eq!(listed(&names), ["log/a.md", "team.md", "teams/a.md", "x/b.md"]);
    }

    #[test]
    fn names_that_would_break_or_hide_are_left_out() {
        let names = [
            "a(1).md",
            "b[1]/x.md",
            ".c.md",
            ".d/x.md",
            "e\u{200b}.md",
            "f\u{202e}.md",
            "g.MD",
            "h.txt",
            "i\tj.md",
            "x/MEMORY.md",
            "x/memory.md",
            "MEMORY_ARCHIVED.md",
            "👨\u{200d}👩.md",
            "n\u{a0}n.md",
        ];
        assert_eq!(
            listed(&names),
            ["MEMORY_ARCHIVED.md", "n\u{a0}n.md", "x/memory.md", "👨\u{200d}👩.md"]
        );
    }
}
