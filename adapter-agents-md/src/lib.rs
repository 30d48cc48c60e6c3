//! The AGENTS.md convention.
