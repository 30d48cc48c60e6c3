//! Carrying what Codex keeps to another client, and back.
//!
//! As a source, Codex gives what a session in the project is shown, with what
//! sessions in the folders below it are shown beside. Of its memory it gives
//! the tree that is injected. The raw memories are the client's own material
//! for that tree and are carried only where nothing was made of them; what a
//! tree's git baseline and locks hold is never carried.
//!
//! As a target, it decides by the client's own rules which file a text goes
//! into, so that what is placed is what the client reads.

mod budget;
mod folder;
mod ground;
mod imported;
mod kept;
mod lower;
mod read;
mod view;

#[cfg(test)]
mod tests;

use memory_core::model::Bundle;
use memory_core::port::{LowerBundle, LowerOptions, Lowered, PortPlace, ReadBundle, View};
use memory_core::{AbsPath, Error, Parsed, World};

use crate::codex::Codex;
use ground::Ground;

impl ReadBundle for Codex {
    fn read_bundle(&self, world: World<'_>, place: &PortPlace) -> Result<Parsed<Bundle>, Error> {
        let env = ground::environment(world, place);
        let world = World { fs: world.fs, env: &env };
        Ok(read::read(&Ground::survey(self, world, place)?))
    }

    fn shown(&self, world: World<'_>, place: &PortPlace) -> Result<Option<View>, Error> {
        let env = ground::environment(world, place);
        let world = World { fs: world.fs, env: &env };
        view::view(self, world, &place.project).map(Some)
    }

    fn may_hold_copy(&self, world: World<'_>, place: &PortPlace, path: &AbsPath) -> bool {
        LowerBundle::keeps(self, world, place, path)
    }
}

impl LowerBundle for Codex {
    fn lower(
        &self,
        world: World<'_>,
        place: &PortPlace,
        bundle: &Bundle,
        options: &LowerOptions,
    ) -> Result<Lowered, Error> {
        let env = ground::environment(world, place);
        let world = World { fs: world.fs, env: &env };
        Ok(lower::lower(&Ground::survey(self, world, place)?, bundle, *options))
    }

    fn view(&self, world: World<'_>, place: &PortPlace, folder: &AbsPath) -> Result<View, Error> {
        let env = ground::environment(world, place);
        view::view(self, World { fs: world.fs, env: &env }, folder)
    }

    fn keeps(&self, world: World<'_>, place: &PortPlace, path: &AbsPath) -> bool {
        let env = ground::environment(world, place);
        kept::keeps(World { fs: world.fs, env: &env }, place, path)
    }
}
