//! The client's folders of projects, and to which paths they belong.

use std::collections::BTreeSet;
use std::ops::ControlFlow;

use memory_core::fs::{FileKind, Fs};
use memory_core::{AbsPath, Error, World};
use serde::de::IgnoredAny;
use serde_json::Value;

use super::place::folders;
use super::read::whole;
use super::state_file;
use crate::memory::slug;
use crate::settings::layout::Layout;

/// How much of a transcript is read for the folder in which it was made, in bytes.
const TRANSCRIPT: usize = 256 * 1024;

/// How many transcripts of one project are looked at.
const MOST_TRANSCRIPTS: usize = 20;

/// How many folders are listed to find paths by their slugs.
pub(super) const MOST_LISTED: usize = 2_000;

/// Where the client keeps what it knows of projects.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Home {
    /// The folder with one folder for each project.
    pub(super) projects: AbsPath,
    /// The file with the client's notes.
    pub(super) state: AbsPath,
}

/// A folder of a project, or a link in the place of one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Stored {
    /// Its name.
    pub(super) name: String,
    /// Whether it is a link.
    pub(super) is_link: bool,
}

/// What the file with the client's notes holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Notes {
    /// There are none.
    Absent,
    /// JSON.
    Text(String),
    /// Something else, and what.
    Unusable(String),
}

impl Home {
    /// The folders of a start.
    pub(super) fn of_start(layout: &Layout) -> Self {
        Self { projects: layout.config.join("projects"), state: layout.state.clone() }
    }

    /// The folders of the environment; a relative one counts from the home.
    pub(super) fn of(world: World<'_>) -> Result<Self, Error> {
        let home = world.env.home.clone().ok_or(Error::HomeUnknown)?;
        Ok(match world.env.var("CLAUDE_CONFIG_DIR") {
            Some(dir) => {
                let dir = home.join(dir);
                Self { projects: dir.join("projects"), state: dir.join(".claude.json") }
            }
            None => {
                Self { projects: home.join(".claude/projects"), state: home.join(".claude.json") }
            }
        })
    }

    /// The names of the folders, sorted.
    pub(super) fn slugs(&self, fs: &dyn Fs) -> Vec<String> {
        folders(fs, &self.projects)
    }

    /// The names of the folders and of links in their place, sorted.
    pub(super) fn stored(&self, fs: &dyn Fs) -> Vec<Stored> {
        let Ok(entries) = fs.read_dir(&self.projects) else { return Vec::new() };
        let stored = entries.flatten().filter_map(|entry| match entry.kind {
            FileKind::Dir => Some(Stored { name: entry.name, is_link: false }),
            FileKind::Symlink => Some(Stored { name: entry.name, is_link: true }),
            FileKind::File | FileKind::Special => None,
        });
        let mut stored: Vec<Stored> = stored.collect();
        stored.sort_by(|a, b| a.name.cmp(&b.name));
        stored
    }

    /// The same places with links on the way resolved, so that they can be written.
    pub(super) fn resolved(self, fs: &dyn Fs) -> Self {
        let real = |path: AbsPath| fs.canonicalize(&path).unwrap_or(path);
        Self { projects: real(self.projects), state: real(self.state) }
    }

    /// The client's notes.
    pub(super) fn notes(&self, fs: &dyn Fs) -> Notes {
        let bytes = match whole(fs, &self.state) {
            Ok(bytes) => bytes,
            Err(error) if error.is_absence() => return Notes::Absent,
            Err(error) => return Notes::Unusable(error.to_string()),
        };
        let Ok(text) = String::from_utf8(bytes) else {
            return Notes::Unusable("it is not valid UTF-8".to_owned());
        };
        let json = text.strip_prefix('\u{feff}').unwrap_or(&text);
        match serde_json::from_str::<IgnoredAny>(json) {
            Ok(_) => Notes::Text(text),
            Err(error) => {
                let line = error.line();
                Notes::Unusable(format!("line {line} is no JSON, in which nothing is a comment"))
            }
        }
    }

    /// The projects that the client's notes name.
    pub(super) fn noted(&self, fs: &dyn Fs) -> Vec<AbsPath> {
        let Notes::Text(text) = self.notes(fs) else { return Vec::new() };
        let keys = state_file::projects(&text).into_iter();
        keys.filter_map(|(key, _)| AbsPath::new(key).ok()).collect()
    }

