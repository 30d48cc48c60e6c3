//! What is remembered: imported as the client itself imports it, as notes, or
//! as background in the person's instructions.

use std::collections::HashSet;

use memory_core::AbsPath;
use memory_core::fs::Content;
use memory_core::model::{Bundle, Memory, MemoryStore, SourceFile, StoreFile};
use memory_core::port::{Loss, LossKind, MemoryAs, Target};

use super::Lowering;
use super::note::{Notes, date};
use super::part::{Home, Part};
use super::slug::unique;
use crate::port::imported::{
    FOLDER, IMPORTED_FROM, INSTRUCTIONS, INSTRUCTIONS_FILE, SCOPE_FILE, scope,
};

use crate::resolution::MemoryVersion;

/// Places memories; what goes into the person's instructions comes back.
pub(super) fn lower(lowering: &mut Lowering<'_>, bundle: &Bundle, wanted: MemoryAs) -> Vec<Part> {
    let stores =
        bundle.stores.iter().filter(|store| !store.files.is_empty() || !store.memories.is_empty());
    let mut stores = stores.peekable();
    if stores.peek().is_none() {
        return Vec::new();
    }
    if wanted == MemoryAs::Instructions {
        return stores.map(|store| background(lowering, store)).collect();
    }
    let (imported, noted): (Vec<&MemoryStore>, Vec<&MemoryStore>) =
        stores.partition(|store| wanted == MemoryAs::Import && store.layout == IMPORTED_FROM);
    import(lowering, &imported);
    notes(lowering, &noted);
    if !lowering.ground.config.memories {
        lowering.warn(
            "codex/memory-disabled",
            "memory is switched off in the client, so the model is given none of it",
            "set `features.memories = true` in the client's configuration",
        );
    }
    Vec::new()
}

/// The trees that an import goes into: v2, and v1 where the home has one or
/// asks for it. The client itself would make a folder `memories` where the
/// version is not set, which switches it to v1.
fn trees(lowering: &Lowering<'_>) -> Vec<AbsPath> {
    let ground = lowering.ground;
    let [v1, v2] = [MemoryVersion::V1, MemoryVersion::V2]
        .map(|version| ground.codex_home.join(version.folder()));
    let is_set = ground.config.memory_version == Some(MemoryVersion::V1);
    let is_there = ground.world.fs.metadata(&v1).is_ok_and(|found| found.is_dir());
    let with_v1 = is_set || is_there;
    let first = in_force(lowering);
    let mut trees = vec![v2];
    trees.extend(with_v1.then_some(v1));
    // What is ported back comes out of the tree that the client reads.
    trees.sort_by_key(|tree| tree.file_name() != Some(first.folder()));
    trees
}

fn import(lowering: &mut Lowering<'_>, stores: &[&MemoryStore]) {
    if stores.is_empty() {
        return;
    }
    let trees = trees(lowering);
    let in_force = lowering.ground.codex_home.join(in_force(lowering).folder());
    for tree in &trees {
        let folder = tree.join(FOLDER);
        let content = Content::file(INSTRUCTIONS);
        let path = folder.join(INSTRUCTIONS_FILE);
        lowering.lowered.put(Vec::new(), Target::Whole { path, content });
        let mut keys = HashSet::new();
        for store in stores {
            let key = unique(&key(store), &mut keys);
            let project = folder.join("resources").join(key);
            let cwd = store.reach.folder.as_ref().unwrap_or(&lowering.ground.project);
            let scope = Content::file(scope(cwd.as_str()));
            for file in &store.files {
                let path = project.join(file.path.as_str());
                let content = file.content.clone();
                lowering.lowered.put(vec![source(store, file)], Target::Whole { path, content });
            }
            let path = project.join(SCOPE_FILE);
            lowering.lowered.put(Vec::new(), Target::Whole { path, content: scope });
            if *tree == in_force {
                tell_index(lowering, store, |file| project.join(file.path.as_str()));
            }
        }
    }
}

fn in_force(lowering: &Lowering<'_>) -> MemoryVersion {
    let ground = lowering.ground;
    MemoryVersion::in_force(ground.world, &ground.codex_home, ground.config.memory_version)
}

/// The name of a project's folder: the one that the source has for it, which is
/// what the client takes, else its path.
fn key(store: &MemoryStore) -> String {
    let parent = store.root.parent().filter(|_| store.root.file_name() == Some("memory"));
    match parent.as_ref().and_then(AbsPath::file_name) {
        Some(name) if !name.starts_with('.') => name.to_owned(),
        _ => {
            let plain = |c: char| if c.is_ascii_alphanumeric() { c } else { '-' };
            store.root.as_str().chars().map(plain).collect()
        }
    }
}

