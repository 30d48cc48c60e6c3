//! What the client's own tools leave on disk when they write a memory file.
//!
//! The client lays a topic's frontmatter out anew, or only stamps the time of
//! the change into it; which of the two depends on what the new layout would lose.

mod edit;
mod escape;
mod layout;
mod lossy;
mod stamp;
mod yaml;

use std::time::{SystemTime, UNIX_EPOCH};

use memory_core::AbsPath;
use memory_core::model::Fields;
use memory_core::time::UtcTime;

use super::topic::is_markdown;
use crate::claude::Claude;
use crate::profile::Profile;
use crate::text::frontmatter;

pub use edit::TopicEdit;
pub(crate) use yaml::emit;

/// Who writes a memory file, and when.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stamp<'a> {
    /// The id of the session that writes.
    pub session: &'a str,
    /// The time of the change.
    pub time: SystemTime,
}

impl Claude {
    /// The text that is on disk after the client's Write tool wrote `text` to `file`.
    ///
    /// `root` is the memory folder; of a file outside it, and of one that is no
    /// `.md` file, the frontmatter stays as it is given.
    pub fn topic_after_write(
        &self,
        root: &AbsPath,
        file: &AbsPath,
        text: &str,
        stamp: Stamp<'_>,
    ) -> String {
        self.topic_with(root, file, escape::decoded(&self.profile.memory, text), stamp)
    }

    /// The text that is on disk after the client's Edit tool changed `file`, which
    /// held `before`; `None` when the text to replace is not there exactly as
    /// often as the edit says.
    pub fn topic_after_edit(
        &self,
        root: &AbsPath,
        file: &AbsPath,
        before: &str,
        edit: &TopicEdit,
        stamp: Stamp<'_>,
    ) -> Option<String> {
        let ends = edit::LineEnds::of(before);
        let edited = edit.apply(&self.profile.memory, &before.replace("\r\n", "\n"))?;
        Some(ends.restore(&self.topic_with(root, file, edited, stamp)))
    }

    fn topic_with(&self, root: &AbsPath, file: &AbsPath, text: String, stamp: Stamp<'_>) -> String {
        let place = Place::of(root, file);
        place.and_then(|place| rewritten(&self.profile, place, &text, stamp)).unwrap_or(text)
    }
}

/// What the client does with a file of the memory folder.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Place {
    /// Its frontmatter is laid out anew.
    Own,
    /// Shared with a team: only the time is stamped.
    Team,
}

impl Place {
    /// `None` for a file that the client writes as it is given.
    fn of(root: &AbsPath, file: &AbsPath) -> Option<Self> {
        let below = file.strip_prefix(root).filter(|below| is_markdown(below))?;
        let is_team =
            below.split_once('/').is_some_and(|(top, _)| top.eq_ignore_ascii_case("team"));
        Some(if is_team { Self::Team } else { Self::Own })
    }
}

/// A text cut at the fences of its frontmatter.
struct Parts<'a> {
    /// The opening fence with its line end.
    opening: &'a str,
    /// The lines between the fences.
    inner: &'a str,
    /// The closing fence and all that follows.
    closing: &'a str,
    /// What follows the closing fence, without white space in front.
    body: &'a str,
}

/// A time as `2026-01-02T03:04:05.678Z`; one before 1970 counts as 1970.
pub(crate) fn iso_time(time: SystemTime) -> String {
    let time = UtcTime::from(time.max(UNIX_EPOCH));
    format!("{}T{}.{:03}Z", time.date(), time.clock(), time.millisecond())
}

fn parts<'a>(profile: &Profile, text: &'a str) -> Option<Parts<'a>> {
    let found = frontmatter::parse(text).filter(|_| text.starts_with("---"))?;
    let opening = text.get(..found.inner.start)?;
    let (inner, closing) = (text.get(found.inner.clone())?, text.get(found.inner.end..)?);
    // The client stops at the first three dashes, wherever they stand; a later
    // release leaves such a file alone instead of tearing it apart.
    let mut lines = closing.split('\n').map(is_fence);
    let ends_line = inner.is_empty() || inner.ends_with('\n');
    let mut whole = ends_line && lines.next() == Some(true);
    if inner.is_empty() && opening.matches('\n').count() == 1 {
        // A fence right after the opening one is overlooked, so a later one counts.
        whole = whole && !lines.any(|is_fence| is_fence);
    }
    let parts = Parts { opening, inner, closing, body: text.get(found.body..)? };
    (whole || !profile.memory.guards_writes).then_some(parts)
}

fn is_fence(line: &str) -> bool {
    line.strip_prefix("---").is_some_and(|rest| rest.trim().is_empty())
}

