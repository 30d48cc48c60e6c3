use anstyle::Style;
use memory_core::{AbsPath, grouped};

use super::layout::palette;
use super::layout::{Table, painted, wrap, wrap_hanging};
use super::of_unit;
use super::paths::Paths;
use crate::place::Start;
use memport_documents::{AgentExplanation, BudgetDocument};

/// The narrowest line that is still laid out.
const MIN_WIDTH: usize = 24;

/// Most columns of a budget bar.
const BAR: u64 = 30;

/// A text, growing section by section.
pub(super) struct Page {
    out: String,
    width: usize,
    paths: Paths,
}

impl Page {
    pub(super) fn new(agent: &AgentExplanation, width: usize) -> Self {
        Self::with_paths(Paths::new(&agent.cwd, agent.home.as_deref()), width)
    }

    /// A page whose paths are said from where a command was started.
    pub(super) fn at(start: &Start, width: usize) -> Self {
        let home = start.env.home.as_ref().map(AbsPath::as_str);
        Self::with_paths(Paths::new(start.cwd.as_str(), home), width)
    }

    /// A page that speaks of no paths.
    pub(super) fn without_place(width: usize) -> Self {
        Self::with_paths(Paths::new("/", None), width)
    }

    fn with_paths(paths: Paths, width: usize) -> Self {
        Self { out: String::new(), width: width.max(MIN_WIDTH), paths }
    }

    pub(super) fn paths(&self) -> &Paths {
        &self.paths
    }

    pub(super) fn finish(self) -> String {
        self.out
    }

    /// A blank line, the section's name and what there is to say of it in short.
    pub(super) fn heading(&mut self, name: &str, summary: &str) {
        self.out.push('\n');
        self.line(0, &[(name, palette::TITLE), ("  ", palette::PLAIN), (summary, palette::PLAIN)]);
    }

    /// One line that is never broken.
    pub(super) fn line(&mut self, indent: usize, parts: &[(&str, Style)]) {
        self.out.extend(std::iter::repeat_n(' ', indent));
        for (text, style) in parts {
            self.out.push_str(&painted(text, *style));
        }
        self.out.truncate(self.out.trim_end_matches(' ').len());
        self.out.push('\n');
    }

    /// A sentence, broken where the line ends; its quoted paths are said short.
    pub(super) fn prose(&mut self, indent: usize, text: &str, style: Style) {
        let text = self.paths.in_prose(text);
        for line in wrap(&text, self.width - indent.min(self.width)) {
            self.line(indent, &[(&line, style)]);
        }
    }

    /// A sentence behind a label, broken where the line ends.
    pub(super) fn labelled(&mut self, label: &str, style: Style, text: &str) {
        let start = label.len() + 1;
        let text = self.paths.in_prose(text);
        // A long label leaves too little room for hanging lines.
        let indent = if start <= self.width / 3 { start } else { 4 };
        let room = |start: usize| self.width.saturating_sub(start);
        let mut lines = wrap_hanging(&text, room(start), room(indent)).into_iter();
        let first = lines.next().unwrap_or_default();
        self.line(0, &[(label, style), (" ", palette::PLAIN), (&first, palette::PLAIN)]);
        for line in lines {
            self.line(indent, &[(&line, palette::PLAIN)]);
        }
    }

    /// A mark and a text behind it, broken where the line ends, with the later
    /// lines below the text.
    pub(super) fn hanging(&mut self, indent: usize, mark: (&str, Style), text: &str) {
        let start = indent + mark.0.len();
        let mut lines = wrap(text, self.width.saturating_sub(start)).into_iter();
        let first = lines.next().unwrap_or_default();
        self.line(indent, &[mark, (&first, palette::PLAIN)]);
        for line in lines {
            self.line(start, &[(&line, palette::PLAIN)]);
        }
    }

    /// Whether the rows of a table keep their cells side by side.
    pub(super) fn has_room_for(&self, table: &Table) -> bool {
        table.least_width() <= self.width
    }

    pub(super) fn table(&mut self, table: &Table) {
        self.out.push_str(&table.render(self.width));
    }

    /// `[=========>        ] 1,204 of 32,768 bytes`
    pub(super) fn budget(&mut self, budget: Option<BudgetDocument>) {
        let Some(BudgetDocument { unit: name, limit, used, wanted }) = budget else { return };
        let over = wanted > limit;
        let filled = filled(used, limit);
        let cells = |number: u64| usize::try_from(number).unwrap_or_default();
        let bar = format!("{}{}", "=".repeat(cells(filled)), " ".repeat(cells(BAR - filled)));
        let style = if over { palette::LOST } else { palette::GOOD };
        let beyond = if over { format!(", {} wanted", grouped(wanted)) } else { String::new() };
        let text = format!("{} of {}{beyond}", grouped(used), of_unit(limit, name));
        let bar = vec![("[", palette::DIM), (bar.as_str(), style), ("]", palette::DIM)];
        if cells(BAR) + 5 + text.len() <= self.width {
            self.line(2, &[bar, vec![(" ", palette::PLAIN), (&text, palette::PLAIN)]].concat());
        } else {
            self.line(2, &bar);
            self.prose(2, &text, palette::PLAIN);
        }
    }
}

/// Columns of the bar that are filled: some when anything is used, all only
/// when nothing is left.
fn filled(used: u64, limit: u64) -> u64 {
    if used >= limit {
        return BAR;
    }
    let share = (u128::from(used) * u128::from(BAR)).div_ceil(u128::from(limit));
    u64::try_from(share).map_or(BAR, |share| share.min(BAR - 1))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_bar_shows_the_least_use_and_the_last_room() {
        let shares = [(0, 100), (1, 100), (50, 100), (99, 100), (100, 100), (0, 0)];
        assert_eq!(shares.map(|(used, limit)| filled(used, limit)), [0, 1, 15, 29, 30, 30]);
        assert_eq!(filled(u64::MAX - 1, u64::MAX), 29);
    }
}
