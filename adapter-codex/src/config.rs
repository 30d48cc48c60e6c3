//! The configuration that is in force: which layers there are, how they merge,
//! and what makes the client refuse them.

mod check;
mod file;
mod layer;
mod overrides;
mod project;
mod schema;
mod settings;
mod trust;
mod types;

pub(crate) use file::FILE_LIMIT;
pub(crate) use layer::LayerSource;
pub(crate) use settings::{Config, Start, load};
pub(crate) use types::TrustLevel;
