//! Joining what a target wants with what stands there already.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use super::drafts::{Drafts, Now};
use super::ledger::{Ledger, Record};
use super::lines::Lines;
use super::manifest::{At, Entry, Names};
use super::mark::Sheet;
use super::note::{self, Note, noted};
use super::outcome::{Changed, Conflict, Side};
use super::piece::{Clients, Piece, names, own, pieces};
use super::text::{Value, ended, newline, normal};
use super::weigh::{Decision, Open, Scales};
use super::{Placement, PortPlace, Target};
use crate::fs::Content;
use crate::inventory::ItemKind;
use crate::model::SourceFile;
use crate::path::AbsPath;

/// What is joined, beside the drafts.
pub(super) struct Joint<'a> {
    pub(super) place: &'a PortPlace,
    pub(super) ledger: &'a Ledger<'a>,
    pub(super) scales: &'a Scales<'a>,
    pub(super) clients: Clients,
    /// What kind of thing each of the source's files is.
    pub(super) kinds: &'a HashMap<AbsPath, ItemKind>,
    /// Files of the source that are there and could not be carried now: what was
    /// made of them stays.
    pub(super) unread: &'a HashSet<AbsPath>,
    /// Whether a record belongs to what is carried now.
    pub(super) is_asked: &'a dyn Fn(&Record) -> bool,
    pub(super) out: Joined,
    /// The files of the source of which something is placed.
    origins: HashSet<AbsPath>,
    /// The records that were met.
    met: HashSet<usize>,
}

/// What came of joining.
#[derive(Default)]
pub(super) struct Joined {
    pub(super) entries: Vec<Entry>,
    pub(super) carried: Vec<(AbsPath, AbsPath)>,
    pub(super) sides: Vec<Side>,
    pub(super) conflicts: Vec<Conflict>,
    /// Texts that both sides agree on from now on.
    pub(super) bases: Vec<Value>,
}

/// What is put into one file.
struct Work {
    sheet: Sheet,
    texts: HashMap<String, Option<String>>,
    marked: HashSet<String>,
    /// Why nothing can be put there.
    blocked: Option<String>,
    torn: BTreeSet<String>,
    sources: Vec<SourceFile>,
}

impl<'a> Joint<'a> {
    pub(super) fn new(
        place: &'a PortPlace,
        (ledger, scales): (&'a Ledger<'a>, &'a Scales<'a>),
        clients: Clients,
        kinds: &'a HashMap<AbsPath, ItemKind>,
        unread: &'a HashSet<AbsPath>,
        is_asked: &'a dyn Fn(&Record) -> bool,
    ) -> Self {
        Self {
            place,
            ledger,
            scales,
            clients,
            kinds,
            unread,
            is_asked,
            out: Joined::default(),
            origins: HashSet::new(),
            met: HashSet::new(),
        }
    }

    /// Joins all placements, in their order.
    pub(super) fn join(mut self, placements: &[Placement], drafts: &mut Drafts<'_>) -> Joined {
        let from = placements.iter().filter_map(|placement| placement.from.first());
        self.origins.extend(from.map(|source| source.path.clone()));
        self.sections(placements, drafts);
        for placement in placements {
            match &placement.to {
                Target::Section { .. } => {}
                Target::Line { file, text, is_first } => {
                    let file = drafts.real(file);
                    self.line(placement, &file, text, *is_first, drafts);
                }
                Target::Whole { path, content } => {
                    self.whole(placement, &drafts.real(path), content, drafts);
                }
                Target::Setting { file, before, after } => {
                    let draft = drafts.at(file);
                    let now = draft.is_there().then(|| draft.bytes());
                    if now == before.as_deref() {
                        draft.want_bytes(after.to_vec());
                        self.carried(placement, file);
                    } else {
                        let why = "it was changed while the plan was made".to_owned();
                        let wanted = Value::of_bytes(after);
                        self.in_the_way(placement, file, None, &wanted, None, why);
                    }
                }
                Target::InPlace => {
                    let files = placement.from.iter().map(|file| &file.path);
                    self.out.carried.extend(files.map(|path| (path.clone(), path.clone())));
                }
            }
        }
        self.clear(drafts);
        self.out
    }

