//! What an adapter can do; it implements what its client has.

use crate::{ClientId, Error, InstructionChain, World};

/// Resolves what a client loads as instructions.
pub trait ResolveInstructions {
    /// What has to be known beside the world: a folder, arguments.
    type Query;

    /// The client this resolves for.
    fn client(&self) -> ClientId;

    /// Resolves the chain.
    ///
    /// Errors only when there is no useful answer: a folder that is not there,
    /// a home that is not known.
    fn resolve(&self, world: World<'_>, query: &Self::Query) -> Result<InstructionChain, Error>;
}
