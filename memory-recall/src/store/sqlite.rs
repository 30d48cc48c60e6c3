//! A store in one file.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::time::Duration;

use rusqlite::{Connection, OpenFlags, OptionalExtension as _, Row, params};

use super::postings::{self, Packed};
use super::schema::{self, Form};
use super::{
    Chunk, ChunkId, Conversation, ConversationId, Corpus, Fact, Facts, FileState, Filter, Forget,
    Given, Posting, Put, Scope, Store, StoreError, StoreMut,
};
use crate::term::terms;
use crate::transcript::{Agent, Header, Time, Turn, TurnKey};

/// How long a writer waits for another one.
const PATIENCE: Duration = Duration::from_secs(600);

/// Postings that are held back before they are written.
const MAX_PENDING: usize = 2_000_000;

/// A store in one file: one writer and any number of readers at once.
#[derive(Debug)]
pub struct SqliteStore {
    pub(super) connection: Connection,
    pub(super) path: String,
    pending: Pending,
}

/// What a transaction has to write before it is complete.
#[derive(Debug, Default)]
struct Pending {
    blocks: BTreeMap<u32, Block>,
    postings: usize,
    chunks: i64,
    terms: i64,
    bytes: i64,
    next: ChunkId,
}

#[derive(Debug, Default)]
struct Block {
    added: Vec<Packed>,
    /// The postings of chunks that go.
    dropped: Vec<Packed>,
    /// The chunks that go.
    gone: BTreeSet<u16>,
    facts: Vec<u8>,
}

impl SqliteStore {
    /// Opens a store, and makes it where there is none.
    ///
    /// The file's directory has to be there. Whoever calls decides who may read the file:
    /// it gets the usual permissions when it is made here.
    pub fn open(path: &Path) -> Result<Self, StoreError> {
        let flags = OpenFlags::SQLITE_OPEN_READ_WRITE
            | OpenFlags::SQLITE_OPEN_CREATE
            | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let mut store = Self::connect(path, flags, true)?;
        match store.guard(schema::form(&store.connection))? {
            Form::Ready => {}
            Form::Older => {
                store.use_log()?;
                let migrated = schema::migrate(&mut store.connection);
                store.guard(migrated)?;
            }
            other => return Err(store.refuse(&other)),
        }
        Ok(store)
    }

    /// Opens a store to read it; `None` when there is none.
    ///
    /// Works in a directory that cannot be written, and changes nothing.
    pub fn open_to_read(path: &Path) -> Result<Option<Self>, StoreError> {
        let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let opened = Self::connect(path, flags, true)
            .and_then(|store| Ok((store.guard(schema::form(&store.connection))?, store)));
        let (form, store) = match opened {
            Ok(opened) => opened,
            Err(StoreError::NotWritable { .. }) => {
                // Beside the file nothing can be written, so nobody else writes either.
                let Ok(store) = Self::connect(path, flags | OpenFlags::SQLITE_OPEN_URI, false)
                else {
                    return Ok(None);
                };
                match schema::form(&store.connection) {
                    Ok(form) => (form, store),
                    Err(error) => {
                        let error = StoreError::of(&store.path, &error);
                        let is_missing = matches!(error, StoreError::NotWritable { .. });
                        return if is_missing { Ok(None) } else { Err(error) };
                    }
                }
            }
            Err(error) => return Err(error),
        };
        match form {
            Form::Ready => Ok(Some(store)),
            // Nothing was ever kept.
            Form::Older => Ok(None),
            other => Err(store.refuse(&other)),
        }
    }

    fn connect(path: &Path, flags: OpenFlags, is_shared: bool) -> Result<Self, StoreError> {
        let shown = path.to_string_lossy().into_owned();
        let error = |error: rusqlite::Error| StoreError::of(&shown, &error);
        let connection = if is_shared {
            Connection::open_with_flags(path, flags)
        } else {
            Connection::open_with_flags(immutable(&shown), flags)
        };
        let connection = connection.map_err(error)?;
        connection.busy_timeout(PATIENCE).map_err(error)?;
        connection.set_prepared_statement_cache_capacity(64);
        let settings = "pragma synchronous = normal; pragma temp_store = memory;
            pragma cache_size = -32768; pragma mmap_size = 1073741824; pragma foreign_keys = off;
            pragma secure_delete = on;";
        connection.execute_batch(settings).map_err(error)?;
        Ok(Self { connection, path: shown, pending: Pending::default() })
    }