/// Tells that what the source shows at every start is not shown here yet.
fn tell_index(
    lowering: &mut Lowering<'_>,
    store: &MemoryStore,
    target: impl Fn(&StoreFile) -> AbsPath,
) {
    let Some(index) = index(store) else { return };
    let path = store.root.join(index.path.as_str());
    let why = "it is not shown at the start of a session until the client has worked on its memory";
    let what = format!("memory `{}`", lowering.ground.name(&path));
    let loss = Loss::new(what, &path, LossKind::ScopeNarrowed, why);
    lowering.lowered.losses.push(loss.kept_in(&target(index)));
}

/// The file that is shown at the start of every session.
fn index(store: &MemoryStore) -> Option<&StoreFile> {
    let shown = store.shown_at_start.as_deref()?;
    let first = shown.lines().find(|line| !line.trim().is_empty())?;
    store.files.iter().find(|file| {
        let bytes = file.content.bytes().unwrap_or_default();
        memchr::memmem::find(bytes, first.trim().as_bytes()).is_some()
    })
}

/// A text of a store, and the files that it is made of.
struct Said<'a> {
    text: String,
    date: Option<&'a str>,
    from: Vec<SourceFile>,
    is_index: bool,
}

/// Everything a store says: the index first, then other files that no memory
/// is made of, then the memories.
fn said(store: &MemoryStore) -> Vec<Said<'_>> {
    let origins: HashSet<&AbsPath> =
        store.memories.iter().filter_map(|memory| memory.origin.path.as_ref()).collect();
    let index = index(store).map(|file| &file.path);
    let mut said: Vec<Said<'_>> = store
        .files
        .iter()
        .filter(|file| !origins.contains(&store.root.join(file.path.as_str())))
        .filter_map(|file| {
            let text = String::from_utf8_lossy(file.content.bytes()?).into_owned();
            let (from, is_index) = (vec![source(store, file)], index == Some(&file.path));
            Some(Said { text, date: None, from, is_index })
        })
        .collect();
    said.sort_by_key(|said| !said.is_index);
    said.extend(store.memories.iter().map(|memory| {
        let origin = memory.origin.path.as_ref();
        let file =
            store.files.iter().find(|file| Some(&store.root.join(file.path.as_str())) == origin);
        Said {
            text: written(memory),
            date: date(memory),
            from: file.map(|file| source(store, file)).into_iter().collect(),
            is_index: file.is_some_and(|file| index == Some(&file.path)),
        }
    }));
    said
}

/// A memory as a text that stands for itself.
fn written(memory: &Memory) -> String {
    let mut text = format!("# {}\n\n", memory.name);
    let description = memory.description.as_deref().unwrap_or_default().trim();
    if !description.is_empty() && !memory.body.contains(description) {
        text.push_str(description);
        text.push_str("\n\n");
    }
    text.push_str(memory.body.trim_end());
    text.push('\n');
    text
}

fn source(store: &MemoryStore, file: &StoreFile) -> SourceFile {
    SourceFile { path: store.root.join(file.path.as_str()), content: file.content.clone() }
}

/// One note for each thing that is said.
fn notes(lowering: &mut Lowering<'_>, stores: &[&MemoryStore]) {
    let root = lowering.ground.codex_home.join(in_force(lowering).folder());
    let mut notes = Notes::new(root);
    for store in stores {
        for said in said(store) {
            let folder = store.reach.folder.as_ref();
            if said.text.trim().is_empty() {
                lowering.lowered.put(said.from, Target::InPlace);
                continue;
            }
            let text = match folder {
                Some(folder) => format!("{}\nRemembered for work in `{folder}`.\n", said.text),
                None => said.text,
            };
            let Some(path) = notes.path(&text, said.date) else { continue };
            if said.is_index {
                tell_index(lowering, store, |_| path.clone());
            }
            let content = Content::file(text);
            lowering.lowered.put(said.from, Target::Whole { path, content });
        }
    }
}

/// A whole store as a part of the person's instructions.
fn background(lowering: &mut Lowering<'_>, store: &MemoryStore) -> Part {
    let ground = lowering.ground;
    let name = ground.name(&store.root);
    let what = format!("memory `{name}`");
    let (preface, losses) = match &store.reach.folder {
        None => ("Background:\n".to_owned(), Vec::new()),
        Some(folder) => {
            let why = format!(
                "it goes into the person's own file, which is shown in every folder; it says that it is for `{folder}`"
            );
            let loss = Loss::new(what.clone(), &store.root, LossKind::ScopeWidened, why);
            (format!("Background for work in `{folder}`:\n"), vec![loss])
        }
    };
    let mut text = String::new();
    let mut from: Vec<SourceFile> = Vec::new();
    for said in said(store) {
        text.push('\n');
        text.push_str(said.text.trim_end());
        text.push('\n');
        for file in said.from {
            if from.iter().all(|known| known.path != file.path) {
                from.push(file);
            }
        }
    }
    Part { from, what, home: Home::Person, name, preface, text, losses }
}
