//! The full-screen browser: a line to type in, what answers it, and the conversation.

use std::io::{self, IsTerminal as _};

use memory_core::fs::OsFs;
use memory_recall::{Chunk, REFERENCE_ONLY, Reference, Search, SqliteStore, Store as _, time_text};
use ratatui::Frame;
use ratatui::crossterm::event::{self, Event, KeyCode, KeyEvent, KeyEventKind, KeyModifiers};
use ratatui::layout::{Constraint, Layout, Position, Rect};
use ratatui::style::{Modifier, Style, Stylize as _};
use ratatui::text::{Line, Span};
use ratatui::widgets::{Block, Paragraph, Wrap};
use unicode_width::UnicodeWidthStr as _;

use super::search::open_conversation;
use super::store::{self, StorePlace, failure, settings};
use crate::args::BrowseArgs;
use crate::failure::Failure;
use crate::output::Answer;
use crate::place::{Process, Start};
use crate::text::visible;

/// Hits that can be gone through.
const HITS: usize = 100;

/// Shows the browser until somebody leaves it.
pub(crate) fn browse(args: &BrowseArgs, process: Process) -> Result<Answer, Failure> {
    if !io::stdin().is_terminal() || !io::stdout().is_terminal() {
        return Err(Failure::usage(
            "the browser needs a terminal",
            "`memport recall search QUERY` answers without one",
        ));
    }
    let start = Start::at(&args.place, process, &OsFs)?;
    let mut search = settings(&args.filter, store::now(&args.store)?, &start)?;
    search.count = HITS;
    let Some(found) = StorePlace::of(&args.store, &start)?.open_to_read()? else {
        return Err(Failure::impossible(
            "nothing was taken in yet",
            "`memport recall ingest` takes in past conversations",
        ));
    };
    let mut browser = Browser::new(&found, search);
    browser.ask(args.query.clone()).map_err(|error| failure(&error))?;
    let mut terminal = ratatui::try_init().map_err(|error| terminal_failure(&error))?;
    let ended = loop {
        let drawn = terminal.draw(|frame| browser.draw(frame));
        let pressed = drawn.and_then(|_| event::read());
        match pressed {
            Ok(Event::Key(key)) if key.kind == KeyEventKind::Press => match browser.press(key) {
                Ok(Step::Stay) => {}
                Ok(step) => break Ok(step),
                Err(error) => break Err(failure(&error)),
            },
            Ok(_) => {}
            Err(error) => break Err(terminal_failure(&error)),
        }
    };
    ratatui::restore();
    if let Step::Open = ended?
        && let Some(hit) = browser.selected()
    {
        open_conversation(hit.conversation())?;
    }
    Ok(Answer::bytes(Vec::new()))
}

fn terminal_failure(error: &io::Error) -> Failure {
    Failure::impossible(
        format!("the terminal does not answer: {error}"),
        "`memport recall search QUERY` answers without the browser",
    )
}

/// What a key leads to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Step {
    Stay,
    Quit,
    /// Open the chosen conversation in its client.
    Open,
}

/// What is seen.
#[derive(Debug)]
enum View {
    Hits,
    /// A conversation, scrolled by so many lines.
    Conversation {
        turns: Vec<Chunk>,
        scrolled: u16,
    },
}

struct Browser<'a> {
    store: &'a SqliteStore,
    search: Search,
    query: String,
    hits: Vec<Reference>,
    chosen: usize,
    view: View,
    /// Hits that fit on the screen, as it was drawn last.
    page: usize,
}

impl<'a> Browser<'a> {
    fn new(store: &'a SqliteStore, search: Search) -> Self {
        Self {
            store,
            search,
            query: String::new(),
            hits: Vec::new(),
            chosen: 0,
            view: View::Hits,
            page: 1,
        }
    }

    fn selected(&self) -> Option<&Reference> {
        self.hits.get(self.chosen)
    }

    fn ask(&mut self, query: String) -> Result<(), memory_recall::StoreError> {
        self.query = query;
        self.hits = self.search.run(self.store, &self.query)?;
        self.chosen = 0;
        Ok(())
    }

