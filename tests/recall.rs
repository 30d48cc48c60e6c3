//! Past conversations: what is taken in of session files, and how queries are answered.

// Said of each module so that the linter takes their shared functions for tests too.
#[cfg(test)]
#[path = "recall/quality.rs"]
mod quality;
#[cfg(test)]
#[path = "recall/transcripts.rs"]
mod transcripts;
