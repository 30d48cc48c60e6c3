//! What is worth telling of an index, unasked.

use std::collections::HashSet;

use memory_core::fs::Fs;
use memory_core::{AbsPath, Code, Diagnostic, Severity, counted, grouped};

use super::cut::cut;
use super::index::Shown;
use super::topic::{Topic, topics};
use crate::profile::Profile;
use crate::resolution::{IndexCut, MemoryIndex, TopicCount};
use crate::text::frontmatter::is_space;

/// How many topic files are compared with the index.
const MOST_TOPICS: usize = 2_000;

/// Tells what of a memory no model will see, and counts its topics.
pub(crate) fn diagnostics(
    fs: &dyn Fs,
    root: &AbsPath,
    memory: &MemoryIndex,
    text: &str,
    shown: &Shown,
) -> (Option<TopicCount>, Vec<Diagnostic>) {
    let mut told = Vec::new();
    if let Some(index) = &memory.would_create {
        told.push(
            Diagnostic::new(
                Code("claude/memory-index-rebuilt"),
                Severity::Hint,
                format!("there is no index; the client writes one of {}", lines(&index.content)),
            )
            .at(&index.path)
            .help("write an empty index to keep the topics out of the session"),
        );
    }
    let path = memory.path.as_ref();
    let odd =
        path.filter(|_| memory.would_create.is_none()).and_then(|path| unread(fs, path, text));
    if let Some(odd) = odd {
        told.push(odd);
        return (None, told);
    }
    if let (Some(path), Some(cut)) = (path, &shown.cut) {
        told.push(lost_lines(path, text, cut, shown.lost.as_deref()));
    }
    if memory.would_create.is_some() {
        return (None, told);
    }
    let (all, unlisted) = unlisted(fs, root, text);
    let listed = all.saturating_sub(unlisted.len() as u64);
    let topics = (all > 0).then_some(TopicCount { listed, all });
    told.extend(unlisted.into_iter().map(|topic| {
        Diagnostic::new(
            Code("claude/memory-topic-not-listed"),
            Severity::Hint,
            "no line of the index points to this topic: the model does not know of it",
        )
        .at(&root.join(&topic.path))
        .help(format!(
            "add a line to the index: - [{}]({}) — when it matters",
            topic.stem(),
            topic.path
        ))
    }));
    (topics, told)
}

/// Tells what of a sub-agent's memory no model will see.
pub(crate) fn agent(
    fs: &dyn Fs,
    profile: &Profile,
    path: &AbsPath,
    text: &str,
) -> Option<Diagnostic> {
    let trimmed = text.trim_matches(is_space);
    let (kept, cut) = cut(profile, trimmed);
    let lost = trimmed.strip_prefix(kept).and_then(|rest| rest.strip_prefix('\n'));
    let cut = cut.map(|cut| lost_lines(path, text, &cut, lost));
    cut.or_else(|| unread(fs, path, text))
}

/// Tells why nothing was read of an index that is there.
fn unread(fs: &dyn Fs, path: &AbsPath, text: &str) -> Option<Diagnostic> {
    if !text.is_empty() || fs.symlink_metadata(path).is_err_and(|error| error.is_absence()) {
        return None;
    }
    let why = match fs.metadata(path) {
        Ok(found) if found.is_dir() => "it is a folder".to_owned(),
        Ok(found) if found.is_file() => fs.read_up_to(path, 1).err()?.to_string(),
        Ok(_) => "it is not a regular file".to_owned(),
        Err(error) if error.is_absence() => "it is a link that leads nowhere".to_owned(),
        Err(error) => error.to_string(),
    };
    let message = format!("nothing of this index loads, and none is written in its place: {why}");
    let code = Code("claude/memory-index-unreadable");
    Some(
        Diagnostic::new(code, Severity::Warning, message)
            .at(path)
            .help("put a readable file in its place, or remove it"),
    )
}

/// Tells that the figures of a cut hold for the beginning of the index only.
pub(crate) fn too_large(path: &AbsPath, limit: u64) -> Diagnostic {
    let limit = counted(limit, "byte");
    let message = format!("only the first {limit} of the index were read and counted here");
    Diagnostic::new(Code("claude/memory-index-too-large"), Severity::Warning, message)
        .at(path)
        .help("move details into topic files")
}

