//! Lines of a memory that name the place where the project was.

use memory_core::fs::Fs;
use memory_core::{AbsPath, Code, Diagnostic, Severity};

use crate::memory::topics;

/// How many topics are looked through.
const MAX_TOPICS: usize = 2_000;

/// How much of a topic is looked through, in bytes.
const MAX_LEN: u64 = 1024 * 1024;

/// How many lines are told.
const MAX_TOLD: usize = 100;

/// Tells the lines of the memory in `root` that name `old` or something below it.
pub(super) fn tell(fs: &dyn Fs, root: &AbsPath, old: &AbsPath, told: &mut Vec<Diagnostic>) {
    let wanted = old.to_string();
    let mut topics = topics(fs, root, MAX_TOPICS);
    topics.sort_by(|a, b| a.path.cmp(&b.path));
    let index = [crate::memory::INDEX.to_owned()];
    let files = index.into_iter().chain(topics.into_iter().map(|topic| topic.path));
    let found = files.flat_map(|file| {
        let path = root.join(file);
        let bytes = fs.read_up_to(&path, MAX_LEN).unwrap_or_default();
        let text = String::from_utf8_lossy(&bytes);
        let lines = text.lines().zip(1_u32..).filter(|(line, _)| names(line, &wanted));
        lines.map(|(_, number)| mention(&path, number, &wanted)).collect::<Vec<_>>()
    });
    told.extend(found.take(MAX_TOLD));
}

/// Whether a line names the path, and not one that only begins like it.
fn names(line: &str, path: &str) -> bool {
    line.match_indices(path).any(|(at, _)| {
        let after = line.get(at + path.len()..).and_then(|rest| rest.chars().next());
        after.is_none_or(|c| !(c.is_alphanumeric() || "-_.".contains(c)))
    })
}

fn mention(path: &AbsPath, line: u32, old: &str) -> Diagnostic {
    let message = format!("this line names `{old}`, where the project is no longer");
    let code = Code("claude/relocate-old-path");
    let told = Diagnostic::new(code, Severity::Hint, message).at(path).on_line(line);
    told.help("write the new path, or one that counts from the project's folder")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_that_only_begins_like_it_is_another() {
        for (line, is_named) in [
            ("see /w/old/docs", true),
            ("in `/w/old`", true),
            ("/w/old", true),
            ("/w/older", false),
            ("/w/old-2 and /w/old.md", false),
            ("/w/old-2, once /w/old", true),
        ] {
            assert_eq!(names(line, "/w/old"), is_named, "{line}");
        }
    }
}
