//! What an adapter can do; it implements what its client has.

use crate::{ClientId, Error, InstructionChain, World};

/// The client that an adapter is for.
pub trait Client {
    /// Its stable name, for programs.
    fn client(&self) -> ClientId;

    /// Its name as people say it: that of the product.
    fn name(&self) -> &'static str;
}

/// Resolves what a client loads as instructions.
pub trait ResolveInstructions: Client {
    /// What has to be known beside the world: a folder, arguments.
    type Query;

    /// Resolves the chain.
    ///
    /// Errors only when there is no useful answer: a folder that is not there,
    /// a home that is not known.
    fn resolve(&self, world: World<'_>, query: &Self::Query) -> Result<InstructionChain, Error>;
}
