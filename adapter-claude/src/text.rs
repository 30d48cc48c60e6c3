//! How one file is read: its frontmatter, its comments, and what it names.

pub(crate) mod document;
pub(crate) mod frontmatter;
pub(crate) mod import;
pub(crate) mod json;
pub(crate) mod markdown;
pub(crate) mod mention;
pub(crate) mod number;
pub(crate) mod prompt;
