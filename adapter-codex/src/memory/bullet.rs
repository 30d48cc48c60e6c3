//! A list item of a handbook or a summary.

use super::line::Place;
use super::line::{Item, Line};

/// A list item with the lines that continue it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Bullet {
    /// Its text as written, lines joined by `\n`, without the marker.
    pub text: String,
    /// Where it stands.
    pub place: Place,
}

impl Bullet {
    pub(crate) fn new(item: &Item<'_>, line: &Line<'_>) -> Self {
        Self { text: item.text.trim_end().to_owned(), place: Place::of(line) }
    }

    /// Adds a line that goes on with the item.
    pub(crate) fn go_on(&mut self, line: &Line<'_>) {
        if !self.text.is_empty() {
            self.text.push('\n');
        }
        self.text.push_str(line.text.trim());
        self.place.reach(line);
    }

    /// The numbers of the tasks that the item closes with: 1 and 2 for
    /// `… [Task 1][Task 2]`.
    pub fn tasks(&self) -> Vec<u32> {
        self.marks().filter_map(task_number).collect()
    }

    /// What else stands in brackets at its end: `ad-hoc note` for `… [ad-hoc note]`.
    pub fn tags(&self) -> Vec<&str> {
        self.marks().filter(|mark| task_number(mark).is_none()).collect()
    }

    fn marks(&self) -> impl Iterator<Item = &str> {
        let inner = closing_brackets(&self.text).1.into_iter();
        inner.flat_map(|mark| mark.split(',')).map(str::trim)
    }
}

/// Parts the brackets at the end of a text from what stands before them.
pub(crate) fn closing_brackets(text: &str) -> (&str, Vec<&str>) {
    let mut rest = text.trim_end();
    let mut marks = Vec::new();
    while let Some((before, mark)) = rest.strip_suffix(']').and_then(|inner| inner.rsplit_once('['))
    {
        if mark.contains(']') {
            break;
        }
        marks.push(mark);
        rest = before.trim_end();
    }
    marks.reverse();
    (rest, marks)
}

fn task_number(mark: &str) -> Option<u32> {
    mark.strip_prefix("Task").map(str::trim)?.parse().ok()
}

/// The keywords of a line: parted by commas of either script, quotes around a
/// keyword left out.
pub(crate) fn keywords(line: &str) -> impl Iterator<Item = String> {
    line.split([',', '、', '，', '､'])
        .map(|word| word.trim().trim_matches(['`', '"', '“', '”']).trim().to_owned())
        .filter(|word| !word.is_empty())
}

/// Parts `label: value`; a colon of either script.
pub(crate) fn labelled(text: &str) -> Option<(&str, &str)> {
    let (label, value) = text.split_once([':', '：'])?;
    Some((label.trim(), value.trim()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_at_the_end_name_tasks_and_tags() {
        let place = Place { span: memory_core::doc::Span::default(), first_line: 1, last_line: 1 };
        let text = "see [1] in a.md [Task 1] [chronicle memory][Task 2, Task 3]".to_owned();
        let bullet = Bullet { text, place };
        assert_eq!(bullet.tasks(), [1, 2, 3]);
        assert_eq!(bullet.tags(), ["chronicle memory"]);
    }

    #[test]
    fn commas_of_both_scripts_part_keywords() {
        let words: Vec<_> = keywords("csv, \"leading zero\"、文字コード, , `cp932`").collect();
        assert_eq!(words, ["csv", "leading zero", "文字コード", "cp932"]);
    }
}
