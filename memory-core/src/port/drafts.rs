//! The files a port changes, as they are and as they are to be.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use super::ledger::Ledger;
use crate::digest::Digest;
use crate::error::Error;
use crate::fs::{Content, FileKind, Fs, Overlay};
use crate::model::SourceFile;
use crate::path::AbsPath;
use crate::plan::{Change, WritePlan};

/// All files that a port touches.
pub(super) struct Drafts<'a> {
    fs: &'a dyn Fs,
    /// The folders that may be written, by the name given and by the real one.
    roots: Vec<(AbsPath, AbsPath)>,
    /// Single files that may be written elsewhere.
    single: HashSet<AbsPath>,
    files: BTreeMap<AbsPath, Draft>,
    /// Every path in lower case, with the path itself.
    folded: HashMap<String, AbsPath>,
    /// Folders that are there and are no links.
    plain: HashSet<AbsPath>,
    /// The source's files of which each file is made.
    pub(super) made_of: BTreeMap<AbsPath, BTreeSet<AbsPath>>,
}

/// One file.
pub(super) struct Draft {
    /// What is there now.
    pub(super) now: Now,
    /// What is to be there; `None` when it stays.
    wanted: Option<Wanted>,
}

/// What is to be at a path.
enum Wanted {
    There(Content),
    /// A file that may still grow.
    Bytes(Vec<u8>, Option<u32>),
    Gone,
}

/// What is at a path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Now {
    Absent,
    There(Content),
    /// Neither a file nor a link, or not to be reached; with the reason.
    Blocked(String),
}

impl<'a> Drafts<'a> {
    /// For a port that may write below these folders.
    pub(super) fn new(fs: &'a dyn Fs, roots: impl IntoIterator<Item = AbsPath>) -> Self {
        let roots: BTreeSet<_> = roots.into_iter().collect();
        let roots = roots.into_iter().map(|root| {
            let real = real(fs, &root);
            (root, real)
        });
        Self {
            fs,
            roots: roots.collect(),
            single: HashSet::new(),
            files: BTreeMap::new(),
            folded: HashMap::new(),
            plain: HashSet::new(),
            made_of: BTreeMap::new(),
        }
    }

    /// The path by which a file is written: no folder of a root is a link.
    pub(super) fn real(&self, path: &AbsPath) -> AbsPath {
        let roots = self.roots.iter().filter(|(root, _)| path.starts_with(root));
        let innermost = roots.max_by_key(|(root, _)| root.as_str().len());
        match innermost.map(|(root, real)| (path.strip_prefix(root), real)) {
            Some((Some(""), real)) => real.clone(),
            Some((Some(rest), real)) => real.join(rest),
            _ => path.clone(),
        }
    }

    /// The draft of a file.
    pub(super) fn at(&mut self, path: &AbsPath) -> &mut Draft {
        let path = self.real(path);
        if !self.files.contains_key(&path) {
            let now = self.now(&path);
            self.files.insert(path.clone(), Draft { now, wanted: None });
        }
        self.files.entry(path).or_insert(Draft { now: Now::Absent, wanted: None })
    }

    fn now(&mut self, path: &AbsPath) -> Now {
        let Some(root) = self.root_of(path) else {
            return Now::Blocked("it lies outside the folders that may be written".to_owned());
        };
        for dir in path.parent().map(|dir| dir.from_top(&root)).unwrap_or_default() {
            if self.plain.contains(&dir) {
                continue;
            }
            match self.fs.symlink_metadata(&dir) {
                Ok(found) if found.kind == FileKind::Dir => {
                    self.plain.insert(dir);
                }
                Ok(found) if found.kind == FileKind::Symlink => {
                    return Now::Blocked(format!(
                        "`{dir}` is a link, which is not written through"
                    ));
                }
                Ok(_) => return Now::Blocked(format!("`{dir}` is no folder")),
                Err(error) if error.is_absence() => break,
                Err(error) => return Now::Blocked(error.to_string()),
            }
        }
        let folded = path.as_str().to_lowercase();
        let other = self.folded.entry(folded).or_insert_with(|| path.clone());
        if other != path {
            return Now::Blocked(format!(
                "its name differs from `{other}` only by upper and lower case"
            ));
        }
        let found = match self.fs.symlink_metadata(path) {
            Ok(found) => found,
            Err(error) if error.is_absence() => return Now::Absent,
            Err(error) => return Now::Blocked(error.to_string()),
        };
        let content = match found.kind {
            FileKind::Symlink => self.fs.read_link(path).map(|target| Content::Symlink { target }),
            FileKind::File => self
                .fs
                .read_up_to(path, u64::MAX)
                .map(|bytes| Content::File { bytes: bytes.into(), mode: found.mode }),
            FileKind::Dir => return Now::Blocked("a folder is in its place".to_owned()),
            FileKind::Special => return Now::Blocked("what is in its place is no file".to_owned()),
        };
        content.map_or_else(|error| Now::Blocked(error.to_string()), Now::There)
    }

