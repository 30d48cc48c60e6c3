//! What the commands do.

mod change;
mod check;
mod cost;
mod diff;
mod explain;
mod generate;
mod hook;
mod list;
mod memory;
mod port;
mod quirk;
mod recall;
mod relocate;
mod report;
mod skill;
mod steps;
mod undo;

pub(crate) use check::check;
pub(crate) use cost::cost;
pub(crate) use diff::diff;
pub(crate) use explain::explain;
pub(crate) use generate::{completions, man, schema};
pub(crate) use hook::hook;
pub(crate) use list::list;
pub(crate) use memory::memory;
pub(crate) use port::port;
pub(crate) use quirk::quirk;
pub(crate) use recall::recall;
pub(crate) use relocate::relocate;
pub(crate) use report::report;
pub(crate) use skill::skill;
pub(crate) use undo::undo;
