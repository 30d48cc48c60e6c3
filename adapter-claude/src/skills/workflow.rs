//! Workflows: scripts that the client lists among the skills.

use std::collections::HashMap;

use memory_core::fs::{FileKind, Metadata};
use memory_core::{AbsPath, Scope};
use serde_json::Value;

use super::collate::compare;
use super::root::project_folders;
use super::{Entry, What};
use crate::context::Context;
use crate::rules;
use crate::text::frontmatter::is_space;

/// The largest script that is read, in bytes.
const MAX_LEN: u64 = 1024 * 1024;

/// How deep values may lie in each other.
const MAX_DEPTH: usize = 64;

/// The workflows that a start finds, by name: those of inner directories hide
/// those of outer ones, and a project's hide the person's.
pub(super) fn workflows(context: &Context<'_>) -> Vec<Entry> {
    let settings = context.settings;
    if settings.find("disableWorkflows", |value| *value == Value::Bool(true)).is_some() {
        return Vec::new();
    }
    let mut entries: Vec<Entry> = Vec::new();
    let mut add = |folder: &AbsPath, scope| {
        // Of two in one directory the later file counts.
        let mut here: HashMap<String, Entry> = HashMap::new();
        for entry in in_folder(context, folder, scope) {
            here.insert(entry.name.clone(), entry);
        }
        let known = |name: &String| entries.iter().any(|entry: &Entry| entry.name == *name);
        here.retain(|name, _| !known(name));
        entries.extend(here.into_values());
    };
    if settings.sources.project {
        for dir in project_folders(context, "workflows") {
            add(&dir.join(".claude/workflows"), Scope::Project);
        }
    }
    if settings.sources.user {
        add(&context.layout.config.join("workflows"), Scope::User);
    }
    entries.sort_by(|a, b| compare(&a.name, &b.name).then_with(|| a.name.cmp(&b.name)));
    entries
}

fn in_folder(context: &Context<'_>, folder: &AbsPath, scope: Scope) -> Vec<Entry> {
    let fs = context.world.fs;
    let Ok(listed) = fs.read_dir(folder) else { return Vec::new() };
    let mut names: Vec<String> = listed
        .filter_map(Result::ok)
        .filter(|entry| matches!(entry.kind, FileKind::File | FileKind::Symlink))
        .map(|entry| entry.name)
        .filter(|name| name.strip_suffix(".js").is_some())
        .collect();
    names.sort();
    let entries = names.into_iter().filter_map(|name| {
        let file = folder.join(&name);
        fs.metadata(&file).ok().filter(Metadata::is_file)?;
        let text = String::from_utf8_lossy(&fs.read_up_to(&file, MAX_LEN).ok()?).into_owned();
        let meta = meta(&text)?;
        let text = |key: &str| match meta.get(key) {
            Some(Literal::Text(text)) if !text.is_empty() => Some(text.clone()),
            _ => None,
        };
        Some(Entry {
            name: text("name")?,
            own_name: None,
            description: text("description")?,
            when_to_use: text("whenToUse"),
            scope,
            file,
            paths: rules::Scope::Always,
            base: folder.clone(),
            hidden_by_author: false,
            is_verbatim: true,
            what: What::Command,
        })
    });
    entries.collect()
}

/// A value of a script's description of itself.
enum Literal {
    Text(String),
    /// Anything else, of which only matters that it is a literal.
    Other,
}

/// The values of `export const meta = {…}`, which must come first.
fn meta(script: &str) -> Option<HashMap<String, Literal>> {
    let script = script.strip_prefix('\u{feff}').unwrap_or(script);
    let script = match script.strip_prefix("#!") {
        Some(line) => line.find('\n').and_then(|end| line.get(end..))?,
        None => script,
    };
    let mut reader = Reader { rest: script };
    for word in ["export", "const", "meta"] {
        reader.skip();
        reader.word(word)?;
    }
    reader.skip();
    reader.take('=')?;
    reader.skip();
    let fields = reader.object(0)?;
    // What goes on behind the braces makes it an expression.
    let before = reader.rest;
    reader.skip();
    let is_new_line = before.strip_suffix(reader.rest).is_some_and(|gap| gap.contains('\n'));
    let ends = match reader.rest.chars().next() {
        None | Some(';') => true,
        Some(c) => is_new_line && !".([`,+-*/%&|^<>=?".contains(c),
    };
    ends.then_some(fields)
}

/// Reads literals of JavaScript.
struct Reader<'t> {
    rest: &'t str,
}