    /// Whether a file lies outside of the folders that may be written.
    pub(super) fn is_outside(&self, path: &AbsPath) -> bool {
        self.root_of(&self.real(path)).is_none()
    }

    /// Lets one file be written that lies elsewhere.
    pub(super) fn allow(&mut self, path: &AbsPath) {
        self.single.insert(path.clone());
    }

    fn root_of(&self, path: &AbsPath) -> Option<AbsPath> {
        if self.single.contains(path) {
            return path.parent();
        }
        let roots = self.roots.iter().map(|(_, real)| real);
        let holding = roots.filter(|root| path.starts_with(root) && *root != path);
        holding.max_by_key(|root| root.as_str().len()).cloned()
    }

    /// Says that a file is made of one of the source's.
    pub(super) fn made(&mut self, path: &AbsPath, of: &AbsPath) {
        let path = self.real(path);
        self.made_of.entry(path).or_default().insert(of.clone());
    }

    /// The changes of all files.
    pub(super) fn plan(&self) -> Result<WritePlan, Error> {
        let single = self.single.iter().filter_map(AbsPath::parent);
        let roots: BTreeSet<_> =
            self.roots.iter().map(|(_, real)| real.clone()).chain(single).collect();
        let mut plan = WritePlan::new(roots);
        for (path, draft) in &self.files {
            if let Some(change) = draft.change(path) {
                plan.add(change)?;
            }
        }
        Ok(plan)
    }

    /// The file system as it will be.
    pub(super) fn outcome(&self) -> Overlay<'a> {
        let mut outcome = Overlay::new(self.fs);
        self.show(&mut outcome);
        outcome
    }

    /// Puts what is to be there into a file system.
    pub(super) fn show(&self, outcome: &mut Overlay<'_>) {
        for (root, real) in &self.roots {
            outcome.alias(root.clone(), real.clone());
        }
        for (path, draft) in &self.files {
            match &draft.wanted {
                Some(Wanted::There(content)) => outcome.put(path.clone(), content.clone()),
                Some(Wanted::Bytes(bytes, mode)) => {
                    let content = Content::File { bytes: bytes.as_slice().into(), mode: *mode };
                    outcome.put(path.clone(), content);
                }
                Some(Wanted::Gone) => outcome.hide(path.clone()),
                None => {}
            }
        }
    }

    /// Whether anything is to be written.
    pub(super) fn is_changed(&self) -> bool {
        self.files.values().any(Draft::is_changed)
    }
}

impl Draft {
    /// Whether anything is to be written.
    pub(super) fn is_changed(&self) -> bool {
        self.wanted.is_some()
    }

    /// Whether anything will be there.
    pub(super) fn is_there(&self) -> bool {
        match (&self.wanted, &self.now) {
            (Some(wanted), _) => !matches!(wanted, Wanted::Gone),
            (None, now) => matches!(now, Now::There(_)),
        }
    }

    /// What the port itself puts there; `None` while it stays as it is.
    pub(super) fn wanted(&self) -> Option<Content> {
        match self.wanted.as_ref()? {
            Wanted::There(content) => Some(content.clone()),
            Wanted::Bytes(bytes, mode) => {
                Some(Content::File { bytes: bytes.as_slice().into(), mode: *mode })
            }
            Wanted::Gone => None,
        }
    }

    /// Its bytes as they will be; empty for what is no file or not there.
    pub(super) fn bytes(&self) -> &[u8] {
        match (&self.wanted, &self.now) {
            (Some(Wanted::Bytes(bytes, _)), _) => bytes,
            (Some(Wanted::There(content)), _) | (None, Now::There(content)) => {
                content.bytes().unwrap_or_default()
            }
            _ => &[],
        }
    }

