//! One skill as it was read.

use memory_core::fs::Fs;
use memory_core::{AbsPath, Omission, Scope};

use super::frontmatter::Unread;
use super::line::Description;
use super::policy::Policy;
use super::{file, frontmatter};
use crate::profile::Profile;

/// A skill that can be listed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Skill {
    /// Its name, with the plugin's in front where there is one.
    pub(super) name: String,
    /// The description as far as it may be shown.
    pub(super) description: Description,
    /// Characters of the description that the longest one allowed leaves out.
    pub(super) cut_chars: u64,
    /// Where it belongs.
    pub(super) scope: Scope,
    /// The root that found it.
    pub(super) root: AbsPath,
    /// Its file as the client names it.
    pub(super) shown: AbsPath,
    /// Its file's real path.
    pub(super) real: AbsPath,
    /// Whether it may be listed.
    pub(super) policy: Policy,
    /// Lines of its file that needed a repair, counted from 1.
    pub(super) repaired: Vec<u32>,
}

impl Skill {
    /// Characters of the description that are not shown when `shown` are.
    pub(super) fn lost_chars(&self, shown: u64) -> u64 {
        let cut = self.description.chars() - shown;
        // The dots at the end of a long description are the client's own.
        match self.cut_chars {
            0 => cut,
            lost => lost + cut.saturating_sub(DOTS.len() as u64),
        }
    }
}

/// What ends a description that is longer than allowed.
const DOTS: &str = "...";

/// Name and description of a skill, fit to be shown.
#[derive(Debug)]
pub(super) struct Front {
    /// The name without the plugin's.
    pub(super) name: String,
    /// The description as far as it may be shown.
    pub(super) description: String,
    /// Characters of the description beyond that.
    pub(super) cut_chars: u64,
    /// Lines of the file that needed a repair, counted from 1.
    pub(super) repaired: Vec<u32>,
}

/// Why a skill's file gives no skill.
#[derive(Debug)]
pub(super) struct Unusable {
    /// The reason.
    pub(super) reason: Omission,
    /// The line of the file, counted from 1, where it is known.
    pub(super) line: Option<u32>,
}

impl From<Omission> for Unusable {
    fn from(reason: Omission) -> Self {
        Self { reason, line: None }
    }
}

/// Reads the front of a skill's file.
pub(super) fn read(fs: &dyn Fs, real: &AbsPath, profile: &Profile) -> Result<Front, Unusable> {
    let text = file::read(fs, real)?;
    let keys = frontmatter::read(&text.start).map_err(|unread| match unread {
        Unread::NeverEnds if text.more => too_large(text.start.len() as u64),
        Unread::Missing => invalid("the file does not begin with a line of `---`"),
        Unread::NeverEnds => {
            invalid("the block at the start of the file has no line of `---` at its end")
        }
        Unread::Empty => invalid("there is nothing between its two lines of `---`"),
        Unread::Invalid { why, line } => {
            Unusable { reason: Omission::FrontmatterInvalid { why }, line }
        }
        Unread::TooLarge(limit) => too_large(limit),
        Unread::TooDeep(limit) => {
            let why = format!(
                "more than {limit} brackets open at once are not read here; the client may still list it"
            );
            Omission::NotListed { why }.into()
        }
    })?;
    let name = if keys.name.is_empty() { folder_name(real) } else { keys.name };
    let (chars, limit) = (name.chars().count(), profile.skill_name_max_chars);
    if chars > limit {
        return Err(too_long(chars, limit).into());
    }
    if keys.description.is_empty() {
        return Err(invalid("it has no `description`"));
    }
    let (description, cut_chars) = shortened(keys.description, profile.skill_description_max_chars);
    Ok(Front { name, description, cut_chars, repaired: keys.repaired })
}

fn invalid(why: &str) -> Unusable {
    Omission::FrontmatterInvalid { why: why.to_owned() }.into()
}

fn too_large(limit: u64) -> Unusable {
    Omission::TooLarge { limit }.into()
}

/// The reason for a name that is too long.
pub(super) fn too_long(chars: usize, limit: usize) -> Omission {
    Omission::NameTooLong { chars: chars as u64, limit: limit as u64 }
}

/// The name of a skill that names itself nowhere.
fn folder_name(real: &AbsPath) -> String {
    let folder = real.parent();
    let name = frontmatter::one_line(folder.as_ref().and_then(AbsPath::file_name));
    if name.is_empty() { "skill".to_owned() } else { name }
}

/// The description, cut to the longest one allowed, and how much was cut.
fn shortened(description: String, limit: usize) -> (String, u64) {
    let chars = description.chars().count();
    if chars <= limit {
        return (description, 0);
    }
    let kept = limit.saturating_sub(DOTS.len());
    let mut short: String = description.chars().take(kept).collect();
    short.push_str(DOTS);
    (short, (chars - kept) as u64)
}
