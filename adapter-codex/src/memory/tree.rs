//! A whole tree.

use std::collections::BTreeMap;

use memory_core::doc::{Doc, Source};
use memory_core::fs::{FileKind, IoError};
use memory_core::{AbsPath, Code, Diagnostic, Error, Parsed, PathRole, RelPath, Severity, World};

use super::extension::{Extension, FOLDER, PlainFile};
use super::handbook::Handbook;
use super::raw::RawMemories;
use super::rollout_summary::RolloutSummary;
use super::summary::Summary;
use super::version::{DetectedVersion, HANDBOOK, LINES_LIMIT, RAW_MEMORIES, ROLLOUTS, SUMMARY};
use super::walk::{WORKSPACE_DIFF, has_ending, is_machinery, walk};
use crate::resolution::MemoryVersion;

/// The largest file of a tree that is read, in bytes: a summary has some kilobytes.
const MAX_FILE: u64 = 16 * 1024 * 1024;

/// Bytes of all files that are read.
const TREE_LIMIT: usize = 512 << 20;

/// Everything in one of Codex's memory folders.
///
/// ```
/// use adapter_codex::MemoryTree;
/// use memory_core::{AbsPath, Env, World};
/// use memory_core::fs::{MemFs, MAX_READ};
///
/// let fs = MemFs::from_files([
///     ("/h/.codex/memories/MEMORY.md", "# Task Group: CSV\n## Task 1: read it, success\n"),
///     ("/h/.codex/memories/.git/HEAD", "ref: refs/heads/main\n"),
/// ]);
/// let world = World { fs: &fs, env: &Env::default() };
/// let tree = MemoryTree::read(world, &AbsPath::new("/h/.codex/memories")?)?.value;
/// assert_eq!(tree.handbook.unwrap().groups[0].title, "CSV");
/// assert_eq!(tree.machinery.len(), 1);
/// # Ok::<(), memory_core::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MemoryTree {
    /// The folder.
    pub root: AbsPath,
    /// Which of the two trees it is.
    pub version: DetectedVersion,
    /// `memory_summary.md`; `None` when it is not there or cannot be read.
    pub summary: Option<Summary>,
    /// `MEMORY.md`; always `None` in a v2 tree.
    pub handbook: Option<Handbook>,
    /// `raw_memories.md`; always `None` in a v2 tree.
    pub raw_memories: Option<RawMemories>,
    /// Rollout summaries in order of their names.
    pub rollouts: Vec<RolloutSummary>,
    /// Skills that the memory holds; always empty in a v2 tree.
    pub skills: Vec<MemorySkill>,
    /// Extensions in order of their names.
    pub extensions: Vec<Extension>,
    /// What the client keeps for itself, and links, which it removes: not read.
    pub machinery: Vec<AbsPath>,
    /// Everything else, with the reason why it was not read.
    pub other: Vec<OtherFile>,
}

/// A skill that a v1 tree holds; the client's skill listing knows nothing of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MemorySkill {
    /// Its folder's name.
    pub name: String,
    /// Its `SKILL.md`.
    pub path: AbsPath,
    /// What stands in it.
    pub doc: Doc,
    /// Its other files, relative to its folder.
    pub files: Vec<RelPath>,
}

impl MemorySkill {
    /// Its own name, or that of its folder where it has none.
    pub fn title(&self) -> String {
        self.value("name").unwrap_or_else(|| self.name.clone())
    }

    /// What it is for; `None` where it does not say.
    pub fn description(&self) -> Option<String> {
        self.value("description")
    }

    /// A value of one line without the quotes around it; `None` for an empty one.
    fn value(&self, key: &str) -> Option<String> {
        let value = self.doc.value(self.doc.find(key)?);
        let quoted = ['"', '\''].iter().find_map(|quote| {
            value.strip_prefix(*quote).and_then(|inner| inner.strip_suffix(*quote))
        });
        Some(quoted.unwrap_or(&value).to_owned()).filter(|value| !value.is_empty())
    }
}

