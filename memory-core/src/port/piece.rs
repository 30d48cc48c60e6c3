//! The pieces of a port: what goes to which place of which file.

use std::collections::{HashMap, HashSet};

use super::drafts::Drafts;
use super::ledger::{Ledger, Record};
use super::manifest::{At, Entry, Names};
use super::mark::{self, Sheet};
use super::text::{Value, is_alike, normal};
use super::{Placement, PortPlace, Target};
use crate::client::ClientId;
use crate::fs::{Content, Fs};
use crate::inventory::ItemKind;
use crate::model::SourceFile;
use crate::path::AbsPath;

/// A part of a text file on its way.
#[derive(Clone, Debug)]
pub(super) struct Piece {
    /// The number of its placement.
    pub(super) number: usize,
    /// The file, no folder of its path a link.
    pub(super) file: AbsPath,
    pub(super) name: String,
    /// Its text in its normal form, with marks where other parts stand.
    pub(super) text: String,
    pub(super) is_marked: bool,
    /// The marks in its text, each with the line that stands there in its origin.
    pub(super) inner: Vec<(String, Option<String>)>,
}

impl Piece {
    /// A text of the piece as its origin has it: with its own lines where other
    /// parts stand.
    pub(super) fn as_in_origin(&self, text: &str) -> String {
        let mut own = String::with_capacity(text.len());
        for line in text.lines() {
            match self.inner.iter().find(|(mark, _)| mark == line) {
                Some((_, None)) => continue,
                Some((_, Some(import))) => own.push_str(import),
                None => own.push_str(line),
            }
            own.push('\n');
        }
        own
    }
}

/// The parts of text files that are placed, those that others import in their
/// places.
pub(super) fn pieces(placements: &[Placement], drafts: &Drafts<'_>) -> Vec<Piece> {
    let mut names: HashMap<AbsPath, HashSet<&str>> = HashMap::new();
    for placement in placements {
        if let Target::Section { file, name, .. } = &placement.to {
            names.entry(drafts.real(file)).or_default().insert(name);
        }
    }
    let mut pieces: Vec<Piece> = Vec::new();
    let mut by_origin: HashMap<(AbsPath, AbsPath), usize> = HashMap::new();
    let mut imports = Vec::new();
    for (number, placement) in placements.iter().enumerate() {
        let Target::Section { file, name, preface, text, marked, within } = &placement.to else {
            continue;
        };
        let file = drafts.real(file);
        let is_name = |name: &str| names.get(&file).is_some_and(|names| names.contains(name));
        let text = mark::unmarked(&normal(&format!("{preface}{text}")), is_name);
        if let Some(source) = placement.from.first() {
            by_origin.entry((file.clone(), source.path.clone())).or_insert(pieces.len());
        }
        if let Some(import) = within {
            imports.push((pieces.len(), import));
        }
        pieces.push(Piece {
            number,
            file,
            name: name.clone(),
            text,
            is_marked: *marked,
            inner: Vec::new(),
        });
    }
    // From the last line to the first, so that each is found where it stood.
    imports.sort_by_key(|(_, import)| std::cmp::Reverse(import.line));
    for (at, import) in imports {
        let Some((file, name)) = pieces.get(at).map(|it| (it.file.clone(), it.name.clone())) else {
            continue;
        };
        let Some(outer) = by_origin.get(&(file, import.from.clone())).filter(|outer| **outer != at)
        else {
            continue;
        };
        let bytes = pieces
            .get(*outer)
            .and_then(|outer| placements.get(outer.number)?.from.first()?.content.bytes());
        let line = bytes.and_then(|bytes| {
            let lines = String::from_utf8_lossy(bytes).into_owned();
            lines.lines().nth(usize::try_from(import.line).ok()?.checked_sub(1)?).map(str::to_owned)
        });
        if let (Some(line), Some(outer)) = (line, pieces.get_mut(*outer)) {
            outer.hold(&name, line.trim_end(), import.is_alone);
        }
    }
    for piece in pieces.iter_mut().filter(|piece| !piece.inner.is_empty()) {
        let marks: HashSet<&str> = piece.inner.iter().map(|(mark, _)| mark.as_str()).collect();
        piece.text = mark::trimmed(&piece.text, |name| marks.contains(mark::mark(name).as_str()));
    }
    pieces
}

