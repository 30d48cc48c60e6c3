//! Carrying what Claude Code keeps to another client, and back.
//!
//! As a source, the client gives what a session in the project is shown at its
//! start, and what files below it bring along when they are touched. As a
//! target, it decides by the client's own rules which file a text goes into, so
//! that what is placed is what the client reads.

mod extras;
mod ground;
mod kept;
mod lower;
mod read;
mod view;

#[cfg(test)]
mod tests;

use memory_core::model::Bundle;
use memory_core::port::{LowerBundle, LowerOptions, Lowered, PortPlace, ReadBundle, View};
use memory_core::{AbsPath, Error, Parsed, World};

use crate::claude::Claude;

impl ReadBundle for Claude {
    fn read_bundle(&self, world: World<'_>, place: &PortPlace) -> Result<Parsed<Bundle>, Error> {
        ground::with(self, world, place, |ground| read::read(self, ground))
    }

    fn shown(&self, world: World<'_>, place: &PortPlace) -> Result<Option<View>, Error> {
        ground::with(self, world, place, |ground| Some(view::texts(ground)))
    }

    fn may_hold_copy(&self, world: World<'_>, place: &PortPlace, path: &AbsPath) -> bool {
        LowerBundle::keeps(self, world, place, path)
    }
}

impl LowerBundle for Claude {
    fn lower(
        &self,
        world: World<'_>,
        place: &PortPlace,
        bundle: &Bundle,
        _options: &LowerOptions,
    ) -> Result<Lowered, Error> {
        ground::with(self, world, place, |ground| lower::lower(ground, bundle))
    }

    fn view(&self, world: World<'_>, place: &PortPlace, folder: &AbsPath) -> Result<View, Error> {
        view::view(self, world, place, folder)
    }

    fn keeps(&self, world: World<'_>, place: &PortPlace, path: &AbsPath) -> bool {
        ground::with(self, world, place, |ground| kept::keeps(ground, path)).unwrap_or(false)
    }
}
