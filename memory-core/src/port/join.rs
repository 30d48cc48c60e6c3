//! Joining what a target wants with what stands there already.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::sync::Arc;

use super::copies::{Copies, TORN};
use super::drafts::{Drafts, Now, own_bytes};
use super::ledger::Ledger;
use super::manifest::{Entry, Names, PartEntry, fingerprint};
use super::outcome::{Changed, Conflict, Side};
use super::recipe::{Step, recipe};
use super::{Placement, PortPlace, Target, mark};
use crate::client::ClientId;
use crate::digest::Digest;
use crate::fs::{Content, Fs};
use crate::inventory::ItemKind;
use crate::model::SourceFile;
use crate::path::AbsPath;
use crate::report::{Code, Diagnostic, Severity};

/// What is joined, beside the drafts.
pub(super) struct Joint<'a> {
    pub(super) fs: &'a dyn Fs,
    pub(super) place: &'a PortPlace,
    pub(super) ledger: &'a Ledger<'a>,
    pub(super) copies: &'a Copies<'a>,
    pub(super) client: ClientId,
    pub(super) target: ClientId,
    /// What kind of thing each of the source's files is.
    pub(super) kinds: &'a HashMap<AbsPath, ItemKind>,
    pub(super) carried: Vec<(AbsPath, AbsPath)>,
    pub(super) sides: Vec<Side>,
    pub(super) conflicts: Vec<Conflict>,
    pub(super) diagnostics: Vec<Diagnostic>,
    entries: BTreeMap<AbsPath, Entry>,
    /// Everything that was made of each of the source's files.
    made: HashMap<AbsPath, Vec<u8>>,
    /// The source's files of which a copy is not as this port would have it.
    kept: HashSet<AbsPath>,
}

/// What is done with one piece.
enum Verdict {
    /// It stands there already.
    Stays,
    /// People put the same text there themselves.
    Known,
    /// It is written.
    Written,
    /// Somebody changed the copy, and the original is as it was.
    Theirs,
    /// It cannot be written.
    InTheWay(String),
}

impl<'a> Joint<'a> {
    pub(super) fn new(
        fs: &'a dyn Fs,
        place: &'a PortPlace,
        (ledger, copies): (&'a Ledger<'a>, &'a Copies<'a>),
        clients: (ClientId, ClientId),
        kinds: &'a HashMap<AbsPath, ItemKind>,
    ) -> Self {
        let (client, target) = clients;
        Self {
            fs,
            place,
            ledger,
            copies,
            client,
            target,
            kinds,
            carried: Vec::new(),
            sides: Vec::new(),
            conflicts: Vec::new(),
            diagnostics: Vec::new(),
            entries: BTreeMap::new(),
            made: HashMap::new(),
            kept: HashSet::new(),
        }
    }

    /// What is carried now, for the manifests.
    pub(super) fn entries(mut self, placements: &[Placement]) -> Vec<Entry> {
        let own: HashSet<AbsPath> = self.entries.keys().cloned().collect();
        let mut companions: HashMap<AbsPath, Vec<&SourceFile>> = HashMap::new();
        for placement in placements {
            if let (Target::Section { .. }, [first, others @ ..]) =
                (&placement.to, &*placement.from)
            {
                companions.entry(first.path.clone()).or_default().extend(others);
            }
        }
        let names = Names { place: self.place };
        for source in placements.iter().filter_map(|placement| placement.from.first()) {
            let made = self.made.remove(&source.path);
            let entry = self.entries.get_mut(&source.path);
            if let (Some(made), Some(entry), Some(bytes)) = (made, entry, source.content.bytes()) {
                entry.recipe = recipe(&own_bytes(self.ledger, &source.path, bytes), &made);
                entry.with = companions.remove(&source.path).map_or_else(Vec::new, |with| {
                    let with = with.iter().filter(|file| !own.contains(&file.path));
                    with.filter_map(|file| names.companion(file, &made)).collect()
                });
            }
        }
        for record in self.ledger.records.iter().filter(|record| self.kept.contains(&record.from)) {
            if record.entry.client == self.client.0 && !record.is_elsewhere {
                self.entries.insert(record.from.clone(), record.entry.clone());
            }
        }
        self.entries.into_values().collect()
    }

