//! What is remembered, in the memory folder of the project.

use std::collections::{HashMap, HashSet};

use memory_core::fs::Content;
use memory_core::model::{Memory, MemoryStore, SourceFile, StoreFile, Value};
use memory_core::port::{Loss, LossKind, Target};
use memory_core::{AbsPath, Severity};

use super::Lowering;
use super::slug::{slug, unique};
use super::topic::{Topic, hub, index_line, topic, type_name};
use crate::memory::{self, INDEX, shown_index, units};
use crate::port::ground::Ground;
use crate::profile::CLIENT;
use crate::store::{fingerprint, name_of, shared_with};

/// Places everything that is remembered.
pub(super) fn lower(lowering: &mut Lowering<'_>, stores: &[MemoryStore]) {
    let ground = lowering.ground;
    let stores: Vec<&MemoryStore> = stores
        .iter()
        .filter(|store| !store.files.is_empty() || !store.memories.is_empty())
        .collect();
    if stores.is_empty() {
        return;
    }
    let root = memory::place(ground.context);
    lowering.lowered.roots.push(root.clone());
    if !memory::is_on(ground.context) {
        let message = "memory is switched off in the client, so the model is given none of it";
        let help = "set `autoMemoryEnabled` to true, and unset `CLAUDE_CODE_DISABLE_AUTO_MEMORY`";
        lowering.tell("claude/memory-disabled", Severity::Warning, &root, message, help);
    }
    lowering.lowered.diagnostics.extend(shared_with(ground.context));
    let mut folders = HashSet::new();
    let (own, others): (Vec<&MemoryStore>, Vec<&MemoryStore>) =
        stores.into_iter().partition(|store| store.layout == CLIENT);
    for store in own {
        verbatim(lowering, store, &root, &mut folders);
    }
    let mut files = HashSet::new();
    let mut free = Room::of(ground, &root);
    for store in others {
        topics(lowering, store, &root, &mut files, &mut free);
    }
}

/// Whether what belongs to a folder belongs to the project.
fn is_of_project(ground: &Ground<'_>, folder: &AbsPath) -> bool {
    let layout = ground.context.layout;
    let real = ground.context.real(&ground.real_name(folder));
    [&layout.cwd, layout.main_root()]
        .into_iter()
        .any(|top| real.starts_with(top) || folder.starts_with(top))
}

fn elsewhere(folder: &str) -> String {
    format!("it belongs to `{folder}`; run the port there")
}

fn source(store: &MemoryStore, file: &StoreFile) -> SourceFile {
    SourceFile { path: store.root.join(file.path.as_str()), content: file.content.clone() }
}

/// Files that came from the client, as they are.
fn verbatim(
    lowering: &mut Lowering<'_>,
    store: &MemoryStore,
    root: &AbsPath,
    folders: &mut HashSet<String>,
) {
    let folder = store.reach.folder.as_ref();
    if let Some(folder) = folder.filter(|folder| !is_of_project(lowering.ground, folder)) {
        for file in &store.files {
            let why = elsewhere(&folder.to_string());
            let loss = Loss::new("memory", &source(store, file).path, LossKind::Dropped, why);
            lowering.lowered.lose(vec![loss], None);
        }
        return;
    }
    // The first one has the folder itself, any further one a folder in it.
    let base = if folders.insert(String::new()) {
        root.clone()
    } else {
        let name = slug(store.root.file_name().unwrap_or_default(), "memory");
        root.join(unique(&name, folders))
    };
    for file in &store.files {
        let path = base.join(file.path.as_str());
        let content = file.content.clone();
        lowering.lowered.put(vec![source(store, file)], Target::Whole { path, content });
    }
}

/// How much of the index is left.
struct Room {
    lines: usize,
    units: usize,
}

