//! Which chunks answer a query, and in which order. Every store is ranked by this.
//!
//! Three parts, each of which can be switched off:
//!
//! - **full text**: BM25 over all terms of the query, then the best ones are read, and
//!   what stands in the question or stands together counts more;
//! - **vector**: a model's similarity, where there is one;
//! - **age**: where two of one project speak of the same thing, the newer one comes
//!   first. A plain half-life hides most of what is old, whatever was asked.

use std::collections::{BTreeMap, HashMap};

use crate::embed::Fusion;
use crate::store::{Chunk, ChunkId, ConversationId, Facts, Scope, Store, StoreError};
use crate::term::{Occurrence, Term, TermKind, occurrences};
use crate::transcript::Time;

/// Terms of a query that are looked up: a text of 100 kB has no more to say.
const MAX_TERMS: usize = 96;

/// Bytes of a query that are looked at.
const MAX_QUERY: usize = 8 << 10;

/// Chunks that are read to be ranked closely.
const CANDIDATES: usize = 80;

/// Of them, those whose order age may change.
const AGED: usize = 10;

/// How much a repeated term counts.
const K1: f32 = 1.2;

/// How much the length of a chunk counts.
const B: f32 = 0.55;

/// What a term counts that stands in the question, beside what it counts anyway.
const IN_QUESTION: f32 = 0.5;

/// What two terms count that stand together in the query and in the text.
const TOGETHER: f32 = 0.25;

/// How alike two chunks are, at least, of which the newer one comes first.
const ALIKE: f32 = 0.08;

/// How alike they are together with half of how near the newer one's score is, at least.
const ALIKE_AND_NEAR: f32 = 0.3;

/// How age counts.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Age {
    /// Of what is alike, the newer comes first.
    #[default]
    Order,
    /// Every score is halved with each so many days.
    HalfLife(f64),
    /// Not at all.
    Off,
}

/// What is asked.
#[derive(Clone, Copy, Debug)]
pub struct Query<'a> {
    /// The words: data, never a syntax.
    pub text: &'a str,
    /// How many hits are wanted, at most.
    pub count: usize,
    /// The time of the question.
    pub now: Time,
    /// Whether words count.
    pub fulltext: bool,
    /// How age counts.
    pub age: Age,
    /// How words and meaning are put together.
    pub fusion: Fusion,
}

/// A chunk that answers, with the parts of its rank.
#[derive(Clone, Debug, PartialEq)]
pub struct Ranked {
    /// The chunk.
    pub chunk: Chunk,
    /// What all parts make together; larger is better.
    pub score: f32,
    /// Its place by words, from 1; `None` when words don't find it or don't count.
    pub fulltext: Option<u32>,
    /// Its place by meaning, from 1; `None` without a model.
    pub vector: Option<u32>,
    /// By how many places age moved it towards the front; negative towards the end.
    /// `None` where age doesn't count.
    pub age: Option<i32>,
}

/// Chunks that answer the query, best first.
///
/// `vectors` are the chunks that a model finds near, best first, each with its similarity
/// between 0 and 1.
pub fn rank(
    store: &dyn Store,
    scope: &Scope,
    query: &Query<'_>,
    vectors: &[(ChunkId, f32)],
) -> Result<Vec<Ranked>, StoreError> {
    let wanted = Wanted::of(query.text);
    let facts = store.facts()?;
    let mut found =
        if query.fulltext { Scored::of(store, scope, &facts, &wanted)? } else { Scored::default() };
    let mut ids = found.best(CANDIDATES.max(query.count));
    let by_meaning: HashMap<ChunkId, (u32, f32)> = (1..)
        .zip(vectors.iter().filter(|(id, _)| scope.holds(facts.of(*id))))
        .map(|(place, (id, similarity))| (*id, (place, *similarity)))
        .collect();
    let known: std::collections::HashSet<ChunkId> = ids.iter().copied().collect();
    ids.extend(by_meaning.keys().filter(|id| !known.contains(id)));
    ids.sort_unstable();
    let chunks = store.chunks(&ids)?;
    let mut hits: Vec<Candidate> =
        chunks.into_iter().map(|chunk| Candidate::of(chunk, &wanted, &found)).collect();
    found.forget();
    by_words(&mut hits);
    if !by_meaning.is_empty() {
        fuse(&mut hits, &by_meaning, query.fusion);
    }
    hits.retain(|hit| hit.score > 0.0);
    let projects = projects(store, &hits)?;
    order(&mut hits, query, &projects);
    hits.truncate(query.count);
    Ok(hits.into_iter().map(|hit| hit.ranked).collect())
}

