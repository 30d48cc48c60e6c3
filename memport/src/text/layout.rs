//! Widths, wrapping and tables for text of any script.

use anstyle::Style;
use unicode_width::{UnicodeWidthChar as _, UnicodeWidthStr as _};

/// The colours, by meaning.
pub(super) mod palette {
    use anstyle::{AnsiColor, Style};

    pub(in crate::text) const PLAIN: Style = Style::new();
    pub(in crate::text) const TITLE: Style = Style::new().bold();
    pub(in crate::text) const DIM: Style = Style::new().dimmed();
    pub(in crate::text) const SCOPE: Style = AnsiColor::Cyan.on_default();
    pub(in crate::text) const GOOD: Style = AnsiColor::Green.on_default();
    pub(in crate::text) const LOST: Style = AnsiColor::Yellow.on_default();
    pub(in crate::text) const ERROR: Style = AnsiColor::Red.on_default().bold();
    pub(in crate::text) const WARNING: Style = AnsiColor::Yellow.on_default().bold();
    pub(in crate::text) const HINT: Style = AnsiColor::Cyan.on_default().bold();
}

/// Columns between two cells.
const GAP: usize = 2;

/// Columns below which the last cell of a table row rather takes its own line.
const MIN_TAIL: usize = 24;

/// A piece of text in one colour.
#[derive(Clone, Debug, Default)]
pub(super) struct Cell {
    text: String,
    style: Style,
    align_right: bool,
}

impl Cell {
    /// A cell whose text starts at the left.
    pub(super) fn left(text: impl Into<String>, style: Style) -> Self {
        Self { text: text.into(), style, align_right: false }
    }

    /// A cell whose text ends at the right.
    pub(super) fn right(text: impl Into<String>, style: Style) -> Self {
        Self { text: text.into(), style, align_right: true }
    }

    fn width(&self) -> usize {
        self.text.width()
    }
}

/// One row: cells in columns, a last cell that may be wrapped, lines below.
#[derive(Clone, Debug, Default)]
pub(super) struct Row {
    pub(super) cells: Vec<Cell>,
    pub(super) tail: Cell,
    pub(super) below: Vec<Cell>,
}

/// Rows whose cells line up.
#[derive(Clone, Debug, Default)]
pub(super) struct Table {
    /// Columns in front of every row.
    pub(super) indent: usize,
    /// The column that names the thing; what must go on a line of its own starts there.
    pub(super) name: usize,
    pub(super) rows: Vec<Row>,
}

impl Table {
    /// The table as lines of `width` columns where that is possible.
    pub(super) fn render(&self, width: usize) -> String {
        // Where all fits, even a name of more than half the line keeps its row.
        let fits =
            self.rows.iter().all(|row| row.tail.text.is_empty()) && self.least_width() <= width;
        let columns = self.columns(if fits { width } else { (width / 2).max(16) });
        let end = columns.last().map_or(self.indent, |last| last.start + last.width);
        let mut out = String::new();
        for row in &self.rows {
            self.row(row, &columns, width, end <= width, &mut out);
        }
        out
    }

    /// Columns that the widest row takes when its cells stand side by side.
    pub(super) fn least_width(&self) -> usize {
        let last = self.columns(usize::MAX);
        last.last().map_or(self.indent, |last| last.start + last.width)
    }

    /// Where each column lies; a cell wider than `cap` does not widen its column.
    fn columns(&self, cap: usize) -> Vec<Column> {
        let count = self.rows.iter().map(|row| row.cells.len()).max().unwrap_or_default();
        let mut start = self.indent;
        (0..count)
            .map(|at| {
                let cells = self.rows.iter().filter_map(|row| row.cells.get(at));
                let width = cells.map(Cell::width).filter(|w| *w <= cap).max().unwrap_or_default();
                let column = Column { start, width };
                start += width + if width > 0 { GAP } else { 0 };
                column
            })
            .collect()
    }

    fn row(&self, row: &Row, columns: &[Column], width: usize, fits: bool, out: &mut String) {
        let mut line = Line::default();
        let own_line = columns.get(self.name).map_or(self.indent, |column| column.start);
        for (at, (cell, column)) in row.cells.iter().zip(columns).enumerate() {
            if cell.text.is_empty() {
                continue;
            }
            let mut start = column.start;
            if cell.align_right && fits {
                start += column.width.saturating_sub(cell.width());
            }
            if at > self.name && !fits {
                start = if line.stacked { line.end + GAP } else { line.next(out, own_line) };
            } else if line.end > 0 && line.end + GAP > start {
                line.next(out, 0);
            }
            line.put(out, start, cell);
        }
        if !row.tail.text.is_empty() {
            let start = columns.last().map_or(self.indent, |last| last.start + last.width + GAP);
            let room = width.saturating_sub(start);
            let beside = fits && room >= MIN_TAIL.min(row.tail.width()) && line.end < start;
            let start = if beside { start } else { line.next(out, own_line) };
            line.block(out, start, width, &row.tail);
        }
        for cell in &row.below {
            line.next(out, 0);
            line.block(out, own_line, width, cell);
        }
        out.push('\n');
    }
}

