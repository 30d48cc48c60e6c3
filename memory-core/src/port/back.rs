//! Bringing what was carried the other way back to where it came from.

use std::collections::{HashMap, HashSet};

use super::drafts::{Drafts, Now};
use super::join::{Joined, TORN};
use super::ledger::{Ledger, Record};
use super::manifest::{At, Entry};
use super::note::{self, Note, noted};
use super::outcome::{Changed, Conflict, Side};
use super::piece::{Clients, Piece, own, pieces};
use super::recipe::{Edited, Step, around, carry_edits, follow, recipe};
use super::text::{Value, ended, normal};
use super::weigh::{Decision, Scales};
use super::{Lowered, Placement, PortPlace, Target};
use crate::fs::{Content, Fs};
use crate::inventory::ItemKind;
use crate::model::SourceFile;
use crate::path::AbsPath;
use crate::report::{Code, Diagnostic, Severity};

/// What is brought back, beside the drafts.
pub(super) struct Back<'a> {
    pub(super) fs: &'a dyn Fs,
    pub(super) place: &'a PortPlace,
    pub(super) ledger: &'a Ledger<'a>,
    pub(super) scales: &'a Scales<'a>,
    /// The client that everything belongs to, and that it was carried to.
    pub(super) clients: Clients,
    /// What would be made of the originals as they are now.
    pub(super) mirror: &'a Mirror,
    pub(super) out: Joined,
    pub(super) diagnostics: Vec<Diagnostic>,
}

/// What a port in the other direction would make of the originals.
#[derive(Default)]
pub(super) struct Mirror {
    pub(super) placements: Vec<Placement>,
    pub(super) pieces: Vec<Piece>,
    pub(super) kinds: HashMap<AbsPath, ItemKind>,
    by_origin: HashMap<AbsPath, Vec<usize>>,
}

impl Mirror {
    pub(super) fn new(
        lowered: Lowered,
        kinds: HashMap<AbsPath, ItemKind>,
        drafts: &Drafts<'_>,
    ) -> Self {
        let placements = lowered.placements;
        let pieces = pieces(&placements, drafts);
        let mut by_origin: HashMap<AbsPath, Vec<usize>> = HashMap::new();
        for (number, placement) in placements.iter().enumerate() {
            for source in placement.from.iter().take(1) {
                by_origin.entry(source.path.clone()).or_default().push(number);
            }
        }
        Self { placements, pieces, kinds, by_origin }
    }

    /// What would be made of the origin of a record, and the piece that it is.
    fn made_of(&self, record: &Record) -> Option<(Value, &Placement, Option<&Piece>)> {
        let numbers = self.by_origin.get(&record.from)?;
        let name = record.entry.at.as_ref().and_then(At::name);
        let found = numbers.iter().filter_map(|number| {
            let placement = self.placements.get(*number)?;
            match &placement.to {
                Target::Section { .. } if name.is_some() => {
                    let piece = self.pieces.iter().find(|piece| piece.number == *number)?;
                    Some((Value::of(&piece.text), placement, Some(piece)))
                }
                Target::Whole { path, content } if name.is_none() && *path == record.to => {
                    Some((Value::of_content(content), placement, None))
                }
                _ => None,
            }
        });
        let found: Vec<_> = found.collect();
        let same = |(_, _, piece): &&(Value, &Placement, Option<&Piece>)| {
            piece.is_none_or(|piece| Some(piece.name.as_str()) == name)
        };
        found.iter().find(same).or(found.first()).cloned()
    }
}