fn lost_lines(path: &AbsPath, text: &str, cut: &IndexCut, missing: Option<&str>) -> Diagnostic {
    let code = Code("claude/memory-index-cut");
    let Some(missing) = missing else {
        let message = "the end of the first line of the index is not shown to any model";
        let told = Diagnostic::new(code, Severity::Warning, message).at(path).on_line(1);
        return told.help("keep each line of the index short and move details into topic files");
    };
    let (first, last) = lost_range(text, missing);
    let why = match (&cut.lines, &cut.kb) {
        (Some(lines), None) => format!("it has {}", counted(*lines, "line")),
        (None, Some(kb)) => format!("it has {kb} KB"),
        (lines, kb) => {
            format!(
                "it has {} and {} KB",
                counted(lines.unwrap_or_default(), "line"),
                kb.as_deref().unwrap_or_default()
            )
        }
    };
    Diagnostic::new(
        code,
        Severity::Warning,
        format!("{} not shown to any model: {why}", lines_are(first, last)),
    )
    .at(path)
    .on_line(u32::try_from(first).unwrap_or(u32::MAX))
    .help("shorten or merge lines, and move details into topic files")
}

/// `line 3 of the index is`, `lines 3 to 4 of the index are`
fn lines_are(first: usize, last: usize) -> String {
    let number = |line: usize| grouped(line as u64);
    if first == last {
        format!("line {} of the index is", number(first))
    } else {
        format!("lines {} to {} of the index are", number(first), number(last))
    }
}

/// `1 line`, `2 lines`
fn lines(text: &str) -> String {
    counted(text.lines().count() as u64, "line")
}

/// The lines of the file in which the lost text stands, counted from 1.
///
/// What comes before it may have lost its frontmatter and its comments, so it is
/// found from the end, line by line; comments between the lost lines are passed.
fn lost_range(text: &str, missing: &str) -> (usize, usize) {
    let lines: Vec<&str> = text.split('\n').collect();
    let mut wanted = missing.split('\n').rev().peekable();
    let (mut start, mut end) = (lines.len(), None);
    for (at, line) in lines.iter().enumerate().rev() {
        let Some(want) = wanted.peek() else { break };
        if line.trim_end() == want.trim_end() && !(end.is_none() && want.trim().is_empty()) {
            wanted.next();
            start = at + 1;
            end = end.or(Some(start));
        }
    }
    (start, end.unwrap_or(lines.len()))
}

/// How many topic files there are, and those that the index does not mention,
/// in the order of their paths.
fn unlisted(fs: &dyn Fs, root: &AbsPath, text: &str) -> (u64, Vec<Topic>) {
    let mut topics = topics(fs, root, MOST_TOPICS);
    let all = topics.len() as u64;
    if topics.is_empty() {
        return (all, topics);
    }
    let targets = text.split("](").skip(1).filter_map(|rest| rest.split(')').next());
    let words = text.split(|c: char| c.is_whitespace() || "()[]`<>·,;|\"'*".contains(c));
    let mentioned: HashSet<&str> =
        targets.chain(words).map(|word| word.trim_start_matches("./")).collect();
    topics.retain(|topic| {
        let name = topic.path.rsplit('/').next().unwrap_or_default();
        ![topic.path.as_str(), name, topic.stem()].iter().any(|word| mentioned.contains(word))
    });
    topics.sort_by(|a, b| a.path.cmp(&b.path));
    (all, topics)
}

#[cfg(test)]
mod tests {
    use memory_core::fs::MemFs;

    use super::*;

    #[test]
    fn lost_lines_are_numbered_as_in_the_file() {
        let text = "---\na: b\n---\n<!-- c -->\none\ntwo\n<!-- d -->\nthree\n\n";
        assert_eq!(lost_range(text, "two\nthree"), (6, 8));
    }

    #[test]
    fn one_lost_line_is_told_in_the_singular() {
        assert_eq!(lines_are(1201, 1201), "line 1,201 of the index is");
        assert_eq!(lines_are(201, 1201), "lines 201 to 1,201 of the index are");
    }

    #[test]
    fn a_topic_is_listed_by_link_name_or_stem() {
        let names = ["a.md", "sub/b.md", "c c.md", "d.md", "e.md"];
        let fs = MemFs::from_files(names.map(|name| (format!("/m/{name}"), "x")));
        let text = "- [A](a.md) — x\n- [B](./sub/b.md)\n- [C](c c.md)\nd · f";
        let root = AbsPath::new("/m").unwrap();
        let left: Vec<_> =
            unlisted(&fs, &root, text).1.into_iter().map(|topic| topic.path).collect();
        assert_eq!(left, ["e.md"]);
    }
}