    /// The paths in which the transcripts of a project's folder were made.
    pub(super) fn transcribed(&self, fs: &dyn Fs, slug: &str) -> BTreeSet<AbsPath> {
        let dir = self.projects.join(slug);
        let Ok(entries) = fs.read_dir(&dir) else { return BTreeSet::new() };
        let is_transcript = |name: &str| name.strip_suffix(".jsonl").is_some();
        let names = entries
            .flatten()
            .filter(|entry| entry.kind == FileKind::File && is_transcript(&entry.name))
            .map(|entry| entry.name);
        names.take(MOST_TRANSCRIPTS).filter_map(|name| cwd_of(fs, &dir.join(name))).collect()
    }
}

/// The folder in which a transcript was made: the first one that a line names.
fn cwd_of(fs: &dyn Fs, path: &AbsPath) -> Option<AbsPath> {
    let mut head: Vec<u8> = Vec::new();
    let mut found = None;
    let mut done = 0;
    let read = fs.read_pieces(path, &mut |piece| {
        head.extend_from_slice(piece);
        while let Some(end) =
            head.get(done..).and_then(|rest| memchr::memchr(b'\n', rest)).map(|at| done + at)
        {
            found = head.get(done..end).and_then(cwd_in_line);
            done = end + 1;
            if found.is_some() {
                return ControlFlow::Break(());
            }
        }
        if head.len() < TRANSCRIPT { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    });
    read.ok()?;
    found.or_else(|| head.get(done..).and_then(cwd_in_line))
}

fn cwd_in_line(line: &[u8]) -> Option<AbsPath> {
    memchr::memmem::find(line, b"\"cwd\"")?;
    let record: Value = serde_json::from_slice(line).ok()?;
    AbsPath::new(record.get("cwd")?.as_str()?).ok()
}

/// What looking for the paths of a slug gave.
pub(super) struct Candidates {
    /// Existing folders whose name as a project is the slug.
    pub(super) found: Vec<AbsPath>,
    /// Whether everything was looked at.
    pub(super) complete: bool,
}

/// The existing folders that have this slug, found by walking down where names fit.
///
/// At most `left` folders are listed; what is left of that is kept for the next.
pub(super) fn existing(fs: &dyn Fs, wanted: &str, left: &mut usize) -> Candidates {
    let mut candidates = Candidates { found: Vec::new(), complete: true };
    let mut open = vec![AbsPath::root()];
    while let Some(dir) = open.pop() {
        let Some(rest) = left.checked_sub(1) else {
            candidates.complete = false;
            break;
        };
        *left = rest;
        let Ok(entries) = fs.read_dir(&dir) else {
            candidates.complete = false;
            continue;
        };
        for entry in entries.flatten() {
            if entry.kind != FileKind::Dir {
                continue;
            }
            let path = dir.join(&entry.name);
            let own = slug(&path.to_string());
            if own == wanted {
                candidates.found.push(path);
            } else if goes_on(&own, wanted) {
                open.push(path);
            }
        }
    }
    candidates
}

/// Whether a folder of the wanted slug can lie below one with this slug.
fn goes_on(own: &str, wanted: &str) -> bool {
    // A long slug is cut: what lies deeper shares its beginning.
    let shared = own.get(..own.len().min(200)).unwrap_or(own);
    match wanted.strip_prefix(shared) {
        Some(rest) => rest.starts_with('-'),
        None => false,
    }
}

#[cfg(test)]
mod tests {
    use memory_core::fs::MemFs;

    use super::*;

    #[test]
    fn a_slug_leads_to_the_folders_that_have_it() {
        let mut fs = MemFs::new();
        for dir in ["/home/mio/a.b/x", "/home/mio/a_b", "/home/mio/a/b", "/home/other"] {
            fs.dir(dir);
        }
        let mut found: Vec<String> =
            existing(&fs, "-home-mio-a-b", &mut 99).found.iter().map(ToString::to_string).collect();
        found.sort();
        assert_eq!(found, ["/home/mio/a.b", "/home/mio/a/b", "/home/mio/a_b"]);
        let none = existing(&fs, "-home-mio-gone", &mut 99);
        assert!(none.found.is_empty() && none.complete);
    }

    #[test]
    fn a_transcript_tells_its_folder_wherever_it_says_so() {
        let text =
            "{\"type\":\"mode\"}\nbroken \"cwd\"\n{\"a\":1,\"cwd\":\"/w/日本\"}\n{\"cwd\":\"/no\"}";
        let fs = MemFs::from_files([("/t.jsonl", text), ("/u.jsonl", "{\"cwd\":\"/last\"}")]);
        let cwd = |name: &str| cwd_of(&fs, &AbsPath::root().join(name)).map(|it| it.to_string());
        assert_eq!(cwd("t.jsonl").as_deref(), Some("/w/日本"));
        assert_eq!(cwd("u.jsonl").as_deref(), Some("/last"));
        assert_eq!(cwd("none"), None);
    }
}
