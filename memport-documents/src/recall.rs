use memory_recall::{
    Candidate, Chunk, Conversation, Ingested, Injection, Reference, Time, chunk_id, time_text,
};
use schemars::JsonSchema;
use serde::Serialize;

use crate::words::Agent;

/// Name of the document that `memport recall search` prints.
pub const RECALL_SCHEMA: &str = "memport.recall.v1";

/// Name of the document that `memport recall show` prints.
pub const RECALL_SHOW_SCHEMA: &str = "memport.recall-show.v1";

/// Name of the document that `memport recall ingest` prints.
pub const INGEST_SCHEMA: &str = "memport.ingest.v1";

/// Name of the document that `memport recall stats` prints.
pub const STATS_SCHEMA: &str = "memport.stats.v1";

/// Name of the document that `memport recall inject` prints.
pub const INJECT_SCHEMA: &str = "memport.inject.v1";

/// Name of the document that `memport recall candidates` prints.
pub const CANDIDATES_SCHEMA: &str = "memport.candidates.v1";

/// Name of the document that `memport recall forget` prints.
pub const FORGET_SCHEMA: &str = "memport.forget.v1";

/// Name of the document that `memport recall import` prints.
pub const IMPORT_SCHEMA: &str = "memport.import.v1";

/// Most characters of a hit's text.
const MAX_TEXT: usize = 2_000;

/// What past conversations say to a query.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct RecallDocument {
    /// Name of this document.
    #[schemars(extend("const" = RECALL_SCHEMA))]
    pub schema: &'static str,
    /// What answers, best first; empty when nothing does.
    pub hits: Vec<HitDocument>,
    /// How much of what there is was looked at.
    pub indexed: IndexedDocument,
    /// Microseconds from the query's text to the finished hits, without the model's time.
    pub elapsed_us: u64,
    /// Microseconds that the model took, or null without one.
    pub model_us: Option<u64>,
}

/// Something that was said in the past.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct HitDocument {
    /// The id, which is the same in every store.
    pub id: String,
    /// What all parts of the rank make together; larger is better.
    pub score: f32,
    /// Question and answer, or the part of them that the query speaks of.
    pub text: String,
    /// What was asked.
    pub question: String,
    /// Where it is from.
    pub source: SourceDocument,
    /// When it was asked, in UTC; null where that is not known.
    pub time: Option<String>,
    /// Whole days since then.
    pub age_days: Option<i64>,
    /// The directory the conversation was held in.
    pub project: String,
    /// The parts of the rank.
    pub ranks: RanksDocument,
    /// Always true: it is a quotation of the past and no instruction.
    pub reference_only: bool,
}

/// Where a hit is from.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct SourceDocument {
    /// The client.
    pub agent: Agent,
    /// The client's id of the conversation.
    pub session: String,
    /// The transcript.
    pub path: String,
    /// The line of the question, from 1; null where it is not known.
    pub line: Option<u64>,
}

/// The parts of a rank; null for a part that did not count.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct RanksDocument {
    /// The place by words, from 1.
    pub fulltext: Option<u32>,
    /// The place by meaning, from 1.
    pub vector: Option<u32>,
    /// By how many places age moved it to the front; negative to the end.
    pub age: Option<i32>,
}

/// How much of what there is was looked at.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct IndexedDocument {
    /// Conversations in the store.
    pub conversations: u64,
    /// The same and the transcripts that were never read.
    pub of: u64,
    /// The time of the newest question, or null when there is none.
    pub until: Option<String>,
}

/// The answer to one line of `memport recall search --stdin`.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct RecallLine {
    /// The id of the query.
    pub id: serde_json::Value,
    /// What answers, best first.
    pub hits: Vec<HitDocument>,
    /// As in [`RecallDocument`].
    pub elapsed_us: u64,
    /// As in [`RecallDocument`].
    pub model_us: Option<u64>,
}

/// A hit with its whole conversation.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct RecallShowDocument {
    /// Name of this document.
    #[schemars(extend("const" = RECALL_SHOW_SCHEMA))]
    pub schema: &'static str,
    /// The id, which is the same in every store.
    pub id: String,
    /// Where it is from.
    pub source: SourceDocument,
    /// When it was asked, in UTC; null where that is not known.
    pub time: Option<String>,
    /// The directory the conversation was held in.
    pub project: String,
    /// Always true: it is a quotation of the past and no instruction.
    pub reference_only: bool,
    /// All questions of the conversation, in order.
    pub turns: Vec<TurnDocument>,
}

/// A question and its answer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct TurnDocument {
    /// The id of the question.
    pub id: String,
    /// When it was asked, in UTC; null where that is not known.
    pub time: Option<String>,
    /// What was asked.
    pub question: String,
    /// What was answered.
    pub answer: String,
}

/// What was taken in.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct IngestDocument {
    /// Name of this document.
    #[schemars(extend("const" = INGEST_SCHEMA))]
    pub schema: &'static str,
    /// Transcripts that were there.
    pub files: u64,
    /// Questions that are new, or answered further.
    pub chunks: u64,
    /// Transcripts that nothing was read of.
    pub skipped: u64,
    /// Bytes that were read.
    pub bytes: u64,
    /// Chunks that wait for a server.
    pub queued: u64,
    /// Transcripts that could not be read, each with the reason.
    pub unreadable: Vec<UnreadableDocument>,
    /// The store.
    pub store: String,
}

/// A transcript that could not be read.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct UnreadableDocument {
    /// The file.
    pub path: String,
    /// Why.
    pub message: String,
}

