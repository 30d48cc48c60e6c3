//! Adding a memory: a topic file, and its line in the index.

use std::time::SystemTime;

use memory_core::doc::{Source, elision};
use memory_core::fs::{FileKind, Fs, IoError};
use memory_core::plan::{Change, WritePlan};
use memory_core::{AbsPath, Code, Diagnostic, Error, PathRole, Severity, World};

use super::alike::{Said, Similar, alike};
use super::compose::Draft;
use super::headline::says_something;
use super::insert::inserted;
use super::read::{MAX_TOPIC, whole};
use super::{IndexFile, TopicFile};
use crate::claude::Claude;
use crate::memory::{INDEX, rebuild, shown_index, visible};
use crate::profile::Profile;
use crate::text::frontmatter::is_space;

/// Something to remember.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct NewMemory {
    /// What is to be remembered.
    pub fact: String,
    /// Why it is so.
    pub why: Option<String>,
    /// What follows from it.
    pub how_to_apply: Option<String>,
    /// Where it comes from.
    pub source: Option<String>,
    /// Its type, `user`, `feedback`, `project` or `reference`; the client takes
    /// any word. `None` stands for `project`.
    pub type_name: Option<String>,
    /// What it is called, in any language; made of the fact for `None`.
    pub name: Option<String>,
    /// One line that says when it matters; made of the fact for `None`.
    pub description: Option<String>,
    /// The text of the topic file instead of the fact.
    pub body: Option<String>,
    /// When it is added.
    pub time: SystemTime,
    /// The session that adds it; `None` when no session does.
    pub session: Option<String>,
}

impl NewMemory {
    /// A fact and nothing beside it.
    pub fn new(fact: impl Into<String>, time: SystemTime) -> Self {
        Self {
            fact: fact.into(),
            why: None,
            how_to_apply: None,
            source: None,
            type_name: None,
            name: None,
            description: None,
            body: None,
            time,
            session: None,
        }
    }
}

/// What adding a memory would do.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Addition {
    /// What would be written; empty when the memory and its index line are there.
    pub plan: WritePlan,
    /// Its topic file.
    pub file: AbsPath,
    /// Its name.
    pub name: String,
    /// Whether the topic file is there already and at most its index line is not.
    pub known: bool,
    /// Memories that say nearly the same; none when this very one is there already.
    pub similar: Vec<Similar>,
    /// What is worth telling.
    pub diagnostics: Vec<Diagnostic>,
}

impl Claude {
    /// Plans a new memory in a memory folder, which need not be there.
    ///
    /// The topic file gets the layout that the client itself would give it. The
    /// same memory, by name and text, is never added twice: where its index line
    /// is gone, only that comes back, so that adding again heals what another
    /// program's rewriting of the index lost. Another memory with the same name
    /// gets a number.
    ///
    /// Looks at the index, at files of that name, and at the descriptions of few
    /// topics that the index says nothing of, however large the folder.
    ///
    /// Errors when no text holds anything to be read, when a text stands for
    /// something left out, or when the index cannot be read or is a link.
    pub fn plan_add(
        &self,
        world: World<'_>,
        root: &AbsPath,
        memory: &NewMemory,
    ) -> Result<Addition, Error> {
        let fs = world.fs;
        let (root, writable) = real_root(fs, root)?;
        refuse_elisions(&root, memory)?;
        let draft = Draft::of(memory);
        if !says_something(&visible(&draft.body)) {
            return Err(Error::Blank);
        }
        let (name, known) = free_name(fs, &root, &draft)?;
        let file = root.join(format!("{name}.md"));
        let mut addition = Addition {
            plan: WritePlan::new([writable]),
            file: file.clone(),
            name: name.clone(),
            known,
            similar: Vec::new(),
            diagnostics: Vec::new(),
        };
        if !known {
            addition.plan.add(Change::create(file, draft.topic(&self.profile, &name)))?;
        }
        self.plan_line(fs, &root, &draft, &mut addition)?;
        Ok(addition)
    }

    /// Puts the line into the index, unless it is named there.
    fn plan_line(
        &self,
        fs: &dyn Fs,
        root: &AbsPath,
        draft: &Draft<'_>,
        addition: &mut Addition,
    ) -> Result<(), Error> {
        let path = root.join(INDEX);
        refuse_link(fs, &path)?;
        let line = draft.line(&addition.name);
        if fs.metadata(&path).is_ok_and(|found| found.is_file() && found.len > MAX_TOPIC) {
            return Err(Error::TooLarge { path, limit: MAX_TOPIC });
        }
        let before = match whole(fs, &path) {
            Ok(bytes) => Some(bytes),
            Err(error) if error.is_absence() => None,
            Err(source) => return Err(Error::Io { path, source }),
        };
        // The client writes a missing index anew; one with a single line would
        // hide all other topics from it.
        let rebuilt = match &before {
            None if self.profile.memory.rebuilds_index => rebuild(fs, &self.profile, root),
            _ => None,
        };
        let rebuilt = rebuilt.map(|index| index.content.into_bytes()).unwrap_or_default();
        let index = IndexFile::parse(path.clone(), before.clone().unwrap_or(rebuilt));
        if !addition.known {
            addition.similar = alike(fs, root, &index, &Said::of(draft.memory, draft));
        }
        // A line that somebody hid in a comment counts for a topic that is there.
        let file = format!("{}.md", addition.name);
        let mut named = index.lines_naming(&file, &addition.name).into_iter();
        if named.any(|line| addition.known || line.is_visible()) {
            return Ok(());
        }
        let bytes = inserted(&index, draft.type_name, &line);
        if !is_shown(&self.profile, &bytes, &addition.name) {
            addition.diagnostics.push(beyond_the_cut(&path));
        }
        addition.plan.add(match before {
            Some(before) => Change::replace(path, &before, bytes),
            None => Change::create(path, bytes),
        })
    }
}