    /// Readers go on while somebody writes, and a crash loses nothing that was kept.
    fn use_log(&self) -> Result<(), StoreError> {
        let mut left = 200;
        loop {
            let set = self.connection.pragma_update_and_check(None, "journal_mode", "wal", |row| {
                row.get::<_, String>(0)
            });
            match self.guard(set) {
                Ok(_) => return Ok(()),
                // Two who make it at once don't wait for each other here.
                Err(StoreError::Busy { .. }) if left > 0 => {
                    left -= 1;
                    std::thread::sleep(Duration::from_millis(25));
                }
                Err(error) => return Err(error),
            }
        }
    }

    fn refuse(&self, form: &Form) -> StoreError {
        let path = self.path.clone();
        match form {
            Form::Newer(found) => StoreError::Newer { path, found: *found, known: schema::VERSION },
            _ => {
                StoreError::Damaged { path, message: "it is another program's database".to_owned() }
            }
        }
    }

    pub(super) fn guard<T>(&self, result: rusqlite::Result<T>) -> Result<T, StoreError> {
        result.map_err(|error| StoreError::of(&self.path, &error))
    }

    fn damaged(&self, message: &str) -> StoreError {
        StoreError::Damaged { path: self.path.clone(), message: message.to_owned() }
    }

    /// Looks at every page, and whether what is found of a chunk is what is kept of it.
    pub fn check(&self) -> Result<(), StoreError> {
        let found: String =
            self.guard(
                self.connection.query_row("pragma integrity_check(1)", (), |row| row.get(0)),
            )?;
        if found != "ok" {
            return Err(self.damaged(&found));
        }
        let mut counted: BTreeMap<ChunkId, u64> = BTreeMap::new();
        let mut rows = self.guard(self.connection.prepare("select id, data from posting"))?;
        let mut rows = self.guard(rows.query(()))?;
        let mut packed = Vec::new();
        while let Some(row) = self.guard(rows.next())? {
            let id: i64 = self.guard(row.get(0))?;
            let data = self.guard(row.get_ref(1))?.as_blob().unwrap_or_default();
            packed.clear();
            let bucket = u16::try_from(id >> 32).unwrap_or_default();
            let block = u32::try_from(id & 0xffff_ffff).unwrap_or_default();
            postings::decode(bucket, data, &mut packed)
                .ok_or_else(|| self.damaged("a list of terms cannot be read"))?;
            for posting in &packed {
                *counted.entry(postings::chunk(block, posting.within())).or_default() += 1;
            }
        }
        let mut kept = 0;
        self.each(&mut |chunk, _| {
            let count = packed_terms(&chunk.question, &chunk.answer, 0).0.len() as u64;
            kept += 1;
            if counted.get(&chunk.id).copied().unwrap_or(0) == count {
                Ok(())
            } else {
                Err(self.damaged("the terms of a text are not those that are kept"))
            }
        })?;
        let total = self.corpus()?.chunks;
        let is_whole = kept == total && counted.len() as u64 <= total;
        if is_whole { Ok(()) } else { Err(self.damaged("chunks are missing")) }
    }

    fn block(&mut self, block: u32) -> Result<&mut Block, StoreError> {
        if !self.pending.blocks.contains_key(&block) {
            let facts = self.connection.prepare_cached("select data from fact where block = ?1");
            let facts: Option<Vec<u8>> =
                self.guard(facts.and_then(|mut select| {
                    select.query_row([block], |row| row.get(0)).optional()
                }))?;
            let made = Block { facts: facts.unwrap_or_default(), ..Block::default() };
            self.pending.blocks.insert(block, made);
        }
        Ok(self.pending.blocks.entry(block).or_default())
    }

