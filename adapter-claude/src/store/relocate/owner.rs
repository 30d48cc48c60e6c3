//! Whose a folder of the client is: many paths can have the same one.

use std::collections::BTreeSet;

use memory_core::AbsPath;

use super::{Move, RelocateRefusal};
use crate::memory::slug;
use crate::store::projects::existing;

/// Whose a folder is, as far as a moved project is concerned.
pub(super) enum Owner {
    /// That of the project, or of a folder in it.
    Project {
        /// The path of the project or of the folder in it.
        path: AbsPath,
        /// Paths of other projects, gone by now, that had the same folder.
        shared: Vec<AbsPath>,
    },
    /// Certainly somebody else's.
    Another,
    /// Nothing but its name says that it may belong to the project, or there
    /// are signs of both; with the path that it would belong to, where one is known.
    Unsure(Option<AbsPath>),
}

impl Move<'_> {
    /// Looks whose the folder called `name` is; at most `left` folders of the
    /// disk are listed for that.
    pub(super) fn owner(
        &self,
        name: &str,
        noted: &BTreeSet<AbsPath>,
        left: &mut usize,
    ) -> Result<Owner, RelocateRefusal> {
        let own = slug(&self.old.to_string());
        if name != own && !may_lie_below(&own, name) {
            return Ok(Owner::Another);
        }
        let made_in = self.home.transcribed(self.fs, name);
        let fits = |path: &&AbsPath| slug(&path.to_string()) == name;
        let told_by_sessions: BTreeSet<&AbsPath> = made_in.iter().filter(fits).collect();
        let claims: BTreeSet<&AbsPath> =
            noted.iter().filter(fits).chain(told_by_sessions.iter().copied()).collect();
        let (inside, outside): (Vec<&AbsPath>, Vec<&AbsPath>) =
            claims.into_iter().partition(|path| path.starts_with(self.old));
        if name == own {
            return self.own(name, outside);
        }
        Ok(match (inside.as_slice(), outside.as_slice()) {
            ([], []) if made_in.is_empty() => {
                let fits_elsewhere = !existing(self.fs, name, left).found.is_empty();
                let is_nobodys = fits_elsewhere || self.is_empty(name);
                if is_nobodys { Owner::Another } else { Owner::Unsure(None) }
            }
            ([], []) if made_in.iter().any(|path| path.starts_with(self.old)) => {
                Owner::Unsure(None)
            }
            ([], _) => Owner::Another,
            ([path, ..], []) => {
                let by_a_session = told_by_sessions.contains(path);
                let is_sure = if by_a_session {
                    made_in.iter().all(|path| path.starts_with(self.old))
                } else {
                    made_in.is_empty() && self.is_only(name, left)
                };
                let path = (*path).clone();
                if is_sure {
                    Owner::Project { path, shared: Vec::new() }
                } else {
                    Owner::Unsure(Some(path))
                }
            }
            ([path, ..], _) => Owner::Unsure(Some((*path).clone())),
        })
    }

    /// The project's very own folder, unless another project that is there uses it too.
    fn own(&self, name: &str, outside: Vec<&AbsPath>) -> Result<Owner, RelocateRefusal> {
        if let Some(other) = outside.iter().find(|path| self.fs.metadata(path).is_ok()) {
            return Err(RelocateRefusal::Shared {
                dir: self.home.projects.join(name),
                other: (*other).clone(),
            });
        }
        let shared = outside.into_iter().cloned().collect();
        Ok(Owner::Project { path: self.old.clone(), shared })
    }

    /// Whether no folder on the disk outside the project has this name too.
    fn is_only(&self, name: &str, left: &mut usize) -> bool {
        let found = existing(self.fs, name, left);
        found.complete && found.found.iter().all(|path| path.starts_with(self.old))
    }

    /// Whether nothing is kept in it.
    fn is_empty(&self, name: &str) -> bool {
        let dir = self.home.projects.join(name);
        let names = |dir: &AbsPath| -> Vec<String> {
            let entries = self.fs.read_dir(dir).into_iter().flatten();
            entries.flatten().map(|entry| entry.name).collect()
        };
        names(&dir).iter().all(|name| name == "memory") && names(&dir.join("memory")).is_empty()
    }
}

/// Whether the folder of a path below another can have this name.
fn may_lie_below(own: &str, name: &str) -> bool {
    // A long name is cut and ends in a fingerprint: all that lies deeper shares
    // its beginning only.
    let shared = own.get(..CUT).unwrap_or(own);
    name.strip_prefix(shared).is_some_and(|rest| rest.starts_with('-'))
}

/// How many characters of a long name the client keeps.
const CUT: usize = 200;
