use std::collections::HashSet;

use memory_core::{AbsPath, ListedSkill, Scope, SkillListing};

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
    /// What the model was told of, at start and since.
    told: Vec<Shown>,
    /// The files that were touched.
    touched: Vec<AbsPath>,
    on: bool,
}

/// Whether the client waits for its search of the folders that were touched.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Wait {
    Always,
    Never,
    /// Where something else changes the listing anyway.
    WithChange,
}

/// What one step adds to the listing.
#[derive(Default)]
pub(crate) struct NewSkills {
    listed: Vec<Shown>,
}

impl<'a> SkillSession<'a> {
    pub(super) fn new(context: &'a Context<'a>, catalogue: Catalogue, told: Vec<Shown>) -> Self {
        let entered = context.added.iter().cloned().collect();
        Self { context, catalogue, entered, told, touched: Vec::new(), on: true }
    }

    pub(super) fn off(context: &'a Context<'a>) -> Self {
        let catalogue = Catalogue::default();
        let (entered, told, touched) = (HashSet::new(), Vec::new(), Vec::new());
        Self { context, catalogue, entered, told, touched, on: false }
    }

    /// The skills that a sub-agent is told of at its start, with all that was
    /// found so far, and the session in which it goes on; without the tool that
    /// uses skills it is told of none.
    pub(crate) fn of_agent(&self, has_tool: bool) -> (SkillListing, Self) {
        let mut told = self.told.clone();
        let mut catalogue = self.catalogue.clone();
        catalogue.catch_up();
        let mut news = catalogue.news(self.context);
        catalogue.announce(&mut news);
        told.extend(news);
        let on = self.on && has_tool;
        let listing = if on {
            render(self.context, self.context.bundled_skills(), &told)
        } else {
            SkillListing::default()
        };
        let (entered, touched) = (self.entered.clone(), Vec::new());
        (listing, Self { context: self.context, catalogue, entered, told, touched, on })
    }

    /// What a sub-agent came upon is told to the session that started it, too.
    pub(crate) fn take_over(&mut self, agent: Self, new: &mut NewSkills) {
        for file in agent.touched {
            self.touch(&file, new);
        }
    }

    /// Name, file and text of a skill that a sub-agent is given at its start, by
    /// the name of its folder or its own; `None` where the model may not use it.
    pub(crate) fn preloaded(&self, name: &str) -> Option<(String, AbsPath, String)> {
        let by = |named: fn(&Shown) -> Option<&str>| {
            self.told.iter().find(move |one| named(one) == Some(name))
        };
        let shown =
            by(|one| Some(&one.entry.name)).or_else(|| by(|one| one.entry.own_name.as_deref()))?;
        let file = shown.entry.file.clone();
        let body = body(self.context.world.fs, &file, self.context.profile)?;
        let text = prompt(&body, &file, "");
        Some((shown.entry.name.clone(), file, text))
    }

    /// Notes what a touch of a file adds.
    pub(crate) fn touch(&mut self, file: &AbsPath, new: &mut NewSkills) {
        self.touched.push(file.clone());
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
        let waits = match wait {
            Wait::Always => true,
            Wait::Never => false,
            Wait::WithChange => !new.listed.is_empty(),
        };
        if waits {
            self.catalogue.catch_up();
        }
        new.listed.extend(self.catalogue.news(self.context));
        self.catalogue.announce(&mut new.listed);
        self.told.extend(new.listed.iter().cloned());
        self.catalogue.catch_up();
        let listing = render(self.context, 0, &new.listed);
        (listing.listed, listing.rendered)
    }
}
