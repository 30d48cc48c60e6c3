//! Bringing back what an earlier port carried the other way.

use super::copies::{Copies, TORN};
use super::drafts::{Drafts, Now, own_bytes};
use super::ledger::{Ledger, Record};
use super::manifest::{Companion, Entry, PartEntry, fingerprint};
use super::mark;
use super::outcome::{Changed, Conflict, Side};
use super::recipe::{Edited, Step, around, carry_edits, follow, recipe};
use crate::digest::Digest;
use crate::fs::{Content, Fs};
use crate::path::AbsPath;

/// What came back, and what could not.
#[derive(Default)]
pub(super) struct Back {
    pub(super) entries: Vec<Entry>,
    pub(super) carried: Vec<(AbsPath, AbsPath)>,
    pub(super) sides: Vec<Side>,
    pub(super) conflicts: Vec<Conflict>,
}

/// Brings the file of a record back from what was made of it.
pub(super) fn bring_back(
    fs: &dyn Fs,
    (ledger, there): (&Ledger<'_>, &Copies<'_>),
    record: &Record,
    drafts: &mut Drafts<'_>,
    back: &mut Back,
) {
    let copies: Vec<Copy<'_>> = record
        .parts
        .iter()
        .map(|(path, part)| Copy { path, part, now: there.present(path, part) })
        .collect();
    let side = |copy: &Copy<'_>, changed| Side {
        from: record.from.clone(),
        to: copy.path.clone(),
        section: copy.part.section.clone(),
        changed,
    };
    let gone = copies.iter().filter(|copy| copy.now.is_none());
    back.sides.extend(gone.map(|copy| side(copy, Changed::CopyGone)));
    let Some(first) = copies.iter().find(|copy| copy.now.is_some()) else { return };
    let is_torn = |copy: &&Copy<'_>| {
        copy.part.section.as_ref().is_some_and(|name| there.is_torn(copy.path, name))
    };
    if let Some(copy) = copies.iter().find(is_torn) {
        back.conflicts.push(conflict(record, copy, None, TORN.to_owned()));
        return;
    }
    back.carried.extend(copies.iter().map(|copy| (copy.path.clone(), record.from.clone())));
    bring_companions(fs, record, &copies, drafts, back);
    let edited: Vec<&Copy<'_>> = copies.iter().filter(|copy| copy.is_edited()).collect();
    let draft = drafts.at(&record.from);
    let now = match &draft.now {
        Now::Absent => None,
        Now::There(Content::File { bytes, mode }) => {
            let bytes = own_bytes(ledger, &record.from, bytes);
            // Nothing but parts of other files is left of it.
            let is_gone = bytes.is_empty() && record.entry.digest != Digest::of(b"").to_string();
            (!is_gone).then(|| Content::File { bytes: bytes.into(), mode: *mode })
        }
        Now::There(link) => Some(link.clone()),
        Now::Blocked(_) if edited.is_empty() && fs.symlink_metadata(&record.from).is_ok() => return,
        Now::Blocked(why) => {
            back.conflicts.push(conflict(record, first, None, why.clone()));
            return;
        }
    };
    let is_original = now.as_ref().is_none_or(|now| fingerprint(now) == record.entry.digest);
    let found = || now.as_ref().map(|now| shown(now).to_vec());
    if edited.is_empty() && now.is_some() {
        if !is_original {
            back.sides.push(side(first, Changed::Origin));
        }
        return;
    }
    if !is_original {
        for copy in edited {
            back.sides.push(side(copy, Changed::Both));
            let why = "both it and its copy were changed since it was carried".to_owned();
            back.conflicts.push(conflict(record, copy, found(), why));
        }
        return;
    }
    back.sides.extend(edited.iter().map(|copy| side(copy, Changed::Copy)));
    let others = if edited.is_empty() { Vec::new() } else { unchanged(ledger, record, drafts) };
    let Some(returned) = original(record, &copies, now.as_ref(), &others) else {
        let why = match now {
            Some(_) => "the copy was edited where it is not the original's text",
            None => "its bytes do not come out of its copies and the manifest",
        };
        let copy = edited.first().copied().unwrap_or(first);
        back.conflicts.push(conflict(record, copy, found(), why.to_owned()));
        return;
    };
    back.entries.push(renewed(record, &copies, &returned, &others));
    let others = others.iter().zip(returned.others).map(|(other, bytes)| {
        let mode = permissions(other.companion.mode.as_deref());
        (other.path, Content::File { bytes: bytes.into(), mode })
    });
    for (from, content) in std::iter::once((&record.from, returned.content)).chain(others) {
        write(ledger, from, content, drafts);
        for (path, _) in &record.parts {
            drafts.made(from, path);
        }
    }
}

