//! What a person should know without asking.

mod chain;
mod configuration;
mod lost;
mod mention;
mod near_miss;
mod root;
#[cfg(test)]
mod tests;

use memory_core::{AbsPath, Diagnostic, World};

pub(crate) use configuration::configuration;

use crate::config::arguments::Arguments;
use crate::config::settings::Config;
use crate::instructions::Chains;

/// The diagnostics about the instruction files.
pub(crate) fn chain(
    world: World<'_>,
    config: &Config,
    chains: &Chains,
    args: &Arguments,
    cwd: &AbsPath,
) -> Vec<Diagnostic> {
    let mut diagnostics = chain::chain(world, config, chains, cwd);
    diagnostics.extend(root::root(world, config, cwd));
    diagnostics.extend(near_miss::names(world, config, &chains.project, cwd));
    diagnostics.extend(near_miss::added_folders(world, args, cwd));
    diagnostics.extend(mention::mentions(world, chains, cwd));
    diagnostics
}
