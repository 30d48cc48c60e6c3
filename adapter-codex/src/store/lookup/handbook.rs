//! The search through the handbook.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use super::FoundBy;
use super::terms::{Terms, fold};
use crate::memory::handbook::{Handbook, Task};
use crate::memory::line::Place;
use crate::memory::line::lines;
use crate::memory::source_ref::SourceRef;
use crate::memory::topic::Topic;

/// A passage of the handbook that fits.
pub(super) struct Hit<'h> {
    pub(super) place: Place,
    pub(super) why: FoundBy,
    /// What it points to.
    pub(super) sources: &'h [SourceRef],
    rank: Rank,
}

impl Hit<'_> {
    /// A passage that points to nothing and holds these words.
    fn of(place: Place, held: Vec<String>) -> Self {
        let rank = (0, held.len(), 0);
        Self { place, why: FoundBy::Holds(held), sources: &[], rank }
    }
}

/// The more, the better: words of the question among the keywords, anywhere,
/// and keywords of a topic that fits.
type Rank = (usize, usize, usize);

/// The passages that fit, best first: tasks, other list items, other text.
pub(super) fn search<'h>(handbook: &'h Handbook, terms: &Terms, topics: &[Topic]) -> Vec<Hit<'h>> {
    let search = Search { handbook, terms, topics, by_keyword: by_keyword(topics) };
    let mut hits: Vec<Hit<'h>> = Vec::new();
    for group in &handbook.groups {
        let scope = group.scope.as_deref().unwrap_or_default();
        let in_group = terms.held_by(&[&group.title, scope]);
        hits.extend(group.tasks.iter().filter_map(|task| search.task(task, &in_group)));
        if group.tasks.is_empty() && !in_group.is_empty() {
            hits.push(Hit::of(group.place, in_group));
        }
        let sections = group.sections.iter().flat_map(|section| &section.bullets);
        let places = sections.chain(&group.bullets).map(|bullet| bullet.place);
        hits.extend(places.filter_map(|place| search.place(place)));
    }
    hits.extend(blocks(handbook).into_iter().filter_map(|block| search.place(block)));
    hits.sort_by_key(|hit| Reverse(hit.rank));
    hits
}

struct Search<'a, 'h> {
    handbook: &'h Handbook,
    terms: &'a Terms,
    topics: &'a [Topic],
    by_keyword: BTreeMap<String, usize>,
}

impl<'h> Search<'_, 'h> {
    fn task(&self, task: &'h Task, in_group: &[String]) -> Option<Hit<'h>> {
        let text = self.handbook.text(task.place);
        let held = self.terms.joined(&self.terms.held_by(&[&text]), in_group);
        let keywords: Vec<&str> = task.keywords.iter().map(String::as_str).collect();
        let among_keywords = self.terms.held_by(&keywords).len();
        let topic = self.topic(&keywords);
        let of_topic = topic.as_ref().map_or(0, |(_, words)| words.len());
        let rank = (among_keywords, held.len(), of_topic);
        let why = match topic {
            _ if !held.is_empty() => FoundBy::Holds(held),
            Some((topic, keywords)) => FoundBy::Topic { title: topic.title.clone(), keywords },
            None => return None,
        };
        Some(Hit { place: task.place, why, sources: &task.sources, rank })
    }

    /// The topic that most of these keywords belong to, and which.
    fn topic(&self, keywords: &[&str]) -> Option<(&Topic, Vec<String>)> {
        let mut shared: BTreeMap<usize, Vec<String>> = BTreeMap::new();
        for word in keywords {
            if let Some(topic) = self.by_keyword.get(&fold(word)) {
                shared.entry(*topic).or_default().push((*word).to_owned());
            }
        }
        let (topic, words) = shared.into_iter().max_by_key(|(_, words)| words.len())?;
        self.topics.get(topic).map(|topic| (topic, words))
    }

    fn place(&self, place: Place) -> Option<Hit<'h>> {
        let held = self.terms.held_by(&[&self.handbook.text(place)]);
        (!held.is_empty()).then(|| Hit::of(place, held))
    }
}

/// The first topic that has a keyword, by its place in the list.
fn by_keyword(topics: &[Topic]) -> BTreeMap<String, usize> {
    let mut found = BTreeMap::new();
    for (at, topic) in topics.iter().enumerate() {
        for word in &topic.keywords {
            found.entry(fold(word)).or_insert(at);
        }
    }
    found
}

/// What belongs to no group, parted at headings.
fn blocks(handbook: &Handbook) -> Vec<Place> {
    let mut found: Vec<Place> = Vec::new();
    let mut other = handbook.other.iter().peekable();
    for line in lines(&handbook.source).filter(|line| !line.is_blank()) {
        while other.next_if(|place| place.last_line < line.number).is_some() {}
        let Some(place) = other.peek().filter(|place| place.first_line <= line.number) else {
            continue;
        };
        match found.last_mut().filter(|_| place.first_line != line.number) {
            Some(block) if line.heading().is_none() => block.reach(&line),
            _ => found.push(Place::of(&line)),
        }
    }
    found
}
