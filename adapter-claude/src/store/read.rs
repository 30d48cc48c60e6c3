//! Reading a memory folder.

use memory_core::fs::{FileKind, Fs, IoError, MAX_READ, Metadata};
use memory_core::{AbsPath, Code, Diagnostic, Parsed, Severity, counted};

use super::{IndexFile, Store, StorePlace, TopicFile, TopicLayout};
use crate::memory::{INDEX, is_markdown};

/// The file in which people put away what an index no longer lists.
pub(super) const ARCHIVE: &str = "MEMORY_ARCHIVED.md";

/// The largest file that is read, in bytes.
pub(super) const MAX_LEN: u64 = MAX_READ;

/// How much of a topic is read at all, and the largest index that is changed, in bytes.
pub(super) const MAX_TOPIC: u64 = 16 * 1024 * 1024;

/// How much of a topic is read for its frontmatter, in bytes.
pub(super) const HEAD: u64 = 16 * 1024;

/// How many files of a folder are looked at.
const MOST_FILES: usize = 200_000;

/// How many folders may lie in each other.
const DEEPEST: usize = 64;

/// How much of each topic is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Depth {
    /// The beginning: enough for the frontmatter.
    Head,
    /// All of it.
    Whole,
}

/// Reads a folder; one that is not there is an empty store.
pub(super) fn read(fs: &dyn Fs, place: StorePlace, depth: Depth) -> Parsed<Store> {
    let mut topics = Vec::new();
    let mut parsed = visit(fs, place, depth, &mut |_, topic| topics.push(topic));
    parsed.value.topics = topics;
    parsed
}

/// Reads a folder and hands its topics over one by one, with all but the topics
/// of the store, so that not all need be held.
pub(super) fn visit(
    fs: &dyn Fs,
    place: StorePlace,
    depth: Depth,
    each: &mut dyn FnMut(&Store, TopicFile),
) -> Parsed<Store> {
    let mut reader = Reader { fs, depth, root: place.root.clone(), told: Vec::new() };
    let archive = reader.index(ARCHIVE);
    // What is in use depends on the index only where something is put away.
    let needs_index = depth == Depth::Whole || archive.is_some() || place.agent.is_some();
    let index = needs_index.then(|| reader.index(INDEX)).flatten();
    let (files, others) = reader.files();
    let value = Store { place, index, archive, topics: Vec::new(), others };
    for path in files {
        if let Some(topic) = reader.topic(path) {
            each(&value, topic);
        }
    }
    Parsed { value, diagnostics: reader.told }
}

struct Reader<'a> {
    fs: &'a dyn Fs,
    depth: Depth,
    root: AbsPath,
    told: Vec<Diagnostic>,
}