impl Room {
    /// What the index that is there leaves free.
    fn of(ground: &Ground<'_>, root: &AbsPath) -> Self {
        let profile = ground.context.profile;
        let limits = (profile.memory.index_lines, profile.memory.index_units);
        let content = ground.content(&root.join(INDEX));
        let text = content.as_ref().and_then(Content::bytes).map(String::from_utf8_lossy);
        let shown = shown_index(profile, text.as_deref().unwrap_or_default());
        if shown.cut.is_some() {
            return Self { lines: 0, units: 0 };
        }
        let used = shown.content.as_deref().unwrap_or_default();
        // A blank line parts what is there from what comes.
        let (lines, length) = if used.is_empty() {
            (0, 0)
        } else {
            (used.matches('\n').count() + 2, units(used) + 2)
        };
        Self { lines: limits.0.saturating_sub(lines), units: limits.1.saturating_sub(length) }
    }

    fn takes(&self, lines: &[String]) -> bool {
        lines.len() <= self.lines && length(lines) <= self.units
    }

    fn take(&mut self, lines: &[String]) {
        // The next part is parted from this one by a blank line too.
        self.lines = self.lines.saturating_sub(lines.len() + 1);
        self.units = self.units.saturating_sub(length(lines) + 1);
    }
}

fn length(lines: &[String]) -> usize {
    lines.iter().map(|line| units(line) + 1).sum()
}

/// Memories of another client, each in a topic file of its own.
fn topics(
    lowering: &mut Lowering<'_>,
    store: &MemoryStore,
    root: &AbsPath,
    taken: &mut HashSet<String>,
    free: &mut Room,
) {
    let ground = lowering.ground;
    let sources: HashMap<AbsPath, &StoreFile> =
        store.files.iter().map(|file| (store.root.join(file.path.as_str()), file)).collect();
    let mut accounted: HashSet<AbsPath> = HashSet::new();
    let mut carried = Vec::new();
    for memory in &store.memories {
        let path = memory.origin.path.clone().unwrap_or_else(|| store.root.clone());
        accounted.insert(path.clone());
        if let Some(folder) = folder_elsewhere(ground, memory) {
            let loss = Loss::new(what(memory), &path, LossKind::Dropped, elsewhere(folder));
            lowering.lowered.lose(vec![Loss { line: line(memory, "first_line"), ..loss }], None);
        } else {
            carried.push((memory, path));
        }
    }
    let names = file_names(&carried, taken);
    let mut lines = Vec::new();
    for ((memory, path), name) in carried.iter().zip(&names) {
        let text = topic(&Topic {
            profile: ground.context.profile,
            name,
            memory,
            source: provenance(ground, memory, path),
        });
        let content = sources.get(path).map(|file| file.content.clone());
        let content = content.or_else(|| ground.content(path));
        let content = content.unwrap_or_else(|| Content::file(&memory.body));
        let from = vec![SourceFile { path: path.clone(), content }];
        let target = root.join(format!("{name}.md"));
        lines.push(format!("- {}", index_line(memory, name)));
        lowering.lowered.put(from, Target::Whole { path: target, content: Content::file(text) });
    }
    // The files of which no memory was made belong to the index.
    let mut rest: Vec<SourceFile> = store
        .files
        .iter()
        .map(|file| source(store, file))
        .filter(|file| !accounted.contains(&file.path))
        .collect();
    if rest.is_empty() {
        rest.extend(store.files.first().map(|file| source(store, file)));
    }
    if lines.is_empty() {
        for file in rest.iter().filter(|file| !accounted.contains(&file.path)) {
            let why = "nothing of it belongs to this project";
            let loss = Loss::new("memory", &file.path, LossKind::Dropped, why);
            lowering.lowered.lose(vec![loss], None);
        }
        return;
    }
    let name = ground.name(&store.root);
    let kept = shortened(&lines, free, &name, taken);
    free.take(&kept.lines);
    let index = root.join(INDEX);
    if let Some((hub, text)) = kept.hub {
        let path = root.join(format!("{hub}.md"));
        lowering.lowered.put(rest.clone(), Target::Whole { path, content: Content::file(text) });
        let why = "the index has no room for all of its entries; the older ones stand in a topic file that it names";
        let loss = Loss::new("older memories", &store.root, LossKind::ScopeNarrowed, why);
        lowering.lowered.lose(vec![loss], Some(&root.join(format!("{hub}.md"))));
    }
    let text = format!("{}\n", kept.lines.join("\n"));
    let preface = String::new();
    lowering
        .lowered
        .put(rest, Target::Section { file: index.clone(), name, preface, text, marked: true });
    if store.reach.folder.is_none() {
        let why = "it is kept for this project only, as the client keeps what it remembers for each project";
        let loss = Loss::new("memory", &store.root, LossKind::ScopeNarrowed, why);
        lowering.lowered.lose(vec![loss], Some(&index));
    }
    tell_missing_index(lowering, root, &names);
}

