//! The paths of one revision.

use std::collections::HashMap;

use gix::ObjectId;
use gix::objs::tree::EntryKind;
use memory_core::fs::{FileKind, name_from_bytes};

use crate::repository::{GitError, Repository, Revision};

/// Everything that a revision keeps, by its path relative to the root.
pub(crate) struct Tree {
    entries: HashMap<String, Entry>,
    /// The names in each directory, the root being the empty path.
    directories: HashMap<String, Vec<(String, FileKind)>>,
}

/// What a revision keeps at one path.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Entry {
    pub(crate) kind: EntryKind,
    pub(crate) id: ObjectId,
}

impl Tree {
    pub(crate) fn of(repository: &Repository, revision: &Revision) -> Result<Self, GitError> {
        let failed = |error: String| repository.unreadable("", error);
        let tree =
            repository.inner.find_tree(revision.tree).map_err(|error| failed(error.to_string()))?;
        let files =
            tree.traverse().breadthfirst.files().map_err(|error| failed(error.to_string()))?;
        let mut entries = HashMap::with_capacity(files.len());
        let mut directories = HashMap::from([(String::new(), Vec::new())]);
        for file in files {
            let path = name_from_bytes(&file.filepath);
            let (parent, name) = path.rsplit_once('/').unwrap_or(("", &path));
            let kind = file.mode.kind();
            let shown = match kind {
                EntryKind::Tree | EntryKind::Commit => FileKind::Dir,
                EntryKind::Link => FileKind::Symlink,
                EntryKind::Blob | EntryKind::BlobExecutable => FileKind::File,
            };
            match directories.get_mut(parent) {
                Some(names) => names.push((name.to_owned(), shown)),
                None => {
                    directories.insert(parent.to_owned(), vec![(name.to_owned(), shown)]);
                }
            }
            // A submodule is a directory that its own repository fills.
            if shown == FileKind::Dir {
                directories.entry(path).or_default();
            } else {
                entries.insert(path, Entry { kind, id: file.oid });
            }
        }
        Ok(Self { entries, directories })
    }

    /// The file or link at a path.
    pub(crate) fn entry(&self, rel: &str) -> Option<Entry> {
        self.entries.get(rel).copied()
    }

    /// The names in a directory, or `None` where there is none.
    pub(crate) fn names(&self, rel: &str) -> Option<&[(String, FileKind)]> {
        self.directories.get(rel).map(Vec::as_slice)
    }

    /// The directories that hold something, in no order, the root being the empty path.
    pub(crate) fn directories(&self) -> impl Iterator<Item = &str> {
        self.directories.keys().map(String::as_str)
    }
}
