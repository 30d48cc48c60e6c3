//! A tree in no client's words.

use std::collections::BTreeMap;

use memory_core::model::{Dates, Fields, Link, Memory, MemoryKind, Origin, Value};
use memory_core::{AbsPath, Scope, Via};

use super::extension::PlainFile;
use super::handbook::{Handbook, TaskGroup};
use super::line::Place;
use super::raw::RawMemories;
use super::rollout_summary::RolloutSummary;
use super::summary::Summary;
use super::tree::MemoryTree;
use crate::profile::CLIENT;

impl MemoryTree {
    /// What the tree remembers, in no client's words.
    ///
    /// The summary is a [`MemoryKind::Summary`], a rollout summary a
    /// [`MemoryKind::Episode`], a task group (or a handbook without any) a
    /// [`MemoryKind::Project`], an extension's material a
    /// [`MemoryKind::Reference`]; `note` and `raw-memory` are kinds of the
    /// store's own. Names are unique. `extra` holds what the model has no word
    /// for, and for a piece of a file its `first_line` and `last_line`.
    pub fn memories(&self) -> Vec<Memory> {
        let mut memories: Vec<Memory> = self.summary.iter().map(summary).collect();
        memories.extend(self.handbook.iter().flat_map(handbook));
        memories.extend(self.rollouts.iter().map(rollout));
        memories.extend(self.raw_memories.iter().flat_map(raw_memories));
        for extension in &self.extensions {
            let named = |file, kind| {
                let mut memory = plain(&self.root, file, kind);
                memory.extra.0.push(("extension".to_owned(), Value::Text(extension.name.clone())));
                memory
            };
            let notes = extension.notes.iter();
            memories.extend(notes.map(|note| {
                let mut memory = named(&note.file, MemoryKind::Other("note".to_owned()));
                memory.when.created.clone_from(&note.stamp);
                memory
            }));
            let resources = extension.resources.iter();
            memories.extend(resources.map(|resource| named(&resource.file, MemoryKind::Reference)));
            for project in &extension.imported {
                memories.extend(project.files.iter().map(|file| {
                    let mut memory = named(file, MemoryKind::Reference);
                    memory.extra.0.extend(text_field("cwd", project.cwd.as_deref()));
                    memory
                }));
            }
        }
        make_names_unique(&mut memories);
        memories
    }
}

fn summary(summary: &Summary) -> Memory {
    let links = summary.topics.iter().filter_map(|topic| {
        let target = topic.file.clone().or_else(|| topic.thread_id.clone())?;
        Some(Link { target, title: Some(topic.title.clone()) })
    });
    Memory {
        name: "memory_summary".to_owned(),
        kind: MemoryKind::Summary,
        description: None,
        body: summary.source.text().into_owned(),
        links: links.collect(),
        when: Dates::default(),
        origin: origin(&summary.path),
        extra: Fields::default(),
    }
}

fn handbook(handbook: &Handbook) -> Vec<Memory> {
    if handbook.groups.is_empty() {
        let body = handbook.source.text().into_owned();
        return vec![Memory {
            name: "MEMORY".to_owned(),
            kind: MemoryKind::Project,
            description: None,
            body,
            links: Vec::new(),
            when: Dates::default(),
            origin: origin(&handbook.path),
            extra: Fields::default(),
        }];
    }
    handbook.groups.iter().map(|group| task_group(handbook, group)).collect()
}

fn task_group(handbook: &Handbook, group: &TaskGroup) -> Memory {
    let sources = group.tasks.iter().flat_map(|task| &task.sources);
    let keywords = group.tasks.iter().flat_map(|task| &task.keywords);
    let keywords: Vec<Value> = keywords.cloned().map(Value::Text).collect();
    let mut extra = lines(group.place);
    extra.0.extend(text_field("applies_to", group.applies_to.as_deref()));
    extra.0.push(("keywords".to_owned(), Value::List(keywords)));
    let updated = sources.clone().filter_map(|source| source.updated_at.clone()).max();
    Memory {
        name: group.title.clone(),
        kind: MemoryKind::Project,
        description: group.scope.clone(),
        body: handbook.text(group.place),
        links: sources
            .map(|source| Link { target: source.path.clone(), title: source.note.clone() })
            .collect(),
        when: Dates { created: None, modified: updated },
        origin: origin(&handbook.path),
        extra,
    }
}

