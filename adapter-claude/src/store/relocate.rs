//! Moving what the client keeps for a project whose folder moved.

mod mentions;
mod owner;
mod refusal;
mod tell;

use std::collections::BTreeSet;

use memory_core::fs::{FileKind, Fs};
use memory_core::plan::{Change, WritePlan};
use memory_core::{AbsPath, Diagnostic, Error, PathRole, World};

use super::projects::{Home, MOST_LISTED, Notes, Stored};
use super::state_file;
use crate::claude::Claude;
use crate::memory::slug;
use owner::Owner;

pub use refusal::RelocateRefusal;

/// What a move of a project's memory would do.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Relocation {
    /// What would be moved and renamed.
    pub plan: WritePlan,
    /// What stays behind, and what is odd about the two places.
    pub diagnostics: Vec<Diagnostic>,
}

impl Claude {
    /// Plans the move of everything the client keeps for the project that lay at
    /// `old` and lies at `new` now: its folder with memory and transcripts, those
    /// of folders below it, and the names of both in the client's notes.
    ///
    /// Different paths can have one folder, so a folder moves only when the
    /// project's own path, a transcript in it, or the client's notes say whose
    /// it is; one that merely has a fitting name is told and stays.
    ///
    /// Links in `new` are resolved, as the client does; `old` is taken as it is,
    /// and with the links above it resolved where nothing is kept for that.
    /// A folder that memory settings name stays where it is: it depends on no path.
    ///
    /// What a session left in the new place, transcripts and an empty memory
    /// folder, stays beside what moves there. Lines of the memory that name the
    /// old place are told.
    ///
    /// Errors when nothing is kept for `old`, when something is remembered for
    /// `new` already, because two memories are not thrown together, when a folder is
    /// shared with another project or is a link, and when one of the two places
    /// makes no sense beside the other.
    pub fn plan_relocate(
        &self,
        world: World<'_>,
        old: &AbsPath,
        new: &AbsPath,
    ) -> Result<Relocation, RelocateRefusal> {
        let fs = world.fs;
        let home = Home::of(world)?.resolved(fs);
        let new = real(fs, new);
        let planned = Move { fs, home: &home, old, new: &new }.plan();
        let spelled = spelled(fs, old);
        match planned {
            Err(RelocateRefusal::NothingKept { .. }) if spelled != *old => {
                Move { fs, home: &home, old: &spelled, new: &new }.plan()
            }
            planned => planned,
        }
    }
}

/// The real path of a folder that need not be there.
fn real(fs: &dyn Fs, path: &AbsPath) -> AbsPath {
    for dir in path.ancestors() {
        if let Ok(real) = fs.canonicalize(&dir) {
            return real.join(path.strip_prefix(&dir).unwrap_or_default());
        }
    }
    path.clone()
}

/// A path with the links above it resolved: its last part may be a link that
/// was left where the folder was.
fn spelled(fs: &dyn Fs, path: &AbsPath) -> AbsPath {
    match (path.parent(), path.file_name()) {
        (Some(parent), Some(name)) => real(fs, &parent).join(name),
        _ => path.clone(),
    }
}

/// A project that moved.
struct Move<'a> {
    fs: &'a dyn Fs,
    home: &'a Home,
    old: &'a AbsPath,
    new: &'a AbsPath,
}

