//! What the client does with a skill beyond showing its text.

use memory_core::doc::LineIndex;
use memory_core::model::SkillExtra;

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
        } else if let Some(digit) = after.chars().next().filter(char::is_ascii_digit) {
            add(at, format!("one of its arguments is put in the place of `${digit}`"));
        } else if let Some(name) = read.arguments.iter().find(is_named) {
            add(at, format!("one of its arguments is put in the place of `${name}`"));
        }
    }
    for (at, _) in body.match_indices("!`") {
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
