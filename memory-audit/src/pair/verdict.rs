//! The comparison of two statements.

use std::collections::BTreeSet;

use super::meaning::{Kind, Term};
use super::statement::{Part, Stance, Statement, Use};

/// What two texts are to each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Relation {
    /// Both say the same.
    Duplicate,
    /// They can't both hold.
    Contradiction,
    /// The second replaces the first.
    FirstSuperseded,
    /// The first replaces the second.
    SecondSuperseded,
}

/// A relation and how sure it is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Verdict {
    /// What they are to each other.
    pub relation: Relation,
    /// What share of their words they have in common, from 0 to 1.
    pub common: f64,
    /// How many words and values they have in common.
    pub shared: usize,
}

/// What two sentences have in common, and what not.
struct Overlap<'a> {
    shared: BTreeSet<&'a Term>,
    only_a: Vec<(&'a Term, &'a Use)>,
    only_b: Vec<(&'a Term, &'a Use)>,
    common: f64,
    /// How many values and choices are equal.
    equal: usize,
}

impl Statement {
    /// Compares two texts that may speak of one thing; `None` when both can hold.
    ///
    /// ```
    /// use memory_audit::{Relation, Statement};
    ///
    /// let relation = |a, b| Statement::of(a).compare(&Statement::of(b)).map(|found| found.relation);
    /// assert_eq!(relation("ログは30日残す。", "ログは1年残す。"), Some(Relation::Contradiction));
    /// assert_eq!(relation("Feature ALPHA is enabled.", "Feature BETA is disabled."), None);
    /// ```
    pub fn compare(&self, other: &Self) -> Option<Verdict> {
        let pairs = self.main_parts().flat_map(|a| other.main_parts().map(move |b| (a, b)));
        let (a, b, overlap) = pairs
            .map(|(a, b)| (a, b, overlap(a, b)))
            .max_by(|x, y| x.2.common.total_cmp(&y.2.common))?;
        let alike = letters_in_common(self, other);
        let order = self.order(other);
        let is_dated = self.date.is_some() && other.date.is_some();
        let is_mixed = self.is_japanese != other.is_japanese;
        let common = overlap.common;
        let shared = overlap.shared.len() + overlap.equal;
        let verdict = |relation| Some(Verdict { relation, common, shared });
        let conflict = conflict(a, b, &overlap);
        let is_apart = is_apart(a, b, &overlap, is_mixed);
        if let Some(order) = order
            && (!overlap.shared.is_empty() || shares_choice(a, b))
            && (conflict
                || self.tells_change
                || other.tells_change
                || is_dated && !a.topic().is_empty() && a.topic() == b.topic())
            && (!is_apart || conflict || self.tells_change != other.tells_change)
            && (alike <= 0.6 || conflict)
        {
            return verdict(order);
        }
        if is_apart {
            return None;
        }
        if conflict {
            return verdict(Relation::Contradiction);
        }
        let is_same = common >= 0.5 || alike >= 0.5 && common >= 0.3 || is_mixed && common >= 0.4;
        let has_odd_value = a
            .values
            .iter()
            .any(|(measure, values)| b.values.get(measure).is_some_and(|other| other != values));
        // What each says beside is not the same.
        let says_more = |left: &[(&Term, &Use)]| {
            left.iter().any(|(term, used)| !term.is_action() && !used.in_aside)
        };
        let both_say_more = !is_mixed
            && says_more(&overlap.only_a)
            && says_more(&overlap.only_b)
            && common < 0.7
            && alike < 0.5;
        (is_same && !has_odd_value && !both_say_more).then_some(Verdict {
            relation: Relation::Duplicate,
            common,
            shared,
        })
    }

    /// Which of two is the older one, by its day or by its words.
    fn order(&self, other: &Self) -> Option<Relation> {
        match (&self.date, &other.date) {
            (Some(a), Some(b)) if a < b => return Some(Relation::FirstSuperseded),
            (Some(a), Some(b)) if a > b => return Some(Relation::SecondSuperseded),
            _ => {}
        }
        match (self.tells_change, other.tells_change) {
            (false, true) => Some(Relation::FirstSuperseded),
            (true, false) => Some(Relation::SecondSuperseded),
            _ => None,
        }
    }
}

