//! What the command shows: text and JSON of given answers, and the process itself.

mod fixture;
mod json;
mod process;
mod text;
