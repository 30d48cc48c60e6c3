//! Where the files of agents lie.

use std::collections::HashMap;

use memory_core::fs::{FileKind, Fs, IoErrorKind};
use memory_core::{AbsPath, Code, Diagnostic, Parsed, Severity};

use crate::config::file::client_words;

/// Names that are looked at in one directory of agents, at most.
const MAX_NAMES: usize = 20_000;
/// How often one directory is entered when symlinks lead to it again.
const MAX_VISITS: u8 = 2;

/// The files `*.toml` below a directory, in order of their paths; symlinks are
/// followed. None where there is no such directory.
///
/// Errors in the client's words when something cannot be listed.
pub(super) fn files(fs: &dyn Fs, dir: &AbsPath) -> Result<Parsed<Vec<AbsPath>>, String> {
    let mut search = Search { fs, visits: HashMap::new(), left: MAX_NAMES, found: Vec::new() };
    search.dir(dir)?;
    let mut diagnostics = Vec::new();
    if search.left == 0 {
        let message = format!("only {MAX_NAMES} names are looked at for agents");
        let code = Code("codex/agents-not-listed");
        diagnostics.push(Diagnostic::new(code, Severity::Warning, message).at(dir));
    }
    let mut found = search.found;
    found.sort_by(|a, b| a.as_str().split('/').cmp(b.as_str().split('/')));
    Ok(Parsed { value: found, diagnostics })
}

struct Search<'a> {
    fs: &'a dyn Fs,
    visits: HashMap<AbsPath, u8>,
    left: usize,
    found: Vec<AbsPath>,
}

impl Search<'_> {
    fn dir(&mut self, dir: &AbsPath) -> Result<(), String> {
        let entries = match self.fs.read_dir(dir) {
            Ok(entries) => entries,
            Err(error) if error.kind == IoErrorKind::NotFound => return Ok(()),
            Err(error) => return Err(client_words(&error.to_string(), error.kind)),
        };
        let real = self.fs.canonicalize(dir).unwrap_or_else(|_| dir.clone());
        let visits = self.visits.entry(real).or_default();
        if *visits == MAX_VISITS {
            return Ok(());
        }
        *visits += 1;
        for entry in entries {
            if self.left == 0 {
                return Ok(());
            }
            self.left -= 1;
            let entry = entry.map_err(|error| client_words(&error.to_string(), error.kind))?;
            let path = dir.join(&entry.name);
            let kind = match entry.kind {
                FileKind::Symlink => match self.fs.metadata(&path) {
                    Ok(found) => found.kind,
                    Err(_) => continue,
                },
                kind => kind,
            };
            match kind {
                FileKind::Dir => self.dir(&path)?,
                FileKind::File if has_extension(&entry.name) => self.found.push(path),
                _ => {}
            }
        }
        Ok(())
    }
}

/// Whether a name has the extension `toml`; one that is nothing else has none.
fn has_extension(name: &str) -> bool {
    name.strip_suffix(".toml").is_some_and(|stem| !stem.is_empty())
}
