//! Checks over what coding agents remember and are told.
//!
//! All of it is pure: texts in, findings out; no file, clock, network or model.
//! No client is known here.
//!
//! ```
//! use memory_audit::{Check, line_issues};
//!
//! let issues = line_issues("ソートの処理は list_view.dart:301 にある。");
//! let checks: Vec<_> = issues.iter().map(|issue| issue.check).collect();
//! assert_eq!(checks, [Check::Undated, Check::LineNumber]);
//! ```

mod check;
mod corpus;
mod elision;
mod entry;
mod line;
mod pair;
mod pattern;
mod script;
mod secret;
mod sentence;

pub use check::Check;
pub use corpus::{Pairing, Passage, pairings};
pub use elision::elisions;
pub use entry::{Entry, Lesson, OneLine};
pub use line::{Issue, MOST_CHARS, MOST_INDEX_CHARS, body_issues, line_issues, relative_dates};
pub use pair::{Relation, Statement, Verdict};
pub use secret::{secrets, without_secrets};
