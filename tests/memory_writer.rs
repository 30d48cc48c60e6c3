//! The files that Codex's own code writes into a memory, from recorded rows.
#![cfg(test)]

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use adapter_codex::{
    GeneratedFile, MemoryMode, MemoryVersion, Profile, ThreadRow, ThreadSelection,
};
use serde::Deserialize;
use tests::Result;

#[derive(Deserialize)]
struct Inputs {
    now: i64,
    config: String,
    rows: Vec<Row>,
}

#[derive(Deserialize)]
struct Row {
    thread_id: String,
    source_updated_at: i64,
    rollout_slug: Option<String>,
    git_branch: Option<String>,
    cwd: String,
    rollout_path: String,
    raw_memory: String,
    rollout_summary: String,
    usage_count: Option<i64>,
    last_usage: Option<i64>,
    memory_mode: String,
}

impl Inputs {
    /// A whole number of the recorded configuration; `None` when it is not set.
    fn setting(&self, key: &str) -> Option<i64> {
        let values = self.config.lines().filter_map(|line| line.split_once('='));
        values
            .filter(|(name, _)| name.trim() == key)
            .find_map(|(_, value)| value.trim().parse().ok())
    }

    fn version(&self) -> MemoryVersion {
        let is_v2 = self.config.contains("version=\"v2\"");
        if is_v2 { MemoryVersion::V2 } else { MemoryVersion::V1 }
    }

    fn selection(&self) -> ThreadSelection {
        let most = self.setting("max_raw_memories_for_consolidation");
        ThreadSelection::new(&Profile::default(), self.now, most, self.setting("max_unused_days"))
    }
}

impl From<Row> for ThreadRow {
    fn from(row: Row) -> Self {
        Self {
            thread_id: row.thread_id,
            source_updated_at: row.source_updated_at,
            rollout_slug: row.rollout_slug,
            git_branch: row.git_branch,
            cwd: row.cwd,
            rollout_path: row.rollout_path,
            raw_memory: row.raw_memory,
            rollout_summary: row.rollout_summary,
            usage_count: row.usage_count,
            last_usage: row.last_usage,
            memory_mode: match row.memory_mode.as_str() {
                "disabled" => MemoryMode::Disabled,
                "polluted" => MemoryMode::Polluted,
                _ => MemoryMode::Enabled,
            },
        }
    }
}

fn recorded() -> Result<Vec<PathBuf>> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("cases/codex-memory/writer");
    let mut found = Vec::new();
    for entry in fs::read_dir(folder)? {
        found.push(entry?.path());
    }
    found.sort();
    Ok(found)
}

fn inputs(case: &Path) -> Result<Inputs> {
    Ok(serde_json::from_slice(&fs::read(case.join("inputs.json"))?)?)
}

/// The recorded files: name relative to the tree's root, and bytes.
fn written(case: &Path) -> Result<BTreeMap<String, Vec<u8>>> {
    let mut found = BTreeMap::new();
    let raw = case.join("raw_memories.md");
    if raw.is_file() {
        found.insert("raw_memories.md".to_owned(), fs::read(raw)?);
    }
    let summaries = case.join("rollout_summaries");
    if summaries.is_dir() {
        for entry in fs::read_dir(summaries)? {
            let entry = entry?;
            let name = entry.file_name().into_string().map_err(|_| "a strange file name")?;
            found.insert(format!("rollout_summaries/{name}"), fs::read(entry.path())?);
        }
    }
    Ok(found)
}

#[test]
fn every_recorded_file_is_written_byte_for_byte() {
    let cases = recorded().unwrap();
    assert!(cases.len() >= 3, "{cases:?}");
    for case in cases {
        let inputs = inputs(&case).unwrap();
        let (version, selection) = (inputs.version(), inputs.selection());
        let rows: Vec<ThreadRow> = inputs.rows.into_iter().map(ThreadRow::from).collect();
        let taken = selection.select(&rows);
        let files = GeneratedFile::of_rows(version, &taken);
        let computed: BTreeMap<String, Vec<u8>> =
            files.into_iter().map(|file| (file.path.to_string(), file.text.into_bytes())).collect();
        let recorded = written(&case).unwrap();
        let names = |files: &BTreeMap<String, Vec<u8>>| files.keys().cloned().collect::<Vec<_>>();
        assert_eq!(names(&computed), names(&recorded), "{}", case.display());
        for (name, bytes) in &recorded {
            let (computed, recorded) =
                (String::from_utf8_lossy(&computed[name]), String::from_utf8_lossy(bytes));
            assert_eq!(computed, recorded, "{name} of {}", case.display());
        }
    }
}

#[test]
fn what_another_selection_wrote_is_pruned() {
    let cases = recorded().unwrap();
    let case = |name: &str| cases.iter().find(|case| case.ends_with(name)).unwrap();
    let all = written(case("all")).unwrap();
    let names: Vec<&str> =
        all.keys().filter_map(|name| name.strip_prefix("rollout_summaries/")).collect();
    let inputs = inputs(case("top2")).unwrap();
    let selection = inputs.selection();
    let rows: Vec<ThreadRow> = inputs.rows.into_iter().map(ThreadRow::from).collect();
    let pruned = GeneratedFile::pruned(&names, &selection.select(&rows));
    let kept = written(case("top2")).unwrap();
    for name in names {
        let is_kept = kept.contains_key(&format!("rollout_summaries/{name}"));
        assert_eq!(pruned.contains(&name), !is_kept, "{name}");
    }
}