fn overlap<'a>(a: &'a Part, b: &'a Part) -> Overlap<'a> {
    let shared: BTreeSet<&Term> =
        a.content().map(|(term, _)| term).filter(|term| b.terms.contains_key(term)).collect();
    let left = |part: &'a Part| {
        part.content().filter(|(term, _)| !shared.contains(term)).collect::<Vec<_>>()
    };
    let (only_a, only_b) = (left(a), left(b));
    let weight = |term: &Term| if term.is_action() { 0.7 } else { 1.0 };
    let both: f64 = shared.iter().map(|term| weight(term)).sum();
    let rest: f64 = only_a
        .iter()
        .chain(&only_b)
        .map(|(term, used)| weight(term) * if used.in_aside { 0.5 } else { 1.0 })
        .sum();
    // So does a choice that the other one leaves open.
    let (choices_a, choices_b) = (a.choices(), b.choices());
    let open = choices_a.iter().filter(|(group, _)| !choices_b.contains_key(group)).count()
        + choices_b.iter().filter(|(group, _)| !choices_a.contains_key(group)).count();
    let rest = (0..open).fold(rest, |rest, _| rest + 0.6);
    let mut common = if both + rest > 0.0 { 2.0 * both / (2.0 * both + rest) } else { 0.0 };
    // Equal numbers and choices speak for one thing.
    let equal_values =
        a.values.iter().filter(|(measure, values)| b.values.get(measure) == Some(values)).count();
    let equal_choices =
        choices_a.iter().filter(|(group, terms)| choices_b.get(*group) == Some(*terms)).count();
    let equal = equal_values + equal_choices;
    for _ in 0..equal {
        common += (1.0 - common) * 0.3;
    }
    Overlap { shared, only_a, only_b, common, equal }
}

/// Whether they speak of two things: each names something in its topic, or a
/// scope, that the other one doesn't.
fn is_apart(a: &Part, b: &Part, overlap: &Overlap<'_>, is_mixed: bool) -> bool {
    let (scopes_a, scopes_b) = (a.scopes(), b.scopes());
    let is_other_scope = scopes_a
        .iter()
        .any(|(group, terms)| scopes_b.get(group).is_some_and(|others| terms.is_disjoint(others)));
    let (topics_a, topics_b) = (a.topic_choices(), b.topic_choices());
    let is_other_choice = topics_a
        .iter()
        .any(|(group, terms)| topics_b.get(group).is_some_and(|others| terms.is_disjoint(others)));
    let is_other_name = a.names.iter().any(|(measure, values)| {
        b.names.get(measure).is_some_and(|others| values.is_disjoint(others))
    });
    if is_other_scope || is_other_choice || is_other_name {
        return true;
    }
    if other_way(a, b, overlap) {
        return false;
    }
    if overlap.shared.is_empty() {
        let met = a.choices().keys().filter(|group| b.choices().contains_key(group)).count();
        let measured = a.values.keys().any(|one| b.values.keys().any(|other| one.meets(*other)));
        let says_no_more = overlap.only_a.is_empty() || overlap.only_b.is_empty();
        let says_nothing = overlap.only_a.is_empty() && overlap.only_b.is_empty();
        return !(met > 0 && says_no_more || measured && says_nothing);
    }
    // Between two languages an unknown word may be known to the other one.
    let is_unknown = |term: &Term| is_mixed && matches!(term, Term::Unknown(_));
    // One word in common, and each says more that the other doesn't.
    let own = |left: &[(&Term, &Use)]| {
        left.iter().any(|(term, used)| !used.in_aside && !is_unknown(term))
    };
    let beside = |part: &Part, term: &Term| part.terms.get(term).is_some_and(|used| used.in_aside);
    if overlap.shared.iter().all(|term| beside(a, term) != beside(b, term)) {
        return true;
    }
    let has_equal = overlap.equal > 0 && overlap.only_a.len() < 2 && overlap.only_b.len() < 2;
    if overlap.shared.len() == 1 && !has_equal && own(&overlap.only_a) && own(&overlap.only_b) {
        return true;
    }
    // Something else is done.
    let does = |left: &[(&Term, &Use)]| {
        left.iter().any(|(term, used)| term.is_action() && !used.in_aside && !used.in_topic)
    };
    let same_done = overlap.shared.iter().any(|term| term.is_action());
    if !same_done
        && !is_mixed
        && !differs(a, b)
        && does(&overlap.only_a)
        && does(&overlap.only_b)
        && overlap.common < 0.8
    {
        return true;
    }
    let topic = |left: &[(&Term, &Use)]| {
        left.iter().filter(|(term, used)| used.in_topic && !is_unknown(term)).count()
    };
    let things = |left: &[(&Term, &Use)]| {
        left.iter()
            .filter(|(term, used)| !term.is_action() && !used.in_aside && !is_unknown(term))
            .count()
    };
    let topics = (topic(&overlap.only_a), topic(&overlap.only_b));
    let left = (things(&overlap.only_a), things(&overlap.only_b));
    let least = left.0.min(left.1);
    topics.0 > 0 && topics.1 > 0 && overlap.common < 0.75
        || overlap.common < 0.34
        || least > 0 && overlap.common < 0.5 && !is_mixed
}

