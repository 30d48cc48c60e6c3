use std::collections::HashSet;

use memory_core::fs::FileKind;
use memory_core::{AbsPath, Scope};

use super::collate::compare;
use super::read::read;
use super::{Entry, What};
use crate::context::Context;
use crate::rules::is_reachable;
use crate::text::json;

/// The largest manifest of a plugin that is read, in bytes.
const MAX_MANIFEST: u64 = 1024 * 1024;

/// The skills that the client looks at when it starts, strongest folder first.
pub(super) fn skills(context: &Context<'_>) -> Vec<Entry> {
    let layout = context.layout;
    let sources = context.settings.sources;
    let managed = layout.managed.join(".claude/skills");
    let mut entries = if context.settings.is_on("CLAUDE_CODE_DISABLE_POLICY_SKILLS") {
        Vec::new()
    } else {
        in_folder(context, &managed, &layout.cwd, Scope::Managed)
    };
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

/// The skills of the plugins that the command line names, as `PLUGIN:NAME`.
pub(super) fn of_plugins(context: &Context<'_>) -> Vec<Entry> {
    let mut entries = Vec::new();
    for dir in &context.arguments.plugin_dirs {
        let dir = context.layout.cwd.join(dir);
        let manifest = dir.join(".claude-plugin/plugin.json");
        let manifest = context.world.fs.read_up_to(&manifest, MAX_MANIFEST).ok();
        let manifest = manifest.and_then(|bytes| json::parse(&bytes).ok());
        let named = manifest.as_ref().and_then(|manifest| manifest.get("name")?.as_str());
        let Some(plugin) = named.or_else(|| dir.file_name()) else { continue };
        let skills = in_folder(context, &dir.join("skills"), &dir, Scope::Session);
        entries.extend(skills.into_iter().map(|skill| Entry {
            name: format!("{plugin}:{}", skill.name),
            own_name: None,
            ..skill
        }));
    }
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
    names.sort_by(|a, b| compare(a, b));
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
            is_verbatim: false,
            what: What::Skill,
        })
    });
    entries.collect()
}
