//! What Codex remembers: the tree that new threads are given.

use std::collections::HashSet;

use memory_core::fs::Content;
use memory_core::model::{
    Applies, Dates, Fields, Invocation, Memory, MemoryKind, MemoryStore, Origin, Reach, Skill,
    SkillForm, StoreFile, Value,
};
use memory_core::port::{Loss, LossKind};
use memory_core::{AbsPath, RelPath, Scope, Via};

use super::Reading;
use super::files::collect;
use super::summary;
use super::summary::lines;
use crate::memory::extension::{ImportedProject, PlainFile};
use crate::memory::line::Place;
use crate::memory::tree::{MemoryTree, Unread};
use crate::port::ground::Ground;
use crate::port::imported::{FOLDER, IMPORTED_FROM};

use crate::profile::CLIENT;
use crate::resolution::MemoryVersion;

/// The kind of what was gathered from one thread.
const RAW: &str = "raw-memory";
/// The extension whose instructions the client writes itself.
const AD_HOC: &str = "ad_hoc";

/// Reads the tree in force.
pub(super) fn read(ground: &Ground<'_>, reading: &mut Reading) {
    let (fs, config) = (ground.world.fs, &ground.config);
    let version = MemoryVersion::in_force(ground.world, &ground.codex_home, config.memory_version);
    tell_other(ground, version, reading);
    let root = ground.codex_home.join(version.folder());
    if !fs.metadata(&root).is_ok_and(|found| found.is_dir()) {
        return;
    }
    let parsed = match MemoryTree::read(ground.world, &root) {
        Ok(parsed) => parsed,
        Err(error) => {
            let message = format!("the memory cannot be read: {error}");
            reading.hint("codex/memory-not-carried", &root, message);
            return;
        }
    };
    reading.diagnostics.extend(parsed.diagnostics);
    let tree = parsed.value;
    if !config.memories {
        let message = "memory is switched off in the client; it is carried all the same";
        reading.hint("codex/memory-disabled", &root, message);
    }
    tell_unused(&tree, reading);
    let memories = own(&tree);
    let files = files(&tree);
    if !memories.is_empty() || !files.is_empty() {
        let shown = crate::memory::injection::injection(
            ground.world,
            ground.profile,
            config,
            &ground.codex_home,
            crate::config::session::Session::Interactive,
        );
        reading.bundle.stores.push(MemoryStore {
            root: root.clone(),
            layout: CLIENT,
            reach: Reach::everywhere(Scope::User),
            files,
            memories,
            shown_at_start: shown.content.map(|text| text.to_string()),
        });
    }
    for extension in &tree.extensions {
        for project in &extension.imported {
            imported(ground, &tree, project, reading);
        }
    }
    skills(ground, &tree, reading);
}

/// Tells of a memory in the tree that is not in force.
fn tell_other(ground: &Ground<'_>, version: MemoryVersion, reading: &mut Reading) {
    let other = match version {
        MemoryVersion::V1 => MemoryVersion::V2,
        MemoryVersion::V2 => MemoryVersion::V1,
    };
    let root = ground.codex_home.join(other.folder());
    if ground.world.fs.metadata(&root.join("memory_summary.md")).is_ok() {
        let message =
            format!("the client reads memory {}, so this one is not carried", version.as_str());
        reading.hint("codex/memory-not-in-force", &root, message);
    }
}

/// What the tree remembers itself, newest first.
fn own(tree: &MemoryTree) -> Vec<Memory> {
    let rollouts: HashSet<&str> =
        tree.rollouts.iter().filter_map(|rollout| rollout.path.file_name()).collect();
    let made_of = |memory: &Memory| {
        let target = memory.links.first().map(|link| link.target.as_str());
        target.and_then(|path| path.rsplit('/').next()).is_some_and(|name| rollouts.contains(name))
    };
    let import = tree.root.join(FOLDER).join("resources");
    let mut memories: Vec<Memory> = Vec::new();
    for memory in tree.memories() {
        let path = memory.origin.path.as_ref();
        let is_imported = path.is_some_and(|path| {
            path.strip_prefix(&import).is_some_and(|below| below.contains('/'))
        });
        let is_raw = memory.kind == MemoryKind::Other(RAW.to_owned());
        if is_imported || is_raw && made_of(&memory) {
            continue;
        }
        match &tree.summary {
            Some(found) if path == Some(&found.path) => {
                memories.extend(summary::memories(found, &memory.origin));
            }
            _ => memories.push(with_folder(memory)),
        }
    }
    memories.extend(instructions(tree).map(|file| plain(tree, file)));
    memories.extend(beside_groups(tree));
    memories.retain(|memory| !memory.body.trim().is_empty());
    // Newest first; what has no date stays in its order, behind.
    memories.sort_by(|a, b| newest(b).cmp(&newest(a)));
    memories
}

/// What a handbook says beside its task groups.
fn beside_groups(tree: &MemoryTree) -> Vec<Memory> {
    let Some(handbook) = tree.handbook.as_ref().filter(|found| !found.groups.is_empty()) else {
        return Vec::new();
    };
    let file = PlainFile { path: handbook.path.clone(), source: handbook.source.clone() };
    let memory = |place: &Place| Memory {
        body: handbook.text(*place),
        kind: MemoryKind::Project,
        extra: lines(place.first_line, place.last_line),
        ..plain(tree, &file)
    };
    handbook.other.iter().map(memory).collect()
}

