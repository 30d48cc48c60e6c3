//! What stands now where earlier ports wrote.

use std::cell::RefCell;
use std::collections::{HashMap, HashSet};
use std::rc::Rc;

use super::drafts::own_bytes;
use super::ledger::Ledger;
use super::manifest::PartEntry;
use super::mark::{self, Part};
use crate::fs::{Content, FileKind, Fs};
use crate::path::AbsPath;

/// The copies that a ledger names, in the world before the port.
pub(super) struct Copies<'a> {
    fs: &'a dyn Fs,
    ledger: &'a Ledger<'a>,
    /// One file may hold thousands of parts, so it is read once.
    files: RefCell<HashMap<AbsPath, Rc<Marked>>>,
}

/// A file with its parts.
struct Marked {
    bytes: Vec<u8>,
    /// The parts by their names; of several of one name, the first.
    parts: HashMap<String, Part>,
    /// The names of parts that stand there more than once, with different texts.
    torn: HashSet<String>,
}

/// Why nothing is done with a part that stands in its file more than once.
pub(super) const TORN: &str =
    "the part stands there more than once, with different texts; keep one of them";

impl Marked {
    fn new(bytes: Vec<u8>) -> Self {
        let mut marked = Self { bytes, parts: HashMap::new(), torn: HashSet::new() };
        for part in mark::parts(&marked.bytes) {
            let text = |part: &Part| marked.bytes.get(part.inner.clone());
            let Some(first) = marked.parts.get(&part.name) else {
                marked.parts.insert(part.name.clone(), part);
                continue;
            };
            if text(first) != text(&part) {
                marked.torn.insert(part.name);
            }
        }
        marked
    }
}

impl<'a> Copies<'a> {
    pub(super) fn new(fs: &'a dyn Fs, ledger: &'a Ledger<'a>) -> Self {
        Self { fs, ledger, files: RefCell::default() }
    }

    /// What stands now where a part was written; `None` when it is gone.
    pub(super) fn present(&self, path: &AbsPath, part: &PartEntry) -> Option<Content> {
        let found = self.fs.symlink_metadata(path).ok()?;
        if found.kind == FileKind::Symlink && part.section.is_none() {
            return self.fs.read_link(path).ok().map(|target| Content::Symlink { target });
        }
        let bytes = match &part.section {
            None => own_bytes(self.ledger, path, &self.fs.read_up_to(path, u64::MAX).ok()?),
            Some(name) => {
                let file = self.marked(path)?;
                match file.parts.get(name) {
                    Some(part) => file.bytes.get(part.inner.clone())?.to_vec(),
                    None => self.ledger.unmarked_text(path, name)?.to_vec(),
                }
            }
        };
        Some(Content::File { bytes: bytes.into(), mode: found.mode })
    }

    /// The part of that name in a file; `None` where there is none.
    pub(super) fn part(&self, path: &AbsPath, name: &str) -> Option<Part> {
        self.marked(path)?.parts.get(name).cloned()
    }

    /// Whether a part stands in its file more than once, with different texts, as
    /// after a merge: nobody but the person knows which one counts.
    pub(super) fn is_torn(&self, path: &AbsPath, name: &str) -> bool {
        self.marked(path).is_some_and(|file| file.torn.contains(name))
    }

    fn marked(&self, path: &AbsPath) -> Option<Rc<Marked>> {
        if let Some(known) = self.files.borrow().get(path) {
            return Some(Rc::clone(known));
        }
        let bytes = self.fs.read_up_to(path, u64::MAX).ok()?;
        let marked = Rc::new(Marked::new(bytes));
        self.files.borrow_mut().insert(path.clone(), Rc::clone(&marked));
        Some(marked)
    }
}