impl Back<'_> {
    /// Brings everything back that is asked for, and keeps what is noted of the
    /// rest.
    pub(super) fn bring(&mut self, drafts: &mut Drafts<'_>, is_asked: impl Fn(&Record) -> bool) {
        let ledger = self.ledger;
        // The part that brings a file back comes before its others.
        let (others, ways): (Vec<&Record>, Vec<&Record>) =
            ledger.records.iter().partition(|record| record.entry.other);
        for record in ways.into_iter().chain(others) {
            if !record.is_of(self.clients.client) || record.is_elsewhere {
                continue;
            }
            if record.is_pointer() || record.entry.at == Some(At::Line) || !is_asked(record) {
                self.keep(record);
                continue;
            }
            self.piece(record, drafts);
        }
    }

    fn keep(&mut self, record: &Record) {
        for base in &record.bases {
            self.out.entries.push(Entry { base: base.clone(), ..record.entry.clone() });
        }
    }

    fn piece(&mut self, record: &Record, drafts: &mut Drafts<'_>) {
        let copy = match self.copy(record) {
            Ok(copy) => copy,
            Err(why) => {
                self.conflict(record, None, None, None, why.to_owned());
                return self.keep(record);
            }
        };
        let made = self.mirror.made_of(record);
        let now = self.origin(record, drafts);
        let there = match (&now, &made) {
            (Err(why), _) => {
                let is_edited = copy.as_ref().is_some_and(|it| !record.bases.contains(&it.key));
                if is_edited || self.fs.symlink_metadata(&record.from).is_err() {
                    self.conflict(record, copy.as_ref(), None, None, why.clone());
                }
                return self.keep(record);
            }
            (Ok(None), _) => None,
            (Ok(Some(_)), Some((value, _, _))) => Some(value.clone()),
            // It is there, but is not what its client shows any more.
            (Ok(Some(content)), None) => {
                let of = record.entry.of.as_ref().unwrap_or(&record.entry.base);
                let value = Value::of_content(content);
                let is_same = value.key == *of;
                let key = if is_same { record.bases.first().cloned() } else { None };
                Some(Value { key: key.unwrap_or(format!("changed-{}", value.key)), text: None })
            }
        };
        let was_here = record.bases.iter().any(|base| self.scales.bases.were_here(base));
        let is_edited = copy.as_ref().is_some_and(|copy| !record.bases.contains(&copy.key));
        if copy.is_none() {
            self.side(record, Changed::CopyGone);
            let is_file_there = self.fs.symlink_metadata(&record.to).is_ok();
            if there.is_none() {
                return;
            }
            // Where the copy never came, nobody took it away.
            if !was_here && !(is_file_there && record.entry.at.is_some()) {
                return self.keep(record);
            }
        }
        if there.is_none() && record.entry.other {
            return self.keep(record);
        }
        if there.is_none() && copy.is_some() && was_here {
            self.side(record, Changed::OriginGone);
            if is_edited && self.scales.prefer.is_none() {
                let why = "it was edited, and what it was carried from is gone".to_owned();
                self.conflict(record, copy.as_ref(), None, None, why);
                return self.keep(record);
            }
            if !is_edited || self.scales.prefer == Some(super::Prefer::To) {
                let message = "it was deleted, and is not brought back from its copy; port the other way to take the copy away too";
                self.diagnostics.push(
                    Diagnostic::new(Code("port/original-deleted"), Severity::Hint, message)
                        .at(&record.from),
                );
                return self.keep(record);
            }
        }
        let name = (&record.to, &record.from);
        let decision = if there.is_none() && copy.is_some() {
            Decision::Take
        } else {
            self.scales.decide(name, &record.bases, copy.as_ref(), there.as_ref())
        };
        if copy.is_some() {
            self.out.carried.push((record.to.clone(), record.from.clone()));
            for other in &record.with {
                self.out.carried.push((record.to.clone(), other.clone()));
            }
        }
        let text = match &decision {
            Decision::Same => None,
            Decision::Stay => {
                self.side(record, Changed::Origin);
                return self.keep(record);
            }
            Decision::Kept => None,
            Decision::Take => {
                if copy.is_some() && is_edited {
                    self.side(record, Changed::Copy);
                }
                copy.as_ref().and_then(|copy| copy.text.clone()).map(|text| text.to_string())
            }
            Decision::Merged(text) => {
                self.side(record, Changed::Both);
                Some(text.clone())
            }
            Decision::Open(open) => {
                self.side(record, Changed::Both);
                let why = "both it and its copy were changed since it was carried".to_owned();
                let settled = open.settled_in.clone();
                self.conflict(
                    record,
                    copy.as_ref(),
                    there.as_ref(),
                    Some((open.line, open.base.clone())),
                    why,
                );
                if let Some(last) = self.out.conflicts.last_mut() {
                    last.settled_in = settled;
                }
                return self.keep(record);
            }
        };
        let is_taken = matches!(decision, Decision::Take | Decision::Merged(_));
        if is_taken && copy.is_none() {
            self.remove(record, drafts);
            return;
        }
        let Some(agreed) = copy.clone().or(there.clone()) else { return };
        if is_taken {
            let made = made.as_ref().map(|(_, placement, piece)| (*placement, *piece));
            let now = now.ok().flatten();
            let link = copy.as_ref().filter(|copy| copy.text.is_none());
            let returned = match (link, &text) {
                (Some(link), _) => self.verbatim(record, link),
                (None, Some(text)) => {
                    self.returned(record, text, is_edited, now.as_ref(), there.as_ref(), made)
                }
                (None, None) => None,
            };
            let Some(returned) = returned else {
                let why = match now {
                    Some(_) => "the copy was edited where it is not the original's text",
                    None => "its bytes do not come out of its copies and the manifest",
                };
                self.conflict(record, copy.as_ref(), there.as_ref(), None, why.to_owned());
                return self.keep(record);
            };
            for (path, content) in returned {
                self.write(&path, content, drafts);
                drafts.made(&path, &record.to);
            }
        }
        self.out.bases.push(agreed.clone());
        self.note(record, &agreed, drafts);
    }

    /// What stands now where the copy was written.
    fn copy(&self, record: &Record) -> Result<Option<Value>, &'static str> {
        let Ok(found) = self.fs.symlink_metadata(&record.to) else { return Ok(None) };
        if !found.is_file() {
            let link = self.fs.read_link(&record.to).ok();
            let link = link.map(|target| Value::of_content(&Content::Symlink { target }));
            return Ok(link.filter(|_| record.entry.at.is_none()));
        }
        let Ok(bytes) = self.fs.read_up_to(&record.to, u64::MAX) else {
            return Err("its copy cannot be read");
        };
        let Some(name) = record.entry.at.as_ref().and_then(At::name) else {
            return Ok(Some(Value::of_bytes(&bytes)));
        };
        let names = self.mirror.pieces.iter().filter(|piece| piece.file == record.to);
        let names: HashSet<String> = names.map(|piece| piece.name.clone()).collect();
        let sheet = self.ledger.sheet(&record.to, &bytes, &names);
        if sheet.torn().contains(name) {
            return Err(TORN);
        }
        let text = sheet.part(name).filter(|text| !text.is_empty());
        Ok(text.map(|text| Value::of(&text)))
    }

    /// What stands at the origin, without what others put there; the reason why
    /// nothing can be put there as an error.
    fn origin(&self, record: &Record, drafts: &mut Drafts<'_>) -> Result<Option<Content>, String> {
        let draft = drafts.at(&record.from);
        match &draft.now {
            Now::Blocked(why) => Err(why.clone()),
            Now::Absent if !draft.is_changed() => Ok(None),
            _ => {
                if let Some(Content::Symlink { target }) = draft.wanted().or(draft.there()) {
                    return Ok(Some(Content::Symlink { target }));
                }
                let mode = match draft.there() {
                    Some(Content::File { mode, .. }) => mode,
                    _ => None,
                };
                let bytes = self.ledger.own_bytes(&record.from, draft.bytes());
                // Nothing but parts of other files is left of it.
                let is_gone = bytes.is_empty() && self.ledger.has_parts(&record.from);
                Ok((!is_gone).then(|| Content::File { bytes: bytes.into(), mode }))
            }
        }
    }

    /// The origin of what is a file or a link and no text.
    fn verbatim(&self, record: &Record, copy: &Value) -> Option<Vec<(AbsPath, Content)>> {
        let content = match copy.shown() {
            Some(target) => Content::Symlink { target: target.to_owned() },
            None => {
                let bytes = self.fs.read_up_to(&record.to, u64::MAX).ok()?;
                Content::File { bytes: bytes.into(), mode: permissions(record) }
            }
        };
        Some(vec![(record.from.clone(), content)])
    }

    /// The origin's bytes, and those of others that became one text with it, once
    /// the copy says this.
    fn returned(
        &self,
        record: &Record,
        text: &str,
        is_edited: bool,
        now: Option<&Content>,
        there: Option<&Value>,
        made: Option<(&Placement, Option<&Piece>)>,
    ) -> Option<Vec<(AbsPath, Content)>> {
        let bits = permissions(record);
        let Some(now) = now else {
            let entry = &record.entry;
            let copy = format!("{}\n", normal(text));
            let bytes = if is_edited {
                let len = entry.rest.iter().filter_map(|step| match step {
                    Step::Copy(_, end) => Some(*end),
                    _ => None,
                });
                around(&entry.rest, len.max().unwrap_or_default(), copy.as_bytes())?
            } else {
                follow(&entry.rest, copy.as_bytes())?
            };
            let bytes = if entry.crlf { ended_as(&bytes, "\r\n") } else { bytes };
            return Some(vec![(
                record.from.clone(),
                Content::File { bytes: bytes.into(), mode: bits },
            )]);
        };
        let old = there?.text.clone().or_else(|| {
            record.bases.iter().find_map(|base| self.scales.bases.text(base)).map(Into::into)
        })?;
        let piece = made.and_then(|(_, piece)| piece);
        let in_origin = |text: &str| match piece {
            Some(piece) => piece.as_in_origin(text),
            None => format!("{text}\n"),
        };
        let (old, new) = (in_origin(&old), in_origin(&normal(text)));
        let mut paths = vec![record.from.clone()];
        let mut sources = vec![now.bytes()?.to_vec()];
        for other in &record.with {
            if let Ok(bytes) = self.fs.read_up_to(other, u64::MAX) {
                paths.push(other.clone());
                sources.push(self.ledger.own_bytes(other, &bytes));
            }
        }
        let sources: Vec<&[u8]> = sources.iter().map(Vec::as_slice).collect();
        let ends: Vec<&str> = sources.iter().map(|bytes| super::text::newline(bytes)).collect();
        let steps = recipe(old.as_bytes(), sources.first()?);
        let edited = [Edited { steps: &steps, now: new.as_bytes() }];
        let carried = carry_edits(&sources, &edited)?;
        let back = paths.into_iter().zip(carried).zip(sources).zip(ends);
        let changed = back.filter(|(((_, bytes), before), _)| bytes != before);
        let content = |(((path, bytes), _), end): (((AbsPath, Vec<u8>), &[u8]), &str)| {
            let bytes = if end == "\r\n" { ended_as(&bytes, end) } else { bytes };
            let is_first = path == record.from;
            (path, Content::File { bytes: bytes.into(), mode: bits.filter(|_| is_first) })
        };
        Some(changed.map(content).collect())
    }

    /// Puts bytes into a file, before the parts of others that stand there.
    fn write(&self, path: &AbsPath, content: Content, drafts: &mut Drafts<'_>) {
        let draft = drafts.at(path);
        let (Content::File { bytes, mode }, true) = (&content, self.ledger.has_parts(path)) else {
            let mode = match (&content, draft.there()) {
                (Content::File { .. }, Some(Content::File { mode, .. })) => mode,
                (Content::File { mode, .. }, _) => *mode,
                _ => None,
            };
            draft.want(match content {
                Content::File { bytes, .. } => Content::File { bytes, mode },
                link @ Content::Symlink { .. } => link,
            });
            return;
        };
        let mut sheet = self.ledger.sheet(path, draft.bytes(), &HashSet::new());
        sheet.own = bytes.to_vec();
        let (all, _) = sheet.with(&HashMap::new(), &[], &HashSet::new());
        draft.want(Content::File { bytes: all.into(), mode: *mode });
    }

    /// Takes an origin away whose copy was taken away.
    fn remove(&mut self, record: &Record, drafts: &mut Drafts<'_>) {
        let draft = drafts.at(&record.from);
        if !self.ledger.has_parts(&record.from) {
            return draft.want_gone();
        }
        let mut sheet = self.ledger.sheet(&record.from, draft.bytes(), &HashSet::new());
        sheet.own.clear();
        let (left, _) = sheet.with(&HashMap::new(), &[], &HashSet::new());
        draft.want_bytes(left);
    }

    fn note(&mut self, record: &Record, agreed: &Value, drafts: &mut Drafts<'_>) {
        let draft = drafts.at(&record.from);
        let content = draft.wanted().or(draft.there());
        let Some(content) = content else { return };
        // Behind a symlink stands somebody else's file.
        if matches!(content, Content::Symlink { .. }) && record.entry.at.is_some() {
            let base = agreed.key.clone();
            return self.out.entries.push(Entry { base, ..record.entry.clone() });
        }
        let source = SourceFile { path: record.from.clone(), content };
        let content = own(self.ledger, &source);
        let source = SourceFile { path: source.path, content };
        let note = Note {
            place: self.place,
            clients: self.clients,
            kind: None,
            source: &source,
            with: &[],
            to: &record.to,
            at: record.entry.at.clone(),
        };
        let entry = noted(&note, agreed, agreed.key.clone());
        let (kind, with) = (record.entry.kind.clone(), record.entry.with.clone());
        let mode = if entry.mode.is_some() { entry.mode } else { record.entry.mode.clone() };
        let mode = mode.filter(|_| matches!(source.content, Content::File { .. }));
        let entry = Entry { kind, with, mode, project: record.entry.project.clone(), ..entry };
        self.out.entries.push(note::settled(entry, Some(&record.entry)));
    }

    fn side(&mut self, record: &Record, changed: Changed) {
        self.out.sides.push(Side {
            from: record.from.clone(),
            to: record.to.clone(),
            section: record.entry.at.as_ref().and_then(At::name).map(str::to_owned),
            changed,
        });
    }

    fn conflict(
        &mut self,
        record: &Record,
        copy: Option<&Value>,
        there: Option<&Value>,
        base: Option<(Option<u32>, Option<String>)>,
        why: String,
    ) {
        let (line, base) = base.unwrap_or_default();
        let there = there.and_then(|it| it.shown().map(str::to_owned));
        let now = || {
            let bytes = self.fs.read_up_to(&record.from, u64::MAX).ok()?;
            String::from_utf8(bytes).ok()
        };
        self.out.conflicts.push(Conflict {
            from: record.to.clone(),
            to: record.from.clone(),
            section: record.entry.at.as_ref().and_then(At::name).map(str::to_owned),
            line,
            base,
            ours: copy.and_then(|copy| copy.shown().map(str::to_owned)),
            theirs: there.or_else(now),
            why,
            settled_in: None,
        });
    }
}

/// The permission bits that a manifest notes. It may be anybody's: no program
/// of it runs as another person.
fn permissions(record: &Record) -> Option<u32> {
    let mode = record.entry.mode.as_deref()?;
    u32::from_str_radix(mode, 8).ok().map(|mode| mode & 0o777)
}

fn ended_as(bytes: &[u8], end: &str) -> Vec<u8> {
    match std::str::from_utf8(bytes) {
        Ok(text) => {
            let ended = ended(text, end);
            let is_open = !text.is_empty() && !text.ends_with('\n');
            let ended =
                if is_open { ended.trim_end_matches(['\r', '\n']).to_owned() } else { ended };
            ended.into_bytes()
        }
        Err(_) => bytes.to_vec(),
    }
}
