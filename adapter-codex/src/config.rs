//! The configuration that is in force: the command line, which layers there are,
//! how they merge, and what makes the client refuse them.

pub(crate) mod arguments;
mod check;
pub(crate) mod file;
pub(crate) mod git;
pub(crate) mod home;
pub(crate) mod layer;
mod overrides;
mod project;
pub(crate) mod refusal;
pub(crate) mod schema;
pub(crate) mod session;
pub(crate) mod settings;
pub(crate) mod texts;
mod trust;
pub(crate) mod types;
