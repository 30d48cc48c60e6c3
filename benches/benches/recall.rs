//! What recall costs, beside FTS5's plain form on the same chunks.
//!
//! ```text
//! cargo bench -p benches --bench recall -- 7059 100000 1000000
//! ```

use std::fmt::Write as _;
use std::path::Path;
use std::time::{Duration, Instant};

use memory_core::AbsPath;
use memory_core::fs::OsFs;
use memory_recall::{
    Age, Chunk, Conversation, Fusion, Homes, Query, Scope, SqliteStore, Store as _,
    find_transcripts, ingest, merge_chunks, rank,
};

fn main() {
    let sizes: Vec<usize> = std::env::args().skip(1).filter_map(|size| size.parse().ok()).collect();
    let sizes = if sizes.is_empty() { vec![7059] } else { sizes };
    let texts = corpus();
    ingesting();
    for size in sizes {
        searching(size, &texts);
    }
}

/// The judged corpus: chunks, and queries.
struct Corpus {
    chunks: Vec<(Chunk, Conversation)>,
    queries: Vec<String>,
}

fn folder() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../tests/cases/recall"))
}

fn homes(root: &Path) -> Homes {
    let home = |name: &str| AbsPath::new(root.join(name).to_str().unwrap()).unwrap();
    Homes { claude: Some(home("claude")), codex: Some(home("codex")) }
}

fn corpus() -> Corpus {
    let directory = tempfile::tempdir().unwrap();
    let mut store = SqliteStore::open(&directory.path().join("store")).unwrap();
    let found = find_transcripts(&OsFs, &homes(&folder().join("sessions")));
    ingest(&OsFs, &mut store, &found, &mut |_| {}).unwrap();
    let mut chunks = Vec::new();
    store
        .each(&mut |chunk, conversation| {
            chunks.push((chunk, conversation.clone()));
            Ok(())
        })
        .unwrap();
    let judged: serde_json::Value =
        serde_json::from_slice(&std::fs::read(folder().join("queries.json")).unwrap()).unwrap();
    let queries = judged["queries"].as_array().unwrap();
    let queries = queries.iter().map(|query| query["query"].as_str().unwrap().to_owned()).collect();
    Corpus { chunks, queries }
}

/// Transcripts of about 60 MB: the corpus again and again, each time as other conversations.
fn ingesting() {
    let directory = tempfile::tempdir().unwrap();
    let mut bytes = 0;
    let mut number = 0_u64;
    let found = find_transcripts(&OsFs, &homes(&folder().join("sessions")));
    while bytes < 60_000_000 {
        for transcript in &found {
            let text = std::fs::read_to_string(transcript.path.as_str()).unwrap();
            let text = renumbered(&text, number);
            let path = transcript.path.as_str().strip_prefix(folder().to_str().unwrap()).unwrap();
            let path = renumbered(path, number);
            let path = directory.path().join(path.trim_start_matches('/'));
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            bytes += text.len();
            std::fs::write(path, text).unwrap();
        }
        number += 1;
    }
    let found = find_transcripts(&OsFs, &homes(&directory.path().join("sessions")));
    let path = directory.path().join("store");
    let mut store = SqliteStore::open(&path).unwrap();
    let (start, cpu) = (Instant::now(), cpu());
    let done = ingest(&OsFs, &mut store, &found, &mut |_| {}).unwrap();
    let (wall, cpu) = (start.elapsed(), self::cpu().saturating_sub(cpu));
    let megabytes = done.bytes as f64 / 1e6;
    let kept = store.corpus().unwrap();
    drop(store);
    println!(
        "ingest: {megabytes:.1} MB in {} files, {} chunks: {:.1} MB/s of CPU, {:.1} MB/s; store {:.2} of {:.1} MB kept",
        found.len(),
        done.chunks,
        megabytes / cpu.as_secs_f64(),
        megabytes / wall.as_secs_f64(),
        stored(&path) / kept.bytes as f64,
        kept.bytes as f64 / 1e6,
    );
}

/// A text with every group of eight hexadecimal digits before a `-` changed.
fn renumbered(text: &str, number: u64) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find('-') {
        let (before, after) = rest.split_at(at);
        let digits = before.len().checked_sub(8).and_then(|start| before.get(start..));
        match digits.and_then(|digits| u32::from_str_radix(digits, 16).ok()) {
            Some(value) => {
                out.push_str(&before[..before.len() - 8]);
                write!(out, "{:08x}", u64::from(value) ^ number).unwrap();
            }
            None => out.push_str(before),
        }
        out.push('-');
        rest = &after[1..];
    }
    out.push_str(rest);
    out
}

