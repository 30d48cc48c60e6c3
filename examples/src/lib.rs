//! The examples lie beside this folder: `cargo run -p examples --example explain_codex`.
