//! What both sides were when they were the same last.
//!
//! The texts lie in the state directory of this person and machine. Without
//! them a port still knows who changed something, from the keys in the
//! manifest; only what both sides changed cannot be merged.

use std::cell::OnceCell;
use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::PortPlace;
use super::text::Value;
use crate::digest::Digest;
use crate::fs::Fs;
use crate::path::AbsPath;

/// The largest file of base texts that is read, in bytes.
const MAX_LEN: u64 = 256 << 20;
/// The longest text that is kept, in bytes.
const MAX_TEXT: usize = 4 << 20;

/// The base texts of one project.
pub(super) struct Bases<'a> {
    fs: &'a dyn Fs,
    path: Option<AbsPath>,
    kept: OnceCell<Kept>,
}

/// The file, texts by key; a blank one for what is no text.
#[derive(Default, Serialize, Deserialize)]
struct Kept {
    schema: u32,
    project: String,
    texts: BTreeMap<String, Option<String>>,
}

impl<'a> Bases<'a> {
    /// `state` is the folder of the state directory for ports; `None` where
    /// nothing is kept.
    pub(super) fn new(fs: &'a dyn Fs, place: &PortPlace, state: Option<&AbsPath>) -> Self {
        let path = state.map(|state| state.join(&format!("{}.json", id(place))));
        Self { fs, path, kept: OnceCell::new() }
    }

    fn kept(&self) -> &Kept {
        self.kept.get_or_init(|| {
            let bytes = self.path.as_ref().and_then(|path| self.fs.read_up_to(path, MAX_LEN).ok());
            let kept = bytes.and_then(|bytes| serde_json::from_slice::<Kept>(&bytes).ok());
            kept.filter(|kept| kept.schema == 1).unwrap_or_default()
        })
    }

    /// The text of a key, if it is known.
    pub(super) fn text(&self, key: &str) -> Option<String> {
        self.kept().texts.get(key)?.clone()
    }

    /// Whether a part with this key was here when the last port was written:
    /// what is not there any more was taken away since.
    pub(super) fn were_here(&self, key: &str) -> bool {
        self.kept().texts.contains_key(key)
    }

    /// The file and what it is to hold, `None` where nothing is to be kept or
    /// all is kept already.
    pub(super) fn changed(
        &self,
        place: &PortPlace,
        values: impl IntoIterator<Item = Value>,
        keys: &[&str],
    ) -> Option<(AbsPath, Vec<u8>)> {
        let path = self.path.clone()?;
        let mut texts: BTreeMap<String, Option<String>> = BTreeMap::new();
        for key in keys {
            texts.insert((*key).to_owned(), self.text(key));
        }
        for value in values {
            if texts.contains_key(&value.key) {
                texts.insert(
                    value.key,
                    value.text.filter(|text| text.len() <= MAX_TEXT).map(|text| text.to_string()),
                );
            }
        }
        if texts == self.kept().texts {
            return None;
        }
        let kept = Kept { schema: 1, project: place.project.to_string(), texts };
        Some((path, serde_json::to_vec(&kept).ok()?))
    }
}

/// The name of a project among others.
pub(super) fn id(place: &PortPlace) -> String {
    let digest = Digest::of(place.project.as_str().as_bytes()).to_string();
    let digits = digest.rsplit(':').next().unwrap_or_default();
    digits.chars().take(32).collect()
}