/// A file that became one text with that of a record, and is as it was then.
struct Other<'a> {
    path: &'a AbsPath,
    companion: &'a Companion,
    bytes: Vec<u8>,
}

fn unchanged<'r>(
    ledger: &Ledger<'_>,
    record: &'r Record,
    drafts: &mut Drafts<'_>,
) -> Vec<Other<'r>> {
    let others = record.companions.iter().filter_map(|(path, companion)| {
        let Now::There(Content::File { bytes, .. }) = &drafts.at(path).now else { return None };
        let bytes = own_bytes(ledger, path, bytes);
        let is_same = Digest::of(&bytes).to_string() == companion.digest;
        is_same.then_some(Other { path, companion, bytes })
    });
    others.collect()
}

/// Brings back the files that became one text with that of a record.
fn bring_companions(
    fs: &dyn Fs,
    record: &Record,
    copies: &[Copy<'_>],
    drafts: &mut Drafts<'_>,
    back: &mut Back,
) {
    let made = copies.iter().map(Copy::bytes).collect::<Vec<_>>().concat();
    for (path, companion) in &record.companions {
        let to = copies.iter().filter(|copy| copy.now.is_some());
        back.carried.extend(to.map(|copy| (copy.path.clone(), path.clone())));
        if fs.symlink_metadata(path).is_ok() {
            continue;
        }
        let bytes = follow(&companion.recipe, &made)
            .filter(|bytes| Digest::of(bytes).to_string() == companion.digest);
        let (draft, Some(copy)) = (drafts.at(path), copies.first()) else { continue };
        let why = match (&draft.now, bytes) {
            (Now::Blocked(why), _) => why.clone(),
            (_, Some(bytes)) => {
                let bits = permissions(companion.mode.as_deref());
                draft.want(Content::File { bytes: bytes.into(), mode: bits });
                for copy in copies {
                    drafts.made(path, copy.path);
                }
                continue;
            }
            (_, None) => "its bytes do not come out of its copies and the manifest".to_owned(),
        };
        back.conflicts.push(Conflict { path: path.clone(), ..conflict(record, copy, None, why) });
    }
}

/// A copy of a file, or of a part of it.
struct Copy<'a> {
    path: &'a AbsPath,
    part: &'a PartEntry,
    now: Option<Content>,
}

impl Copy<'_> {
    fn is_edited(&self) -> bool {
        self.now.as_ref().is_some_and(|now| fingerprint(now) != self.part.digest)
    }

    fn bytes(&self) -> &[u8] {
        self.now.as_ref().and_then(Content::bytes).unwrap_or_default()
    }
}

/// What stands in the files when what was made of them is carried back.
struct Returned {
    content: Content,
    /// The bytes of the other files that became one text with it.
    others: Vec<Vec<u8>>,
}

