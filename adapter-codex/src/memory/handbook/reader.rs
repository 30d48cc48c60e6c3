//! Reads a handbook line by line.

use super::{HandbookSection, HandbookSectionKind, Task, TaskGroup, TaskOutcome};
use crate::memory::bullet::Bullet;
use crate::memory::bullet::{keywords, labelled};
use crate::memory::line::Place;
use crate::memory::line::{Heading, Item, Line};
use crate::memory::source_ref::SourceRef;

/// What was read so far, and where the next line belongs.
#[derive(Default)]
pub(super) struct Reader {
    groups: Vec<TaskGroup>,
    other: Vec<Place>,
    inside: Inside,
    part: Part,
    list: List,
    /// Whether the group has headings of its own: then its items are no labels.
    headed: bool,
    bullet_open: bool,
}

/// What the last line belonged to.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
enum Inside {
    #[default]
    Nothing,
    Group,
    Other,
}

/// The part of a group that is open.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
enum Part {
    #[default]
    Group,
    Task,
    Section,
}

/// What the list items of the open part are.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
enum List {
    Sources,
    Keywords,
    #[default]
    Text,
}

impl Reader {
    pub(super) fn finish(self) -> (Vec<TaskGroup>, Vec<Place>) {
        (self.groups, self.other)
    }

    pub(super) fn line(&mut self, line: &Line<'_>) {
        if line.is_blank() {
            return;
        }
        let heading = line.heading();
        if let Some(title) = heading.as_ref().and_then(group_title) {
            self.open_group(title, line);
            return;
        }
        if self.inside == Inside::Group && heading.as_ref().is_some_and(ends_group) {
            self.inside = Inside::Nothing;
        }
        let Some(group) = self.groups.last_mut().filter(|_| self.inside == Inside::Group) else {
            self.outside(line);
            return;
        };
        group.place.reach(line);
        if let Some(heading) = heading {
            self.heading(&heading, line);
        } else if let Some(item) = line.item() {
            self.item(&item, line);
        } else {
            self.prose(line);
        }
        self.reach(line);
    }

    fn open_group(&mut self, title: &str, line: &Line<'_>) {
        self.groups.push(TaskGroup {
            title: title.to_owned(),
            scope: None,
            applies_to: None,
            tasks: Vec::new(),
            sections: Vec::new(),
            bullets: Vec::new(),
            place: Place::of(line),
        });
        *self = Self {
            groups: std::mem::take(&mut self.groups),
            other: std::mem::take(&mut self.other),
            inside: Inside::Group,
            ..Self::default()
        };
    }

    fn outside(&mut self, line: &Line<'_>) {
        match self.other.last_mut().filter(|_| self.inside == Inside::Other) {
            Some(place) => place.reach(line),
            None => self.other.push(Place::of(line)),
        }
        self.inside = Inside::Other;
    }

    fn heading(&mut self, heading: &Heading<'_>, line: &Line<'_>) {
        (self.headed, self.bullet_open) = (true, false);
        self.list = List::Text;
        let list = match heading.text.to_ascii_lowercase().as_str() {
            "rollout_summary_files" | "extension_resource_files" => Some(List::Sources),
            "keywords" => Some(List::Keywords),
            _ => None,
        };
        if let Some(list) = list {
            self.list = list;
        } else if let Some((number, title)) = task_heading(heading.text) {
            self.open_task(number, title, line);
        } else if self.part != Part::Task || heading.level <= 2 {
            self.open_section(heading.text, line);
        }
    }

    fn open_task(&mut self, number: Option<u32>, title: &str, line: &Line<'_>) {
        let (title, outcome) = with_outcome(title);
        self.part = Part::Task;
        if let Some(group) = self.groups.last_mut() {
            group.tasks.push(Task {
                number,
                title: title.to_owned(),
                outcome,
                sources: Vec::new(),
                keywords: Vec::new(),
                bullets: Vec::new(),
                place: Place::of(line),
            });
        }
    }

    fn open_section(&mut self, heading: &str, line: &Line<'_>) {
        self.part = Part::Section;
        if let Some(group) = self.groups.last_mut() {
            group.sections.push(HandbookSection {
                heading: heading.to_owned(),
                kind: HandbookSectionKind::of(heading),
                bullets: Vec::new(),
                place: Place::of(line),
            });
        }
    }

    fn item(&mut self, item: &Item<'_>, line: &Line<'_>) {
        self.bullet_open = false;
        if !self.headed && item.indent == 0 && self.label(item, line) {
            return;
        }
        match self.list {
            List::Sources => self.add_source(item.text, line),
            List::Keywords => self.add_keywords(item.text, line),
            List::Text => {
                self.bullet_open = true;
                if let Some(bullets) = self.bullets() {
                    bullets.push(Bullet::new(item, line));
                }
            }
        }
    }