    fn sections(&mut self, placements: &[Placement], drafts: &mut Drafts<'_>) {
        let pieces = pieces(placements, drafts);
        let names = names(&pieces);
        let mut order: BTreeMap<AbsPath, Vec<String>> = BTreeMap::new();
        for piece in &pieces {
            order.entry(piece.file.clone()).or_default().push(piece.name.clone());
        }
        let mut works: BTreeMap<AbsPath, Work> = BTreeMap::new();
        for file in order.keys() {
            works.insert(file.clone(), self.work(file, names.get(file), drafts));
        }
        let records = self.matched(placements, &pieces);
        for piece in &pieces {
            let Some(placement) = placements.get(piece.number) else { continue };
            let number = records.get(&piece.number).copied();
            self.section(placement, piece, number, &mut works, drafts);
        }
        self.leave(&mut works, drafts);
        let mut tops: HashMap<String, String> = HashMap::new();
        for (file, work) in works {
            let order = order.remove(&file).unwrap_or_default();
            if let Some(top) = put(&file, &work, &order, drafts) {
                tops.insert(Names { place: self.place }.name(&file), top);
            }
        }
        for entry in &mut self.out.entries {
            if let Some(At::Mark(name) | At::Top(name)) = &entry.at {
                let is_top = tops.get(&entry.to) == Some(name);
                let name = name.clone();
                entry.at = Some(if is_top { At::Top(name) } else { At::Mark(name) });
            }
        }
    }

    fn work(
        &self,
        file: &AbsPath,
        names: Option<&HashSet<String>>,
        drafts: &mut Drafts<'_>,
    ) -> Work {
        let draft = drafts.at(file);
        let blocked = match &draft.now {
            Now::Blocked(why) => Some(why.clone()),
            Now::There(Content::Symlink { target }) => Some(format!("it is a link to `{target}`")),
            _ => None,
        };
        let none = HashSet::new();
        let bytes = if blocked.is_some() { &[] } else { draft.bytes() };
        let sheet = self.ledger.sheet(file, bytes, names.unwrap_or(&none));
        let torn = sheet.torn().into_iter().map(str::to_owned).collect();
        Work {
            sheet,
            texts: HashMap::new(),
            marked: HashSet::new(),
            blocked,
            torn,
            sources: Vec::new(),
        }
    }

    /// The record of each piece, by the number of its placement: that of its
    /// place, else another of its origin, else one whose origin is gone and that
    /// says the same.
    fn matched(&mut self, placements: &[Placement], pieces: &[Piece]) -> HashMap<usize, usize> {
        let mut by_place: HashMap<(&AbsPath, &str), usize> = HashMap::new();
        let mut by_origin: HashMap<&AbsPath, Vec<usize>> = HashMap::new();
        let mut by_text: HashMap<&str, Vec<usize>> = HashMap::new();
        for (number, record) in self.ledger.records.iter().enumerate() {
            let name = record.entry.at.as_ref().and_then(At::name);
            let Some(name) = name.filter(|_| self.is_own(record)) else { continue };
            by_place.insert((&record.to, name), number);
            by_origin.entry(&record.from).or_default().push(number);
            for base in &record.bases {
                by_text.entry(base).or_default().push(number);
            }
        }
        let origin = |piece: &Piece| {
            placements.get(piece.number).and_then(|it| it.from.first()).map(|source| &source.path)
        };
        let origins: HashSet<&AbsPath> = pieces.iter().filter_map(origin).collect();
        let mut matched = HashMap::new();
        for piece in pieces {
            let known = by_place.get(&(&piece.file, piece.name.as_str())).copied();
            let is_its = |number: &usize| {
                let record = self.ledger.records.get(*number);
                record.is_some_and(|record| Some(&record.from) == origin(piece))
            };
            if let Some(number) = known.filter(is_its)
                && self.met.insert(number)
            {
                matched.insert(piece.number, number);
            }
        }
        for piece in
            pieces.iter().filter(|piece| !matched.contains_key(&piece.number)).collect::<Vec<_>>()
        {
            let of_origin = origin(piece).and_then(|path| by_origin.get(path));
            let of_origin = of_origin.into_iter().flatten().copied();
            let key = Value::of(&piece.text).key;
            let of_text = by_text.get(key.as_str()).into_iter().flatten().copied();
            let renamed = of_text.filter(|number| {
                let record = self.ledger.records.get(*number);
                record.is_some_and(|record| !origins.contains(&record.from))
            });
            let found = of_origin.chain(renamed).find(|number| !self.met.contains(number));
            if let Some(number) = found {
                self.met.insert(number);
                matched.insert(piece.number, number);
            }
        }
        matched
    }

