//! The search through the handbook.

use std::cmp::Reverse;

use super::super::line::lines;
use super::super::{Handbook, Place, SourceRef, Task, TaskGroup, Topic};
use super::FoundBy;
use super::terms::{Terms, fold};

/// A passage of the handbook that fits.
pub(super) struct Hit<'h> {
    pub(super) place: Place,
    pub(super) why: FoundBy,
    /// What it points to.
    pub(super) sources: &'h [SourceRef],
    rank: Rank,
}

/// The more, the better: words of the question among the keywords, anywhere,
/// and keywords of a topic that fits.
type Rank = (usize, usize, usize);

/// The passages that fit, best first: tasks, other list items, other text.
pub(super) fn search<'h>(handbook: &'h Handbook, terms: &Terms, topics: &[Topic]) -> Vec<Hit<'h>> {
    let mut hits: Vec<Hit<'h>> = Vec::new();
    for group in &handbook.groups {
        let tasks = group.tasks.iter();
        hits.extend(tasks.filter_map(|task| of_task(handbook, group, task, terms, topics)));
        let sections = group.sections.iter().flat_map(|section| &section.bullets);
        let places = sections.chain(&group.bullets).map(|bullet| bullet.place);
        hits.extend(places.filter_map(|place| of_place(handbook, place, terms)));
    }
    for place in &handbook.other {
        hits.extend(
            blocks(handbook, *place)
                .into_iter()
                .filter_map(|block| of_place(handbook, block, terms)),
        );
    }
    hits.sort_by_key(|hit| Reverse(hit.rank));
    hits
}

fn of_task<'h>(
    handbook: &Handbook,
    group: &TaskGroup,
    task: &'h Task,
    terms: &Terms,
    topics: &[Topic],
) -> Option<Hit<'h>> {
    let text = handbook.text(task.place);
    let scope = group.scope.as_deref().unwrap_or_default();
    let held = terms.held_by(&[&text, &group.title, scope]);
    let keywords: Vec<&str> = task.keywords.iter().map(String::as_str).collect();
    let by_keyword = terms.held_by(&keywords).len();
    let topic = topics
        .iter()
        .filter_map(|topic| shared(topic, &keywords))
        .max_by_key(|(_, words)| words.len());
    let by_topic = topic.as_ref().map_or(0, |(_, words)| words.len());
    let why = match topic {
        _ if !held.is_empty() => FoundBy::Holds(held.clone()),
        Some((title, keywords)) => FoundBy::Topic { title, keywords },
        None => return None,
    };
    let rank = (by_keyword, held.len(), by_topic);
    Some(Hit { place: task.place, why, sources: &task.sources, rank })
}

/// A topic's title and its keywords that are among `keywords`.
fn shared(topic: &Topic, keywords: &[&str]) -> Option<(String, Vec<String>)> {
    let keywords: Vec<String> = keywords.iter().map(|word| fold(word)).collect();
    let is_shared = |word: &&String| keywords.contains(&fold(word));
    let shared: Vec<String> = topic.keywords.iter().filter(is_shared).cloned().collect();
    (!shared.is_empty()).then(|| (topic.title.clone(), shared))
}

fn of_place(handbook: &Handbook, place: Place, terms: &Terms) -> Option<Hit<'static>> {
    let held = terms.held_by(&[&handbook.text(place)]);
    let rank = (0, held.len(), 0);
    (!held.is_empty()).then_some(Hit { place, why: FoundBy::Holds(held), sources: &[], rank })
}

/// The stretches of a place from heading to heading.
fn blocks(handbook: &Handbook, place: Place) -> Vec<Place> {
    let mut found: Vec<Place> = Vec::new();
    let inside = |number: u32| (place.first_line..=place.last_line).contains(&number);
    for line in lines(&handbook.source).filter(|line| inside(line.number)) {
        match found.last_mut() {
            Some(block) if line.heading().is_none() => {
                if !line.is_blank() {
                    block.reach(&line);
                }
            }
            _ => found.push(Place::of(&line)),
        }
    }
    found
}