    /// Joins all placements, in their order.
    pub(super) fn join(&mut self, placements: &[Placement], drafts: &mut Drafts<'_>) {
        let mut shared: BTreeMap<AbsPath, u32> = BTreeMap::new();
        for placement in placements {
            if let Target::Section { file, .. } = &placement.to {
                *shared.entry(drafts.real(file)).or_default() += 1;
            }
        }
        for placement in placements {
            match &placement.to {
                Target::Section { file, name, preface, text, marked } => {
                    let file = drafts.real(file);
                    let alone = shared.get(&file) == Some(&1) && !marked;
                    let section = Section { file, name, preface, text, alone };
                    self.section(placement, &section, drafts);
                }
                Target::Whole { path, content } => {
                    self.whole(placement, &drafts.real(path), content, drafts);
                }
                Target::Setting { file, before, after } => {
                    let draft = drafts.at(file);
                    let now = draft.is_there().then(|| draft.bytes());
                    if now == before.as_deref() {
                        draft.want_bytes(after.to_vec());
                    } else {
                        let why = "it was changed while the plan was made".to_owned();
                        self.in_the_way(placement, file, None, after, drafts, why);
                    }
                }
                Target::InPlace => {
                    let files = placement.from.iter().map(|file| &file.path);
                    self.carried.extend(files.map(|path| (path.clone(), path.clone())));
                }
            }
        }
        self.clear(drafts);
    }

    /// Takes away what is carried to another place by now, and tells what is
    /// gone where it came from.
    fn clear(&mut self, drafts: &mut Drafts<'_>) {
        for record in &self.ledger.records {
            let is_own = record.entry.client == self.client.0 && !record.is_elsewhere;
            if !is_own || self.kept.contains(&record.from) {
                continue;
            }
            let now = self.entries.get(&record.from);
            let is_gone = now.is_none() && self.fs.symlink_metadata(&record.from).is_err();
            for (path, part) in &record.parts {
                let side = |changed| Side {
                    from: record.from.clone(),
                    to: path.clone(),
                    section: part.section.clone(),
                    changed,
                };
                if is_gone {
                    self.sides.push(side(Changed::OriginGone));
                    continue;
                }
                let Some(now) = now else { continue };
                // A part that is all of its file becomes one of several there.
                let stays = now.parts.iter().any(|new| {
                    new.file == part.file && (new.section == part.section || part.section.is_none())
                });
                if stays {
                    continue;
                }
                match self.copies.present(path, part) {
                    Some(copy) if fingerprint(&copy) == part.digest => {
                        let draft = drafts.at(path);
                        match &part.section {
                            Some(name) => {
                                let names = HashSet::from([name.as_str()]);
                                let left = self.ledger.without(path, draft.bytes(), &names);
                                draft.want_bytes(left);
                            }
                            None => draft.want_gone(),
                        }
                    }
                    Some(_) => self.sides.push(side(Changed::Copy)),
                    None => {}
                }
            }
        }
    }

    fn whole(
        &mut self,
        placement: &Placement,
        path: &AbsPath,
        content: &Content,
        drafts: &mut Drafts<'_>,
    ) {
        let known = self.ledger.carried_to(path, None);
        let draft = drafts.at(path);
        let other = draft.wanted().filter(|put| fingerprint(put) != fingerprint(content));
        let verdict = match &draft.now {
            Now::Blocked(why) => Verdict::InTheWay(why.clone()),
            _ if other.is_some() => {
                Verdict::InTheWay("something else of the same name comes there".to_owned())
            }
            Now::Absent => Verdict::Written,
            Now::There(now) if fingerprint(now) == fingerprint(content) => {
                if known.is_some() {
                    Verdict::Written
                } else {
                    Verdict::Stays
                }
            }
            Now::There(now) => match known {
                None => Verdict::InTheWay("another file of that name is there".to_owned()),
                Some((record, _)) if record.is_elsewhere => {
                    Verdict::InTheWay("a file of another project is there".to_owned())
                }
                Some((_, part)) if fingerprint(now) == part.digest => Verdict::Written,
                Some((record, _)) => self.edited(placement, &record.entry),
            },
        };
        if matches!(verdict, Verdict::Written) {
            draft.want(content.clone());
            draft.close_like(&placement.from);
        }
        let made = content.bytes().unwrap_or_default();
        let part = PartEntry {
            file: self.name(path),
            section: None,
            digest: fingerprint(content),
            made: self.made_of(placement, made),
        };
        self.settle(placement, path, part, made, verdict, drafts);
    }