/// Whether a choice of the one is spoken of in the other, taken or refused.
fn shares_choice(a: &Part, b: &Part) -> bool {
    a.terms.keys().any(|term| matches!(term.kind(), Kind::Value(_)) && b.terms.contains_key(term))
}

/// Whether one of them denies what the other says.
fn conflict(a: &Part, b: &Part, overlap: &Overlap<'_>) -> bool {
    let (mut flips, mut agree) = (0, 0);
    for term in &overlap.shared {
        let (Some(x), Some(y)) = (a.terms.get(*term), b.terms.get(*term)) else { continue };
        if x.in_aside || y.in_aside {
            continue;
        }
        if matches!(
            (x.stance, y.stance),
            (Stance::Wanted, Stance::Refused) | (Stance::Refused, Stance::Wanted)
        ) {
            flips += 1;
        } else {
            agree += 1;
        }
    }
    if flips > agree {
        return true;
    }
    differs(a, b) || refused(a, b) || refused(b, a) || other_way(a, b, overlap)
}

/// Whether a choice that the one takes is refused by the other.
fn refused(a: &Part, b: &Part) -> bool {
    a.terms.iter().any(|(term, used)| {
        matches!(term.kind(), Kind::Value(_))
            && used.stance == Stance::Wanted
            && b.terms.get(term).is_some_and(|other| other.stance == Stance::Refused)
    })
}

/// Whether a number or a choice of the one excludes that of the other.
fn differs(a: &Part, b: &Part) -> bool {
    let differ = a.values.iter().any(|(measure, values)| {
        let met: Vec<_> = b.values.iter().filter(|(other, _)| measure.meets(**other)).collect();
        !met.is_empty() && met.iter().all(|(_, others)| values.is_disjoint(others))
    });
    let (choices_a, choices_b) = (a.choices(), b.choices());
    let chosen = choices_a
        .iter()
        .any(|(group, terms)| choices_b.get(group).is_some_and(|others| terms.is_disjoint(others)));
    differ || chosen
}

/// Whether the same is done to the same thing in another way: one word differs,
/// tied to the verb alike.
fn other_way(a: &Part, b: &Part, overlap: &Overlap<'_>) -> bool {
    let own = |part: &Part, other: &Part| -> Option<Use> {
        let mut left = part.terms.iter().filter(|(term, used)| {
            !matches!(term.kind(), Kind::Idle | Kind::Scope(_))
                && !other.terms.contains_key(*term)
                && !used.in_aside
        });
        let (_, used) = left.next()?;
        left.next().is_none().then_some(*used)
    };
    let (Some(in_a), Some(in_b)) = (own(a, b), own(b, a)) else { return false };
    let has_action = overlap.shared.iter().any(|term| term.is_action());
    let has_thing = overlap.shared.iter().any(|term| term.kind() == Kind::Thing);
    let same_topic = !a.topic().is_empty() && a.topic() == b.topic();
    !in_a.in_topic
        && !in_b.in_topic
        && has_thing
        && (has_action || same_topic)
        && in_a.particle == in_b.particle
        && in_a.particle.is_some_and(|particle| matches!(particle, 'で' | 'に' | 'へ' | 'を'))
}

/// The share of neighbouring letters that both have.
fn letters_in_common(a: &Statement, b: &Statement) -> f64 {
    let (mut left, mut right) = (a.letters.as_slice(), b.letters.as_slice());
    let mut both = 0_usize;
    while let ([x, others @ ..], [y, rest @ ..]) = (left, right) {
        both += usize::from(x == y);
        left = if x <= y { others } else { left };
        right = if y <= x { rest } else { right };
    }
    let all = a.letters.len() + b.letters.len() - both;
    #[expect(clippy::cast_precision_loss, reason = "a share of two small counts")]
    let share = if all == 0 { 0.0 } else { both as f64 / all as f64 };
    share
}