    fn press(&mut self, key: KeyEvent) -> Result<Step, memory_recall::StoreError> {
        let control = key.modifiers.contains(KeyModifiers::CONTROL);
        if control && matches!(key.code, KeyCode::Char('c' | 'd')) {
            return Ok(Step::Quit);
        }
        if control && key.code == KeyCode::Char('o') {
            return Ok(if self.selected().is_some() { Step::Open } else { Step::Stay });
        }
        if let View::Conversation { scrolled, .. } = &mut self.view {
            match key.code {
                KeyCode::Esc | KeyCode::Char('q') | KeyCode::Left | KeyCode::Backspace => {
                    self.view = View::Hits;
                }
                KeyCode::Down | KeyCode::Char('j') => *scrolled = scrolled.saturating_add(1),
                KeyCode::Up | KeyCode::Char('k') => *scrolled = scrolled.saturating_sub(1),
                KeyCode::PageDown | KeyCode::Char(' ') => *scrolled = scrolled.saturating_add(20),
                KeyCode::PageUp => *scrolled = scrolled.saturating_sub(20),
                _ => {}
            }
            return Ok(Step::Stay);
        }
        match (key.code, control) {
            (KeyCode::Esc, _) => return Ok(Step::Quit),
            (KeyCode::Down, _) | (KeyCode::Char('n' | 'j'), true) => self.choose(1),
            (KeyCode::Up, _) | (KeyCode::Char('p' | 'k'), true) => self.choose(-1),
            (KeyCode::PageDown, _) => self.choose(isize::try_from(self.page).unwrap_or(1)),
            (KeyCode::PageUp, _) => self.choose(-isize::try_from(self.page).unwrap_or(1)),
            (KeyCode::Enter, _) => {
                if let Some(hit) = self.selected() {
                    let turns = self.store.turns(hit.conversation().id)?;
                    let before = turns.iter().take_while(|turn| turn.id != hit.chunk().id);
                    let lines = before.flat_map(turn_lines).count();
                    let scrolled = u16::try_from(lines).unwrap_or(u16::MAX);
                    self.view = View::Conversation { turns, scrolled };
                }
            }
            (KeyCode::Backspace, _) | (KeyCode::Char('h'), true) => {
                let mut query = self.query.clone();
                query.pop();
                self.ask(query)?;
            }
            (KeyCode::Char('u'), true) => self.ask(String::new())?,
            (KeyCode::Char('w'), true) => {
                let kept = self.query.trim_end().rfind(char::is_whitespace).map_or(0, |at| at + 1);
                let query = self.query.get(..kept).unwrap_or_default().to_owned();
                self.ask(query)?;
            }
            (KeyCode::Char(char), false) => {
                let mut query = self.query.clone();
                query.push(char);
                self.ask(query)?;
            }
            _ => {}
        }
        Ok(Step::Stay)
    }

    fn choose(&mut self, by: isize) {
        let last = self.hits.len().saturating_sub(1);
        self.chosen = self.chosen.saturating_add_signed(by).min(last);
    }

    fn draw(&mut self, frame: &mut Frame<'_>) {
        let [top, middle, bottom] =
            Layout::vertical([Constraint::Length(1), Constraint::Min(1), Constraint::Length(1)])
                .areas(frame.area());
        let prompt = format!("> {}", visible(&self.query));
        let count = format!("  {} hits", self.hits.len());
        frame.render_widget(Line::from(vec![prompt.clone().bold(), count.dim()]), top);
        match &self.view {
            View::Hits => {
                let typed = u16::try_from(prompt.width()).unwrap_or(u16::MAX);
                let column = top.x.saturating_add(typed).min(top.right().saturating_sub(1));
                frame.set_cursor_position(Position::new(column, top.y));
                self.draw_hits(frame, middle);
            }
            View::Conversation { turns, scrolled } => {
                let lines: Vec<Line<'_>> = turns.iter().flat_map(turn_lines).collect();
                let text = Paragraph::new(lines).wrap(Wrap { trim: false }).scroll((*scrolled, 0));
                frame.render_widget(text.block(Block::bordered().title(REFERENCE_ONLY)), middle);
            }
        }
        let keys = match &self.view {
            View::Hits => "enter conversation  ctrl-o open in client  up/down choose  esc quit",
            View::Conversation { .. } => "up/down scroll  ctrl-o open in client  esc back",
        };
        frame.render_widget(Line::from(keys).dim(), bottom);
    }

    fn draw_hits(&mut self, frame: &mut Frame<'_>, area: Rect) {
        let [list, preview] =
            Layout::horizontal([Constraint::Percentage(50), Constraint::Percentage(50)])
                .areas(area);
        self.page = usize::from(list.height).max(1);
        let first = self.chosen.saturating_sub(self.page - 1);
        let rows: Vec<Line<'_>> = self
            .hits
            .iter()
            .enumerate()
            .skip(first)
            .take(self.page)
            .map(|(at, hit)| row(hit, at == self.chosen))
            .collect();
        frame.render_widget(Paragraph::new(rows), list);
        if let Some(hit) = self.selected() {
            let title = hit.conversation().project.clone();
            let text = Paragraph::new(marked(hit, &self.query)).wrap(Wrap { trim: false });
            frame.render_widget(text.block(Block::bordered().title(title)), preview);
        }
    }
}

fn row(hit: &Reference, is_chosen: bool) -> Line<'static> {
    let day: String =
        hit.chunk().time.map(time_text).unwrap_or_default().chars().take(10).collect();
    let question = hit.chunk().question.split_whitespace().collect::<Vec<_>>().join(" ");
    let line = Line::from(vec![
        Span::raw(if is_chosen { "▌" } else { " " }),
        Span::raw(format!("{day:10} ")).cyan(),
        Span::raw(visible(&question).into_owned()),
    ]);
    if is_chosen { line.style(Style::new().add_modifier(Modifier::REVERSED)) } else { line }
}

