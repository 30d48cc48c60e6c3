//! Cost in calls and listed names, which do not depend on the machine.

use std::cell::Cell;
use std::ops::ControlFlow;

use memory_core::AbsPath;
use memory_core::fs::{DirEntries, Fs, IoError, MemFs, Metadata, Recorder};

use super::{claude, codex, path, repository};

/// Counts the names that are taken from listings.
struct Names<'a> {
    inner: &'a MemFs,
    count: Cell<u64>,
}

impl Fs for Names<'_> {
    fn metadata(&self, path: &AbsPath) -> Result<Metadata, IoError> {
        self.inner.metadata(path)
    }

    fn symlink_metadata(&self, path: &AbsPath) -> Result<Metadata, IoError> {
        self.inner.symlink_metadata(path)
    }

    fn read_link(&self, path: &AbsPath) -> Result<String, IoError> {
        self.inner.read_link(path)
    }

    fn read_dir(&self, path: &AbsPath) -> Result<DirEntries<'_>, IoError> {
        let names = self.inner.read_dir(path)?;
        Ok(Box::new(names.inspect(|_| self.count.set(self.count.get() + 1))))
    }

    fn canonicalize(&self, path: &AbsPath) -> Result<AbsPath, IoError> {
        self.inner.canonicalize(path)
    }

    fn read_pieces(
        &self,
        path: &AbsPath,
        visit: &mut dyn FnMut(&[u8]) -> ControlFlow<()>,
    ) -> Result<(), IoError> {
        self.inner.read_pieces(path, visit)
    }
}

/// A repository with so many files beside the chain and below it.
fn with_files(count: usize) -> MemFs {
    let mut fs = repository();
    for folder in ["/repo", "/repo/a", "/repo/a/b"] {
        fs.file(format!("{folder}/AGENTS.md"), "agents\n");
        fs.file(format!("{folder}/CLAUDE.md"), "claude\n");
        for at in 0..count / 5 {
            fs.file(format!("{folder}/file{at}.rs"), "");
        }
    }
    for at in 0..count / 5 {
        fs.file(format!("/repo/a/b/c/file{at}.rs"), "");
        fs.file(format!("/repo/other{at}/file.rs"), "");
    }
    fs
}

/// The calls and the listed names that an answer took.
fn cost(fs: &MemFs, answer: impl Fn(&dyn Fs)) -> (u64, u64) {
    let names = Names { inner: fs, count: Cell::new(0) };
    let seen = Recorder::new(&names);
    answer(&seen);
    (seen.calls(), names.count.get())
}

#[test]
fn files_beside_the_chain_cost_nothing() {
    let (few, many) = (with_files(50), with_files(50_000));
    let cwd = path("/repo/a/b");
    let answer = |fs: &dyn Fs| drop(codex(fs, &cwd));
    assert_eq!(cost(&few, answer), cost(&many, answer));
    let touched = [path("/repo/a/b/c/file1.rs")];
    let answer = |fs: &dyn Fs| drop(claude(fs, &cwd, &touched));
    assert_eq!(cost(&few, answer), cost(&many, answer));
}

/// Counts what an answer would ask of the system: each question as many times
/// as the real file system needs calls for it.
struct Calls<'a> {
    inner: &'a MemFs,
    count: Cell<u64>,
}

impl Calls<'_> {
    fn add(&self, calls: usize) {
        self.count.set(self.count.get() + calls as u64);
    }
}

