//! Transcripts of Codex: `sessions/YYYY/MM/DD/rollout-….jsonl` and `archived_sessions/`.

use std::borrow::Cow;

use serde::Deserialize;
use serde_json::value::RawValue;

use super::line::LinePlace;
use super::{
    Event, Header, OpenTurn, Reader, Resume, Turn, TurnKey, parse, time, without_lone_surrogates,
};

/// Reads a transcript of Codex, in the form of each release.
#[derive(Debug)]
pub(crate) struct CodexReader {
    header: Header,
    has_meta: bool,
    open: Option<OpenTurn>,
    asked: u64,
    in_copy: bool,
    /// When the head of another conversation was copied into this one.
    copied: Option<super::Time>,
}

/// Milliseconds that the copying of a head takes at most: its lines all have that time.
const COPYING: super::Time = 20;

#[derive(Deserialize)]
struct Line<'a> {
    #[serde(borrow)]
    timestamp: Option<Cow<'a, str>>,
    #[serde(borrow, rename = "type")]
    kind: Option<Cow<'a, str>>,
    #[serde(borrow)]
    payload: Option<&'a RawValue>,
    #[serde(borrow)]
    metadata: Option<&'a RawValue>,
}

#[derive(Deserialize)]
struct Meta<'a> {
    #[serde(borrow)]
    id: Option<Cow<'a, str>>,
    #[serde(borrow)]
    timestamp: Option<Cow<'a, str>>,
    #[serde(borrow)]
    cwd: Option<Cow<'a, str>>,
    #[serde(borrow)]
    thread_source: Option<Cow<'a, str>>,
    #[serde(borrow)]
    source: Option<&'a RawValue>,
    #[serde(borrow)]
    forked_from_id: Option<Cow<'a, str>>,
    forked_from_ordinal_exclusive: Option<serde_json::Number>,
}

#[derive(Deserialize)]
struct Payload<'a> {
    #[serde(borrow, rename = "type")]
    kind: Option<Cow<'a, str>>,
    #[serde(borrow)]
    role: Option<Cow<'a, str>>,
    #[serde(borrow)]
    content: Option<&'a RawValue>,
    #[serde(borrow)]
    message: Option<&'a RawValue>,
    #[serde(borrow, rename = "internal_chat_message_metadata_passthrough")]
    passthrough: Option<&'a RawValue>,
    #[serde(borrow)]
    metadata: Option<&'a RawValue>,
}

#[derive(Deserialize)]
struct Passthrough<'a> {
    #[serde(borrow)]
    content_item_kinds: Option<Vec<Cow<'a, str>>>,
    create_time: Option<f64>,
}

#[derive(Deserialize)]
struct ItemText<'a> {
    #[serde(borrow)]
    text: Option<Cow<'a, str>>,
}

#[derive(Deserialize)]
struct MessageMetadata {
    #[serde(default)]
    compaction_output: bool,
}

impl CodexReader {
    /// A reader that starts at the beginning of a file, or goes on.
    pub(crate) fn new(resume: Option<&Resume>) -> Self {
        Self {
            header: resume.map(|resume| resume.header.clone()).unwrap_or_default(),
            has_meta: resume.is_some_and(|resume| !resume.header.session.is_empty()),
            open: None,
            asked: resume.map_or(0, |resume| resume.asked),
            in_copy: resume.is_some_and(|resume| resume.in_copy),
            copied: None,
        }
    }

    fn take(&mut self, place: LinePlace, line: &Line<'_>, events: &mut Vec<Event>) {
        let Some(payload) = line.payload else { return };
        match line.kind.as_deref() {
            // A copied head brings the record of its origin along: only the first counts.
            Some("session_meta") if !self.has_meta => self.meta(payload.get()),
            Some("session_meta") if self.header.copied_from.is_some() => {
                self.copied = self.copied.or(line.timestamp.as_deref().and_then(time));
            }
            Some("response_item") if !self.header.is_sub_agent => {
                self.item(place, line, payload.get(), events);
            }
            Some("event_msg") if !self.header.is_sub_agent => {
                self.event(place, line, payload.get(), events);
            }
            _ => {}
        }
    }

    fn meta(&mut self, payload: &str) {
        let Some(meta) = parse::<Meta<'_>>(payload.as_bytes()) else { return };
        self.has_meta = true;
        let owned = |text: Option<Cow<'_, str>>| text.map(Cow::into_owned).unwrap_or_default();
        self.header.session = owned(meta.id);
        self.header.project = owned(meta.cwd);
        self.header.begun = meta.timestamp.as_deref().and_then(time);
        self.header.is_sub_agent = meta.thread_source.as_deref() == Some("subagent")
            || meta.source.is_some_and(|source| source.get().contains("\"subagent\""));
        // A fork that only points at its origin has no copied head.
        if meta.forked_from_ordinal_exclusive.is_none() {
            self.header.copied_from = meta.forked_from_id.map(Cow::into_owned);
            self.in_copy = self.header.copied_from.is_some();
        }
    }

