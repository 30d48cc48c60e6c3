//! What is wrong with memory folders, and what helps.

mod folder;
mod home;
mod pointers;

use memory_core::{Diagnostic, Error, World};

use super::place::{places, with_context};
use super::projects::Home;
use super::read::{Depth, read};
use crate::claude::{Claude, Query};
use crate::store::shared;

impl Claude {
    /// Looks over the memories that belong to a start, and over all folders that
    /// the client keeps for projects.
    ///
    /// Nothing is changed. Of other projects only the names of folders and the
    /// beginnings of transcripts are read. Errors when the start folder is not
    /// there or the home directory is not known.
    pub fn doctor(&self, world: World<'_>, query: &Query) -> Result<Vec<Diagnostic>, Error> {
        let (places, home, here, shared) = with_context(self, world, query, |context| {
            let home = Home::of_start(context.layout);
            let here = shared::in_use(context, &home);
            (places(context), home, here, shared::tell(context))
        })?;
        let mut told: Vec<Diagnostic> = shared.into_iter().collect();
        for place in places {
            let parsed = read(world.fs, place, Depth::Whole);
            told.extend(parsed.diagnostics);
            folder::check(&self.profile, &parsed.value, &mut told);
        }
        home::check(world.fs, &home, here.as_ref(), &mut told);
        Ok(told)
    }
}
