//! Sub-agents: how they are defined, and what each of them is given.

mod definition;
mod start;

pub(crate) use definition::{Definition, definition_files, read};
pub(crate) use start::Agents;