impl Reader<'_> {
    fn take(&mut self, c: char) -> Option<()> {
        self.rest = self.rest.strip_prefix(c)?;
        Some(())
    }

    fn word(&mut self, word: &str) -> Option<()> {
        let rest = self.rest.strip_prefix(word)?;
        let ends = !rest.starts_with(|c: char| c.is_alphanumeric() || c == '_' || c == '$');
        ends.then(|| self.rest = rest)
    }

    /// Skips blanks and comments.
    fn skip(&mut self) {
        loop {
            let rest = self.rest.trim_start_matches(is_space);
            let behind = if let Some(line) = rest.strip_prefix("//") {
                line.find('\n').map_or("", |end| line.get(end..).unwrap_or_default())
            } else if let Some(block) = rest.strip_prefix("/*") {
                block.split_once("*/").map_or("", |(_, behind)| behind)
            } else {
                self.rest = rest;
                return;
            };
            self.rest = behind;
        }
    }

    fn object(&mut self, depth: usize) -> Option<HashMap<String, Literal>> {
        self.take('{')?;
        let mut fields = HashMap::new();
        loop {
            self.skip();
            if self.take('}').is_some() {
                return Some(fields);
            }
            let key = match self.rest.chars().next()? {
                '\'' | '"' => self.string()?,
                _ => self.identifier()?,
            };
            self.skip();
            self.take(':')?;
            self.skip();
            let value = self.value(depth)?;
            fields.insert(key, value);
            self.skip();
            if self.take(',').is_none() && !self.rest.starts_with('}') {
                return None;
            }
        }
    }

    fn list(&mut self, depth: usize) -> Option<()> {
        self.take('[')?;
        loop {
            self.skip();
            if self.take(']').is_some() {
                return Some(());
            }
            self.value(depth)?;
            self.skip();
            if self.take(',').is_none() && !self.rest.starts_with(']') {
                return None;
            }
        }
    }

    fn value(&mut self, depth: usize) -> Option<Literal> {
        if depth > MAX_DEPTH {
            return None;
        }
        match self.rest.chars().next()? {
            '\'' | '"' | '`' => self.string().map(Literal::Text),
            '{' => self.object(depth + 1).map(|_| Literal::Other),
            '[' => self.list(depth + 1).map(|()| Literal::Other),
            c if c.is_ascii_digit() || matches!(c, '-' | '.') => {
                let rest = self.rest.strip_prefix('-').unwrap_or(self.rest);
                let number = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '_');
                let behind = rest.trim_start_matches(number);
                (behind.len() < rest.len()).then(|| self.rest = behind)?;
                Some(Literal::Other)
            }
            _ => {
                let word = self.identifier()?;
                matches!(word.as_str(), "true" | "false" | "null").then_some(Literal::Other)
            }
        }
    }

    fn identifier(&mut self) -> Option<String> {
        let behind =
            self.rest.trim_start_matches(|c: char| c.is_alphanumeric() || matches!(c, '_' | '$'));
        let word = self.rest.strip_suffix(behind).filter(|word| !word.is_empty())?.to_owned();
        self.rest = behind;
        Some(word)
    }

    /// A text in quotes; a template only without expressions in it.
    fn string(&mut self) -> Option<String> {
        let mut chars = self.rest.chars();
        let quote = chars.next()?;
        let mut text = String::new();
        loop {
            match chars.next()? {
                c if c == quote => {
                    self.rest = chars.as_str();
                    return Some(text);
                }
                '\\' => {
                    let (escaped, behind) = escape(chars.as_str())?;
                    text.extend(escaped);
                    chars = behind.chars();
                }
                '\n' if quote != '`' => return None,
                '$' if quote == '`' && chars.as_str().starts_with('{') => return None,
                c => text.push(c),
            }
        }
    }
}

/// What an escape stands for, and what follows it.
fn escape(text: &str) -> Option<(Option<char>, &str)> {
    let mut chars = text.chars();
    let c = chars.next()?;
    let behind = chars.as_str();
    let hex = |digits: &str| {
        u32::from_str_radix(digits, 16).ok().map(|code| char::from_u32(code).unwrap_or('\u{fffd}'))
    };
    Some(match c {
        'n' => (Some('\n'), behind),
        't' => (Some('\t'), behind),
        'r' => (Some('\r'), behind),
        'b' => (Some('\u{8}'), behind),
        'f' => (Some('\u{c}'), behind),
        'v' => (Some('\u{b}'), behind),
        '0' => (Some('\0'), behind),
        '\n' => (None, behind),
        'x' => (Some(hex(behind.get(..2)?)?), behind.get(2..)?),
        'u' => match behind.strip_prefix('{') {
            Some(inside) => {
                let (digits, behind) = inside.split_once('}')?;
                (Some(hex(digits)?), behind)
            }
            None => (Some(hex(behind.get(..4)?)?), behind.get(4..)?),
        },
        other => (Some(other), behind),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn name(script: &str) -> Option<String> {
        match meta(script)?.remove("name")? {
            Literal::Text(name) => Some(name),
            Literal::Other => None,
        }
    }

    #[test]
    fn only_plain_literals_at_the_start_are_read() {
        for script in [
            "export const meta = { name: 'a', description: \"d\" };",
            "#!/usr/bin/env node\n// c\n/* d */ export const meta={'name':`a`,x:[1,{b:-2}],}\nfoo()",
            "export const meta = { name: '\\u0061' }",
        ] {
            assert_eq!(name(script).as_deref(), Some("a"), "{script}");
        }
        for script in [
            "import x from 'y';\nexport const meta = { name: 'a' };",
            "export let meta = { name: 'a' };",
            "export const meta = { name: 'a' + 'b' };",
            "export const meta = { name: `a${b}` };",
            "export const meta = { name: 'a', ...b };",
            "export const meta = { name: 'a', x: f() };",
            "export const meta = { name: 'a' } as const;",
            "export const meta = f({ name: 'a' });",
            "export const meta = { name: 'a'",
        ] {
            assert_eq!(name(script), None, "{script}");
        }
    }
}
