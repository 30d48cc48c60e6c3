//! What the client and its sub-agents remember of the project.

use std::cmp::Reverse;
use std::collections::HashSet;

use memory_core::fs::{Content, FileKind};
use memory_core::model::{Memory, MemoryStore, Reach, StoreFile};
use memory_core::port::{Loss, LossKind};
use memory_core::{AbsPath, RelPath, Scope};

use super::Reading;
use crate::claude::{Claude, Query};
use crate::memory::{self, iso_time};
use crate::port::ground::Ground;
use crate::profile::CLIENT;
use crate::store::{Store, StorePlace};

/// How many folders may lie in each other.
const DEEPEST: usize = 64;

/// Reads the memory of sessions, then those of sub-agents.
pub(super) fn read(claude: &Claude, ground: &Ground<'_>, reading: &mut Reading) {
    let context = ground.context;
    let query = Query::new(ground.project().clone());
    let Ok(places) = claude.memory_folders(context.world, &query) else { return };
    for place in places {
        let shown = if place.agent.is_none() { memory::resolve(context).content } else { None };
        if let Some(store) = store(claude, ground, place.clone(), reading) {
            if place.agent.is_none() && !memory::is_on(context) {
                let message = "memory is switched off in the client; it is carried all the same";
                reading.hint("claude/memory-disabled", &place.root, message);
            }
            reading
                .bundle
                .stores
                .push(MemoryStore { shown_at_start: shown.map(|text| text.to_string()), ..store });
        }
    }
}

/// Reads one folder; `None` when nothing is remembered in it.
fn store(
    claude: &Claude,
    ground: &Ground<'_>,
    place: StorePlace,
    reading: &mut Reading,
) -> Option<MemoryStore> {
    let root = place.root.clone();
    let reach = match place.scope {
        Scope::User => Reach::everywhere(Scope::User),
        scope => Reach::below(scope, ground.project().clone()),
    };
    ground.context.unrecorded.metadata(&root).ok().filter(memory_core::fs::Metadata::is_dir)?;
    let parsed = claude.store_at(ground.context.world, place);
    reading.diagnostics.extend(parsed.diagnostics);
    let files = files(ground, &root, &parsed.value, reading);
    let memories = memories(&parsed.value, &files);
    // An index of which an earlier port took everything away remembers nothing.
    let is_blank =
        |file: &StoreFile| file.content.bytes().is_some_and(|bytes| bytes.trim_ascii().is_empty());
    let has_text = !files.iter().all(is_blank);
    has_text.then_some(MemoryStore {
        root,
        layout: CLIENT,
        reach,
        files,
        memories,
        shown_at_start: None,
    })
}

/// What the carried files say, newest first.
fn memories(store: &Store, files: &[StoreFile]) -> Vec<Memory> {
    let carried: HashSet<&str> = files.iter().map(|file| file.path.as_str()).collect();
    let topics = store.topics.iter().filter(|topic| carried.contains(topic.below.as_str()));
    let mut dated: Vec<(Option<String>, Memory)> = topics
        .map(|topic| {
            let memory = topic.memory(store.place.scope);
            let time = memory.when.modified.clone();
            (time.or_else(|| topic.modified.map(iso_time)), memory)
        })
        .collect();
    dated.sort_by_cached_key(|(time, memory)| (Reverse(time.clone()), memory.origin.path.clone()));
    dated.into_iter().map(|(_, memory)| memory).collect()
}

/// The memory files of a folder, by path; what is something else is a loss.
fn files(
    ground: &Ground<'_>,
    root: &AbsPath,
    store: &Store,
    reading: &mut Reading,
) -> Vec<StoreFile> {
    let fs = ground.context.unrecorded;
    let (mut found, mut others) = (Vec::new(), Vec::new());
    let mut open = vec![(root.clone(), 0)];
    while let Some((dir, depth)) = open.pop() {
        let Ok(entries) = fs.read_dir(&dir) else { continue };
        for entry in entries.flatten() {
            let path = dir.join(&entry.name);
            let is_text = entry.name.to_ascii_lowercase().ends_with(".md");
            match entry.kind {
                _ if entry.name == ".git" => {}
                FileKind::Dir if depth < DEEPEST => open.push((path, depth + 1)),
                FileKind::File if is_text => found.push(path),
                _ => others.push(path),
            }
        }
    }
    let mut files = Vec::with_capacity(found.len());
    found.sort();
    for path in found {
        match path.strip_prefix(root).and_then(RelPath::new).zip(content(ground, store, &path)) {
            Some((below, content)) => files.push(StoreFile { path: below, content }),
            None => others.push(path),
        }
    }
    others.sort();
    for path in others {
        let why = "only regular `.md` files are memories; put its text into one to carry it";
        reading.lose(Loss::new("file of a memory folder", &path, LossKind::Dropped, why));
    }
    files
}

/// The bytes of a file, those of a topic as they were read.
fn content(ground: &Ground<'_>, store: &Store, path: &AbsPath) -> Option<Content> {
    let at = store.topics.binary_search_by(|topic| topic.path.cmp(path)).ok();
    let Some(topic) = at.and_then(|at| store.topics.get(at)) else {
        return ground.content(path);
    };
    let doc = topic.doc();
    if doc.bytes().len() as u64 != topic.bytes {
        return ground.content(path);
    }
    let mode = ground.context.unrecorded.metadata(path).ok().and_then(|found| found.mode);
    Some(Content::File { bytes: doc.bytes().into(), mode })
}