impl Reader<'_> {
    fn index(&mut self, name: &str) -> Option<IndexFile> {
        let path = self.root.join(name);
        match whole(self.fs, &path) {
            Ok(bytes) => {
                if std::str::from_utf8(&bytes).is_err() {
                    self.told.push(not_utf8(&path));
                }
                Some(IndexFile::parse(path, bytes))
            }
            Err(error) if error.is_absence() => None,
            Err(error) => {
                self.unreadable(&path, &error);
                None
            }
        }
    }

    /// The topic files, and the files that are something else, both by path.
    fn files(&mut self) -> (Vec<AbsPath>, Vec<AbsPath>) {
        let (mut files, mut others) = (Vec::new(), Vec::new());
        let mut folders = vec![(self.root.clone(), 0)];
        while let Some((folder, depth)) = folders.pop() {
            let entries = match self.fs.read_dir(&folder) {
                Ok(entries) => entries,
                Err(error) => {
                    if !(error.is_absence() && folder == self.root) {
                        self.unreadable(&folder, &error);
                    }
                    continue;
                }
            };
            for entry in entries.flatten() {
                if files.len() + others.len() >= MOST_FILES {
                    self.told.push(too_many(&self.root));
                    folders.clear();
                    break;
                }
                let path = folder.join(&entry.name);
                let hidden = entry.name.starts_with('.');
                let is_special = folder == self.root && [INDEX, ARCHIVE].contains(&&*entry.name);
                match entry.kind {
                    _ if is_special => {}
                    FileKind::Dir if !hidden && depth < DEEPEST => folders.push((path, depth + 1)),
                    FileKind::File if !hidden && is_markdown(&entry.name) => files.push(path),
                    FileKind::Symlink if !hidden && self.leads_to_a_topic(&path) => {
                        files.push(path);
                    }
                    _ => others.push(path),
                }
            }
        }
        files.sort();
        others.sort();
        (files, others)
    }

    fn leads_to_a_topic(&self, path: &AbsPath) -> bool {
        path.file_name().is_some_and(is_markdown)
            && self.fs.metadata(path).as_ref().is_ok_and(Metadata::is_file)
    }

    fn topic(&mut self, path: AbsPath) -> Option<TopicFile> {
        let limit = if self.depth == Depth::Head { HEAD } else { MAX_TOPIC };
        let read = self.fs.read_with_metadata(&path, limit);
        let (found, bytes) = match read {
            Ok(read) => read,
            Err(error) => {
                self.unreadable(&path, &error);
                return None;
            }
        };
        let is_cut = (bytes.len() as u64) < found.len;
        let below = path.strip_prefix(&self.root).unwrap_or_default().to_owned();
        let mut topic = TopicFile::parse(path, below, bytes);
        let opens = topic.layout == TopicLayout::Plain && topic.opens_a_header();
        if is_cut && opens && self.depth == Depth::Head {
            // The frontmatter is longer than usual: read on.
            if let Ok(bytes) = self.fs.read_up_to(&topic.path, MAX_TOPIC) {
                topic = TopicFile::parse(topic.path, topic.below, bytes);
            }
        }
        if is_cut && self.depth == Depth::Whole {
            self.told.push(too_large(&topic.path));
        }
        if !is_cut && !topic.is_utf8() {
            self.told.push(not_utf8(&topic.path));
        }
        topic.bytes = found.len;
        topic.modified = found.modified;
        if topic.layout == TopicLayout::Unreadable {
            self.told.push(unreadable_header(&topic.path));
        }
        Some(topic)
    }

    fn unreadable(&mut self, path: &AbsPath, error: &IoError) {
        let message = format!("it cannot be read: {error}");
        let told = Diagnostic::new(Code("claude/memory-unreadable"), Severity::Warning, message);
        self.told.push(told.at(path).help("the rest of the folder was read without it"));
    }
}

/// All bytes of a file; one that is too large is refused.
pub(super) fn whole(fs: &dyn Fs, path: &AbsPath) -> Result<Vec<u8>, IoError> {
    let found = fs.metadata(path)?;
    if found.is_file() && found.len > MAX_LEN {
        let message = "it is larger than 64 MiB";
        return Err(IoError::in_words(message));
    }
    fs.read_up_to(path, MAX_LEN)
}

fn not_utf8(path: &AbsPath) -> Diagnostic {
    let told =
        Diagnostic::new(Code("core/not-utf8"), Severity::Warning, "the file is not valid UTF-8");
    told.at(path).help("save it as UTF-8; invalid bytes are shown as U+FFFD")
}

fn too_large(path: &AbsPath) -> Diagnostic {
    let message = format!("only the first {} of it were read", counted(MAX_TOPIC, "byte"));
    let told = Diagnostic::new(Code("claude/memory-too-large"), Severity::Warning, message);
    told.at(path).help("no model reads a topic of that size: split it up, or move it away")
}

fn too_many(root: &AbsPath) -> Diagnostic {
    let message = format!("only the first {MOST_FILES} files were looked at");
    Diagnostic::new(Code("claude/memory-too-many-files"), Severity::Warning, message).at(root)
}

fn unreadable_header(path: &AbsPath) -> Diagnostic {
    let told = Diagnostic::new(
        Code("claude/memory-frontmatter-unreadable"),
        Severity::Warning,
        "the client cannot read this frontmatter: the topic has no name, type and description",
    );
    told.at(path).on_line(2).help("put values with `: `, `#` or quotes in them into double quotes")
}