/// The terms of a query.
struct Wanted {
    terms: Vec<Term>,
    /// How often a pair of terms stands together in it, one after the other.
    together: Vec<(u64, u64)>,
}

impl Wanted {
    fn of(text: &str) -> Self {
        let text = crate::term::cut(text, MAX_QUERY);
        let found = occurrences(text);
        let mut terms: Vec<Term> = Vec::new();
        for occurrence in &found {
            if terms.len() < MAX_TERMS && !terms.iter().any(|term| term.id == occurrence.term.id) {
                terms.push(occurrence.term);
            }
        }
        Self { terms, together: neighbours(&found) }
    }
}

/// Pairs of terms of one kind that follow each other.
fn neighbours(found: &[Occurrence]) -> Vec<(u64, u64)> {
    let mut last: HashMap<bool, &Occurrence> = HashMap::new();
    let mut pairs = Vec::new();
    for occurrence in found {
        let is_script = match occurrence.term.kind {
            TermKind::Pair | TermKind::Kana => true,
            TermKind::Word | TermKind::Stem => false,
            _ => continue,
        };
        if let Some(before) = last.insert(is_script, occurrence) {
            let overlaps = before.range.end > occurrence.range.start;
            if overlaps == is_script {
                pairs.push((before.term.id, occurrence.term.id));
            }
        }
    }
    pairs
}

fn weight(kind: TermKind) -> f32 {
    match kind {
        TermKind::Pair | TermKind::Single => 1.0,
        TermKind::Word | TermKind::Compound | TermKind::Stem => 1.4,
        TermKind::Form => 0.5,
        TermKind::Kana => 0.4,
        TermKind::Ideograph => 0.3,
        TermKind::Idle => 0.05,
    }
}

/// How much it says of a text that it has a term.
#[expect(clippy::cast_precision_loss, reason = "a weight needs no more")]
fn idf(chunks: u64, with: usize) -> f32 {
    let (all, with) = (chunks as f32, with as f32);
    (1.0 + (all - with + 0.5).max(0.0) / (with + 0.5)).ln()
}

/// What the terms of a query make of every chunk.
#[derive(Default)]
struct Scored {
    scores: Vec<f32>,
    touched: Vec<ChunkId>,
    /// The weight of each term that some chunk has.
    weights: HashMap<u64, f32>,
}

impl Scored {
    #[expect(clippy::cast_precision_loss, reason = "a weight needs no more")]
    fn of(
        store: &dyn Store,
        scope: &Scope,
        facts: &Facts,
        wanted: &Wanted,
    ) -> Result<Self, StoreError> {
        let corpus = store.corpus()?;
        let average = corpus.terms as f32 / (corpus.chunks.max(1) as f32);
        let mut scored = Self {
            scores: vec![0.0; usize::try_from(facts.end()).unwrap_or_default()],
            ..Self::default()
        };
        for term in &wanted.terms {
            let postings = store.postings(term.id)?;
            if postings.is_empty() {
                continue;
            }
            let weight = weight(term.kind) * idf(corpus.chunks, postings.len());
            scored.weights.insert(term.id, weight);
            for posting in postings {
                let fact = facts.of(posting.chunk);
                if !scope.holds(fact) {
                    continue;
                }
                let Some(sum) =
                    usize::try_from(posting.chunk).ok().and_then(|at| scored.scores.get_mut(at))
                else {
                    continue;
                };
                if *sum == 0.0 {
                    scored.touched.push(posting.chunk);
                }
                let count = f32::from(posting.count);
                let len = K1 * (1.0 - B + B * f32::from(fact.len) / average.max(1.0));
                *sum += weight * count * (K1 + 1.0) / (count + len);
            }
        }
        Ok(scored)
    }

    fn score(&self, id: ChunkId) -> f32 {
        usize::try_from(id).ok().and_then(|at| self.scores.get(at)).copied().unwrap_or_default()
    }

