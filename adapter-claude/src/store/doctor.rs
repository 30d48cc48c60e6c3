//! What is wrong with memory folders, and what helps.

mod folder;
mod home;
mod pointers;

use memory_core::{Diagnostic, Error, World};

use super::place::{places, with_context};
use super::projects::Home;
use super::read::{Depth, read};
use crate::claude::{Claude, Query};

impl Claude {
    /// Looks over the memories that belong to a start, and over all folders that
    /// the client keeps for projects.
    ///
    /// Nothing is changed. Of other projects only the names of folders and the
    /// beginnings of transcripts are read. Errors when the start folder is not
    /// there or the home directory is not known.
    pub fn doctor(&self, world: World<'_>, query: &Query) -> Result<Vec<Diagnostic>, Error> {
        let (places, home) = with_context(self, world, query, |context| {
            (places(context), Home::of_start(context.layout))
        })?;
        let mut told = Vec::new();
        for place in places {
            let parsed = read(world.fs, place, Depth::Whole);
            told.extend(parsed.diagnostics);
            folder::check(&self.profile, &parsed.value, &mut told);
        }
        home::check(world.fs, &home, &mut told);
        Ok(told)
    }
}
