//! Random projects are ported there and back: what nobody edited has its
//! original bytes again, although it was deleted in between.
#![cfg(test)]

use std::collections::BTreeMap;

use adapter_claude::Claude;
use adapter_codex::Codex;
use memory_core::fs::{Content, FileKind, Fs, MemFs};
use memory_core::plan::{Journal, apply};
use memory_core::port::{
    LowerBundle, LowerOptions, MemoryAs, Port, PortPlace, PortRequest, ReadBundle, port,
};
use memory_core::{AbsPath, Env, World};
use tests::{RandomProject, Result, seeds};

#[test]
fn what_claude_code_had_comes_back_byte_for_byte() -> Result<()> {
    let (claude, codex) = (Claude::default(), Codex::default());
    check_all((&claude, &codex), (&codex, &claude), |seed| {
        RandomProject::claude(seed, &AbsPath::root())
    })
}

#[test]
fn what_codex_had_comes_back_byte_for_byte() -> Result<()> {
    let (claude, codex) = (Claude::default(), Codex::default());
    check_all((&codex, &claude), (&claude, &codex), |seed| {
        Ok(RandomProject::codex(seed, &AbsPath::root()))
    })
}

#[test]
fn an_edit_of_memory_that_became_instructions_comes_back_into_its_file() -> Result<()> {
    let folder = "/h/.claude/projects/-p/memory";
    let (index, topic) = (format!("{folder}/MEMORY.md"), format!("{folder}/tests.md"));
    let before = "---\nname: tests\ndescription: How to test\ntype: project\n---\n\nRun them all.\n\nTwice.\n";
    let mut fs = MemFs::from_files([
        ("/p/.git/HEAD", "ref: x\n"),
        (&*index, "- [Tests](tests.md) — how to test\n"),
        (&*topic, before),
    ]);
    let env = Env::with_home(AbsPath::new("/h")?);
    let place = PortPlace { project: AbsPath::new("/p")?, home: AbsPath::new("/h")? };
    let options = LowerOptions { memory_as: MemoryAs::Instructions, ..LowerOptions::default() };
    let request = PortRequest { options, ..PortRequest::new(place) };
    let (claude, codex) = (Claude::default(), Codex::default());
    let run = |fs: &MemFs, there: Direction<'_>| -> Result<Port> {
        let done = port(World { fs, env: &env }, there.0, there.1, &request)?;
        apply(fs, &done.plan, &Journal::new(AbsPath::new("/state")?))?;
        Ok(done)
    };
    run(&fs, (&claude, &codex))?;
    let copy = AbsPath::new("/h/.codex/AGENTS.md")?;
    let text = String::from_utf8(fs.read_up_to(&copy, u64::MAX)?)?;
    assert!(text.contains("Run them all.\n\nTwice.\n"), "{text}");
    fs.file(copy.as_str(), text.replace("Twice", "Thrice").replace("— how", "— and how"));
    let back = run(&fs, (&codex, &claude))?;
    assert_eq!(back.conflicts, []);
    let now = |file: &str| -> Result<String> {
        Ok(String::from_utf8(fs.read_up_to(&AbsPath::new(file)?, u64::MAX)?)?)
    };
    assert_eq!(now(&topic)?, before.replace("Twice", "Thrice"));
    assert_eq!(now(&index)?, "- [Tests](tests.md) — and how to test\n");
    assert_eq!(run(&fs, (&claude, &codex))?.plan.changes(), []);
    assert_eq!(run(&fs, (&codex, &claude))?.plan.changes(), []);
    Ok(())
}

#[test]
fn what_stood_above_the_project_comes_back_to_its_folder() -> Result<()> {
    let above = "/home/h/work/CLAUDE.md";
    let before = "---\nowner: mio\n---\nUse pnpm.\n\nRun the tests.\n";
    let mut fs = MemFs::from_files([("/home/h/work/app/.git/HEAD", "ref: x\n"), (above, before)]);
    let env = Env::with_home(AbsPath::new("/home/h")?);
    let place =
        PortPlace { project: AbsPath::new("/home/h/work/app")?, home: AbsPath::new("/home/h")? };
    let request = PortRequest::new(place);
    let (claude, codex) = (Claude::default(), Codex::default());
    let run = |fs: &MemFs, there: Direction<'_>| -> Result<Port> {
        let done = port(World { fs, env: &env }, there.0, there.1, &request)?;
        apply(fs, &done.plan, &Journal::new(AbsPath::new("/state")?))?;
        Ok(done)
    };
    let text = |fs: &MemFs, file: &str| -> Result<String> {
        Ok(String::from_utf8(fs.read_up_to(&AbsPath::new(file)?, u64::MAX)?)?)
    };
    run(&fs, (&claude, &codex))?;
    fs.remove(above);
    run(&fs, (&codex, &claude))?;
    assert_eq!(text(&fs, above)?, before);
    assert!(fs.metadata(&AbsPath::new("/home/h/.claude/CLAUDE.md")?).is_err());
    let copy = "/home/h/.codex/AGENTS.md";
    let edited = text(&fs, copy)?.replace("pnpm", "npm");
    fs.file(copy, edited);
    let back = run(&fs, (&codex, &claude))?;
    assert_eq!(back.conflicts, []);
    assert_eq!(text(&fs, above)?, before.replace("pnpm", "npm"));
    assert_eq!(run(&fs, (&claude, &codex))?.plan.changes(), []);
    Ok(())
}

