//! What is wrong inside one memory folder.

use std::collections::{HashMap, HashSet, VecDeque};

use memory_core::{AbsPath, Code, Diagnostic, Severity};

use super::pointers;
use crate::memory::shown_index;
use crate::profile::Profile;
use crate::store::index::{IndexLine, Mentions};
use crate::store::{IndexFile, Store, TopicFile};

/// Tells what no model will find, and what leads nowhere.
pub(super) fn check(profile: &Profile, store: &Store, told: &mut Vec<Diagnostic>) {
    if let Some(index) = &store.index {
        dangling(store, index, told);
        reach(profile, store, index, told);
    }
    pointers::check(store, told);
    store.topics.iter().for_each(|topic| blanked(topic, told));
    store.others.iter().for_each(|path| left_over(path, told));
}

fn dangling(store: &Store, index: &IndexFile, told: &mut Vec<Diagnostic>) {
    let files: HashSet<&str> = store.topics.iter().map(|topic| topic.below.as_str()).collect();
    let others: HashSet<&AbsPath> = store.others.iter().collect();
    for (line, entry) in index.entries() {
        // A whole path can lead into the folder too.
        let whole = line.links.iter().filter(|link| link.target.starts_with('/'));
        let whole = whole.filter_map(|link| {
            let path = AbsPath::new(&link.target).ok()?;
            let below = path.strip_prefix(&store.place.root)?;
            below.strip_suffix(".md").map(|_| below.to_owned())
        });
        for file in entry.files.iter().cloned().chain(whole) {
            let is_there = files.contains(file.as_str())
                || others.contains(&store.place.root.join(&file))
                || matches!(file.as_str(), "MEMORY.md" | "MEMORY_ARCHIVED.md");
            if !is_there {
                let message = format!("the line points to `{file}`, which is not there");
                told.push(
                    Diagnostic::new(
                        Code("claude/memory-entry-dangling"),
                        Severity::Warning,
                        message,
                    )
                    .at(&index.path)
                    .on_line(line.number)
                    .help("remove the line, or bring the topic back"),
                );
            }
        }
    }
}

/// How a topic can be found by a model.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Reach {
    /// A line that loads names it.
    Loaded,
    /// Only a line beyond the cut does, this one.
    Cut(u32),
}

/// Tells topics that no loaded line leads to, be it through other topics.
fn reach(profile: &Profile, store: &Store, index: &IndexFile, told: &mut Vec<Diagnostic>) {
    let mentions = index.mentions();
    let cut = first_cut_line(profile, index);
    let mut reached: HashMap<usize, Reach> = HashMap::new();
    let mut open = VecDeque::new();
    for (at, topic) in store.topics.iter().enumerate() {
        if let Some(reach) = listed(index, &mentions, topic, cut) {
            reached.insert(at, reach);
            open.push_back(at);
        }
    }
    let by_target = targets(store);
    while let Some(at) = open.pop_front() {
        let (Some(topic), Some(from)) = (store.topics.get(at), reached.get(&at).copied()) else {
            continue;
        };
        for (_, link) in topic.links() {
            let local = super::super::link::local_file(&link.target);
            let keys = [Some(link.target), local];
            for to in keys.into_iter().flatten().filter_map(|key| by_target.get(&key)) {
                let known = reached.get(to);
                if known.is_none() || known != Some(&Reach::Loaded) && from == Reach::Loaded {
                    reached.insert(*to, from);
                    open.push_back(*to);
                }
            }
        }
    }
    for (at, topic) in store.topics.iter().enumerate() {
        match reached.get(&at) {
            Some(Reach::Loaded) => {}
            Some(Reach::Cut(line)) => told.push(beyond_the_cut(index, topic, *line)),
            None if is_put_away(store, topic) => {}
            None => told.push(not_listed(topic)),
        }
    }
}

fn listed(
    index: &IndexFile,
    mentions: &Mentions,
    topic: &TopicFile,
    cut: Option<u32>,
) -> Option<Reach> {
    let lines = mentions.of(index, &topic.below, topic.name());
    let mut lines = lines.into_iter().filter(|line| line.is_visible()).map(|line| line.number);
    let first = lines.next()?;
    let is_cut = cut.is_some_and(|cut| first >= cut);
    Some(if is_cut { Reach::Cut(first) } else { Reach::Loaded })
}