/// The folder with links resolved, and the innermost folder that is there.
pub(super) fn real_root(fs: &dyn Fs, root: &AbsPath) -> Result<(AbsPath, AbsPath), Error> {
    for dir in root.ancestors() {
        match fs.canonicalize(&dir) {
            Ok(real) => {
                let below = root.strip_prefix(&dir).unwrap_or_default();
                let is_dir = fs.metadata(&real).is_ok_and(|found| found.is_dir());
                if !is_dir {
                    return Err(Error::NotADirectory { what: PathRole::MemoryFolder, path: dir });
                }
                return Ok((real.join(below), real));
            }
            Err(error) if error.is_absence() => {
                if let Some(target) = link_target(fs, &dir) {
                    return Err(Error::DanglingLink { path: dir, target });
                }
            }
            Err(source) => return Err(Error::Io { path: dir, source }),
        }
    }
    Ok((root.clone(), AbsPath::root()))
}

/// Refuses a file that is a link: it is not written through.
fn refuse_link(fs: &dyn Fs, path: &AbsPath) -> Result<(), Error> {
    let Some(target) = link_target(fs, path) else { return Ok(()) };
    let path = path.clone();
    Err(match fs.metadata(&path) {
        Err(error) if error.is_absence() => Error::DanglingLink { path, target },
        _ => Error::ThroughLink { link: path.clone(), path },
    })
}

/// Where a link leads, as it is written in it; `None` for anything else.
fn link_target(fs: &dyn Fs, path: &AbsPath) -> Option<String> {
    let found = fs.symlink_metadata(path).ok().filter(|found| found.kind == FileKind::Symlink);
    found.and_then(|_| fs.read_link(path).ok())
}

fn refuse_elisions(root: &AbsPath, memory: &NewMemory) -> Result<(), Error> {
    let texts = [
        Some(&memory.fact),
        memory.why.as_ref(),
        memory.how_to_apply.as_ref(),
        memory.source.as_ref(),
        memory.type_name.as_ref(),
        memory.name.as_ref(),
        memory.description.as_ref(),
        memory.body.as_ref(),
    ];
    match texts.into_iter().flatten().find_map(|text| elision(text)) {
        Some((line, words)) => {
            Err(Error::Elision { path: root.clone(), line, words: words.to_owned() })
        }
        None => Ok(()),
    }
}

/// How many numbers are tried one after the other before they are taken in leaps.
const NUMBERS_IN_TURN: u32 = 64;

/// A name whose file is free, or is this very memory already.
fn free_name(fs: &dyn Fs, root: &AbsPath, draft: &Draft<'_>) -> Result<(String, bool), Error> {
    let mut number = 1;
    loop {
        let name = draft.numbered(number);
        let path = root.join(format!("{name}.md"));
        match fs.symlink_metadata(&path) {
            Err(error) if error.is_absence() => return Ok((name, false)),
            Err(source) => return Err(Error::Io { path, source }),
            Ok(_) if is_same(fs, &path, &draft.body) => return Ok((name, true)),
            Ok(_) => {}
        }
        number = if number < NUMBERS_IN_TURN { number + 1 } else { number.saturating_mul(2) };
        if number == u32::MAX {
            return Err(Error::AlreadyExists { path });
        }
    }
}

/// Whether a topic says just this, whatever its frontmatter says by now.
fn is_same(fs: &dyn Fs, path: &AbsPath, body: &str) -> bool {
    let read = || -> Result<Vec<u8>, IoError> {
        let found = fs.metadata(path)?;
        if found.len < body.len() as u64 / 2 { Ok(Vec::new()) } else { whole(fs, path) }
    };
    read().is_ok_and(|bytes| {
        let topic = TopicFile::parse(path.clone(), String::new(), bytes);
        let text = topic.body().0.replace("\r\n", "\n");
        text.trim_matches(is_space) == body.trim_matches(is_space)
    })
}

/// Whether a model sees the line of a topic.
fn is_shown(profile: &Profile, bytes: &[u8], name: &str) -> bool {
    let (lines, units) = (profile.memory.index_lines, profile.memory.index_units);
    if bytes.len() <= units && memchr::memchr_iter(b'\n', bytes).count() < lines {
        return true;
    }
    let link = format!("({name}.md)");
    if is_beyond(bytes, &link, lines) {
        return false;
    }
    let text = Source::new(bytes).text().into_owned();
    shown_index(profile, &text).content.unwrap_or_default().contains(&link)
}

/// Whether a link certainly stands behind so many lines that load: without
/// comments and frontmatter nothing but blanks at the start counts for no line.
fn is_beyond(bytes: &[u8], link: &str, lines: usize) -> bool {
    let Some(before) = memchr::memmem::find(bytes, link.as_bytes()).and_then(|at| bytes.get(..at))
    else {
        return false;
    };
    let start = before.iter().position(u8::is_ascii_alphanumeric).unwrap_or(before.len());
    let is_simple = memchr::memmem::find(before, b"<!--").is_none()
        && memchr::memmem::find(before.get(..start).unwrap_or_default(), b"---").is_none();
    let text = before.get(start..).unwrap_or_default();
    is_simple && memchr::memchr_iter(b'\n', text).count() >= lines
}

fn beyond_the_cut(path: &AbsPath) -> Diagnostic {
    let message = "the new line stands beyond the part of the index that loads: no model sees it";
    Diagnostic::new(Code("claude/memory-entry-beyond-cut"), Severity::Warning, message)
        .at(path)
        .help("shorten or merge lines of the index, or put away what is no longer needed")
}

#[cfg(test)]
mod tests;
