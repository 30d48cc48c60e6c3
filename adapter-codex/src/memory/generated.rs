//! The files that the client's code writes by itself, without a model.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use memory_core::RelPath;

use super::stem::RolloutStem;
use super::stem::rfc3339;
use super::thread_row::ThreadRow;
use super::version::{RAW_MEMORIES, ROLLOUTS};
use crate::profile::Profile;
use crate::resolution::MemoryVersion;

/// A file as the client writes it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GeneratedFile {
    /// Where it lies, relative to the tree's root.
    pub path: RelPath,
    /// What stands in it.
    pub text: String,
}

impl GeneratedFile {
    /// The files that the client writes from the rows it has taken, byte for byte
    /// and in the order of their paths: `raw_memories.md` in a v1 tree, and one
    /// rollout summary a thread.
    ///
    /// `rows` are those of [`ThreadSelection::select`](crate::ThreadSelection::select),
    /// in that order.
    pub fn of_rows(version: MemoryVersion, rows: &[&ThreadRow]) -> Vec<Self> {
        let file = |path: &str, text| RelPath::new(path).map(|path| Self { path, text });
        let raw = match version {
            MemoryVersion::V1 => file(RAW_MEMORIES, raw_memories(rows)),
            MemoryVersion::V2 => None,
        };
        let summaries = rows
            .iter()
            .filter_map(|row| file(&format!("{ROLLOUTS}/{}.md", stem(row)), rollout_summary(row)));
        let mut files: Vec<_> = raw.into_iter().chain(summaries).collect();
        files.sort_by(|a, b| a.path.cmp(&b.path));
        files
    }

    /// Which names in `rollout_summaries/` the client removes when it has taken
    /// `rows`: every `.md` that belongs to none of them. Other files stay.
    pub fn pruned<'n>(names: &[&'n str], rows: &[&ThreadRow]) -> Vec<&'n str> {
        let kept: BTreeSet<String> = rows.iter().map(|row| stem(row)).collect();
        let is_pruned =
            |name: &&&str| name.strip_suffix(".md").is_some_and(|stem| !kept.contains(stem));
        names.iter().filter(is_pruned).copied().collect()
    }
}

fn stem(row: &ThreadRow) -> String {
    RolloutStem::file_stem(&row.thread_id, row.source_updated_at, row.rollout_slug.as_deref())
}

fn raw_memories(rows: &[&ThreadRow]) -> String {
    let mut text = "# Raw Memories\n\n".to_owned();
    if rows.is_empty() {
        text.push_str("No raw memories yet.\n");
        return text;
    }
    text.push_str("Merged stage-1 raw memories (stable ascending thread-id order):\n\n");
    for row in rows {
        // Writing into a `String` cannot fail.
        let _ = write!(
            text,
            "## Thread `{}`\nupdated_at: {}\ncwd: {}\nrollout_path: {}\n\
             rollout_summary_file: {}.md\n\n{}\n\n",
            row.thread_id,
            rfc3339(row.source_updated_at),
            row.cwd,
            row.rollout_path,
            stem(row),
            row.raw_memory.trim(),
        );
    }
    text
}

fn rollout_summary(row: &ThreadRow) -> String {
    let updated_at = rfc3339(row.source_updated_at);
    let mut text = format!(
        "thread_id: {}\nupdated_at: {updated_at}\nrollout_path: {}\ncwd: {}\n",
        row.thread_id, row.rollout_path, row.cwd,
    );
    if let Some(branch) = &row.git_branch {
        let _ = writeln!(text, "git_branch: {branch}");
    }
    text.push('\n');
    text.push_str(&row.rollout_summary);
    text.push('\n');
    text
}

impl ThreadRow {
    /// What the client stores in a thread's row of a summary that its model wrote.
    ///
    /// For a v2 tree a long one loses its middle here, and not when its file is
    /// written; for a v1 tree it is stored whole.
    pub fn stored_summary(profile: &Profile, version: MemoryVersion, summary: &str) -> String {
        match version {
            MemoryVersion::V1 => summary.to_owned(),
            MemoryVersion::V2 => without_middle(summary, profile.rollout_summary_v2_max_bytes),
        }
    }
}

/// A text of at most `most` bytes, or its two ends with the number of
/// characters between them.
fn without_middle(text: &str, most: usize) -> String {
    if text.len() <= most {
        return text.to_owned();
    }
    let starts_character = |at: &usize| text.is_char_boundary(*at);
    let head_end = (0..=most / 2).rev().find(starts_character).unwrap_or_default();
    let tail = text.len() - (most - most / 2);
    let tail_start = (tail..text.len()).find(starts_character).unwrap_or(text.len());
    let part = |range| text.get::<std::ops::Range<usize>>(range).unwrap_or_default();
    let lost = part(head_end..tail_start).chars().count();
    format!("{}…{lost} chars truncated…{}", part(0..head_end), part(tail_start..text.len()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_summary_loses_its_middle_for_a_v2_tree_only() {
        let stored =
            |version, text: &str| ThreadRow::stored_summary(&Profile::default(), version, text);
        let long = "x".repeat(9_514);
        assert_eq!(stored(MemoryVersion::V1, &long), long);
        let half = "x".repeat(4_500);
        assert_eq!(stored(MemoryVersion::V2, &long), format!("{half}…514 chars truncated…{half}"));
        let (head, tail) = ("あ".repeat(1_499), "あ".repeat(1_500));
        let long = format!("x{}", "あ".repeat(4_000));
        let want = format!("x{head}…1001 chars truncated…{tail}");
        assert_eq!(stored(MemoryVersion::V2, &long), want);
    }

    #[test]
    fn characters_are_counted_not_bytes() {
        assert_eq!(without_middle("世世世世", 8), "世…2 chars truncated…世");
        assert_eq!(without_middle("世世", 6), "世世");
    }

    #[test]
    fn only_markdown_that_belongs_to_no_thread_is_pruned() {
        let row = ThreadRow { thread_id: "ab".to_owned(), ..ThreadRow::default() };
        let names = ["1970-01-01T00-00-00-00O5.md", "00042_mine.md", "notes.txt"];
        assert_eq!(GeneratedFile::pruned(&names, &[&row]), ["00042_mine.md"]);
    }
}