/// What a store holds.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct StatsDocument {
    /// Name of this document.
    #[schemars(extend("const" = STATS_SCHEMA))]
    pub schema: &'static str,
    /// Questions with their answers.
    pub chunks: u64,
    /// Conversations.
    pub conversations: u64,
    /// Directories they were held in.
    pub projects: u64,
    /// Bytes of questions and answers.
    pub bytes: u64,
    /// The model, or null without one.
    pub model: Option<ModelDocument>,
    /// Times that something was given to a client.
    pub given: u64,
    /// How much of what there is was taken in.
    pub indexed: IndexedDocument,
    /// The store.
    pub store: String,
}

/// A model that embeds texts.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct ModelDocument {
    /// Its name.
    pub name: String,
    /// Numbers of a vector.
    pub dimensions: u64,
    /// Chunks with a vector.
    pub embedded: u64,
    /// Chunks without one.
    pub waiting: u64,
}

/// Lines to put before a client.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct InjectDocument {
    /// Name of this document.
    #[schemars(extend("const" = INJECT_SCHEMA))]
    pub schema: &'static str,
    /// The lines, the first of which says that they are for reference only; empty when
    /// nothing answers.
    pub text: String,
    /// How many lines.
    pub lines: u64,
    /// How many characters.
    pub chars: u64,
    /// The ids of what is quoted.
    pub ids: Vec<String>,
}

/// What was given often, and may be worth remembering.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct CandidatesDocument {
    /// Name of this document.
    #[schemars(extend("const" = CANDIDATES_SCHEMA))]
    pub schema: &'static str,
    /// The chunks, most often first.
    pub candidates: Vec<CandidateDocument>,
}

/// A chunk that was given to clients.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct CandidateDocument {
    /// The id.
    pub id: String,
    /// How often.
    pub times: u64,
    /// When last, in UTC.
    pub last: String,
    /// The directory the conversation was held in.
    pub project: String,
    /// What was asked.
    pub question: String,
    /// What was answered.
    pub answer: String,
    /// Always true: it is a quotation of the past and no instruction.
    pub reference_only: bool,
}

/// What is forgotten.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct ForgetDocument {
    /// Name of this document.
    #[schemars(extend("const" = FORGET_SCHEMA))]
    pub schema: &'static str,
    /// Chunks that go.
    pub chunks: u64,
    /// Whether they are gone.
    pub applied: bool,
}

/// What was merged.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct ImportDocument {
    /// Name of this document.
    #[schemars(extend("const" = IMPORT_SCHEMA))]
    pub schema: &'static str,
    /// Chunks that are new here.
    pub chunks: u64,
}

impl HitDocument {
    /// A hit of this query.
    pub fn of(reference: &Reference, query: &str, now: Time) -> Self {
        let (chunk, ranked) = (reference.chunk(), reference.ranked());
        Self {
            id: reference.id(),
            score: ranked.score,
            text: reference.passage(query, MAX_TEXT).text,
            question: chunk.question.clone(),
            source: SourceDocument::of(chunk, reference.conversation()),
            time: chunk.time.map(time_text),
            age_days: reference.age_days(now),
            project: reference.conversation().project.clone(),
            ranks: RanksDocument {
                fulltext: ranked.fulltext,
                vector: ranked.vector,
                age: ranked.age,
            },
            reference_only: true,
        }
    }
}

impl SourceDocument {
    /// Where a chunk is from.
    pub fn of(chunk: &Chunk, conversation: &Conversation) -> Self {
        Self {
            agent: Agent::of_transcript(conversation.agent),
            session: conversation.session.clone(),
            path: conversation.path.clone(),
            line: (chunk.line > 0).then_some(chunk.line),
        }
    }
}

impl RecallShowDocument {
    /// A chunk with the turns of its conversation.
    pub fn of(chunk: &Chunk, conversation: &Conversation, turns: &[Chunk]) -> Self {
        let turn = |chunk: &Chunk| TurnDocument {
            id: chunk_id(chunk.key),
            time: chunk.time.map(time_text),
            question: chunk.question.clone(),
            answer: chunk.answer.clone(),
        };
        Self {
            schema: RECALL_SHOW_SCHEMA,
            id: chunk_id(chunk.key),
            source: SourceDocument::of(chunk, conversation),
            time: chunk.time.map(time_text),
            project: conversation.project.clone(),
            reference_only: true,
            turns: turns.iter().map(turn).collect(),
        }
    }
}

impl IngestDocument {
    /// What was taken into this store.
    pub fn of(done: &Ingested, store: String) -> Self {
        let unreadable = |(path, error): &(memory_core::AbsPath, memory_core::fs::IoError)| {
            UnreadableDocument { path: path.to_string(), message: error.to_string() }
        };
        let compressed = done.compressed.iter().map(|path| UnreadableDocument {
            path: path.to_string(),
            message: "it is compressed".to_owned(),
        });
        Self {
            schema: INGEST_SCHEMA,
            files: done.files,
            chunks: done.chunks,
            skipped: done.skipped,
            bytes: done.bytes,
            queued: 0,
            unreadable: done.unreadable.iter().map(unreadable).chain(compressed).collect(),
            store,
        }
    }
}

impl InjectDocument {
    /// What is given.
    pub fn of(given: Injection) -> Self {
        Self {
            schema: INJECT_SCHEMA,
            lines: given.text.lines().count() as u64,
            chars: given.text.chars().count() as u64,
            text: given.text,
            ids: given.ids,
        }
    }
}

impl CandidateDocument {
    /// A chunk that was given.
    pub fn of(candidate: Candidate) -> Self {
        Self {
            id: chunk_id(candidate.chunk.key),
            times: candidate.given.times,
            last: time_text(candidate.given.last),
            project: candidate.conversation.project,
            question: candidate.chunk.question,
            answer: candidate.chunk.answer,
            reference_only: true,
        }
    }
}
