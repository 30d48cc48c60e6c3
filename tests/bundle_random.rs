//! Random projects are read into bundles: every text that the client shows is in
//! the bundle, or its file is named as left out.
#![cfg(test)]

use adapter_codex::Codex;
use memory_core::fs::{Content, Fs as _, MemFs};
use memory_core::model::Bundle;
use memory_core::port::ReadBundle;
use memory_core::{AbsPath, World};
use tests::{RandomProject, Result, seeds};

/// Kinds of words that stand in instruction files of a project of Codex.
const INSTRUCTIONS: [&str; 7] = [
    "AGENTS.md",
    "AGENTS.override.md",
    "fallback file",
    "frontmatter",
    "block comment",
    "AGENTS.md of a dependency",
    "AGENTS.md of another repository",
];

#[test]
fn a_bundle_holds_all_that_codex_shows() -> Result<()> {
    check_all(&Codex::default(), |seed| Ok(RandomProject::codex(seed, &AbsPath::root())))
}

fn check_all(source: &dyn ReadBundle, make: impl Fn(u64) -> Result<RandomProject>) -> Result<()> {
    let mut wrong = Vec::new();
    for seed in seeds()? {
        let project = make(seed)?;
        let fs = project.in_memory();
        let world = World { fs: &fs, env: &project.env };
        let sight = project.source_sight(world)?;
        let read = source.read_bundle(world, &project.place)?;
        // Of a project that the person does not trust it is told as a whole that
        // its instructions are not carried.
        let is_untrusted = read.diagnostics.iter().any(|told| told.code.0 == "codex/untrusted");
        let global = project.place.home.join(".codex");
        let bundle = read.value;
        let texts = texts(&bundle);
        for canary in &project.canaries {
            let marked = &canary.word;
            let is_instruction = INSTRUCTIONS.contains(&canary.kind);
            if is_untrusted && is_instruction && !canary.file.starts_with(&global) {
                continue;
            }
            let is_held = texts.iter().any(|text| text.contains(marked));
            if sight.sees(marked) && !is_held && !is_left_out(&fs, &bundle, &canary.file) {
                wrong.push(format!("seed {seed}: {canary:?}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{} words are gone:\n{}", wrong.len(), wrong.join("\n"));
    Ok(())
}

/// Every text that a bundle holds.
fn texts(bundle: &Bundle) -> Vec<String> {
    let mut texts: Vec<String> = Vec::new();
    texts.extend(bundle.instructions.iter().map(|piece| piece.text.clone()));
    texts.extend(bundle.rules.iter().map(|rule| rule.text.clone()));
    let held = |content: &Content| {
        content.bytes().map(|bytes| String::from_utf8_lossy(bytes).into_owned())
    };
    for skill in &bundle.skills {
        texts.push(skill.description.clone());
        texts.extend(skill.files.iter().filter_map(|file| held(&file.content)));
    }
    for store in &bundle.stores {
        texts.extend(store.files.iter().filter_map(|file| held(&file.content)));
        for memory in &store.memories {
            texts.extend(memory.description.clone());
            texts.push(memory.body.clone());
        }
    }
    texts
}

/// Whether a file, or a folder above it, is named as left out.
fn is_left_out(fs: &MemFs, bundle: &Bundle, file: &AbsPath) -> bool {
    let real = |path: &AbsPath| fs.canonicalize(path).unwrap_or_else(|_| path.clone());
    bundle.left_out.iter().any(|loss| real(file).starts_with(&real(&loss.path)))
}
