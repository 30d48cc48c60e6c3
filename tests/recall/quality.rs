//! How well queries are answered, against judged answers and two simple searches.

#![expect(clippy::print_stdout, clippy::cast_precision_loss, reason = "the figures are shown")]

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use memory_core::AbsPath;
use memory_core::fs::OsFs;
use memory_recall::{
    Age, Fusion, Homes, Query, Scope, SqliteStore, Store as _, find_transcripts, ingest, rank,
};
use serde::Deserialize;

#[derive(Deserialize)]
struct Judged {
    now: String,
    queries: Vec<JudgedQuery>,
}

#[derive(Deserialize)]
struct JudgedQuery {
    id: String,
    class: String,
    query: String,
    graded_by_recency: bool,
    relevant: Vec<Relevant>,
}

#[derive(Deserialize)]
struct Relevant {
    id: String,
    grade: u32,
}

#[derive(Deserialize)]
struct Gold {
    id: String,
    session_id: String,
    timestamp: String,
}

#[derive(Clone, Copy, Debug, Default)]
struct Figures {
    queries: f64,
    hits: f64,
    reciprocal: f64,
    graded: f64,
    newest_first: f64,
}

impl Figures {
    fn hit_at_5(&self) -> f64 {
        self.hits / self.queries
    }

    fn mrr(&self) -> f64 {
        self.reciprocal / self.queries
    }
}

fn measure(age: Age, show: bool) -> BTreeMap<String, Figures> {
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("cases/recall");
    let folder = tempfile::tempdir().unwrap();
    let mut store = SqliteStore::open(&folder.path().join("recall.sqlite")).unwrap();
    let home = |name: &str| {
        Some(AbsPath::new(corpus.join("sessions").join(name).to_str().unwrap()).unwrap())
    };
    let homes = Homes { claude: home("claude"), codex: home("codex") };
    ingest(&OsFs, &mut store, &find_transcripts(&OsFs, &homes), &mut |_| {}).unwrap();

    let read = std::fs::read_to_string(corpus.join("chunks.jsonl")).unwrap();
    let gold: BTreeMap<(String, i64), String> = read
        .lines()
        .map(|line| serde_json::from_str::<Gold>(line).unwrap())
        .map(|gold| {
            let time: jiff::Timestamp = gold.timestamp.parse().unwrap();
            ((gold.session_id, time.as_millisecond()), gold.id)
        })
        .collect();
    let queries = std::fs::read_to_string(corpus.join("queries.json")).unwrap();
    let judged: Judged = serde_json::from_str(&queries).unwrap();
    let now: jiff::Timestamp = judged.now.parse().unwrap();
    let mut classes: BTreeMap<String, Figures> = BTreeMap::new();
    for query in &judged.queries {
        let asked = Query {
            text: &query.query,
            count: 20,
            now: now.as_millisecond(),
            fulltext: true,
            age,
            fusion: Fusion::default(),
        };
        let hits = rank(&store, &Scope::default(), &asked, &[]).unwrap();
        let ids: Vec<&str> = hits
            .iter()
            .map(|hit| {
                let conversation = store.conversation(hit.chunk.conversation).unwrap().unwrap();
                gold[&(conversation.session, hit.chunk.time.unwrap())].as_str()
            })
            .collect();
        let grades: BTreeMap<&str, u32> =
            query.relevant.iter().map(|relevant| (relevant.id.as_str(), relevant.grade)).collect();
        let top = *grades.values().max().unwrap();
        let is_good = |id: &str| {
            grades.get(id).is_some_and(|grade| {
                if query.graded_by_recency { *grade == top } else { *grade >= 2 }
            })
        };
        let place = ids.iter().position(|id| is_good(id));
        let newest_first = {
            let old: BTreeSet<&str> = grades.keys().copied().filter(|id| !is_good(id)).collect();
            let first_old = ids.iter().position(|id| old.contains(id)).unwrap_or(999);
            query.graded_by_recency && place.unwrap_or(999) < first_old
        };
        if show && (place != Some(0) || (query.graded_by_recency && !newest_first)) {
            let close: Vec<&str> = ids.iter().take(6).copied().collect();
            println!(
                "  {} {:7} {:?} {} {close:?}",
                query.id,
                query.class,
                place.map(|p| p + 1),
                query.query
            );
        }
        for class in [query.class.as_str(), "all"] {
            let figures = classes.entry(class.to_owned()).or_default();
            figures.queries += 1.0;
            figures.hits += f64::from(u8::from(place.is_some_and(|place| place < 5)));
            figures.reciprocal += place.map_or(0.0, |place| 1.0 / (place as f64 + 1.0));
            if query.graded_by_recency {
                figures.graded += 1.0;
                figures.newest_first += f64::from(u8::from(newest_first));
            }
        }
    }
    println!("{age:?}");
    for (class, figures) in &classes {
        let newest = if figures.graded > 0.0 {
            format!("  newest first {:.3}", figures.newest_first / figures.graded)
        } else {
            String::new()
        };
        println!(
            "{class:8} n={:3} hit@5 {:.3}  mrr {:.3}{newest}",
            figures.queries,
            figures.hit_at_5(),
            figures.mrr()
        );
    }
    classes
}

/// The better of two simple searches, for each class: hit@5 and MRR.
const BASELINES: [(&str, f64, f64); 9] = [
    ("ja2", 1.0, 0.867),
    ("kata", 1.0, 1.0),
    ("ident", 1.0, 1.0),
    ("sem_ja", 0.571, 0.535),
    ("sem_en", 0.4, 0.224),
    ("mixed", 1.0, 0.75),
    ("variant", 1.0, 1.0),
    ("long", 1.0, 0.875),
    ("recency", 1.0, 0.483),
];

#[test]
fn judged_queries_are_answered_better_than_by_simple_searches() {
    let classes = measure(Age::Order, true);
    for (class, hits, mrr) in BASELINES {
        let found = classes[class];
        assert!(found.hit_at_5() >= hits - 0.001, "{class}: {:.3} < {hits}", found.hit_at_5());
        assert!(found.mrr() >= mrr - 0.001, "{class}: {:.3} < {mrr}", found.mrr());
    }
    let by_words =
        classes.iter().filter(|(class, _)| !["all", "sem_ja", "sem_en"].contains(&class.as_str()));
    let (queries, reciprocal) = by_words.fold((0.0, 0.0), |(queries, reciprocal), (_, figures)| {
        (queries + figures.queries, reciprocal + figures.reciprocal)
    });
    println!("without paraphrases: mrr {:.3}", reciprocal / queries);
    assert!(reciprocal / queries >= 0.88);
    assert!(classes["ja2"].hit_at_5() >= 0.95);
    assert!(classes["recency"].newest_first / classes["recency"].graded >= 0.9);
}

#[test]
fn ordering_by_age_costs_no_answer_and_a_half_life_does() {
    let without = measure(Age::Off, false);
    let ordered = measure(Age::Order, false);
    let halved = measure(Age::HalfLife(30.0), false);
    assert!(ordered["all"].hit_at_5() >= without["all"].hit_at_5());
    assert!(ordered["recency"].newest_first > without["recency"].newest_first);
    assert!(halved["all"].hit_at_5() < ordered["all"].hit_at_5());
}
