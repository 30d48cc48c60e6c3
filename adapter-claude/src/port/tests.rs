mod kept;
mod source_skills;
mod source_stores;
mod source_texts;
mod target_skills;
mod target_stores;
mod target_texts;

use memory_core::fs::{Content, MemFs};
use memory_core::model::{
    Applies, Bundle, Instruction, Invocation, Reach, Rule, Skill, SkillFile, SkillForm, SourceFile,
};
use memory_core::port::{
    Loss, LowerBundle, LowerOptions, Lowered, PortPlace, ReadBundle, Target, View,
};
use memory_core::{AbsPath, Env, LayerKind, Parsed, RelPath, Scope, World};

use crate::claude::Claude;
use crate::profile::{CLIENT, Profile};
use crate::skills;

/// The project and the home of every test.
fn place() -> PortPlace {
    PortPlace { project: path("/w"), home: path("/h") }
}

fn path(text: &str) -> AbsPath {
    AbsPath::new(text).unwrap()
}

/// A home, and a repository with these files.
fn world<B: AsRef<[u8]>>(files: &[(&str, B)]) -> MemFs {
    let mut fs = MemFs::new();
    fs.dir("/h").file("/w/.git/HEAD", "ref: x\n");
    for (path, bytes) in files {
        fs.file(path, bytes);
    }
    fs
}

fn env() -> Env {
    Env::with_home(path("/elsewhere"))
}

fn read(fs: &MemFs) -> Parsed<Bundle> {
    Claude::default().read_bundle(World { fs, env: &env() }, &place()).unwrap()
}

fn lower(fs: &MemFs, bundle: &Bundle) -> Lowered {
    let world = World { fs, env: &env() };
    Claude::default().lower(world, &place(), bundle, &LowerOptions::default()).unwrap()
}

fn view(fs: &MemFs, folder: &str) -> View {
    Claude::default().view(World { fs, env: &env() }, &place(), &path(folder)).unwrap()
}

/// What was lost, as `how path:line`.
fn lost(losses: &[Loss]) -> Vec<String> {
    let told = |loss: &Loss| {
        let line = loss.line.map(|line| format!(":{line}")).unwrap_or_default();
        format!("{} {}{line}", loss.how.as_str(), loss.path)
    };
    losses.iter().map(told).collect()
}

/// Where everything goes, as `path#section` or `path`.
fn places(lowered: &Lowered) -> Vec<String> {
    let told = |to: &Target| match to {
        Target::Section { file, name, .. } => format!("{file}#{name}"),
        Target::Whole { path, .. } => path.to_string(),
        Target::InPlace => "in place".to_owned(),
        Target::Setting { file, .. } => format!("setting {file}"),
    };
    lowered.placements.iter().map(|placement| told(&placement.to)).collect()
}

/// The text of a file that is placed whole.
fn whole(lowered: &Lowered, at: &str) -> String {
    let content = lowered.placements.iter().find_map(|placement| match &placement.to {
        Target::Whole { path, content } if path.as_str() == at => Some(content.clone()),
        _ => None,
    });
    let content = content.unwrap_or_else(|| panic!("{at} is not placed"));
    String::from_utf8(content.bytes().unwrap().to_vec()).unwrap()
}

fn file(at: &str, text: &str) -> SourceFile {
    SourceFile { path: path(at), content: Content::file(text) }
}

/// Instructions of a folder of the project.
fn instructions(at: &str, text: &str) -> Instruction {
    let file = file(at, text);
    let folder = file.path.parent().unwrap();
    Instruction {
        kind: LayerKind::Instructions,
        text: text.to_owned(),
        reach: Reach::below(Scope::Project, folder),
        file,
        imported: None,
    }
}

fn skill(at: &str, name: &str, text: &str) -> Skill {
    let main = RelPath::new("SKILL.md").unwrap();
    let read = skills::front(text, skills::What::Skill, &Claude::default().profile);
    Skill {
        name: name.to_owned(),
        description: read.description,
        reach: Reach::everywhere(Scope::User),
        applies: Applies::Always,
        invocation: Invocation::ModelAndUser,
        form: SkillForm::Folder,
        path: path(at),
        files: vec![SkillFile { path: main.clone(), content: Content::file(text) }],
        main,
        extras: Vec::new(),
    }
}

fn with_instructions(instructions: Vec<Instruction>) -> Bundle {
    Bundle { instructions, ..Bundle::default() }
}

fn with_rules(rules: Vec<Rule>) -> Bundle {
    Bundle { rules, ..Bundle::default() }
}

fn with_skills(skills: Vec<Skill>) -> Bundle {
    Bundle { skills, ..Bundle::default() }
}
