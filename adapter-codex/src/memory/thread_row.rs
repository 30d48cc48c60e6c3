//! The rows that the client makes its files from, and which of them it takes.

use crate::profile::Profile;
use uuid::Uuid;

/// What the client's database knows of one thread.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ThreadRow {
    /// The thread.
    pub thread_id: String,
    /// When it last changed, in seconds since 1970.
    pub source_updated_at: i64,
    /// A few words for its file's name.
    pub rollout_slug: Option<String>,
    /// Its branch; an empty text is not the same as none.
    pub git_branch: Option<String>,
    /// The folder it worked in.
    pub cwd: String,
    /// Its transcript.
    pub rollout_path: String,
    /// What was gathered from it; always empty for a v2 tree.
    pub raw_memory: String,
    /// What happened in it.
    pub rollout_summary: String,
    /// How often a reply cited it.
    pub usage_count: Option<i64>,
    /// When a reply last cited it, in seconds since 1970.
    pub last_usage: Option<i64>,
    /// Whether the client may learn from it.
    pub memory_mode: MemoryMode,
}

/// Whether the client may learn from a thread.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum MemoryMode {
    /// It may.
    #[default]
    Enabled,
    /// The person does not want it.
    Disabled,
    /// The thread has seen text from outside.
    Polluted,
}

/// Which threads a memory is made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ThreadSelection {
    /// How many at most.
    pub max_threads: usize,
    /// The moment, in seconds since 1970, before which a thread counts as unused.
    pub unused_before: i64,
}

impl ThreadSelection {
    /// The selection of a client that works at `now`, in seconds since 1970.
    ///
    /// `max_threads` and `max_unused_days` are the settings
    /// `max_raw_memories_for_consolidation` and `max_unused_days`, `None` where
    /// they are not set; values out of range are moved into it in silence, as
    /// the client does.
    pub fn new(
        profile: &Profile,
        now: i64,
        max_threads: Option<i64>,
        max_unused_days: Option<i64>,
    ) -> Self {
        let given = |value: Option<i64>, default: u64, least: u64, most: u64| {
            let value = value.map_or(default, |value| u64::try_from(value).unwrap_or_default());
            value.clamp(least, most)
        };
        let threads = given(max_threads, profile.memory_threads, 1, profile.memory_threads_cap);
        let days =
            given(max_unused_days, profile.memory_unused_days, 0, profile.memory_unused_days_cap);
        let seconds = i64::try_from(days * 86_400).unwrap_or(i64::MAX);
        Self {
            max_threads: usize::try_from(threads).unwrap_or(usize::MAX),
            unused_before: now.saturating_sub(seconds),
        }
    }

    /// The rows that are taken, in the order in which they are written: that of
    /// the threads' ids as text.
    ///
    /// A row whose id is no UUID stops the client altogether; here it is taken
    /// like any other. Those most used come first when there are too many. A thread that was
    /// used once, long ago, is left out however lately it changed.
    pub fn select<'r>(&self, rows: &'r [ThreadRow]) -> Vec<&'r ThreadRow> {
        let used = |row: &ThreadRow| row.last_usage.unwrap_or(row.source_updated_at);
        let mut taken: Vec<&ThreadRow> = rows
            .iter()
            .filter(|row| row.memory_mode == MemoryMode::Enabled && is_known(&row.thread_id))
            .filter(|row| has_text(&row.raw_memory) || has_text(&row.rollout_summary))
            .filter(|row| used(row) >= self.unused_before)
            .collect();
        let rank =
            |row: &&ThreadRow| (row.usage_count.unwrap_or(0), used(row), row.source_updated_at);
        taken.sort_by(|a, b| rank(b).cmp(&rank(a)).then_with(|| b.thread_id.cmp(&a.thread_id)));
        taken.truncate(self.max_threads);
        taken.sort_by(|a, b| a.thread_id.cmp(&b.thread_id));
        taken
    }
}

/// Whether the client finds a thread by this id: it looks for ids as it writes
/// them itself.
fn is_known(thread_id: &str) -> bool {
    Uuid::try_parse(thread_id).map_or(true, |id| id.hyphenated().to_string() == thread_id)
}

/// Whether the client's database counts a text as one: it trims blanks only,
/// and sees nothing behind a NUL.
fn has_text(text: &str) -> bool {
    !matches!(text.trim_matches(' ').chars().next(), None | Some('\0'))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(id: &str, updated: i64, used: Option<i64>, count: Option<i64>) -> ThreadRow {
        ThreadRow {
            thread_id: id.to_owned(),
            source_updated_at: updated,
            last_usage: used,
            usage_count: count,
            rollout_summary: "text".to_owned(),
            ..ThreadRow::default()
        }
    }

    fn selected(selection: ThreadSelection, rows: &[ThreadRow]) -> Vec<&str> {
        selection.select(rows).iter().map(|row| row.thread_id.as_str()).collect()
    }

    #[test]
    fn last_use_wins_over_a_late_change() {
        let now = 100 * 86_400;
        let selection = ThreadSelection::new(&Profile::default(), now, None, None);
        let rows = [
            row("fresh, used long ago", now - 86_400, Some(now - 40 * 86_400), Some(5)),
            row("old, used lately", 0, Some(now - 86_400), Some(1)),
            row("exactly at the limit", now - 30 * 86_400, None, None),
            row("one second over", now - 30 * 86_400 - 1, None, None),
        ];
        assert_eq!(selected(selection, &rows), ["exactly at the limit", "old, used lately"]);
    }

    #[test]
    fn settings_out_of_range_are_moved_into_it() {
        let new =
            |threads, days| ThreadSelection::new(&Profile::default(), 0, Some(threads), Some(days));
        assert_eq!(new(0, -1), ThreadSelection { max_threads: 1, unused_before: 0 });
        assert_eq!(new(9_999, 999).max_threads, 4_096);
        assert_eq!(new(1, 999).unused_before, -365 * 86_400);
    }

    #[test]
    fn the_most_used_are_taken_and_written_in_the_order_of_their_ids() {
        let selection = ThreadSelection { max_threads: 2, unused_before: 0 };
        let rows = [row("a", 9, None, None), row("b", 1, None, Some(2)), row("c", 9, None, None)];
        assert_eq!(selected(selection, &rows), ["b", "c"]);
        let mut empty = rows.clone();
        empty[1].rollout_summary = "  ".to_owned();
        empty[2].rollout_summary = "\n".to_owned();
        assert_eq!(selected(selection, &empty), ["a", "c"]);
    }
}