    /// Whether a record is of what is carried now, in this direction.
    fn is_own(&self, record: &Record) -> bool {
        record.is_of(self.clients.client) && !record.is_elsewhere && (self.is_asked)(record)
    }

    fn section(
        &mut self,
        placement: &Placement,
        piece: &Piece,
        number: Option<usize>,
        works: &mut BTreeMap<AbsPath, Work>,
        drafts: &mut Drafts<'_>,
    ) {
        let record = number.and_then(|number| self.ledger.records.get(number));
        let wanted = Value::of(&piece.text);
        let Some(work) = works.get(&piece.file) else { return };
        if let Some(why) = work.blocked.clone() {
            self.in_the_way(placement, &piece.file, Some(&piece.name), &wanted, None, why);
            self.keep(number);
            return;
        }
        // Where it stood: there, or in another place of this or another file.
        let old = record.and_then(|record| {
            Some((record.to.clone(), record.entry.at.as_ref().and_then(At::name)?.to_owned()))
        });
        let (old_file, old_name) = old.unwrap_or((piece.file.clone(), piece.name.clone()));
        if !works.contains_key(&old_file) {
            works.insert(old_file.clone(), self.work(&old_file, None, drafts));
        }
        let there = works.get(&old_file).and_then(|work| {
            work.torn.contains(&old_name).then_some(Err(TORN)).or_else(|| {
                work.sheet
                    .part(&old_name)
                    .filter(|text| !text.is_empty())
                    .map(|text| Ok(Value::of(&text)))
            })
        });
        let now = match there.transpose() {
            Ok(now) => now,
            Err(why) => {
                self.in_the_way(
                    placement,
                    &piece.file,
                    Some(&piece.name),
                    &wanted,
                    None,
                    why.to_owned(),
                );
                self.keep(number);
                return;
            }
        };
        if record.is_none()
            && now.is_none()
            && works.get(&piece.file).is_some_and(|work| stands_in(&piece.text, &work.sheet.own))
        {
            // What people wrote themselves is not taken over.
            self.carried(placement, &piece.file);
            return;
        }
        // What is no longer there was taken away, unless the file never came here.
        let was_here = |record: &Record| {
            record.bases.iter().any(|base| self.scales.bases.were_here(base))
                || drafts.is_there(&record.to)
        };
        let decision = match (record, &now) {
            (None, None) => Decision::Take,
            (Some(record), None) if !was_here(record) => Decision::Take,
            (record, now) => {
                let keys = record.map(|record| record.bases.as_slice()).unwrap_or_default();
                let origin = placement.from.first().map_or(&piece.file, |source| &source.path);
                self.scales.decide((origin, &piece.file), keys, Some(&wanted), now.as_ref())
            }
        };
        self.side(
            placement,
            &piece.file,
            Some(&piece.name),
            record,
            (&decision, now.as_ref(), &wanted),
        );
        let result = match &decision {
            Decision::Same | Decision::Stay | Decision::Kept | Decision::Open(_) => {
                now.as_ref().and_then(|now| now.text.clone()).map(|text| text.to_string())
            }
            Decision::Take => Some(piece.text.clone()),
            Decision::Merged(text) => Some(text.clone()),
        };
        let has_moved = (&old_file, &old_name) != (&piece.file, &piece.name);
        if has_moved && let Some(work) = works.get_mut(&old_file) {
            work.texts.insert(old_name, None);
        }
        let is_written = has_moved || matches!(decision, Decision::Take | Decision::Merged(_));
        if let Some(work) = works.get_mut(&piece.file) {
            if piece.is_marked {
                work.marked.insert(piece.name.clone());
            }
            work.sources.extend(placement.from.iter().cloned());
            if is_written && (result.is_some() || now.is_some()) {
                work.texts.insert(piece.name.clone(), result.clone());
            }
        }
        if is_written {
            for source in &placement.from {
                drafts.made(&piece.file, &source.path);
            }
        }
        if result.is_some() || matches!(decision, Decision::Stay) {
            self.carried(placement, &piece.file);
        }
        if let Decision::Open(open) = decision {
            self.open(placement, &piece.file, Some(&piece.name), &wanted, now.as_ref(), open);
            self.keep(number);
            return;
        }
        let base =
            if decision.settles() { None } else { record.map(|record| record.bases.clone()) };
        let at = At::Mark(piece.name.clone());
        self.note(placement, (&piece.file, Some(at)), &wanted, base);
    }