/// Notes the folder that a memory says it applies to.
fn with_folder(mut memory: Memory) -> Memory {
    let applies_to = memory.extra.get("applies_to").and_then(Value::as_text);
    let folder = applies_to
        .and_then(|text| text.trim().strip_prefix("cwd="))
        .map(|text| text.split(';').next().unwrap_or(text).trim().to_owned());
    if let Some(folder) = folder.filter(|folder| folder.starts_with('/')) {
        memory.extra.0.push(("cwd".to_owned(), Value::Text(folder)));
    }
    memory
}

/// Tells of files in a tree for which the client has no use.
fn tell_unused(tree: &MemoryTree, reading: &mut Reading) {
    for file in tree.other.iter().filter(|file| file.why == Unread::Unknown) {
        let message = "the client has no use for a file of this name, so it is not carried";
        reading.hint("codex/memory-file-unused", &file.path, message);
    }
}

fn newest(memory: &Memory) -> Option<&str> {
    memory.when.modified.as_deref().or(memory.when.created.as_deref())
}

/// What extensions say of their own material, but for those of the client.
fn instructions(tree: &MemoryTree) -> impl Iterator<Item = &PlainFile> {
    let is_own = |name: &str| name == AD_HOC || FOLDER.ends_with(name);
    tree.extensions
        .iter()
        .filter(move |extension| !is_own(&extension.name))
        .filter_map(|extension| extension.instructions.as_ref())
}

fn plain(tree: &MemoryTree, file: &PlainFile) -> Memory {
    let name = file.path.strip_prefix(&tree.root).unwrap_or_default();
    Memory {
        name: name.strip_suffix(".md").unwrap_or(name).to_owned(),
        kind: MemoryKind::Reference,
        description: None,
        body: file.source.text().into_owned(),
        links: Vec::new(),
        when: Dates::default(),
        origin: Origin {
            client: CLIENT,
            scope: Scope::User,
            path: Some(file.path.clone()),
            via: Via::Discovered,
        },
        extra: Fields::default(),
    }
}

/// The files of the tree that memories stand in.
fn files(tree: &MemoryTree) -> Vec<StoreFile> {
    let mut found: Vec<(&AbsPath, &[u8])> = Vec::new();
    found.extend(tree.summary.iter().map(|file| (&file.path, file.source.bytes())));
    found.extend(tree.handbook.iter().map(|file| (&file.path, file.source.bytes())));
    found.extend(tree.rollouts.iter().map(|file| (&file.path, file.source.bytes())));
    let plain = tree.extensions.iter().flat_map(|extension| {
        let notes = extension.notes.iter().map(|note| &note.file);
        notes.chain(extension.resources.iter().map(|resource| &resource.file))
    });
    let plain = plain.chain(instructions(tree));
    found.extend(plain.map(|file| (&file.path, file.source.bytes())));
    found.into_iter().filter_map(|(path, bytes)| store_file(&tree.root, path, bytes)).collect()
}

fn store_file(root: &AbsPath, path: &AbsPath, bytes: &[u8]) -> Option<StoreFile> {
    let path = RelPath::new(path.strip_prefix(root)?)?;
    Some(StoreFile { path, content: Content::file(bytes) })
}

/// Memory that the client imported, when it belongs to this project.
fn imported(
    ground: &Ground<'_>,
    tree: &MemoryTree,
    project: &ImportedProject,
    reading: &mut Reading,
) {
    let cwd = project.cwd.as_deref().and_then(|cwd| AbsPath::new(cwd).ok());
    let here = cwd
        .as_ref()
        .filter(|cwd| cwd.starts_with(&ground.project) || ground.is_same(cwd, &ground.project));
    if project.files.is_empty() {
        return;
    }
    let Some(folder) = here else {
        let why = match &cwd {
            Some(cwd) => format!("it belongs to `{cwd}`; run the port there"),
            None => "its `scope.json` does not say which project it belongs to".to_owned(),
        };
        for file in &project.files {
            let what = format!("imported memory `{}`", ground.name(&file.path));
            reading.lose(Loss::new(what, &file.path, LossKind::Dropped, why.clone()));
        }
        return;
    };
    let root = tree.root.join(FOLDER).join("resources").join(&project.key);
    let files = &project.files;
    let store = MemoryStore {
        layout: IMPORTED_FROM,
        reach: Reach::below(Scope::User, ground.real(folder)),
        files: files
            .iter()
            .filter_map(|file| store_file(&root, &file.path, file.source.bytes()))
            .collect(),
        memories: files.iter().map(|file| plain(tree, file)).collect(),
        shown_at_start: None,
        root,
    };
    reading.bundle.stores.push(store);
}

/// Skills that the memory holds; no listing names them.
fn skills(ground: &Ground<'_>, tree: &MemoryTree, reading: &mut Reading) {
    for skill in &tree.skills {
        let Some(folder) = skill.path.parent() else { continue };
        let Some(main) = RelPath::new("SKILL.md") else { continue };
        let message = "the client opens this skill of its memory only when the memory points to it; it is carried as a skill for every project";
        reading.hint("codex/memory-skill", &skill.path, message);
        let files = collect(ground, &folder, &folder, &HashSet::new(), reading);
        reading.bundle.skills.push(Skill {
            name: skill.title(),
            description: skill.description().unwrap_or_default(),
            reach: Reach::everywhere(Scope::User),
            applies: Applies::Always,
            invocation: Invocation::ModelAndUser,
            form: SkillForm::Folder,
            path: folder,
            files,
            main,
            extras: Vec::new(),
        });
    }
}
