//! Random projects are ported: every text that the source shows is shown by the
//! target afterwards, or its file is named as lost.
#![cfg(test)]

use std::collections::BTreeSet;

use adapter_claude::Claude;
use adapter_codex::Codex;
use memory_core::fs::{Fs as _, MemFs};
use memory_core::plan::{Change, Journal, apply};
use memory_core::port::{Loss, LossKind, LowerBundle, Port, PortRequest, ReadBundle, port};
use memory_core::{AbsPath, World};
use tests::{Canary, RandomProject, Result, Sight, seeds};

#[test]
fn nothing_of_claude_code_is_lost_without_a_word() -> Result<()> {
    check_all(&Claude::default(), &Codex::default(), |seed| {
        RandomProject::claude(seed, &AbsPath::root())
    })
}

#[test]
fn nothing_of_codex_is_lost_without_a_word() -> Result<()> {
    check_all(&Codex::default(), &Claude::default(), |seed| {
        Ok(RandomProject::codex(seed, &AbsPath::root()))
    })
}

/// Ports many projects and reports everything that went wrong, seed by seed.
fn check_all(
    source: &dyn ReadBundle,
    target: &dyn LowerBundle,
    make: impl Fn(u64) -> Result<RandomProject>,
) -> Result<()> {
    let mut wrong = Vec::new();
    for seed in seeds()? {
        let project = make(seed)?;
        let found = check(source, target, &project)
            .unwrap_or_else(|error| vec![format!("it cannot be ported: {error}")]);
        wrong.extend(found.into_iter().map(|what| format!("seed {seed}: {what}")));
    }
    assert!(wrong.is_empty(), "{} faults:\n{}", wrong.len(), wrong.join("\n"));
    Ok(())
}

/// Ports one project and says what went wrong.
fn check(
    source: &dyn ReadBundle,
    target: &dyn LowerBundle,
    project: &RandomProject,
) -> Result<Vec<String>> {
    let fs = project.in_memory();
    let world = World { fs: &fs, env: &project.env };
    let request = PortRequest::new(project.place.clone());
    let before = project.source_sight(world)?;
    let ported = port(world, source, target, &request)?;
    let mut wrong: Vec<_> =
        ported.unaccounted.iter().map(|path| format!("`{path}` has no account")).collect();
    wrong.extend(published(&fs, project, &ported));

    if let Some(path) = ported.changed_source(&fs, std::time::SystemTime::UNIX_EPOCH) {
        wrong.push(format!("`{path}` is said to have changed since it was read"));
    }
    apply(&fs, &ported.plan, &Journal::new(AbsPath::new("/state")?))?;
    let (source_after, after) = (project.source_sight(world)?, project.target_sight(world)?);
    for canary in &project.canaries {
        let marked = &canary.word;
        if !before.sees(marked) || is_unread(&fs, canary, &before) {
            continue;
        }
        if !source_after.sees(marked) {
            wrong.push(format!("the source no longer shows {}", told(canary)));
        }
        if !after.sees(marked) && !is_named(&fs, project, &ported, canary) {
            wrong.push(format!("neither shown nor named: {}", told(canary)));
        }
    }

    let again = port(world, source, target, &request)?;
    let changed: Vec<_> = again.plan.changes().iter().map(Change::path).collect();
    if !changed.is_empty() {
        wrong.push(format!("a second port changes {changed:?}"));
    }
    Ok(wrong)
}

fn told(canary: &Canary) -> String {
    format!("{} ({}, {}:{})", canary.word, canary.kind, canary.file, canary.line)
}

/// Whether a word stands in a description that is no YAML and that Claude Code
/// does not repair, as the line ends in CRLF (`claude/frontmatter-repaired`).
fn is_unread(fs: &MemFs, canary: &Canary, before: &Sight) -> bool {
    let bytes = fs.read_up_to(&canary.file, u64::MAX).unwrap_or_default();
    let text = String::from_utf8_lossy(&bytes);
    let is_broken = |line: &str| line.ends_with('\r') && line.matches(": ").count() > 1;
    canary.kind == "skill's description"
        && !before.places(&canary.word).contains(&"list of skills")
        && text.split('\n').any(|line| line.contains(&canary.word) && is_broken(line))
}

/// Whether a loss says that the text of the word's file is gone.
fn is_named(fs: &MemFs, project: &RandomProject, ported: &Port, canary: &Canary) -> bool {
    let real = |path: &AbsPath| fs.canonicalize(path).unwrap_or_else(|_| path.clone());
    let file = real(&canary.file);
    // A whole folder may be named: a skill, another repository, a package.
    let tops: BTreeSet<_> = [&project.place.project, &project.place.home]
        .into_iter()
        .flat_map(|top| top.ancestors().chain([top.join(".claude"), top.join(".codex")]))
        .collect();
    let says = |loss: &&Loss| {
        let path = real(&loss.path);
        path == file || (!tops.contains(&path) && file.starts_with(&path))
    };
    let is_gone = |loss: &&Loss| matches!(loss.how, LossKind::Dropped | LossKind::Truncated);
    // Of a project that the person does not trust it is told as a whole.
    let is_untrusted = ported.diagnostics.iter().any(|told| told.code.0 == "codex/untrusted");
    let is_instruction =
        ["AGENTS.md", "AGENTS.override.md", "fallback file", "frontmatter", "block comment"]
            .iter()
            .any(|kind| canary.kind.starts_with(kind));
    if is_untrusted && is_instruction && !file.starts_with(&project.place.home.join(".codex")) {
        return true;
    }
    ported.losses.losses.iter().filter(is_gone).any(|loss| says(&loss))
}

/// The bytes that a change writes; `None` where it writes none.
fn written(change: &Change) -> Option<&[u8]> {
    match change {
        Change::Create { bytes, .. } | Change::Replace { bytes, .. } => Some(bytes),
        _ => None,
    }
}

/// Private words that the plan would write into a file that is checked in.
///
/// An imported file may belong to several that import it, private ones and others.
fn published(fs: &MemFs, project: &RandomProject, ported: &Port) -> Vec<String> {
    let mut found = Vec::new();
    for change in ported.plan.changes() {
        let path = change.path();
        let is_checked_in = path.starts_with(&project.place.project)
            && path.file_name().is_some_and(|name| !name.contains(".local."));
        let (Some(bytes), true) = (written(change), is_checked_in) else { continue };
        let text = String::from_utf8_lossy(bytes);
        let old = fs.read_up_to(path, u64::MAX).unwrap_or_default();
        let old = String::from_utf8_lossy(&old);
        let private =
            project.canaries.iter().filter(|canary| canary.is_private && canary.kind != "import");
        for canary in private {
            if text.contains(&canary.word) && !old.contains(&canary.word) {
                found.push(format!("`{path}` would publish {}", told(canary)));
            }
        }
    }
    found
}