    /// Takes away what is carried no more, part by part.
    fn leave(&mut self, works: &mut BTreeMap<AbsPath, Work>, drafts: &mut Drafts<'_>) {
        let ledger = self.ledger;
        for (number, record) in ledger.records.iter().enumerate() {
            let Some(name) = record.entry.at.as_ref().and_then(At::name) else { continue };
            if !self.is_own(record) || self.met.contains(&number) {
                continue;
            }
            self.met.insert(number);
            if !works.contains_key(&record.to) {
                works.insert(record.to.clone(), self.work(&record.to, None, drafts));
            }
            let Some(work) = works.get_mut(&record.to) else { continue };
            if work.blocked.is_some() || !self.is_gone(record) {
                self.keep(Some(number));
                continue;
            }
            let now =
                work.sheet.part(name).filter(|text| !text.is_empty()).map(|text| Value::of(&text));
            if self.goes(number, record, Some(name), now.as_ref()) {
                work.texts.insert(name.to_owned(), None);
            }
        }
    }

    /// Whether the origin of a record was taken away, and not only out of sight.
    fn is_gone(&self, record: &Record) -> bool {
        if self.unread.contains(&record.from) {
            return false;
        }
        if self.origins.contains(&record.from) {
            return true;
        }
        if self.scales.fs.symlink_metadata(&record.from).is_ok() {
            return true;
        }
        // On a machine that has only what was carried, nothing was taken away.
        let is_near = |other: &&Record| {
            other.is_of(self.clients.client)
                && !other.is_elsewhere
                && other.is_foreign == record.is_foreign
        };
        record.bases.iter().any(|base| self.scales.bases.were_here(base))
            || self
                .ledger
                .records
                .iter()
                .filter(is_near)
                .any(|other| self.scales.fs.symlink_metadata(&other.from).is_ok())
    }

    /// Says what becomes of a copy whose origin is gone; `true` when it goes too.
    fn goes(
        &mut self,
        number: usize,
        record: &Record,
        part: Option<&str>,
        now: Option<&Value>,
    ) -> bool {
        let Some(now) = now else { return false };
        self.out.sides.push(Side {
            from: record.from.clone(),
            to: record.to.clone(),
            section: part.map(str::to_owned),
            changed: Changed::OriginGone,
        });
        match self.scales.decide((&record.from, &record.to), &record.bases, None, Some(now)) {
            Decision::Take => true,
            Decision::Open(open) => {
                let why = "it was edited, and what it was carried from is gone".to_owned();
                self.out.conflicts.push(Conflict {
                    from: record.from.clone(),
                    to: record.to.clone(),
                    section: part.map(str::to_owned),
                    line: None,
                    base: open.base,
                    ours: None,
                    theirs: now.shown().map(str::to_owned),
                    why,
                    settled_in: None,
                });
                self.keep(Some(number));
                false
            }
            // It is the target's own from now on.
            _ => false,
        }
    }

    fn line(
        &mut self,
        placement: &Placement,
        file: &AbsPath,
        text: &str,
        is_first: bool,
        drafts: &mut Drafts<'_>,
    ) {
        let wanted = Value::of(text);
        let draft = drafts.at(file);
        let blocked = match &draft.now {
            Now::Blocked(why) => Some(why.clone()),
            Now::There(Content::Symlink { target }) => Some(format!("it is a link to `{target}`")),
            _ => None,
        };
        if let Some(why) = blocked {
            return self.in_the_way(placement, file, None, &wanted, None, why);
        }
        let origin = placement.from.first().map(|source| source.path.clone());
        let ledger = self.ledger;
        let of_line = |(number, record): &(usize, &Record)| {
            record.entry.at == Some(At::Line)
                && record.to == *file
                && Some(&record.from) == origin.as_ref()
                && !self.met.contains(number)
                && self.is_own(record)
        };
        let records = || ledger.records.iter().enumerate().filter(of_line);
        let same = records().find(|(_, record)| record.bases.contains(&wanted.key));
        let found = same.or_else(|| records().next());
        let lines = Lines::new(draft.bytes());
        let is_there = draft.is_there();
        let now = match &found {
            _ if lines.has(&wanted.key) => Some(wanted.clone()),
            Some((_, record)) => lines.first_of(&record.bases),
            None => None,
        };
        let was_here = found.as_ref().is_some_and(|(_, record)| {
            is_there || record.bases.iter().any(|base| self.scales.bases.were_here(base))
        });
        let decision = match (&found, &now) {
            (_, Some(now)) if *now == wanted => Decision::Same,
            (Some(_), None) if was_here => Decision::Stay,
            (_, None) => Decision::Take,
            _ => Decision::Take,
        };
        let record = found.map(|(number, record)| {
            self.met.insert(number);
            record
        });
        if matches!(decision, Decision::Take) {
            let bytes = lines.with(text, now.as_ref(), is_first);
            let draft = drafts.at(file);
            draft.want_bytes(bytes);
            draft.close_like(&placement.from);
            for source in &placement.from {
                drafts.made(file, &source.path);
            }
        }
        let base =
            if decision.settles() { None } else { record.map(|record| record.bases.clone()) };
        self.carried(placement, file);
        // A line that people wrote themselves is theirs.
        if record.is_none() && matches!(decision, Decision::Same) {
            return;
        }
        self.note(placement, (file, Some(At::Line)), &wanted, base);
    }

