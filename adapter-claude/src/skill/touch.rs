use std::collections::HashSet;

use memory_core::{AbsPath, ListedSkill, Scope as Level};

use super::listing::{Shown, choose, render};
use super::{Entry, root};
use crate::context::Context;
use crate::rule::Scope;

/// Skills that appear when a file is touched.
pub(crate) struct SkillSession<'a> {
    context: &'a Context<'a>,
    /// Skills that wait for a file that their patterns match.
    waiting: Vec<Entry>,
    /// Names that the model was told of.
    seen: HashSet<String>,
    /// Folders whose skills were looked at.
    entered: HashSet<AbsPath>,
    on: bool,
}

/// What one step adds to the listing.
#[derive(Default)]
pub(crate) struct NewSkills {
    listed: Vec<Shown>,
}

impl<'a> SkillSession<'a> {
    pub(super) fn new(
        context: &'a Context<'a>,
        waiting: Vec<Entry>,
        seen: HashSet<String>,
    ) -> Self {
        Self { context, waiting, seen, entered: HashSet::new(), on: true }
    }

    pub(super) fn off(context: &'a Context<'a>) -> Self {
        let (waiting, seen) = (Vec::new(), HashSet::new());
        Self { context, waiting, seen, entered: HashSet::new(), on: false }
    }

    /// Notes what a touch of a file adds.
    pub(crate) fn touch(&mut self, file: &AbsPath, new: &mut NewSkills) {
        if !self.on {
            return;
        }
        self.enter_folders(file, new);
        let waiting = std::mem::take(&mut self.waiting);
        for entry in waiting {
            let matches = match (&entry.paths, file.strip_prefix(&entry.base)) {
                (Scope::Files(patterns), Some(below)) => patterns.globs().matches(below),
                _ => false,
            };
            if matches {
                if self.seen.insert(entry.name.clone()) {
                    let name = entry.name.clone();
                    new.listed.push(Shown { entry, name, name_only: false, note: String::new() });
                }
            } else {
                self.waiting.push(entry);
            }
        }
    }

    /// Looks at the skills of the folders below the start folder that hold the file.
    fn enter_folders(&mut self, file: &AbsPath, new: &mut NewSkills) {
        let cwd = &self.context.layout.cwd;
        if !self.context.settings.sources.project {
            return;
        }
        let Some(folder) = file.parent().filter(|folder| folder.starts_with(cwd)) else { return };
        for dir in folder.from_top(cwd).into_iter().skip(1).rev() {
            if !self.entered.insert(dir.clone()) {
                continue;
            }
            let skills = dir.join(".claude/skills");
            let entries = root::in_folder(self.context, &skills, &dir, Level::Directory);
            let chosen = choose(self.context, entries);
            let below = dir.strip_prefix(cwd).unwrap_or_default();
            for mut shown in chosen.listed {
                if self.seen.insert(shown.entry.name.clone()) {
                    shown.note = format!(
                        " (from {below}/.claude/skills — applies when working on files under {below}/)"
                    );
                    new.listed.push(shown);
                }
            }
            self.waiting.extend(chosen.waiting);
        }
    }

    /// The skills that were added, and their lines in the listing.
    pub(crate) fn render(&self, new: &NewSkills) -> (Vec<ListedSkill>, String) {
        let listing = render(self.context, &new.listed);
        (listing.listed, listing.rendered)
    }
}
