//! Notes of a memory: their names, made of dates that stand in files.

use memory_core::fs::MemFs;
use memory_core::model::Memory;
use memory_core::time::UtcTime;
use memory_core::{AbsPath, Env, World};

use crate::memory::tree::MemoryTree;

/// The time of a note that has none: the same at every port.
const NO_TIME: i64 = 946_684_800;

/// Names notes, each once.
pub(super) struct Notes {
    root: AbsPath,
    given: MemFs,
}

impl Notes {
    /// None is named yet.
    pub(super) fn new(root: AbsPath) -> Self {
        Self { root, given: MemFs::new() }
    }

    /// The path of a new note; `None` for a blank text. What is on disk plays
    /// no part: an earlier port's notes keep their names.
    pub(super) fn path(&mut self, text: &str, date: Option<&str>) -> Option<AbsPath> {
        let world = World { fs: &self.given, env: &Env::default() };
        let now = date.and_then(seconds).unwrap_or(NO_TIME);
        let path = MemoryTree::new_note(world, &self.root, text, now).ok()?.path;
        self.given.file(path.as_str(), "");
        Some(path)
    }
}

/// The date of a memory: of its last change, else of its making.
pub(super) fn date(memory: &Memory) -> Option<&str> {
    memory.when.modified.as_deref().or(memory.when.created.as_deref())
}

/// Seconds since 1970 of a date that begins `2026-11-09`, with the time that
/// follows in it; its zone is not looked at.
fn seconds(date: &str) -> Option<i64> {
    let mut numbers = date.split(|c: char| !c.is_ascii_digit()).filter(|part| !part.is_empty());
    let mut next = || numbers.next().and_then(|part| part.parse::<i64>().ok());
    let (year, month, day) = (next()?, next()?, next()?);
    let is_date =
        (1..=9_999).contains(&year) && (1..=12).contains(&month) && (1..=31).contains(&day);
    if !is_date || date.trim().find('-') != Some(4) {
        return None;
    }
    let mut clock = || next().filter(|number| *number < 60).unwrap_or_default();
    let (hour, minute, second) = (clock().min(23), clock(), clock());
    UtcTime::from_parts([year, month, day], [hour, minute, second]).map(UtcTime::unix)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_are_read_as_they_are_written() {
        for (date, want) in [
            ("1970-01-01", Some(0)),
            ("2026-11-28T22:34:00.123Z", Some(1_795_905_240)),
            ("2026-11-28 22:34", Some(1_795_905_240)),
            ("2000-02-29T00:00:00+09:00", Some(951_782_400)),
            ("28-11-2026", None),
            ("2026-13-01", None),
            ("soon", None),
        ] {
            assert_eq!(seconds(date), want, "{date}");
        }
    }

    #[test]
    fn names_are_the_same_each_time_and_told_apart() {
        let mut notes = Notes::new(AbsPath::new("/m").unwrap());
        let mut name = |text: &str, date| {
            notes.path(text, date).map(|path| path.file_name().unwrap().to_owned())
        };
        let date = Some("2026-11-28");
        assert_eq!(name("Use tabs", date).unwrap(), "2026-11-28T00-00-00-use-tabs.md");
        assert_eq!(name("Use tabs", date).unwrap(), "2026-11-28T00-00-00-use-tabs-2.md");
        assert_eq!(name("日本語", None).unwrap(), "2000-01-01T00-00-00-note.md");
        assert_eq!(name(" ", None), None);
    }
}