impl Fs for Calls<'_> {
    fn metadata(&self, path: &AbsPath) -> Result<Metadata, IoError> {
        self.add(1);
        self.inner.metadata(path)
    }

    fn symlink_metadata(&self, path: &AbsPath) -> Result<Metadata, IoError> {
        self.add(1);
        self.inner.symlink_metadata(path)
    }

    fn read_link(&self, path: &AbsPath) -> Result<String, IoError> {
        self.add(1);
        self.inner.read_link(path)
    }

    /// Opening, a look, two listings, closing.
    fn read_dir(&self, path: &AbsPath) -> Result<DirEntries<'_>, IoError> {
        let entries = self.inner.read_dir(path);
        self.add(if entries.is_ok() { 5 } else { 1 });
        entries
    }

    /// A look at each name of the path.
    fn canonicalize(&self, path: &AbsPath) -> Result<AbsPath, IoError> {
        self.add(path.parts().count().max(1));
        self.inner.canonicalize(path)
    }

    /// A look, opening, another look, reading to the end, closing.
    fn read_pieces(
        &self,
        path: &AbsPath,
        visit: &mut dyn FnMut(&[u8]) -> ControlFlow<()>,
    ) -> Result<(), IoError> {
        let read = self.inner.read_pieces(path, visit);
        self.add(if read.is_ok() { 6 } else { 1 });
        read
    }

    fn read_with_metadata(
        &self,
        path: &AbsPath,
        limit: u64,
    ) -> Result<(Metadata, Vec<u8>), IoError> {
        let read = self.inner.read_with_metadata(path, limit);
        self.add(if read.is_ok() { 5 } else { 1 });
        read
    }

    fn read_known_file(&self, path: &AbsPath, limit: u64) -> Result<(Metadata, Vec<u8>), IoError> {
        self.add(4);
        self.inner.read_with_metadata(path, limit)
    }
}

fn calls(fs: &MemFs, answer: impl Fn(&dyn Fs)) -> u64 {
    let seen = Calls { inner: fs, count: Cell::new(0) };
    answer(&seen);
    seen.count.get()
}

#[test]
fn a_level_of_depth_costs_the_same_however_deep_it_is() {
    let at_depth = |depth: usize| {
        let mut fs = repository();
        let cwd = path(&format!("/repo{}", "/d".repeat(depth)));
        fs.dir(cwd.as_str());
        let codex = calls(&fs, |fs| drop(codex(fs, &cwd)));
        let claude = calls(&fs, |fs| drop(claude(fs, &cwd, &[])));
        [codex, claude]
    };
    let depths = [10, 40, 100, 200];
    let found = depths.map(at_depth);
    for (pair, levels) in found.windows(2).zip([30, 60, 100]) {
        for (near, far) in pair[0].into_iter().zip(pair[1]) {
            assert!(far - near <= 8 * levels, "{found:?} calls at depths {depths:?}");
        }
    }
}

/// 200 rules and 100 skills for each client.
fn big_project() -> MemFs {
    let mut fs = repository();
    fs.file("/repo/AGENTS.md", "agents\n").file("/repo/CLAUDE.md", "claude\n");
    for at in 0..200 {
        let rule = format!("---\npaths: src/m{at}/**\n---\n{}", "A sentence.\n".repeat(20));
        fs.file(format!("/repo/.claude/rules/r{at}.md"), rule);
        fs.file(format!("/repo/src/m{at}/lib.rs"), "");
    }
    for at in 0..100 {
        let skill = format!("---\nname: s{at}\ndescription: does thing {at}\n---\nDo it.\n");
        for folder in [".claude", ".agents"] {
            fs.file(format!("/repo/{folder}/skills/s{at}/SKILL.md"), &skill);
        }
    }
    fs
}

#[test]
fn a_rule_and_a_skill_cost_few_calls_and_files_that_nothing_names_none() {
    let mut fs = big_project();
    let cwd = path("/repo");
    let found = |fs: &MemFs| {
        let codex = calls(fs, |fs| drop(codex(fs, &cwd)));
        [codex, calls(fs, |fs| drop(claude(fs, &cwd, &[])))]
    };
    let few = found(&fs);
    assert!(few[0] <= 1_100 && few[1] <= 1_700, "{few:?} calls");
    for at in 0..50_000 {
        fs.file(format!("/repo/data/f{at}"), "");
    }
    assert_eq!(found(&fs), few);
}
