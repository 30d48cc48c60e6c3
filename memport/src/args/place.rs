use std::ffi::OsStr;
use std::path::PathBuf;

use clap::builder::{OsStringValueParser, TypedValueParser as _};
use memory_core::fs::name_from_bytes;

/// Where a client would be started.
#[derive(Debug, clap::Args)]
pub(crate) struct Place {
    /// Start in this folder, as after `cd DIR`: links are resolved, other relative paths start here
    #[arg(long, value_name = "DIR")]
    pub(crate) cwd: Option<PathBuf>,

    /// The home directory, for the client too [default: $HOME]
    #[arg(long, value_name = "DIR")]
    pub(crate) home: Option<PathBuf>,

    /// Set a variable of the client's environment, or remove it (`--env KEY`); may be repeated
    #[arg(long, value_name = "KEY[=VALUE]", value_parser = OsStringValueParser::new().try_map(|text| EnvChange::parse(&text)))]
    pub(crate) env: Vec<EnvChange>,
}

/// A change of one environment variable.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct EnvChange {
    pub(crate) key: String,
    /// The new value, or `None` to remove the variable.
    pub(crate) value: Option<String>,
}

impl EnvChange {
    fn parse(text: &OsStr) -> Result<Self, &'static str> {
        let text = name_from_bytes(text.as_encoded_bytes());
        let (key, value) = match text.split_once('=') {
            Some((key, value)) => (key.to_owned(), Some(value.to_owned())),
            None => (text, None),
        };
        if key.is_empty() {
            return Err("the name of the variable is missing");
        }
        Ok(Self { key, value })
    }
}