    fn whole(
        &mut self,
        placement: &Placement,
        path: &AbsPath,
        content: &Content,
        drafts: &mut Drafts<'_>,
    ) {
        let wanted = Value::of_content(content);
        let found = self
            .ledger
            .carried_to(path)
            .find(|record| record.entry.at.is_none() && record.is_of(self.clients.client));
        let number = found.and_then(|found| {
            self.ledger.records.iter().position(|record| std::ptr::eq(record, found))
        });
        self.met.extend(number);
        let draft = drafts.at(path);
        let is_exact = placement.from.first().is_some_and(|source| source.content == *content);
        let other = draft.wanted().filter(|put| Value::of_content(put) != wanted);
        let now = match &draft.now {
            Now::Blocked(why) => {
                let why = why.clone();
                self.keep(number);
                return self.in_the_way(placement, path, None, &wanted, None, why);
            }
            _ if other.is_some() => {
                let why = "something else of the same name comes there".to_owned();
                self.keep(number);
                return self.in_the_way(placement, path, None, &wanted, None, why);
            }
            Now::Absent => None,
            Now::There(now) => Some(now.clone()),
        };
        let value = now.as_ref().map(Value::of_content);
        if let Some(record) = found.filter(|record| record.is_elsewhere)
            && value.as_ref() != Some(&wanted)
            && value.as_ref().is_some_and(|now| !record.bases.contains(&now.key))
        {
            let why = "a file of another project is there".to_owned();
            return self.in_the_way(placement, path, None, &wanted, value.as_ref(), why);
        }
        // What the client needs beside, and has already, is its own.
        if placement.from.is_empty()
            && let Some(now) = value.as_ref()
        {
            if *now != wanted {
                let why = "another file of that name is there".to_owned();
                self.in_the_way(placement, path, None, &wanted, Some(now), why);
            }
            return;
        }
        let was_here =
            |record: &Record| record.bases.iter().any(|base| self.scales.bases.were_here(base));
        let decision = match (found, &value) {
            (None, None) => Decision::Take,
            (Some(record), None) if !was_here(record) => Decision::Take,
            (found, value) => {
                let keys = found.map(|record| record.bases.as_slice()).unwrap_or_default();
                let origin = placement.from.first().map_or(path, |source| &source.path);
                self.scales.decide((origin, path), keys, Some(&wanted), value.as_ref())
            }
        };
        self.side(placement, path, None, found, (&decision, value.as_ref(), &wanted));
        let bits = mode_to_set(content, now.as_ref());
        let put = match &decision {
            Decision::Take => Some(fitted(content, now.as_ref(), is_exact)),
            Decision::Merged(text) => {
                let ends = now.as_ref().and_then(Content::bytes).map_or("\n", newline);
                let mode = match content {
                    Content::File { mode, .. } => *mode,
                    Content::Symlink { .. } => None,
                };
                Some(Content::File { bytes: ended(text, ends).into_bytes().into(), mode })
            }
            Decision::Same if bits.is_some() => match now.clone() {
                Some(Content::File { bytes, .. }) => Some(Content::File { bytes, mode: bits }),
                _ => None,
            },
            _ => None,
        };
        if let Some(put) = put {
            let draft = drafts.at(path);
            draft.want(put);
            draft.close_like(&placement.from);
            for source in &placement.from {
                drafts.made(path, &source.path);
            }
        }
        if let Decision::Open(open) = decision {
            self.open(placement, path, None, &wanted, value.as_ref(), open);
            return self.keep(number);
        }
        self.carried(placement, path);
        let is_symlink = matches!(content, Content::Symlink { .. });
        if found.is_none() && matches!(decision, Decision::Same) && is_symlink {
            return;
        }
        let base = if decision.settles() { None } else { found.map(|record| record.bases.clone()) };
        self.note(placement, (path, None), &wanted, base);
    }

