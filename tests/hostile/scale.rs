//! Very many of everything.

use std::ops::ControlFlow;

use adapter_claude::Claude;
use adapter_codex::Codex;
use memory_core::fs::{DirEntries, DirEntry, FileKind, Fs, IoError, MemFs, Metadata};
use memory_core::plan::{Journal, apply};
use memory_core::port::{PortPlace, PortRequest, port};
use memory_core::{AbsPath, Env, World};

use super::{PATIENCE, both_answer, claude, codex, in_good_time, path, repository};

/// A file system in which one folder holds a million files that exist only by name.
struct Crowd {
    inner: MemFs,
    folder: AbsPath,
}

const MILLION: u32 = 1_000_000;

impl Crowd {
    fn is_in_it(&self, path: &AbsPath) -> bool {
        path.parent().as_ref() == Some(&self.folder) && self.inner.symlink_metadata(path).is_err()
    }

    fn nobody() -> Metadata {
        Metadata { kind: FileKind::File, len: 0, modified: None, mode: None }
    }
}

impl Fs for Crowd {
    fn metadata(&self, path: &AbsPath) -> Result<Metadata, IoError> {
        if self.is_in_it(path) { Ok(Self::nobody()) } else { self.inner.metadata(path) }
    }

    fn symlink_metadata(&self, path: &AbsPath) -> Result<Metadata, IoError> {
        if self.is_in_it(path) { Ok(Self::nobody()) } else { self.inner.symlink_metadata(path) }
    }

    fn read_link(&self, path: &AbsPath) -> Result<String, IoError> {
        self.inner.read_link(path)
    }

    fn read_dir(&self, path: &AbsPath) -> Result<DirEntries<'_>, IoError> {
        if *path != self.folder {
            return self.inner.read_dir(path);
        }
        let name = |at| DirEntry { name: format!("f{at:07}.txt"), kind: FileKind::File };
        Ok(Box::new((0..MILLION).map(move |at| Ok(name(at)))))
    }

    fn canonicalize(&self, path: &AbsPath) -> Result<AbsPath, IoError> {
        if self.is_in_it(path) { Ok(path.clone()) } else { self.inner.canonicalize(path) }
    }

    fn read_pieces(
        &self,
        path: &AbsPath,
        visit: &mut dyn FnMut(&[u8]) -> ControlFlow<()>,
    ) -> Result<(), IoError> {
        if self.is_in_it(path) { Ok(()) } else { self.inner.read_pieces(path, visit) }
    }
}

#[test]
fn a_folder_of_a_million_names_is_listed_in_time() {
    for folder in [
        "/repo",
        "/repo/.agents/skills",
        "/repo/.claude/skills",
        "/repo/.claude/rules",
        "/repo/.claude/commands",
        "/home/mio/.codex/memories",
        "/home/mio/.claude/projects/-repo/memory",
    ] {
        let mut inner = repository();
        inner.dir(folder);
        let fs = Crowd { inner, folder: path(folder) };
        in_good_time(folder, PATIENCE, || {
            codex(&fs, &path("/repo"));
            claude(&fs, &path("/repo"), &[path("/repo/src/main.rs")]);
        });
    }
}

/// The text of a file that imports these.
fn imports(files: impl IntoIterator<Item = u32>) -> String {
    files.into_iter().map(|at| ["@i", &at.to_string(), ".md\n"].concat()).collect()
}

#[test]
fn ten_thousand_files_that_import_each_other_in_circles_load_once_each() {
    let mut fs = repository();
    fs.file("/repo/CLAUDE.md", imports(0..100));
    for at in 0..10_000_u32 {
        let next = [at * 7 + 1, at * 3 + 2, at + 5_000, 0].map(|next| next % 10_000);
        fs.file(format!("/repo/i{at}.md"), imports(next));
    }
    let (_, answer) = both_answer(&fs);
    let mut paths: Vec<_> =
        answer.chain.loaded().filter_map(|(layer, _)| layer.provenance.path.clone()).collect();
    let all = paths.len();
    paths.sort();
    paths.dedup();
    assert!(all > 100);
    assert_eq!(paths.len(), all);
}

#[test]
fn ten_thousand_rules_are_matched_in_time() {
    let mut fs = repository();
    for at in 0..10_000 {
        let text = format!("---\npaths: \"src/**/*{at}.{{rs,ts}}, lib/**\"\n---\nrule {at}\n");
        fs.file(format!("/repo/.claude/rules/r{at:05}.md"), text);
    }
    let touched = [path("/repo/src/a/b/77.rs"), path("/repo/lib/x.ts")];
    let answer = in_good_time("matching", PATIENCE, || claude(&fs, &path("/repo"), &touched));
    assert_eq!(answer.steps.len(), 2);
    assert_eq!(answer.steps.iter().map(|step| step.loads.len()).sum::<usize>(), 10_000);
}

#[test]
fn fifty_megabytes_of_instructions_are_read_in_time() {
    let mut fs = repository();
    let line = "A line with a @file.md and a `code` span and <!-- a comment --> in it.\n";
    fs.file("/repo/CLAUDE.md", line.repeat(50_000_000 / line.len()));
    in_good_time("reading", PATIENCE * 3, || claude(&fs, &path("/repo"), &[]));
}

#[test]
fn patterns_made_to_explode_do_not() {
    let patterns = [
        "{a,b}".repeat(40),
        "{".repeat(5_000),
        format!("{}x", "{a,".repeat(2_000)),
        format!("{}b", "**/".repeat(2_000)),
        format!("{}b", "*a".repeat(2_000)),
        format!("{}b", "?*".repeat(2_000)),
        "[".repeat(10_000),
        "!".repeat(10_000),
        "\\".repeat(9_999),
    ];
    let file = path(&format!("/repo/{}", vec!["a".repeat(200); 15].join("/")));
    for pattern in patterns {
        let mut fs = repository();
        fs.file("/repo/.claude/rules/r.md", format!("---\npaths: '{pattern}'\n---\nrule\n"));
        fs.file(
            "/home/mio/.claude/settings.json",
            serde_json::json!({ "claudeMdExcludes": [pattern] }).to_string(),
        );
        fs.file("/repo/CLAUDE.md", "text\n");
        let shown: String = pattern.chars().take(20).collect();
        let touched = std::slice::from_ref(&file);
        in_good_time(&shown, PATIENCE, || claude(&fs, &path("/repo"), touched));
    }
}

#[test]
fn a_file_of_many_carried_rules_is_ported_again_in_time() {
    let mut fs = repository();
    for at in 0..1500 {
        fs.file(format!("/repo/.claude/rules/r{at}.md"), format!("Rule {at}.\n"));
    }
    let env = Env::with_home(path("/home/mio"));
    let world = World { fs: &fs, env: &env };
    let place = PortPlace { project: path("/repo"), home: path("/home/mio") };
    let request = PortRequest::new(place);
    let first = port(world, &Claude::default(), &Codex::default(), &request).unwrap();
    apply(&fs, &first.plan, &Journal::new(path("/state"))).unwrap();
    let again = in_good_time("the second port", PATIENCE, || {
        port(world, &Claude::default(), &Codex::default(), &request).unwrap()
    });
    assert!(again.plan.changes().is_empty());
}
