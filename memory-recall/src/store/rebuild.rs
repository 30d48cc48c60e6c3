//! Taking over what only an old store has.

use std::collections::HashMap;

use rusqlite::params;

use super::{ChunkId, SqliteStore, Store as _, StoreError, StoreMut as _};
use crate::exchange::merge_chunks;

impl SqliteStore {
    /// Takes over what was forgotten, so that it is not taken in again.
    pub fn take_over_forgotten(&mut self, old: &Self) -> Result<(), StoreError> {
        self.begin()?;
        let copied = self.copy_forgotten(old).and_then(|()| self.commit());
        if copied.is_err() {
            self.roll_back();
        }
        copied
    }

    fn copy_forgotten(&self, old: &Self) -> Result<(), StoreError> {
        let mut select = old.guard(old.connection.prepare("select key from forgotten"))?;
        let mut rows = old.guard(select.query(()))?;
        while let Some(row) = old.guard(rows.next())? {
            let key: i64 = old.guard(row.get(0))?;
            let keep = "insert or ignore into forgotten values (?1)";
            self.guard(self.connection.execute(keep, [key]))?;
        }
        let select = "select project, time from forgotten_project";
        let mut select = old.guard(old.connection.prepare(select))?;
        let mut rows = old.guard(select.query(()))?;
        while let Some(row) = old.guard(rows.next())? {
            let (project, time): (String, i64) = (old.guard(row.get(0))?, old.guard(row.get(1))?);
            let keep = "insert or ignore into forgotten_project values (?1, ?2)";
            self.guard(self.connection.execute(keep, params![project, time]))?;
        }
        Ok(())
    }

    /// Takes over the chunks whose transcripts are gone, and what was given to clients.
    pub fn take_over_chunks(&mut self, old: &Self) -> Result<(), StoreError> {
        let mut all = Vec::new();
        // What can be read of a damaged store is worth having.
        let read = old.each(&mut |chunk, conversation| {
            all.push((chunk, conversation.clone()));
            Ok(())
        });
        let keys: HashMap<ChunkId, _> =
            all.iter().map(|(chunk, _)| (chunk.id, chunk.key)).collect();
        merge_chunks(self, all.into_iter())?;
        for given in old.given().unwrap_or_default() {
            let Some(key) = keys.get(&given.chunk) else { continue };
            if let Some(chunk) = self.find(*key)? {
                let keep = "insert or replace into given values (?1, ?2, ?3)";
                let times = i64::try_from(given.times).unwrap_or(i64::MAX);
                self.guard(self.connection.execute(keep, params![chunk.id, times, given.last]))?;
            }
        }
        read
    }

    /// Closes the store: all of it is in its one file then.
    pub fn close(self) -> Result<(), StoreError> {
        let path = self.path;
        self.connection.close().map_err(|(_, error)| StoreError::of(&path, &error))
    }
}