/// Names and paths by which topics point to each other.
fn targets(store: &Store) -> HashMap<String, usize> {
    let mut targets = HashMap::new();
    for (at, topic) in store.topics.iter().enumerate() {
        let file = topic.below.rsplit('/').next().unwrap_or_default();
        for key in [topic.below.as_str(), file, topic.stem(), topic.name()] {
            targets.entry(key.to_owned()).or_insert(at);
        }
    }
    targets
}

/// The first line of the file that does not load; `None` when all load.
fn first_cut_line(profile: &Profile, index: &IndexFile) -> Option<u32> {
    let text = index.source().text();
    let shown = shown_index(profile, &text);
    shown.cut.as_ref()?;
    let lost = shown.lost.unwrap_or_default();
    let first = lost.lines().next().unwrap_or_default().trim();
    let kept = shown.content.map_or(0, |content| content.lines().count());
    let is_first = |line: &&IndexLine| line.is_visible() && index.text(line).trim() == first;
    // The kept lines are at least as many lines of the file, which has comments besides.
    let after = index.lines.iter().filter(|line| line.number as usize > kept);
    let found = if first.is_empty() { None } else { after.clone().find(is_first) };
    found.or_else(|| after.clone().next()).map(|line| line.number)
}

fn is_put_away(store: &Store, topic: &TopicFile) -> bool {
    let top = topic.below.split_once('/').map(|(top, _)| top.to_ascii_lowercase());
    let in_archive = store
        .archive
        .as_ref()
        .is_some_and(|archive| !archive.lines_naming(&topic.below, topic.name()).is_empty());
    in_archive
        || topic.is_marked_archived()
        || matches!(top.as_deref(), Some("archive" | "archived" | "team" | "logs"))
}

fn beyond_the_cut(index: &IndexFile, topic: &TopicFile, line: u32) -> Diagnostic {
    let message = format!(
        "only line {line} of the index leads to this topic, and it is cut off: no model sees it"
    );
    Diagnostic::new(Code("claude/memory-topic-unreachable"), Severity::Warning, message)
        .at(&topic.path)
        .help(format!("shorten or merge lines of {}", index.path))
}

fn not_listed(topic: &TopicFile) -> Diagnostic {
    Diagnostic::new(
        Code("claude/memory-topic-not-listed"),
        Severity::Hint,
        "no line of the index leads to this topic: the model does not know of it",
    )
    .at(&topic.path)
    .help(format!(
        "add a line to the index: - [{}]({}) — when it matters",
        topic.stem(),
        topic.below
    ))
}

/// Tells frontmatter of which the client's own rewriting left nothing.
fn blanked(topic: &TopicFile, told: &mut Vec<Diagnostic>) {
    let has_name_key = topic.fields().get("name").is_some();
    if has_name_key && topic.own_name().is_none() {
        let lost = topic.description().is_none();
        let message = if lost {
            "name and description are empty: the client lost them when it wrote the file"
        } else {
            "the name is empty: of a name the client keeps ASCII letters and digits only"
        };
        told.push(
            Diagnostic::new(Code("claude/memory-name-blank"), Severity::Warning, message)
                .at(&topic.path)
                .on_line(2)
                .help(format!("set a name such as `{}`", topic.stem())),
        );
    }
}

/// Tells files that an interrupted program left.
fn left_over(path: &AbsPath, told: &mut Vec<Diagnostic>) {
    let name = path.file_name().unwrap_or_default();
    let is_own = name.starts_with('.') && name.contains(".memport-");
    let is_temporary = name.ends_with('~')
        || name.strip_suffix(".swp").is_some()
        || name.strip_suffix(".bak").is_some()
        || name.split('.').skip(1).any(|part| part == "tmp");
    if !is_own && !is_temporary {
        return;
    }
    let told_now = Diagnostic::new(
        Code("claude/memory-left-over"),
        Severity::Hint,
        "a temporary file that some program left behind",
    );
    let help = if is_own {
        "the next command that writes brings an interrupted run to an end"
    } else {
        "remove it when nothing in it is needed"
    };
    told.push(told_now.at(path).help(help));
}