    fn insert(&mut self, conversation: ConversationId, turn: &Turn) -> Result<(), StoreError> {
        if self.pending.next == 0 {
            let next = self.connection.query_row("select next from total", (), |row| row.get(0));
            self.pending.next = self.guard(next)?;
        }
        let id = self.pending.next;
        self.pending.next += 1;
        let answer = turn.answers.join("\n\n");
        let insert = self
            .connection
            .prepare_cached("insert into chunk values (?1, ?2, ?3, ?4, ?5, ?6, ?7)")
            .and_then(|mut insert| {
                let line = i64::try_from(turn.line).unwrap_or(0);
                insert.execute(params![
                    id,
                    turn.key.0,
                    conversation,
                    turn.time,
                    line,
                    turn.question,
                    answer
                ])
            });
        self.guard(insert)?;
        let (block, within) = postings::place(id);
        let (packed, len) = packed_terms(&turn.question, &answer, within);
        let bytes = signed(turn.question.len() + answer.len());
        let fact = Fact { conversation, seconds: seconds(turn.time), len: saturated(len) };
        let held = self.block(block)?;
        held.added.extend_from_slice(&packed);
        postings::put_fact(&mut held.facts, within, fact);
        self.pending.postings += packed.len();
        self.pending.chunks += 1;
        self.pending.terms += signed(len);
        self.pending.bytes += bytes;
        if self.pending.postings > MAX_PENDING { self.flush() } else { Ok(()) }
    }

    fn delete(&mut self, chunk: &Chunk) -> Result<(), StoreError> {
        let delete = self.connection.prepare_cached("delete from chunk where id = ?1");
        self.guard(delete.and_then(|mut delete| delete.execute([chunk.id])))?;
        let delete = self.connection.prepare_cached("delete from given where chunk = ?1");
        self.guard(delete.and_then(|mut delete| delete.execute([chunk.id])))?;
        let (block, within) = postings::place(chunk.id);
        let (packed, len) = packed_terms(&chunk.question, &chunk.answer, within);
        let held = self.block(block)?;
        held.gone.insert(within);
        held.dropped.extend_from_slice(&packed);
        postings::put_fact(&mut held.facts, within, Fact::default());
        self.pending.chunks -= 1;
        self.pending.terms -= signed(len);
        self.pending.bytes -= signed(chunk.question.len() + chunk.answer.len());
        Ok(())
    }

    /// Writes what is pending, within the transaction.
    fn flush(&mut self) -> Result<(), StoreError> {
        let pending = std::mem::take(&mut self.pending);
        for (number, block) in pending.blocks {
            let written = self.write_block(number, block);
            written?;
        }
        let update =
            "update total set chunks = chunks + ?1, terms = terms + ?2, bytes = bytes + ?3,
            next = max(next, ?4)";
        let numbers = params![pending.chunks, pending.terms, pending.bytes, pending.next];
        self.guard(self.connection.execute(update, numbers))?;
        Ok(())
    }

    fn write_block(&self, number: u32, block: Block) -> Result<(), StoreError> {
        let Block { mut added, mut dropped, gone, facts } = block;
        let mut select =
            self.guard(self.connection.prepare_cached("select data from posting where id = ?1"))?;
        let mut insert = self.guard(
            self.connection.prepare_cached("insert or replace into posting values (?1, ?2)"),
        )?;
        let mut delete =
            self.guard(self.connection.prepare_cached("delete from posting where id = ?1"))?;
        added.retain(|posting| !gone.contains(&posting.within()));
        added.sort_unstable();
        dropped.sort_unstable();
        let mut buckets: BTreeMap<u16, &[Packed]> =
            dropped.iter().map(|posting| (posting.bucket(), &[][..])).collect();
        for run in added.chunk_by(|one, other| one.bucket() == other.bucket()) {
            if let Some(first) = run.first() {
                buckets.insert(first.bucket(), run);
            }
        }
        let (mut all, mut data) = (Vec::new(), Vec::new());
        for (bucket, added) in buckets {
            let row = postings::row(bucket, number);
            let old: Option<Vec<u8>> =
                self.guard(select.query_row([row], |row| row.get(0)).optional())?;
            all.clear();
            if let Some(old) = &old {
                postings::decode(bucket, old, &mut all)
                    .ok_or_else(|| self.damaged("a list of terms cannot be read"))?;
                all.retain(|posting| !gone.contains(&posting.within()));
            }
            all.extend_from_slice(added);
            all.sort_unstable();
            all.dedup_by_key(|posting| posting.place());
            if all.is_empty() {
                self.guard(delete.execute([row]))?;
                continue;
            }
            data.clear();
            postings::encode(&all, &mut data);
            self.guard(insert.execute(params![row, data]))?;
        }
        let insert = "insert or replace into fact values (?1, ?2)";
        self.guard(self.connection.execute(insert, params![number, facts]))?;
        Ok(())
    }

