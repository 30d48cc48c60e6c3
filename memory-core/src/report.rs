//! What is told beside an answer: diagnostics and losses.

use std::fmt;

use crate::client::Quirk;
use crate::path::AbsPath;

/// A value and what was noticed while reading it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Parsed<T> {
    /// What was read; reading never fails.
    pub value: T,
    /// What was odd, in the order in which it was met.
    pub diagnostics: Vec<Diagnostic>,
}

/// A stable name of one kind of diagnostic, `area/name`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Code(pub &'static str);

impl fmt::Display for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0)
    }
}

/// How much a diagnostic matters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Severity {
    /// Something to know.
    Hint,
    /// Something is lost or surprising.
    Warning,
    /// The client does not start, or loads nothing.
    Error,
}

impl Severity {
    /// The word for it: `hint`, `warning`, `error`.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Hint => "hint",
            Self::Warning => "warning",
            Self::Error => "error",
        }
    }
}

/// Something worth telling about content: never an [`Error`](crate::error::Error).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// Its stable name.
    pub code: Code,
    /// How much it matters.
    pub severity: Severity,
    /// One sentence without a full stop.
    pub message: String,
    /// The file it speaks of, or `None` when it speaks of no single file.
    pub path: Option<AbsPath>,
    /// The line in that file, counted from 1.
    pub line: Option<u32>,
    /// What the reader can do about it.
    pub help: Option<String>,
    /// The named oddity of a client behind it, where there is one.
    pub quirk: Option<&'static Quirk>,
}

impl Diagnostic {
    /// A diagnostic without a place.
    pub fn new(code: Code, severity: Severity, message: impl Into<String>) -> Self {
        Self {
            code,
            severity,
            message: message.into(),
            path: None,
            line: None,
            help: None,
            quirk: None,
        }
    }

    /// Names the file.
    #[must_use]
    pub fn at(mut self, path: &AbsPath) -> Self {
        self.path = Some(path.clone());
        self
    }

    /// Names the line, counted from 1.
    #[must_use]
    pub fn on_line(mut self, line: u32) -> Self {
        self.line = Some(line);
        self
    }

    /// Says what to do.
    #[must_use]
    pub fn help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }

    /// Names the oddity behind it.
    #[must_use]
    pub fn due_to(mut self, quirk: &'static Quirk) -> Self {
        self.quirk = Some(quirk);
        self
    }
}

/// What did not survive a move from one client's files to another's.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LossReport {
    /// The losses in the order of the source.
    pub losses: Vec<Loss>,
}

/// One piece that is not what it was.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Loss {
    /// What it is, for people: "rule `testing`".
    pub what: String,
    /// The file it comes from.
    pub path: AbsPath,
    /// The line in that file, counted from 1; `None` for the whole file.
    pub line: Option<u32>,
    /// What happened to it.
    pub how: LossKind,
    /// Where its text still stands, or `None` when it is gone.
    pub kept_in: Option<AbsPath>,
    /// What that means, and what can be done, in one sentence without a full stop.
    pub message: String,
}

impl Loss {
    /// A loss of a whole file whose text stands nowhere else.
    pub fn new(
        what: impl Into<String>,
        path: &AbsPath,
        how: LossKind,
        message: impl Into<String>,
    ) -> Self {
        Self {
            what: what.into(),
            path: path.clone(),
            line: None,
            how,
            kept_in: None,
            message: message.into(),
        }
    }

    /// Names the line, counted from 1.
    #[must_use]
    pub fn on_line(mut self, line: u32) -> Self {
        self.line = Some(line);
        self
    }

    /// Names the file in which its text still stands.
    #[must_use]
    pub fn kept_in(mut self, file: &AbsPath) -> Self {
        self.kept_in = Some(file.clone());
        self
    }
}

/// What happened to a piece that did not survive as it was.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum LossKind {
    /// It is gone.
    Dropped,
    /// Its structure is gone, its text is there.
    Flattened,
    /// It has another name.
    Renamed {
        /// The new name.
        to: String,
    },
    /// A part of its text is gone.
    Truncated,
    /// It applies in more places than before.
    ScopeWidened,
    /// It applies in fewer places than before.
    ScopeNarrowed,
    /// It says nearly the same.
    Approximated,
    /// It is a wish now, where a client enforced it before.
    NotEnforced,
}

impl LossKind {
    /// The code of the kind: `dropped`, `scope-widened`, …
    pub fn as_str(&self) -> &'static str {
        match self {
            Self::Dropped => "dropped",
            Self::Flattened => "flattened",
            Self::Renamed { .. } => "renamed",
            Self::Truncated => "truncated",
            Self::ScopeWidened => "scope-widened",
            Self::ScopeNarrowed => "scope-narrowed",
            Self::Approximated => "approximated",
            Self::NotEnforced => "not-enforced",
        }
    }
}
