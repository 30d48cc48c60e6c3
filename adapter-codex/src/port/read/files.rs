//! The files of a folder, links kept as links.

use std::collections::HashSet;
use std::sync::Arc;

use memory_core::fs::{Content, FileKind};
use memory_core::model::SkillFile;
use memory_core::port::{Loss, LossKind};
use memory_core::{AbsPath, RelPath};

use super::Reading;
use crate::port::folder::READ_LIMIT;
use crate::port::ground::Ground;

/// Folders below a skill's folder, at most.
const MAX_DEPTH: usize = 64;

/// Reads everything in a skill's folder but what belongs to other skills and
/// to version control.
///
/// `shown` is the folder as the client names it, `real` its real path.
pub(super) fn collect(
    ground: &Ground<'_>,
    shown: &AbsPath,
    real: &AbsPath,
    others: &HashSet<AbsPath>,
    reading: &mut Reading,
) -> Vec<SkillFile> {
    let fs = ground.world.fs;
    let mut files = Vec::new();
    let mut open = vec![(String::new(), 0)];
    while let Some((folder, depth)) = open.pop() {
        let Ok(entries) = fs.read_dir(&real.join(&folder)) else {
            let path = shown.join(&folder);
            let why = "the folder cannot be listed; let its owner read it";
            reading.lose(Loss::new("folder of a skill", &path, LossKind::Dropped, why));
            continue;
        };
        for entry in entries.filter_map(Result::ok) {
            let name = if folder.is_empty() {
                entry.name.clone()
            } else {
                format!("{folder}/{}", entry.name)
            };
            let (path, place) = (shown.join(&name), real.join(&name));
            match entry.kind {
                FileKind::Dir if entry.name == ".git" || others.contains(&place) => {}
                FileKind::Dir if depth < MAX_DEPTH => open.push((name, depth + 1)),
                FileKind::Dir => {
                    let why = "the folder lies too deep to be carried";
                    reading.lose(Loss::new("folder of a skill", &path, LossKind::Dropped, why));
                }
                kind => match content(ground, &place, kind) {
                    Ok(content) => {
                        files.extend(RelPath::new(&name).map(|path| SkillFile { path, content }));
                    }
                    Err(why) => {
                        reading.lose(Loss::new("file of a skill", &path, LossKind::Dropped, why));
                    }
                },
            }
        }
    }
    files.sort_by(|a, b| a.path.cmp(&b.path));
    files
}

/// What stands at a path, or why it is not carried.
fn content(ground: &Ground<'_>, path: &AbsPath, kind: FileKind) -> Result<Content, String> {
    let fs = ground.world.fs;
    match kind {
        FileKind::Symlink => {
            let target = fs.read_link(path).map_err(|error| format!("unreadable link: {error}"))?;
            let folder = path.parent().unwrap_or_else(AbsPath::root);
            let leads_to = fs.canonicalize(path).unwrap_or_else(|_| folder.join(&target));
            let known = [&ground.project, &ground.home, &ground.codex_home];
            if known.iter().any(|root| leads_to.starts_with(root)) {
                Ok(Content::Symlink { target })
            } else {
                Err(format!(
                    "the link leads to `{leads_to}`, outside of the project and the home; copy what it leads to"
                ))
            }
        }
        FileKind::File => {
            let read = fs.read_with_metadata(path, READ_LIMIT + 1);
            let (found, bytes) = read.map_err(|error| format!("it cannot be read: {error}"))?;
            if bytes.len() as u64 > READ_LIMIT {
                return Err("it is too large to be carried; copy it by hand".to_owned());
            }
            let mode = found.mode.map(|mode| mode & 0o7777);
            Ok(Content::File { bytes: Arc::from(bytes), mode })
        }
        FileKind::Dir | FileKind::Special => Err("it is no regular file".to_owned()),
    }
}
