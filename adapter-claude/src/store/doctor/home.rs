//! What is wrong with the folders that the client keeps for projects.

use std::collections::{BTreeMap, BTreeSet};

use memory_core::fs::Fs;
use memory_core::{AbsPath, Code, Diagnostic, Severity};

use crate::memory::slug;
use crate::store::projects::{Home, MOST_LISTED, existing};
use crate::store::shared::named;

/// Tells folders that two projects share, and those whose project is gone.
///
/// `here` is the folder that the start itself loads.
pub(super) fn check(fs: &dyn Fs, home: &Home, here: Option<&AbsPath>, told: &mut Vec<Diagnostic>) {
    let mut noted: BTreeMap<String, BTreeSet<AbsPath>> = BTreeMap::new();
    for path in home.noted(fs) {
        noted.entry(slug(&path.to_string())).or_default().insert(path);
    }
    let mut left = MOST_LISTED;
    for name in home.slugs(fs) {
        let dir = home.projects.join(&name);
        // What the start itself loads is looked at where it is loaded.
        if here == Some(&dir) {
            continue;
        }
        let made_in = home.transcribed(fs, &name);
        let mut paths = noted.get(&name).cloned().unwrap_or_default();
        // A session that changed its folder leaves other paths too.
        paths.extend(made_in.iter().filter(|path| slug(&path.to_string()) == name).cloned());
        let (there, gone): (Vec<_>, Vec<_>) =
            paths.into_iter().partition(|path| fs.metadata(path).is_ok());
        if there.len() > 1 {
            told.push(shared(&dir, &there));
        }
        if there.is_empty() && holds_memory(fs, &dir) {
            told.extend(orphaned(fs, home, &dir, (&name, &gone), &mut left));
        }
    }
}

fn shared(dir: &AbsPath, paths: &[AbsPath]) -> Diagnostic {
    let message = format!("{} share one folder of memory and transcripts", named(paths));
    Diagnostic::new(Code("claude/memory-folder-shared"), Severity::Warning, message).at(dir).help(
        "give one of them a memory folder of its own with `autoMemoryDirectory`, or rename it",
    )
}

fn holds_memory(fs: &dyn Fs, dir: &AbsPath) -> bool {
    let memory = dir.join("memory");
    fs.read_dir(&memory).is_ok_and(|mut entries| entries.next().is_some())
}

/// Tells a folder with memory of a project that is nowhere; `None` when it may be somewhere.
fn orphaned(
    fs: &dyn Fs,
    home: &Home,
    dir: &AbsPath,
    (name, gone): (&str, &[AbsPath]),
    left: &mut usize,
) -> Option<Diagnostic> {
    let code = Code("claude/memory-orphaned");
    // A project of another name may have the same folder and load it.
    let candidates = existing(fs, name, left);
    if !candidates.found.is_empty() {
        return None;
    }
    if let [old, ..] = gone {
        let message = format!("the project `{old}` is not there any more: no session loads this");
        let told = Diagnostic::new(code, Severity::Warning, message).at(dir);
        let new = moved_to(fs, home, old);
        let new = new.map_or_else(|| "NEW".to_owned(), |new| new.to_string());
        return Some(told.help(format!("if it moved: memport relocate {old} {new}")));
    }
    if !candidates.complete {
        return None;
    }
    let message = "no folder has the path that this memory belongs to, and no transcript tells it";
    let told = Diagnostic::new(code, Severity::Warning, message).at(dir);
    Some(told.help("if the project moved: memport relocate OLD NEW"))
}

/// The one known project of the same name for which nothing is kept yet.
fn moved_to(fs: &dyn Fs, home: &Home, old: &AbsPath) -> Option<AbsPath> {
    let noted = home.noted(fs).into_iter().filter(|path| {
        path.file_name() == old.file_name()
            && fs.metadata(path).is_ok()
            && fs.metadata(&home.projects.join(slug(&path.to_string()))).is_err()
    });
    let mut noted: Vec<AbsPath> = noted.collect();
    let only = noted.pop()?;
    noted.is_empty().then_some(only)
}
