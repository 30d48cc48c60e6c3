//! What is wrong with what agents remember and are told: gathered, judged, and
//! said with paths that mean the same everywhere.

mod baseline;
mod config;
mod entries;
mod finding;
mod look;
mod pairs;
mod skills;
mod text;

pub(crate) use baseline::Baseline;
pub(crate) use config::{Config, Level};
pub(crate) use finding::{Finding, Fix, Root};
pub(crate) use look::{Looked, explained, look};

pub(crate) use entries::judge_entry;