    fn select_chunks<P: rusqlite::Params>(
        &self,
        sql: &str,
        params: P,
    ) -> Result<Vec<Chunk>, StoreError> {
        let mut select = self.guard(self.connection.prepare_cached(sql))?;
        let rows = self.guard(select.query_map(params, chunk))?;
        rows.map(|row| self.guard(row)).collect()
    }

    fn is_forgotten(&self, key: i64) -> Result<bool, StoreError> {
        let select = self.connection.prepare_cached("select 1 from forgotten where key = ?1");
        self.guard(select.and_then(|mut select| select.exists([key])))
    }

    /// The conversations of a project, all of one agent.
    fn conversations_of(&self, project: &str) -> Result<Vec<ConversationId>, StoreError> {
        let mut select =
            self.guard(self.connection.prepare_cached("select id, project from conversation"))?;
        let mut rows = self.guard(select.query(()))?;
        let mut found = Vec::new();
        while let Some(row) = self.guard(rows.next())? {
            if is_of_project(&self.guard(row.get::<_, String>(1))?, project) {
                found.push(self.guard(row.get(0))?);
            }
        }
        Ok(found)
    }
}

impl Store for SqliteStore {
    fn corpus(&self) -> Result<Corpus, StoreError> {
        let select = "select chunks, terms, bytes, (select count(*) from conversation) from total";
        self.guard(self.connection.query_row(select, (), |row| {
            Ok(Corpus {
                chunks: unsigned(row.get(0)?),
                terms: unsigned(row.get(1)?),
                bytes: unsigned(row.get(2)?),
                conversations: unsigned(row.get(3)?),
            })
        }))
    }

    fn postings(&self, term: u64) -> Result<Vec<Posting>, StoreError> {
        let (bucket, rest) = postings::split(term);
        let select = "select id, data from posting where id between ?1 and ?2";
        let mut select = self.guard(self.connection.prepare_cached(select))?;
        let range = [postings::row(bucket, 0), postings::row(bucket, u32::MAX)];
        let mut rows = self.guard(select.query(range))?;
        let mut found = Vec::new();
        while let Some(row) = self.guard(rows.next())? {
            let id: i64 = self.guard(row.get(0))?;
            let data = self.guard(row.get_ref(1))?.as_blob().unwrap_or_default();
            let block = u32::try_from(id & 0xffff_ffff).unwrap_or_default();
            postings::find(data, rest, block, &mut found)
                .ok_or_else(|| self.damaged("a list of terms cannot be read"))?;
        }
        Ok(found)
    }

    fn facts(&self) -> Result<Facts, StoreError> {
        let select = "select block, data from fact order by block";
        let mut select = self.guard(self.connection.prepare_cached(select))?;
        let rows = self.guard(select.query_map((), |row| Ok((row.get(0)?, row.get(1)?))))?;
        let blocks = rows.map(|row| self.guard(row)).collect::<Result<_, _>>()?;
        Ok(Facts { blocks })
    }

    fn chunks(&self, ids: &[ChunkId]) -> Result<Vec<Chunk>, StoreError> {
        let mut found = Vec::with_capacity(ids.len());
        for id in ids {
            found.append(&mut self.select_chunks("select * from chunk where id = ?1", [id])?);
        }
        Ok(found)
    }

    fn conversation(&self, id: ConversationId) -> Result<Option<Conversation>, StoreError> {
        let select = "select id, agent, session, project, path from conversation where id = ?1";
        let select = self.connection.prepare_cached(select);
        self.guard(select.and_then(|mut select| select.query_row([id], conversation).optional()))
    }

    fn find(&self, key: TurnKey) -> Result<Option<Chunk>, StoreError> {
        Ok(self.select_chunks("select * from chunk where key = ?1", [key.0])?.pop())
    }

    fn turns(&self, conversation: ConversationId) -> Result<Vec<Chunk>, StoreError> {
        let select = "select * from chunk where conversation = ?1 order by time, line, id";
        self.select_chunks(select, [conversation])
    }

