mod engine;
mod lower_memory;
mod lower_skills;
mod lower_texts;
mod places;
mod read;

use memory_core::fs::{Content, MemFs};
use memory_core::model::{Applies, Bundle, Instruction, PathPatterns, Reach, Rule, SourceFile};
use memory_core::port::{
    LossKind, LowerBundle as _, LowerOptions, Lowered, PortPlace, ReadBundle as _, Target,
};
use memory_core::{AbsPath, Env, LayerKind, Parsed, Scope, World};

use crate::codex::Codex;

const HEAD: &str = "ref: refs/heads/main\n";

fn path(text: &str) -> AbsPath {
    AbsPath::new(text).unwrap()
}

fn place() -> PortPlace {
    PortPlace { project: path("/p"), home: path("/h") }
}

/// A project `/p` and a home `/h` with these files.
fn world(files: &[(&str, &str)]) -> MemFs {
    let mut fs = MemFs::from_files(files.iter().copied());
    fs.file("/p/.git/HEAD", HEAD).dir("/h");
    fs
}

fn read(fs: &MemFs) -> Parsed<Bundle> {
    let env = Env::default();
    Codex::default().read_bundle(World { fs, env: &env }, &place()).unwrap()
}

fn lower(fs: &MemFs, bundle: &Bundle, options: LowerOptions) -> Lowered {
    let env = Env::default();
    Codex::default().lower(World { fs, env: &env }, &place(), bundle, &options).unwrap()
}

fn file(at: &str, text: &str) -> SourceFile {
    SourceFile { path: path(at), content: Content::file(text) }
}

fn instruction(at: &str, text: &str, reach: Reach) -> Instruction {
    Instruction {
        kind: LayerKind::Instructions,
        text: text.to_owned(),
        reach,
        file: file(at, text),
        imported: None,
    }
}

fn below(folder: &str) -> Reach {
    Reach::below(Scope::Project, path(folder))
}

fn rule(at: &str, text: &str, reach: Reach, applies: Applies) -> Rule {
    Rule { text: text.to_owned(), reach, applies, file: file(at, text) }
}

fn paths(patterns: &[&str], folder: Option<&str>, within: &str) -> Applies {
    Applies::Paths(PathPatterns {
        patterns: patterns.iter().map(|pattern| (*pattern).to_owned()).collect(),
        folder: folder.map(path),
        within: path(within),
    })
}

/// One line for each placement: where it goes, its name, its text.
fn placed(lowered: &Lowered) -> Vec<String> {
    lowered
        .placements
        .iter()
        .map(|placement| match &placement.to {
            Target::Section { file, name, preface, text, .. } => {
                format!("{file} [{name}] {}{}", preface.replace('\n', "|"), text.replace('\n', "|"))
            }
            Target::Whole { path, content } => match content {
                Content::File { bytes, .. } => {
                    format!("{path} = {}", String::from_utf8_lossy(bytes).replace('\n', "|"))
                }
                Content::Symlink { target } => format!("{path} -> {target}"),
            },
            Target::InPlace => {
                let from: Vec<String> =
                    placement.from.iter().map(|file| file.path.to_string()).collect();
                format!("in place {}", from.join(" "))
            }
            Target::Setting { file, after, .. } => {
                format!("{file} = {}", String::from_utf8_lossy(after).replace('\n', "|"))
            }
        })
        .collect()
}

/// One line for each loss: how, the file, where it is kept.
fn losses(losses: &[memory_core::port::Loss]) -> Vec<String> {
    losses
        .iter()
        .map(|loss| {
            let to = match &loss.how {
                LossKind::Renamed { to } => format!("({to})"),
                _ => String::new(),
            };
            let line = loss.line.map(|line| format!(":{line}")).unwrap_or_default();
            let kept_in = loss.kept_in.as_ref().map(|path| format!(" > {path}"));
            format!("{}{to} {}{line}{}", loss.how.as_str(), loss.path, kept_in.unwrap_or_default())
        })
        .collect()
}

fn codes(diagnostics: &[memory_core::Diagnostic]) -> Vec<&'static str> {
    diagnostics.iter().map(|told| told.code.0).collect()
}
