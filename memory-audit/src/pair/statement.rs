//! A text made ready to be compared with others.

use std::collections::{BTreeMap, BTreeSet};

use super::lexicon;
use super::meaning::{Kind, Term, folded, stem};
use super::sign::{Clause, Sign, clauses, tells_change};
use super::value::{Measure, Values, take};
use crate::entry::Entry;
use crate::pattern::patterns;
use crate::script::{is_japanese, is_japanese_char, is_kanji, is_katakana};
use crate::sentence::sentences;

patterns! {
    /// Remarks that only explain.
    REMARK = [r"[(（][^()（）]{0,80}[)）]", r"[\[［][^\[\]［］]{0,80}[\]］]"];
    /// Where an English sentence says what its subject is or does.
    VERB = [r"\b(?:is|are|was|were|must|should|shall|can|cannot|may|will|has|have|do|does|go|goes|returns?|runs?|uses?|lives?|stays?|keeps?|takes?|moved|need|needs|times? out|hit|hits|holds?|contains?|belongs?|accepts?|starts?|ends?|expires?|comes?|opens?|closes?|costs?|reads?|writes?|sits?|works?|lasts?|requires?|allows?|happens?|ships?|deploys?|points?|gets?|sends?|stores?|owns?|leaves?|arrives?|begins?|counts?|shows?|breaks?|fails?|supports?|changes?|covers?|stops?|answers?|lists?|wants?|prefers?|likes?)\b"];
}

/// English words that say nothing on their own.
const IDLE: &[&str] = &[
    "a", "an", "the", "of", "to", "in", "on", "at", "by", "for", "with", "and", "or", "as", "is",
    "are", "was", "be", "been", "were", "it", "its", "this", "that", "these", "those", "they",
    "them", "their", "we", "us", "our", "you", "your", "i", "must", "should", "shall", "can",
    "cannot", "may", "will", "would", "do", "does", "did", "not", "no", "never", "dont", "don",
    "doesn", "t", "there", "here", "from", "than", "then", "so", "too", "also", "very", "more",
    "when", "where", "if", "because", "since", "until", "unless", "into", "out", "up", "down",
    "off", "per", "via", "about", "which", "who", "what", "how", "such", "without", "but", "nor",
    "other", "any", "anymore", "longer", "now", "instead", "rather", "both", "even", "still",
    "once", "s", "go", "goes", "went", "get", "let", "keepers", "their",
];

/// A text as a set of meanings, values and signs.
#[derive(Clone, Debug, Default)]
pub struct Statement {
    pub(super) date: Option<String>,
    pub(super) tells_change: bool,
    pub(super) parts: Vec<Part>,
    pub(super) is_japanese: bool,
    /// Each two neighbouring letters, once, in order.
    pub(super) letters: Vec<(char, char)>,
}

/// One sentence of a statement.
#[derive(Clone, Debug, Default)]
pub(super) struct Part {
    pub(super) terms: BTreeMap<Term, Use>,
    pub(super) values: Values,
    /// Numbers in the topic.
    pub(super) names: Values,
}

/// Whether what a term names is wanted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Stance {
    #[default]
    Open,
    Wanted,
    Refused,
    /// In one clause it is wanted, in another refused.
    Both,
}

/// How a term is used in a sentence.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Use {
    pub(super) stance: Stance,
    /// It stands before the topic's particle, or before the verb.
    pub(super) in_topic: bool,
    /// It stands in a clause that only says when or why.
    pub(super) in_aside: bool,
    /// What follows it: a particle or a preposition before it.
    pub(super) particle: Option<char>,
}

impl Statement {
    /// Reads a text.
    pub fn of(text: &str) -> Self {
        let entry = Entry::parse(text);
        let said = in_one_word(&folded(entry.statement));
        let plain = REMARK.replace(&said, " ");
        let plain = if plain.chars().any(char::is_alphanumeric) { plain } else { said.clone() };
        let parts: Vec<_> =
            sentences(&plain).into_iter().map(Part::of).filter(|part| !part.is_empty()).collect();
        let signs: Vec<char> = plain.chars().filter(|c| c.is_alphanumeric()).collect();
        let mut letters: Vec<_> =
            signs.iter().zip(signs.iter().skip(1)).map(|(a, b)| (*a, *b)).collect();
        letters.sort_unstable();
        letters.dedup();
        Self {
            date: entry.date.map(str::to_owned),
            tells_change: tells_change(&said) || entry.former.is_some(),
            parts,
            is_japanese: is_japanese(&plain),
            letters,
        }
    }

