//! Skills and commands as folders that the client looks for.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use memory_core::fs::Content;
use memory_core::model::{Applies, Invocation, Skill, SkillFile, SkillForm, SourceFile};
use memory_core::port::{Loss, LossKind, Target};
use memory_core::{AbsPath, Scope, counted};

use super::front::{Wanted, fit, line_of};
use super::slug::{is_plain, slug, unique};
use super::{Lowering, command, policy};
use crate::port::folder::READ_LIMIT;
use crate::port::ground::Ground;
use crate::skills::carry::{hides_from_model, plugin_of, read_front};

/// Where the client looks for skills, below a folder.
const FOLDER: &str = ".agents/skills";
const MAIN: &str = "SKILL.md";
const POLICY: &str = "agents/openai.yaml";

/// Places skills, in their order.
pub(super) fn lower(lowering: &mut Lowering<'_>, skills: &[Skill]) {
    let mut roots: HashMap<AbsPath, Names> = HashMap::new();
    for skill in skills {
        let mut losses = Vec::new();
        let root = Move::root(lowering.ground, skill, &mut losses);
        let plugin = || plugin_of(lowering.ground.world.fs, &root);
        let names = roots
            .entry(root.clone())
            .or_insert_with(|| Names { plugin: plugin(), ..Names::default() });
        Move { ground: lowering.ground, skill, root, losses }.go(names, lowering);
    }
}

/// The names of one root that are taken.
#[derive(Default)]
struct Names {
    /// The plugin whose name stands before those of its skills.
    plugin: Option<String>,
    folders: HashSet<String>,
    skills: HashSet<String>,
}

/// One skill on its way.
struct Move<'a> {
    ground: &'a Ground<'a>,
    skill: &'a Skill,
    root: AbsPath,
    losses: Vec<Loss>,
}