fn rollout(rollout: &RolloutSummary) -> Memory {
    let header = &rollout.header;
    let mut extra = Fields::default();
    extra.0.extend(text_field("thread_id", header.thread_id.as_deref()));
    extra.0.extend(text_field("rollout_path", header.rollout_path.as_deref()));
    extra.0.extend(text_field("cwd", header.cwd.as_deref()));
    extra.0.extend(text_field("git_branch", header.git_branch.as_deref()));
    let other = header.other.iter();
    extra.0.extend(other.map(|(key, value)| (key.clone(), Value::Text(value.clone()))));
    Memory {
        name: stem(&rollout.path).to_owned(),
        kind: MemoryKind::Episode,
        description: rollout.title.clone(),
        body: rollout.text(),
        links: Vec::new(),
        when: Dates {
            created: rollout.stem.as_ref().map(|stem| stem.stamp.clone()),
            modified: header.updated_at.clone(),
        },
        origin: origin(&rollout.path),
        extra,
    }
}

fn raw_memories(raw: &RawMemories) -> impl Iterator<Item = Memory> + '_ {
    raw.entries.iter().map(|entry| {
        let thread_id = entry.header.thread_id.clone().unwrap_or_default();
        let mut extra = lines(entry.place);
        extra.0.extend(text_field("cwd", entry.header.cwd.as_deref()));
        extra.0.extend(text_field("rollout_path", entry.header.rollout_path.as_deref()));
        let described = |(key, _): &&(String, Value)| key != "description" && key != "cwd";
        extra.0.extend(entry.fields.0.iter().filter(described).cloned());
        let file = entry.header.rollout_summary_file.as_ref();
        Memory {
            name: format!("raw-{thread_id}"),
            kind: MemoryKind::Other("raw-memory".to_owned()),
            description: entry.field("description").map(str::to_owned),
            body: raw.text(entry),
            links: file
                .map(|file| Link { target: format!("rollout_summaries/{file}"), title: None })
                .into_iter()
                .collect(),
            when: Dates { created: None, modified: entry.header.updated_at.clone() },
            origin: origin(&raw.path),
            extra,
        }
    })
}

fn plain(root: &AbsPath, file: &PlainFile, kind: MemoryKind) -> Memory {
    let name = file.path.strip_prefix(root).unwrap_or_default();
    Memory {
        name: name.strip_suffix(".md").unwrap_or(name).to_owned(),
        kind,
        description: None,
        body: file.source.text().into_owned(),
        links: Vec::new(),
        when: Dates::default(),
        origin: origin(&file.path),
        extra: Fields::default(),
    }
}

fn origin(path: &AbsPath) -> Origin {
    Origin { client: CLIENT, scope: Scope::User, path: Some(path.clone()), via: Via::Discovered }
}

fn stem(path: &AbsPath) -> &str {
    let name = path.file_name().unwrap_or_default();
    name.strip_suffix(".md").unwrap_or(name)
}

fn text_field(key: &str, value: Option<&str>) -> Option<(String, Value)> {
    value.map(|value| (key.to_owned(), Value::Text(value.to_owned())))
}

fn lines(place: Place) -> Fields {
    let line = |key: &str, line: u32| (key.to_owned(), Value::Number(line.to_string()));
    Fields(vec![line("first_line", place.first_line), line("last_line", place.last_line)])
}

/// Tells memories of one name apart by a number.
fn make_names_unique(memories: &mut [Memory]) {
    let mut seen: BTreeMap<String, u32> = BTreeMap::new();
    for memory in memories {
        let base = memory.name.clone();
        loop {
            let count = seen.entry(base.clone()).or_default();
            *count += 1;
            if *count == 1 {
                break;
            }
            let name = format!("{base} ({count})");
            if !seen.contains_key(&name) {
                seen.insert(name.clone(), 1);
                memory.name = name;
                break;
            }
        }
    }
}