    fn best(&mut self, count: usize) -> Vec<ChunkId> {
        let mut touched = std::mem::take(&mut self.touched);
        let better = |one: &ChunkId, other: &ChunkId| {
            self.score(*other).total_cmp(&self.score(*one)).then(other.cmp(one))
        };
        if touched.len() > count {
            touched.select_nth_unstable_by(count, better);
            touched.truncate(count);
        }
        touched.sort_unstable_by(better);
        touched
    }

    fn forget(&mut self) {
        self.scores = Vec::new();
    }
}

struct Candidate {
    ranked: Ranked,
    score: f32,
    /// The terms of its text with how often each stands there, to compare it with others.
    terms: BTreeMap<u64, f32>,
}

impl Candidate {
    fn of(chunk: Chunk, wanted: &Wanted, scored: &Scored) -> Self {
        let question = occurrences(&chunk.question);
        let answer = occurrences(&chunk.answer);
        let mut score = scored.score(chunk.id);
        let mut terms: BTreeMap<u64, f32> = BTreeMap::new();
        for occurrence in question.iter().chain(&answer) {
            if matches!(
                occurrence.term.kind,
                TermKind::Pair | TermKind::Stem | TermKind::Word | TermKind::Compound
            ) {
                *terms.entry(occurrence.term.id).or_default() += 1.0;
            }
        }
        let mut asked: Vec<u64> = question.iter().map(|occurrence| occurrence.term.id).collect();
        asked.sort_unstable();
        for term in &wanted.terms {
            if let Some(weight) = scored.weights.get(&term.id)
                && asked.binary_search(&term.id).is_ok()
            {
                score += weight * IN_QUESTION;
            }
        }
        if !wanted.together.is_empty() {
            let mut pairs = neighbours(&question);
            pairs.append(&mut neighbours(&answer));
            pairs.sort_unstable();
            for (one, other) in &wanted.together {
                if pairs.binary_search(&(*one, *other)).is_ok() {
                    let weight = |id: &u64| scored.weights.get(id).copied().unwrap_or_default();
                    score += TOGETHER * weight(one).min(weight(other));
                }
            }
        }
        Self {
            ranked: Ranked { chunk, score, fulltext: None, vector: None, age: None },
            score,
            terms,
        }
    }
}

fn by_score(hits: &mut [Candidate]) {
    hits.sort_by(|one, other| {
        let newer = other.ranked.chunk.time.cmp(&one.ranked.chunk.time);
        other
            .score
            .total_cmp(&one.score)
            .then(newer)
            .then(one.ranked.chunk.key.cmp(&other.ranked.chunk.key))
    });
}

fn by_words(hits: &mut [Candidate]) {
    by_score(hits);
    for (place, hit) in (1..).zip(hits.iter_mut()) {
        if hit.score > 0.0 {
            hit.ranked.fulltext = Some(place);
        }
    }
}

/// Puts the scores of words and of meaning together.
#[expect(clippy::cast_precision_loss, reason = "places are small")]
fn fuse(hits: &mut [Candidate], by_meaning: &HashMap<ChunkId, (u32, f32)>, fusion: Fusion) {
    let best = hits.iter().map(|hit| hit.score).fold(0.0, f32::max);
    let (mut low, mut high) = (f32::MAX, f32::MIN);
    for (_, similarity) in by_meaning.values() {
        (low, high) = (low.min(*similarity), high.max(*similarity));
    }
    for hit in hits.iter_mut() {
        let meaning = by_meaning.get(&hit.ranked.chunk.id);
        hit.ranked.vector = meaning.map(|(place, _)| *place);
        hit.score = match fusion {
            Fusion::Scores(share) => {
                let words = if best > 0.0 { hit.score / best } else { 0.0 };
                let similarity = meaning.map_or(0.0, |(_, similarity)| {
                    if high > low { (similarity - low) / (high - low) } else { 1.0 }
                });
                share * words + (1.0 - share) * similarity
            }
            Fusion::Ranks(k) => [hit.ranked.fulltext, hit.ranked.vector]
                .into_iter()
                .flatten()
                .map(|place| 1.0 / (k + place as f32))
                .sum(),
        };
    }
    by_score(hits);
}