    /// The sentences that say most: what is said beside them decides nothing.
    pub(super) fn main_parts(&self) -> impl Iterator<Item = &Part> {
        let most = self.parts.iter().map(Part::weight).max().unwrap_or_default();
        self.parts.iter().filter(move |part| part.weight() * 2 >= most)
    }

    /// The fingerprints of what the text is about, for an index: rare ones find
    /// the texts that are worth a comparison.
    pub(crate) fn keys(&self) -> BTreeSet<u64> {
        use std::hash::BuildHasher as _;
        let hash = foldhash::fast::FixedState::with_seed(7);
        let terms = self.parts.iter().flat_map(|part| part.terms.keys());
        terms.filter(|term| term.is_content()).map(|term| hash.hash_one(term)).collect()
    }
}

/// Phrases whose words mean something else on their own.
fn in_one_word(text: &str) -> String {
    let phrases = ["one after another", "one by one", "one at a time"];
    phrases.iter().fold(text.to_owned(), |text, phrase| text.replace(phrase, "serially"))
}

impl Part {
    fn of(sentence: &str) -> Self {
        let mut part = Self::default();
        for clause in clauses(sentence) {
            part.read(&clause.text, &clause);
        }
        part
    }

    fn is_empty(&self) -> bool {
        self.terms.is_empty() && self.values.is_empty()
    }

    fn keep(&mut self, term: Term, clause: &Clause, in_topic: bool, particle: Option<char>) {
        let known = self.terms.entry(term).or_default();
        known.stance = match (known.stance, clause.sign) {
            (Stance::Open | Stance::Wanted, Sign::Yes) => Stance::Wanted,
            (Stance::Open | Stance::Refused, Sign::No) => Stance::Refused,
            _ => Stance::Both,
        };
        known.in_topic |= in_topic;
        known.in_aside |= clause.is_aside;
        known.particle = known.particle.or(particle);
    }

    /// Takes a clause in; what stands before the verb or the topic's particle is
    /// what it speaks of, and a number there is a name.
    fn read(&mut self, text: &str, clause: &Clause) {
        let topic = if is_japanese(text) {
            let chars: Vec<char> = text.chars().collect();
            chars.iter().take(topic_end(&chars)).map(|c| c.len_utf8()).sum()
        } else {
            VERB.find(text).map_or(0, |at| at.start)
        };
        let (topic, rest) = text.split_at_checked(topic).unwrap_or(("", text));
        let mut numbers = Values::new();
        let named: Vec<char> = take(topic, &mut numbers).chars().collect();
        // A day or a time of day is when, wherever it stands.
        for (measure, values) in numbers {
            let is_when = matches!(measure, Measure::Weekday | Measure::Clock);
            let into = if is_when { &mut self.values } else { &mut self.names };
            into.entry(measure).or_default().extend(values);
        }
        let said: Vec<char> = take(rest, &mut self.values).chars().collect();
        let end = named.len();
        let chars: Vec<char> = named.into_iter().chain(said).collect();
        self.scan(&chars, end, clause);
    }

    fn scan(&mut self, chars: &[char], topic_end: usize, clause: &Clause) {
        let mut at = 0;
        while let Some(c) = chars.get(at).copied() {
            if let Some((length, meanings)) = lexicon::longest(chars, at) {
                let particle = particle(chars, at, at + length);
                for meaning in meanings {
                    self.keep(Term::Known(meaning), clause, at < topic_end, particle);
                }
                at += length;
                continue;
            }
            let kind = class(c);
            let mut end = at + 1;
            while chars.get(end).is_some_and(|next| class(*next) == kind && kind > 0)
                && lexicon_not_at(chars, end, kind)
            {
                end += 1;
            }
            let run: String = chars.get(at..end).unwrap_or_default().iter().collect();
            let particle = particle(chars, at, end);
            match kind {
                1 if !IDLE.contains(&run.as_str()) && run.chars().count() > 1 => {
                    self.keep(Term::Unknown(stem(&run)), clause, at < topic_end, particle);
                }
                2 => {
                    for piece in pieces(&run) {
                        self.keep(Term::Unknown(piece), clause, at < topic_end, particle);
                    }
                }
                3 if run.chars().count() > 1 => {
                    self.keep(
                        Term::Unknown(run.trim_end_matches('ー').to_owned()),
                        clause,
                        at < topic_end,
                        particle,
                    );
                }
                _ => {}
            }
            at = end;
        }
    }
}

/// Whether no word of the list begins here; Latin words are taken whole.
fn lexicon_not_at(chars: &[char], at: usize, kind: u8) -> bool {
    kind == 1 || lexicon::longest(chars, at).is_none_or(|(length, _)| length < 2)
}

