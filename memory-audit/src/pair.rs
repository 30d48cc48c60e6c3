//! What two texts are to each other.

mod lexicon;
mod meaning;
mod sign;
mod statement;
mod value;
mod verdict;

pub use statement::Statement;
pub use verdict::{Relation, Verdict};
