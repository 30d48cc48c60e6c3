//! Texts of many places, compared with each other.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use foldhash::fast::RandomState;

use crate::pair::{Relation, Statement, Verdict};

/// A statement and where it stands.
#[derive(Clone, Debug)]
pub struct Passage {
    /// Which text it is of, as the caller numbers them.
    pub text: usize,
    /// Its line in that text, counted from 1.
    pub line: u32,
    /// The last line of it.
    pub end_line: u32,
    /// What it says.
    pub said: String,
}

/// Two passages that are worth a look.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pairing {
    /// The one that comes first; of two of which one is superseded, the older.
    pub first: usize,
    /// The other one.
    pub second: usize,
    /// What they are to each other, [`Relation::FirstSuperseded`] for an older
    /// and a newer one.
    pub relation: Relation,
}

/// In how many passages a word may stand and still find others.
const COMMON: usize = 12;

/// With how many others a passage is compared at most.
const MOST_COMPARED: usize = 12;

/// How much two passages of a collection must have in common: among many, few
/// words alike are chance.
const LEAST_COMMON: f64 = 0.6;

/// The least characters of a passage that is compared.
const LEAST_CHARS: usize = 8;

/// Finds passages that say the same, contradict or replace each other.
///
/// Only passages that share rare words are compared, so that the work grows
/// with their number, not with its square. `are_apart` says which two texts are
/// not to be compared.
pub fn pairings(
    passages: &[Passage],
    are_apart: &dyn Fn(&Passage, &Passage) -> bool,
) -> Vec<Pairing> {
    let statements: Vec<Statement> =
        passages.iter().map(|passage| Statement::of(&passage.said)).collect();
    let mut places: HashMap<u64, Vec<usize>, RandomState> = HashMap::default();
    let keys: Vec<BTreeSet<u64>> = statements.iter().map(Statement::keys).collect();
    for (at, keys) in keys.iter().enumerate() {
        let passage = passages.get(at);
        if passage.is_none_or(|passage| passage.said.chars().count() < LEAST_CHARS) {
            continue;
        }
        for key in keys {
            places.entry(*key).or_default().push(at);
        }
    }
    let mut found = Vec::new();
    for (at, own) in keys.iter().enumerate() {
        for other in candidates(at, own, &places) {
            let (Some(a), Some(b)) = (passages.get(at), passages.get(other)) else { continue };
            if are_apart(a, b) {
                continue;
            }
            let (Some(x), Some(y)) = (statements.get(at), statements.get(other)) else { continue };
            if let Some(verdict) = x.compare(y).filter(is_sure) {
                found.push(in_order(at, other, verdict));
            }
        }
    }
    found
}

/// The passages behind this one that share the most rare words with it.
fn candidates(
    at: usize,
    own: &BTreeSet<u64>,
    places: &HashMap<u64, Vec<usize>, RandomState>,
) -> Vec<usize> {
    let mut shared: BTreeMap<usize, usize> = BTreeMap::new();
    for others in own.iter().filter_map(|key| places.get(key)) {
        // A word that stands everywhere finds its nearest neighbours only.
        let from = others.partition_point(|other| *other <= at);
        for other in others.iter().skip(from).take(COMMON) {
            *shared.entry(*other).or_default() += 1;
        }
    }
    let mut best: Vec<_> =
        shared.into_iter().filter(|(_, count)| *count > 1 || own.len() < 3).collect();
    best.sort_by(|a, b| b.1.cmp(&a.1).then(a.0.cmp(&b.0)));
    best.truncate(MOST_COMPARED);
    best.into_iter().map(|(other, _)| other).collect()
}

/// Among many texts, a few words alike are chance.
fn is_sure(verdict: &Verdict) -> bool {
    match verdict.relation {
        Relation::Duplicate => verdict.common >= 0.75 && verdict.shared >= 3,
        _ => verdict.common >= LEAST_COMMON && verdict.shared >= 2,
    }
}

fn in_order(at: usize, other: usize, verdict: Verdict) -> Pairing {
    match verdict.relation {
        Relation::SecondSuperseded => {
            Pairing { first: other, second: at, relation: Relation::FirstSuperseded }
        }
        relation => Pairing { first: at, second: other, relation },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn passage(text: usize, said: &str) -> Passage {
        Passage { text, line: 1, end_line: 1, said: said.to_owned() }
    }

    #[test]
    fn what_is_said_twice_is_found_among_many() {
        let mut passages: Vec<_> = (0..500)
            .map(|at| passage(at, &format!("Shelf {at} holds part {} of box {at}.", at * 7)))
            .collect();
        passages.push(passage(900, "The nightly export runs at 02:00 and writes CSV files."));
        passages.push(passage(
            901,
            "The nightly export runs at 02:00 and writes CSV files. The bank closes then.",
        ));
        let found = pairings(&passages, &|a, b| a.text == b.text);
        assert_eq!(found, [Pairing { first: 500, second: 501, relation: Relation::Duplicate }]);
    }

    #[test]
    fn many_entries_are_compared_without_comparing_all_with_all() {
        let words = [
            "在庫",
            "請求",
            "invoice",
            "会員",
            "gateway",
            "倉庫",
            "coupon",
            "棚卸し",
            "delivery",
            "索引",
        ];
        let passages: Vec<_> = (0..2_000)
            .map(|at| {
                let word = |step: usize| words[(at / step) % words.len()];
                passage(
                    at,
                    &format!(
                        "[2026-05-01] {} の {} は {} を {at} 回だけ行う。",
                        word(1),
                        word(10),
                        word(100)
                    ),
                )
            })
            .collect();
        let found = pairings(&passages, &|_, _| false);
        assert!(found.len() <= 2_000 * MOST_COMPARED);
    }
}
