//! Skills and commands.

use std::collections::{HashMap, HashSet};

use memory_core::doc::{Doc, LineIndex};
use memory_core::model::{Applies, Invocation, Reach, Skill, SkillFile, SkillForm};
use memory_core::port::{Loss, LossKind};
use memory_core::{AbsPath, Code, Diagnostic, Omission, RelPath, Scope, Severity};

use super::nested::stays;
use super::skill_files::collect;
use super::walk::{Belongs, Tree, is_own_checkout};
use super::{Reading, patterns};
use crate::port::extras::extras;
use crate::port::ground::Ground;
use crate::rules;
use crate::skills::{self, Entry, Override, What, described, front, override_of};

/// The file of a skill with its instructions.
const MAIN: &str = "SKILL.md";

/// Reads everything that the person or the model can start from the project.
pub(super) fn read(ground: &Ground<'_>, tree: &Tree, reading: &mut Reading) {
    let context = ground.context;
    let (entries, omitted) = skills::found_and_omitted(context);
    let hidden: HashMap<AbsPath, String> = omitted
        .iter()
        .filter(|skill| matches!(skill.reason, Omission::SameName { .. }))
        .map(|skill| (skill.file.clone(), skill.reason.to_string()))
        .collect();
    let mut seen = HashSet::new();
    for entry in entries {
        if let Some(why) = hidden.get(&entry.file) {
            reading.hidden(&entry.file, why);
        } else if seen.insert(entry.file.clone()) {
            add(ground, tree, &entry, reading);
        }
    }
    if !context.settings.sources.project {
        return;
    }
    for found in &tree.folders {
        for entry in skills::of_folder(context, &found.dir) {
            match &found.belongs {
                Belongs::Project => add(ground, tree, &entry, reading),
                Belongs::Repository(root) if is_own_checkout(ground, root) => {}
                _ => {
                    let path = folder_or_file(&entry);
                    let what = format!("skill `{}`", entry.name);
                    reading.lose(Loss::new(what, &path, LossKind::Dropped, stays(found)));
                }
            }
        }
    }
    tell_plugins(ground, reading);
}

/// The folder of a skill; a command's file.
fn folder_or_file(entry: &Entry) -> AbsPath {
    match entry.what {
        What::Skill => entry.file.parent().unwrap_or_else(|| entry.file.clone()),
        What::Command => entry.file.clone(),
    }
}

fn add(ground: &Ground<'_>, tree: &Tree, entry: &Entry, reading: &mut Reading) {
    let profile = ground.context.profile;
    let path = folder_or_file(entry);
    let switch = override_of(ground.context, &entry.name);
    if switch == Some(Override::Off) {
        return reading.hidden(&path, "`skillOverrides` turns it off");
    }
    let Some(main) = ground.content(&entry.file) else {
        let why = "its file cannot be read; make it readable, or smaller than 64 MiB";
        return reading.lose(Loss::new(
            format!("skill `{}`", entry.name),
            &path,
            LossKind::Dropped,
            why,
        ));
    };
    let bytes = main.bytes().unwrap_or_default();
    let read = front(&String::from_utf8_lossy(bytes), entry.what, profile);
    if !read.is_described {
        tell_unread_description(entry, bytes, reading);
    }
    let for_person = entry.hidden_by_author || switch == Some(Override::UserOnly);
    let invocation = match (for_person, read.hidden_from_person) {
        // Kept from both, it is still there for whoever knows its name.
        (true, _) => Invocation::UserOnly,
        (false, true) => Invocation::ModelOnly,
        (false, false) => Invocation::ModelAndUser,
    };
    let reach = reach(ground, entry);
    let applies = match &entry.paths {
        rules::Scope::Always => Applies::Always,
        rules::Scope::Files(found) => {
            let is_bound = reach.folder.is_some();
            Applies::Paths(patterns::patterns(ground, tree, found, ground.project(), is_bound))
        }
    };
    let extras = extras(ground, bytes);
    let name = match entry.what {
        What::Skill => MAIN.to_owned(),
        What::Command => entry.file.file_name().unwrap_or_default().to_owned(),
    };
    let Some(main_path) = RelPath::new(&name) else { return };
    let mut files = vec![SkillFile { path: main_path.clone(), content: main }];
    let form = match entry.what {
        What::Skill => {
            if ground.kind(&path) == Some(memory_core::fs::FileKind::Symlink) {
                let message = "the skill's folder is a link; what it leads to is carried as files";
                reading.hint("claude/linked-skill", &path, message);
            }
            collect(ground, &path, &mut files, reading);
            SkillForm::Folder
        }
        What::Command => SkillForm::Command,
    };
    reading.bundle.skills.push(Skill {
        name: entry.name.clone(),
        description: described(&entry.description, entry.when_to_use.as_deref(), &profile.skills),
        reach,
        applies,
        invocation,
        form,
        path,
        files,
        main: main_path,
        extras,
    });
}

/// A description that was written and is not read is replaced without a word.
fn tell_unread_description(entry: &Entry, bytes: &[u8], reading: &mut Reading) {
    let doc = Doc::from(bytes);
    let Some(written) = doc.find("description") else { return };
    if doc.value(written).trim_matches(['"', '\'', ' ']).is_empty() {
        return;
    }
    let line = LineIndex::new(bytes).line(written.key.start);
    let message = "Claude Code cannot read this description and shows the first line of the text in its place; so does the copy";
    reading.diagnostics.push(
        Diagnostic::new(Code("claude/description-unread"), Severity::Hint, message)
            .at(&entry.file)
            .on_line(line)
            .help("write it as one plain text, in quotes where it holds signs of YAML"),
    );
}

fn reach(ground: &Ground<'_>, entry: &Entry) -> Reach {
    let project = ground.project();
    if !matches!(entry.scope, Scope::Project | Scope::Directory) {
        return Reach::everywhere(entry.scope);
    }
    // Commands count from their own folder: that is two levels down.
    let base = match entry.what {
        What::Skill => entry.base.clone(),
        What::Command => {
            entry.base.parent().and_then(|own| own.parent()).unwrap_or_else(|| entry.base.clone())
        }
    };
    let repository = ground.context.layout.repository.as_ref();
    if repository.and_then(|found| found.main_checkout()) == Some(&base) {
        return Reach::below(Scope::Project, project.clone());
    }
    if !base.starts_with(project) {
        return Reach::below(Scope::User, base);
    }
    // What lies elsewhere is not checked in with the project.
    let scope = if ground.is_in_project(&entry.file) { Scope::Project } else { Scope::Local };
    Reach::below(scope, base)
}

/// Plugins bring skills of their own along.
fn tell_plugins(ground: &Ground<'_>, reading: &mut Reading) {
    let plugins = ground.context.settings.find("enabledPlugins", serde_json::Value::is_object);
    let is_on = |(name, on): (&String, &serde_json::Value)| {
        *on == serde_json::Value::Bool(true) && !name.ends_with("@builtin")
    };
    let Some((layer, value)) = plugins else { return };
    if let (Some(path), true) = (&layer.path, value.as_object().into_iter().flatten().any(is_on)) {
        let message = "skills and commands of plugins are not carried; install what you need there";
        reading.hint("claude/plugins-not-carried", path, message);
    }
}
