//! Bringing back what an earlier port carried the other way.

use super::drafts::{Drafts, Now, own_bytes};
use super::ledger::{Ledger, Record};
use super::manifest::{Entry, PartEntry, fingerprint};
use super::mark;
use super::outcome::{Changed, Conflict, Side};
use super::recipe::{carry_edit, follow, recipe};
use crate::{AbsPath, Content, Digest, Fs};

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
    ledger: &Ledger<'_>,
    record: &Record,
    drafts: &mut Drafts<'_>,
    back: &mut Back,
) {
    let Some((copy_path, part)) = record.parts.first() else { return };
    let side = |changed| Side {
        from: record.from.clone(),
        to: copy_path.clone(),
        section: part.section.clone(),
        changed,
    };
    let Some(copy) = present(fs, ledger, copy_path, part) else {
        back.sides.push(side(Changed::CopyGone));
        return;
    };
    back.carried.extend(record.parts.iter().map(|(path, _)| (path.clone(), record.from.clone())));
    let is_edited = fingerprint(&copy) != part.digest;
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
        Now::Blocked(why) => {
            back.conflicts.push(conflict(record, part, &copy, None, why.clone()));
            return;
        }
    };
    let is_original = now.as_ref().is_none_or(|now| fingerprint(now) == record.entry.digest);
    match (is_edited, is_original) {
        (false, true) if now.is_some() => return,
        (false, false) => {
            back.sides.push(side(Changed::Origin));
            return;
        }
        (true, false) => {
            back.sides.push(side(Changed::Both));
            let why = "both it and its copy were changed since it was carried".to_owned();
            let found = now.as_ref().map(|now| shown(now).to_vec());
            back.conflicts.push(conflict(record, part, &copy, found, why));
            return;
        }
        (true, true) => back.sides.push(side(Changed::Copy)),
        (false, true) => {}
    }
    let mode = record.entry.mode.as_deref().and_then(|mode| u32::from_str_radix(mode, 8).ok());
    let content = match &copy {
        Content::Link { .. } => Some(copy.clone()),
        Content::File { bytes, .. } => {
            let text = bytes.get(part.preface..).unwrap_or_default();
            let bytes = if is_edited {
                carry_edit(&record.entry.recipe, now.as_ref().and_then(Content::bytes), text)
            } else {
                follow(&record.entry.recipe, text)
                    .filter(|bytes| Digest::of(bytes).to_string() == record.entry.digest)
            };
            bytes.map(|bytes| Content::File { bytes: bytes.into(), mode })
        }
    };
    let Some(content) = content else {
        let why = "its bytes do not come out of its copy and the manifest".to_owned();
        let found = now.as_ref().map(|now| shown(now).to_vec());
        back.conflicts.push(conflict(record, part, &copy, found, why));
        return;
    };
    let mut entry = record.entry.clone();
    entry.digest = fingerprint(&content);
    if let (true, Some(source), Some(made)) = (is_edited, content.bytes(), copy.bytes()) {
        entry.recipe = recipe(source, made.get(part.preface..).unwrap_or_default());
        if let Some(first) = entry.parts.first_mut() {
            first.digest = fingerprint(&copy);
        }
    }
    back.entries.push(entry);
    write(ledger, record, content, drafts);
    for (path, _) in &record.parts {
        drafts.made(&record.from, path);
    }
}

/// Puts the bytes into the file, before the parts of others that stand there.
fn write(ledger: &Ledger<'_>, record: &Record, content: Content, drafts: &mut Drafts<'_>) {
    let sections = ledger.sections_of(&record.from);
    let draft = drafts.at(&record.from);
    let (Content::File { bytes, mode }, false) = (&content, sections.is_empty()) else {
        draft.want(content);
        return;
    };
    let all = mark::rebuilt(bytes, draft.bytes(), |name| sections.contains(name));
    draft.want(Content::File { bytes: all.into(), mode: *mode });
}

/// What stands now where a part was written; `None` when it is gone.
pub(super) fn present(
    fs: &dyn Fs,
    ledger: &Ledger<'_>,
    path: &AbsPath,
    part: &PartEntry,
) -> Option<Content> {
    let found = fs.symlink_metadata(path).ok()?;
    if found.kind == crate::FileKind::Link && part.section.is_none() {
        return fs.read_link(path).ok().map(|target| Content::Link { target });
    }
    let bytes = fs.read_up_to(path, u64::MAX).ok()?;
    let bytes = match &part.section {
        None => own_bytes(ledger, path, &bytes),
        Some(name) => {
            let part = mark::parts(&bytes).into_iter().find(|part| part.name == *name)?;
            bytes.get(part.inner)?.to_vec()
        }
    };
    Some(Content::File { bytes: bytes.into(), mode: found.mode })
}

fn conflict(
    record: &Record,
    part: &PartEntry,
    copy: &Content,
    found: Option<Vec<u8>>,
    why: String,
) -> Conflict {
    Conflict {
        from: record.parts.first().map_or_else(|| record.from.clone(), |(path, _)| path.clone()),
        path: record.from.clone(),
        section: part.section.clone(),
        wanted: shown(copy).to_vec(),
        found,
        why,
    }
}

fn shown(content: &Content) -> &[u8] {
    match content {
        Content::File { bytes, .. } => bytes,
        Content::Link { target } => target.as_bytes(),
    }
}
