use std::collections::BTreeSet;

use memory_core::AbsPath;
use memory_core::fs::{Confined, Fs, OsFs};
use memory_git::{Repository, Revision, RevisionFs};
use memport_documents::StateDocument;

use crate::failure::Failure;

/// One of the two states that are compared.
pub(crate) struct State<'r> {
    repository: &'r Repository,
    /// `None` for the work tree.
    revision: Option<(Revision, RevisionFs<'r>)>,
    is_confined: bool,
}

impl<'r> State<'r> {
    /// The repository as a revision has it, or as its work tree is. With
    /// `is_confined` nothing outside of the repository is there.
    pub(crate) fn open(
        repository: &'r Repository,
        revision: Option<&str>,
        is_confined: bool,
    ) -> Result<Self, Failure> {
        let revision = match revision {
            Some(spec) => {
                let revision = repository.revision(spec)?;
                let fs = RevisionFs::new(repository, &revision, &OsFs)?;
                Some((revision, fs))
            }
            None if repository.is_bare() => {
                return Err(Failure::usage(
                    format!("`{}` has no work tree to compare with", repository.root()),
                    "name two revisions: `memport diff A..B`",
                ));
            }
            None => None,
        };
        Ok(Self { repository, revision, is_confined })
    }

    /// What is to be seen of it.
    pub(crate) fn shown(&self) -> Shown<'_> {
        let fs: &dyn Fs = match &self.revision {
            Some((_, fs)) => fs,
            None => &OsFs,
        };
        if self.is_confined {
            Shown::Repository(Confined::new(fs, self.repository.root().clone()))
        } else {
            Shown::All(fs)
        }
    }

    /// The directories that hold one of these names.
    pub(crate) fn directories_holding(
        &self,
        names: &BTreeSet<String>,
    ) -> Result<BTreeSet<AbsPath>, Failure> {
        match &self.revision {
            Some((_, fs)) => Ok(fs.directories_holding(names)),
            None => Ok(self.repository.directories_holding(names, &OsFs)?),
        }
    }

    pub(crate) fn document(&self) -> StateDocument {
        let revision = self.revision.as_ref().map(|(revision, _)| revision);
        StateDocument {
            rev: revision.map(|revision| revision.spec.clone()),
            commit: revision.map(|revision| revision.commit.clone()),
        }
    }
}

/// A file system, or only what the repository holds of it.
pub(crate) enum Shown<'a> {
    All(&'a dyn Fs),
    Repository(Confined<'a>),
}

impl Shown<'_> {
    pub(crate) fn fs(&self) -> &dyn Fs {
        match self {
            Self::All(fs) => *fs,
            Self::Repository(fs) => fs,
        }
    }
}

/// The two states that `REV[..REV]` names; `None` is the work tree.
pub(crate) fn parse(revisions: Option<&str>) -> Result<(String, Option<String>), Failure> {
    let named = |spec: &str| if spec.is_empty() { "HEAD".to_owned() } else { spec.to_owned() };
    let Some(text) = revisions else { return Ok((named(""), None)) };
    if text.contains("...") {
        return Err(Failure::usage(
            format!("`{text}` has three dots"),
            "two revisions are named as `A..B`; for a merge base give `$(git merge-base A B)..B`",
        ));
    }
    Ok(match text.split_once("..") {
        Some((from, to)) => (named(from), Some(named(to))),
        None => (named(text), None),
    })
}