/// A file that was not read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OtherFile {
    /// The file.
    pub path: AbsPath,
    /// Why it was not read.
    pub why: Unread,
}

/// Why a file of a tree was not read.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Unread {
    /// The client has no use for a file of this name.
    Unknown,
    /// It belongs to the other tree.
    OtherTree,
    /// It is larger than what is read, or the tree is.
    TooLarge,
    /// It is no regular file.
    NotAFile,
    /// The system refused.
    Io(IoError),
}

impl MemoryTree {
    /// Reads the tree in the folder `root`; a link to the folder is followed.
    ///
    /// Errors when there is no such folder. What cannot be read in it is
    /// listed in [`MemoryTree::other`] and reported.
    pub fn read(world: World<'_>, root: &AbsPath) -> Result<Parsed<Self>, Error> {
        let what = PathRole::MemoryTree;
        match world.fs.metadata(root) {
            Ok(found) if found.is_dir() => {}
            Ok(_) => return Err(Error::NotADirectory { what, path: root.clone() }),
            Err(error) if error.is_absence() => {
                return Err(Error::NotFound { what, path: root.clone() });
            }
            Err(source) => return Err(Error::Io { path: root.clone(), source }),
        }
        let mut reader = Reader::new(world, root);
        for found in walk(world, root, &mut reader.diagnostics) {
            reader.file(&found.name, found.kind);
        }
        Ok(reader.finish())
    }

    /// The file that is there only while the client works on the tree, or when
    /// it was interrupted at that; `None` when it is not there.
    pub fn interruption(&self) -> Option<&AbsPath> {
        let is_it = |path: &&AbsPath| path.strip_prefix(&self.root) == Some(WORKSPACE_DIFF);
        self.machinery.iter().find(is_it)
    }
}

struct Reader<'a> {
    world: World<'a>,
    tree: MemoryTree,
    extensions: BTreeMap<String, Extension>,
    skill_files: BTreeMap<String, Vec<RelPath>>,
    bytes_read: usize,
    diagnostics: Vec<Diagnostic>,
}

impl<'a> Reader<'a> {
    fn new(world: World<'a>, root: &AbsPath) -> Self {
        let tree = MemoryTree {
            root: root.clone(),
            version: DetectedVersion::of(world, root),
            summary: None,
            handbook: None,
            raw_memories: None,
            rollouts: Vec::new(),
            skills: Vec::new(),
            extensions: Vec::new(),
            machinery: Vec::new(),
            other: Vec::new(),
        };
        let (extensions, skill_files) = (BTreeMap::new(), BTreeMap::new());
        Self { world, tree, extensions, skill_files, bytes_read: 0, diagnostics: Vec::new() }
    }

    fn file(&mut self, name: &str, kind: FileKind) {
        let path = self.tree.root.join(name);
        if is_machinery(name) || kind == FileKind::Symlink {
            self.tree.machinery.push(path);
            return;
        }
        let (folder, inner) = name.split_once('/').unwrap_or(("", name));
        let known = match folder {
            "" => matches!(inner, SUMMARY | HANDBOOK | RAW_MEMORIES),
            ROLLOUTS => has_ending(inner, ".md") && !inner.contains('/'),
            "skills" | FOLDER => inner.contains('/'),
            _ => false,
        };
        let of_v1 = folder == "skills" || matches!(name, HANDBOOK | RAW_MEMORIES);
        if !known {
            self.leave(path, Unread::Unknown);
        } else if of_v1 && self.tree.version.version == Some(MemoryVersion::V2) {
            self.leave(path, Unread::OtherTree);
        } else if folder == "skills" && !inner.ends_with("/SKILL.md") {
            self.skill_file(inner);
        } else {
            match self.source(&path, kind) {
                Ok(source) => self.parse(folder, inner, path, source),
                Err(why) => self.leave(path, why),
            }
        }
    }

