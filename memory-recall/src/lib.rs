//! Past conversations with coding agents, searchable locally, as reference only.

mod embed;
mod exchange;
mod ingest;
mod rank;
mod redact;
mod reference;
mod search;
mod store;
mod term;
mod transcript;

pub use embed::{Embed, EmbedAs, EmbedError, Fusion, cosine_of};
pub use exchange::{
    ExchangeError, ExportedChunk, chunk_id, export, import_lines, key_of, merge_chunks, time_text,
};
pub use ingest::{Homes, Ingested, Progress, Transcript, find_transcripts, ingest, transcript_at};
pub use rank::{Age, Query, Ranked, rank};
pub use redact::{REDACTED, redact};
pub use reference::{Passage, REFERENCE_ONLY, Reference};
pub use search::{
    Candidate, Coverage, Injection, Search, candidates, count_forgotten, coverage, forget,
    injection, note_given, parse_time,
};
pub use store::{
    Chunk, ChunkId, Conversation, ConversationId, Corpus, Fact, Facts, Filter, Forget, Given,
    Posting, Scope, SqliteStore, Store, StoreError,
};
pub use term::{Occurrence, Term, TermKind, occurrences, terms};
pub use transcript::{Agent, Time, Turn, TurnKey};