    fn section(&mut self, placement: &Placement, section: &Section<'_>, drafts: &mut Drafts<'_>) {
        let Section { file, name, .. } = section;
        let whole = self.ledger.carried_to(file, None).filter(|(record, _)| {
            placement.from.first().is_some_and(|source| source.path == record.from)
        });
        let draft = drafts.at(file);
        let blocked = match &draft.now {
            Now::Blocked(why) => Some(why.clone()),
            Now::There(Content::Symlink { target }) => Some(format!("it is a link to `{target}`")),
            _ => None,
        };
        let there = match &draft.now {
            Now::There(content) => content.bytes().unwrap_or_default(),
            _ => &[],
        };
        let all = section.all(draft.bytes());
        // A part of this name is looked for only where one was before.
        let is_file = matches!(draft.now, Now::There(Content::File { .. }));
        let ours = is_file.then(|| self.copies.part(file, name)).flatten().and_then(|before| {
            if draft.is_changed() { mark::part(draft.bytes(), name) } else { Some(before) }
        });
        let known = self.ledger.carried_to(file, Some(name));
        let mut is_marked = true;
        let verdict = if let Some(why) = blocked {
            Verdict::InTheWay(why)
        } else if is_file && self.copies.is_torn(file, name) {
            Verdict::InTheWay(TORN.to_owned())
        } else if let Some(part) = ours {
            let now = draft.bytes();
            let inner = now.get(part.inner.clone()).unwrap_or_default();
            if inner == all.as_bytes() {
                Verdict::Stays
            } else {
                match known {
                    Some((_, entry)) if fingerprint(&Content::file(inner)) == entry.digest => {
                        let bytes = mark::with_text(now, &part, &all);
                        draft.want_bytes(bytes);
                        Verdict::Written
                    }
                    Some((record, _)) => self.edited(placement, &record.entry),
                    None => Verdict::InTheWay("a part of that name is there".to_owned()),
                }
            }
        } else if let Some((record, entry)) = whole {
            // It was all of the file up to now.
            let mine = own_bytes(self.ledger, file, there);
            if matches!(draft.now, Now::There(_))
                && fingerprint(&Content::file(&mine)) != entry.digest
            {
                is_marked = false;
                self.edited(placement, &record.entry)
            } else if section.alone {
                is_marked = false;
                let text = format!("{}{}", section.preface, section.text);
                let sections = self.ledger.sections_of(file);
                let bytes =
                    mark::rebuilt(text.as_bytes(), draft.bytes(), |name| sections.contains(name));
                draft.want_bytes(bytes);
                Verdict::Written
            } else {
                let mut bytes = mark::rebuilt(&[], draft.bytes(), |_| true);
                mark::append(&mut bytes, name, &all);
                draft.want_bytes(bytes);
                Verdict::Written
            }
        } else if let Some(part) = self.ledger.unmarked_part(file, name, draft.bytes()) {
            let bytes = mark::marked(draft.bytes(), &part, &all);
            draft.want_bytes(bytes);
            self.diagnostics.push(marks_are_gone(name).at(file));
            Verdict::Written
        } else if !draft.is_there() && section.alone {
            is_marked = false;
            draft.want(Content::file(format!("{}{}", section.preface, section.text)));
            Verdict::Written
        } else if known.is_none() && stands_in(section.text, there) {
            Verdict::Known
        } else {
            draft.edit(|bytes| mark::append(bytes, name, &all));
            Verdict::Written
        };
        draft.close_like(&placement.from);
        let made = if is_marked { all } else { format!("{}{}", section.preface, section.text) };
        let part = PartEntry {
            file: self.name(file),
            section: is_marked.then(|| (*name).to_owned()),
            digest: fingerprint(&Content::file(&made)),
            made: self.made_of(placement, made.as_bytes()),
        };
        self.settle(placement, file, part, made.as_bytes(), verdict, drafts);
    }

    fn settle(
        &mut self,
        placement: &Placement,
        path: &AbsPath,
        part: PartEntry,
        made: &[u8],
        verdict: Verdict,
        drafts: &mut Drafts<'_>,
    ) {
        let Some(source) = placement.from.first() else {
            // Nothing of the source is in it, so nothing is noted.
            if let Verdict::InTheWay(why) = verdict {
                self.in_the_way(placement, path, part.section, made, drafts, why);
            }
            return;
        };
        if !matches!(verdict, Verdict::InTheWay(_)) {
            let files = placement.from.iter().map(|file| file.path.clone());
            self.carried.extend(files.map(|from| (from, path.clone())));
        }
        let known = self.ledger.carried_to(path, part.section.as_deref());
        if let Some((record, known)) = known {
            let origin_changed = record.entry.digest != self.fingerprint(source);
            let is_there = self.copies.present(path, known);
            let changed = match (&verdict, is_there) {
                (_, None) => Some(Changed::CopyGone),
                (Verdict::Theirs, _) => Some(Changed::Copy),
                (Verdict::InTheWay(_), _) => Some(Changed::Both),
                _ => origin_changed.then_some(Changed::Origin),
            };
            self.sides.extend(changed.map(|changed| Side {
                from: source.path.clone(),
                to: path.clone(),
                section: part.section.clone(),
                changed,
            }));
        }
        match verdict {
            Verdict::Written | Verdict::Stays => {
                if matches!(verdict, Verdict::Written) {
                    for source in &placement.from {
                        drafts.made(path, &source.path);
                    }
                }
                self.record(source, part, made);
            }
            // What people wrote themselves is not taken over.
            Verdict::Known => {}
            Verdict::Theirs => self.keep_record(placement),
            Verdict::InTheWay(why) => {
                self.in_the_way(placement, path, part.section, made, drafts, why);
                self.keep_record(placement);
            }
        }
    }