/// Question and answer with the words of the query marked.
fn marked(hit: &Reference, query: &str) -> Vec<Line<'static>> {
    let passage = hit.passage(query, 4_000);
    let mut lines = Vec::new();
    for line in passage.text.lines() {
        let line = visible(line);
        let found = memory_recall::Passage::of(&line, query, usize::MAX);
        let mut spans = Vec::new();
        let mut at = 0;
        for mark in found.marks {
            spans.push(Span::raw(line.get(at..mark.start).unwrap_or_default().to_owned()));
            spans.push(
                Span::raw(line.get(mark.clone()).unwrap_or_default().to_owned()).green().bold(),
            );
            at = mark.end;
        }
        spans.push(Span::raw(line.get(at..).unwrap_or_default().to_owned()));
        lines.push(Line::from(spans));
    }
    lines
}

fn turn_lines(turn: &Chunk) -> Vec<Line<'static>> {
    let time = turn.time.map_or_else(|| "unknown time".to_owned(), time_text);
    let mut lines = vec![Line::from(time).cyan()];
    lines.extend(turn.question.lines().map(|line| Line::from(visible(line).into_owned()).bold()));
    lines.extend(turn.answer.lines().map(|line| Line::from(format!("  {}", visible(line)))));
    lines.push(Line::from(""));
    lines
}

#[cfg(test)]
mod tests {
    use memory_recall::{Conversation, TurnKey, merge_chunks};
    use ratatui::Terminal;
    use ratatui::backend::TestBackend;

    use super::*;

    fn store() -> (tempfile::TempDir, SqliteStore) {
        let directory = tempfile::tempdir().unwrap();
        let mut store = SqliteStore::open(&directory.path().join("store")).unwrap();
        let chunk = |number: i64, question: &str, answer: &str| {
            let chunk = Chunk {
                id: 0,
                key: TurnKey(number),
                conversation: 0,
                time: Some(1_780_000_000_000 + number),
                line: 1,
                question: question.to_owned(),
                answer: answer.to_owned(),
            };
            let of = Conversation {
                id: 0,
                agent: memory_recall::Agent::Codex,
                session: format!("s{}", number / 10),
                project: "/home/mio/app".to_owned(),
                path: "/x.jsonl".to_owned(),
            };
            (chunk, of)
        };
        let chunks = [
            chunk(1, "停電のあと上がらない", "BIOS を直しました。"),
            chunk(2, "計画停電はいつ？", "来週です。"),
            chunk(11, "Which retries?", "Two retries."),
        ];
        merge_chunks(&mut store, chunks.into_iter()).unwrap();
        (directory, store)
    }

    fn screen(browser: &mut Browser<'_>) -> String {
        let mut terminal = Terminal::new(TestBackend::new(80, 12)).unwrap();
        terminal.draw(|frame| browser.draw(frame)).unwrap();
        terminal.backend().to_string()
    }

    fn typed(browser: &mut Browser<'_>, keys: &[KeyCode]) -> Step {
        let mut step = Step::Stay;
        for key in keys {
            step = browser.press(KeyEvent::from(*key)).unwrap();
        }
        step
    }

    #[test]
    fn typing_searches_and_enter_shows_the_conversation() {
        let (_directory, store) = store();
        let mut browser = Browser::new(&store, Search::at(1_790_000_000_000));
        browser.search.count = HITS;
        assert_eq!(typed(&mut browser, &[KeyCode::Char('停'), KeyCode::Char('電')]), Step::Stay);
        assert_eq!(browser.hits.len(), 2);
        let seen = screen(&mut browser);
        assert!(seen.contains("2 hits") && seen.contains("2026-05-28"), "{seen}");
        let first = browser.selected().unwrap().id();
        typed(&mut browser, &[KeyCode::Down]);
        assert_ne!(browser.selected().unwrap().id(), first);
        typed(&mut browser, &[KeyCode::Down, KeyCode::Down, KeyCode::Enter]);
        assert!(matches!(&browser.view, View::Conversation { turns, .. } if turns.len() == 2));
        assert!(screen(&mut browser).contains("Reference only"));
        assert_eq!(typed(&mut browser, &[KeyCode::Esc]), Step::Stay);
        assert_eq!(typed(&mut browser, &[KeyCode::Esc]), Step::Quit);
    }

    #[test]
    fn keys_of_a_line_edit_the_query() {
        let (_directory, store) = store();
        let mut browser = Browser::new(&store, Search::at(1_790_000_000_000));
        for char in "two retries".chars() {
            typed(&mut browser, &[KeyCode::Char(char)]);
        }
        assert_eq!(browser.hits.len(), 1);
        let control = |key| KeyEvent::new(KeyCode::Char(key), KeyModifiers::CONTROL);
        browser.press(control('w')).unwrap();
        assert_eq!(browser.query, "two ");
        typed(&mut browser, &[KeyCode::Backspace]);
        assert_eq!(browser.query, "two");
        browser.press(control('u')).unwrap();
        assert_eq!((browser.query.as_str(), browser.hits.len()), ("", 0));
        assert_eq!(browser.press(control('o')).unwrap(), Step::Stay);
        assert_eq!(browser.press(control('c')).unwrap(), Step::Quit);
    }
}
