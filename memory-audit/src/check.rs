//! The checks: their codes, how much they matter, what they mean.

use memory_core::{Code, Severity};

/// One kind of thing that can be wrong with what agents remember and are told.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Check {
    /// An entry is longer than 300 characters.
    TooLong,
    /// An index line is longer than 150 characters.
    IndexTooLong,
    /// A position in source code.
    LineNumber,
    /// The state of work.
    Progress,
    /// No date.
    Undated,
    /// Several facts.
    NotOneFact,
    /// Steps to follow.
    Procedure,
    /// What happened once.
    Event,
    /// Pasted output of a program.
    RawLog,
    /// A token or a private key.
    Secret,
    /// A placeholder for text that somebody left out.
    Elision,
    /// A day that is named by its distance.
    RelativeDate,
    /// More active entries than anybody reads.
    TooMany,
    /// What held before, without the day since when it does not.
    FormerUndated,
    /// A link to a memory that is not there.
    BrokenLink,
    /// Two index lines for one memory.
    DoubleEntry,
    /// Text of an archived memory that still loads.
    ArchivedLoads,
    /// Two texts that say the same.
    Duplicate,
    /// Two texts that can't both hold.
    Contradiction,
    /// A text that a newer one replaces.
    Superseded,
    /// Two copies of a skill that differ.
    SkillDrifted,
}

impl Check {
    /// Every check, in the order of the documentation.
    pub const ALL: [Self; 21] = [
        Self::TooLong,
        Self::IndexTooLong,
        Self::LineNumber,
        Self::Progress,
        Self::Undated,
        Self::NotOneFact,
        Self::Procedure,
        Self::Event,
        Self::RawLog,
        Self::Secret,
        Self::Elision,
        Self::RelativeDate,
        Self::TooMany,
        Self::FormerUndated,
        Self::BrokenLink,
        Self::DoubleEntry,
        Self::ArchivedLoads,
        Self::Duplicate,
        Self::Contradiction,
        Self::Superseded,
        Self::SkillDrifted,
    ];

    /// Its stable name.
    pub fn code(self) -> Code {
        Code(match self {
            Self::TooLong => "memory/too-long",
            Self::IndexTooLong => "memory/index-too-long",
            Self::LineNumber => "memory/line-number",
            Self::Progress => "memory/progress",
            Self::Undated => "memory/undated",
            Self::NotOneFact => "memory/not-one-fact",
            Self::Procedure => "memory/procedure",
            Self::Event => "memory/event",
            Self::RawLog => "memory/raw-log",
            Self::Secret => "memory/secret",
            Self::Elision => "memory/elision",
            Self::RelativeDate => "memory/relative-date",
            Self::TooMany => "memory/too-many",
            Self::FormerUndated => "memory/former-undated",
            Self::BrokenLink => "memory/broken-link",
            Self::DoubleEntry => "memory/double-entry",
            Self::ArchivedLoads => "memory/archived-loads",
            Self::Duplicate => "memory/duplicate",
            Self::Contradiction => "memory/contradiction",
            Self::Superseded => "memory/superseded",
            Self::SkillDrifted => "skill/drifted",
        })
    }

    /// How much it matters unless somebody says otherwise.
    pub fn severity(self) -> Severity {
        match self {
            Self::Secret => Severity::Error,
            Self::Progress
            | Self::RawLog
            | Self::Elision
            | Self::LineNumber
            | Self::TooMany
            | Self::BrokenLink
            | Self::DoubleEntry
            | Self::ArchivedLoads
            | Self::Duplicate
            | Self::Contradiction
            | Self::Superseded
            | Self::RelativeDate
            | Self::SkillDrifted => Severity::Warning,
            Self::TooLong
            | Self::IndexTooLong
            | Self::Undated
            | Self::NotOneFact
            | Self::Procedure
            | Self::Event
            | Self::FormerUndated => Severity::Hint,
        }
    }

    /// What is wrong, in one sentence without a full stop.
    pub fn message(self) -> &'static str {
        match self {
            Self::TooLong => "the entry is longer than 300 characters",
            Self::IndexTooLong => "the index line is longer than 150 characters",
            Self::LineNumber => "the entry names a position in source code",
            Self::Progress => "the entry tells the state of work",
            Self::Undated => "the entry has no date",
            Self::NotOneFact => "the entry holds several facts",
            Self::Procedure => "the entry is a procedure",
            Self::Event => "the entry tells what happened, not what follows from it",
            Self::RawLog => "the entry holds what a program printed",
            Self::Secret => "this looks like a secret",
            Self::Elision => "a placeholder stands where text was",
            Self::RelativeDate => {
                "a day is named by its distance from a day that nobody knows later"
            }
            Self::TooMany => "there are more active entries than anybody reads",
            Self::FormerUndated => "it says what held before, but not since when it does not",
            Self::BrokenLink => "the link leads to no memory",
            Self::DoubleEntry => "a second index line leads to the same memory",
            Self::ArchivedLoads => "the memory is archived, and its text still loads",
            Self::Duplicate => "this is said twice",
            Self::Contradiction => "these two may contradict each other",
            Self::Superseded => "a newer entry replaces this one",
            Self::SkillDrifted => "two copies of this skill differ",
        }
    }

    /// What to do, in one sentence without a full stop.
    pub fn help(self) -> &'static str {
        match self {
            Self::TooLong => "keep the fact and its reason; put the rest into a document",
            Self::IndexTooLong => "keep the line to what tells when the memory matters",
            Self::LineNumber => {
                "name the function or the file; line numbers change with the next edit"
            }
            Self::Progress => "keep it in the issue or the commit; it is out of date the next day",
            Self::Undated => "begin with the day: `[YYYY-MM-DD] fact. reason. (source)`",
            Self::NotOneFact => "make one entry of each fact: each ages on its own",
            Self::Procedure => "make a skill of it: it is read when it is needed",
            Self::Event => "say when it matters, what not to do, why, and what to do instead",
            Self::RawLog => "say what the output taught; logs lie elsewhere",
            Self::Secret => "take it out and let it be replaced where it is valid",
            Self::Elision => "bring the text back from history, or remove the placeholder",
            Self::RelativeDate => "write the date",
            Self::TooMany => {
                "archive what no longer matters: `memport memory archive ID --reason …`"
            }
            Self::FormerUndated => "write the day of the change beside what held before",
            Self::BrokenLink => "correct the link or remove it",
            Self::DoubleEntry => "keep one of the lines",
            Self::ArchivedLoads => "archive it with `memport memory archive ID --reason …`",
            Self::Duplicate => "keep one of them",
            Self::Contradiction => "keep the one that holds: `memport memory supersede OLD NEW`",
            Self::Superseded => "archive it: `memport memory supersede OLD NEW`",
            Self::SkillDrifted => "make the copies alike, or one of them a link to the other",
        }
    }
}
