//! Every recorded memory tree of Codex, read as data.
#![cfg(test)]

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use adapter_codex::{DetectedVersion, MemoryTree, MemoryVersion, PlainFile};
use memory_core::fs::{MemFs, OsFs};
use memory_core::{AbsPath, Env, World};
use proptest::prelude::*;
use tests::Result;

/// A tree: names relative to its root, and bytes.
type Files = BTreeMap<String, Vec<u8>>;

fn recorded() -> Result<Vec<(String, PathBuf)>> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("cases/codex-memory/trees");
    let mut found = Vec::new();
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default().to_owned();
        if path.is_dir() {
            found.push((name, path));
        }
    }
    found.sort();
    Ok(found)
}

fn files(folder: &Path) -> Result<Files> {
    let mut found = Files::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(next) = folders.pop() {
        for entry in fs::read_dir(next)? {
            let path = entry?.path();
            if path.is_dir() {
                folders.push(path);
            } else {
                let name = path.strip_prefix(folder)?.to_string_lossy().into_owned();
                found.insert(name, fs::read(&path)?);
            }
        }
    }
    Ok(found)
}

fn version(name: &str) -> MemoryVersion {
    if name.starts_with("v1") { MemoryVersion::V1 } else { MemoryVersion::V2 }
}

fn in_memory(files: &Files, root: &AbsPath) -> MemFs {
    let mut fs = MemFs::new();
    fs.dir(root.as_str());
    for (name, bytes) in files {
        fs.file(root.join(name).as_str(), bytes);
    }
    fs
}

/// The files that a tree tells of, with the bytes of those that were read.
fn told(tree: &MemoryTree) -> BTreeMap<String, Option<Vec<u8>>> {
    let mut found = BTreeMap::new();
    let mut add = |path: &AbsPath, bytes: Option<&[u8]>| {
        let name = path.strip_prefix(&tree.root).unwrap_or_default().to_owned();
        assert!(found.insert(name, bytes.map(<[u8]>::to_vec)).is_none(), "{path} twice");
    };
    if let Some(file) = &tree.summary {
        add(&file.path, Some(file.bytes()));
    }
    if let Some(file) = &tree.handbook {
        add(&file.path, Some(file.bytes()));
    }
    if let Some(file) = &tree.raw_memories {
        add(&file.path, Some(file.bytes()));
    }
    for file in &tree.rollouts {
        add(&file.path, Some(file.bytes()));
    }
    for skill in &tree.skills {
        add(&skill.path, Some(skill.doc.bytes()));
        let folder = tree.root.join("skills").join(&skill.name);
        skill.files.iter().for_each(|file| add(&folder.join(file.as_str()), None));
    }
    let mut plain = |file: &PlainFile| add(&file.path, Some(file.source.bytes()));
    for extension in &tree.extensions {
        extension.instructions.iter().for_each(&mut plain);
        extension.notes.iter().for_each(|note| plain(&note.file));
        extension.resources.iter().for_each(|resource| plain(&resource.file));
    }
    tree.machinery.iter().for_each(|path| add(path, None));
    tree.other.iter().for_each(|file| add(&file.path, None));
    found
}

#[test]
fn no_file_and_no_byte_of_a_tree_is_lost() {
    let trees = recorded().unwrap();
    assert!(trees.len() >= 15, "{trees:?}");
    for (name, folder) in trees {
        let root = AbsPath::new("/h/.codex").unwrap().join(version(&name).folder());
        let files = files(&folder).unwrap();
        let fs = in_memory(&files, &root);
        let tree = MemoryTree::read(World { fs: &fs, env: &Env::default() }, &root).unwrap().value;
        let told = told(&tree);
        assert!(told.keys().eq(files.keys()), "{name}: {told:#?}");
        for (file, bytes) in told {
            assert!(bytes.is_none_or(|bytes| bytes == files[&file]), "{file} of {name}");
        }
    }
}

#[test]
fn a_tree_on_disk_is_the_same_as_in_memory() {
    for (name, folder) in recorded().unwrap() {
        let root = AbsPath::new(fs::canonicalize(&folder).unwrap().to_str().unwrap()).unwrap();
        let fs = in_memory(&files(&folder).unwrap(), &root);
        let env = Env::default();
        let in_memory = MemoryTree::read(World { fs: &fs, env: &env }, &root);
        let on_disk = MemoryTree::read(World { fs: &OsFs, env: &env }, &root);
        assert_eq!(in_memory, on_disk, "{name}");
    }
}

#[test]
fn the_version_is_never_told_by_the_first_line() {
    for (name, folder) in recorded().unwrap() {
        let files = files(&folder).unwrap();
        let env = Env::default();
        let detect = |root: &AbsPath| {
            DetectedVersion::of(World { fs: &in_memory(&files, root), env: &env }, root).version
        };
        let home = AbsPath::new("/h/.codex").unwrap();
        let named = home.join(version(&name).folder());
        let by_name = detect(&named);
        assert!(by_name.is_none_or(|found| found == version(&name)), "{name}");
        // A copy in a folder of another name: what the tree holds decides.
        let copied = detect(&AbsPath::new("/copy").unwrap());
        let stray = files.contains_key("MEMORY.md") && name.starts_with("v2");
        assert!(stray || copied.is_none_or(|found| found == version(&name)), "{name}: {copied:?}");
    }
}

#[test]
fn a_question_in_japanese_finds_its_summary_in_either_tree() {
    for (name, folder) in recorded().unwrap() {
        if !name.ends_with("01-complete") {
            continue;
        }
        let root = AbsPath::new("/h/.codex").unwrap().join(version(&name).folder());
        let fs = in_memory(&files(&folder).unwrap(), &root);
        let world = World { fs: &fs, env: &Env::default() };
        let found = MemoryTree::lookup(world, &root, "取引先 CSV の文字コード").unwrap();
        let names: Vec<_> = found.read.iter().filter_map(AbsPath::file_name).collect();
        let csv = "2026-11-09T13-02-11-vGo5-csv_import__shift_jis.md";
        assert_eq!(names.first(), Some(&"memory_summary.md"), "{name}");
        assert!(names.contains(&csv) && names.len() <= 4, "{name}: {names:?}");
        assert_eq!(names.contains(&"MEMORY.md"), name.starts_with("v1"));
    }
}

proptest! {
    #[test]
    fn a_damaged_tree_is_read_and_no_byte_is_lost(
        at in any::<prop::sample::Index>(),
        damage in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 0..8),
        cut in any::<prop::sample::Index>(),
    ) {
        let trees = recorded().unwrap();
        let (name, folder) = at.get(&trees);
        let mut files = files(folder).unwrap();
        for bytes in files.values_mut().filter(|bytes| !bytes.is_empty()) {
            for (place, byte) in &damage {
                let place = place.index(bytes.len());
                bytes[place] = *byte;
            }
            if damage.len() % 2 == 1 {
                bytes.truncate(cut.index(bytes.len()));
            }
        }
        let root = AbsPath::new("/h/.codex").unwrap().join(version(name).folder());
        let fs = in_memory(&files, &root);
        let world = World { fs: &fs, env: &Env::default() };
        let tree = MemoryTree::read(world, &root).unwrap().value;
        tree.memories();
        for (file, bytes) in told(&tree) {
            prop_assert!(bytes.is_none_or(|bytes| bytes == files[&file]));
        }
        MemoryTree::lookup(world, &root, "csv 文字コード").unwrap();
    }
}
