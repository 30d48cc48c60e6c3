use std::collections::BTreeSet;

use memory_core::AbsPath;
use memory_core::fs::{FileKind, Fs, IoError};

use crate::ignored::Ignored;

/// Why git cannot answer.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum GitError {
    /// No repository is around the directory, or it cannot be read.
    #[error("no git repository can be read around `{path}`: {reason}")]
    NoRepository {
        /// The directory.
        path: AbsPath,
        /// git's own words.
        reason: String,
    },
    /// The name stands for no commit of the repository.
    #[error("git knows no revision `{spec}`: {reason}")]
    UnknownRevision {
        /// The name as it was given.
        spec: String,
        /// git's own words.
        reason: String,
    },
    /// An object, the index or an ignore file cannot be read.
    #[error("git cannot read `{path}`: {reason}")]
    Unreadable {
        /// What was to be read.
        path: AbsPath,
        /// git's own words.
        reason: String,
    },
}

/// A git repository, which is only read.
pub struct Repository {
    pub(crate) inner: gix::Repository,
    root: AbsPath,
    is_bare: bool,
}

/// One commit of a repository.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Revision {
    /// The name that was asked for: `HEAD~1`.
    pub spec: String,
    /// The commit, as all digits of its name.
    pub commit: String,
    pub(crate) tree: gix::ObjectId,
}

impl Repository {
    /// The repository that `dir` lies in, a bare one included.
    ///
    /// # Errors
    ///
    /// [`GitError::NoRepository`] when there is none or it cannot be read.
    pub fn around(dir: &AbsPath, disk: &dyn Fs) -> Result<Self, GitError> {
        let none = |reason: String| GitError::NoRepository { path: dir.clone(), reason };
        let inner = gix::discover(dir.to_path_buf()).map_err(|error| none(error.to_string()))?;
        let top = inner.workdir().unwrap_or_else(|| inner.git_dir());
        let top = AbsPath::try_from(top).map_err(|error| none(error.to_string()))?;
        let root = disk.canonicalize(&top).map_err(|error| none(error.to_string()))?;
        let is_bare = inner.workdir().is_none();
        Ok(Self { inner, root, is_bare })
    }

    /// The top directory of the work tree; of a bare repository, its own directory.
    pub fn root(&self) -> &AbsPath {
        &self.root
    }

    /// Whether the repository has no work tree.
    pub fn is_bare(&self) -> bool {
        self.is_bare
    }

    /// The commit that a name of git's stands for: `HEAD~1`, `main`, a digest.
    ///
    /// # Errors
    ///
    /// [`GitError::UnknownRevision`] when it stands for none.
    pub fn revision(&self, spec: &str) -> Result<Revision, GitError> {
        let unknown = |reason: String| GitError::UnknownRevision { spec: spec.to_owned(), reason };
        let found =
            self.inner.rev_parse_single(spec).map_err(|error| unknown(error.to_string()))?;
        let object = found.object().map_err(|error| unknown(error.to_string()))?;
        let commit = object.peel_to_commit().map_err(|error| unknown(error.to_string()))?;
        let tree = commit.tree_id().map_err(|error| unknown(error.to_string()))?.detach();
        Ok(Revision { spec: spec.to_owned(), commit: commit.id().to_string(), tree })
    }

    /// The directories of the work tree that hold one of these names, sorted;
    /// what git ignores is left out. Links are not followed, and a directory
    /// that cannot be listed holds nothing. Empty for a bare repository.
    ///
    /// # Errors
    ///
    /// [`GitError::Unreadable`] when the index or an ignore file cannot be read.
    pub fn directories_holding(
        &self,
        names: &BTreeSet<String>,
        disk: &dyn Fs,
    ) -> Result<BTreeSet<AbsPath>, GitError> {
        let mut found = BTreeSet::new();
        if self.is_bare {
            return Ok(found);
        }
        let ignored = Ignored::of(self)?;
        let mut waiting = vec![self.root.clone()];
        while let Some(dir) = waiting.pop() {
            for entry in disk.read_dir(&dir).into_iter().flatten().flatten() {
                let is_dir = entry.kind == FileKind::Dir;
                let is_wanted = names.contains(&entry.name);
                if entry.name == ".git" || !(is_dir || is_wanted) {
                    continue;
                }
                let path = dir.join(&entry.name);
                let rel = path.strip_prefix(&self.root).unwrap_or_default();
                if ignored.contains(rel, is_dir)? {
                    continue;
                }
                if is_wanted {
                    found.insert(dir.clone());
                } else {
                    waiting.push(path);
                }
            }
        }
        Ok(found)
    }

    pub(crate) fn unreadable(&self, rel: &str, reason: String) -> GitError {
        GitError::Unreadable { path: self.root.join(rel), reason }
    }
}

/// An object that cannot be read, in the words that a file system has for it.
pub(crate) fn io_error(error: impl std::error::Error + Send + Sync + 'static) -> IoError {
    std::io::Error::other(error).into()
}
