use std::collections::HashSet;

use memory_core::fs::FileKind;
use memory_core::{AbsPath, Scope};

use super::collate::compare;
use super::read::read;
use super::root::{added, project_folders};
use super::{Entry, What};
use crate::context::Context;
use crate::rules::is_reachable;

/// Deeper folders are not looked at.
const MAX_DEPTH: usize = 64;

/// The commands of all levels, sorted by name; of two with one name the stronger first.
pub(super) fn commands(context: &Context<'_>) -> Vec<Entry> {
    let layout = context.layout;
    let sources = context.settings.sources;
    let mut entries = in_folder(context, &layout.managed.join(".claude/commands"), Scope::Managed);
    if sources.user {
        entries.extend(in_folder(context, &layout.config.join("commands"), Scope::User));
    }
    if sources.project {
        for dir in project_folders(context, "commands") {
            entries.extend(in_folder(context, &dir.join(".claude/commands"), Scope::Project));
        }
    }
    for dir in added(context).filter(|_| sources.project) {
        entries.extend(in_folder(context, &dir.join(".claude/commands"), Scope::Session));
    }
    entries.sort_by(|a, b| compare(&a.name, &b.name));
    entries
}

pub(super) fn in_folder(context: &Context<'_>, folder: &AbsPath, scope: Scope) -> Vec<Entry> {
    let fs = context.world.fs;
    let mut entries = Vec::new();
    let mut entered = HashSet::new();
    let mut open = vec![(folder.clone(), String::new())];
    while let Some((dir, prefix)) = open.pop() {
        let Ok(real) = fs.canonicalize(&dir) else { continue };
        if !entered.insert(real) || prefix.matches(':').count() > MAX_DEPTH {
            continue;
        }
        let Ok(listed) = fs.read_dir(&dir) else { continue };
        let listed: Vec<_> = listed.filter_map(Result::ok).collect();
        let mut files = Vec::new();
        for entry in listed.into_iter().filter(|entry| is_reachable(&entry.name)) {
            let path = dir.join(&entry.name);
            let kind = match entry.kind {
                FileKind::Symlink => {
                    fs.metadata(&path).map_or(FileKind::Symlink, |found| found.kind)
                }
                kind => kind,
            };
            if kind == FileKind::Dir {
                open.push((path, format!("{prefix}{}:", entry.name)));
            } else if let Some(stem) = entry.name.strip_suffix(".md") {
                files.push((stem.to_owned(), path));
            }
        }
        // A SKILL.md makes its directory one skill, which hides the files beside it.
        let is_skill = |(stem, _): &(String, AbsPath)| stem.eq_ignore_ascii_case("skill");
        if let Some(skill) = files.iter().find(|file| is_skill(file)).cloned() {
            files = vec![skill];
        }
        for (stem, path) in files {
            let name = match prefix.strip_suffix(':') {
                Some(dir) if stem.eq_ignore_ascii_case("skill") => dir.to_owned(),
                None if stem.eq_ignore_ascii_case("skill") => {
                    folder.file_name().unwrap_or_default().to_owned()
                }
                _ => format!("{prefix}{stem}"),
            };
            let Some(text) = read(fs, &path, What::Command, context.profile) else {
                continue;
            };
            entries.push(Entry {
                name,
                own_name: None,
                description: text.description,
                when_to_use: text.when_to_use,
                scope,
                file: path,
                paths: text.paths,
                base: folder.clone(),
                hidden_by_author: text.hidden_by_author,
                is_verbatim: false,
                what: What::Command,
            });
        }
    }
    entries
}