    /// Takes away the files and lines that are carried no more, and keeps what is
    /// noted of all else.
    fn clear(&mut self, drafts: &mut Drafts<'_>) {
        let ledger = self.ledger;
        for (number, record) in ledger.records.iter().enumerate() {
            if !record.is_of(self.clients.client)
                || record.is_elsewhere
                || self.met.contains(&number)
            {
                continue;
            }
            if !(self.is_asked)(record) || !self.is_gone(record) {
                self.keep(Some(number));
                continue;
            }
            let draft = drafts.at(&record.to);
            if draft.is_changed() && record.entry.at.is_none() {
                continue;
            }
            if record.entry.at == Some(At::Line) {
                let lines = Lines::new(draft.bytes());
                let Some(now) = lines.first_of(&record.bases) else { continue };
                if self.goes(number, record, None, Some(&now)) {
                    let left = lines.without(&now);
                    let draft = drafts.at(&record.to);
                    if left.trim_ascii().is_empty() {
                        draft.want_gone();
                    } else {
                        draft.want_bytes(left);
                    }
                }
                continue;
            }
            let now = match &draft.now {
                Now::There(content) => Some(Value::of_content(content)),
                _ => None,
            };
            if self.goes(number, record, None, now.as_ref()) {
                drafts.at(&record.to).want_gone();
            }
        }
    }

    /// Says who changed a piece.
    fn side(
        &mut self,
        placement: &Placement,
        to: &AbsPath,
        section: Option<&str>,
        record: Option<&Record>,
        (decision, now, wanted): (&Decision, Option<&Value>, &Value),
    ) {
        let (Some(record), Some(source)) = (record, placement.from.first()) else { return };
        let changed = match decision {
            _ if now.is_none() => Changed::CopyGone,
            Decision::Stay => Changed::Copy,
            Decision::Open(_) | Decision::Merged(_) | Decision::Kept => Changed::Both,
            Decision::Take if !record.bases.contains(&wanted.key) => Changed::Origin,
            Decision::Take | Decision::Same => return,
        };
        self.out.sides.push(Side {
            from: source.path.clone(),
            to: to.clone(),
            section: section.map(str::to_owned),
            changed,
        });
    }

    fn carried(&mut self, placement: &Placement, to: &AbsPath) {
        let files = placement.from.iter().map(|file| (file.path.clone(), to.clone()));
        self.out.carried.extend(files);
    }

    fn open(
        &mut self,
        placement: &Placement,
        to: &AbsPath,
        section: Option<&str>,
        wanted: &Value,
        now: Option<&Value>,
        open: Open,
    ) {
        let why = match (open.base.is_some() || section.is_some(), now) {
            (_, None) => "it was taken away there, and what it was carried from was changed",
            (false, _) if open.settled_in.is_none() => "another file of that name is there",
            _ => "both it and what it was carried from were changed",
        };
        let from = placement.from.first().map_or(to, |source| &source.path);
        self.out.conflicts.push(Conflict {
            from: from.clone(),
            to: to.clone(),
            section: section.map(str::to_owned),
            line: open.line,
            base: open.base,
            ours: wanted.shown().map(str::to_owned),
            theirs: now.and_then(|now| now.shown().map(str::to_owned)),
            why: why.to_owned(),
            settled_in: open.settled_in,
        });
    }

    fn in_the_way(
        &mut self,
        placement: &Placement,
        to: &AbsPath,
        section: Option<&str>,
        wanted: &Value,
        now: Option<&Value>,
        why: String,
    ) {
        let from = placement.from.first().map_or(to, |source| &source.path);
        self.out.conflicts.push(Conflict {
            from: from.clone(),
            to: to.clone(),
            section: section.map(str::to_owned),
            line: None,
            base: None,
            ours: wanted.shown().map(str::to_owned),
            theirs: now.and_then(|now| now.shown().map(str::to_owned)),
            why,
            settled_in: None,
        });
    }

