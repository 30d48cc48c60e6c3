//! Everything a resolver may look at.

use std::collections::BTreeMap;

use crate::{AbsPath, Fs};

/// Everything a resolver may look at; nothing else exists for it.
#[derive(Clone, Copy)]
pub struct World<'a> {
    /// The file system.
    pub fs: &'a dyn Fs,
    /// The environment.
    pub env: &'a Env,
}

/// The environment a client would be started in.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Env {
    /// The home directory, or `None` where it is not known.
    pub home: Option<AbsPath>,
    /// Environment variables.
    pub vars: BTreeMap<String, String>,
}

impl Env {
    /// An environment with this home directory and no variables.
    pub fn with_home(home: AbsPath) -> Self {
        Self { home: Some(home), vars: BTreeMap::new() }
    }

    /// The value of a variable, or `None` when it is not set.
    pub fn var(&self, name: &str) -> Option<&str> {
        self.vars.get(name).map(String::as_str)
    }
}