    fn scope(&self, filter: &Filter) -> Result<Scope, StoreError> {
        let mut scope = Scope {
            since: filter.since.map(|time| time.div_euclid(1000)),
            until: filter.until.map(|time| time.div_euclid(1000)),
            ..Scope::default()
        };
        if filter.project.is_some() || filter.agent.is_some() {
            let mut only: BTreeSet<ConversationId> = match &filter.project {
                Some(project) => self.conversations_of(project)?.into_iter().collect(),
                None => self.ids("select id from conversation", ())?,
            };
            if let Some(agent) = filter.agent {
                let select = "select id from conversation where agent = ?1";
                let of_agent = self.ids(select, [number(agent)])?;
                only.retain(|id| of_agent.contains(id));
            }
            scope.only = Some(only);
        }
        for session in &filter.without_sessions {
            let select = "select id from conversation where agent in (0, 1) and session = ?1";
            scope.without.append(&mut self.ids(select, [session])?);
        }
        Ok(scope)
    }

    fn each(
        &self,
        visit: &mut dyn FnMut(Chunk, &Conversation) -> Result<(), StoreError>,
    ) -> Result<(), StoreError> {
        let mut select = self.guard(self.connection.prepare("select * from chunk order by id"))?;
        let mut rows = self.guard(select.query(()))?;
        let mut last: Option<Conversation> = None;
        while let Some(row) = self.guard(rows.next())? {
            let chunk = self.guard(chunk(row))?;
            if last.as_ref().is_none_or(|last| last.id != chunk.conversation) {
                last = self.conversation(chunk.conversation)?;
            }
            if let Some(conversation) = &last {
                visit(chunk, conversation)?;
            }
        }
        Ok(())
    }

    fn projects(&self) -> Result<BTreeSet<String>, StoreError> {
        self.texts("select distinct project from conversation")
    }

    fn given(&self) -> Result<Vec<Given>, StoreError> {
        let select = "select chunk, times, last from given order by times desc, last desc";
        let mut select = self.guard(self.connection.prepare_cached(select))?;
        let rows = self.guard(select.query_map((), |row| {
            Ok(Given { chunk: row.get(0)?, times: unsigned(row.get(1)?), last: row.get(2)? })
        }))?;
        rows.map(|row| self.guard(row)).collect()
    }

    fn transcripts(&self) -> Result<BTreeSet<String>, StoreError> {
        self.texts("select path from file")
    }
}

impl SqliteStore {
    fn texts(&self, sql: &str) -> Result<BTreeSet<String>, StoreError> {
        let mut select = self.guard(self.connection.prepare_cached(sql))?;
        let rows = self.guard(select.query_map((), |row| row.get(0)))?;
        rows.map(|row| self.guard(row)).collect()
    }

    fn ids<P: rusqlite::Params>(
        &self,
        sql: &str,
        params: P,
    ) -> Result<BTreeSet<ConversationId>, StoreError> {
        let mut select = self.guard(self.connection.prepare_cached(sql))?;
        let rows = self.guard(select.query_map(params, |row| row.get(0)))?;
        rows.map(|row| self.guard(row)).collect()
    }
}

impl StoreMut for SqliteStore {
    fn begin(&mut self) -> Result<(), StoreError> {
        self.pending = Pending::default();
        self.guard(self.connection.execute_batch("begin immediate"))
    }

    fn commit(&mut self) -> Result<(), StoreError> {
        self.flush()?;
        self.guard(self.connection.execute_batch("commit"))
    }

    fn roll_back(&mut self) {
        self.pending = Pending::default();
        if !self.connection.is_autocommit() {
            // Where even this fails, closing the connection does it.
            let _rolled_back = self.connection.execute_batch("rollback");
        }
    }

    fn file(&self, path: &str) -> Result<Option<FileState>, StoreError> {
        let select = "select len, modified, head, resume from file where path = ?1";
        let mut select = self.guard(self.connection.prepare_cached(select))?;
        let found = select.query_row([path], |row| {
            Ok((row.get(0)?, row.get(1)?, row.get(2)?, row.get::<_, String>(3)?))
        });
        let Some((len, modified, head, resume)) = self.guard(found.optional())? else {
            return Ok(None);
        };
        // What cannot be read is read anew from the transcript.
        let resume = serde_json::from_str(&resume).ok();
        Ok(resume.map(|resume| FileState { len: unsigned(len), modified, head, resume }))
    }

