//! Memories, rules and skills, whatever client they come from.

pub use crate::fs::Content;

use crate::chain::{LayerKind, Provenance, Scope};
use crate::client::ClientId;
use crate::path::{AbsPath, RelPath};
use crate::report::Loss;

/// Everything a client keeps for a person and one project, in no client's words.
///
/// An adapter reads its own files into a bundle ([`ReadBundle`](crate::port::ReadBundle))
/// and another lowers it into its own ([`LowerBundle`](crate::port::LowerBundle)).
/// Every part is in the order in which its client loads it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Bundle {
    /// Texts that are in force unconditionally, imported ones included.
    pub instructions: Vec<Instruction>,
    /// Rules, with and without patterns.
    pub rules: Vec<Rule>,
    /// Skills and commands.
    pub skills: Vec<Skill>,
    /// What is remembered.
    pub stores: Vec<MemoryStore>,
    /// What the client uses and no bundle holds.
    pub left_out: Vec<Loss>,
}

/// A pointer from one memory to another.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Link {
    /// The name or path it points to, as written.
    pub target: String,
    /// The text shown for it, where it differs.
    pub title: Option<String>,
}

/// When a memory was made and changed, as its file says; never interpreted.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Dates {
    /// When it was made.
    pub created: Option<String>,
    /// When it was last changed.
    pub modified: Option<String>,
}

/// Where a model value was read from.
pub type Origin = Provenance;

/// A file of a client, as it was read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SourceFile {
    /// Where it stands; of a file behind a link, the path by which it was found.
    pub path: AbsPath,
    /// What stands there; of an instruction file that is a link, what the link
    /// leads to.
    pub content: Content,
}

/// For whom something is, and in which folders it is in force.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reach {
    /// Whom it is for.
    pub scope: Scope,
    /// The folder in and below which sessions get it; `None` for every folder.
    pub folder: Option<AbsPath>,
}

impl Reach {
    /// In force in every folder.
    pub fn everywhere(scope: Scope) -> Self {
        Self { scope, folder: None }
    }

    /// In force in a folder and below it.
    pub fn below(scope: Scope, folder: AbsPath) -> Self {
        Self { scope, folder: Some(folder) }
    }
}

/// When something applies where it is in force.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Applies {
    /// Always.
    #[default]
    Always,
    /// When a file that one of the patterns matches is touched.
    Paths(PathPatterns),
}

/// Patterns of files, with what they come down to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PathPatterns {
    /// The patterns as they are written. What they mean exactly is the source
    /// client's business; people understand them.
    pub patterns: Vec<String>,
    /// The folder of which they match every file and nothing else; `None`
    /// where they mean no single folder that is there.
    pub folder: Option<AbsPath>,
    /// The innermost folder, of those that are there, that holds everything
    /// they can match.
    pub within: AbsPath,
}

/// A text that a client puts before the model.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Instruction {
    /// What kind of text it is.
    pub kind: LayerKind,
    /// What the model gets, as its client shows it: without what the client
    /// hides, not cut to a budget.
    pub text: String,
    /// For whom and where it is in force.
    pub reach: Reach,
    /// The file it stands in; of a managed text, the settings file.
    pub file: SourceFile,
    /// The file that imports it, and the line there, counted from 1; `None`
    /// when the client finds it by itself.
    pub imported: Option<(AbsPath, u32)>,
}

/// An instruction that may be bound to paths.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rule {
    /// What the model gets, as its client shows it.
    pub text: String,
    /// For whom and where it is in force.
    pub reach: Reach,
    /// When it applies there.
    pub applies: Applies,
    /// The file it stands in.
    pub file: SourceFile,
}

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

/// What a client remembers in one folder.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MemoryStore {
    /// Its folder.
    pub root: AbsPath,
    /// The client in whose layout the files are.
    pub layout: ClientId,
    /// For whom and where it is in force; the folder is the project it belongs to.
    pub reach: Reach,
    /// Its memory files by path, as they are; what is no memory is not among them.
    pub files: Vec<StoreFile>,
    /// What the files say, newest first where they have a date.
    pub memories: Vec<Memory>,
    /// The text that its client shows at the start of every session; `None`
    /// when it shows none.
    pub shown_at_start: Option<String>,
}

/// A file of a memory store.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoreFile {
    /// Where in the store's folder.
    pub path: RelPath,
    /// What stands there.
    pub content: Content,
}

/// One thing that an agent remembers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Memory {
    /// Its name, unique in its store.
    pub name: String,
    /// What kind of thing it is.
    pub kind: MemoryKind,
    /// One line that says when it matters; `None` where the store has none.
    pub description: Option<String>,
    /// The text.
    pub body: String,
    /// What it points to.
    pub links: Vec<Link>,
    /// When it was made and changed.
    pub when: Dates,
    /// Where it was read.
    pub origin: Origin,
    /// Every key that the model has no word for.
    pub extra: Fields,
}

/// What kind of thing a memory is.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum MemoryKind {
    /// About the person.
    User,
    /// What the person wants done differently.
    Feedback,
    /// About the project.
    Project,
    /// Where to look something up.
    Reference,
    /// A digest of many memories.
    Summary,
    /// What happened in one session.
    Episode,
    /// A kind of a store's own.
    Other(String),
}

impl MemoryKind {
    /// The word for it: `user`, `feedback`, …; of a kind of a store's own, that
    /// store's word.
    pub fn as_str(&self) -> &str {
        match self {
            Self::User => "user",
            Self::Feedback => "feedback",
            Self::Project => "project",
            Self::Reference => "reference",
            Self::Summary => "summary",
            Self::Episode => "episode",
            Self::Other(word) => word,
        }
    }
}

/// A value of a frontmatter key, free of any format's types.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Value {
    /// Nothing.
    Null,
    /// True or false.
    Bool(bool),
    /// A number, as it is written.
    Number(String),
    /// A text.
    Text(String),
    /// A list.
    List(Vec<Self>),
    /// A mapping, in the order of the file.
    Map(Fields),
}

impl Value {
    /// The text, or `None` when the value is something else.
    pub fn as_text(&self) -> Option<&str> {
        match self {
            Self::Text(text) => Some(text),
            _ => None,
        }
    }
}

/// Keys and values in the order of the file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Fields(pub Vec<(String, Value)>);

impl Fields {
    /// The value of a key; of its last occurrence where it is given twice.
    ///
    /// ```
    /// use memory_core::model::{Fields, Value};
    ///
    /// let fields = Fields(vec![("name".to_owned(), Value::Text("tests".to_owned()))]);
    /// assert_eq!(fields.get("name").and_then(Value::as_text), Some("tests"));
    /// ```
    pub fn get(&self, key: &str) -> Option<&Value> {
        self.0.iter().rev().find(|(name, _)| name == key).map(|(_, value)| value)
    }
}
