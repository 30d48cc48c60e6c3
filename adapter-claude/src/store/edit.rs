//! Changing a memory file: one key, one line, one section.

use memory_core::doc::{Doc, DocEdit, EditError, Entry, Source, Span, elision};
use memory_core::model::{Fields, Value};
use memory_core::plan::{Change, WritePlan};
use memory_core::{AbsPath, Error, World};

use super::add::real_root;
use super::read::whole;
use crate::claude::Claude;
use crate::memory::MemoryProfile;
use crate::memory::emit;
use crate::text::frontmatter;

/// One change of a topic file or an index.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum MemoryEdit {
    /// Sets a key of the frontmatter to a text, and makes it where it is missing.
    Set {
        /// The key; `metadata.type` is the key `type` below `metadata`.
        key: String,
        /// The text.
        value: String,
    },
    /// Removes a key of the frontmatter; nothing happens without it.
    Remove {
        /// The key, as in [`MemoryEdit::Set`].
        key: String,
    },
    /// Replaces what stands below a heading, sub-sections included.
    Section {
        /// The heading's text; the first of several counts.
        title: String,
        /// The new text.
        text: String,
    },
    /// Replaces a line, its line end kept.
    Line {
        /// The line, counted from 1.
        number: u32,
        /// What stands there now, so that no other line is hit.
        old: String,
        /// What is to stand there.
        new: String,
    },
}

impl Claude {
    /// Plans changes of one file of a memory folder; all other bytes stay.
    ///
    /// The plan is empty when the file already is as wanted. Errors when the
    /// file cannot be read, when a heading or a line is not there, or when a
    /// text stands for something left out.
    pub fn plan_edit(
        &self,
        world: World<'_>,
        root: &AbsPath,
        file: &AbsPath,
        edits: &[MemoryEdit],
    ) -> Result<WritePlan, Error> {
        let (real, writable) = real_root(world.fs, root)?;
        let below = file.strip_prefix(root).or_else(|| file.strip_prefix(&real));
        let below = below.ok_or_else(|| Error::OutsideRoot { path: file.clone() })?;
        let path = real.join(below);
        let before =
            whole(world.fs, &path).map_err(|source| Error::Io { path: path.clone(), source })?;
        let doc = Doc::parse(Source::new(before.clone())).value;
        let mut edit = doc.edit();
        let unedited = |source| Error::Edit { path: path.clone(), source };
        for wanted in edits {
            refuse_elision(&path, wanted)?;
            match wanted {
                MemoryEdit::Set { key, value } => match key.strip_prefix(NESTED) {
                    None => _ = edit.set(key, value),
                    Some(key) => set_nested(&self.profile.memory, &doc, &mut edit, key, value)
                        .map_err(unedited)?,
                },
                MemoryEdit::Remove { key } => match key.strip_prefix(NESTED) {
                    None => _ = edit.remove(key),
                    Some(key) => remove_nested(&self.profile.memory, &doc, &mut edit, key)
                        .map_err(unedited)?,
                },
                MemoryEdit::Section { title, text } => {
                    let sections = doc.sections();
                    let found = sections.iter().find(|section| section.title == *title);
                    let found = found.ok_or_else(|| {
                        unedited(EditError::NoSuchSection { title: title.clone() })
                    })?;
                    edit.replace_section(found, text);
                }
                MemoryEdit::Line { number, old, new } => {
                    let span = line(doc.source(), *number);
                    let span = span.filter(|span| doc.source().slice_text(*span) == old.as_str());
                    let span = span.ok_or_else(|| Error::Stale { path: path.clone() })?;
                    let (span, new) = difference(doc.source(), span, new);
                    if !span.is_empty() || !new.is_empty() {
                        edit.replace(span, new);
                    }
                }
            }
        }
        let after = edit.finish().map_err(unedited)?;
        let mut plan = WritePlan::new([writable]);
        if after != before {
            plan.add(Change::replace(path, &before, after))?;
        }
        Ok(plan)
    }
}

const METADATA: &str = "metadata";
const NESTED: &str = "metadata.";

fn refuse_elision(path: &AbsPath, edit: &MemoryEdit) -> Result<(), Error> {
    let text = match edit {
        MemoryEdit::Set { value, .. } => value,
        MemoryEdit::Section { text, .. } => text,
        MemoryEdit::Line { new, .. } => new,
        MemoryEdit::Remove { .. } => return Ok(()),
    };
    match elision(text) {
        Some((line, words)) => {
            Err(Error::Elision { path: path.clone(), line, words: words.to_owned() })
        }
        None => Ok(()),
    }
}

/// What a line says, as a span.
fn line(source: &Source, number: u32) -> Option<Span> {
    let line = source.lines().nth(usize::try_from(number.checked_sub(1)?).ok()?)?;
    Some(source.line_content(line))
}

/// The bytes that differ between a span and its new text, and what stands there
/// then: bytes that are no UTF-8 stay where their U+FFFD does.
fn difference<'a>(source: &Source, span: Span, new: &'a str) -> (Span, &'a str) {
    let mut old: Vec<(char, usize)> = Vec::new();
    for chunk in source.slice(span).utf8_chunks() {
        old.extend(chunk.valid().chars().map(|char| (char, char.len_utf8())));
        if !chunk.invalid().is_empty() {
            old.push((char::REPLACEMENT_CHARACTER, chunk.invalid().len()));
        }
    }
    let (mut span, mut new, mut rest) = (span, new, old.as_slice());
    while let Some(((char, len), tail)) = rest.split_first()
        && let Some(kept) = new.strip_prefix(*char)
    {
        (span.start, new, rest) = (span.start + len, kept, tail);
    }
    while let Some(((char, len), head)) = rest.split_last()
        && let Some(kept) = new.strip_suffix(*char)
    {
        (span.end, new, rest) = (span.end - len, kept, head);
    }
    (span, new)
}