/// The text with its frontmatter laid out anew or stamped; `None` when it stays as it is.
fn rewritten(profile: &Profile, place: Place, text: &str, stamp: Stamp<'_>) -> Option<String> {
    let parts = parts(profile, text)?;
    let time = iso_time(stamp.time);
    let lay_out = |fields| layout::laid_out(profile, &parts, &fields, stamp.session, &time);
    let read = frontmatter::read(parts.inner).0;
    if !profile.memory.guards_writes {
        // What cannot be read counts as empty, and is lost.
        let fields = read.unwrap_or_default();
        let stays = place == Place::Team || layout::has_session(&fields);
        return (!stays).then(|| lay_out(fields));
    }
    let fields = match read {
        None if parts.inner.trim().is_empty() => Fields::default(),
        read => read?,
    };
    let whole = match place {
        Place::Own if !layout::has_session(&fields) => without_loss(&parts, &fields),
        _ => None,
    };
    whole.map(lay_out).or_else(|| stamp::stamped(&parts, &fields, &time))
}

/// The fields with what a plain reading would lose; `None` when that cannot be kept.
fn without_loss(parts: &Parts<'_>, fields: &Fields) -> Option<Fields> {
    match lossy::quoted(parts.inner) {
        lossy::Reading::Whole => Some(fields.clone()),
        lossy::Reading::Quoted(source) => read_strictly(&source),
        lossy::Reading::Lost => None,
    }
}

/// The keys and values of a block that needs no repair.
fn read_strictly(source: &str) -> Option<Fields> {
    match frontmatter::read(source) {
        (fields, false) => fields,
        (_, true) => None,
    }
}

#[cfg(test)]
mod tests {
    use std::time::{Duration, UNIX_EPOCH};

    use proptest::prelude::*;

    use super::*;

    fn written(claude: &Claude, file: &str, text: &str) -> String {
        let root = AbsPath::new("/m").unwrap();
        let stamp = Stamp { session: "s-1", time: UNIX_EPOCH + Duration::from_millis(5) };
        claude.topic_after_write(&root, &root.join(file), text, stamp)
    }

    const STAMP: &str = "modified: 1970-01-01T00:00:00.005Z\n";

    #[test]
    fn frontmatter_is_laid_out_anew() {
        let text =
            "---\ntype: user\nname: Two Words\ndescription: a: b\nmetadata:\n  x: 1.0\n---\nbody";
        let want = format!(
            "---\nname: two-words\ndescription: \"a: b\"\nmetadata:\n  node_type: memory\n  type: user\n  x: 1\n  originSessionId: s-1\n  {STAMP}---\n\nbody"
        );
        assert_eq!(written(&Claude::default(), "a.md", text), want);
    }

    #[test]
    fn a_session_a_team_or_a_comment_leave_the_stamp_alone() {
        let claude = Claude::default();
        for (file, inner) in [
            ("a.md", "name: A\noriginSessionId: s\n"),
            ("team/a.md", "name: A\n"),
            ("a.md", "name: 'A' # c\n"),
        ] {
            let want = format!("---\n{inner}{STAMP}---\nb\n");
            assert_eq!(written(&claude, file, &format!("---\n{inner}---\nb\n")), want);
        }
    }

    #[test]
    fn what_cannot_be_read_stays_in_a_later_release_and_is_lost_in_an_earlier_one() {
        let text = "---\nname: \"a\n---\nb\n";
        assert_eq!(written(&Claude::default(), "a.md", text), text);
        let earlier = Claude { profile: Profile::CLAUDE_2_1_197 };
        let want =
            "---\nname: \"\"\nmetadata: \n  node_type: memory\n  originSessionId: s-1\n---\n\nb\n";
        assert_eq!(written(&earlier, "a.md", text), want);
    }

    #[test]
    fn other_files_are_written_as_given() {
        let text = "---\nname: A\n---\n";
        for file in ["a.txt", "a.MD", "/elsewhere/a.md"] {
            assert_eq!(written(&Claude::default(), file, text), text);
        }
    }

    #[test]
    fn hostile_frontmatter_answers_fast() {
        for inner in [
            "a: &b [x] # c\n".repeat(100_000),
            "k: v\n".repeat(200_000),
            format!("k: {}", "[".repeat(200_000)),
            "#".repeat(5_000_000),
            "modified: x\n".repeat(10_000),
            "k: \\u0041\\".repeat(200_000),
        ] {
            written(&Claude::default(), "a.md", &format!("---\n{inner}\n---\nb\n"));
        }
    }

    proptest! {
        #[test]
        fn what_was_written_stays_when_it_is_written_again(
            inner in "(name: [a-zA-Z #:'\"]{0,9}\n)?(description: [a-z&!#*|>\\[\\]{}: ,]{0,9}\n)?(metadata:\n( [a-z]: [a-z#\"]{0,4}\n){0,2})?",
        ) {
            let claude = Claude::default();
            let once = written(&claude, "a.md", &format!("---\n{inner}---\nb\n"));
            prop_assert_eq!(&written(&claude, "a.md", &once), &once);
        }
    }
}