    /// Reads an item that stands for a heading: `- Task: …`. Some handbooks are
    /// written so.
    fn label(&mut self, item: &Item<'_>, line: &Line<'_>) -> bool {
        let Some((label, value)) = labelled(item.text) else { return false };
        self.list = List::Text;
        match label.to_ascii_lowercase().as_str() {
            "scope" => self.set_scope(value),
            "applies_to" => self.set_applies_to(value),
            "task" => self.open_task(None, value, line),
            "rollout_summary_files" | "extension_resource_files" => {
                self.list = List::Sources;
                let inline =
                    if value.contains('(') { vec![value] } else { value.split(',').collect() };
                for path in inline.into_iter().filter(|path| !path.trim().is_empty()) {
                    self.add_source(path, line);
                }
            }
            "keywords" if value.is_empty() => self.list = List::Keywords,
            "keywords" => self.add_keywords(value, line),
            _ if HandbookSectionKind::of(label) != HandbookSectionKind::Other => {
                self.open_section(label, line);
                self.bullet_open = true;
                if let Some(bullets) = self.bullets() {
                    bullets.push(Bullet { text: value.to_owned(), place: Place::of(line) });
                }
            }
            _ => return false,
        }
        true
    }

    fn prose(&mut self, line: &Line<'_>) {
        let text = line.text.trim();
        if self.part == Part::Group
            && self.groups.last().is_some_and(|group| group.bullets.is_empty())
        {
            if let Some(scope) = keyed(text, "scope:") {
                self.set_scope(scope);
            } else if let Some(applies_to) = keyed(text, "applies_to:") {
                self.set_applies_to(applies_to);
            }
        }
        self.bullet_open &= line.indent() > 0;
        if !self.bullet_open {
            return;
        }
        if let Some(bullet) = self.bullets().and_then(|bullets| bullets.last_mut()) {
            bullet.go_on(line);
        }
    }

    fn set_scope(&mut self, scope: &str) {
        if let Some(group) = self.groups.last_mut() {
            group.scope.get_or_insert_with(|| scope.to_owned());
        }
    }

    fn set_applies_to(&mut self, applies_to: &str) {
        if let Some(group) = self.groups.last_mut() {
            group.applies_to.get_or_insert_with(|| applies_to.to_owned());
        }
    }

    fn add_source(&mut self, text: &str, line: &Line<'_>) {
        self.with_task(line, |task| task.sources.push(SourceRef::read(text, Place::of(line))));
    }

    fn add_keywords(&mut self, text: &str, line: &Line<'_>) {
        self.with_task(line, |task| task.keywords.extend(keywords(text)));
    }

    /// Adds to the last task; a group that lists files without a task gets one.
    fn with_task(&mut self, line: &Line<'_>, add: impl FnOnce(&mut Task)) {
        if self.groups.last().is_some_and(|group| group.tasks.is_empty()) {
            self.open_task(None, "", line);
        }
        if let Some(task) = self.groups.last_mut().and_then(|group| group.tasks.last_mut()) {
            add(task);
        }
    }

    fn bullets(&mut self) -> Option<&mut Vec<Bullet>> {
        let group = self.groups.last_mut()?;
        match self.part {
            Part::Group => Some(&mut group.bullets),
            Part::Task => group.tasks.last_mut().map(|task| &mut task.bullets),
            Part::Section => group.sections.last_mut().map(|section| &mut section.bullets),
        }
    }

    fn reach(&mut self, line: &Line<'_>) {
        let Some(group) = self.groups.last_mut() else { return };
        let place = match self.part {
            Part::Group => None,
            Part::Task => group.tasks.last_mut().map(|task| &mut task.place),
            Part::Section => group.sections.last_mut().map(|section| &mut section.place),
        };
        if let Some(place) = place {
            place.reach(line);
        }
    }
}

fn group_title<'h>(heading: &Heading<'h>) -> Option<&'h str> {
    keyed(heading.text, "Task Group:")
}

/// Whether a heading that is no group closes one: another document begins.
fn ends_group(heading: &Heading<'_>) -> bool {
    let another_file =
        matches!(heading.text, "MEMORY.md" | "memory_summary.md" | "raw_memories.md");
    (heading.level == 1 && task_heading(heading.text).is_none()) || another_file
}

/// Number and title of `Task 2: …`; a heading without a number is a task too.
fn task_heading(text: &str) -> Option<(Option<u32>, &str)> {
    let rest = text.get(..4).filter(|word| word.eq_ignore_ascii_case("task"))?;
    let rest = text.strip_prefix(rest)?;
    let (number, title) = rest.split_once([':', '：'])?;
    let number = number.trim();
    match number.parse() {
        Ok(number) => Some((Some(number), title.trim())),
        Err(_) => number.is_empty().then(|| (None, title.trim())),
    }
}

/// Parts the outcome behind the last comma from the title.
fn with_outcome(title: &str) -> (&str, Option<TaskOutcome>) {
    let Some((before, last)) = title.rsplit_once([',', '、', '，']) else { return (title, None) };
    match TaskOutcome::read(last) {
        Some(outcome) => (before.trim_end(), Some(outcome)),
        None => (title, None),
    }
}

/// What follows a key at the start of a text, its case ignored.
fn keyed<'t>(text: &'t str, key: &str) -> Option<&'t str> {
    let (start, rest) = text.split_at_checked(key.len())?;
    start.eq_ignore_ascii_case(key).then(|| rest.trim())
}