impl Move<'_> {
    fn plan(&self) -> Result<Relocation, RelocateRefusal> {
        let mut told = Vec::new();
        self.check_places(&mut told)?;
        let notes = self.home.notes(self.fs);
        let text = match &notes {
            Notes::Text(text) => text.as_str(),
            Notes::Absent | Notes::Unusable(_) => "",
        };
        let keys = state_file::projects(text);
        let projects = keys.iter().filter_map(|(key, _)| AbsPath::new(key).ok()).collect();
        let roots = self.home.state.parent().into_iter().chain([self.home.projects.clone()]);
        let mut plan = WritePlan::new(roots);
        let is_kept = self.move_folders(&projects, &mut plan, &mut told)?;
        let is_noted = self.rename_notes(text, &keys, &mut plan, &mut told)?;
        match notes {
            Notes::Unusable(why) if is_kept => told.push(tell::unusable(&self.home.state, &why)),
            Notes::Unusable(why) => {
                return Err(RelocateRefusal::Notes { path: self.home.state.clone(), why });
            }
            _ if !is_kept && !is_noted => {
                let dir = self.home.projects.join(slug(&self.old.to_string()));
                return Err(RelocateRefusal::NothingKept { old: self.old.clone(), dir });
            }
            _ => {}
        }
        Ok(Relocation { plan, diagnostics: told })
    }

    /// Refuses places that make no sense beside each other, and tells doubtful ones.
    fn check_places(&self, told: &mut Vec<Diagnostic>) -> Result<(), RelocateRefusal> {
        let (old, new) = (self.old, self.new);
        if old == new {
            return Err(RelocateRefusal::SamePlace { path: new.clone() });
        }
        if new.starts_with(old) {
            return Err(RelocateRefusal::Inside { old: old.clone(), new: new.clone() });
        }
        match self.fs.metadata(new) {
            Ok(found) if !found.is_dir() => {
                let path = new.clone();
                return Err(Error::NotADirectory { what: PathRole::NewPlace, path }.into());
            }
            Ok(_) => {}
            Err(_) => told.push(tell::new_is_missing(new)),
        }
        // A link that leads to the new place is a fine thing to leave behind.
        if self.fs.canonicalize(old).is_ok_and(|real| real != *new) {
            told.push(tell::old_is_there(old));
        }
        Ok(())
    }

    fn moved(&self, path: &AbsPath) -> Option<AbsPath> {
        path.strip_prefix(self.old).map(|below| self.new.join(below))
    }

    /// Moves the folder of the project, and those of folders below it that are
    /// certainly its own; whether there was any.
    fn move_folders(
        &self,
        noted: &BTreeSet<AbsPath>,
        plan: &mut WritePlan,
        told: &mut Vec<Diagnostic>,
    ) -> Result<bool, RelocateRefusal> {
        let mut any = false;
        let mut left = MOST_LISTED;
        for Stored { name, is_link } in self.home.stored(self.fs) {
            let from = self.home.projects.join(&name);
            let owner = match self.owner(&name, noted, &mut left)? {
                Owner::Another => continue,
                Owner::Unsure(path) => {
                    told.push(tell::guessed(&from, self.old, path.as_ref(), self.new));
                    continue;
                }
                Owner::Project { path, shared } => {
                    told.extend(shared.iter().map(|other| tell::shared(&from, &path, other)));
                    path
                }
            };
            let Some(target) = self.moved(&owner) else { continue };
            any = true;
            let to = self.home.projects.join(slug(&target.to_string()));
            if to == from {
                continue;
            }
            if is_link {
                let target = self.fs.read_link(&from).unwrap_or_default();
                return Err(RelocateRefusal::Linked { link: from, target });
            }
            mentions::tell(self.fs, &from.join("memory"), self.old, told);
            if self.fs.symlink_metadata(&to).is_err() {
                plan.add(Change::Move { from, to })?;
            } else if !self.is_dir(&to) || self.holds_memory(&from) && self.holds_memory(&to) {
                return Err(RelocateRefusal::BothKept { old: from, new: to });
            } else {
                self.join(&from, &to, plan)?;
            }
        }
        Ok(any)
    }

    /// Whether it is a folder, and no link to one.
    fn is_dir(&self, path: &AbsPath) -> bool {
        self.fs.symlink_metadata(path).is_ok_and(|found| found.kind == FileKind::Dir)
    }

    /// Whether anything is remembered in a folder of the client.
    fn holds_memory(&self, dir: &AbsPath) -> bool {
        let entries = self.fs.read_dir(&dir.join("memory"));
        entries.is_ok_and(|mut entries| entries.next().is_some())
    }

    /// Moves what is in a folder to where some of its folders are already, as
    /// after a session that was started in the new place.
    fn join(
        &self,
        from: &AbsPath,
        to: &AbsPath,
        plan: &mut WritePlan,
    ) -> Result<(), RelocateRefusal> {
        let entries = self.fs.read_dir(from);
        let entries = entries.map_err(|source| Error::Io { path: from.clone(), source })?.flatten();
        let mut names: Vec<String> = entries.map(|entry| entry.name).collect();
        names.sort();
        for name in names {
            let (from, to) = (from.join(&name), to.join(&name));
            if self.fs.symlink_metadata(&to).is_err_and(|error| error.is_absence()) {
                plan.add(Change::Move { from, to })?;
            } else if self.is_dir(&from) && self.is_dir(&to) {
                self.join(&from, &to, plan)?;
            } else {
                return Err(RelocateRefusal::BothKept { old: from, new: to });
            }
        }
        Ok(())
    }

    /// Renames the project's keys in the client's notes; whether there was any.
    fn rename_notes(
        &self,
        text: &str,
        keys: &[state_file::Key],
        plan: &mut WritePlan,
        told: &mut Vec<Diagnostic>,
    ) -> Result<bool, RelocateRefusal> {
        let state = &self.home.state;
        let mut edited = String::with_capacity(text.len());
        let (mut at, mut any) = (0, false);
        let mut seen = BTreeSet::new();
        for (key, span) in keys {
            let Ok(path) = AbsPath::new(key) else { continue };
            let Some(target) = self.moved(&path) else { continue };
            any = true;
            let is_new = seen.insert(path.clone());
            let target = target.to_string();
            // Notes on the new path that are there already stay; the old ones too.
            if keys.iter().any(|(other, _)| *other == target) {
                told.extend(is_new.then(|| tell::both_noted(state, &path, &target)));
                continue;
            }
            told.extend((!is_new).then(|| tell::noted_twice(state, &path)));
            edited.push_str(text.get(at..span.start).unwrap_or_default());
            edited.push_str(&serde_json::Value::from(target).to_string());
            at = span.end;
        }
        edited.push_str(text.get(at..).unwrap_or_default());
        if edited != text {
            plan.add(Change::replace(state.clone(), text.as_bytes(), edited))?;
        }
        Ok(any)
    }
}

#[cfg(test)]
mod tests;
