//! What the manifest says of a piece.

use super::PortPlace;
use super::manifest::{At, Entry, Names};
use super::piece::Clients;
use super::recipe::recipe;
use super::text::{Value, newline};
use crate::fs::Content;
use crate::inventory::ItemKind;
use crate::model::SourceFile;
use crate::path::AbsPath;

/// A piece to be noted.
pub(super) struct Note<'a> {
    pub(super) place: &'a PortPlace,
    pub(super) clients: Clients,
    pub(super) kind: Option<ItemKind>,
    /// The file it comes from, without what others put there.
    pub(super) source: &'a SourceFile,
    pub(super) with: &'a [SourceFile],
    pub(super) to: &'a AbsPath,
    pub(super) at: Option<At>,
}

/// The usual permission bits of a file.
const USUAL_MODE: u32 = 0o644;

pub(super) fn noted(note: &Note<'_>, wanted: &Value, base: String) -> Entry {
    let names = Names { place: note.place };
    let of = Value::of_content(&note.source.content).key;
    let mode = match &note.source.content {
        Content::File { mode, .. } => mode.map(|mode| mode & 0o777),
        Content::Symlink { .. } => None,
    };
    let mut entry = Entry {
        from: names.name(&note.source.path),
        to: names.name(note.to),
        at: note.at.clone(),
        of: (of != base && note.at != Some(At::Line) && wanted.text.is_some()).then_some(of),
        base,
        client: note.clients.client.0.to_owned(),
        target: note.clients.target.0.to_owned(),
        kind: note.kind.map_or("instruction", |kind| kind.as_str()).to_owned(),
        with: note.with.iter().map(|file| names.name(&file.path)).collect(),
        mode: mode.filter(|mode| *mode != USUAL_MODE).map(|mode| format!("{mode:o}")),
        crlf: false,
        rest: Vec::new(),
        other: false,
        project: None,
    };
    if entry.at != Some(At::Line) {
        way_back(note, wanted, &mut entry);
    }
    entry
}

/// An entry as an earlier one of the same piece has it, where they differ only by
/// what a checkout makes of line ends and permission bits.
pub(super) fn settled(entry: Entry, known: Option<&Entry>) -> Entry {
    let Some(known) = known.filter(|known| is_same(known, &entry)) else { return entry };
    Entry {
        at: known.at.clone(),
        mode: known.mode.clone(),
        crlf: known.crlf,
        project: known.project.clone(),
        ..entry
    }
}

fn is_same(one: &Entry, other: &Entry) -> bool {
    let place = |entry: &Entry| {
        let name = entry.at.as_ref().and_then(At::name).map(str::to_owned);
        (entry.from.clone(), entry.to.clone(), name, entry.client.clone(), entry.base.clone())
    };
    let of = |entry: &Entry| entry.of.clone().unwrap_or_else(|| entry.base.clone());
    place(one) == place(other) && of(one) == of(other)
}

/// Leaves the way back to one part of each file: the others say that they are not
/// it.
pub(super) fn one_way_back(entries: &mut [Entry]) {
    entries.sort_by(|one, other| {
        (&one.client, &one.from, &one.to, &one.at).cmp(&(
            &other.client,
            &other.from,
            &other.to,
            &other.at,
        ))
    });
    let mut last: Option<(String, String)> = None;
    for entry in entries.iter_mut().filter(|entry| entry.at != Some(At::Line)) {
        let key = (entry.client.clone(), entry.from.clone());
        entry.other = last.as_ref() == Some(&key);
        if entry.other {
            entry.rest.clear();
            entry.crlf = false;
        }
        last = Some(key);
    }
}

/// Notes how the origin's bytes come out of the part's text.
fn way_back(note: &Note<'_>, wanted: &Value, entry: &mut Entry) {
    let Some(bytes) = note.source.content.bytes() else { return };
    let Some(text) = wanted.text.as_deref() else { return };
    entry.crlf = newline(bytes) == "\r\n" && is_all_crlf(bytes);
    let unix;
    let bytes = if entry.crlf {
        unix = String::from_utf8_lossy(bytes).replace("\r\n", "\n").into_bytes();
        &unix
    } else {
        bytes
    };
    entry.rest = recipe(bytes, format!("{text}\n").as_bytes());
}

fn is_all_crlf(bytes: &[u8]) -> bool {
    let ends = memchr::memchr_iter(b'\n', bytes).count();
    let returns = memchr::memchr_iter(b'\r', bytes).count();
    let both = memchr::memmem::find_iter(bytes, b"\r\n").count();
    std::str::from_utf8(bytes).is_ok() && both == ends && returns == ends
}
