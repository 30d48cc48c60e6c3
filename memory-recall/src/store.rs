//! Where chunks are kept. Ranking stands above: every store gives the same answers.

use std::collections::BTreeSet;

use crate::transcript::{Agent, Header, Resume, Time, Turn, TurnKey};

mod error;
mod postings;
mod rebuild;
mod schema;
mod sqlite;

pub use error::StoreError;
pub use sqlite::SqliteStore;

/// The number of a chunk in its store; a newer chunk has a larger one.
pub type ChunkId = u32;

/// The number of a conversation in its store.
pub type ConversationId = u32;

/// A question with its answer, as it is kept.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Chunk {
    /// Its number in this store.
    pub id: ChunkId,
    /// What question it is, in every store.
    pub key: TurnKey,
    /// The conversation it belongs to.
    pub conversation: ConversationId,
    /// When it was asked, or `None` where that is not known.
    pub time: Option<Time>,
    /// The line of the question in the transcript, from 1; 0 where it is not known.
    pub line: u64,
    /// What was asked.
    pub question: String,
    /// All that was answered, its parts joined by blank lines.
    pub answer: String,
}

/// Where a chunk comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Conversation {
    /// Its number in this store.
    pub id: ConversationId,
    /// The client.
    pub agent: Agent,
    /// The client's id of it.
    pub session: String,
    /// The directory it was held in.
    pub project: String,
    /// The transcript.
    pub path: String,
}

/// A chunk that has a term, and how often.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Posting {
    /// The chunk.
    pub chunk: ChunkId,
    /// How often, at most 255.
    pub count: u8,
}

/// What a ranking has to know of every chunk without reading it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Fact {
    /// The conversation; 0 for a chunk that is gone.
    pub conversation: ConversationId,
    /// When it was asked, in seconds since 1970; 0 where that is not known.
    pub seconds: u32,
    /// How many terms it has, at most 65,535.
    pub len: u16,
}

/// The facts of all chunks, by their numbers.
#[derive(Clone, Debug, Default)]
pub struct Facts {
    blocks: Vec<(u32, Vec<u8>)>,
}

impl Facts {
    /// What is known of a chunk; the default for one that is gone.
    pub fn of(&self, chunk: ChunkId) -> Fact {
        let (block, within) = postings::place(chunk);
        let Ok(at) = self.blocks.binary_search_by_key(&block, |(block, _)| *block) else {
            return Fact::default();
        };
        self.blocks.get(at).map(|(_, data)| postings::fact(data, within)).unwrap_or_default()
    }

    /// The time of the newest chunk, in seconds since 1970.
    pub fn latest(&self) -> Option<u32> {
        let seconds = |data: &Vec<u8>| postings::latest(data);
        self.blocks.iter().filter_map(|(_, data)| seconds(data)).max()
    }

    /// The number after the last chunk.
    pub fn end(&self) -> ChunkId {
        self.blocks.last().map_or(0, |(block, _)| postings::end(*block))
    }
}

/// How much there is.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Corpus {
    /// Chunks.
    pub chunks: u64,
    /// Terms of all chunks together.
    pub terms: u64,
    /// Conversations with a chunk.
    pub conversations: u64,
    /// Bytes of questions and answers.
    pub bytes: u64,
}

/// Which chunks are looked at.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Filter {
    /// Only of this project: an absolute directory with all below it, or the last part of one.
    pub project: Option<String>,
    /// Only of this client.
    pub agent: Option<Agent>,
    /// Not asked before.
    pub since: Option<Time>,
    /// Not asked after.
    pub until: Option<Time>,
    /// None of these sessions: the ones that are running.
    pub without_sessions: BTreeSet<String>,
}

/// A filter in the numbers of a store.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Scope {
    /// Only these conversations, or all.
    pub only: Option<BTreeSet<ConversationId>>,
    /// None of these.
    pub without: BTreeSet<ConversationId>,
    /// Seconds since 1970.
    pub since: Option<i64>,
    /// Seconds since 1970.
    pub until: Option<i64>,
}

impl Scope {
    /// Whether a chunk is looked at.
    pub fn holds(&self, fact: Fact) -> bool {
        let seconds = i64::from(fact.seconds);
        fact.conversation != 0
            && self.only.as_ref().is_none_or(|only| only.contains(&fact.conversation))
            && !self.without.contains(&fact.conversation)
            && self.since.is_none_or(|since| seconds >= since)
            && self.until.is_none_or(|until| fact.seconds != 0 && seconds <= until)
    }
}

