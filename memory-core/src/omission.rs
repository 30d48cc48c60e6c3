//! Why something is left out.

use std::fmt;

use crate::budget::Limit;
use crate::fs::{IoError, IoErrorKind};
use crate::path::AbsPath;
use crate::words::{counted, grouped};

/// Why a piece is left out.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Omission {
    /// Another file of the same folder stands in front of it.
    Shadowed {
        /// That file.
        by: AbsPath,
    },
    /// Another file of the same name, in another folder, stands in front of it.
    SameName {
        /// That file.
        by: AbsPath,
    },
    /// It holds nothing but white space.
    Blank,
    /// It hides another file although it holds nothing itself.
    BlankHides {
        /// The hidden files.
        hidden: Vec<AbsPath>,
    },
    /// Earlier files used the whole budget.
    OverBudget {
        /// The limit.
        limit: Limit,
        /// What would have been needed in all, in the limit's unit.
        wanted: u64,
    },
    /// A folder, a pipe, a socket or a device.
    NotAFile,
    /// A link that leads nowhere.
    BrokenLink,
    /// The system refuses to give it.
    Unreadable(IoError),
    /// Larger than this library reads; the client may read it.
    TooLarge {
        /// The library's own limit in bytes.
        limit: u64,
    },
    /// It was fine, but one unreadable file made the client drop all of them.
    ChainLost {
        /// The unreadable file.
        because: AbsPath,
    },
    /// The project is not trusted.
    Untrusted {
        /// Which entry says so.
        setting: String,
    },
    /// A setting excludes it.
    Excluded {
        /// The pattern or entry.
        by: String,
    },
    /// A setting or variable turns it off.
    Disabled {
        /// Which one.
        setting: String,
    },
    /// The same file was loaded before.
    Duplicate {
        /// The path under which it was loaded.
        of: AbsPath,
    },
    /// The imported file is not there.
    ImportMissing,
    /// The imported file lies outside, and nobody approved that.
    ImportExternal {
        /// What would approve it.
        approve: String,
    },
    /// Too many imports in a row.
    ImportTooDeep {
        /// How many are followed.
        limit: u8,
    },
    /// It is being imported already.
    ImportCycle,
    /// The client imports no file with this extension.
    ImportExtension,
    /// None of its patterns matches a file that was touched.
    PathsDoNotMatch(Vec<String>),
    /// It loads when a file beside or below it is touched.
    NotTouchedYet,
    /// It lies outside the folder the client was started in.
    OutsideCwd,
    /// The main checkout's file is skipped in a worktree.
    WorktreeMainCheckout,
    /// Another kind of file turns this kind off.
    AgentsMdBlocked {
        /// The file that does so.
        by: AbsPath,
    },
    /// Its frontmatter cannot be read, and it is dropped for that.
    FrontmatterInvalid {
        /// What is wrong.
        why: String,
    },
    /// Its name is longer than the client allows.
    NameTooLong {
        /// Length in characters.
        chars: u64,
        /// The limit in characters.
        limit: u64,
    },
    /// It defines no sub-agent that the client accepts.
    AgentInvalid {
        /// What the client says.
        why: String,
    },
    /// Another sub-agent of the same name comes first.
    AgentDuplicate {
        /// What the client says.
        why: String,
        /// The file of the other one; `None` where it has none.
        of: Option<AbsPath>,
    },
    /// Another place sets the same, and counts more.
    Replaced {
        /// What is set.
        what: String,
        /// The file that counts; `None` for the command line.
        by: Option<AbsPath>,
    },
    /// It is there but the model is not told of it.
    NotListed {
        /// Why.
        why: String,
    },
}

impl Omission {
    /// The stable name of the reason.
    pub fn code(&self) -> &'static str {
        match self {
            Self::Shadowed { .. } | Self::SameName { .. } | Self::Replaced { .. } => "shadowed",
            Self::Blank | Self::BlankHides { .. } => "blank",
            Self::OverBudget { .. } => "over-budget",
            Self::NotAFile => "not-a-file",
            Self::BrokenLink => "broken-link",
            Self::Unreadable(_) => "unreadable",
            Self::TooLarge { .. } => "too-large",
            Self::ChainLost { .. } => "chain-lost",
            Self::Untrusted { .. } => "untrusted",
            Self::Excluded { .. } => "excluded",
            Self::Disabled { .. } => "disabled",
            Self::Duplicate { .. } | Self::AgentDuplicate { .. } => "duplicate",
            Self::ImportMissing => "import-missing",
            Self::ImportExternal { .. } => "import-external",
            Self::ImportTooDeep { .. } => "import-too-deep",
            Self::ImportCycle => "import-cycle",
            Self::ImportExtension => "import-extension",
            Self::PathsDoNotMatch(_) => "paths-do-not-match",
            Self::NotTouchedYet => "not-touched-yet",
            Self::OutsideCwd => "outside-cwd",
            Self::WorktreeMainCheckout => "worktree-main-checkout",
            Self::AgentsMdBlocked { .. } => "agents-md-blocked",
            Self::FrontmatterInvalid { .. } => "frontmatter-invalid",
            Self::NameTooLong { .. } => "name-too-long",
            Self::AgentInvalid { .. } => "agent-invalid",
            Self::NotListed { .. } => "not-listed",
        }
    }

    /// The file that is to blame, where it is another one.
    pub fn by(&self) -> Option<&AbsPath> {
        match self {
            Self::Shadowed { by } | Self::SameName { by } | Self::AgentsMdBlocked { by } => {
                Some(by)
            }
            Self::ChainLost { because } => Some(because),
            Self::Duplicate { of } => Some(of),
            Self::Replaced { by, .. } | Self::AgentDuplicate { of: by, .. } => by.as_ref(),
            _ => None,
        }
    }
}