    fn source(&mut self, path: &AbsPath, kind: FileKind) -> Result<Source, Unread> {
        if kind != FileKind::File {
            return Err(Unread::NotAFile);
        }
        let bytes = self.world.fs.read_up_to(path, MAX_FILE + 1).map_err(Unread::Io)?;
        self.bytes_read += bytes.len();
        if bytes.len() as u64 > MAX_FILE || self.bytes_read > TREE_LIMIT {
            return Err(Unread::TooLarge);
        }
        Ok(Source::new(bytes))
    }

    fn parse(&mut self, folder: &str, inner: &str, path: AbsPath, source: Source) {
        let has_many_lines = source.bytes().len() as u64 > LINES_LIMIT;
        match (folder, inner) {
            ("", RAW_MEMORIES) => {
                let raw = self.take(RawMemories::parse(path, source));
                self.tree.raw_memories = Some(raw);
            }
            ("" | ROLLOUTS, _) if has_many_lines => self.leave(path, Unread::TooLarge),
            ("", HANDBOOK) => {
                let handbook = self.take(Handbook::parse(path, source));
                self.tree.handbook = Some(handbook);
            }
            ("", _) => {
                let summary = self.take(Summary::parse(path, source));
                self.tree.summary = Some(summary);
            }
            (ROLLOUTS, _) => {
                let rollout = self.take(RolloutSummary::parse(path, source));
                self.tree.rollouts.push(rollout);
            }
            ("skills", _) => self.skill(inner, path, source),
            _ => {
                let Some((name, inner)) = inner.split_once('/') else { return };
                let extension = self.extensions.entry(name.to_owned());
                let extension = extension.or_insert_with(|| Extension::new(name));
                extension.add(inner, PlainFile { path, source });
            }
        }
    }

    fn skill(&mut self, inner: &str, path: AbsPath, source: Source) {
        let Some((name, "SKILL.md")) = inner.split_once('/') else {
            self.skill_file(inner);
            return;
        };
        let parsed = Doc::parse(source);
        let diagnostics = parsed.diagnostics.into_iter().map(|diagnostic| diagnostic.at(&path));
        self.diagnostics.extend(diagnostics);
        let name = name.to_owned();
        self.tree.skills.push(MemorySkill { name, path, doc: parsed.value, files: Vec::new() });
    }

    fn skill_file(&mut self, inner: &str) {
        let Some((name, file)) = inner.split_once('/') else { return };
        self.skill_files.entry(name.to_owned()).or_default().extend(RelPath::new(file));
    }

    fn take<T>(&mut self, parsed: Parsed<T>) -> T {
        self.diagnostics.extend(parsed.diagnostics);
        parsed.value
    }

    fn leave(&mut self, path: AbsPath, why: Unread) {
        let message = match &why {
            Unread::Unknown => None,
            Unread::OtherTree => {
                Some("this file belongs to the other memory; v2 does not use it".to_owned())
            }
            Unread::TooLarge => Some("the file is too large to be read".to_owned()),
            Unread::NotAFile => Some("this is no regular file".to_owned()),
            Unread::Io(error) => Some(format!("the file cannot be read: {error}")),
        };
        let code = Code("codex/memory-file-not-read");
        self.diagnostics
            .extend(message.map(|text| Diagnostic::new(code, Severity::Warning, text).at(&path)));
        self.tree.other.push(OtherFile { path, why });
    }

    fn finish(mut self) -> Parsed<MemoryTree> {
        for skill in &mut self.tree.skills {
            skill.files = self.skill_files.remove(&skill.name).unwrap_or_default();
        }
        // Files beside no SKILL.md belong to no skill.
        for (name, files) in std::mem::take(&mut self.skill_files) {
            for file in files {
                let path = self.tree.root.join(format!("skills/{name}/{file}"));
                self.leave(path, Unread::Unknown);
            }
        }
        self.tree.extensions = self.extensions.into_values().collect();
        self.tree.extensions.iter_mut().for_each(Extension::settle);
        Parsed { value: self.tree, diagnostics: self.diagnostics }
    }
}