#[derive(Clone, Copy, Debug)]
struct Column {
    start: usize,
    width: usize,
}

/// The line being written.
#[derive(Default)]
struct Line {
    end: usize,
    stacked: bool,
}

impl Line {
    fn next(&mut self, out: &mut String, start: usize) -> usize {
        out.push('\n');
        self.end = 0;
        self.stacked = true;
        start
    }

    fn put(&mut self, out: &mut String, start: usize, cell: &Cell) {
        out.extend(std::iter::repeat_n(' ', start.saturating_sub(self.end)));
        out.push_str(&painted(&cell.text, cell.style));
        self.end = start.max(self.end) + cell.width();
    }

    fn block(&mut self, out: &mut String, start: usize, width: usize, cell: &Cell) {
        for (at, text) in wrap(&cell.text, width.saturating_sub(start)).into_iter().enumerate() {
            if at > 0 {
                self.next(out, start);
            }
            self.put(out, start, &Cell { text, ..cell.clone() });
        }
    }
}

/// The text in its colour; nothing around it when it has none.
pub(super) fn painted(text: &str, style: Style) -> String {
    format!("{style}{text}{style:#}")
}

/// Breaks a text into lines of at most `width` columns, between words and
/// between wide characters; a longer word stays whole.
pub(super) fn wrap(text: &str, width: usize) -> Vec<String> {
    wrap_hanging(text, width, width)
}

/// Like [`wrap`], with a width of its own for the first line.
pub(super) fn wrap_hanging(text: &str, first: usize, rest: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    let mut line = String::new();
    let mut used = 0;
    for piece in pieces(text) {
        let space = usize::from(piece.after_space && used > 0);
        let needed = piece.text.width();
        let width = if lines.is_empty() { first } else { rest };
        if used > 0 && used + space + needed > width {
            lines.push(std::mem::take(&mut line));
            used = 0;
        } else if space > 0 {
            line.push(' ');
            used += 1;
        }
        line.push_str(&piece.text);
        used += needed;
    }
    if !line.is_empty() || lines.is_empty() {
        lines.push(line);
    }
    lines
}

/// What a line break may not tear apart.
#[derive(Default)]
struct Piece {
    text: String,
    after_space: bool,
}

fn pieces(text: &str) -> Vec<Piece> {
    let mut pieces: Vec<Piece> = Vec::new();
    let (mut after_space, mut before_wide) = (true, false);
    for c in text.chars() {
        let wide = c.width() == Some(2);
        if c == ' ' {
            after_space = true;
            continue;
        }
        let joins = !after_space && (is_closing(c) || !(wide || before_wide));
        match pieces.last_mut().filter(|_| joins) {
            Some(last) => last.text.push(c),
            None => pieces.push(Piece { text: c.to_string(), after_space }),
        }
        (after_space, before_wide) = (false, wide);
    }
    pieces
}

/// Whether a line must not start with this character.
fn is_closing(c: char) -> bool {
    c.width() == Some(0) || "、。，．：；！？」』）】〉》ー".contains(c)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn wrapping_loses_no_character_and_overflows_only_by_one_long_word(
            text in "[a-c 日本、。é]{0,60}", first in 0..20usize, rest in 0..20usize,
        ) {
            let lines = wrap_hanging(&text, first, rest);
            prop_assert_eq!(lines.concat().replace(' ', ""), text.replace(' ', ""));
            for (at, line) in lines.iter().enumerate() {
                let room = if at == 0 { first } else { rest };
                prop_assert!(line.width() <= room || pieces(line).len() <= 1, "{:?}", line);
            }
        }
    }

    #[test]
    fn wide_characters_break_anywhere_but_not_before_a_full_stop() {
        assert_eq!(wrap("日本語の規則。です", 8), ["日本語の", "規則。で", "す"]);
        assert_eq!(wrap("日本語の規。", 10), ["日本語の", "規。"]);
        assert_eq!(wrap("one two  three", 7), ["one two", "three"]);
        assert_eq!(wrap("a-very-long-word x", 4), ["a-very-long-word", "x"]);
        assert_eq!(wrap("", 4), [""]);
    }

    #[test]
    fn columns_line_up_and_give_way_when_the_line_is_short() {
        let plain = Style::new();
        let row = |name: &str, size: &str| Row {
            cells: vec![Cell::right("1", plain), Cell::left(name, plain), Cell::right(size, plain)],
            tail: Cell::left("rule", plain),
            ..Row::default()
        };
        let rows = vec![row("規則.md", "12 B"), row("a.md", "1,200 B")];
        let table = Table { indent: 2, name: 1, rows };
        insta::assert_snapshot!(table.render(60) + "[EOF]", @r"
          1  規則.md     12 B  rule
          1  a.md     1,200 B  rule
        [EOF]
        ");
        insta::assert_snapshot!(table.render(18) + "[EOF]", @r"
          1  規則.md
             12 B
             rule
          1  a.md
             1,200 B
             rule
        [EOF]
        ");
    }
}