    fn in_the_way(
        &mut self,
        placement: &Placement,
        path: &AbsPath,
        section: Option<String>,
        wanted: &[u8],
        drafts: &mut Drafts<'_>,
        why: String,
    ) {
        let from = placement.from.first().map_or(path, |source| &source.path);
        let found = match &drafts.at(path).now {
            Now::There(content) => content.bytes(),
            _ => None,
        };
        let named = section
            .as_deref()
            .zip(found)
            .and_then(|(name, bytes)| bytes.get(self.copies.part(path, name)?.inner));
        let found = named.or(found).map(<[u8]>::to_vec);
        self.conflicts.push(Conflict {
            from: from.clone(),
            path: path.clone(),
            section,
            wanted: wanted.to_vec(),
            found,
            why,
        });
    }

    /// Notes a part of what a file of the source became.
    fn record(&mut self, source: &SourceFile, part: PartEntry, made: &[u8]) {
        let (original, permissions): (Option<&Arc<[u8]>>, _) = match &source.content {
            Content::File { bytes, mode } => (Some(bytes), *mode),
            Content::Symlink { .. } => (None, None),
        };
        let names = Names { place: self.place };
        let own = self.fingerprint(source);
        let entry = self.entries.entry(source.path.clone()).or_insert_with(|| Entry {
            client: self.client.0.to_owned(),
            target: self.target.0.to_owned(),
            project: None,
            kind: self
                .kinds
                .get(&source.path)
                .map_or("instruction", |kind| kind.as_str())
                .to_owned(),
            from: names.name(&source.path),
            digest: own,
            mode: permissions.map(|mode| format!("{:o}", mode & 0o777)),
            recipe: Vec::new(),
            with: Vec::new(),
            parts: Vec::new(),
        });
        entry.parts.push(part);
        if original.is_some() {
            self.made.entry(source.path.clone()).or_default().extend_from_slice(made);
        }
    }

    /// Keeps what an earlier port noted of a file.
    fn keep_record(&mut self, placement: &Placement) {
        self.kept.extend(placement.from.first().map(|source| source.path.clone()));
    }

    fn name(&self, path: &AbsPath) -> String {
        Names { place: self.place }.name(path)
    }

    /// The fingerprint of a file of the source without parts that an earlier
    /// port put there: they may be carried, and are not its own all the same.
    fn fingerprint(&self, source: &SourceFile) -> String {
        match &source.content {
            Content::File { bytes, .. } => {
                Digest::of(&own_bytes(self.ledger, &source.path, bytes)).to_string()
            }
            link @ Content::Symlink { .. } => fingerprint(link),
        }
    }

    /// What to do with a copy that somebody edited.
    fn edited(&self, placement: &Placement, entry: &Entry) -> Verdict {
        let source = placement.from.first().map(|source| self.fingerprint(source));
        if source.as_ref() == Some(&entry.digest) {
            Verdict::Theirs
        } else {
            let why = "both it and what it was carried from were changed since";
            Verdict::InTheWay(why.to_owned())
        }
    }

    /// How a part was made of the file it comes from.
    fn made_of(&self, placement: &Placement, made: &[u8]) -> Vec<Step> {
        let Some(source) = placement.from.first() else { return Vec::new() };
        let Some(bytes) = source.content.bytes() else { return Vec::new() };
        recipe(made, &own_bytes(self.ledger, &source.path, bytes))
    }
}

/// A part that is wanted in a file.
struct Section<'p> {
    file: AbsPath,
    name: &'p str,
    preface: &'p str,
    text: &'p str,
    /// Whether it may be all of the file, without marks.
    alone: bool,
}

impl Section<'_> {
    /// What stands between the marks.
    fn all(&self, file: &[u8]) -> String {
        mark::ended(&format!("{}{}", self.preface, self.text), mark::newline(file))
    }
}

fn marks_are_gone(name: &str) -> Diagnostic {
    let message = format!(
        "the marks around what was carried from `{name}` were taken away; they are put back, so that the text is not carried a second time"
    );
    Diagnostic::new(Code("port/marks-gone"), Severity::Hint, message)
        .help("to keep the text as your own, take it out of the original")
}

/// Whether people put the same text into a file themselves, as whole lines.
fn stands_in(text: &str, file: &[u8]) -> bool {
    let text = text.trim().as_bytes();
    if text.is_empty() {
        return false;
    }
    memchr::memmem::find_iter(file, text).any(|at| {
        let before = at.checked_sub(1).and_then(|before| file.get(before));
        let after = file.get(at + text.len());
        before.is_none_or(|sign| *sign == b'\n')
            && after.is_none_or(|sign| matches!(sign, b'\n' | b'\r'))
    })
}