impl Piece {
    /// Puts a mark where another part is imported: in the place of the line, or
    /// behind the paragraph that the line is in.
    fn hold(&mut self, name: &str, line: &str, is_alone: bool) {
        let mark = mark::mark(name);
        let mut lines: Vec<&str> = self.text.lines().collect();
        // A line may stand there twice; the last one that is left is meant.
        let Some(at) = lines.iter().rposition(|known| known.trim_end() == line) else { return };
        if is_alone {
            if let Some(place) = lines.get_mut(at) {
                *place = &mark;
            }
            self.inner.push((mark.clone(), Some(line.to_owned())));
        } else {
            let rest = lines.get(at..).unwrap_or_default();
            let end = rest.iter().position(|line| line.trim().is_empty());
            lines.insert(end.map_or(lines.len(), |end| at + end), &mark);
            self.inner.push((mark.clone(), None));
        }
        self.text = lines.join("\n");
    }
}

/// What the target is to show of each part, by the number of its placement.
pub(super) fn shown(pieces: &[Piece]) -> HashMap<usize, String> {
    let text = |piece: &Piece| {
        let is_own = |line: &&str| piece.inner.iter().all(|(mark, _)| mark != line);
        piece.text.lines().filter(is_own).collect::<Vec<_>>().join("\n")
    };
    pieces.iter().map(|piece| (piece.number, text(piece))).collect()
}

/// Where a placement's file is, with the names of all parts that go there.
pub(super) fn names(pieces: &[Piece]) -> HashMap<AbsPath, HashSet<String>> {
    let mut names: HashMap<AbsPath, HashSet<String>> = HashMap::new();
    for piece in pieces {
        names.entry(piece.file.clone()).or_default().insert(piece.name.clone());
    }
    names
}

/// Who takes part in a port, for what is noted of it.
#[derive(Clone, Copy)]
pub(super) struct Clients {
    pub(super) client: ClientId,
    pub(super) target: ClientId,
}

/// The copies that stand where pieces go, and that no manifest names: they are
/// known by their marks, and at the top of a file by their text.
pub(super) fn unnoted(
    fs: &dyn Fs,
    place: &PortPlace,
    ledger: &Ledger<'_>,
    (placements, pieces): (&[Placement], &[Piece]),
    clients: Clients,
    kinds: &HashMap<AbsPath, ItemKind>,
) -> Vec<Record> {
    let names = names(pieces);
    let mut sheets: HashMap<&AbsPath, Option<Sheet>> = HashMap::new();
    let mut topped: HashSet<&AbsPath> = HashSet::new();
    let mut found = Vec::new();
    for piece in pieces {
        let source = placements.get(piece.number).and_then(|placement| placement.from.first());
        let Some(source) = source.filter(|source| source.path != piece.file) else { continue };
        let is_known = ledger.carried_to(&piece.file).any(|record| {
            record.entry.at.as_ref().and_then(At::name) == Some(&piece.name)
                || record.from == source.path
        });
        if is_known {
            continue;
        }
        let sheet = sheets.entry(&piece.file).or_insert_with(|| {
            let is_file = fs.symlink_metadata(&piece.file).is_ok_and(|found| found.is_file());
            let bytes = fs.read_up_to(&piece.file, crate::fs::MAX_READ).ok().filter(|_| is_file)?;
            Some(ledger.sheet(&piece.file, &bytes, names.get(&piece.file)?))
        });
        let Some(sheet) = sheet else { continue };
        let value = Value::of(&piece.text);
        let (at, now) = if let Some(text) = sheet.part(&piece.name) {
            (At::Mark(piece.name.clone()), text)
        } else {
            let own = normal(&String::from_utf8_lossy(&sheet.own));
            let is_top = !own.is_empty()
                && !topped.contains(&piece.file)
                && (Value::of(&own) == value || is_alike(&own, &piece.text));
            if !is_top {
                continue;
            }
            topped.insert(&piece.file);
            (At::Top(piece.name.clone()), own)
        };
        let base = (Value::of(&now) == value).then(|| value.key.clone());
        let kind = kinds.get(&source.path).map_or("instruction", |kind| kind.as_str());
        let names = Names { place };
        found.push(Record {
            entry: Entry {
                from: names.name(&source.path),
                to: names.name(&piece.file),
                at: Some(at),
                base: base.clone().unwrap_or_default(),
                client: clients.client.0.to_owned(),
                target: clients.target.0.to_owned(),
                kind: kind.to_owned(),
                of: None,
                with: Vec::new(),
                mode: None,
                crlf: false,
                rest: Vec::new(),
                other: false,
                project: None,
            },
            from: source.path.clone(),
            to: piece.file.clone(),
            with: Vec::new(),
            bases: base.into_iter().collect(),
            is_foreign: false,
            is_elsewhere: false,
        });
    }
    found
}

/// The bytes of a file of the source without what earlier ports put there.
pub(super) fn own(ledger: &Ledger<'_>, source: &SourceFile) -> Content {
    match &source.content {
        Content::File { bytes, mode } if ledger.has_parts(&source.path) => {
            Content::File { bytes: ledger.own_bytes(&source.path, bytes).into(), mode: *mode }
        }
        content => content.clone(),
    }
}