    fn put_file(&mut self, path: &str, state: &FileState) -> Result<(), StoreError> {
        let resume = serde_json::to_string(&state.resume).unwrap_or_default();
        let len = i64::try_from(state.len).unwrap_or(i64::MAX);
        let insert = self
            .connection
            .prepare_cached("insert or replace into file values (?1, ?2, ?3, ?4, ?5)")
            .and_then(|mut insert| {
                insert.execute(params![path, len, state.modified, state.head, resume])
            });
        self.guard(insert)?;
        Ok(())
    }

    fn put_conversation(
        &mut self,
        agent: Agent,
        header: &Header,
        path: &str,
    ) -> Result<Option<ConversationId>, StoreError> {
        if self.is_forgotten(session_key(&header.session))? {
            return Ok(None);
        }
        let insert = "insert into conversation (agent, session, project, path, begun)
            values (?1, ?2, ?3, ?4, ?5)
            on conflict (agent, session) do update set
                path = excluded.path,
                project = case when project = '' then excluded.project else project end,
                begun = coalesce(begun, excluded.begun)
            returning id";
        let mut insert = self.guard(self.connection.prepare_cached(insert))?;
        let id = insert.query_row(
            params![number(agent), header.session, header.project, path, header.begun],
            |row| row.get(0),
        );
        self.guard(id).map(Some)
    }

    fn known_conversation(
        &self,
        agent: Agent,
        session: &str,
    ) -> Result<Option<ConversationId>, StoreError> {
        let select = "select id from conversation where agent = ?1 and session = ?2";
        let mut select = self.guard(self.connection.prepare_cached(select))?;
        self.guard(select.query_row(params![number(agent), session], |row| row.get(0)).optional())
    }

    fn put_turn(&mut self, conversation: ConversationId, turn: &Turn) -> Result<Put, StoreError> {
        if self.is_forgotten(turn.key.0)? || self.is_of_forgotten_project(conversation, turn)? {
            return Ok(Put::Forgotten);
        }
        let Some(old) = self.find(turn.key)? else {
            self.insert(conversation, turn)?;
            return Ok(Put::Added);
        };
        if old.conversation != conversation {
            // A copy: the conversation that was begun first owns it.
            if self.begun(conversation)? >= self.begun(old.conversation)? {
                return Ok(Put::Known);
            }
            self.delete(&old)?;
            self.insert(conversation, turn)?;
            return Ok(Put::Known);
        }
        if old.question == turn.question && old.answer == turn.answers.join("\n\n") {
            return Ok(Put::Known);
        }
        self.delete(&old)?;
        self.insert(conversation, turn)?;
        Ok(Put::Changed)
    }

    fn remove_turn(
        &mut self,
        conversation: ConversationId,
        key: TurnKey,
    ) -> Result<bool, StoreError> {
        match self.find(key)? {
            Some(chunk) if chunk.conversation == conversation => {
                self.delete(&chunk)?;
                Ok(true)
            }
            _ => Ok(false),
        }
    }

    fn forget(&mut self, what: &Forget, now: Time) -> Result<u64, StoreError> {
        let conversations: Vec<ConversationId> = match what {
            Forget::Session(session) => {
                let keep = "insert or ignore into forgotten values (?1)";
                self.guard(self.connection.execute(keep, [session_key(session)]))?;
                let select = "select id from conversation where agent in (0, 1) and session = ?1";
                self.ids(select, [session])?.into_iter().collect()
            }
            Forget::Project(project) => {
                let keep = "insert or replace into forgotten_project values (?1, ?2)";
                self.guard(self.connection.execute(keep, params![project, now]))?;
                self.conversations_of(project)?
            }
        };
        let mut count = 0;
        for id in conversations {
            for chunk in self.turns(id)? {
                // Copies in other files don't bring it back.
                let keep = "insert or ignore into forgotten values (?1)";
                self.guard(self.connection.execute(keep, [chunk.key.0]))?;
                self.delete(&chunk)?;
                count += 1;
            }
            if let (Forget::Project(_), Some(found)) = (what, self.conversation(id)?) {
                let keep = "insert or ignore into forgotten values (?1)";
                self.guard(self.connection.execute(keep, [session_key(&found.session)]))?;
            }
            self.guard(self.connection.execute("delete from conversation where id = ?1", [id]))?;
        }
        Ok(count)
    }

