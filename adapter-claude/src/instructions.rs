//! Which instruction files and rules load, when, and what is left out.

pub(crate) mod agents_md;
pub(crate) mod exclude;
pub(crate) mod load;
pub(crate) mod shell;
pub(crate) mod start;
pub(crate) mod step;
pub(crate) mod touch;
