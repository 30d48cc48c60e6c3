//! Skills and commands as folders that the client looks for.

mod front;

use std::collections::{HashMap, HashSet};

use memory_core::AbsPath;
use memory_core::fs::{Content, FileKind};
use memory_core::model::{Applies, Invocation, Skill, SkillFile, SkillForm, SourceFile};
use memory_core::port::{Loss, LossKind, Target};

use super::Lowering;
use super::place::{Home, place, widened};
use super::slug::{slug, unique};
use crate::port::extras::extras;
use crate::port::ground::Ground;
use crate::rules;
use crate::skills::{self, What};
use front::{Wanted, fitted};

/// The file of a skill with its instructions.
const MAIN: &str = "SKILL.md";

/// Places skills, in their order.
pub(super) fn lower(lowering: &mut Lowering<'_>, skills: &[Skill]) {
    let ground = lowering.ground;
    let mut names = Names::of(ground);
    // Skills that the client finds where they are keep their names.
    for skill in skills {
        let (root, _) = root(ground, skill);
        if let Some(folder) = in_place(ground, skill, &root) {
            names.take(&root, &folder);
        }
    }
    for skill in skills {
        let (root, losses) = root(ground, skill);
        let folder = in_place(ground, skill, &root);
        Move { ground, skill, root, losses }.go(folder.as_deref(), &mut names, lowering);
    }
}

/// The folder of skills that a skill goes into, and what that costs.
fn root(ground: &Ground<'_>, skill: &Skill) -> (AbsPath, Vec<Loss>) {
    let what = what(skill);
    let main = main_path(skill);
    let place = place(ground, &skill.reach, &what, &main);
    let mut losses = place.losses;
    let root = match place.home {
        Home::Person => ground.context.layout.config.join("skills"),
        Home::Shared(folder) => folder.join(".claude/skills"),
        Home::Private(folder) => {
            losses.push(widened(&what, &main, &folder));
            ground.context.layout.config.join("skills")
        }
    };
    (root, losses)
}

fn what(skill: &Skill) -> String {
    format!("skill `{}`", skill.name)
}

/// The file with the instructions.
fn main_path(skill: &Skill) -> AbsPath {
    match skill.form {
        SkillForm::Folder => skill.path.join(skill.main.as_str()),
        SkillForm::Command => skill.path.clone(),
    }
}

/// The name under which the client finds a skill where it is.
fn in_place(ground: &Ground<'_>, skill: &Skill, root: &AbsPath) -> Option<String> {
    let own = skill.path.file_name()?;
    let is_folder = skill.form == SkillForm::Folder;
    let here = root.join(own);
    (is_folder && ground.kind(&here).is_some() && ground.is_same(&here, &skill.path))
        .then(|| own.to_owned())
}

/// Names that are taken: one skill hides another of its name.
struct Names {
    /// The folders in which a name counts once for all of them.
    of_start: Vec<AbsPath>,
    /// What the organisation and the person keep themselves: it stands before a project's.
    stronger: HashMap<String, AbsPath>,
    shared: HashSet<String>,
    own: HashMap<AbsPath, HashSet<String>>,
}

impl Names {
    fn of(ground: &Ground<'_>) -> Self {
        let layout = ground.context.layout;
        let own = ground.project().join(".claude");
        let of_start = vec![layout.config.join("skills"), own.join("skills")];
        let found = skills::found(ground.context).into_iter();
        let stronger = found
            .filter(|entry| !entry.file.starts_with(&own) && entry.what == What::Skill)
            .filter_map(|entry| Some((entry.name.to_lowercase(), entry.file.parent()?)));
        let stronger = stronger.collect();
        Self { of_start, stronger, shared: HashSet::new(), own: HashMap::new() }
    }

    /// Takes a name in a folder, with a number where another skill has it.
    fn take(&mut self, root: &AbsPath, name: &str) -> String {
        if !self.of_start.contains(root) {
            return unique(name, self.own.entry(root.clone()).or_default());
        }
        loop {
            let free = unique(name, &mut self.shared);
            let other = self.stronger.get(&free.to_lowercase());
            if other.is_none_or(|folder| *folder == root.join(&free)) {
                return free;
            }
        }
    }
}

/// One skill on its way.
struct Move<'a> {
    ground: &'a Ground<'a>,
    skill: &'a Skill,
    root: AbsPath,
    losses: Vec<Loss>,
}

