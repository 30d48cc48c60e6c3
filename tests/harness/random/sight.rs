//! What a client shows of a project, over all its sessions.

use std::collections::BTreeSet;

use adapter_claude::{Claude, ToolUse};
use adapter_codex::Codex;
use memory_core::fs::{FileKind, Fs};
use memory_core::port::PortPlace;
use memory_core::{AbsPath, ListedSkill, Omission, OmittedSkill, World};
use serde_json::json;

use crate::Result;

/// Names of files, one of each kind that a rule of a random project may be bound to.
const TOUCHED: [&str; 8] =
    ["a.ts", "b.tsx", "x.tsx", "l.py", "d.csv", "n.go", "note.txt", "here/x.rs"];

/// How much of a folder is walked at most.
const MAX_DEPTH: usize = 12;

/// Everything that a client shows of a project: at the start of its sessions,
/// when files are touched, when a skill is used, when a memory is opened.
#[derive(Clone, Debug, Default)]
pub struct Sight {
    /// Where, and what is shown of it.
    texts: BTreeSet<(String, String)>,
}

impl Sight {
    /// What Claude Code shows in sessions started in the project, files in all
    /// of its folders being touched.
    pub fn claude(world: World<'_>, place: &PortPlace) -> Result<Self> {
        let mut sight = Self::default();
        let folders = folders(world.fs, &place.project);
        let touch = |path: AbsPath| ToolUse::new("Read", json!({ "file_path": path.as_str() }));
        let touched = folders.iter().flat_map(|folder| TOUCHED.map(|name| folder.join(name)));
        let query = adapter_claude::Query::new(place.project.clone())
            .with_steps(touched.map(|path| vec![touch(path)]).collect());
        let found = Claude::default().resolve(world, &query)?;
        let steps = found.steps.iter().flat_map(|step| &step.loads);
        let steps = steps.filter_map(|layer| match &layer.outcome {
            memory_core::Outcome::Loaded(loaded) => Some((layer, loaded)),
            memory_core::Outcome::Omitted { .. } => None,
        });
        for (layer, loaded) in found.chain.loaded().chain(steps) {
            let at = layer.provenance.path.as_ref().map_or("a setting", AbsPath::as_str);
            sight.add(at, &loaded.text);
        }
        let usable = |skill: &&OmittedSkill| {
            let by_person = matches!(skill.reason, Omission::NotListed { .. });
            let on_touch = matches!(skill.reason, Omission::PathsDoNotMatch(_));
            by_person || on_touch
        };
        sight.skills(world.fs, &found.skills.listed, found.skills.omitted.iter().filter(usable));
        for step in &found.steps {
            sight.skills(world.fs, &step.skills, [].iter());
        }
        for text in [&found.memory.content].into_iter().flatten() {
            sight.add("memory index", text);
        }
        let stores = found.memory.root.iter().chain(found.agent_memory.iter().map(|one| &one.dir));
        for root in stores {
            sight.files(world.fs, root);
        }
        for folder in [&place.project, &place.home] {
            sight.files(world.fs, &folder.join(".claude/agents"));
        }
        Ok(sight)
    }

    /// The same, with what sessions show that are started in each folder below
    /// the project.
    pub fn claude_everywhere(world: World<'_>, place: &PortPlace) -> Result<Self> {
        let mut sight = Self::claude(world, place)?;
        for cwd in folders(world.fs, &place.project) {
            let query = adapter_claude::Query::new(cwd);
            let found = Claude::default().resolve(world, &query)?;
            for (layer, loaded) in found.chain.loaded() {
                let at = layer.provenance.path.as_ref().map_or("a setting", AbsPath::as_str);
                sight.add(at, &loaded.text);
            }
            let by_person =
                |skill: &&OmittedSkill| matches!(skill.reason, Omission::NotListed { .. });
            let omitted = found.skills.omitted.iter().filter(by_person);
            sight.skills(world.fs, &found.skills.listed, omitted);
        }
        Ok(sight)
    }