impl fmt::Display for Omission {
    /// Writes the reason as one sentence without a full stop.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Shadowed { by } => {
                let name = by.file_name().unwrap_or("another file");
                write!(f, "`{name}` in the same folder is read instead")
            }
            Self::SameName { by } => write!(f, "`{by}` has the same name and comes first"),
            Self::Blank => f.write_str("it holds nothing but white space"),
            Self::BlankHides { hidden } => {
                let names: Vec<_> = hidden.iter().filter_map(AbsPath::file_name).collect();
                write!(f, "it holds nothing, and still hides `{}` beside it", names.join("`, `"))
            }
            Self::OverBudget { limit, wanted } => {
                let wanted = grouped(*wanted);
                write!(
                    f,
                    "what comes before it used the budget of {limit}; all together need {wanted}"
                )
            }
            Self::NotAFile => f.write_str("it is not a regular file"),
            Self::BrokenLink => f.write_str("it is a link that leads nowhere"),
            Self::Unreadable(error) if error.kind == IoErrorKind::Loop => {
                f.write_str("its links go round in a circle")
            }
            Self::Unreadable(error) => write!(f, "it cannot be read: {error}"),
            Self::TooLarge { limit } => {
                let limit = counted(*limit, "byte");
                write!(f, "more than {limit} are not read here; the client may still take it")
            }
            Self::ChainLost { because } => {
                write!(f, "one file that cannot be read drops all project files: `{because}`")
            }
            Self::Untrusted { setting } => write!(f, "the project is not trusted: {setting}"),
            Self::Excluded { by } => write!(f, "{by} excludes it"),
            Self::Disabled { setting } => write!(f, "{setting} turns it off"),
            Self::Duplicate { of } => write!(f, "the same file is loaded already as `{of}`"),
            Self::ImportMissing => f.write_str("the imported file is not there"),
            Self::ImportExternal { approve } => {
                write!(f, "it lies outside the start folder; {approve} would allow it")
            }
            Self::ImportTooDeep { limit } => {
                let times = counted(u64::from(*limit), "time");
                write!(f, "imports are followed {times}, not further")
            }
            Self::ImportCycle => f.write_str("it is being imported already"),
            Self::ImportExtension => f.write_str("files with this extension are not imported"),
            Self::PathsDoNotMatch(patterns) => {
                write!(f, "no touched file matches `{}`", patterns.join("`, `"))
            }
            Self::NotTouchedYet => f.write_str("it loads when a file in its folder is touched"),
            Self::OutsideCwd => f.write_str("it lies outside the start folder"),
            Self::WorktreeMainCheckout => {
                f.write_str("it belongs to the main checkout, which a worktree inside it skips")
            }
            Self::AgentsMdBlocked { by } => write!(f, "`{by}` turns it off"),
            Self::FrontmatterInvalid { why } => write!(f, "its frontmatter cannot be read: {why}"),
            Self::NameTooLong { chars, limit } => {
                let (chars, limit) = (counted(*chars, "character"), grouped(*limit));
                write!(f, "its name has {chars}, at most {limit} are allowed")
            }
            Self::Replaced { what, by: Some(by) } => write!(f, "{what} of `{by}` counts instead"),
            Self::Replaced { what, by: None } => {
                write!(f, "{what} of the command line counts instead")
            }
            Self::AgentInvalid { why }
            | Self::AgentDuplicate { why, .. }
            | Self::NotListed { why } => f.write_str(why),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_of_another_folder_is_named_in_full() {
        let by = AbsPath::new("/h/skills/a/SKILL.md").unwrap();
        let omission = Omission::SameName { by: by.clone() };
        assert_eq!((omission.code(), omission.by()), ("shadowed", Some(&by)));
        assert_eq!(
            omission.to_string(),
            "`/h/skills/a/SKILL.md` has the same name and comes first"
        );
    }

    #[test]
    fn numbers_in_sentences_are_grouped_and_counted() {
        let told = |omission: Omission| omission.to_string();
        assert_eq!(
            told(Omission::OverBudget { limit: Limit::Bytes(1), wanted: 52_000 }),
            "what comes before it used the budget of 1 byte; all together need 52,000"
        );
        assert_eq!(
            told(Omission::TooLarge { limit: 1 << 20 }),
            "more than 1,048,576 bytes are not read here; the client may still take it"
        );
        assert_eq!(
            told(Omission::ImportTooDeep { limit: 1 }),
            "imports are followed 1 time, not further"
        );
        assert_eq!(
            told(Omission::NameTooLong { chars: 1065, limit: 64 }),
            "its name has 1,065 characters, at most 64 are allowed"
        );
    }
}
