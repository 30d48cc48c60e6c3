//! Everything a resolver may look at.

use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};

use crate::fs::Fs;
use crate::path::{AbsPath, name_from_bytes};

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

    /// The environment that these variables make, such as those of
    /// `std::env::vars_os()`; `HOME` says the home directory.
    ///
    /// Foreign bytes are kept as in [`AbsPath`].
    ///
    /// ```
    /// use memory_core::Env;
    ///
    /// let env = Env::from_vars([("HOME".into(), "/home/mio".into())]);
    /// assert_eq!(env.home.as_ref().map(|home| home.as_str()), env.var("HOME"));
    /// ```
    pub fn from_vars(vars: impl IntoIterator<Item = (OsString, OsString)>) -> Self {
        let portable = |text: &OsStr| name_from_bytes(text.as_encoded_bytes());
        let vars: BTreeMap<String, String> =
            vars.into_iter().map(|(name, value)| (portable(&name), portable(&value))).collect();
        Self { home: vars.get("HOME").and_then(|home| AbsPath::new(home).ok()), vars }
    }

    /// The value of a variable, or `None` when it is not set.
    pub fn var(&self, name: &str) -> Option<&str> {
        self.vars.get(name).map(String::as_str)
    }
}

#[cfg(all(test, unix))]
mod tests {
    use std::os::unix::ffi::OsStringExt as _;

    use super::*;
    use crate::path::name_to_bytes;

    #[test]
    fn a_variable_of_foreign_bytes_is_kept() {
        let foreign = b"/h\xff".to_vec();
        let env = Env::from_vars([("HOME".into(), OsString::from_vec(foreign.clone()))]);
        assert_eq!(env.var("HOME").map(name_to_bytes), Some(foreign.clone()));
        assert_eq!(env.home.map(|home| home.to_bytes()), Some(foreign));
        assert_eq!(Env::from_vars([("HOME".into(), "h".into())]).home, None);
    }
}
