//! What the commands do.

mod explain;
mod paper;
mod steps;

pub(crate) use explain::explain;
pub(crate) use paper::{completions, man, schema};