/// The other project to which a memory belongs, or `None`.
fn folder_elsewhere<'m>(ground: &Ground<'_>, memory: &'m Memory) -> Option<&'m str> {
    let text = memory.extra.get("cwd").and_then(Value::as_text)?;
    let folder = AbsPath::new(text).ok()?;
    (!is_of_project(ground, &folder)).then_some(text)
}

fn what(memory: &Memory) -> String {
    format!("memory `{}`", memory.name)
}

/// A line of its file that a memory names.
fn line(memory: &Memory, key: &str) -> Option<u32> {
    match memory.extra.get(key)? {
        Value::Number(number) => number.parse().ok(),
        _ => None,
    }
}

/// Where a memory comes from, for people: `~/notes/all.md#L3-L9`.
fn provenance(ground: &Ground<'_>, memory: &Memory, path: &AbsPath) -> String {
    let name = ground.name(path);
    match (line(memory, "first_line"), line(memory, "last_line")) {
        (Some(first), Some(last)) => format!("{name}#L{first}-L{last}"),
        (Some(first), None) => format!("{name}#L{first}"),
        _ => name,
    }
}

/// A name for each memory's file, unlike all others, whatever their order.
fn file_names(carried: &[(&Memory, AbsPath)], taken: &mut HashSet<String>) -> Vec<String> {
    let bases: Vec<String> =
        carried.iter().map(|(memory, _)| name_of(&memory.name, type_name(memory))).collect();
    let mut count: HashMap<&str, usize> = HashMap::new();
    for base in &bases {
        *count.entry(base).or_default() += 1;
    }
    let named = carried.iter().zip(&bases).map(|((memory, _), base)| {
        let is_shared = count.get(base.as_str()).is_some_and(|count| *count > 1);
        let name =
            if is_shared { format!("{base}-{}", fingerprint(&memory.name)) } else { base.clone() };
        unique(&name, taken)
    });
    named.collect()
}

/// The lines for which the index has room, and the others.
struct Kept {
    lines: Vec<String>,
    /// The name and the text of the file with the other lines.
    hub: Option<(String, String)>,
}

fn shortened(lines: &[String], room: &Room, store: &str, taken: &mut HashSet<String>) -> Kept {
    if room.takes(lines) {
        return Kept { lines: lines.to_vec(), hub: None };
    }
    let name = unique(&name_of(&format!("older memories of {store}"), "reference"), taken);
    let link = format!(
        "- [Older memories of {store}]({name}.md) — entries for which there is no room here"
    );
    let mut kept = lines.to_vec();
    loop {
        kept.push(link.clone());
        if room.takes(&kept) || kept.len() == 1 {
            break;
        }
        kept.pop();
        kept.pop();
    }
    let older = lines.get(kept.len() - 1..).unwrap_or_default();
    let text = hub(&name, store, older);
    Kept { lines: kept, hub: Some((name, text)) }
}

/// Tells that an index of the port's keeps the client from writing its own.
fn tell_missing_index(lowering: &mut Lowering<'_>, root: &AbsPath, names: &[String]) {
    let ground = lowering.ground;
    let index = root.join(INDEX);
    let profile = ground.context.profile;
    if ground.kind(&index).is_some() || !profile.memory.rebuilds_index {
        return;
    }
    let rebuilt = memory::rebuild(ground.context.world.fs, profile, root);
    let Some(rebuilt) = rebuilt else { return };
    let is_other = |line: &&str| !names.iter().any(|name| line.contains(&format!("({name}.md)")));
    if rebuilt.content.lines().any(|line| is_other(&line)) {
        let message = "there is no index yet; once this one is written the client makes none of its own, which would name the topics that are there";
        let help = "start a session in the project before the port: it writes the index";
        lowering.tell("claude/memory-index-missing", Severity::Warning, &index, message, help);
    }
}