impl Move<'_> {
    /// The folder of skills that it goes into.
    fn root(ground: &Ground<'_>, skill: &Skill, losses: &mut Vec<Loss>) -> AbsPath {
        let mut lose = |how, why: String| losses.push(loss(skill, how, why));
        let of_person = ground.home.join(FOLDER);
        if skill.reach.scope == Scope::Managed {
            lose(
                LossKind::Approximated,
                "it is no longer kept by the organisation, and the person can change it".to_owned(),
            );
        }
        let Some(folder) = skill.reach.folder.as_ref().map(|folder| ground.real(folder)) else {
            return of_person;
        };
        let is_shared = matches!(skill.reach.scope, Scope::Project | Scope::Directory);
        if !is_shared || !folder.starts_with(&ground.project) {
            let why = format!(
                "it is private to `{folder}`, so it goes to the person's own skills, which are offered everywhere"
            );
            lose(LossKind::ScopeWidened, why);
            return of_person;
        }
        if folder != ground.project {
            let why =
                format!("only sessions that are started in `{folder}` or below it are offered it");
            lose(LossKind::ScopeNarrowed, why);
        }
        folder.join(FOLDER)
    }

    fn go(mut self, names: &mut Names, lowering: &mut Lowering<'_>) {
        let folder_name = self.folder_name();
        let in_place = self.root.join(&folder_name);
        if self.skill.form == SkillForm::Folder
            && self.ground.is_same(&in_place, &self.ground.real(&self.skill.path))
        {
            names.folders.insert(folder_name.to_lowercase());
            names.skills.insert(self.skill.name.to_lowercase());
            self.stay(&folder_name, &in_place.join(MAIN), lowering);
            return;
        }
        let Some(main) = self.main_bytes() else {
            let why = "the file with its instructions cannot be read; make it readable";
            self.lose(LossKind::Dropped, why);
            for file in &self.skill.files {
                let path = self.source(file);
                if file.path != self.skill.main {
                    let what = format!("file of skill `{}`", self.skill.name);
                    let why = "the skill that it belongs to is not carried";
                    self.losses.push(Loss::new(what, &path, LossKind::Dropped, why));
                }
            }
            lowering.lowered.lose(self.losses, None);
            return;
        };
        let folder = self.root.join(unique(&folder_name, &mut names.folders));
        let name = self.name(names);
        let bytes = self.main_file(&folder, &name, &main);
        self.tell_rest();
        self.tell_others(names.plugin.as_deref());
        let skill = self.skill;
        for file in &skill.files {
            let from = vec![SourceFile { path: self.source(file), content: file.content.clone() }];
            let (path, content) = if file.path == skill.main {
                let mode = match &file.content {
                    Content::File { mode, .. } => *mode,
                    Content::Symlink { .. } => None,
                };
                let bytes = Arc::from(bytes.as_slice());
                (folder.join(MAIN), Content::File { bytes, mode })
            } else if file.path.as_str() == POLICY && skill.invocation == Invocation::UserOnly {
                (folder.join(POLICY), self.policy(file))
            } else {
                (folder.join(file.path.as_str()), file.content.clone())
            };
            lowering.lowered.put(from, Target::Whole { path, content });
        }
        let has_policy = skill.files.iter().any(|file| file.path.as_str() == POLICY);
        if skill.invocation == Invocation::UserOnly && !has_policy {
            let content = Content::file(policy::only_by_name(None).0);
            let main = skill.files.iter().find(|file| file.path == skill.main);
            let from = main
                .map(|file| SourceFile { path: self.source(file), content: file.content.clone() });
            lowering.lowered.put(
                from.into_iter().collect(),
                Target::Whole { path: folder.join(POLICY), content },
            );
        }
        let kept_in = folder.join(MAIN);
        lowering.lowered.lose(self.losses, Some(&kept_in));
    }

    /// A skill that the client reads where it is.
    fn stay(mut self, folder: &str, main: &AbsPath, lowering: &mut Lowering<'_>) {
        let wanted = one_line(&self.skill.description);
        let bytes = self.main_bytes().unwrap_or_default();
        let is_fine = Wanted {
            profile: self.ground.profile,
            folder,
            name: &self.skill.name,
            description: &wanted,
        }
        .is_in(&bytes);
        if !is_fine {
            match read_front(self.ground.profile, folder, &bytes) {
                Ok((name, _)) => self.lose(
                    LossKind::Approximated,
                    format!("both clients read this file, and here it is shown as `{name}` or with another description"),
                ),
                Err(reason) => self.lose(
                    LossKind::Dropped,
                    format!("both clients read this file, and this one does not list it: {reason}; correct the file"),
                ),
            }
        }
        if self.skill.invocation == Invocation::UserOnly {
            let why =
                format!("the model may start it too; add `{POLICY}` to its folder to stop that");
            self.lose(LossKind::NotEnforced, why);
        }
        self.tell_rest();
        lowering.lowered.lose(self.losses, Some(main));
        for file in &self.skill.files {
            let path = self.ground.real(&self.skill.path).join(file.path.as_str());
            let from = SourceFile { path, content: file.content.clone() };
            lowering.lowered.put(vec![from], Target::InPlace);
        }
    }

    fn source(&self, file: &SkillFile) -> AbsPath {
        match self.skill.form {
            SkillForm::Folder => self.skill.path.join(file.path.as_str()),
            SkillForm::Command => self.skill.path.clone(),
        }
    }

    /// The name of its folder.
    fn folder_name(&self) -> String {
        let own = self.skill.path.file_name().unwrap_or_default();
        match self.skill.form {
            SkillForm::Folder if is_plain(own) => own.to_owned(),
            SkillForm::Folder => slug(&self.skill.name, "skill"),
            SkillForm::Command => slug(&self.skill.name, "command"),
        }
    }

    /// The name by which it is called here.
    fn name(&mut self, names: &mut Names) -> String {
        let limit = self.ground.profile.skill_name_max_chars;
        let wanted = one_line(&self.skill.name);
        let mut name: String = wanted.chars().take(limit).collect();
        name.truncate(name.trim_end().len());
        let mut found = unique(&name, &mut names.skills);
        if found.chars().count() > limit {
            let short: String = name.chars().take(limit.saturating_sub(4)).collect();
            found = unique(&short, &mut names.skills);
        }
        if found != self.skill.name {
            let why = if wanted.chars().count() > limit {
                format!("names have at most {} here", counted(limit as u64, "character"))
            } else {
                "another skill has this name here".to_owned()
            };
            self.lose(LossKind::Renamed { to: found.clone() }, why);
        }
        found
    }

    /// The bytes of the file with its instructions, read through a link.
    fn main_bytes(&self) -> Option<Arc<[u8]>> {
        let file = self.skill.files.iter().find(|file| file.path == self.skill.main)?;
        match &file.content {
            Content::File { bytes, .. } => Some(bytes.clone()),
            Content::Symlink { .. } => {
                let bytes = self.ground.world.fs.read_up_to(&self.source(file), READ_LIMIT);
                bytes.ok().map(Arc::from)
            }
        }
    }

    fn main_file(&mut self, folder: &AbsPath, name: &str, bytes: &[u8]) -> Vec<u8> {
        let profile = self.ground.profile;
        let mut description = one_line(&self.skill.description);
        if description.is_empty() {
            name.clone_into(&mut description);
        }
        let (chars, limit) = (description.chars().count(), profile.skill_description_max_chars);
        if chars > limit {
            let why = format!(
                "the description is listed only as far as {}; say first when the skill is of use",
                counted(limit as u64, "character")
            );
            let line = line_of(bytes, "description");
            self.losses.push(Loss { line, ..loss(self.skill, LossKind::Truncated, why) });
        }
        let wanted = Wanted {
            profile,
            folder: folder.file_name().unwrap_or_default(),
            name,
            description: &description,
        };
        let source = match self.skill.form {
            SkillForm::Folder => bytes.to_vec(),
            SkillForm::Command => command::skill(bytes, name, &description),
        };
        let is_text = std::str::from_utf8(bytes).is_ok();
        let fitted = fit(&source, &wanted);
        if fitted.was_invalid || !is_text {
            self.lose(
                LossKind::Approximated,
                "the client reads no file with bytes that are not UTF-8; they became U+FFFD",
            );
        }
        if fitted.is_replaced {
            self.lose(
                LossKind::Approximated,
                "the client cannot read the block at its start, so only name and description stand there now",
            );
        }
        fitted.bytes
    }

    fn policy(&mut self, file: &SkillFile) -> Content {
        let (bytes, is_replaced) = policy::only_by_name(file.content.bytes());
        if is_replaced {
            let path = self.source(file);
            let why = "the client cannot read this file, so it only says now that a person starts the skill";
            let what = format!("file of skill `{}`", self.skill.name);
            self.losses.push(Loss::new(what, &path, LossKind::Approximated, why));
        }
        Content::file(bytes)
    }

    /// What the client makes of other files of the skill, unlike its source.
    fn tell_others(&mut self, plugin: Option<&str>) {
        for file in &self.skill.files {
            let Some(bytes) = file.content.bytes() else { continue };
            let path = self.source(file);
            let what = format!("file of skill `{}`", self.skill.name);
            let inner = file.path.as_str().strip_suffix(&format!("/{MAIN}"));
            let inner = inner.map(|inner| inner.rsplit('/').next().unwrap_or(inner));
            if let Some(inner) = inner
                && let Ok((name, _)) = read_front(self.ground.profile, inner, bytes)
            {
                let why = format!("the client offers it as a skill of its own, `{name}`");
                self.losses.push(Loss::new(what, &path, LossKind::ScopeWidened, why));
            } else if file.path.as_str() == POLICY
                && self.skill.invocation != Invocation::UserOnly
                && hides_from_model(bytes)
            {
                let why = "this file keeps the skill from the model here; a person can start it";
                self.losses.push(Loss::new(what, &path, LossKind::ScopeNarrowed, why));
            }
        }
        if let Some(plugin) = plugin {
            let to = format!("{plugin}:{}", self.skill.name);
            let why = format!("the folder belongs to the plugin `{plugin}`");
            self.lose(LossKind::Renamed { to }, why);
        }
    }

    /// What the client does not do with it.
    fn tell_rest(&mut self) {
        if self.skill.invocation == Invocation::ModelOnly {
            self.lose(LossKind::NotEnforced, "the person can start it too");
        }
        if let Applies::Paths(patterns) = &self.skill.applies {
            let why = format!(
                "it is offered always, not only for files that match {}",
                patterns.patterns.join(", ")
            );
            self.lose(LossKind::ScopeWidened, why);
        }
        for extra in &self.skill.extras {
            let (how, rest) = if extra.replaces_text {
                (LossKind::Approximated, "here the text stands as it is written")
            } else {
                (LossKind::NotEnforced, "here nothing comes of it")
            };
            let why = format!("{}; {rest}", extra.what);
            self.losses.push(Loss { line: Some(extra.line), ..loss(self.skill, how, why) });
        }
    }

    fn lose(&mut self, how: LossKind, why: impl Into<String>) {
        self.losses.push(loss(self.skill, how, why));
    }
}

fn loss(skill: &Skill, how: LossKind, why: impl Into<String>) -> Loss {
    let (noun, path) = match skill.form {
        SkillForm::Folder => ("skill", skill.path.join(skill.main.as_str())),
        SkillForm::Command => ("command", skill.path.clone()),
    };
    Loss::new(format!("{noun} `{}`", skill.name), &path, how, why)
}

/// White space collapsed, as the client does.
fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}