    fn give(&mut self, chunks: &[ChunkId], now: Time) -> Result<(), StoreError> {
        let insert = "insert into given values (?1, 1, ?2)
            on conflict (chunk) do update set times = times + 1, last = excluded.last";
        let mut insert = self.guard(self.connection.prepare_cached(insert))?;
        for chunk in chunks {
            self.guard(insert.execute(params![chunk, now]))?;
        }
        Ok(())
    }
}

impl SqliteStore {
    /// When a conversation's file was begun; the latest time where that is not known.
    fn begun(&self, id: ConversationId) -> Result<Time, StoreError> {
        let select = "select begun from conversation where id = ?1";
        let mut select = self.guard(self.connection.prepare_cached(select))?;
        let begun: Option<Option<Time>> =
            self.guard(select.query_row([id], |row| row.get(0)).optional())?;
        Ok(begun.flatten().unwrap_or(Time::MAX))
    }

    fn is_of_forgotten_project(&self, id: ConversationId, turn: &Turn) -> Result<bool, StoreError> {
        let select = "select project, time from forgotten_project";
        let mut select = self.guard(self.connection.prepare_cached(select))?;
        let rows = self.guard(
            select.query_map((), |row| Ok((row.get::<_, String>(0)?, row.get::<_, Time>(1)?))),
        )?;
        let forgotten: Vec<_> =
            rows.map(|row| self.guard(row)).collect::<Result<_, StoreError>>()?;
        if forgotten.is_empty() {
            return Ok(false);
        }
        let Some(conversation) = self.conversation(id)? else { return Ok(false) };
        Ok(forgotten.iter().any(|(project, time)| {
            is_of_project(&conversation.project, project)
                && turn.time.is_none_or(|asked| asked <= *time)
        }))
    }
}

/// Whether a directory is the one that is named, or lies below it.
pub(crate) fn is_of_project(directory: &str, named: &str) -> bool {
    let named = named.strip_suffix('/').unwrap_or(named);
    if named.starts_with('/') {
        directory.strip_prefix(named).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
    } else {
        directory.rsplit('/').next() == Some(named)
    }
}

/// The postings of a text, and how many terms it has.
fn packed_terms(question: &str, answer: &str, within: u16) -> (Vec<Packed>, usize) {
    let mut ids: Vec<u64> = Vec::with_capacity(question.len() + answer.len());
    for text in [question, answer] {
        terms(text, &mut |term, _| ids.push(term.id));
    }
    let len = ids.len();
    ids.sort_unstable();
    let packed = ids.chunk_by(|one, other| one == other).filter_map(|same| {
        let count = u8::try_from(same.len()).unwrap_or(u8::MAX);
        same.first().map(|id| Packed::new(*id, within, count))
    });
    (packed.collect(), len)
}

fn chunk(row: &Row<'_>) -> rusqlite::Result<Chunk> {
    Ok(Chunk {
        id: row.get(0)?,
        key: TurnKey(row.get(1)?),
        conversation: row.get(2)?,
        time: row.get(3)?,
        line: unsigned(row.get(4)?),
        question: row.get(5)?,
        answer: row.get(6)?,
    })
}

fn conversation(row: &Row<'_>) -> rusqlite::Result<Conversation> {
    let agent: i64 = row.get(1)?;
    Ok(Conversation {
        id: row.get(0)?,
        agent: if agent == number(Agent::Codex) { Agent::Codex } else { Agent::ClaudeCode },
        session: row.get(2)?,
        project: row.get(3)?,
        path: row.get(4)?,
    })
}

fn number(agent: Agent) -> i64 {
    match agent {
        Agent::ClaudeCode => 0,
        Agent::Codex => 1,
    }
}

fn session_key(session: &str) -> i64 {
    TurnKey::of(&["session", session]).0
}

/// An address for a file that nobody writes.
fn immutable(path: &str) -> String {
    let escaped = path.replace('%', "%25").replace('?', "%3f").replace('#', "%23");
    format!("file:{escaped}?immutable=1")
}

fn seconds(time: Option<Time>) -> u32 {
    time.and_then(|time| u32::try_from(time.div_euclid(1000)).ok()).unwrap_or(0)
}

fn saturated(len: usize) -> u16 {
    u16::try_from(len).unwrap_or(u16::MAX)
}

fn signed(len: usize) -> i64 {
    i64::try_from(len).unwrap_or(i64::MAX)
}

fn unsigned(number: i64) -> u64 {
    u64::try_from(number).unwrap_or(0)
}