fn projects(
    store: &dyn Store,
    hits: &[Candidate],
) -> Result<HashMap<ConversationId, String>, StoreError> {
    let mut projects = HashMap::new();
    for hit in hits.iter().take(AGED) {
        let id = hit.ranked.chunk.conversation;
        if !projects.contains_key(&id)
            && let Some(conversation) = store.conversation(id)?
        {
            projects.insert(id, conversation.project);
        }
    }
    Ok(projects)
}

#[expect(clippy::cast_precision_loss, clippy::cast_possible_truncation, reason = "days of an age")]
fn order(hits: &mut Vec<Candidate>, query: &Query<'_>, projects: &HashMap<ConversationId, String>) {
    let before: Vec<ChunkId> = hits.iter().map(|hit| hit.ranked.chunk.id).collect();
    match query.age {
        Age::Off => {}
        Age::HalfLife(days) => {
            for hit in hits.iter_mut() {
                let age = hit.ranked.chunk.time.map_or(0.0, |time| (query.now - time) as f64);
                let age = (age / 86_400_000.0).max(0.0);
                hit.score *= (0.5_f64).powf(age / days.max(f64::MIN_POSITIVE)) as f32;
            }
            by_score(hits);
        }
        Age::Order => newer_first(hits, projects),
    }
    for (place, hit) in (0..).zip(hits.iter_mut()) {
        hit.ranked.score = hit.score;
        if query.age != Age::Off {
            let was = before.iter().position(|id| *id == hit.ranked.chunk.id);
            let was = was.and_then(|was| i32::try_from(was).ok()).unwrap_or(place);
            hit.ranked.age = Some(was - place);
        }
    }
}

/// Of two chunks of one project that speak of the same thing, the newer one comes first.
fn newer_first(hits: &mut Vec<Candidate>, projects: &HashMap<ConversationId, String>) {
    let count = hits.len().min(AGED);
    let rarity = rarity(hits);
    let mut at = 1;
    while at < count {
        let Some(hit) = hits.get(at) else { break };
        let target = hits.iter().take(at).position(|above| {
            hit.ranked.chunk.time > above.ranked.chunk.time
                && above.ranked.chunk.time.is_some()
                && projects.get(&hit.ranked.chunk.conversation)
                    == projects.get(&above.ranked.chunk.conversation)
                && speaks_of_same(hit, above, &rarity)
        });
        if let Some(target) = target {
            let mut moved = hits.remove(at);
            if let Some(above) = hits.get(target) {
                moved.score = moved.score.max(above.score);
            }
            hits.insert(target, moved);
        }
        at += 1;
    }
}

/// Whether two texts speak of the same thing: by their words, and by how near the lower
/// one's score is.
fn speaks_of_same(hit: &Candidate, above: &Candidate, rarity: &HashMap<u64, f32>) -> bool {
    let alike = cosine(&hit.terms, &above.terms, rarity);
    alike >= ALIKE && alike + 0.5 * hit.score / above.score >= ALIKE_AND_NEAR
}

/// How much a term says among the candidates.
#[expect(clippy::cast_precision_loss, reason = "a weight needs no more")]
fn rarity(hits: &[Candidate]) -> HashMap<u64, f32> {
    let mut with: HashMap<u64, f32> = HashMap::new();
    for id in hits.iter().flat_map(|hit| hit.terms.keys()) {
        *with.entry(*id).or_default() += 1.0;
    }
    let all = hits.len() as f32;
    for count in with.values_mut() {
        *count = (1.0 + all / *count).ln();
    }
    with
}

fn cosine(one: &BTreeMap<u64, f32>, other: &BTreeMap<u64, f32>, rarity: &HashMap<u64, f32>) -> f32 {
    let weight =
        |(id, count): (&u64, &f32)| (1.0 + count.ln()) * rarity.get(id).copied().unwrap_or(1.0);
    let norm = |terms: &BTreeMap<u64, f32>| {
        terms.iter().map(|entry| weight(entry).powi(2)).sum::<f32>().sqrt()
    };
    let shared: f32 = one
        .iter()
        .filter_map(|(id, count)| {
            other.get(id).map(|also| weight((id, count)) * weight((id, also)))
        })
        .sum();
    let norms = norm(one) * norm(other);
    if norms > 0.0 { shared / norms } else { 0.0 }
}
