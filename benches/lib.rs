//! Instruction counts: `cargo bench -p benches`, see CONTRIBUTING.md.