    /// Keeps what an earlier port noted.
    fn keep(&mut self, number: Option<usize>) {
        let Some((number, record)) =
            number.and_then(|number| Some((number, self.ledger.records.get(number)?)))
        else {
            return;
        };
        self.met.insert(number);
        for base in &record.bases {
            self.out.entries.push(Entry { base: base.clone(), ..record.entry.clone() });
        }
    }

    /// Notes a piece of a file of the source.
    ///
    /// `base` is given where both sides do not agree yet.
    fn note(
        &mut self,
        placement: &Placement,
        (to, at): (&AbsPath, Option<At>),
        wanted: &Value,
        base: Option<Vec<String>>,
    ) {
        let Some((source, with)) = placement.from.split_first() else { return };
        let bases = base.unwrap_or_else(|| vec![wanted.key.clone()]);
        self.out.bases.push(wanted.clone());
        let note = Note {
            place: self.place,
            clients: self.clients,
            kind: self.kinds.get(&source.path).copied(),
            source: &SourceFile { path: source.path.clone(), content: own(self.ledger, source) },
            with,
            to,
            at,
        };
        for base in bases {
            let entry = noted(&note, wanted, base);
            // Line ends alone are no reason to write the manifest anew.
            let mut known = self.ledger.carried_to(to).map(|record| &record.entry);
            let known = known.find(|it| it.base == entry.base && it.from == entry.from);
            self.out.entries.push(note::settled(entry, known));
        }
    }
}

/// Why nothing is done with a part that stands in its file more than once.
pub(super) const TORN: &str = "the part stands there more than once; keep one of them";

/// Puts the texts of a file down, and names the part that stands at its top
/// without a mark.
fn put(file: &AbsPath, work: &Work, order: &[String], drafts: &mut Drafts<'_>) -> Option<String> {
    let changes = work.texts.iter().any(|(name, text)| {
        let now = work.sheet.part(name);
        now.as_deref().map(Value::of) != text.as_deref().map(Value::of)
    });
    if !changes || work.blocked.is_some() {
        return work.sheet.top().map(str::to_owned);
    }
    let (bytes, top) = work.sheet.with(&work.texts, order, &work.marked);
    let draft = drafts.at(file);
    if bytes.trim_ascii().is_empty() {
        draft.want_gone();
        return None;
    }
    draft.want_bytes(bytes);
    draft.close_like(&work.sources);
    top
}

/// A file's content in the line ends of the one that it replaces.
fn fitted(content: &Content, now: Option<&Content>, is_exact: bool) -> Content {
    let Content::File { bytes, mode } = content else { return content.clone() };
    let ends = now.and_then(Content::bytes).map(newline);
    let Ok(text) = std::str::from_utf8(bytes) else { return content.clone() };
    if bytes.contains(&0) {
        return content.clone();
    }
    let text = match ends {
        Some(ends) if newline(bytes) != ends => ended(text, ends),
        _ if is_exact => return content.clone(),
        _ => ended(text, newline(bytes)),
    };
    Content::File { bytes: text.into_bytes().into(), mode: *mode }
}

/// The permission bits of a copy that can be run and its original cannot, or the
/// other way round.
fn mode_to_set(content: &Content, now: Option<&Content>) -> Option<u32> {
    let (Content::File { mode: Some(wanted), .. }, Some(Content::File { mode: Some(now), .. })) =
        (content, now)
    else {
        return None;
    };
    ((wanted ^ now) & 0o100 != 0).then_some(*wanted)
}

/// Whether people put the same text into a file themselves, as whole lines.
fn stands_in(text: &str, file: &[u8]) -> bool {
    let text = normal(text);
    if text.is_empty() || file.is_empty() {
        return false;
    }
    let file = String::from_utf8_lossy(file);
    let file = super::text::unix(&file);
    file.match_indices(&text).any(|(at, _)| {
        let before = file.get(..at).unwrap_or_default();
        let after = file.get(at + text.len()..).unwrap_or_default();
        (before.is_empty() || before.ends_with('\n'))
            && (after.is_empty() || after.starts_with('\n'))
    })
}
