//! What is taken in of real session files: every question of the judged corpus, nothing else.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use memory_core::AbsPath;
use memory_core::fs::OsFs;
use memory_recall::{
    Chunk, Conversation, Homes, SqliteStore, Store as _, find_transcripts, ingest,
};
use serde::Deserialize;

#[derive(Deserialize)]
struct Gold {
    session_id: String,
    timestamp: String,
    cwd: String,
    question: String,
    #[serde(default)]
    answer: Option<String>,
    #[serde(default)]
    answer_parts: Vec<String>,
}

#[derive(Deserialize)]
struct Trap {
    #[serde(rename = "trap")]
    kind: String,
    question: Option<String>,
    near: Option<String>,
}

fn corpus() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("cases/recall")
}

fn homes(root: &Path) -> Homes {
    let directory = |name: &str| AbsPath::new(root.join(name).to_str().unwrap()).unwrap();
    Homes { claude: Some(directory("claude")), codex: Some(directory("codex")) }
}

fn taken_in(root: &Path) -> Vec<(Chunk, Conversation)> {
    let folder = tempfile::tempdir().unwrap();
    let mut store = SqliteStore::open(&folder.path().join("recall.sqlite")).unwrap();
    let transcripts = find_transcripts(&OsFs, &homes(root));
    let done = ingest(&OsFs, &mut store, &transcripts, &mut |_| {}).unwrap();
    assert!(done.unreadable.is_empty());
    let again = find_transcripts(&OsFs, &homes(root));
    let again = ingest(&OsFs, &mut store, &again, &mut |_| {}).unwrap();
    assert_eq!((again.chunks, again.skipped, again.bytes), (0, again.files, 0));
    store.check().unwrap();
    let mut found = Vec::new();
    store
        .each(&mut |chunk, conversation| {
            found.push((chunk, conversation.clone()));
            Ok(())
        })
        .unwrap();
    assert_eq!(done.chunks, found.len() as u64);
    found
}

fn is_exactly(gold: &[Gold], found: &[(Chunk, Conversation)]) {
    let mut by_place: BTreeMap<(&str, i64), &(Chunk, Conversation)> = BTreeMap::new();
    for entry in found {
        let place = (entry.1.session.as_str(), entry.0.time.unwrap());
        assert!(by_place.insert(place, entry).is_none(), "twice: {}", entry.0.question);
    }
    for wanted in gold {
        let time: jiff::Timestamp = wanted.timestamp.parse().unwrap();
        let place = (wanted.session_id.as_str(), time.as_millisecond());
        let Some((chunk, conversation)) = by_place.remove(&place) else {
            panic!("missing: {} {}", wanted.session_id, wanted.question)
        };
        assert_eq!(chunk.question, wanted.question);
        let answer = wanted.answer.clone().unwrap_or_else(|| wanted.answer_parts.join("\n\n"));
        assert_eq!(chunk.answer, answer, "{}", chunk.question);
        assert_eq!(conversation.project, wanted.cwd);
    }
    let extra: Vec<_> = by_place.values().map(|(chunk, _)| &chunk.question).collect();
    assert!(extra.is_empty(), "more than there is: {extra:?}");
}

#[test]
fn every_question_of_the_corpus_is_found_and_nothing_else() {
    let read = std::fs::read_to_string(corpus().join("chunks.jsonl")).unwrap();
    let gold: Vec<Gold> = read.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let found = taken_in(&corpus().join("sessions"));
    is_exactly(&gold, &found);

    let read = std::fs::read_to_string(corpus().join("traps.jsonl")).unwrap();
    let questions: BTreeSet<&str> =
        found.iter().map(|(chunk, _)| chunk.question.as_str()).collect();
    for line in read.lines() {
        let trap: Trap = serde_json::from_str(line).unwrap();
        // What failed and was asked again with the same words is there once, from then.
        let Some(question) = trap.question.filter(|_| trap.near.is_none()) else { continue };
        let is_there = questions.iter().any(|found| found.starts_with(question.as_str()));
        assert!(!is_there, "{}: {question}", trap.kind);
    }
}

#[test]
fn the_samples_of_both_clients_are_cut_as_they_were_recorded() {
    let samples = corpus().join("samples");
    let read = std::fs::read_to_string(samples.join("expected.json")).unwrap();
    let gold: Vec<Gold> = serde_json::from_str(&read).unwrap();
    is_exactly(&gold, &taken_in(&samples));
}
