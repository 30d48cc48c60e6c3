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

#[test]
fn cost_grows_with_depth_and_not_faster() {
    let at_depth = |depth: usize| {
        let mut fs = repository();
        let cwd = path(&format!("/repo{}", "/d".repeat(depth)));
        fs.dir(cwd.as_str());
        let codex = cost(&fs, |fs| drop(codex(fs, &cwd)));
        let claude = cost(&fs, |fs| drop(claude(fs, &cwd, &[])));
        [codex.0, claude.0]
    };
    let (one, ten, hundred) = (at_depth(1), at_depth(10), at_depth(100));
    for ((one, ten), hundred) in one.into_iter().zip(ten).zip(hundred) {
        let (near, far) = (ten - one, hundred - ten);
        assert!(far <= near * 10, "{one} calls at depth 1, {ten} at 10, {hundred} at 100");
    }
}
