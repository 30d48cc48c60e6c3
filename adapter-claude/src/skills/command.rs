use std::collections::HashSet;

use memory_core::fs::FileKind;
use memory_core::{AbsPath, Scope};

use super::collate::SortKey;
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
    entries.sort_by_cached_key(|entry| SortKey::of(&entry.name));
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
        for entry in listed.filter_map(Result::ok).filter(|entry| is_reachable(&entry.name)) {
            let path = dir.join(&entry.name);
            let kind = match entry.kind {
                FileKind::Symlink => {
                    fs.metadata(&path).map_or(FileKind::Symlink, |found| found.kind)
                }
                kind => kind,
            };
            if kind == FileKind::Dir {
                open.push((path, format!("{prefix}{}:", entry.name)));
                continue;
            }
            let Some(stem) = entry.name.strip_suffix(".md") else { continue };
            let folder_name = prefix.strip_suffix(':').filter(|_| stem == "SKILL");
            let name = folder_name.map_or_else(|| format!("{prefix}{stem}"), str::to_owned);
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
                what: What::Command,
            });
        }
    }
    entries
}
