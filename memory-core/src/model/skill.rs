use super::{Applies, Content, Reach};
use crate::{AbsPath, RelPath};

/// A folder of instructions for one task, opened when it is needed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Skill {
    /// The name by which its client calls it.
    pub name: String,
    /// What it is for, as its client shows it when there is room for all; the
    /// model chooses by it.
    pub description: String,
    /// For whom and where it is in force.
    pub reach: Reach,
    /// When its client offers it there.
    pub applies: Applies,
    /// Who may start it.
    pub invocation: Invocation,
    /// Whether it is a folder or a single file.
    pub form: SkillForm,
    /// Its folder; of a single file, that file.
    pub path: AbsPath,
    /// Its files by path, the one with the instructions included; of a single
    /// file, that one under its own name.
    pub files: Vec<SkillFile>,
    /// The file of `files` with the instructions.
    pub main: RelPath,
    /// What its client does with it that the model has no word for.
    pub extras: Vec<SkillExtra>,
}

impl Skill {
    /// Where one of its files stands.
    pub fn place_of(&self, file: &RelPath) -> AbsPath {
        match self.form {
            SkillForm::Folder => self.path.join(file.as_str()),
            SkillForm::Command => self.path.clone(),
        }
    }
}

/// How a skill is kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SkillForm {
    /// A folder.
    Folder,
    /// A single file: a command.
    Command,
}

/// A file or link of a skill.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SkillFile {
    /// Where in the skill's folder.
    pub path: RelPath,
    /// What stands there.
    pub content: Content,
}

/// Something that a client does with a skill and others may not.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SkillExtra {
    /// What it is, in one sentence without a full stop.
    pub what: String,
    /// The line of the main file where it is asked for, counted from 1.
    pub line: u32,
    /// Whether the client puts something else in its place before the model
    /// sees the text; else it enforces something.
    pub replaces_text: bool,
}

/// Who may start a skill.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Invocation {
    /// The model, when the description fits, and the person.
    #[default]
    ModelAndUser,
    /// The person only.
    UserOnly,
    /// The model only.
    ModelOnly,
}
