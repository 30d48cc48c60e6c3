//! What the client does with a skill beyond showing its text.

use std::ops::Range;

use memory_core::doc::LineIndex;
use memory_core::model::SkillExtra;

use pulldown_cmark::{Event, Tag, TagEnd};

use super::ground::Ground;
use crate::skills::{Text, What, front};
use crate::text::prompt;

/// Keys that make the client do something, and what.
const KEYS: [(&str, &str); 10] = [
    ("allowed-tools", "it may use some tools without asking"),
    ("disallowed-tools", "it may not use some tools"),
    ("model", "a model of its own runs it"),
    ("effort", "the model thinks as hard as it says"),
    ("context", "it runs in a context of its own"),
    ("agent", "a sub-agent of its choice runs it"),
    ("hooks", "commands of its own run while it is in use"),
    ("argument-hint", "its arguments are hinted at when the person types its name"),
    ("arguments", "its arguments have names"),
    ("shell", "a shell of its choice runs its commands"),
];

/// What the client does with a skill, in the order of the file.
pub(super) fn extras(ground: &Ground<'_>, bytes: &[u8]) -> Vec<SkillExtra> {
    let text = String::from_utf8_lossy(bytes);
    let read = front(&text, What::Skill, ground.context.profile);
    let mut extras = enforced(&text, &read);
    extras.extend(replaced(ground, &text, &read));
    extras
}

fn enforced(text: &str, read: &Text) -> Vec<SkillExtra> {
    let header = text.get(..read.body).unwrap_or_default();
    let mut extras = Vec::new();
    for (number, line) in (1..).zip(header.lines()) {
        let asks = |key: &str| line.strip_prefix(key).is_some_and(|rest| rest.starts_with(':'));
        if let Some((key, what)) = KEYS.iter().find(|(key, _)| asks(key)) {
            let what = format!("`{key}`: {what}");
            extras.push(SkillExtra { what, line: number, replaces_text: false });
        }
    }
    extras
}

/// What the client puts something else in the place of, once for each kind.
fn replaced(ground: &Ground<'_>, text: &str, read: &Text) -> Vec<SkillExtra> {
    let body = text.get(read.body..).unwrap_or_default();
    let mut found: Vec<(usize, String)> = Vec::new();
    let mut add = |at: usize, what: String| {
        if !found.iter().any(|(_, known)| *known == what) {
            found.push((at, what));
        }
    };
    for (at, _) in body.match_indices('$') {
        let after = body.get(at + 1..).unwrap_or_default();
        let is_escaped = body.get(..at).is_some_and(|before| before.ends_with('\\'));
        let is_named = |name: &&String| {
            let behind = after.strip_prefix(name.as_str());
            behind.is_some_and(|behind| {
                !behind.starts_with(|c: char| c.is_ascii_alphanumeric() || c == '_')
            })
        };
        if after.starts_with("{CLAUDE_SKILL_DIR}") {
            add(
                at,
                "the path of its folder is put in the place of `${CLAUDE_SKILL_DIR}`".to_owned(),
            );
        } else if is_escaped {
        } else if after.starts_with("ARGUMENTS") {
            add(at, "its arguments are put in the place of `$ARGUMENTS`".to_owned());
        } else if let Some(number) = argument(after) {
            add(at, format!("one of its arguments is put in the place of `${number}`"));
        } else if let Some(name) = read.arguments.iter().find(is_named) {
            add(at, format!("one of its arguments is put in the place of `${name}`"));
        }
    }
    let code = code(body);
    for (at, _) in body.match_indices("!`") {
        let is_free = body
            .get(..at)
            .is_some_and(|before| before.chars().next_back().is_none_or(char::is_whitespace));
        if !is_free || code.iter().any(|range| range.contains(&at)) {
            continue;
        }
        let command = body.get(at + 2..).and_then(|rest| rest.split_once('`'));
        if let Some((command, _)) = command.filter(|(command, _)| !command.contains('\n')) {
            add(at, format!("what `{command}` prints is put in its place"));
        }
    }
    for named in prompt::mentioned(body) {
        let at = body.find(&format!("@{named}")).or_else(|| body.find(&format!("@\"{named}")));
        let is_there = || ground.is_file(&ground.context.layout.file(&named));
        if let Some(at) = at.filter(|_| is_there()) {
            add(at, format!("the file `{named}` is read along with it"));
        }
    }
    found.sort();
    let lines = LineIndex::new(text.as_bytes());
    let line = |at: usize| lines.line(read.body + at);
    found
        .into_iter()
        .map(|(at, what)| SkillExtra { what, line: line(at), replaces_text: true })
        .collect()
}

/// The number of an argument after a `$`: a whole number followed by no word
/// character. Nobody gives as many arguments as amounts of money have digits.
fn argument(after: &str) -> Option<&str> {
    let len = after.bytes().take_while(u8::is_ascii_digit).count();
    let (number, rest) = after.split_at_checked(len)?;
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    (len == 1 && !rest.starts_with(is_word)).then_some(number)
}

/// Where a text is code: there the client runs nothing.
fn code(text: &str) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let mut block = None;
    for (event, range) in pulldown_cmark::Parser::new(text).into_offset_iter() {
        match event {
            Event::Code(_) => found.push(range),
            Event::Start(Tag::CodeBlock(_)) => block = Some(range),
            Event::End(TagEnd::CodeBlock) => found.extend(block.take()),
            _ => {}
        }
    }
    found
}
