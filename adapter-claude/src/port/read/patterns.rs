//! What the patterns of a rule come down to.

use memory_core::AbsPath;
use memory_core::fs::{FileKind, Fs};
use memory_core::model::PathPatterns;

use super::walk::Tree;
use crate::port::ground::Ground;
use crate::rules::{Globs, Patterns};

/// What patterns that count from `base` match in the project.
///
/// Those of the person's own rules count from wherever a session is started:
/// `is_bound` is false for them, and they mean no folder.
pub(super) fn patterns(
    ground: &Ground<'_>,
    tree: &Tree,
    patterns: &Patterns,
    base: &AbsPath,
    is_bound: bool,
) -> PathPatterns {
    let fs = ground.context.unrecorded;
    let parts: Vec<Part> = patterns.list.iter().filter_map(|one| Part::of(one)).collect();
    let mut found =
        PathPatterns { patterns: patterns.written.clone(), folder: None, within: base.clone() };
    if !is_bound || parts.is_empty() {
        return found;
    }
    let places: Vec<AbsPath> = parts.iter().map(|part| part.within(fs, base)).collect();
    if let Some(first) = places.first() {
        found.within = places.iter().fold(first.clone(), |one, other| common(&one, other));
    }
    let has_exceptions = patterns.list.iter().any(|pattern| pattern.starts_with('!'));
    if !has_exceptions {
        let whole = parts.iter().map(|part| part.whole(fs, tree, base));
        let whole: Vec<Option<AbsPath>> = whole.collect();
        let holds_all = |folder: &&AbsPath| {
            whole
                .iter()
                .zip(&places)
                .all(|(whole, within)| whole.as_ref().unwrap_or(within).starts_with(folder))
        };
        let folder = whole.iter().flatten().find(holds_all).cloned();
        found.folder = folder.filter(|folder| is_matched(patterns, base, folder));
        if let Some(folder) = &found.folder {
            found.within = folder.clone();
        }
    }
    found
}

/// Whether the patterns match what lies in a folder.
fn is_matched(patterns: &Patterns, base: &AbsPath, folder: &AbsPath) -> bool {
    let globs: Globs = patterns.globs();
    let file = folder.join("a.b");
    let deep = folder.join("c/d/e");
    [file, deep]
        .iter()
        .all(|file| file.strip_prefix(base).is_some_and(|below| globs.matches(below)))
}

/// The innermost folder that holds both.
fn common(one: &AbsPath, other: &AbsPath) -> AbsPath {
    one.ancestors().find(|dir| other.starts_with(dir)).unwrap_or_else(AbsPath::root)
}

/// A pattern, taken apart.
struct Part {
    /// Its names; the last `*` of one that matches all in a folder is left out.
    names: Vec<String>,
    /// Whether it may begin in any folder.
    floats: bool,
    /// Whether it means all that lies in the folder of its names.
    all_in: bool,
}

impl Part {
    /// Takes a pattern apart; `None` for one that matches nothing.
    fn of(pattern: &str) -> Option<Self> {
        if pattern.starts_with('!') || Globs::new(&[pattern.to_owned()]).is_empty() {
            return None;
        }
        let pattern = pattern.trim_end();
        let body = pattern.strip_suffix('/').unwrap_or(pattern);
        let rooted = body.starts_with('/');
        let body = body.strip_prefix('/').unwrap_or(body);
        let mut names: Vec<&str> = body.split('/').collect();
        if names.iter().any(|name| matches!(*name, "" | "." | "..")) {
            return None;
        }
        let mut floats = !rooted && names.len() == 1;
        while let Some(rest) = names.strip_prefix(&["**"]) {
            floats = true;
            names = rest.to_vec();
        }
        let is_star = |name: &&str| name.chars().all(|c| c == '*');
        let mut all_in = false;
        while names.last().is_some_and(is_star) {
            names.pop();
            all_in = true;
        }
        floats &= !(all_in && names.is_empty());
        Some(Self { names: names.into_iter().map(str::to_owned).collect(), floats, all_in })
    }

    /// The only folder of which it matches every file and nothing else, or `None`.
    fn whole(&self, fs: &dyn Fs, tree: &Tree, base: &AbsPath) -> Option<AbsPath> {
        if !self.names.iter().all(|name| is_literal(name)) {
            return None;
        }
        match (self.names.as_slice(), self.floats) {
            ([], _) => self.all_in.then(|| base.clone()),
            ([name], true) => tree.only_named(name, base),
            (_, true) => None,
            (names, false) => names.iter().try_fold(base.clone(), |dir, name| only(fs, &dir, name)),
        }
    }

    /// The innermost folder that is there and holds all that it can match.
    fn within(&self, fs: &dyn Fs, base: &AbsPath) -> AbsPath {
        if self.floats {
            return base.clone();
        }
        let mut dir = base.clone();
        for name in self.names.iter().take_while(|name| is_literal(name)) {
            match only(fs, &dir, name) {
                Some(below) => dir = below,
                None => break,
            }
        }
        dir
    }
}

fn is_literal(name: &str) -> bool {
    !name.contains(['*', '?', '[', ']', '\\'])
}

/// The only folder of a name, in any case, in a folder; `None` when it is not
/// there, is a link, or another one has the same name in another case.
fn only(fs: &dyn Fs, dir: &AbsPath, name: &str) -> Option<AbsPath> {
    let mut same = fs.read_dir(dir).ok()?.flatten().filter(|entry| is_same(&entry.name, name));
    let found = same.next()?;
    (same.next().is_none() && found.kind == FileKind::Dir).then(|| dir.join(&found.name))
}

/// Whether two names differ at most in their case.
fn is_same(one: &str, other: &str) -> bool {
    if one.is_ascii() && other.is_ascii() {
        return one.eq_ignore_ascii_case(other);
    }
    one.to_lowercase() == other.to_lowercase()
}