    /// What Codex shows in sessions started in the project and in each folder below it.
    pub fn codex(world: World<'_>, place: &PortPlace) -> Result<Self> {
        let mut sight = Self::default();
        for folder in folders(world.fs, &place.project) {
            let query = adapter_codex::Query::new(folder);
            let found = Codex::default().resolve(world, &query)?;
            for (layer, loaded) in found.chain.loaded() {
                let at = layer.provenance.path.as_ref().map_or("a setting", AbsPath::as_str);
                sight.add(at, &loaded.text);
            }
            // What is hidden by an oddity is no skill at all.
            let usable = |skill: &&OmittedSkill| {
                let hidden = matches!(skill.reason, Omission::NotListed { .. });
                let too_many = matches!(skill.reason, Omission::OverBudget { .. });
                (hidden || too_many) && skill.quirk.is_none()
            };
            let omitted = found.skills.omitted.iter().filter(usable);
            sight.skills(world.fs, &found.skills.listed, omitted);
            if sight.texts.iter().all(|(at, _)| at != "memory") {
                sight.add("memory", found.memory.content.as_deref().unwrap_or_default());
                found.memory.root.iter().for_each(|root| sight.files(world.fs, root));
            }
        }
        Ok(sight)
    }

    /// Whether a word is shown.
    pub fn sees(&self, word: &str) -> bool {
        self.texts.iter().any(|(_, text)| text.contains(word))
    }

    /// Where a word is shown: files mostly.
    pub fn places(&self, word: &str) -> Vec<&str> {
        let seen = self.texts.iter().filter(|(_, text)| text.contains(word));
        seen.map(|(at, _)| at.as_str()).collect()
    }

    fn add(&mut self, at: &str, text: &str) {
        self.texts.insert((at.to_owned(), text.to_owned()));
    }

    fn skills<'a>(
        &mut self,
        fs: &dyn Fs,
        listed: &[ListedSkill],
        omitted: impl Iterator<Item = &'a OmittedSkill>,
    ) {
        for skill in listed {
            self.add("list of skills", skill.description.as_deref().unwrap_or_default());
        }
        let files = listed.iter().map(|skill| &skill.file);
        for file in files.chain(omitted.map(|skill| &skill.file)) {
            // A command is a single file; what lies beside it is not its own.
            match file.parent() {
                Some(folder) if file.file_name() == Some("SKILL.md") => self.files(fs, &folder),
                _ => self.file(fs, file),
            }
        }
    }

    fn file(&mut self, fs: &dyn Fs, path: &AbsPath) {
        if let Ok(bytes) = fs.read_up_to(path, u64::MAX) {
            self.add(path.as_str(), &String::from_utf8_lossy(&bytes));
        }
    }

    /// All regular files of a folder and those below it.
    fn files(&mut self, fs: &dyn Fs, folder: &AbsPath) {
        for path in below(fs, folder, FileKind::File) {
            self.file(fs, &path);
        }
    }
}

/// A folder and all below it, but for hidden ones.
fn folders(fs: &dyn Fs, top: &AbsPath) -> Vec<AbsPath> {
    let is_hidden = |path: &AbsPath| {
        path.strip_prefix(top).is_some_and(|rest| rest.split('/').any(|part| part.starts_with('.')))
    };
    let below = below(fs, top, FileKind::Dir).into_iter().filter(|path| !is_hidden(path));
    std::iter::once(top.clone()).chain(below).collect()
}

/// What is of one kind below a folder, links not followed.
fn below(fs: &dyn Fs, top: &AbsPath, kind: FileKind) -> Vec<AbsPath> {
    let mut found = Vec::new();
    let mut open = vec![(top.clone(), 0)];
    while let Some((folder, depth)) = open.pop() {
        let Ok(entries) = fs.read_dir(&folder) else { continue };
        for entry in entries.flatten() {
            let path = folder.join(&entry.name);
            let Ok(data) = fs.symlink_metadata(&path) else { continue };
            if data.kind == kind {
                found.push(path.clone());
            }
            if data.is_dir() && entry.name != ".git" && depth < MAX_DEPTH {
                open.push((path, depth + 1));
            }
        }
    }
    found.sort();
    found
}
