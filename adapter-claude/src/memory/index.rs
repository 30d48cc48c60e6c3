//! The index as the model gets it.

use std::borrow::Cow;
use std::sync::Arc;

use super::clip::units;
use super::cut::cut;
use super::visible::visible;
use crate::profile::Profile;
use crate::resolution::IndexCut;
use crate::text::frontmatter::{self, is_space};
use crate::text::markdown::comments::without_comments;

/// An index as it is loaded.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Shown {
    /// The text, empty when all of it is invisible; `None` when there is nothing to show.
    pub(crate) content: Option<Arc<str>>,
    /// What was cut.
    pub(crate) cut: Option<IndexCut>,
    /// The lines that are cut off; `None` when no whole line is.
    pub(crate) lost: Option<String>,
}

/// Loads the index of a memory folder: without frontmatter, comments and outer
/// white space, cut, and without invisible characters.
pub(crate) fn main(profile: &Profile, text: &str) -> Shown {
    let body = without_frontmatter(profile, text);
    if !body.contains("<!--") {
        return given(profile, body);
    }
    // The client's Markdown reader knows one kind of line end. Later releases go
    // back to the text as it was when the reader finds no comment.
    let unified = body.replace("\r\n", "\n").replace('\r', "\n");
    let stripped = without_comments(&unified);
    let stays = stripped == unified && profile.memory.keeps_line_ends;
    given(profile, if stays { body } else { &stripped })
}

fn without_frontmatter<'a>(profile: &Profile, text: &'a str) -> &'a str {
    if text.starts_with('\u{feff}') && !profile.memory.accepts_byte_order_mark {
        return text;
    }
    frontmatter::parse(text).and_then(|found| text.get(found.body..)).unwrap_or(text)
}

/// Loads an index that a variable holds: as any other, frontmatter and comments kept.
pub(crate) fn given(profile: &Profile, text: &str) -> Shown {
    let text = text.trim_matches(is_space);
    let (kept, cut) = cut(profile, text);
    let lost = text.strip_prefix(kept).and_then(|rest| rest.strip_prefix('\n'));
    let lost = lost.map(str::to_owned);
    let content = cleaned(profile, text, before_warning(profile, kept, cut.as_ref()));
    // The warning shields the white space in front of it.
    let content = content.trim_start_matches(is_space);
    let content = if cut.is_some() { content } else { content.trim_end_matches(is_space) };
    Shown { content: (!text.is_empty()).then(|| content.into()), cut, lost }
}

/// Loads a sub-agent's index: trimmed and cut, and only then without invisible characters.
pub(crate) fn agent(profile: &Profile, text: &str) -> Shown {
    let text = text.trim_matches(is_space);
    let (kept, cut) = cut(profile, text);
    let shown = before_warning(profile, kept, cut.as_ref());
    let content = (!text.is_empty()).then(|| cleaned(profile, text, shown).into());
    Shown { content, cut, lost: None }
}

/// The kept part as it stands before a warning: a carriage return at the end of a
/// cut forms one line end with the warning behind it.
fn before_warning<'a>(profile: &Profile, kept: &'a str, cut: Option<&IndexCut>) -> &'a str {
    let joins = cut.is_some() && profile.memory.removes_invisible;
    if joins { kept.strip_suffix('\r').unwrap_or(kept) } else { kept }
}

/// What is shown of the kept part of a text.
fn cleaned<'a>(profile: &Profile, text: &str, kept: &'a str) -> Cow<'a, str> {
    if profile.memory.removes_invisible {
        return visible(kept).into();
    }
    // Half an emoji at the cut stays as a replacement character.
    let next = text.get(kept.len()..).and_then(|rest| rest.chars().next());
    let is_half = next.is_some_and(|c| c.len_utf16() == 2)
        && units(kept) < profile.memory.index_units
        && !kept.contains('\n');
    if is_half { format!("{kept}\u{fffd}").into() } else { kept.into() }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(text: &str) -> Option<String> {
        main(&Profile::CLAUDE_2_1_332, text).content.map(|text| text.to_string())
    }

    #[test]
    fn frontmatter_comments_and_outer_space_vanish() {
        let text = "\u{feff}---\na: b\n---\n\n<!-- x -->\n  - one\n\n```\n<!-- y -->\n```\n\n";
        assert_eq!(shown(text).as_deref(), Some("- one\n\n```\n<!-- y -->\n```"));
    }

    #[test]
    fn an_index_of_nothing_loads_nothing_and_one_of_invisible_characters_an_empty_text() {
        for text in ["", " \n", "<!-- x -->\n", "---\na: b\n---\n"] {
            assert_eq!(shown(text), None, "{text:?}");
        }
        assert_eq!(shown("\u{200b}\n\0").as_deref(), Some(""));
    }

    #[test]
    fn white_space_in_front_of_the_warning_stays() {
        let text = format!("{}\u{200b} \nlost\n", "x\n".repeat(199));
        assert!(shown(&text).unwrap().ends_with("x\n "));
        let lost = main(&Profile::CLAUDE_2_1_332, &text).lost;
        assert_eq!(lost.as_deref(), Some("lost"));
    }

    #[test]
    fn a_cut_between_windows_lines_leaves_no_line_end_behind() {
        let text = "x\r\n".repeat(201);
        for shown in [main, agent].map(|shown| shown(&Profile::CLAUDE_2_1_332, &text)) {
            assert!(shown.content.unwrap().ends_with("\nx"));
        }
    }

    #[test]
    fn an_agents_index_keeps_its_frontmatter() {
        let shown = agent(&Profile::CLAUDE_2_1_332, "\n---\nx: y\n---\n<!-- c -->\u{200b}\nz\n");
        assert_eq!(shown.content.as_deref(), Some("---\nx: y\n---\n<!-- c -->\nz"));
    }
}
