//! Two states of a repository, and what clients load in each.

mod ask;
mod state;

pub(crate) use ask::{Ask, NO_HOME, looked_for};
pub(crate) use state::{State, parse};