fn searching(size: usize, corpus: &Corpus) {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("store");
    let mut store = SqliteStore::open(&path).unwrap();
    let mut plain = rusqlite::Connection::open(directory.path().join("fts5")).unwrap();
    plain.execute_batch("create virtual table chunk using fts5(terms)").unwrap();
    let mut random = 88_172_645_463_325_252_u64;
    let mut next = move |below: usize| {
        random ^= random << 13;
        random ^= random >> 7;
        random ^= random << 17;
        usize::try_from(random % below as u64).unwrap()
    };
    let sentences: Vec<Vec<String>> = corpus
        .chunks
        .iter()
        .map(|(chunk, _)| {
            let text = format!("{}\n{}", chunk.question, chunk.answer);
            text.split_inclusive(['。', '\n', '.']).map(str::to_owned).collect()
        })
        .collect();
    let transaction = plain.transaction().unwrap();
    let mut made = 0;
    let chunks = std::iter::from_fn(|| {
        (made < size).then(|| {
            let (first, of) = &corpus.chunks[made % corpus.chunks.len()];
            let mut chunk = first.clone();
            if made >= corpus.chunks.len() {
                // Sentences of several texts, and a name of its own.
                let part = |next: &mut dyn FnMut(usize) -> usize| {
                    let text = &sentences[next(sentences.len())];
                    text[next(text.len())].clone()
                };
                chunk.question = part(&mut next);
                chunk.answer =
                    format!("{}{}{} 番号{made}", part(&mut next), part(&mut next), part(&mut next));
            }
            chunk.key = memory_recall::TurnKey(made as i64);
            let mut of = of.clone();
            of.session = format!("{}-{}", of.session, made / corpus.chunks.len());
            let terms = spelled(&format!("{}\n{}", chunk.question, chunk.answer));
            transaction.execute("insert into chunk values (?1)", [terms]).unwrap();
            made += 1;
            (chunk, of)
        })
    });
    merge_chunks(&mut store, chunks).unwrap();
    transaction.commit().unwrap();
    let kept = store.corpus().unwrap();
    drop(store);
    let opening = times(50, || {
        let store = SqliteStore::open_to_read(&path).unwrap().unwrap();
        drop(store);
    });
    let store = SqliteStore::open_to_read(&path).unwrap().unwrap();
    let mut ours = Vec::new();
    let mut theirs = Vec::new();
    for query in corpus.queries.iter().chain(&corpus.queries).chain(&corpus.queries) {
        let asked = Query {
            text: query,
            count: 20,
            now: 0,
            fulltext: true,
            age: Age::Order,
            fusion: Fusion::default(),
        };
        let start = Instant::now();
        let hits = rank(&store, &Scope::default(), &asked, &[]).unwrap();
        ours.push(start.elapsed());
        assert!(!hits.is_empty() || kept.chunks < 400);
        let words: Vec<String> =
            spelled(query).split(' ').map(|term| format!("\"{term}\"")).collect();
        let start = Instant::now();
        let mut select = plain
            .prepare_cached("select rowid from chunk where chunk match ?1 order by rank limit 20")
            .unwrap();
        let found = select.query_map([words.join(" OR ")], |row| row.get::<_, i64>(0)).unwrap();
        assert!(found.count() > 0);
        theirs.push(start.elapsed());
    }
    println!(
        "{:>8} chunks: search {}; FTS5 {}; opening {}; store {:.2} of {:.1} MB kept",
        kept.chunks,
        shown(&mut ours),
        shown(&mut theirs),
        shown(&mut opening.clone()),
        stored(&path) / kept.bytes as f64,
        kept.bytes as f64 / 1e6,
    );
}

/// A text as FTS5 can split it: pairs and words with blanks.
fn spelled(text: &str) -> String {
    let mut terms: Vec<String> = Vec::new();
    memory_recall::terms(text, &mut |term, _| terms.push(format!("t{:x}", term.id >> 30)));
    terms.join(" ")
}

fn times(count: usize, mut work: impl FnMut()) -> Vec<Duration> {
    let timed = |_| {
        let start = Instant::now();
        work();
        start.elapsed()
    };
    (0..count).map(timed).collect()
}

fn shown(times: &mut [Duration]) -> String {
    times.sort_unstable();
    let at = |percent: usize| times[(times.len() - 1) * percent / 100].as_secs_f64() * 1e3;
    format!("p50 {:.2} ms, p99 {:.2} ms", at(50), at(99))
}

fn stored(path: &Path) -> f64 {
    let of = |end: &str| {
        let mut name = path.as_os_str().to_owned();
        name.push(end);
        std::fs::metadata(name).map_or(0, |found| found.len())
    };
    (of("") + of("-wal")) as f64
}

/// Processor time of this process.
fn cpu() -> Duration {
    let stat = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    let fields: Vec<&str> =
        stat.rsplit(')').next().unwrap_or_default().split_whitespace().collect();
    let ticks: u64 = [11, 12].iter().filter_map(|at| fields.get(*at)?.parse::<u64>().ok()).sum();
    Duration::from_millis(ticks * 10)
}