    /// What is to be there; bits that let a program run as somebody else are not
    /// carried.
    pub(super) fn want(&mut self, mut content: Content) {
        if let Content::File { mode: Some(mode), .. } = &mut content {
            *mode &= 0o777;
        }
        self.wanted = Some(Wanted::There(content));
    }

    /// Keeps a new file from those from whom one of the files is kept of which
    /// it is made.
    pub(super) fn close_like(&mut self, sources: &[SourceFile]) {
        let (Now::Absent, Some(wanted)) = (&self.now, &mut self.wanted) else { return };
        let mode = match wanted {
            Wanted::Bytes(_, mode) | Wanted::There(Content::File { mode, .. }) => mode,
            Wanted::There(Content::Symlink { .. }) | Wanted::Gone => return,
        };
        let modes = sources.iter().filter_map(|source| match &source.content {
            Content::File { mode, .. } => *mode,
            Content::Symlink { .. } => None,
        });
        for source in modes.filter(|mode| mode & 0o044 != 0o044) {
            *mode = Some(mode.unwrap_or(0o644) & (source | 0o700));
        }
    }

    pub(super) fn want_gone(&mut self) {
        self.wanted = Some(Wanted::Gone);
    }

    /// The same permission bits, other bytes.
    pub(super) fn want_bytes(&mut self, bytes: Vec<u8>) {
        let mode = match (&self.wanted, &self.now) {
            (Some(Wanted::Bytes(_, mode) | Wanted::There(Content::File { mode, .. })), _)
            | (None, Now::There(Content::File { mode, .. })) => *mode,
            _ => None,
        };
        self.wanted = Some(Wanted::Bytes(bytes, mode));
    }

    /// Changes the bytes where they are.
    pub(super) fn edit(&mut self, edit: impl FnOnce(&mut Vec<u8>)) {
        if !matches!(self.wanted, Some(Wanted::Bytes(..))) {
            self.want_bytes(self.bytes().to_vec());
        }
        if let Some(Wanted::Bytes(bytes, _)) = &mut self.wanted {
            edit(bytes);
        }
    }

    fn change(&self, path: &AbsPath) -> Option<Change> {
        let path = path.clone();
        let grown;
        let content = match self.wanted.as_ref()? {
            Wanted::There(content) => content,
            Wanted::Bytes(bytes, mode) => {
                grown = Content::File { bytes: bytes.as_slice().into(), mode: *mode };
                &grown
            }
            Wanted::Gone => {
                return match &self.now {
                    Now::There(Content::File { bytes, .. }) => Some(Change::remove(path, bytes)),
                    Now::There(Content::Symlink { target }) => {
                        Some(Change::RemoveSymlink { path, expect: target.clone() })
                    }
                    _ => None,
                };
            }
        };
        Some(match (content, &self.now) {
            (Content::File { bytes, mode }, Now::Absent) => {
                Change::Create { path, bytes: bytes.clone(), mode: *mode }
            }
            (Content::Symlink { target }, Now::Absent) => {
                Change::Symlink { path, target: target.clone(), expect: None }
            }
            (
                Content::File { bytes, mode },
                Now::There(Content::File { bytes: old, mode: now }),
            ) => {
                let mode = mode.filter(|mode| now.is_some_and(|now| now & 0o777 != mode & 0o777));
                if bytes == old && mode.is_none() {
                    return None;
                }
                Change::Replace { path, expect: Digest::of(old), bytes: bytes.clone(), mode }
            }
            (Content::Symlink { target }, Now::There(Content::Symlink { target: old })) => {
                if target == old {
                    return None;
                }
                Change::Symlink { path, target: target.clone(), expect: Some(old.clone()) }
            }
            _ => return None,
        })
    }
}

/// The real path of a folder that need not be there.
fn real(fs: &dyn Fs, path: &AbsPath) -> AbsPath {
    for dir in path.ancestors() {
        if let Ok(real) = fs.canonicalize(&dir) {
            return match path.strip_prefix(&dir) {
                Some("") | None => real,
                Some(rest) => real.join(rest),
            };
        }
    }
    path.clone()
}

/// The bytes of a file without the parts that earlier ports put there.
pub(super) fn own_bytes(ledger: &Ledger<'_>, path: &AbsPath, bytes: &[u8]) -> Vec<u8> {
    let sections = ledger.sections_of(path);
    if sections.is_empty() { bytes.to_vec() } else { ledger.without(path, bytes, &sections) }
}