impl Move<'_> {
    fn go(mut self, in_place: Option<&str>, names: &mut Names, lowering: &mut Lowering<'_>) {
        let main = self.skill.files.iter().find(|file| file.path == self.skill.main);
        let Some(main) = main.and_then(|main| main.content.bytes()) else {
            let why = "the file with its instructions cannot be read; make it a readable file";
            for file in &self.skill.files {
                let path = self.source(file).path;
                self.losses.push(Loss::new(what(self.skill), &path, LossKind::Dropped, why));
            }
            return lowering.lowered.lose(self.losses, None);
        };
        let bytes = self.main_file(main);
        if in_place.is_some() {
            if bytes != main {
                let why = "both clients read this file, and this one shows it with another description, or lets others start it";
                self.lose(LossKind::Approximated, None, why);
            }
            self.tell_rest(main, main);
            let file = main_path(self.skill);
            for file in &self.skill.files {
                lowering.lowered.put(vec![self.source(file)], Target::InPlace);
            }
            return lowering.lowered.lose(self.losses, Some(&file));
        }
        let folder = self.folder(&bytes, names);
        let file = folder.join(MAIN);
        let name = folder.file_name().unwrap_or_default().to_owned();
        if name != self.skill.name {
            let why = format!(
                "the client calls it `{name}`: the name is that of its folder, and no other skill may have it"
            );
            self.lose(LossKind::Renamed { to: name }, None, why);
        }
        self.tell_rest(main, &bytes);
        for file in &self.skill.files {
            let from = vec![self.source(file)];
            let (path, content) = if file.path == self.skill.main {
                let mode = match &file.content {
                    Content::File { mode, .. } => *mode,
                    Content::Symlink { .. } => None,
                };
                (folder.join(MAIN), Content::File { bytes: bytes.as_slice().into(), mode })
            } else {
                (folder.join(file.path.as_str()), file.content.clone())
            };
            lowering.lowered.put(from, Target::Whole { path, content });
        }
        lowering.lowered.lose(self.losses, Some(&file));
    }

    /// The folder that it goes into: one in which no other skill is.
    fn folder(&self, main: &[u8], names: &mut Names) -> AbsPath {
        let wanted = slug(&self.skill.name, "skill");
        loop {
            let folder = self.root.join(names.take(&self.root, &wanted));
            if self.is_free(&folder, main) {
                return folder;
            }
        }
    }

    /// Whether a folder is not there, or holds this skill already.
    fn is_free(&self, folder: &AbsPath, main: &[u8]) -> bool {
        let there = folder.join(MAIN);
        match self.ground.kind(folder) {
            None => true,
            Some(FileKind::Dir) if self.ground.kind(&there).is_none() => true,
            Some(FileKind::Dir) => {
                let content = self.ground.content(&there);
                content.as_ref().and_then(Content::bytes) == Some(main)
            }
            Some(_) => false,
        }
    }

    fn source(&self, file: &SkillFile) -> SourceFile {
        let path = match self.skill.form {
            SkillForm::Folder => self.skill.path.join(file.path.as_str()),
            SkillForm::Command => self.skill.path.clone(),
        };
        SourceFile { path, content: file.content.clone() }
    }

    fn lose(&mut self, how: LossKind, line: Option<u32>, why: impl Into<String>) {
        let loss = Loss::new(what(self.skill), &main_path(self.skill), how, why);
        self.losses.push(Loss { line, ..loss });
    }

    /// The file with the instructions, so that the client reads it as it is meant.
    fn main_file(&mut self, bytes: &[u8]) -> Vec<u8> {
        let profile = self.ground.context.profile;
        let wanted = Wanted {
            profile,
            description: &self.skill.description,
            invocation: self.skill.invocation,
            waits: matches!(self.skill.applies, Applies::Paths(_)),
        };
        let (bytes, is_lossy) = fitted(&wanted, bytes);
        if is_lossy {
            let why = "its frontmatter could not be kept as it is; the client is given its description and nothing else of it";
            self.lose(LossKind::Approximated, Some(1), why);
        }
        let limit = profile.skills.max_description;
        let units = self.skill.description.encode_utf16().count();
        if units > limit {
            let why = format!(
                "the client shows the first {limit} characters of its description, which has {units}; shorten it"
            );
            self.lose(LossKind::Truncated, front::line_of(&bytes, "description"), why);
        }
        bytes
    }

    /// Tells what the source does with it and the client does not, and the other
    /// way round.
    fn tell_rest(&mut self, before: &[u8], bytes: &[u8]) {
        let read = skills::front(
            &String::from_utf8_lossy(bytes),
            What::Skill,
            self.ground.context.profile,
        );
        if matches!(self.skill.applies, Applies::Paths(_)) && read.paths == rules::Scope::Always {
            let why = "it is offered always now, not only when its files are touched";
            self.lose(LossKind::ScopeWidened, None, why);
        }
        let extras_there = extras(self.ground, before);
        for extra in &self.skill.extras {
            let is_kept = extras_there.iter().any(|there| there.what == extra.what);
            if !is_kept {
                let (how, why) = if extra.replaces_text {
                    (
                        LossKind::Approximated,
                        format!("{}; here it stays as it is written", extra.what),
                    )
                } else {
                    (LossKind::NotEnforced, format!("{}; here that is not enforced", extra.what))
                };
                self.lose(how, Some(extra.line), why);
            }
        }
        for extra in extras_there {
            if self.skill.extras.iter().all(|known| known.what != extra.what) {
                let why = format!("the client does more with it: {}", extra.what);
                self.lose(LossKind::Approximated, Some(extra.line), why);
            }
        }
        if self.skill.form == SkillForm::Command {
            let why = "it is a skill now, in a folder of its own; it is called as before";
            self.lose(LossKind::Approximated, None, why);
        }
    }
}

/// Whether only the person may start it.
fn is_for_person(invocation: Invocation) -> bool {
    invocation == Invocation::UserOnly
}