fn original(
    record: &Record,
    copies: &[Copy<'_>],
    now: Option<&Content>,
    others: &[Other<'_>],
) -> Option<Returned> {
    let entry = &record.entry;
    if let [copy] = copies
        && let Some(link @ Content::Symlink { .. }) = &copy.now
    {
        return Some(Returned { content: link.clone(), others: Vec::new() });
    }
    let mut returned = Vec::new();
    let is_edited = copies.iter().any(Copy::is_edited);
    let all = || copies.iter().map(Copy::bytes).collect::<Vec<_>>().concat();
    let bytes = match now {
        Some(now) => {
            let edited = copies.iter().filter(|copy| copy.is_edited());
            let edited: Vec<_> =
                edited.map(|copy| Edited { steps: &copy.part.made, now: copy.bytes() }).collect();
            let others = others.iter().map(|other| other.bytes.as_slice());
            let sources: Vec<_> = std::iter::once(now.bytes()?).chain(others).collect();
            let mut carried = carry_edits(&sources, &edited)?.into_iter();
            let bytes = carried.next()?;
            returned.extend(carried);
            bytes
        }
        None if is_edited => {
            let [copy] = copies else { return None };
            // A copy that says more than the original cannot be told apart from it.
            if !matches!(copy.part.made.as_slice(), [] | [Step::Copy(..)]) {
                return None;
            }
            let len = if entry.recipe.is_empty() { 0 } else { copied(&entry.recipe) };
            around(&entry.recipe, len, copy.bytes())?
        }
        None => {
            let bytes = follow(&entry.recipe, &all())?;
            if Digest::of(&bytes).to_string() != entry.digest {
                return None;
            }
            bytes
        }
    };
    let content = Content::File { bytes: bytes.into(), mode: permissions(entry.mode.as_deref()) };
    Some(Returned { content, others: returned })
}

/// The permission bits that a manifest notes. It may be anybody's: no program
/// of it runs as another person.
fn permissions(mode: Option<&str>) -> Option<u32> {
    mode.and_then(|mode| u32::from_str_radix(mode, 8).ok()).map(|mode| mode & 0o777)
}

/// The end of the copied piece of what was made.
fn copied(recipe: &[Step]) -> usize {
    let ends = recipe.iter().filter_map(|step| match step {
        Step::Copy(_, end) => Some(*end),
        _ => None,
    });
    ends.max().unwrap_or_default()
}

/// What the manifest says of the files from now on.
fn renewed(
    record: &Record,
    copies: &[Copy<'_>],
    returned: &Returned,
    others: &[Other<'_>],
) -> Entry {
    let mut entry = record.entry.clone();
    entry.digest = fingerprint(&returned.content);
    let Some(source) = returned.content.bytes() else { return entry };
    if copies.iter().any(Copy::is_edited) {
        let all = copies.iter().map(Copy::bytes).collect::<Vec<_>>().concat();
        entry.recipe = recipe(source, &all);
        for (other, bytes) in others.iter().zip(&returned.others) {
            let companions = entry.with.iter_mut();
            for companion in companions.filter(|one| one.from == other.companion.from) {
                companion.digest = Digest::of(bytes).to_string();
                companion.recipe = recipe(bytes, &all);
            }
        }
        for (part, copy) in entry.parts.iter_mut().zip(copies) {
            if let Some(now) = &copy.now {
                part.digest = fingerprint(now);
                part.made = recipe(copy.bytes(), source);
            }
        }
    }
    entry
}

/// Puts the bytes into the file, before the parts of others that stand there.
fn write(ledger: &Ledger<'_>, from: &AbsPath, content: Content, drafts: &mut Drafts<'_>) {
    let sections = ledger.sections_of(from);
    let draft = drafts.at(from);
    let (Content::File { bytes, mode }, false) = (&content, sections.is_empty()) else {
        draft.want(content);
        return;
    };
    let all = mark::rebuilt(bytes, draft.bytes(), |name| sections.contains(name));
    draft.want(Content::File { bytes: all.into(), mode: *mode });
}

fn conflict(record: &Record, copy: &Copy<'_>, found: Option<Vec<u8>>, why: String) -> Conflict {
    Conflict {
        from: copy.path.clone(),
        path: record.from.clone(),
        section: copy.part.section.clone(),
        wanted: copy.now.as_ref().map(|now| shown(now).to_vec()).unwrap_or_default(),
        found,
        why,
    }
}

fn shown(content: &Content) -> &[u8] {
    match content {
        Content::File { bytes, .. } => bytes,
        Content::Symlink { target } => target.as_bytes(),
    }
}