/// What kind of run a character belongs to: Latin 1, kanji 2, katakana 3.
fn class(c: char) -> u8 {
    if is_kanji(c) {
        2
    } else if is_katakana(c) {
        3
    } else {
        u8::from(c.is_alphanumeric() && !is_japanese_char(c))
    }
}

/// A run of kanji as words: two by two where that comes out even.
fn pieces(run: &str) -> Vec<String> {
    let chars: Vec<char> = run.chars().collect();
    match chars.len() {
        0 => Vec::new(),
        1 | 2 => vec![run.to_owned()],
        long if long % 2 == 0 => chars.chunks(2).map(|pair| pair.iter().collect()).collect(),
        _ => chars.windows(2).map(|pair| pair.iter().collect()).collect(),
    }
}

/// Where the topic of a Japanese sentence ends: behind the first `は` that is a
/// particle, or `も` where there is none.
fn topic_end(chars: &[char]) -> usize {
    let is_particle = |at: usize| {
        let before = at.checked_sub(1).and_then(|at| chars.get(at)).copied();
        before.is_some_and(|c| {
            is_kanji(c)
                || is_katakana(c)
                || c.is_ascii_alphanumeric()
                || matches!(c, 'で' | 'に' | 'と' | 'の' | 'へ' | '」' | ' ')
        })
    };
    chars.iter().enumerate().position(|(at, c)| *c == 'は' && is_particle(at)).unwrap_or(0)
}

/// What ties a word to its verb: the particle behind it in Japanese; in English
/// the preposition before it, by what it asks for: `で` how, `に` where to.
fn particle(chars: &[char], start: usize, end: usize) -> Option<char> {
    let behind = chars
        .get(end..)
        .unwrap_or_default()
        .iter()
        .copied()
        .find(|c| *c != ' ')
        .filter(|c| matches!(c, 'で' | 'に' | 'を' | 'と' | 'が' | 'の' | 'へ' | 'は' | 'も'));
    if behind.is_some() {
        return behind;
    }
    let before: String =
        chars.get(start.saturating_sub(24)..start).unwrap_or_default().iter().collect();
    let word = before
        .split_whitespace()
        .rev()
        .find(|word| !matches!(*word, "the" | "a" | "an" | "our" | "plain" | "one"))?;
    match word {
        "in" | "as" | "by" | "with" | "via" | "through" | "using" | "on" => Some('で'),
        "to" | "into" | "onto" => Some('に'),
        _ => None,
    }
}

impl Part {
    /// How much it says.
    fn weight(&self) -> usize {
        self.terms.keys().filter(|term| term.kind() != Kind::Idle).count() + self.values.len()
    }

    /// The terms that say what it is about.
    pub(super) fn content(&self) -> impl Iterator<Item = (&Term, &Use)> {
        self.terms.iter().filter(|(term, _)| term.is_content())
    }

    /// What its topic names.
    pub(super) fn topic(&self) -> BTreeSet<&Term> {
        let named =
            self.terms.iter().filter(|(term, used)| used.in_topic && term.kind() != Kind::Idle);
        named.map(|(term, _)| term).collect()
    }

    /// The choices that its topic names: they say what it is about.
    pub(super) fn topic_choices(&self) -> BTreeMap<u16, BTreeSet<&Term>> {
        let mut found: BTreeMap<u16, BTreeSet<&Term>> = BTreeMap::new();
        for (term, used) in &self.terms {
            if let Kind::Value(group) = term.kind()
                && used.in_topic
            {
                found.entry(group).or_default().insert(term);
            }
        }
        found
    }

    /// The choices of each group.
    pub(super) fn choices(&self) -> BTreeMap<u16, BTreeSet<&Term>> {
        let mut found: BTreeMap<u16, BTreeSet<&Term>> = BTreeMap::new();
        for (term, used) in &self.terms {
            if let Kind::Value(group) = term.kind() {
                // What is refused is not chosen.
                if used.stance != Stance::Refused {
                    found.entry(group).or_default().insert(term);
                }
            }
        }
        found
    }

    /// The scopes of each group.
    pub(super) fn scopes(&self) -> BTreeMap<u16, BTreeSet<&Term>> {
        let mut found: BTreeMap<u16, BTreeSet<&Term>> = BTreeMap::new();
        for term in self.terms.keys() {
            if let Kind::Scope(group) = term.kind() {
                found.entry(group).or_default().insert(term);
            }
        }
        found
    }
}
