//! Carrying what one client keeps to another, with every loss named.

mod adapter;
mod lowered;
mod request;

pub use adapter::{LowerBundle, ReadBundle, View};
pub use lowered::{Lowered, Placement, Target};
pub use request::{LowerOptions, MemoryAs, OverBudget, PortPlace};