type Direction<'a> = (&'a dyn ReadBundle, &'a dyn LowerBundle);

fn check_all(
    there: Direction<'_>,
    back: Direction<'_>,
    make: impl Fn(u64) -> Result<RandomProject>,
) -> Result<()> {
    let mut wrong = Vec::new();
    for seed in seeds()? {
        let found = check(there, back, &make(seed)?)
            .unwrap_or_else(|error| vec![format!("it cannot be ported: {error}")]);
        wrong.extend(found.into_iter().map(|what| format!("seed {seed}: {what}")));
    }
    assert!(wrong.is_empty(), "{} faults:\n{}", wrong.len(), wrong.join("\n"));
    Ok(())
}

fn check(there: Direction<'_>, back: Direction<'_>, made: &RandomProject) -> Result<Vec<String>> {
    let mut fs = made.in_memory();
    let request = PortRequest::new(made.place.clone());
    let journal = Journal::new(AbsPath::new("/state")?);
    let ported = port(World { fs: &fs, env: &made.env }, there.0, there.1, &request)?;
    apply(&fs, &ported.plan, &journal)?;
    // What is read in place stays; so does what the other client does not own, and
    // nothing is noted of a text that people put there themselves.
    let is_written = |from: &AbsPath, to: &AbsPath| {
        ported.made_of.get(to).is_some_and(|made| made.contains(from))
    };
    let world = World { fs: &fs, env: &made.env };
    let moved = ported
        .carried
        .iter()
        .filter(|(from, to)| to.iter().any(|to| is_written(from, to)) && !to.contains(*from))
        .filter(|(from, _)| back.1.keeps(world, &made.place, from));
    let mut originals = BTreeMap::new();
    for (from, _) in moved {
        // What stands behind a link belongs to somebody else; the link stays.
        let is_plain = is_part(from) || fs.canonicalize(from).as_ref() == Ok(from);
        let is_plain =
            is_plain && from.parent().is_some_and(|dir| fs.canonicalize(&dir) == Ok(dir));
        let content = content(&fs, from).filter(|_| is_plain);
        if let Some(content) = content {
            originals.insert(from.clone(), content);
        }
    }
    for path in originals.keys() {
        fs.remove(path.as_str());
    }
    let world = World { fs: &fs, env: &made.env };
    let returned = port(world, back.0, back.1, &request)?;
    apply(&fs, &returned.plan, &journal)?;
    let mut wrong = Vec::new();
    for (path, original) in &originals {
        let is_back = match (original, content(&fs, path)) {
            (Content::Symlink { target }, Some(Content::Symlink { target: now })) => *target == now,
            // Text that the other client's file held of its own stands behind it.
            (Content::File { bytes, mode }, Some(Content::File { bytes: now, mode: set })) => {
                now.starts_with(bytes) && *mode == set
            }
            _ => false,
        };
        let mut conflicts = returned.conflicts.iter();
        let conflict = conflicts.find(|conflict| conflict.path == *path);
        let why = conflict.map_or("nothing is said of it", |conflict| &conflict.why);
        // Both cannot stand on every disk, so that is refused.
        if !is_back && !why.contains("upper and lower case") {
            wrong.push(format!("`{path}` is not as it was: {why}"));
        }
    }
    // Names that collide are given anew where one of them is missing.
    if returned.conflicts.iter().any(|conflict| conflict.why.contains("upper and lower case")) {
        return Ok(wrong);
    }
    let world = World { fs: &fs, env: &made.env };
    let again = port(world, back.0, back.1, &request)?;
    wrong.extend(
        again
            .plan
            .changes()
            .iter()
            .map(|change| format!("a second port back changes `{}`", change.path())),
    );
    let world = World { fs: &fs, env: &made.env };
    let forth = port(world, there.0, there.1, &request)?;
    wrong.extend(
        forth
            .plan
            .changes()
            .iter()
            .map(|change| format!("a port there again changes `{}`", change.path())),
    );
    Ok(wrong)
}

/// Whether a file lies in a skill's folder and is not what the client reads of it.
fn is_part(path: &AbsPath) -> bool {
    path.as_str().contains("/skills/") && path.file_name() != Some("SKILL.md")
}

/// What stands at a path: a link of a skill, else what it leads to.
fn content(fs: &MemFs, path: &AbsPath) -> Option<Content> {
    let found = fs.symlink_metadata(path).ok()?;
    if found.kind == FileKind::Symlink && is_part(path) {
        return Some(Content::Symlink { target: fs.read_link(path).ok()? });
    }
    let bytes = fs.read_up_to(path, u64::MAX).ok()?;
    let mode = fs.metadata(path).ok()?.mode.map(|mode| mode & 0o777);
    Some(Content::File { bytes: bytes.into(), mode })
}
