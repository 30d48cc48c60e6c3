//! The index that the client writes when there is none.

use memory_core::AbsPath;
use memory_core::fs::Fs;
use memory_core::model::Value;

use super::clip::{clipped, units};
use super::topic::{INDEX, Topic, sort_newest_first, topics};
use super::visible::visible;
use crate::profile::Profile;
use crate::resolution::RebuiltIndex;
use crate::text::frontmatter::{self, is_space};

/// Longest line in UTF-16 units.
const LONGEST_LINE: usize = 150;

/// How many bytes of a topic file are read for its description.
const READ: u64 = 512 * 1024;

/// The index that the client would write for the topic files of a folder, newest
/// first; `None` when there is nothing to list.
pub(crate) fn rebuild(fs: &dyn Fs, profile: &Profile, root: &AbsPath) -> Option<RebuiltIndex> {
    let mut topics = topics(fs, root, usize::MAX);
    sort_newest_first(&mut topics);
    let mut content = String::new();
    let mut used = 0;
    for topic in topics.iter().take(profile.memory.rebuilt_lines) {
        let line = line(fs, root, topic);
        used += units(&line) + 1;
        if used > profile.memory.rebuilt_units {
            break;
        }
        content.push_str(&line);
        content.push('\n');
    }
    (!content.is_empty()).then(|| RebuiltIndex { path: root.join(INDEX), content })
}

fn line(fs: &dyn Fs, root: &AbsPath, topic: &Topic) -> String {
    let link = format!("- [{}]({})", topic.stem(), topic.path);
    let left = LONGEST_LINE.saturating_sub(units(&link) + units(DASH));
    match description(fs, &root.join(&topic.path)) {
        // One character would be all of it, and that a `…`.
        Some(text) if left > 1 => format!("{link}{DASH}{}", clipped(&text, left)),
        _ => link,
    }
}

/// What stands between a link and its description.
const DASH: &str = " — ";

/// A topic's description on one line; `None` where it has none.
fn description(fs: &dyn Fs, path: &AbsPath) -> Option<String> {
    let bytes = fs.read_up_to(path, READ).ok()?;
    let text = String::from_utf8_lossy(&bytes).replace("\r\n", "\n");
    let fields = frontmatter::parse(&text)?.fields?;
    let text = fields.get("description").and_then(Value::as_text)?;
    let text = visible(text);
    let words: Vec<&str> = text.split(is_space).filter(|word| !word.is_empty()).collect();
    Some(words.join(" ")).filter(|text| !text.is_empty())
}

#[cfg(test)]
mod tests {
    use std::time::{Duration, UNIX_EPOCH};

    use memory_core::fs::MemFs;

    use super::*;

    fn rebuilt(files: &[(&str, &str)]) -> Option<String> {
        let mut fs = MemFs::new();
        for (age, (name, text)) in files.iter().enumerate() {
            let path = format!("/m/{name}");
            let time = UNIX_EPOCH + Duration::from_secs(1_000_000 - age as u64);
            fs.file(&path, text).modified(&path, time);
        }
        let root = AbsPath::new("/m").unwrap();
        rebuild(&fs, &Profile::CLAUDE_2_1_332, &root).map(|index| index.content)
    }

    #[test]
    fn the_newest_topic_comes_first_with_its_description_on_one_line() {
        let index = rebuilt(&[
            ("z.md", "---\nname: Zed\ndescription: a: b\n---\n"),
            ("sub/a.md", "---\r\ndescription: >\r\n  one\r\n  two\u{200b}\r\n---\r\n"),
            ("b.md", "---\ndescription: 5\n---\n"),
        ]);
        let want = "- [z](z.md) — a: b\n- [a](sub/a.md) — one two\n- [b](b.md)\n";
        assert_eq!(index.as_deref(), Some(want));
        assert_eq!(rebuilt(&[("team/a.md", "")]), None);
    }

    #[test]
    fn a_line_is_shortened_and_a_long_name_takes_the_descriptions_place() {
        let text = format!("---\ndescription: {}\n---\n", "w".repeat(200));
        assert_eq!(units(rebuilt(&[("a.md", &text)]).unwrap().trim_end()), 150);
        let long = format!("{}.md", "n".repeat(70));
        assert!(rebuilt(&[(&long, &text)]).unwrap().ends_with("n.md)\n"));
    }
}
