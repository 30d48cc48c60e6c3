//! What an adapter can do for a port.

use super::{LowerOptions, Lowered, PortPlace};
use crate::client::Client;
use crate::error::Error;
use crate::model::Bundle;
use crate::path::AbsPath;
use crate::report::Parsed;
use crate::world::World;

/// Reads what a client keeps into the neutral model.
pub trait ReadBundle: Client {
    /// Reads what the client keeps for the person and the project.
    ///
    /// What cannot be read is told and left out. Errors only when there is no
    /// useful answer: a home or a project that is not there.
    fn read_bundle(&self, world: World<'_>, place: &PortPlace) -> Result<Parsed<Bundle>, Error>;

    /// The texts that a session which is started in the project is given at its
    /// start, to see whether a port adds to them; `None` when the client is not
    /// asked.
    ///
    /// Errors only when there is no useful answer.
    fn shown(&self, _world: World<'_>, _place: &PortPlace) -> Result<Option<View>, Error> {
        Ok(None)
    }

    /// Whether the client keeps anything at this path: whether it is one of
    /// its own file names, there or not. A project's manifest may say of no
    /// other hidden file that something was carried to it.
    fn may_hold_copy(&self, _world: World<'_>, _place: &PortPlace, _path: &AbsPath) -> bool {
        true
    }
}

/// Lowers the neutral model into a client's own files.
pub trait LowerBundle: Client {
    /// Says where everything goes, and what does not survive.
    ///
    /// Errors only when there is no useful answer.
    fn lower(
        &self,
        world: World<'_>,
        place: &PortPlace,
        bundle: &Bundle,
        options: &LowerOptions,
    ) -> Result<Lowered, Error>;

    /// What a session that is started in `folder` is given at its start: the
    /// proof that a port did what it says.
    fn view(&self, world: World<'_>, place: &PortPlace, folder: &AbsPath) -> Result<View, Error>;

    /// Whether the client keeps anything at this path: whether it is one of
    /// its own file names, there or not. Only such files are brought back to
    /// it when what was carried away from it is ported back; below the home
    /// directory also outside of [`Lowered::roots`].
    fn keeps(&self, _world: World<'_>, _place: &PortPlace, _path: &AbsPath) -> bool {
        false
    }
}

/// What a session is given at its start.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct View {
    /// Every text with the file it comes from, as the model gets it, cuts
    /// included.
    pub texts: Vec<(AbsPath, String)>,
    /// The main files of the skills that the person or the model can start.
    pub skills: Vec<AbsPath>,
    /// Everything the answer depends on: what is not among it cannot change it.
    pub probes: crate::fs::Probes,
}