/// What is known of a transcript that was read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct FileState {
    pub(crate) len: u64,
    /// Nanoseconds since 1970.
    pub(crate) modified: i64,
    /// A number for the first bytes: another file under the same name is told by it.
    pub(crate) head: i64,
    pub(crate) resume: Resume,
}

/// What became of a chunk that was to be kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Put {
    Added,
    Changed,
    /// It was there already, perhaps under another conversation.
    Known,
    /// It was forgotten, and stays so.
    Forgotten,
}

/// What is forgotten.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Forget {
    /// One conversation, by the client's id.
    Session(String),
    /// All of a project, as [`Filter::project`] names it.
    Project(String),
}

/// A chunk given to a client, for statistics.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Given {
    /// The chunk.
    pub chunk: ChunkId,
    /// How often.
    pub times: u64,
    /// When last.
    pub last: Time,
}

/// The read side of a store: several at once, also beside a writer.
pub trait Store {
    /// How much there is.
    fn corpus(&self) -> Result<Corpus, StoreError>;

    /// The chunks that have a term, by number.
    fn postings(&self, term: u64) -> Result<Vec<Posting>, StoreError>;

    /// The facts of all chunks.
    fn facts(&self) -> Result<Facts, StoreError>;

    /// These chunks, in this order; one that is gone is left out.
    fn chunks(&self, ids: &[ChunkId]) -> Result<Vec<Chunk>, StoreError>;

    /// A conversation, or `None` when there is none with this number.
    fn conversation(&self, id: ConversationId) -> Result<Option<Conversation>, StoreError>;

    /// The chunk with this key, or `None`.
    fn find(&self, key: TurnKey) -> Result<Option<Chunk>, StoreError>;

    /// All chunks of a conversation, in the order in which they were asked.
    fn turns(&self, conversation: ConversationId) -> Result<Vec<Chunk>, StoreError>;

    /// A filter in this store's numbers.
    fn scope(&self, filter: &Filter) -> Result<Scope, StoreError>;

    /// Every chunk with its conversation, oldest first.
    fn each(
        &self,
        visit: &mut dyn FnMut(Chunk, &Conversation) -> Result<(), StoreError>,
    ) -> Result<(), StoreError>;

    /// The directories that conversations were held in.
    fn projects(&self) -> Result<BTreeSet<String>, StoreError>;

    /// What was given to clients, most often first.
    fn given(&self) -> Result<Vec<Given>, StoreError>;

    /// Paths of all transcripts that were read.
    fn transcripts(&self) -> Result<BTreeSet<String>, StoreError>;
}

/// The write side of a store: one at a time; another one waits.
///
/// Nothing is kept until [`StoreMut::commit`], and then all of it.
pub(crate) trait StoreMut: Store {
    /// Begins to write; waits while another writer does.
    fn begin(&mut self) -> Result<(), StoreError>;

    /// Keeps what was written since [`StoreMut::begin`].
    fn commit(&mut self) -> Result<(), StoreError>;

    /// Drops what was written since [`StoreMut::begin`].
    fn roll_back(&mut self);

    /// What is known of a transcript.
    fn file(&self, path: &str) -> Result<Option<FileState>, StoreError>;

    /// Notes how far a transcript was read.
    fn put_file(&mut self, path: &str, state: &FileState) -> Result<(), StoreError>;

    /// The number of a conversation, made where it is new; `None` when it was forgotten.
    fn put_conversation(
        &mut self,
        agent: Agent,
        header: &Header,
        path: &str,
    ) -> Result<Option<ConversationId>, StoreError>;

    /// The number of a conversation that is known.
    fn known_conversation(
        &self,
        agent: Agent,
        session: &str,
    ) -> Result<Option<ConversationId>, StoreError>;

    /// Keeps a turn, or what it has become.
    fn put_turn(&mut self, conversation: ConversationId, turn: &Turn) -> Result<Put, StoreError>;

    /// Removes a turn of this conversation.
    fn remove_turn(
        &mut self,
        conversation: ConversationId,
        key: TurnKey,
    ) -> Result<bool, StoreError>;

    /// Removes everything of it, and does not take it in again. Tells how many chunks.
    fn forget(&mut self, what: &Forget, now: Time) -> Result<u64, StoreError>;

    /// Counts chunks that are given to a client.
    fn give(&mut self, chunks: &[ChunkId], now: Time) -> Result<(), StoreError>;
}
