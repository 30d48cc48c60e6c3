//! How well the checks do on labelled entries and pairs.
#![expect(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::print_stdout,
    reason = "the data is the test's own, and its figures are there to be read"
)]

use std::collections::BTreeMap;

use memory_audit::{Check, Relation, Statement, body_issues, line_issues};
use serde_json::Value;

const LINES: &str = include_str!("data/lines.json");
const OWN_LINES: &str = include_str!("data/own_lines.json");
const PAIRS: &str = include_str!("data/pairs.json");
const OWN_PAIRS: &str = include_str!("data/own_pairs.json");
const MORE_PAIRS: &str = include_str!("data/more_pairs.json");

/// Right, wrong and missed.
#[derive(Debug, Default)]
struct Tally {
    hits: u32,
    wrong: u32,
    missed: u32,
}

impl Tally {
    fn precision(&self) -> f64 {
        share(self.hits, self.hits + self.wrong)
    }

    fn recall(&self) -> f64 {
        share(self.hits, self.hits + self.missed)
    }
}

fn share(part: u32, all: u32) -> f64 {
    if all == 0 { 1.0 } else { f64::from(part) / f64::from(all) }
}

fn texts<'a>(item: &'a Value, key: &str) -> Vec<&'a str> {
    item[key].as_array().into_iter().flatten().filter_map(Value::as_str).collect()
}

#[test]
fn entries_are_judged_as_people_judge_them() {
    judge_lines(LINES);
}

#[test]
fn further_entries_are_judged_as_people_judge_them() {
    judge_lines(OWN_LINES);
}

fn judge_lines(data: &str) {
    let labels = [
        "too_long",
        "line_number",
        "progress",
        "undated",
        "not_one_fact",
        "procedure",
        "event",
        "raw_log",
    ];
    let data: Value = serde_json::from_str(data).unwrap();
    let mut tallies: BTreeMap<&str, Tally> =
        labels.iter().map(|label| (*label, Tally::default())).collect();
    let (mut clean, mut flagged) = (0, 0);
    for item in data["lines"].as_array().unwrap() {
        let text = item["text"].as_str().unwrap();
        let issues = if item["kind"] == "file" {
            body_issues(text.splitn(3, "---").nth(2).unwrap_or(text))
        } else {
            line_issues(text)
        };
        let found: Vec<String> = issues.iter().map(|issue| label(issue.check)).collect();
        let (wanted, may) = (texts(item, "labels"), texts(item, "may"));
        clean += u32::from(wanted.is_empty());
        flagged += u32::from(wanted.is_empty() && !found.is_empty());
        for label in labels {
            let tally = tallies.get_mut(label).unwrap();
            match (found.iter().any(|found| found == label), wanted.contains(&label)) {
                (true, true) => tally.hits += 1,
                (true, false) if !may.contains(&label) => {
                    tally.wrong += 1;
                    println!("wrong  {label}: {text}");
                }
                (false, true) => {
                    tally.missed += 1;
                    println!("missed {label}: {text}");
                }
                _ => {}
            }
        }
    }
    for (label, tally) in &tallies {
        println!(
            "{label:13} precision {:.3} recall {:.3} of {}",
            tally.precision(),
            tally.recall(),
            tally.hits + tally.missed
        );
    }
    println!("clean entries flagged: {flagged} of {clean}");
    for (label, tally) in &tallies {
        assert!(tally.precision() >= 0.97, "{label}");
        assert!(tally.recall() >= 0.92, "{label}");
    }
}

fn label(check: Check) -> String {
    check.code().0.rsplit('/').next().unwrap().replace('-', "_")
}

#[test]
fn pairs_are_judged_as_people_judge_them() {
    judge_pairs(PAIRS, 0.85, 0.75);
}

#[test]
fn further_pairs_are_judged_as_people_judge_them() {
    judge_pairs(OWN_PAIRS, 0.85, 0.75);
}

#[test]
fn pairs_with_other_words_are_judged_less_surely() {
    judge_pairs(MORE_PAIRS, 0.75, 0.6);
}

fn judge_pairs(data: &str, precision: f64, recall: f64) {
    let data: Value = serde_json::from_str(data).unwrap();
    let mut tallies: BTreeMap<(&str, &str), Tally> = BTreeMap::new();
    for item in data["pairs"].as_array().unwrap() {
        let text = |key: &str| item[key].as_str().unwrap();
        let found = Statement::of(text("a")).compare(&Statement::of(text("b")));
        let found = match found.map(|found| found.relation) {
            Some(Relation::Duplicate) => "duplicate",
            Some(Relation::Contradiction) => "contradiction",
            Some(Relation::FirstSuperseded | Relation::SecondSuperseded) => "superseded",
            None => "unrelated",
        };
        let wanted = text("label");
        if found != wanted {
            println!(
                "{} is {wanted}, judged {found}:\n    {}\n    {}",
                text("id"),
                text("a"),
                text("b")
            );
        }
        for lang in ["all", item["lang"].as_str().unwrap()] {
            if found == wanted {
                tallies.entry((lang, wanted)).or_default().hits += 1;
            } else {
                tallies.entry((lang, found)).or_default().wrong += 1;
                tallies.entry((lang, wanted)).or_default().missed += 1;
            }
        }
    }
    for ((lang, label), tally) in &tallies {
        println!(
            "{lang:6} {label:14} precision {:.3} recall {:.3} of {}",
            tally.precision(),
            tally.recall(),
            tally.hits + tally.missed
        );
    }
    for label in ["duplicate", "contradiction"] {
        let tally = &tallies[&("all", label)];
        assert!(tally.precision() >= precision, "{label}");
        assert!(tally.recall() >= recall, "{label}");
    }
}
