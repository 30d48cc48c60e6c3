//! The examples lie beside this folder: `cargo run -p examples --example explain_codex`.

/// The code of the README, so that it stays true.
#[cfg(doctest)]
#[doc = include_str!("../../README.md")]
pub struct Readme;