    fn item(&mut self, place: LinePlace, line: &Line<'_>, payload: &str, events: &mut Vec<Event>) {
        // Most items are output of tools: look closer at messages only.
        if !payload.contains("\"message\"") {
            return;
        }
        let Some(payload) = parse::<Payload<'_>>(payload.as_bytes()) else { return };
        if payload.kind.as_deref() != Some("message") {
            return;
        }
        let passthrough = payload
            .passthrough
            .and_then(|passthrough| parse::<Passthrough<'_>>(passthrough.get().as_bytes()));
        match payload.role.as_deref() {
            Some("user") => {
                let Some(passthrough) = passthrough else { return };
                // Without kinds the event that follows tells what a person wrote.
                let Some(kinds) = &passthrough.content_item_kinds else { return };
                let question = typed_text(&items(payload.content), kinds);
                if !question.trim().is_empty() {
                    let created = passthrough.create_time.map(milliseconds);
                    self.ask(place, self.time(line).or(created), question, events);
                }
            }
            Some("assistant") => {
                let is_summary =
                    [line.metadata, payload.metadata].into_iter().flatten().any(|raw| {
                        parse::<MessageMetadata>(raw.get().as_bytes())
                            .is_some_and(|metadata| metadata.compaction_output)
                    });
                if is_summary {
                    return;
                }
                let Some(open) = &mut self.open else { return };
                for text in items(payload.content) {
                    if !text.trim().is_empty() {
                        open.turn.answers.push(text.into_owned());
                    }
                }
            }
            _ => {}
        }
    }

    fn event(&mut self, place: LinePlace, line: &Line<'_>, payload: &str, events: &mut Vec<Event>) {
        if !payload.contains("\"user_message\"") && !payload.contains("\"turn_aborted\"") {
            return;
        }
        let Some(payload) = parse::<Payload<'_>>(payload.as_bytes()) else { return };
        match payload.kind.as_deref() {
            Some("user_message") => {
                let Some(message) =
                    payload.message.and_then(|message| parse::<String>(message.get().as_bytes()))
                else {
                    return;
                };
                // Newer releases write both forms into an old file.
                let is_known = self.open.as_ref().is_some_and(|open| {
                    !open.is_answered() && same_question(&open.turn.question, &message)
                });
                if !is_known && !message.trim().is_empty() {
                    self.ask(place, self.time(line), message, events);
                }
            }
            // What was stopped before its end is no answer.
            Some("turn_aborted") => self.open = None,
            _ => {}
        }
    }

    /// The time of a line, or `None` within a copied head, where it is that of the copy.
    fn time(&self, line: &Line<'_>) -> Option<super::Time> {
        let time = line.timestamp.as_deref().and_then(time)?;
        let is_copy = self.copied.is_some_and(|copied| (0..=COPYING).contains(&(time - copied)));
        (!is_copy).then_some(time)
    }

    fn ask(
        &mut self,
        place: LinePlace,
        time: Option<super::Time>,
        question: String,
        events: &mut Vec<Event>,
    ) {
        if let Some(turn) = self.open.take().and_then(OpenTurn::finish) {
            events.push(Event::Turn(turn));
        }
        self.asked += 1;
        // Neither the client's ids nor its times stay the same when it rewrites a file.
        let number = self.asked.to_string();
        self.open = Some(OpenTurn {
            turn: Turn {
                key: TurnKey::of(&["codex", &self.header.session, &number, &question]),
                time,
                line: place.number,
                question,
                answers: Vec::new(),
            },
            place,
            asked: self.asked,
        });
    }
}

impl Reader for CodexReader {
    fn line(&mut self, place: LinePlace, line: &[u8], events: &mut Vec<Event>) {
        if let Some(parsed) = parse::<Line<'_>>(line) {
            self.take(place, &parsed, events);
        } else if let Some(mended) = without_lone_surrogates(line)
            && let Some(parsed) = parse::<Line<'_>>(&mended)
        {
            self.take(place, &parsed, events);
        }
    }

    fn open_turn(&self) -> Option<Turn> {
        self.open.clone().and_then(OpenTurn::finish)
    }

    fn resume(&self, next: LinePlace) -> Resume {
        let (place, asked) = match &self.open {
            Some(open) => (open.place, open.asked.saturating_sub(1)),
            None => (next, self.asked),
        };
        Resume {
            offset: place.offset,
            line: place.number,
            header: self.header.clone(),
            asked,
            in_copy: self.in_copy,
        }
    }

    fn header(&self) -> &Header {
        &self.header
    }
}

/// The texts of a message's content, an empty one for what has none.
fn items(content: Option<&RawValue>) -> Vec<Cow<'_, str>> {
    let items: Vec<ItemText<'_>> =
        content.and_then(|content| parse(content.get().as_bytes())).unwrap_or_default();
    items.into_iter().map(|item| item.text.unwrap_or_default()).collect()
}

/// What a person typed, of a message whose items have kinds.
fn typed_text(items: &[Cow<'_, str>], kinds: &[Cow<'_, str>]) -> String {
    let typed = items
        .iter()
        .zip(kinds)
        .filter(|(text, kind)| *kind == "user.text" && !is_image_frame(text) && !text.is_empty());
    let texts: Vec<&str> = typed.map(|(text, _)| text.as_ref()).collect();
    texts.join("\n\n")
}

/// An attached image stands between two texts that nobody typed.
fn is_image_frame(text: &str) -> bool {
    let text = text.trim();
    text == "</image>" || (text.starts_with("<image name=") && text.ends_with('>'))
}

fn same_question(one: &str, other: &str) -> bool {
    let plain =
        |text: &str| -> Vec<String> { text.split_whitespace().map(str::to_owned).collect() };
    plain(one) == plain(other)
}

#[expect(clippy::cast_possible_truncation, reason = "seconds of this age are far from the limit")]
fn milliseconds(seconds: f64) -> super::Time {
    (seconds * 1000.0) as super::Time
}
