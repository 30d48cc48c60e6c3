//! Transcripts of Claude Code: `projects/<slug>/<session>.jsonl`.

use std::borrow::Cow;
use std::collections::HashMap;

use serde::Deserialize;
use serde_json::value::RawValue;

use super::line::LinePlace;
use super::{
    Event, Header, OpenTurn, Reader, Resume, Turn, TurnKey, parse, time, without_lone_surrogates,
};

/// What a line begins with that says `user` and is none of a person's words.
const NOT_A_PROMPT: [&str; 11] = [
    "<command-name>",
    "<command-message>",
    "<command-args>",
    "<local-command-caveat>",
    "<local-command-stdout>",
    "<local-command-stderr>",
    "<task-notification>",
    "<system-reminder>",
    "<bash-stdout>",
    "<bash-stderr>",
    "[Request interrupted",
];

/// What a shell command of a person begins with; the client answers it by itself.
const BASH_INPUT: &str = "<bash-input>";

/// Reads a transcript of Claude Code.
#[derive(Debug)]
pub(crate) struct ClaudeReader {
    header: Header,
    open: Option<OpenTurn>,
    /// Questions so far.
    asked: u64,
    /// Questions that are told, oldest first, each with its number.
    told: Vec<(u64, TurnKey)>,
    /// The question under which a line stands, by a number for its id.
    lines: HashMap<u64, u64>,
    /// Whether the reading began within the file.
    is_resumed: bool,
    saw_prompt: bool,
}

#[expect(clippy::struct_excessive_bools, reason = "the client's own marks of a line")]
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Line<'a> {
    #[serde(borrow, rename = "type")]
    kind: Option<Cow<'a, str>>,
    #[serde(borrow)]
    uuid: Option<Cow<'a, str>>,
    #[serde(borrow)]
    parent_uuid: Option<Cow<'a, str>>,
    #[serde(borrow)]
    logical_parent_uuid: Option<Cow<'a, str>>,
    #[serde(borrow)]
    timestamp: Option<Cow<'a, str>>,
    #[serde(borrow)]
    session_id: Option<Cow<'a, str>>,
    #[serde(borrow)]
    cwd: Option<Cow<'a, str>>,
    #[serde(borrow)]
    prompt_source: Option<Cow<'a, str>>,
    #[serde(borrow)]
    message: Option<&'a RawValue>,
    #[serde(borrow)]
    attachment: Option<&'a RawValue>,
    #[serde(borrow)]
    tool_use_result: Option<&'a RawValue>,
    #[serde(borrow)]
    origin: Option<&'a RawValue>,
    #[serde(borrow)]
    snapshot: Option<&'a RawValue>,
    #[serde(default)]
    is_sidechain: bool,
    #[serde(default)]
    is_meta: bool,
    #[serde(default)]
    is_compact_summary: bool,
    #[serde(default)]
    is_api_error_message: bool,
}

#[derive(Deserialize)]
struct Message<'a> {
    #[serde(borrow)]
    content: Option<&'a RawValue>,
    #[serde(borrow)]
    model: Option<Cow<'a, str>>,
}

#[derive(Deserialize)]
struct Block<'a> {
    #[serde(borrow, rename = "type")]
    kind: Option<Cow<'a, str>>,
    #[serde(borrow)]
    text: Option<Cow<'a, str>>,
}

#[derive(Deserialize)]
struct Origin<'a> {
    #[serde(borrow)]
    kind: Option<Cow<'a, str>>,
}

#[derive(Deserialize)]
struct Snapshot<'a> {
    #[serde(borrow)]
    timestamp: Option<Cow<'a, str>>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Attachment<'a> {
    #[serde(borrow, rename = "type")]
    kind: Option<Cow<'a, str>>,
    #[serde(borrow)]
    prompt: Option<&'a RawValue>,
    #[serde(borrow)]
    command_mode: Option<Cow<'a, str>>,
    #[serde(borrow)]
    origin: Option<&'a RawValue>,
}

