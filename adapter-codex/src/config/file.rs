//! Reading one configuration file.

use std::ops::Range;

use memory_core::fs::IoErrorKind;
use memory_core::{AbsPath, World};
use toml::Table;

use super::refusal::{Place, Refusal};

/// Bytes of a configuration file that are read here. The client would read a
/// larger one, so there is no answer then.
pub(crate) const FILE_LIMIT: u64 = 16 * 1024 * 1024;

/// Which words the client uses when a file cannot be used.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Wording {
    /// A file of the machine or the person.
    Own,
    /// A file of a trusted project.
    Project,
}

/// The text and the values of a file; `None` when it is not there.
pub(super) fn read(
    world: World<'_>,
    path: &AbsPath,
    wording: Wording,
) -> Result<Option<(String, Table)>, Refusal> {
    let failed = |what: String| {
        let of_project = if wording == Wording::Project { "project " } else { "" };
        Refusal::Load(format!("Failed to read {of_project}config file {path}: {what}"))
    };
    let bytes = match world.fs.metadata(path) {
        Err(error) if error.kind == IoErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(failed(client_words(&error.to_string(), error.kind))),
        Ok(found) if !found.is_file() => {
            return Err(failed(format!("path `{path}` is not a file")));
        }
        Ok(found) if found.len > FILE_LIMIT => return Err(Refusal::NotRead(path.clone())),
        Ok(_) => {
            world.fs.read_up_to(path, FILE_LIMIT).map_err(|error| failed(error.to_string()))?
        }
    };
    let text = String::from_utf8(bytes).map_err(|error| failed(error.utf8_error().to_string()))?;
    match text.parse::<Table>() {
        Ok(values) => Ok(Some((text, values))),
        Err(error) => Err(match wording {
            Wording::Own => Refusal::Located {
                place: place(path, &text, error.span().unwrap_or_default(), error.message()),
                cause: Some(error.to_string()),
            },
            Wording::Project => {
                Refusal::Load(format!("Error parsing project config file {path}: {error}"))
            }
        }),
    }
}

/// An error of the system in the words in which the client prints it.
pub(crate) fn client_words(message: &str, kind: IoErrorKind) -> String {
    match kind {
        IoErrorKind::Loop => {
            message.replace("Too many levels of symbolic links", "Symbolic link loop")
        }
        _ => message.to_owned(),
    }
}

/// Where an error lies.
pub(super) fn place(path: &AbsPath, text: &str, span: Range<usize>, message: &str) -> Place {
    let before = text.get(..span.start).unwrap_or(text);
    let line_start = before.rfind('\n').map_or(0, |newline| newline + 1);
    let line = text.get(line_start..).unwrap_or_default();
    let line = line.split('\n').next().unwrap_or_default();
    let in_line = text.get(span.start..span.end.min(line_start + line.len())).unwrap_or_default();
    Place {
        file: path.to_string(),
        line: before.matches('\n').count() + 1,
        column: before.get(line_start..).unwrap_or_default().chars().count() + 1,
        width: in_line.chars().count().max(1),
        source: line.to_owned(),
        message: message.to_owned(),
    }
}
