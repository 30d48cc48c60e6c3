//! Rules: where they are and which files they apply to.

mod discover;
mod glob;
mod paths;
pub(crate) mod wildcard;

pub(crate) use discover::{RuleFile, discover, is_reachable};
pub(crate) use glob::{Globs, fold};
pub(crate) use paths::{Patterns, Scope};