impl ClaudeReader {
    /// A reader that starts at the beginning of a file, or goes on.
    pub(crate) fn new(resume: Option<&Resume>) -> Self {
        Self {
            header: resume.map(|resume| resume.header.clone()).unwrap_or_default(),
            open: None,
            asked: resume.map_or(0, |resume| resume.asked),
            told: Vec::new(),
            lines: HashMap::new(),
            is_resumed: resume.is_some(),
            saw_prompt: false,
        }
    }

    fn close(&mut self, events: &mut Vec<Event>) {
        if let Some(open) = self.open.take() {
            let number = open.asked;
            if let Some(turn) = open.finish() {
                self.told.push((number, turn.key));
                events.push(Event::Turn(turn));
            }
        }
    }

    fn take(&mut self, place: LinePlace, line: &Line<'_>, events: &mut Vec<Event>) {
        let Some(uuid) = line.uuid.as_deref() else {
            // These are not copied into a fork: they tell when the file was begun.
            if self.header.begun.is_none() {
                let snapshot =
                    line.snapshot.and_then(|raw| parse::<Snapshot<'_>>(raw.get().as_bytes()));
                let snapshot = snapshot.and_then(|snapshot| snapshot.timestamp);
                let text = line.timestamp.as_deref().or(snapshot.as_deref());
                self.header.begun = text.and_then(time);
            }
            return;
        };
        if line.is_sidechain {
            return;
        }
        if self.header.session.is_empty()
            && let Some(session) = &line.session_id
        {
            self.header.session = session.clone().into_owned();
        }
        if self.header.project.is_empty()
            && let Some(cwd) = &line.cwd
        {
            self.header.project = cwd.clone().into_owned();
        }
        match line.kind.as_deref() {
            Some("user") => self.user(place, uuid, line, events),
            Some("assistant") => self.assistant(line),
            Some("attachment") => self.attachment(place, uuid, line),
            _ => {}
        }
        self.lines.insert(short(uuid), self.asked);
    }

    fn user(&mut self, place: LinePlace, uuid: &str, line: &Line<'_>, events: &mut Vec<Event>) {
        if line.is_meta || line.is_compact_summary || line.tool_use_result.is_some() {
            return;
        }
        let Some(text) = line.message.and_then(|message| prompt(message.get())) else { return };
        let origin = line.origin.and_then(|origin| parse::<Origin<'_>>(origin.get().as_bytes()));
        let is_human = origin.and_then(|origin| origin.kind).is_none_or(|kind| kind == "human");
        if text.starts_with(BASH_INPUT) {
            self.close(events);
            return;
        }
        let is_prompt = is_human
            && line.prompt_source.as_deref() != Some("system")
            && !NOT_A_PROMPT.iter().any(|tag| text.starts_with(tag));
        if !is_prompt {
            // What follows a command or the report of a task answers that, not the
            // question before, unless the answer has been waiting for the report.
            let is_report = !is_human && self.open.as_ref().is_some_and(OpenTurn::is_answered);
            if is_report || text.starts_with("<command-") {
                self.close(events);
            }
            return;
        }
        self.follow_branch(line, events);
        self.close(events);
        self.asked += 1;
        self.saw_prompt = true;
        self.open = Some(OpenTurn {
            turn: Turn {
                key: TurnKey::of(&["claude", uuid]),
                time: line.timestamp.as_deref().and_then(time),
                line: place.number,
                question: text,
                answers: Vec::new(),
            },
            place,
            asked: self.asked,
        });
    }

    /// A question that hangs on an earlier line takes back what was asked after it.
    fn follow_branch(&mut self, line: &Line<'_>, events: &mut Vec<Event>) {
        let Some(parent) = line.parent_uuid.as_deref().or(line.logical_parent_uuid.as_deref())
        else {
            return;
        };
        let Some(&under) = self.lines.get(&short(parent)) else {
            if self.is_resumed && self.saw_prompt {
                events.push(Event::NeedsWhole);
            }
            return;
        };
        if let Some(open) = self.open.take_if(|open| open.asked > under) {
            // An earlier reading may have told it already.
            events.push(Event::Abandoned(open.turn.key));
        }
        while let Some(&(number, key)) = self.told.last()
            && number > under
        {
            self.told.pop();
            events.push(Event::Abandoned(key));
        }
    }

    fn assistant(&mut self, line: &Line<'_>) {
        if line.is_api_error_message {
            return;
        }
        let Some(open) = &mut self.open else { return };
        let Some(message) =
            line.message.and_then(|message| parse::<Message<'_>>(message.get().as_bytes()))
        else {
            return;
        };
        if message.model.as_deref() == Some("<synthetic>") {
            return;
        }
        let Some(content) = message.content else { return };
        for text in texts(content.get()) {
            if !text.trim().is_empty() {
                open.turn.answers.push(text.into_owned());
            }
        }
    }

    /// A prompt that was typed while the client worked belongs to the question that is
    /// being answered.
    fn attachment(&mut self, place: LinePlace, uuid: &str, line: &Line<'_>) {
        let Some(attachment) = line
            .attachment
            .and_then(|attachment| parse::<Attachment<'_>>(attachment.get().as_bytes()))
        else {
            return;
        };
        if attachment.kind.as_deref() != Some("queued_command")
            || attachment.command_mode.as_deref().is_some_and(|mode| mode != "prompt")
        {
            return;
        }
        let origin =
            attachment.origin.and_then(|origin| parse::<Origin<'_>>(origin.get().as_bytes()));
        if origin.and_then(|origin| origin.kind).is_some_and(|kind| kind != "human") {
            return;
        }
        let Some(text) = attachment.prompt.and_then(|prompt| content_text(prompt.get())) else {
            return;
        };
        if text.trim().is_empty() || NOT_A_PROMPT.iter().any(|tag| text.starts_with(tag)) {
            return;
        }
        if let Some(open) = &mut self.open {
            open.turn.question.push_str("\n\n");
            open.turn.question.push_str(&text);
            return;
        }
        self.asked += 1;
        self.open = Some(OpenTurn {
            turn: Turn {
                key: TurnKey::of(&["claude", uuid]),
                time: line.timestamp.as_deref().and_then(time),
                line: place.number,
                question: text,
                answers: Vec::new(),
            },
            place,
            asked: self.asked,
        });
    }
}

impl Reader for ClaudeReader {
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
            in_copy: false,
        }
    }

    fn header(&self) -> &Header {
        &self.header
    }
}

/// The text of a prompt; `None` for the result of a tool.
fn prompt(message: &str) -> Option<String> {
    let message: Message<'_> = parse(message.as_bytes())?;
    let text = content_text(message.content?.get())?;
    (!text.trim().is_empty()).then_some(text)
}

/// A text, or the texts of a list of blocks; `None` when one is the result of a tool.
fn content_text(content: &str) -> Option<String> {
    if content.starts_with('"') {
        return parse::<String>(content.as_bytes());
    }
    let blocks: Vec<Block<'_>> = parse(content.as_bytes())?;
    if blocks.iter().any(|block| block.kind.as_deref() == Some("tool_result")) {
        return None;
    }
    let texts = blocks.into_iter().filter(|block| block.kind.as_deref() == Some("text"));
    let texts: Vec<_> = texts.filter_map(|block| block.text).collect();
    Some(texts.join("\n\n"))
}

fn texts(content: &str) -> Vec<Cow<'_, str>> {
    if content.starts_with('"') {
        return parse::<Cow<'_, str>>(content.as_bytes()).into_iter().collect();
    }
    let blocks: Vec<Block<'_>> = parse(content.as_bytes()).unwrap_or_default();
    let texts = blocks.into_iter().filter(|block| block.kind.as_deref() == Some("text"));
    texts.filter_map(|block| block.text).collect()
}

/// A number for a line's id: a file of gigabytes has many.
fn short(uuid: &str) -> u64 {
    let TurnKey(key) = TurnKey::of(&[uuid]);
    u64::from_ne_bytes(key.to_ne_bytes())
}