/// The lines of a block below `metadata:`, each with its key, where it has one.
struct Block {
    /// How far its keys are indented.
    indent: String,
    /// Each key with the bytes of its lines.
    entries: Vec<(String, Span)>,
    /// Where a new key goes: behind the last line that is no comment.
    end: usize,
}

/// The block below `metadata:`; `None` where its value stands on its own line, or is missing.
fn block(doc: &Doc) -> Option<Block> {
    let entry = entry(doc)?;
    let source = doc.source();
    let lines: Vec<Span> = source
        .lines()
        .filter(|line| line.start >= entry.span.start && line.end <= entry.span.end)
        .collect();
    let (first, below) = lines.split_first()?;
    let head = source.slice_text(*first);
    let head = head.split_once(':').map_or("", |(_, value)| value.trim());
    if !(head.is_empty() || head.starts_with('#')) {
        return None;
    }
    let indent_of = |text: &str| text.len() - text.trim_start_matches([' ', '\t']).len();
    let mut found = Block { indent: "  ".to_owned(), entries: Vec::new(), end: first.end };
    let mut depth = None;
    for span in below {
        let text = source.slice_text(*span);
        let trimmed = text.trim();
        if trimmed.is_empty() || trimmed.starts_with('#') {
            continue;
        }
        let indent = indent_of(&text);
        let level = *depth.get_or_insert_with(|| {
            text.get(..indent).unwrap_or_default().clone_into(&mut found.indent);
            indent
        });
        let key = trimmed.split_once(':').map(|(key, _)| key.trim_matches(['"', '\'']));
        match (key, found.entries.last_mut()) {
            (Some(key), _) if indent == level && !trimmed.starts_with('-') => {
                found.entries.push((key.to_owned(), *span));
            }
            (_, Some((_, last))) => last.end = span.end,
            (_, None) => return None,
        }
        found.end = span.end;
    }
    Some(found)
}

fn set_nested(
    profile: &MemoryProfile,
    doc: &Doc,
    edit: &mut DocEdit<'_>,
    key: &str,
    value: &str,
) -> Result<(), EditError> {
    let value = Value::Text(value.to_owned());
    let Some(block) = block(doc) else {
        let mut fields = nested(doc)?;
        fields.0.retain(|(other, _)| other != key);
        fields.0.push((key.to_owned(), value));
        set_block(profile, doc, edit, fields);
        return Ok(());
    };
    let written = emit(profile, &Fields(vec![(key.to_owned(), value)]));
    let line = format!("{}{written}{}", block.indent, end_of_line(doc));
    match block.entries.iter().rfind(|(other, _)| other == key) {
        Some((_, span)) => edit.replace(*span, &line),
        None => edit.replace(Span::new(block.end..block.end), &line),
    };
    Ok(())
}

fn remove_nested(
    profile: &MemoryProfile,
    doc: &Doc,
    edit: &mut DocEdit<'_>,
    key: &str,
) -> Result<(), EditError> {
    if let Some(block) = block(doc) {
        for (_, span) in block.entries.iter().filter(|(other, _)| other == key) {
            edit.replace(*span, "");
        }
        return Ok(());
    }
    let mut fields = nested(doc)?;
    let before = fields.0.len();
    fields.0.retain(|(other, _)| other != key);
    if fields.0.len() < before {
        set_block(profile, doc, edit, fields);
    }
    Ok(())
}

/// What stands in `metadata` where that is no block, read by itself: the rest of
/// the frontmatter may be broken.
fn nested(doc: &Doc) -> Result<Fields, EditError> {
    let Some(entry) = entry(doc) else { return Ok(Fields::default()) };
    let text = doc.source().slice_text(entry.span).replace("\r\n", "\n");
    let fields = frontmatter::read(&text).0.unwrap_or_default();
    match fields.get(METADATA) {
        Some(Value::Map(nested)) => Ok(nested.clone()),
        Some(Value::Null) => Ok(Fields::default()),
        _ => Err(EditError::NotAMap { key: METADATA.to_owned() }),
    }
}

fn entry(doc: &Doc) -> Option<&Entry> {
    doc.entries().filter(|entry| doc.key(entry) == METADATA).last()
}

/// Writes `metadata` as a block where it was none.
fn set_block(profile: &MemoryProfile, doc: &Doc, edit: &mut DocEdit<'_>, fields: Fields) {
    let end = end_of_line(doc);
    let whole = emit(profile, &Fields(vec![(METADATA.to_owned(), Value::Map(fields))]));
    let lines = format!("{}{end}", whole.replace('\n', end));
    match (entry(doc), doc.frontmatter()) {
        (Some(entry), _) => edit.replace(entry.span, &lines),
        (None, Some(header)) => {
            let at = header.inner.end;
            edit.replace(Span::new(at..at), &lines)
        }
        // The frontmatter is made for all new keys together.
        (None, None) => {
            let value = lines.split_once(':').map_or("", |(_, value)| value);
            edit.set_raw(METADATA, value.trim_start_matches(' ').trim_end_matches(['\n', '\r']))
        }
    };
}

fn end_of_line(doc: &Doc) -> &'static str {
    let first = doc.source().lines().next().map(|line| doc.source().slice(line));
    if first.is_some_and(|line| line.ends_with(b"\r\n")) { "\r\n" } else { "\n" }
}

#[cfg(test)]
mod tests;
