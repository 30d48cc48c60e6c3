//! The files of a skill's folder.

use memory_core::fs::{Content, FileKind};
use memory_core::model::SkillFile;
use memory_core::port::{Loss, LossKind};
use memory_core::{AbsPath, RelPath};

use super::Reading;
use crate::port::ground::Ground;

/// How many files of one skill are carried.
const MOST_FILES: usize = 20_000;

/// How many folders may lie in each other.
const DEEPEST: usize = 64;

/// Adds the files of a skill's folder that are not among them yet, by path.
///
/// Links stay links; what they lead to is not looked at.
pub(super) fn collect(
    ground: &Ground<'_>,
    top: &AbsPath,
    files: &mut Vec<SkillFile>,
    reading: &mut Reading,
) {
    let fs = ground.context.unrecorded;
    let mut open = vec![(top.clone(), 0)];
    let mut found = Vec::new();
    while let Some((dir, depth)) = open.pop() {
        let Ok(entries) = fs.read_dir(&dir) else {
            let why = "the folder cannot be read; make it readable";
            reading.lose(Loss::new("folder of a skill", &dir, LossKind::Dropped, why));
            continue;
        };
        for entry in entries.flatten() {
            let path = dir.join(&entry.name);
            match entry.kind {
                _ if entry.name == ".git" => {
                    let message = "the skill's own repository is not carried, only its files";
                    reading.hint("claude/repository-not-carried", &path, message);
                }
                FileKind::Dir if depth < DEEPEST => open.push((path, depth + 1)),
                FileKind::Dir | FileKind::Special => {
                    let why = "it is no regular file, or lies too deep";
                    reading.lose(Loss::new("file of a skill", &path, LossKind::Dropped, why));
                }
                kind => found.push((path, kind)),
            }
        }
    }
    found.sort_by(|(a, _), (b, _)| a.cmp(b));
    for (path, kind) in found {
        let below = path.strip_prefix(top).and_then(RelPath::new);
        let Some(below) =
            below.filter(|below| files.iter().take(1).all(|main| main.path != *below))
        else {
            continue;
        };
        if files.len() >= MOST_FILES {
            let why = format!("only {MOST_FILES} files of a skill are carried");
            reading.lose(Loss::new("file of a skill", &path, LossKind::Dropped, why));
            continue;
        }
        let content = match kind {
            FileKind::Symlink => link(ground, top, &path),
            _ => ground.content(&path).ok_or("it cannot be read, or is larger than 64 MiB"),
        };
        match content {
            Ok(content) => files.push(SkillFile { path: below, content }),
            Err(why) => reading.lose(Loss::new("file of a skill", &path, LossKind::Dropped, why)),
        }
    }
}

/// A link as it is, when it stays among what the port is about.
fn link(ground: &Ground<'_>, top: &AbsPath, path: &AbsPath) -> Result<Content, &'static str> {
    let fs = ground.context.unrecorded;
    let target = fs.read_link(path).map_err(|_| "the link cannot be read")?;
    let dir = path.parent().unwrap_or_else(AbsPath::root);
    let leads = fs.canonicalize(path).unwrap_or_else(|_| dir.join(&target));
    let top = fs.canonicalize(top).unwrap_or_else(|_| top.clone());
    let layout = ground.context.layout;
    let is_near = [&top, &layout.cwd, &layout.home].iter().any(|near| leads.starts_with(near));
    if is_near {
        Ok(Content::Symlink { target })
    } else {
        Err("the link leads out of the project and the home; put the file in its place to carry it")
    }
}
