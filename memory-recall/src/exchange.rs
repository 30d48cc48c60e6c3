//! Chunks as plain lines, for another machine.

use std::io::{BufRead, Write};

use serde::{Deserialize, Serialize};

use crate::redact::redact;
use crate::store::{Chunk, Conversation, Put, SqliteStore, Store, StoreError, StoreMut as _};
use crate::transcript::{Agent, Header, Turn, TurnKey};

/// A chunk as it travels.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ExportedChunk {
    /// What question it is, in every store.
    pub id: String,
    /// The client.
    pub agent: Agent,
    /// The client's id of the conversation.
    pub session_id: String,
    /// The transcript it was read from.
    pub path: String,
    /// When it was asked, in UTC; null where that is not known.
    pub time: Option<String>,
    /// What was asked.
    pub question: String,
    /// What was answered.
    pub answer: String,
    /// The directory the conversation was held in.
    #[serde(default)]
    pub project: String,
    /// The line of the question in the transcript; 0 where it is not known.
    #[serde(default)]
    pub line: u64,
}

impl ExportedChunk {
    /// A chunk of a store as it travels.
    pub fn new(chunk: &Chunk, conversation: &Conversation) -> Self {
        Self {
            id: chunk_id(chunk.key),
            agent: conversation.agent,
            session_id: conversation.session.clone(),
            path: conversation.path.clone(),
            time: chunk.time.map(time_text),
            question: chunk.question.clone(),
            answer: chunk.answer.clone(),
            project: conversation.project.clone(),
            line: chunk.line,
        }
    }

    fn into_parts(self) -> (Chunk, Conversation) {
        let key = key_of(&self.id).unwrap_or_else(|| {
            TurnKey::of(&[
                "imported",
                self.agent.as_str(),
                &self.session_id,
                &self.question,
                &self.answer,
            ])
        });
        let chunk = Chunk {
            id: 0,
            key,
            conversation: 0,
            time: self.time.as_deref().and_then(crate::transcript::time),
            line: self.line,
            question: self.question,
            answer: self.answer,
        };
        let conversation = Conversation {
            id: 0,
            agent: self.agent,
            session: self.session_id,
            project: self.project,
            path: self.path,
        };
        (chunk, conversation)
    }
}

/// The id of a chunk, as people and programs see it: 16 hexadecimal digits.
pub fn chunk_id(key: TurnKey) -> String {
    format!("{:016x}", u64::from_ne_bytes(key.0.to_ne_bytes()))
}

/// The key that an id names, or `None` when it is none.
pub fn key_of(id: &str) -> Option<TurnKey> {
    let number = (id.len() == 16).then(|| u64::from_str_radix(id, 16).ok()).flatten()?;
    Some(TurnKey(i64::from_ne_bytes(number.to_ne_bytes())))
}

/// A time as transcripts have it: UTC with milliseconds.
pub fn time_text(time: crate::Time) -> String {
    jiff::Timestamp::from_millisecond(time)
        .map_or_else(|_| String::new(), |time| format!("{time:.3}"))
}

/// Writes every chunk as a line of JSON, oldest first.
pub fn export(store: &dyn Store, out: &mut dyn Write) -> Result<u64, ExchangeError> {
    let mut count = 0;
    let mut failed = None;
    store.each(&mut |chunk, conversation| {
        if failed.is_some() {
            return Ok(());
        }
        let line = serde_json::to_string(&ExportedChunk::new(&chunk, conversation));
        let written = line.map_err(std::io::Error::from).and_then(|line| writeln!(out, "{line}"));
        match written {
            Ok(()) => count += 1,
            Err(error) => failed = Some(error),
        }
        Ok(())
    })?;
    match failed {
        None => Ok(count),
        Some(error) => Err(ExchangeError::Write(error)),
    }
}

/// Why chunks did not travel.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ExchangeError {
    /// The store does not answer.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// A line cannot be written.
    #[error("the chunks cannot be written: {0}")]
    Write(std::io::Error),
    /// A line cannot be read.
    #[error("line {line} is no chunk: {message}")]
    Line {
        /// The line, from 1.
        line: u64,
        /// What is wrong with it.
        message: String,
    },
}

/// Merges exported lines into a store: what is there already stays, what was forgotten is
/// not taken in, and all or nothing is kept. Tells how many chunks are new.
pub fn import_lines(
    store: &mut SqliteStore,
    input: &mut dyn BufRead,
) -> Result<u64, ExchangeError> {
    let mut failed = None;
    let mut number = 0;
    let mut lines = input.lines();
    let chunks = std::iter::from_fn(|| {
        loop {
            let line = lines.next()?;
            number += 1;
            let read = line.map_err(|error| error.to_string()).and_then(|line| {
                if line.trim().is_empty() {
                    return Ok(None);
                }
                serde_json::from_str::<ExportedChunk>(&line)
                    .map(Some)
                    .map_err(|error| error.to_string())
            });
            match read {
                Ok(None) => {}
                Ok(Some(chunk)) => return Some(Ok(chunk.into_parts())),
                Err(message) => {
                    failed = Some(ExchangeError::Line { line: number, message });
                    return Some(Err(()));
                }
            }
        }
    });
    let result = merge(store, chunks);
    match failed {
        Some(error) => Err(error),
        None => Ok(result?),
    }
}

/// Merges chunks into a store, as [`import_lines`] does.
pub fn merge_chunks(
    store: &mut SqliteStore,
    chunks: impl Iterator<Item = (Chunk, Conversation)>,
) -> Result<u64, StoreError> {
    merge(store, chunks.map(Ok))
}

fn merge(
    store: &mut SqliteStore,
    chunks: impl Iterator<Item = Result<(Chunk, Conversation), ()>>,
) -> Result<u64, StoreError> {
    store.begin()?;
    let mut count = 0;
    for entry in chunks {
        let Ok((chunk, conversation)) = entry else {
            store.roll_back();
            return Ok(0);
        };
        match put(store, chunk, conversation) {
            Ok(Put::Added | Put::Changed) => count += 1,
            Ok(_) => {}
            Err(error) => {
                store.roll_back();
                return Err(error);
            }
        }
    }
    match store.commit() {
        Ok(()) => Ok(count),
        Err(error) => {
            store.roll_back();
            Err(error)
        }
    }
}

fn put(store: &mut SqliteStore, chunk: Chunk, of: Conversation) -> Result<Put, StoreError> {
    // What is here was read from the transcript itself, and is not older.
    if store.find(chunk.key)?.is_some() {
        return Ok(Put::Known);
    }
    let known = store.known_conversation(of.agent, &of.session)?;
    let conversation = if let Some(known) = known {
        known
    } else {
        let header = Header { session: of.session, project: of.project, ..Header::default() };
        let Some(made) = store.put_conversation(of.agent, &header, &of.path)? else {
            return Ok(Put::Forgotten);
        };
        made
    };
    let Chunk { key, time, line, question, answer, .. } = chunk;
    let turn = Turn {
        key,
        time,
        line,
        question: redact(&question).into_owned(),
        answers: vec![redact(&answer).into_owned()],
    };
    store.put_turn(conversation, &turn)
}
