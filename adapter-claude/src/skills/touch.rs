use std::collections::HashSet;

use memory_core::{AbsPath, ListedSkill, Scope};

use super::catalogue::{Catalogue, Shown};
use super::invoke::prompt;
use super::listing::render;
use super::read::body;
use super::root;
use crate::context::Context;

/// Skills that appear when a file is touched.
pub(crate) struct SkillSession<'a> {
    context: &'a Context<'a>,
    catalogue: Catalogue,
    /// Folders whose skills were looked at.
    entered: HashSet<AbsPath>,
    on: bool,
}

/// Whether the client waits for its search of the folders that were touched.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Wait {
    ForSearch,
    ForNothing,
}

/// What one step adds to the listing.
#[derive(Default)]
pub(crate) struct NewSkills {
    listed: Vec<Shown>,
}

impl<'a> SkillSession<'a> {
    pub(super) fn new(context: &'a Context<'a>, catalogue: Catalogue) -> Self {
        let entered = context.added.iter().cloned().collect();
        Self { context, catalogue, entered, on: true }
    }

    pub(super) fn off(context: &'a Context<'a>) -> Self {
        let catalogue = Catalogue::default();
        Self { context, catalogue, entered: HashSet::new(), on: false }
    }

    /// Notes what a touch of a file adds.
    pub(crate) fn touch(&mut self, file: &AbsPath, new: &mut NewSkills) {
        if self.on {
            self.enter_folders(file);
            new.listed.extend(self.catalogue.wake(self.context, file));
        }
    }

    /// The text that the model gets when it uses a skill; `None` when it may not.
    pub(crate) fn prompt(&self, name: &str, arguments: &str) -> Option<String> {
        let file = self.catalogue.file(name.strip_prefix('/').unwrap_or(name))?;
        let body = body(self.context.world.fs, file, self.context.profile)?;
        Some(prompt(&body, file, arguments))
    }

    /// Looks at the skills of the folders below the start folder that hold the file.
    fn enter_folders(&mut self, file: &AbsPath) {
        let cwd = &self.context.layout.cwd;
        if !self.context.settings.sources.project {
            return;
        }
        let Some(folder) = file.parent().filter(|folder| folder.starts_with(cwd)) else { return };
        for dir in folder.from_top(cwd).into_iter().skip(1) {
            if self.entered.insert(dir.clone()) {
                let skills = dir.join(".claude/skills");
                let entries = root::in_folder(self.context, &skills, &dir, Scope::Directory);
                self.catalogue.enter(self.context, &self.context.label(&dir), entries);
            }
        }
    }

    /// The skills that a step added, and their lines in the listing.
    ///
    /// The client does not wait for its search of folders when nothing could be
    /// read: what it finds then is told in the next step.
    pub(crate) fn render(&mut self, mut new: NewSkills, wait: Wait) -> (Vec<ListedSkill>, String) {
        if wait == Wait::ForSearch {
            self.catalogue.catch_up();
        }
        new.listed.extend(self.catalogue.news(self.context));
        self.catalogue.announce(&mut new.listed);
        self.catalogue.catch_up();
        let budget = self.context.skill_budget();
        let listing = render(&self.context.profile.skills, budget, 0, &new.listed);
        (listing.listed, listing.rendered)
    }
}
