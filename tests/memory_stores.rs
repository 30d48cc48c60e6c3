//! Every recorded memory folder of Claude Code, whole and damaged, read as data.
#![cfg(test)]

use std::collections::BTreeMap;
use std::path::Path;

use adapter_claude::{Claude, MemoryEdit, Query, Store};
use memory_core::fs::{Fs, FsMut, MemFs};
use memory_core::plan::{Journal, WritePlan, apply};
use memory_core::{AbsPath, Env, World};
use proptest::prelude::*;
use serde_json::Value;
use tests::Result;

const HOME: &str = "/mnt/home";
const PROJECT: &str = "/mnt/proj";
const MEMORY: &str = "/mnt/home/.claude/projects/-mnt-proj/memory";

/// Paths and bytes.
type Files = Vec<(String, Vec<u8>)>;

/// The files that the set-ups of all recorded cases write, and those that the
/// clients left behind, case by case.
fn recorded() -> Result<Vec<(String, Files)>> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("cases/claude-memory");
    let mut cases = Vec::new();
    for entry in std::fs::read_dir(folder)? {
        let path = entry?.path();
        let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default().to_owned();
        let Some(stem) = name.strip_suffix(".json") else { continue };
        let case: Value = serde_json::from_slice(&std::fs::read(&path)?)?;
        let is_golden = stem.strip_suffix(".golden").is_some();
        let files = if is_golden { left_behind(&case) } else { set_up(&case) };
        cases.push((name, files));
    }
    cases.sort();
    assert!(cases.len() > 300);
    Ok(cases)
}

fn fill(text: &str, memory: &str) -> String {
    text.replace("<MEM>", memory).replace("<HOME>", HOME).replace("<PROJECT>", PROJECT)
}

fn set_up(case: &Value) -> Files {
    let memory = case.get("mem").and_then(Value::as_str).unwrap_or(MEMORY);
    let steps = case.get("setup").and_then(Value::as_array).into_iter().flatten();
    let files = steps.filter_map(|step| {
        let at = fill(step.get("write")?.as_str()?, memory);
        let text = step.get("text").and_then(Value::as_str).unwrap_or_default();
        at.starts_with('/').then(|| (at, fill(text, memory).into_bytes()))
    });
    files.collect()
}

fn left_behind(golden: &Value) -> Files {
    let files = golden.get("files").and_then(Value::as_object).into_iter().flatten();
    let files = files.filter_map(|(at, text)| {
        let text = text.as_str().filter(|text| *text != "<dir>")?;
        Some((fill(at, MEMORY), text.as_bytes().to_vec()))
    });
    files.collect()
}

fn world(files: &[(String, Vec<u8>)]) -> MemFs {
    let mut fs = MemFs::from_files(files.iter().map(|(path, bytes)| (path, bytes)));
    fs.dir(HOME).dir(PROJECT).dir(MEMORY);
    fs
}

/// Everything below the home: names, bytes and permission bits.
fn tree(fs: &dyn Fs) -> BTreeMap<String, (Vec<u8>, Option<u32>)> {
    let mut found = BTreeMap::new();
    let mut open = vec![AbsPath::new(HOME).unwrap()];
    while let Some(dir) = open.pop() {
        for entry in fs.read_dir(&dir).unwrap().flatten() {
            let path = dir.join(&entry.name);
            let metadata = fs.symlink_metadata(&path).unwrap();
            if metadata.is_dir() {
                open.push(path);
            } else {
                let bytes = fs.read_up_to(&path, u64::MAX).unwrap_or_default();
                found.insert(path.to_string(), (bytes, metadata.mode));
            }
        }
    }
    found
}

/// Asks everything that can be asked, and plans edits that change nothing.
fn look_over(files: &[(String, Vec<u8>)]) {
    let fs = world(files);
    let before = tree(&fs);
    let env = Env::with_home(AbsPath::new(HOME).unwrap());
    let world = World { fs: &fs, env: &env };
    let query = Query::new(AbsPath::new(PROJECT).unwrap());
    let claude = Claude::default();
    let store = claude.store(world, &query).unwrap().value;
    unchanged(&claude, world, &fs, &store);
    let items = claude.inventory(world, &query).unwrap().value;
    let mut ids: Vec<_> = items.iter().map(|item| item.id.clone()).collect();
    let count = ids.len();
    ids.sort();
    ids.dedup();
    assert_eq!(ids.len(), count);
    claude.doctor(world, &query).unwrap();
    claude.lookup(world, &query, "the メモ").unwrap();
    for topic in store.topics.iter().take(3) {
        assert!(!claude.show(world, &query, topic.name()).unwrap().is_empty());
    }
    assert_eq!(tree(&fs), before);
}

/// An edit that sets what is there already is an empty plan, and an index is its lines.
fn unchanged(claude: &Claude, world: World<'_>, fs: &dyn FsMut, store: &Store) {
    let journal = Journal::new(AbsPath::new("/state").unwrap());
    for topic in &store.topics {
        let plan = claude.plan_edit(world, &store.place.root, &topic.path, &[]).unwrap();
        assert!(plan.is_empty());
        let on_disk = fs.read_up_to(&topic.path, u64::MAX).unwrap();
        assert_eq!(topic.doc().edit().finish().unwrap(), on_disk);
    }
    for index in store.index.iter().chain(&store.archive) {
        let joined: Vec<u8> =
            index.lines.iter().flat_map(|line| index.bytes()[line.span.range()].to_vec()).collect();
        assert_eq!(joined, index.bytes());
        for line in index.lines.iter().take(20) {
            let text = index.text(line);
            let same = MemoryEdit::Line { number: line.number, old: text.clone(), new: text };
            let plan = claude.plan_edit(world, &store.place.root, &index.path, &[same]);
            assert_eq!(plan.as_ref().map(WritePlan::is_empty), Ok(true), "{plan:?}");
            apply(fs, &plan.unwrap(), &journal).unwrap();
        }
    }
}

#[test]
fn recorded_folders_are_read_and_an_edit_of_nothing_changes_nothing() -> Result<()> {
    for (_, files) in recorded()? {
        look_over(&files);
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 4, ..ProptestConfig::default() })]

    #[test]
    fn damaged_folders_are_read(seed in any::<u64>()) {
        let mut state = seed;
        let mut random = |below: usize| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            usize::try_from(state >> 33).unwrap() % below.max(1)
        };
        for (_, mut files) in recorded().unwrap() {
            for (_, bytes) in &mut files {
                let (at, to) = (random(bytes.len()), random(bytes.len()));
                match random(6) {
                    0 => bytes.truncate(at),
                    1 if !bytes.is_empty() => bytes[at] = u8::try_from(random(256)).unwrap(),
                    2 => drop(bytes.drain(at.min(to)..at.max(to))),
                    3 => bytes.splice(at..at, *b"---\n<!--\n```\n\xff[[\r\n").for_each(drop),
                    4 => bytes.reverse(),
                    _ => {}
                }
            }
            look_over(&files);
        }
    }
}
