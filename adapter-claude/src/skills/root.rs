use std::collections::HashSet;

use memory_core::fs::FileKind;
use memory_core::{AbsPath, Scope};

use super::collate::SortKey;
use super::read::read;
use super::{Entry, What};
use crate::context::Context;
use crate::rules::is_reachable;

/// The skills that the client looks at when it starts, strongest folder first.
pub(super) fn skills(context: &Context<'_>) -> Vec<Entry> {
    let layout = context.layout;
    let sources = context.settings.sources;
    let mut entries =
        in_folder(context, &layout.managed.join(".claude/skills"), &layout.cwd, Scope::Managed);
    if sources.user {
        entries.extend(in_folder(context, &layout.config.join("skills"), &layout.cwd, Scope::User));
    }
    if sources.project {
        for dir in project_folders(context, "skills") {
            entries.extend(in_folder(context, &dir.join(".claude/skills"), &dir, Scope::Project));
        }
    }
    for dir in added(context).filter(|_| sources.project) {
        entries.extend(in_folder(context, &dir.join(".claude/skills"), &dir, Scope::Session));
    }
    // Several ways may lead to one file: the first one counts.
    let mut seen = HashSet::new();
    entries.retain(|entry| {
        let real = context.world.fs.canonicalize(&entry.file);
        real.is_ok_and(|real| seen.insert(real))
    });
    entries
}

/// The added folders as the client looks for skills in them: `~` is a name like any other here.
pub(super) fn added(context: &Context<'_>) -> impl Iterator<Item = AbsPath> {
    context.arguments.add_dirs.iter().map(|dir| context.layout.cwd.join(dir))
}

/// The folders whose `.claude` is the project's: the start folder, then its
/// parents up to the repository's root, or up to the home outside any repository.
///
/// A worktree without a folder of this name uses that of the main checkout.
pub(super) fn project_folders(context: &Context<'_>, name: &str) -> Vec<AbsPath> {
    let layout = context.layout;
    let mut folders = Vec::new();
    for dir in layout.cwd.ancestors() {
        folders.push(dir.clone());
        let ends = match &layout.repository {
            Some(repository) => dir == repository.root,
            None => dir == layout.home,
        };
        if ends {
            break;
        }
    }
    let falls_back = context.profile.skills.uses_main_checkout || name == "commands";
    if falls_back
        && let Some(repository) = &layout.repository
        && let Some(main) = repository.main_checkout()
        && context.world.fs.metadata(&repository.root.join(".claude").join(name)).is_err()
    {
        folders.push(main.clone());
    }
    folders.retain(|dir| dir.join(".claude") != layout.config);
    folders
}

/// The skills of one folder, sorted by name: each is a folder with a SKILL.md.
pub(super) fn in_folder(
    context: &Context<'_>,
    folder: &AbsPath,
    base: &AbsPath,
    scope: Scope,
) -> Vec<Entry> {
    let fs = context.world.fs;
    let Ok(listed) = fs.read_dir(folder) else { return Vec::new() };
    let mut names: Vec<String> = listed
        .filter_map(Result::ok)
        .filter(|entry| matches!(entry.kind, FileKind::Dir | FileKind::Symlink))
        .filter(|entry| is_reachable(&entry.name))
        .map(|entry| entry.name)
        .collect();
    names.sort_by_cached_key(|name| SortKey::of(name));
    let entries = names.into_iter().filter_map(|name| {
        let file = folder.join(&name).join("SKILL.md");
        let text = read(fs, &file, What::Skill, context.profile)?;
        Some(Entry {
            own_name: text.own_name.filter(|own| *own != name),
            name,
            description: text.description,
            when_to_use: text.when_to_use,
            scope,
            file,
            paths: text.paths,
            base: base.clone(),
            hidden_by_author: text.hidden_by_author,
            what: What::Skill,
        })
    });
    entries.collect()
}
